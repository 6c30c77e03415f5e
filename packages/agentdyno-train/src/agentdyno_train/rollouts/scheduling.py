"""Which episodes a dyno sheet needs of each agent, and how each begins. Runs none of them.

    greedy         every task once
    samples        the first planning tasks of each level, several times
    timed          the first easy tasks, one at a time
    continuations  from before and after every call of the first easy attempts that made calls

Rollouts and measurement read the same lists, so that both agree on what is complete.
"""

from collections.abc import Iterable

from msgspec import Struct

from agentdyno_bench.tir.benchmarks import find_benchmark
from agentdyno_bench.tir.loading import load_problems
from agentdyno_bench.toolfail.sampling import order_evenly
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.needed import tools_of
from agentdyno_bench.tps.tasks.values import Level
from agentdyno_train.models.recorded import chat_key
from agentdyno_train.rollouts.episodes import (
    Episode,
    FailureEpisode,
    PlanningEpisode,
    ProblemEpisode,
    first_calls,
    sound_calls,
)
from agentdyno_train.rollouts.journal import TIMED, RolloutOptions, RolloutRecord
from agentdyno_train.training_tasks import TrainingTask

MOST_CALLS = 8
"""Calls of an attempt whose attempts are continued; longer ones take the others' time."""


class PlannedEpisode(Struct, frozen=True):
    """One episode to run: which task, and which attempt at it."""

    bench: str
    level: str
    task_id: str
    attempt: int


class Cut(Struct, frozen=True):
    """One continuation to run: of which attempt, from which moment."""

    record: RolloutRecord
    """The greedy attempt that is continued."""
    answers: int
    calls: int
    """Calls that the last of them keeps."""
    number: int
    """Number of the continuation from this cut."""


def plan_greedy(options: RolloutOptions) -> list[PlannedEpisode]:
    """Every task once."""
    planning = [
        PlannedEpisode("tps", level, task, 0)
        for level in options.planning
        for task in _tasks(options, level)
    ]
    return [*planning, *_questions(options), *_problems(options)]


def plan_samples(options: RolloutOptions) -> list[PlannedEpisode]:
    """Some planning tasks several times."""
    return [
        PlannedEpisode("tps", level, task, number)
        for level in options.planning
        for task in _tasks(options, level)[: options.sampled]
        for number in range(1, options.samples + 1)
    ]


def plan_timed(options: RolloutOptions) -> list[PlannedEpisode]:
    """Some easy tasks alone."""
    return [
        PlannedEpisode("tps", "easy", task, TIMED)
        for task in _tasks(options, "easy")[: options.timed]
    ]


def plan_continuations(options: RolloutOptions, records: Iterable[RolloutRecord]) -> list[Cut]:
    """Every continuation that the greedy easy attempts among some rollouts need."""
    greedy = {p.task_id: p for p in records if p.attempt == 0 and p.level == "easy"}
    # In the order of the tasks, which does not change when an attempt is added later.
    there = [greedy[task] for task in _tasks(options, "easy") if task in greedy]
    return [
        Cut(record, *cut, number)
        for record in [record for record in there if find_cuts(record)][: options.continued]
        for cut in find_cuts(record)
        for number in range(options.continuations)
    ]


def find_cuts(record: RolloutRecord) -> list[tuple[int, int]]:
    """Moments before and after each call: turns that are known, and calls that the last of them
    keeps. Empty where nothing was called, too much, or something that cannot be read."""
    counts = [sound_calls(turn.text) for turn in record.turns]
    known = [count for count in counts if count is not None]
    if len(known) < len(counts) or not 0 < sum(known) <= MOST_CALLS:
        return []
    after = [(turn + 1, call + 1) for turn, count in enumerate(known) for call in range(count)]
    return [(0, 0), *after]


class EpisodeFactory:
    """Starts and resumes the episodes that some options ask for."""

    def __init__(self, options: RolloutOptions) -> None:
        self._options, self._tasks, self._suite = (
            options,
            _load_tasks(options),
            load_suite(),
        )
        self._openings: dict[tuple[str, str], str] = {}
        self._questions = {task.task_id: task for task in self._suite.tasks}
        self._problems = {p.id: p for p in load_problems(find_benchmark(options.benchmark))}

    def start(self, planned: PlannedEpisode) -> Episode:
        """An episode from its beginning."""
        if planned.bench == "tps":
            return PlanningEpisode(self._tasks[planned.task_id], self._options.turns)
        if planned.bench == "toolfail":
            return FailureEpisode(self._suite, self._questions[planned.task_id])
        return ProblemEpisode(self._problems[planned.task_id], self._options.benchmark)

    def resume(self, cut: Cut) -> Episode:
        """A planning episode as it stood at a cut."""
        episode = PlanningEpisode(self._tasks[cut.record.task_id], self._options.turns)
        for number, turn in enumerate(cut.record.turns[: cut.answers]):
            last = number == cut.answers - 1
            episode.take(first_calls(turn.text, cut.calls) if last else turn.text, True)
        return episode

    def find_opening(self, planned: PlannedEpisode) -> str:
        """The digest of the chat that an episode begins with, equal for all attempts at a task."""
        task = planned.bench, planned.task_id
        if task not in self._openings:
            self._openings[task] = chat_key(self.start(planned).messages)
        return self._openings[task]


def _tasks(options: RolloutOptions, level: Level) -> list[str]:
    return [task.task_id for task in load_bundled(level).tasks[: options.planning[level]]]


def _questions(options: RolloutOptions) -> list[PlannedEpisode]:
    tasks = load_suite().tasks
    chosen = order_evenly(tasks)[: options.toolfail]
    return [PlannedEpisode("toolfail", "toolfail", task.task_id, 0) for task in chosen]


def _problems(options: RolloutOptions) -> list[PlannedEpisode]:
    if not options.tir:
        return []
    problems = load_problems(find_benchmark(options.benchmark))[: options.tir]
    return [PlannedEpisode("tir", options.benchmark, problem.id, 0) for problem in problems]


def _load_tasks(options: RolloutOptions) -> dict[str, TrainingTask]:
    found: dict[str, TrainingTask] = {}
    for level, count in options.planning.items():
        bundled = load_bundled(level)
        tools = tools_of(bundled.tasks[:count])
        found |= {
            task.task_id: TrainingTask(task, bundled.world_seed, tools)
            for task in bundled.tasks[:count]
        }
    return found
