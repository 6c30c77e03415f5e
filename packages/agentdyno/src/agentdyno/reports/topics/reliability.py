"""Repeated attempts as a topic."""

from agentdyno.records import plural
from agentdyno.reports.numbers import CELLS, UNITS, cost, in_words, name_setting, percent
from agentdyno.reports.topic import Topic, TopicColumn, TopicTable, Value, columns
from agentdyno.studies.reliability import Reliability, RepeatedSetting


def render_reliability(found: Reliability) -> Topic:
    powers = sorted({k for each in found.settings for k in each.pass_all})
    return Topic(
        anchor="reliability",
        title="Attempts at the same task",
        lead=_lead(found),
        notes=[
            "pass^k: the share of tasks that k attempts drawn at random all solve. A solved task "
            "costs what all graded attempts cost over those that were solved. Max over min: a "
            "task's most expensive attempt over its cheapest, the median over tasks."
        ],
        charts=[],
        tables=[
            TopicTable(
                "By setting",
                [
                    *columns("setting", "tasks:count", "attempts:count"),
                    *(TopicColumn(f"pass^{k}", "share") for k in powers),
                    TopicColumn(f"{UNITS[found.unit]} per solved task", CELLS[found.unit]),
                    *columns("max over min:ratio", "at most:ratio"),
                ],
                [_row(each, powers) for each in found.settings],
                folded=False,
            )
        ],
    )


def _lead(found: Reliability) -> str:
    first = found.settings[0]
    k = max(first.pass_all)
    once, all_k = first.pass_all[1], first.pass_all[k]
    sentence = (
        f"{name_setting(first.setting)}: one attempt solves {percent(once.value, 0)} of "
        f"{plural(first.tasks, 'task')}, {k} attempts all solve {percent(all_k.value, 0)}"
    )
    per_solved = first.cost_per_solved
    if per_solved.value is None:
        return f"{sentence}."
    amount = cost(per_solved.value, found.unit)
    if per_solved.low is not None:
        amount = in_words(per_solved, CELLS[found.unit])
    return f"{sentence}. A solved task costs {amount}."


def _row(each: RepeatedSetting, powers: list[int]) -> list[Value]:
    return [name_setting(each.setting), each.tasks, each.attempts,
            *(each.pass_all.get(k) for k in powers), each.cost_per_solved, each.dispersion,
            each.widest]  # fmt: skip
