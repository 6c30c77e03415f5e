"""Serving traces whose prompts are lists of block hashes: AgentX (one JSON a session) and Mooncake.

    AgentX    {"id": …, "block_size": 64, "requests": [{"t": 0.0, "type": "n", "in": 71175,
              "out": 169, "hash_ids": [1, 2, …], "api_time": 7.3}, {"type": "subagent", "t": 134.2,
              "requests": […]}, …]}
    Mooncake  JSONL, a request a line: {"timestamp": 1200, "input_length": 6758,
              "output_length": 500, "hash_ids": [46, 47, …]}, blocks of 512 tokens, milliseconds

Takes such files; returns a `Load` and the hit rates that the hashes themselves give: a block hits
if all before it do and it was used within so many seconds. Sub-agents are sessions of their own.
`write_agentx` is the way back, with a hash of its own for each block of a conversation.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct, field

from agentdyno.cost.block_memory import MOST_TOKENS, NOBODY
from agentdyno.cost.replay import Load
from agentdyno.records import InputError, printable

BLOCK, MOONCAKE_BLOCK = 64, 512
LIFETIMES = {"without limit": float("inf"), "5 minutes": 300.0, "an hour": 3600.0}
"""For how long an unused block stays, for the hit rates."""


class _Request(Struct):
    t: float = 0.0
    type: str = "n"
    tokens: int = field(name="in", default=0)
    out: int = 0
    hash_ids: list[int] = []
    api_time: float = 0.0
    requests: "list[_Request]" = []


class _Session(Struct):
    requests: list[_Request]
    block_size: int = BLOCK


class _Line(Struct):
    timestamp: float
    input_length: int
    output_length: int
    hash_ids: list[int]


class HashTrace(Struct, frozen=True):
    """A load read from a trace of block hashes, with its cache hit rates."""

    load: Load
    """All sessions, one file behind the other."""
    hit_rates: dict[str, float]
    """By the lifetime of an unused block: share of the prompt tokens that the hashes find."""
    files: int
    problems: list[str]
    """A sentence for each file or line that could not be."""


class _Rows:
    """Sessions as they are read, and what the hashes find."""

    def __init__(self) -> None:
        self.first = [0]
        self.rows: list[tuple[int, int, float, int, int]] = []
        """Context, generated tokens, pause, kept, parent."""
        self.tokens = 0
        self.hits = dict.fromkeys(LIFETIMES, 0)

    def add_session(self, requests: Sequence[_Request], block: int, opened: list[int]) -> None:
        """`opened`: first turns of sessions of the same file, with their hashes in `_hashes`."""
        ended: float | None = None
        previous: _Request | None = None
        for request in requests:
            turn = len(self.rows)
            if previous is None:
                parent, retained = self._find_origin(request, block, opened)
                opened.append(turn)
                self._hashes[turn] = request.hash_ids
            else:
                parent, common = turn - 1, _common(previous.hash_ids, request.hash_ids)
                is_whole = common >= previous.tokens // block
                retained = MOST_TOKENS if is_whole else common * block
            pause = 0.0 if ended is None else max(request.t - ended, 0.0)
            self.rows.append((request.tokens, max(request.out, 1), pause, retained, parent))
            previous, ended = request, request.t + request.api_time
        self.first.append(len(self.rows))

    def _find_origin(self, request: _Request, block: int, opened: list[int]) -> tuple[int, int]:
        best, origin = 0, NOBODY
        for turn in opened:
            common = _common(self._hashes[turn], request.hash_ids)
            if common > best:
                best, origin = common, turn
        return origin, best * block

    def start_file(self) -> None:
        self._hashes: dict[int, list[int]] = {}

    def count_hits(self, requests: Sequence[_Request], block: int) -> None:
        every = np.array(
            [block_hash for r in requests for block_hash in r.hash_ids], dtype=np.int64
        )
        names, codes = np.unique(every, return_inverse=True)
        ends = np.cumsum([len(r.hash_ids) for r in requests])
        used = np.full(len(names), np.nan)  # When each block was used last; NaN: never.
        for index in np.argsort([r.t for r in requests], kind="stable"):
            request = requests[index]
            block_codes = codes[ends[index] - len(request.hash_ids) : ends[index]]
            self.tokens += request.tokens
            ages = request.t - used[block_codes]
            for name, lifetime in LIFETIMES.items():
                is_gone = ~(ages <= lifetime)
                reach = int(is_gone.argmax()) if is_gone.any() else len(block_codes)
                self.hits[name] += min(reach * block, request.tokens)
            used[block_codes] = request.t

    def finish(self, begins: list[float] | None, files: int, problems: list[str]) -> HashTrace:
        context, decode, pause, retained, parent = (
            np.array(c) for c in zip(*self.rows, strict=True)
        )
        load = Load(
            first=np.array(self.first),
            context=context,
            decode=decode,
            cached=np.zeros_like(context),
            pause=pause.astype(float),
            begins=None if begins is None else np.array(begins),
            kept=retained,
            parent=parent,
        )
        rates = {name: hits / self.tokens for name, hits in self.hits.items()}
        return HashTrace(load, rates, files, problems)


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    shorter = min(len(a), len(b))
    if a[:shorter] == b[:shorter]:
        return shorter
    return next(i for i in range(shorter) if a[i] != b[i])


def read_hash_traces(path: Path) -> HashTrace:
    """A folder of AgentX traces, one of them, or a Mooncake file."""
    if path.is_file() and path.suffix == ".jsonl":
        return _read_mooncake(path)
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    rows, problems, read = _Rows(), [], 0
    for file in files:
        try:
            session = msgspec.json.decode(file.read_bytes(), type=_Session)
        except (msgspec.MsgspecError, OSError, UnicodeDecodeError) as error:
            problems.append(f"{file.name}: {printable(str(error), 200)}; this file was skipped")
            continue
        rows.start_file()
        opened: list[int] = []
        every = []
        for requests in _sessions(session.requests, 0.0):
            nonempty = [r for r in requests if r.tokens > 0]
            if nonempty:
                rows.add_session(nonempty, session.block_size, opened)
                every += nonempty
        rows.count_hits(every, session.block_size)
        read += 1
    if not rows.rows:
        raise InputError(
            f"{path}: expected AgentX traces (JSON with requests and their hash_ids), found "
            f"{problems[0] if problems else 'none'}."
        )
    return rows.finish(None, read, problems)


def _sessions(requests: Sequence[_Request], begins: float) -> Iterator[list[_Request]]:
    """A session's own requests, then those of its sub-agents; times count from its beginning."""
    main = [r for r in requests if r.type != "subagent"]
    for request in main:
        request.t += begins
    yield main
    for request in requests:
        if request.type == "subagent":
            yield from _sessions(request.requests, begins + request.t)


def _read_mooncake(path: Path) -> HashTrace:
    rows, problems, begins = _Rows(), [], []
    requests: list[_Request] = []
    holder: dict[int, int] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = msgspec.json.decode(line, type=_Line)
            except msgspec.MsgspecError as error:
                what = printable(str(error), 200)
                problems.append(f"{path.name}:{number}: {what}; this request was skipped")
                continue
            cached_blocks = next(
                (i for i, block_hash in enumerate(row.hash_ids) if block_hash not in holder),
                len(row.hash_ids),
            )
            parent = holder[row.hash_ids[cached_blocks - 1]] if cached_blocks else NOBODY
            context, turn = max(row.input_length, 1), len(rows.rows)
            retained = cached_blocks * MOONCAKE_BLOCK
            rows.rows.append((context, max(row.output_length, 1), 0.0, retained, parent))
            rows.first.append(turn + 1)
            begins.append(row.timestamp / 1000)
            holder.update(dict.fromkeys(row.hash_ids, turn))
            requests.append(_Request(begins[-1], "n", context, 1, row.hash_ids))
    if not rows.rows:
        raise InputError(f"{path}: expected Mooncake requests, found none.")
    rows.count_hits(requests, MOONCAKE_BLOCK)
    return rows.finish(begins, 1, problems)


def write_agentx(load: Load, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """By session: its name and its trace as JSON. A block keeps its hash as long as it is kept."""
    for name, (begin, end) in zip(names, pairwise(load.first.tolist()), strict=True):
        clock, next_id = 0.0, 1
        blocks: list[int] = []
        requests: list[dict[str, object]] = []
        for turn in range(begin, end):
            context, before = int(load.context[turn]), len(blocks)
            retained = (
                before * BLOCK if load.kept is None or turn == begin else int(load.kept[turn])
            )
            blocks = blocks[: min(retained, context) // BLOCK]
            fresh = -(-context // BLOCK) - len(blocks)
            blocks = blocks + list(range(next_id, next_id + fresh))
            next_id += fresh
            clock += float(load.pause[turn])
            requests.append(
                {
                    "t": round(clock, 3),
                    "type": "n",
                    "in": context,
                    "out": int(load.decode[turn]),
                    "hash_ids": list(blocks),
                    "api_time": 0.0,
                    "think_time": round(float(load.pause[turn]), 3),
                }
            )
            if context % BLOCK:
                blocks = blocks[:-1]  # A block that is not full is hashed again with what follows.
        trace = {"id": name, "block_size": BLOCK, "hash_id_scope": "local", "requests": requests}
        yield name, json.dumps(trace, separators=(",", ":"))
