"""Transcripts of any agent, marked: a task file and a file of runs in, marks with a summary out."""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.proportions import wilson
from agentdyno.records import InputError, printable
from agentdyno_bench.tps.outcomes import AttemptMarks, mark
from agentdyno_bench.tps.outcomes.marking import AnswerForm
from agentdyno_bench.tps.outcomes.prose import Attempt
from agentdyno_bench.tps.outcomes.transcripts import Unread, read_transcripts
from agentdyno_bench.tps.tasks.dataset import LEVELS, load_bundled, read_tasks
from agentdyno_bench.tps.tasks.values import CompoundTask

BUNDLED = "bundled"
ReadProse = Callable[[Sequence[Attempt]], list[AttemptMarks]]
"""Decides which values answers in prose give."""


class MarkedRun(Struct, frozen=True):
    """One transcript with its marks."""

    line: int
    """Its line in the file."""
    completion: float
    """Goals met over goals."""
    score: float
    """Completion, paid for by harm."""
    solved: bool
    """Whether every goal was met without harm."""
    marks: AttemptMarks
    """Each goal and each harm, with reasons."""


class MarkedRuns(Struct, frozen=True):
    """Every transcript of a file."""

    runs: list[MarkedRun]
    """The runs with their marks."""
    unread: list[Unread]
    """Lines that could not be marked, and why."""
    completion: float | None
    """Mean completion, unclear goals counted as not met; None without a run."""
    completion_high: float | None
    """Mean completion if every unclear goal were met."""
    unclear: int
    """Goals of answers in prose that no judge decided."""
    score: float | None
    solved: int
    """Runs that met every goal and did no harm."""
    harmful: int
    """Runs that changed something without being asked."""
    harm_rate: Estimate | None
    """Harmful runs over runs, with its 95 % interval."""


def mark_runs(
    tasks: str, runs: Path, form: AnswerForm = "submit", decide: ReadProse | None = None
) -> MarkedRuns:
    """Marks every transcript of a file; answers in prose are for a judge to read."""
    tasks_by_id, seeds = _tasks(tasks)
    lines, attempts, unread = list[int](), list[Attempt](), list[Unread]()
    for entry in read_transcripts(runs):
        if isinstance(entry, Unread):
            unread.append(entry)
        elif entry.task_id not in tasks_by_id:
            unread.append(Unread(entry.line, f"expected a task of {tasks}, found {entry.task_id}"))
        else:
            task = tasks_by_id[entry.task_id]
            seed = seeds[entry.task_id]
            marks = mark(task, entry.calls, entry.answers, seed, form=form)
            attempts.append(Attempt(task, entry.answers, marks))
            lines.append(entry.line)
    if not attempts and not unread:
        raise InputError(f"{runs}: expected one transcript a line, found an empty file.")
    decided = decide(attempts) if decide else [attempt.marks for attempt in attempts]
    return _sum_marks([_run(*graded) for graded in zip(lines, decided, strict=True)], unread)


def find_seeded_task(where: str, task_id: str) -> tuple[CompoundTask, int]:
    """A task by its id, and the seed of its world."""
    tasks_by_id, seeds = _tasks(where)
    if task_id not in tasks_by_id:
        raise InputError(
            f"expected the id of a task of {where}, found {printable(task_id, 40)}. The first is "
            f"{next(iter(tasks_by_id))}."
        )
    return tasks_by_id[task_id], seeds[task_id]


def _tasks(where: str) -> tuple[dict[str, CompoundTask], dict[str, int]]:
    if where == BUNDLED:
        sets = [load_bundled(level) for level in LEVELS]
    elif Path(where).exists():
        sets = [read_tasks(Path(where))]
    else:
        raise InputError(
            f"--tasks {where}: expected `bundled` or a task file, found nothing there."
        )
    tasks = {task.task_id: task for group in sets for task in group.tasks}
    unmarked = [task.task_id for task in tasks.values() if not task.goals]
    if unmarked:
        raise InputError(
            f"{where}: expected tasks with goals, found {unmarked[0]} without: an earlier version "
            "made the file. Make it again: agentdyno world tasks."
        )
    return tasks, {task.task_id: group.world_seed for group in sets for task in group.tasks}


def _run(line: int, marks: AttemptMarks) -> MarkedRun:
    return MarkedRun(line, marks.completion, marks.score, marks.solved, marks)


def _sum_marks(runs: list[MarkedRun], unread: list[Unread]) -> MarkedRuns:
    count, harmful = len(runs), sum(bool(run.marks.harms) for run in runs)
    return MarkedRuns(
        runs=runs,
        unread=unread,
        completion=sum(run.completion for run in runs) / count if count else None,
        completion_high=sum(r.marks.completion_high for r in runs) / count if count else None,
        unclear=sum(len(run.marks.unclear) for run in runs),
        score=sum(run.score for run in runs) / count if count else None,
        solved=sum(run.solved for run in runs),
        harmful=harmful,
        harm_rate=wilson(harmful, count) if count else None,
    )
