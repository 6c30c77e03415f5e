"""What is stored of rollouts: JSON lines, appended one at a time, so that a kill costs one batch.

plays.jsonl    an attempt with its turns: token ids, text, the chat that each answers
depths.jsonl   a turn with the depth of every token that the model wrote
futures.jsonl  a continuation from a cut, and what it came to
play.json      the options; measuring reads the sizes here
machine.txt    the hardware that generated them, in words
"""

from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.tps.tasks.values import Level
from agentdyno_train.models.recorded import RecordedTurn, read_rows, read_unpacked

ATTEMPTS, DEPTHS, CONTINUATIONS, OPTIONS = (
    "plays.jsonl",
    "depths.jsonl",
    "futures.jsonl",
    "play.json",
)
MACHINE = "machine.txt"
TIMED = -1
"""The number of an attempt that ran alone, for its seconds."""


class RolloutOptions(Struct, frozen=True):
    """What is rolled out; the same options give the same episodes."""

    agents: dict[str, str]
    """Each agent's name and weights: `smollm2`, an adapter's folder or a model's."""
    easy: int = 12
    """Number of easy planning tasks."""
    hard: int = 12
    """Number of hard planning tasks."""
    toolfail: int = 12
    """Questions of toolfail, spread over the suite."""
    tir: int = 12
    """Number of problems of tir."""
    sampled: int = 6
    """Tasks of each level of planning that are sampled several times."""
    samples: int = 6
    """Samples of each sampled task."""
    continued: int = 6
    """Easy attempts whose calls are weighed by continuations."""
    continuations: int = 4
    """Continuations from each cut."""
    timed: int = 0
    """Easy tasks that run alone, for their seconds."""
    temperature: float = 1.0
    """Sampling temperature of samples and continuations."""
    turns: int = 16
    """Model calls of an attempt at most."""
    turn_tokens: int = 512
    """Tokens of a model call at most."""
    window: int = 8192
    """Tokens of a context at most."""
    seats: int = 8
    """Episodes that are decoded together."""
    seed: int = 1
    """Seed of everything that is sampled."""
    benchmark: str = "math_500"
    """Name of the tir benchmark that the problems come from."""

    @property
    def planning(self) -> dict[Level, int]:
        """Planning tasks by level."""
        return {"easy": self.easy, "hard": self.hard}


class RolloutRecord(Struct, frozen=True):
    """One attempt of an agent at a task."""

    agent: str
    bench: str
    level: str
    """easy, hard, toolfail, or the benchmark of tir."""
    task_id: str
    attempt: int
    """0 is greedy, from 1 on samples; -1 is greedy too, and ran alone for its seconds."""
    prompt_tokens: int
    """Tokens before the first turn."""
    turns: list[RecordedTurn]
    """The turns that the model wrote, in order."""
    starts: list[int]
    """Tokens in the context before each turn."""
    completion: float | None
    """Goals met over goals; None where only measuring can tell."""
    score: float | None
    solved: bool | None
    """Whether every goal was met without harm."""

    def __post_init__(self) -> None:
        if len(self.turns) != len(self.starts):
            raise ValueError(f"{len(self.turns)} turns with {len(self.starts)} starts")


class TurnDepth(Struct, frozen=True):
    """How deep the model thought in one turn."""

    agent: str
    bench: str
    """Benchmark: tps, toolfail or tir."""
    level: str
    """easy, hard, toolfail, or the benchmark of tir."""
    task_id: str
    attempt: int
    """Number of the attempt, as in `RolloutRecord`."""
    turn: int
    """Number of the turn within the attempt, from 0."""
    deep: str
    """1 for a deep token and 0 for another, for each token."""
    kinds: str
    """What each token is: n a tool's name, a an argument, s other letters of a call, w a thought
    and its tags, t text."""
    log_prob: float
    """Mean natural logarithm of the probability of its tokens."""
    certainty: float
    """Mean self-certainty over its tokens."""
    prefix_certainty: float
    """The same of the first 50 tokens."""

    def __post_init__(self) -> None:
        if len(self.deep) != len(self.kinds):
            raise ValueError(f"depths of {len(self.deep)} tokens with {len(self.kinds)} kinds")


class Continuation(Struct, frozen=True):
    """One continuation from a cut of a greedy attempt."""

    agent: str
    task_id: str
    answers: int
    calls: int
    """Calls that the last of these keeps."""
    number: int
    """Number of the continuation from this cut."""
    solved: bool
    """Whether it solved the task."""
    score: float


Row = TypeVar("Row", RolloutRecord, TurnDepth, Continuation)


class Journal:
    """A folder of rollouts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damaged: dict[str, list[str]] = {}
        """By file, what was wrong with lines that were skipped when it was last read."""

    def add(self, name: str, rows: list[Any]) -> None:
        """Appends rows as complete lines."""
        file = self.folder / name
        _unpack(file)
        _end_line(file)
        with file.open("ab") as opened:
            opened.write(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))

    def read(self, name: str, kind: type[Row]) -> list[Row]:
        """Rows so far; a line that cannot be read costs no other."""
        plain = self.folder / name
        file = plain if plain.exists() else _gzip_name(plain)
        if not file.exists():
            return []
        rows, self.damaged[name] = read_rows(file, kind)
        return rows

    def begin(self, options: RolloutOptions) -> None:
        """Writes the options; a folder with rollouts of other options is refused."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / OPTIONS
        mine = msgspec.json.format(msgspec.json.encode(options), indent=1)
        if file.exists() and _decides(read_options(self.folder)) != _decides(options):
            raise InputError(
                f"{file}: expected the options that these rollouts began with, found others. Use "
                "another folder, or the same options."
            )
        file.write_bytes(mine)


def read_options(folder: Path) -> RolloutOptions:
    """The options that a folder's rollouts were made with."""
    file = folder / OPTIONS
    try:
        return msgspec.json.decode(file.read_bytes(), type=RolloutOptions)
    except (OSError, ValueError, RecursionError) as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else printable(str(error), 200)
        raise InputError(
            f"{file}: expected the options of the rollouts in this folder, found: {why}. Pass "
            "the folder that bench/gpu_training/sheet.py wrote, or OUT/plays of `agentdyno sheet`."
        ) from None


def _decides(options: RolloutOptions) -> dict[str, Any]:
    """The options that decide results: agents count by name, and `seats` only decides memory."""
    known = msgspec.to_builtins(options) | {"agents": list(options.agents)}
    return {key: value for key, value in known.items() if key != "seats"}


def _end_line(file: Path) -> None:
    """Removes a line that a kill cut off, because what follows would be lost with it."""
    data = file.read_bytes() if file.exists() else b""
    if data and not data.endswith(b"\n"):
        with file.open("r+b") as opened:
            opened.truncate(data.rfind(b"\n") + 1)


def _gzip_name(plain: Path) -> Path:
    return plain.with_name(f"{plain.name}.gz")


def _unpack(file: Path) -> None:
    """Unpacks a compressed file before it is appended to, because the plain one is read first."""
    if not file.exists() and _gzip_name(file).exists():
        part = file.with_name(f"{file.name}.part")
        part.write_bytes(read_unpacked(_gzip_name(file))[0])
        part.replace(file)
