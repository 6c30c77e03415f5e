"""Attempts at our own tasks in words: a sentence for the topic's lead, and its notes.

Enters attempts; leaves sentences. What stands in brackets after a number is its 95 % interval.
"""

import polars as pl

from agentdyno.estimates.values import Estimate
from agentdyno.records import counted
from agentdyno.reports.numbers import figure
from agentdyno.reports.topic import CellKind
from agentdyno.studies.readings import mean_of, share_of
from agentdyno.studies.scheduling.ablations import Ablation, compare_ways
from agentdyno.studies.scheduling.settings import completion_of


def planning_lead(attempts: pl.DataFrame) -> str:
    """What became of the attempts, in a sentence."""
    done, whole = completion_of(attempts), share_of(attempts, "correct")
    said = (
        f"{counted(len(attempts), 'attempt')} completed {in_words(done, 'share')} of their "
        f"subtasks, and {in_words(whole, 'share')} of the attempts completed all of them"
    )
    best = mean_of(attempts.filter(pl.col("correct")), "turns_over_best")
    if best.value is None:
        return f"{said}."
    return f"{said}; those took {in_words(best, 'ratio')} times the fewest turns possible."


def planning_notes(attempts: pl.DataFrame) -> list[str]:
    """The ablations in words, and how to read the tables."""
    notes = [_said(way) for way in compare_ways(attempts)][:MOST_SAID]
    if not attempts["correct"].all():
        notes.append("Turns or time below the least possible belong to attempts that gave up.")
    return notes


JUDGED = (
    "A judge may break a task down itself, so its parts need not be the subtasks. In the "
    "benchmark's paper a judge agreed with people at r = 0.84 on completion and at 0.76 on the "
    "number of parts."
)


def in_words(found: Estimate, kind: CellKind) -> str:
    """A number with its interval, where it has one."""
    value = figure(found.value, kind)
    if found.low is None or found.high is None:
        return value
    return f"{value} (95 % interval {figure(found.low, kind)} to {figure(found.high, kind)})"


MOST_SAID = 6
_WORDS = {
    "none": "Given every schema",
    "rule": "Given the ten tools that match best by words",
    "self": "Left to choose its tools",
    "sequential": "With one call a turn",
    "parallel": "With several calls a turn",
}


def _said(way: Ablation) -> str:
    model = way.model.rpartition("/")[2]
    against = f"against {way.base}, {way.held}, {way.benchmark}"
    how = f"{_WORDS.get(way.other, way.other)} ({against})"
    return f"{how}, {model} completes {_completed(way)}, {_took(way)}."


def _completed(way: Ablation) -> str:
    found = way.completion
    if found.value is None:
        return "what cannot be compared"
    on = f"on {counted(way.tasks, 'task')}"
    if found.value == 0:
        return f"as much {on}"
    points = f"{100 * found.value:+.1f} points of its subtasks"
    if found.low is None or found.high is None:
        return f"{points} {on}"
    chance = "" if found.low > 0 or found.high < 0 else ", within chance"
    return f"{points} ({100 * found.low:+.1f} to {100 * found.high:+.1f}{chance}) {on}"


def _took(way: Ablation) -> str:
    known = {"tokens": way.tokens, "turns": way.turns, "time": way.seconds, "PTE": way.pte}
    said = [f"{r.value:.2f} times the {word}" for word, r in known.items() if r.value is not None]
    return f"at {', '.join(said)}" if said else "at a cost that is unknown"
