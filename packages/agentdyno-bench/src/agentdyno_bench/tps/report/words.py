"""Attempts at our own tasks in words: a sentence for the topic's lead, and its notes.

Takes attempts; returns sentences. What stands in brackets after a number is its 95 % interval.
"""

from agentdyno.records import plural
from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.numbers import UNITS, in_words
from agentdyno_bench.tps.studies.ablations import Ablation
from agentdyno_bench.tps.studies.report import Planning
from agentdyno_bench.tps.studies.settings import SettingMeasures


def describe_planning(study: Planning) -> str:
    """Summarize the attempts in a sentence."""
    sentence = (
        f"{plural(study.attempts, 'attempt')} completed {in_words(study.completion, 'share')} of "
        f"their subtasks, and {in_words(study.all_done, 'share')} of the attempts did all of them"
        f"{_harm(study)}"
    )
    best = study.turns_over_best
    if best.value is None:
        return f"{sentence}."
    return f"{sentence}; those took {in_words(best, 'ratio')} times the fewest turns possible."


def _harm(planning: Planning) -> str:
    if not planning.harmful.value:
        return ""
    return f"; {in_words(planning.harmful, 'share')} changed something that nobody had asked for"


def list_planning_notes(planning: Planning) -> list[str]:
    """The ablations in words, and how to read the tables."""
    notes = [_describe(ablation, planning.unit) for ablation in planning.ways][:MOST_SENTENCES]
    if planning.all_done.value != 1:
        notes.append("Turns or time below the least possible belong to attempts that gave up.")
    notes += [_describe_cap(s.measures) for s in planning.settings if (s.measures.ceiling or 1) < 1]
    notes += [_describe_unclear(s.measures) for s in planning.settings if s.measures.unclear]
    if planning.in_prose:
        attempts = plural(planning.in_prose, "attempt")
        notes.append(f"{attempts} answered in prose: see the settings, no figure above has them.")
    if planning.checks:
        notes.append(JUDGED)
    return notes


def _describe_unclear(s: SettingMeasures) -> str:
    """Coverage, and completion if all unclear subtasks went either way."""
    low, unclear = s.completion.value or 0.0, s.unclear or 0.0
    return (
        f"No judge could decide {100 * unclear:.1f} % of the subtasks ({s.variant}, "
        f"{s.benchmark}): completion is {100 * low:.1f} % if none of these is done and "
        f"{100 * (low + unclear):.1f} % if all are"
        + (f", {100 * low / (1 - unclear):.1f} % of what is clear." if unclear < 1 else ".")
    )


def _describe_cap(s: SettingMeasures) -> str:
    return (
        f"Nobody can complete more than {100 * (s.ceiling or 0):.1f} % under {s.variant} on "
        f"{s.benchmark}: the limit on tools or turns is below what the tasks need."
    )


JUDGED = (
    "A judge may break a task down itself, so its parts need not be the subtasks. In the "
    "benchmark's paper a judge agreed with people at r = 0.84 on completion and at 0.76 on the "
    "number of parts."
)


MOST_SENTENCES = 6
_WORDS = {
    "none": "Given every schema",
    "rule": "Given the tools that match best by words",
    "self": "Left to choose its tools",
    "sequential": "With one call a turn",
    "parallel": "With several calls a turn",
}


def _describe(ablation: Ablation, unit: CostUnit) -> str:
    model = ablation.model.rpartition("/")[2]
    against = f"against {ablation.base}, {ablation.held}, {ablation.benchmark}"
    how = f"{_WORDS.get(ablation.other, ablation.other)} ({against})"
    return f"{how}, {model} completes {_describe_completion(ablation)}, {_at_cost(ablation, unit)}."


def _describe_completion(ablation: Ablation) -> str:
    difference = ablation.completion
    if difference.value is None:
        return "what cannot be compared"
    on = f"on {plural(ablation.tasks, 'task')}"
    if difference.value == 0:
        return f"as much {on}"
    points = f"{100 * difference.value:+.1f} points of its subtasks"
    if difference.low is None or difference.high is None:
        return f"{points} {on}"
    chance = "" if difference.low > 0 or difference.high < 0 else ", within chance"
    return f"{points} ({100 * difference.low:+.1f} to {100 * difference.high:+.1f}{chance}) {on}"


def _at_cost(row: Ablation, unit: CostUnit) -> str:
    ratios = {"tokens": row.tokens, "turns": row.turns, "time": row.seconds, UNITS[unit]: row.cost}
    texts = [f"{r.value:.2f} times the {word}" for word, r in ratios.items() if r.value is not None]
    return f"at {', '.join(texts)}" if texts else "at a cost that is unknown"
