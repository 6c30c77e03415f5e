"""What a run's logs say, read by Inspect alone: tokens, calls and money of every attempt.

None of the product's readers, meters or studies has a part in it, so that a page's cells can be
held against it. The one figure taken from elsewhere is gamma: models without a known architecture
get the median over ten published mixtures of experts on an H100, of which the fifth and sixth have
0.002242052 and 0.002856044.
"""

from collections.abc import Callable, Iterator
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

from tests.zoo.intervals import Triple

GAMMA = (0.00254904, 0.00254906)
INPUT_PRICE, OUTPUT_PRICE = 2.0, 8.0
"""Dollars for a million tokens of every policy."""
Range = tuple[float, float]


class Turn(NamedTuple):
    """One model call."""

    given: int
    """Tokens that it was sent."""
    written: int
    """Tokens that it generated."""
    seconds: float | None = None
    """How long it took."""
    is_believed: bool = True
    """Whether the process that took the time was idle enough to know."""

    def pte(self, gamma: float) -> float:
        return self.given + gamma * self.given * self.written


class Attempt(NamedTuple):
    """One attempt at one task."""

    model: str
    benchmark: str
    """The task's name, as Inspect has it."""
    run: str
    """The folder of its log."""
    task_id: str
    turns: list[Turn]
    calls: list[str]
    """Names of the tools that it called."""
    ran: int
    """How many of these a tool answered without an error, submissions left out."""
    marks: dict[str, Any]
    """What the benchmark's scorer wrote down."""

    @property
    def given(self) -> int:
        return sum(turn.given for turn in self.turns)

    @property
    def written(self) -> int:
        return sum(turn.written for turn in self.turns)

    @property
    def tokens(self) -> int:
        return self.given + self.written

    @property
    def usd(self) -> float:
        return (self.given * INPUT_PRICE + self.written * OUTPUT_PRICE) / 1e6

    def pte(self, gamma: float) -> float:
        return sum(turn.pte(gamma) for turn in self.turns)


def read_attempts(logs: Path) -> list[Attempt]:
    """Every attempt under a folder of logs."""
    return [attempt for file in sorted(logs.rglob("*.eval")) for attempt in _read(file)]


def _read(file: Path) -> Iterator[Attempt]:
    from inspect_ai.log import read_eval_log

    log = read_eval_log(str(file))
    for sample in log.samples or ():
        events = [event for event in sample.events if event.event == "model"]
        messages = [event.output.message for event in events if event.output.choices]
        yield Attempt(
            log.eval.model,
            log.eval.task.removeprefix("agentdyno_bench/"),
            file.parent.name,
            str(sample.id),
            [_turn(event.output) for event in events if event.output.usage],
            [call.function for message in messages for call in message.tool_calls or ()],
            sum(_ran(message) for message in sample.messages),
            next(iter((sample.scores or {}).values())).metadata or {},
        )


def _ran(message: Any) -> bool:
    return message.role == "tool" and message.function != "submit" and not message.error


def _turn(output: Any) -> Turn:
    used, own = output.usage, (output.metadata or {}).get("agentdyno", {})
    valid = own.get("latency_valid", True)
    return Turn(used.input_tokens, used.output_tokens, output.time, valid)


def over_gamma(value: Callable[[float], Triple]) -> tuple[Range | None, ...]:
    """A value and its interval with gamma at either end, and a little more where they do not depend
    on it."""
    return tuple(map(_between, *map(value, GAMMA)))


def _between(one: float | None, other: float | None) -> Range | None:
    if one is None or other is None:
        return None
    low, high = sorted((one, other))
    return low - 1e-9 * max(1, abs(low)), high + 1e-9 * max(1, abs(high))


def wilson(hits: float, of: int) -> Range:
    """Wilson's interval of 95 %, from the formula."""
    z = NormalDist().inv_cdf(0.975)
    share, square = hits / of, z * z / of
    middle = (share + square / 2) / (1 + square)
    half = z / (1 + square) * sqrt(share * (1 - share) / of + square / of / 4)
    return middle - half, middle + half
