"""The pool as a file: a line that says how it was drawn, then a line for each problem.

A problem's line is written at once with all its samples, so a file that was cut off is good up to
its last complete line, and drawing continues with the problems that are missing.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from agentdyno.records import InputError, printable
from agentdyno_depth.records.thinking import Pool, PoolHead, ProblemPool

T = TypeVar("T")

_head = msgspec.json.Decoder(PoolHead)
_problem = msgspec.json.Decoder(ProblemPool)


def write_pool(path: Path, pool: Pool) -> None:
    """The whole pool at once, beside the old file until it is complete."""
    staging = path.with_name(f"{path.name}.part")
    with staging.open("wb") as file:
        file.write(msgspec.json.encode(pool.head) + b"\n")
        for item in pool.problems:
            file.write(msgspec.json.encode(item) + b"\n")
    staging.replace(path)


def append_problems(path: Path, head: PoolHead, items: Iterable[ProblemPool]) -> None:
    """More problems at the end of a file, which is begun where it is not there."""
    new = not path.exists()
    with path.open("ab") as file:
        if new:
            file.write(msgspec.json.encode(head) + b"\n")
        for item in items:
            file.write(msgspec.json.encode(item) + b"\n")


def read_pool(path: Path) -> Pool:
    """The pool of a file; a last line that was cut off is left out."""
    if not path.is_file():
        raise InputError(f"{path}: expected a pool file, found none there.")
    lines = path.read_bytes().split(b"\n")
    complete, tail = [line for line in lines[:-1] if line.strip()], lines[-1]
    if tail.strip() and _is_complete(tail):
        complete.append(tail)
    if not complete:
        raise InputError(f"{path}: expected a pool file, found no complete line in it.")
    head = _decode(path, 1, complete[0], _head)
    items = [_decode(path, number, line, _problem) for number, line in enumerate(complete[1:], 2)]
    return Pool(head, tuple(items))


def resume_pool(path: Path, head: PoolHead) -> Pool:
    """The problems that a file has, its torn end removed; an empty pool where there is no file."""
    if not path.exists():
        return Pool(head, ())
    pool = read_pool(path)
    if pool.head != head:
        raise InputError(
            f"{path}: expected a pool drawn in the same way, found other settings in its first "
            "line. Name another file, or remove this one."
        )
    write_pool(path, pool)
    return pool


def _is_complete(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except msgspec.DecodeError:
        return False
    return line.rstrip().endswith(b"}")


def _decode(path: Path, number: int, line: bytes, decoder: "msgspec.json.Decoder[T]") -> T:
    try:
        return decoder.decode(line)
    except msgspec.MsgspecError as error:
        raise InputError(
            f"{path}: line {number}: expected a line of a pool, found: "
            f"{printable(str(error), 200)}. Pools are written by `agentdyno think --record FILE`."
        ) from None
