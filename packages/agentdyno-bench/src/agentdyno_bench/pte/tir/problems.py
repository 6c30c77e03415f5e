"""Questions out of published files: CSV, JSON, JSON lines or Parquet, in their authors' columns.

Leaves `Problem` values. A row without question or answer is an error that says where it stands;
silently fewer questions would be another benchmark.
"""

import random
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.pte.tir.benchmarks import Benchmark


class Problem(Struct, frozen=True):
    """One question."""

    id: str
    """Its id, unique within the benchmark."""
    question: str
    answer: str
    level: str | None = None
    """How hard it is, in the benchmark's own grades."""
    answer_type: str | None = None
    """What kind of answer is expected, where the benchmark says so."""


def read_problems(files: Iterable[Path], benchmark: Benchmark) -> list[Problem]:
    """The questions of the files, in their order."""
    problems: list[Problem] = []
    for file in files:
        for number, row in enumerate(read_rows(file), 1):
            problems.append(_problem(row, benchmark, len(problems) + 1, f"{file.name}:{number}"))
    if len({p.id for p in problems}) < len(problems):
        # Two halves of a contest may both count from 1.
        problems = [msgspec.structs.replace(p, id=f"{n}-{p.id}") for n, p in enumerate(problems, 1)]
    return problems


def read_rows(file: Path) -> list[dict[str, Any]]:
    """The file's rows as dictionaries."""
    try:
        return _parse(file)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise InputError(
            f"{file}: expected rows of questions, found {printable(str(error))}"
        ) from None


def _parse(file: Path) -> list[dict[str, Any]]:
    if file.suffix == ".jsonl":
        lines = file.read_bytes().splitlines()
        return [msgspec.json.decode(line, type=dict[str, Any]) for line in lines if line.strip()]
    if file.suffix == ".json":
        return msgspec.json.decode(file.read_bytes(), type=list[dict[str, Any]])
    if file.suffix == ".csv":
        import csv

        with file.open(encoding="utf-8-sig", newline="") as text:
            return list(csv.DictReader(text))
    import polars as pl

    try:
        return pl.read_parquet(file).to_dicts()
    except pl.exceptions.PolarsError as error:
        raise ValueError(str(error)) from None


def _problem(row: dict[str, Any], benchmark: Benchmark, number: int, location: str) -> Problem:
    def column(names: tuple[str, ...]) -> str | None:
        return next((str(row[n]) for n in names if row.get(n) not in (None, "")), None)

    question, answer = column(benchmark.question), column(benchmark.answer)
    if question is None or answer is None:
        columns = " and ".join("/".join(n) for n in (benchmark.question, benchmark.answer))
        raise InputError(
            f"{location}: expected the columns {columns} of {benchmark.title}, found "
            f"{printable(', '.join(map(str, row)))}."
        )
    return Problem(
        id=column(benchmark.identity) or str(number),
        question=question,
        answer=answer,
        level=column(benchmark.level),
        answer_type=column(("answer_type",)),
    )


def draw(problems: list[Problem], count: int | None, seed: int) -> list[Problem]:
    """So many of the questions, drawn with the seed, in their old order."""
    if count is None or len(problems) <= count:
        return problems
    drawn = set(random.Random(seed).sample(range(len(problems)), count))
    return [problem for index, problem in enumerate(problems) if index in drawn]


def digest(problems: list[Problem]) -> str:
    """Changes with any question or answer."""
    return blake2b(msgspec.json.encode(problems), digest_size=8).hexdigest()
