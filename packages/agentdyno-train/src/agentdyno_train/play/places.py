"""Which games a dyno sheet asks of each agent: options in, places out. Plays nothing.

    greedy         every task once
    samples        the first planning tasks of each level, several times
    timed          the first easy tasks, one at a time
    continuations  from before and after every call of the first easy attempts that made calls

Whoever plays and whoever measures read the same lists, so that both mean the same by `all of it`.
"""

from collections.abc import Iterable

from msgspec import Struct

from agentdyno_bench.tir.benchmarks import named_benchmark
from agentdyno_bench.tir.loading import load_problems
from agentdyno_bench.toolfail.plans import stride_of
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_bench.tps.tasks.dataset import bundled
from agentdyno_bench.tps.tasks.values import Level
from agentdyno_train.play.games import sound_calls
from agentdyno_train.play.plays import TIMED, Play, PlayOptions

MOST_CALLS = 8
"""Calls of an attempt whose attempts are continued; longer ones take the others' time."""


class Place(Struct, frozen=True):
    """One game to be played: which task, which attempt, from where."""

    bench: str
    level: str
    task_id: str
    attempt: int


class Cut(Struct, frozen=True):
    """One continuation to be played: of which attempt, from which moment."""

    play: Play
    """The greedy attempt."""
    answers: int
    """Turns that are known."""
    calls: int
    """Calls that the last of them keeps."""
    number: int
    """Which continuation."""


def greedy_places(asked: PlayOptions) -> list[Place]:
    """Every task once."""
    planning = [
        Place("tps", level, task, 0) for level in asked.planning for task in _tasks(asked, level)
    ]
    return [*planning, *_questions(asked), *_problems(asked)]


def sample_places(asked: PlayOptions) -> list[Place]:
    """Some planning tasks several times."""
    return [
        Place("tps", level, task, number)
        for level in asked.planning
        for task in _tasks(asked, level)[: asked.sampled]
        for number in range(1, asked.samples + 1)
    ]


def timed_places(asked: PlayOptions) -> list[Place]:
    """Some easy tasks alone."""
    return [Place("tps", "easy", task, TIMED) for task in _tasks(asked, "easy")[: asked.timed]]


def cuts_asked(asked: PlayOptions, plays: Iterable[Play]) -> list[Cut]:
    """Every continuation that the greedy easy attempts among some plays ask for."""
    greedy = {p.task_id: p for p in plays if p.attempt == 0 and p.level == "easy"}
    # By the order of the tasks, which a play that was made up for later does not change.
    there = [greedy[task] for task in _tasks(asked, "easy") if task in greedy]
    return [
        Cut(play, *cut, number)
        for play in [play for play in there if cuts_of(play)][: asked.continued]
        for cut in cuts_of(play)
        for number in range(asked.continuations)
    ]


def cuts_of(play: Play) -> list[tuple[int, int]]:
    """Moments before and after each call: turns that are known, and calls that the last of them
    keeps. Empty where nothing was called, too much, or something that cannot be read."""
    counts = [sound_calls(turn.text) for turn in play.turns]
    known = [count for count in counts if count is not None]
    if len(known) < len(counts) or not 0 < sum(known) <= MOST_CALLS:
        return []
    after = [(turn + 1, call + 1) for turn, count in enumerate(known) for call in range(count)]
    return [(0, 0), *after]


def _tasks(asked: PlayOptions, level: Level) -> list[str]:
    return [task.task_id for task in bundled(level).tasks[: asked.planning[level]]]


def _questions(asked: PlayOptions) -> list[Place]:
    tasks = load_suite().tasks
    chosen = tasks[:: stride_of(len(tasks), asked.toolfail)][: asked.toolfail]
    return [Place("toolfail", "toolfail", task.task_id, 0) for task in chosen]


def _problems(asked: PlayOptions) -> list[Place]:
    if not asked.tir:
        return []
    problems = load_problems(named_benchmark(asked.benchmark))[: asked.tir]
    return [Place("tir", asked.benchmark, problem.id, 0) for problem in problems]
