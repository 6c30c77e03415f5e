"""Attempts at our own tasks in words: a sentence for the topic's lead, and its notes.

Takes attempts; returns sentences. What stands in brackets after a number is its 95 % interval.
"""

from agentdyno.records import plural
from agentdyno.reports.numbers import in_words
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
    """How to read the tables."""
    notes = [PLACES] if len(planning.settings) > 1 else []
    tasks = {s.measures.tasks for s in planning.settings}
    notes += [f"{plural(tasks.pop(), 'task')} a setting."] if len(tasks) == 1 else []
    if any((s.turns_over_best.value or 1) < 1 for s in planning.settings):
        notes.append(EARLY)
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


PLACES = (
    "A place is by completion, from the best to the worst that the interval allows among the "
    "settings of a task set."
)
EARLY = (
    "Turns below the fewest possible: a call was made before what it needs, or was left out. Such "
    "an attempt has not done the task in fewer turns."
)
JUDGED = (
    "A judge may break a task down itself, so its parts need not be the subtasks. In the "
    "benchmark's paper a judge agreed with people at r = 0.84 on completion and at 0.76 on the "
    "number of parts."
)
