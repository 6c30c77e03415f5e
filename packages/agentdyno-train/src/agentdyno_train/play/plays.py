"""What is kept of plays: JSON lines, appended one at a time, so that a kill costs one batch.

plays.jsonl    an attempt with its turns: token ids, text, the chat that each answers
depths.jsonl   a turn with the depth of every token that the model wrote
futures.jsonl  a continuation from a cut, and what it came to
play.json      what was asked for; whoever measures reads the sizes here
machine.txt    what played, in words
"""

from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.tps.tasks.values import Level
from agentdyno_train.models.recorded import RecordedTurn, read_rows, unpacked

PLAYS, DEPTHS, FUTURES, ASKED = "plays.jsonl", "depths.jsonl", "futures.jsonl", "play.json"
MACHINE = "machine.txt"
TIMED = -1
"""The number of an attempt that was played alone, for its seconds."""


class PlayOptions(Struct, frozen=True):
    """What is played; the same options give the same games."""

    agents: dict[str, str]
    """Each agent's name and weights: `smollm2`, an adapter's folder or a model's."""
    easy: int = 12
    """Easy planning tasks."""
    hard: int = 12
    """Hard ones."""
    toolfail: int = 12
    """Questions of toolfail, spread over the suite."""
    tir: int = 12
    """Problems of tir."""
    sampled: int = 6
    """Tasks of each level of planning that are sampled several times."""
    samples: int = 6
    """Samples of each."""
    continued: int = 6
    """Easy attempts whose calls are weighed by continuations."""
    continuations: int = 4
    """Continuations from each cut."""
    timed: int = 0
    """Easy tasks played alone, for their seconds."""
    temperature: float = 1.0
    """Of samples and continuations."""
    turns: int = 16
    """Model calls of an attempt at most."""
    turn_tokens: int = 512
    """Tokens of a model call at most."""
    window: int = 8192
    """Tokens of a context at most."""
    seats: int = 8
    """Games at once."""
    seed: int = 1
    """Decides what is sampled."""
    benchmark: str = "math_500"
    """Which problems of tir."""

    @property
    def planning(self) -> dict[Level, int]:
        """Planning tasks by level."""
        return {"easy": self.easy, "hard": self.hard}


class Play(Struct, frozen=True):
    """One attempt."""

    agent: str
    """Who played."""
    bench: str
    """tps, toolfail or tir."""
    level: str
    """easy, hard, toolfail, or the benchmark of tir."""
    task_id: str
    """The task."""
    attempt: int
    """0 is greedy, from 1 on samples; -1 was played alone and greedily, for its seconds."""
    prompt_tokens: int
    """Tokens before the first turn."""
    turns: list[RecordedTurn]
    """What the model wrote."""
    starts: list[int]
    """Tokens in the context before each turn."""
    completion: float | None
    """Granted wishes over wishes; None where the measuring says it."""
    score: float | None
    """The same, harm paid for."""
    solved: bool | None
    """Everything, and nothing else."""

    def __post_init__(self) -> None:
        if len(self.turns) != len(self.starts):
            raise ValueError(f"{len(self.turns)} turns with {len(self.starts)} starts")


class TurnDepth(Struct, frozen=True):
    """How deep the model thought in one turn."""

    agent: str
    """Who played."""
    bench: str
    """The benchmark."""
    level: str
    """How hard the task is."""
    task_id: str
    """The task."""
    attempt: int
    """Which attempt."""
    turn: int
    """Which of its turns."""
    deep: str
    """1 for a deep token and 0 for another, for each token."""
    kinds: str
    """What each token is: n a tool's name, a an argument, s other letters of a call, w a thought
    and its tags, t text."""
    log_prob: float
    """Mean natural logarithm of the probability of its tokens."""
    certainty: float
    """Mean self-certainty."""
    prefix_certainty: float
    """The same of the first 50 tokens."""

    def __post_init__(self) -> None:
        if len(self.deep) != len(self.kinds):
            raise ValueError(f"depths of {len(self.deep)} tokens with {len(self.kinds)} kinds")


class Future(Struct, frozen=True):
    """One continuation from a cut of a greedy attempt."""

    agent: str
    """Who played, and plays on."""
    task_id: str
    """The task."""
    answers: int
    """Turns before the cut."""
    calls: int
    """Calls that the last of these keeps."""
    number: int
    """Which continuation."""
    solved: bool
    """Whether it solved the task."""
    score: float
    """What it is worth, harm paid for."""


Row = TypeVar("Row", Play, TurnDepth, Future)


class Journal:
    """A folder of plays."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damaged: dict[str, list[str]] = {}
        """By file, what was wrong with lines that were skipped when it was last read."""

    def add(self, name: str, rows: list[Any]) -> None:
        """Appends rows, whole lines at once."""
        file = self.folder / name
        _unpack(file)
        _end_line(file)
        with file.open("ab") as opened:
            opened.write(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))

    def read(self, name: str, kind: type[Row]) -> list[Row]:
        """Rows so far; a line that cannot be read costs no other."""
        plain = self.folder / name
        file = plain if plain.exists() else _packed(plain)
        if not file.exists():
            return []
        rows, self.damaged[name] = read_rows(file, kind)
        return rows

    def begin(self, options: PlayOptions) -> None:
        """Notes what is asked; a folder of other plays is refused, for they do not compare."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / ASKED
        mine = msgspec.json.format(msgspec.json.encode(options), indent=1)
        if file.exists() and _decides(read_asked(self.folder)) != _decides(options):
            raise InputError(
                f"{file}: expected the options that these plays began with, found others. Take "
                "another folder, or the same options."
            )
        file.write_bytes(mine)


def read_asked(folder: Path) -> PlayOptions:
    """What a folder's plays were asked for."""
    file = folder / ASKED
    try:
        return msgspec.json.decode(file.read_bytes(), type=PlayOptions)
    except (OSError, ValueError, RecursionError) as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else printable(str(error), 200)
        raise InputError(
            f"{file}: expected what the plays of this folder were asked for, found: {why}. Pass "
            "the folder that bench/gpu_training/sheet.py wrote, or OUT/plays of `agentdyno sheet`."
        ) from None


def _decides(options: PlayOptions) -> dict[str, Any]:
    """What makes a play what it is; agents are known by name, seats are a matter of memory."""
    known = msgspec.to_builtins(options) | {"agents": list(options.agents)}
    return {key: value for key, value in known.items() if key != "seats"}


def _end_line(file: Path) -> None:
    """A line that a kill cut off is taken away, for what follows would be lost with it."""
    data = file.read_bytes() if file.exists() else b""
    if data and not data.endswith(b"\n"):
        with file.open("r+b") as opened:
            opened.truncate(data.rfind(b"\n") + 1)


def _packed(plain: Path) -> Path:
    return plain.with_name(f"{plain.name}.gz")


def _unpack(file: Path) -> None:
    """Who goes on with a compressed file keeps what is in it, for the plain one is read first."""
    if not file.exists() and _packed(file).exists():
        made = file.with_name(f"{file.name}.part")
        made.write_bytes(unpacked(_packed(file))[0])
        made.replace(file)
