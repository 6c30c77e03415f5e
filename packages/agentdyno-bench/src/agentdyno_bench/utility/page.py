"""The tables of Eta Given Delta, from suites that were run: accuracy, utility and efficiency.

Takes a model's attempts under each tool suite, returns what stands in the paper's own tables.
"""

from collections.abc import Sequence

from msgspec import Struct

from agentdyno.reports.paper import ExhibitResult, show_prompts
from agentdyno.reports.topic import TopicTable, Value
from agentdyno_bench.shared.judges.framing import Framing
from agentdyno_bench.utility.ablation.report import render_ablation
from agentdyno_bench.utility.ablation.results import Ablation
from agentdyno_bench.utility.judge.utility_prompt import rubric
from agentdyno_bench.utility.studies.results import SettingUtility
from agentdyno_bench.utility.worth.report import render_worth

VARIANTS = ("default", "needed", "none")
NOTHING = "No call was labelled: there was none, or the continuations settled no sign."


class Suites(Struct, frozen=True):
    """One model under the three suites."""

    model: str
    ablation: Ablation
    """Accuracy and efficiency by variant."""
    settings: dict[str, SettingUtility]
    """What calls were worth, by variant; empty where none was labelled."""
    outcomes: dict[str, dict[str, bool | None]]
    """By task and variant, whether it was solved."""


def make_exhibits(suites: Sequence[Suites]) -> dict[str, ExhibitResult]:
    """Results by exhibit; the paper has a table for each of its two models, and so has the page:"""
    results: dict[str, ExhibitResult] = {}
    for index, (accuracy, utility, efficiency) in enumerate(
        (("Table 1", "Table 3", "Table 5"), ("Table 2", "Table 4", "Table 6"))
    ):
        group = suites[:1] if index == 0 else suites[1:]
        if not group:
            empty = ExhibitResult(notes=["Name a second --model for this table."] if index else [])
            results |= dict.fromkeys((accuracy, utility, efficiency), empty)
            continue
        results[accuracy] = ExhibitResult(
            rows=[row for entry in group for row in _accuracy(entry)],
            tables=[table for entry in group for table in _compared(entry)],
        )
        worth = [row for entry in group for row in _utility(entry)]
        results[utility] = ExhibitResult(rows=worth, notes=[] if worth else [NOTHING])
        results[efficiency] = ExhibitResult(rows=[r for e in group for r in _efficiency(e)])
    return results | {
        "Appendix A": show_prompts(judge=rubric(Framing())),
        "Section 4.2": ExhibitResult(rows=[row for entry in suites for row in _thirds(entry)]),
        "Appendix B": ExhibitResult(rows=[row for entry in suites for row in _outcomes(entry)]),
    }


def _accuracy(suites: Suites) -> list[list[Value]]:
    return [
        [f"{suites.model}, {v.variant}", v.passed, v.failed, v.accuracy]
        for v in suites.ablation.variants
    ]


def _compared(suites: Suites) -> list[TopicTable]:
    """Every variant against the first, paired by task, with PTE and money."""
    pairs = map(render_worth, suites.ablation.pairs)
    return [table for topic in (render_ablation(suites.ablation), *pairs) for table in topic.tables]


def _utility(suites: Suites) -> list[list[Value]]:
    default = suites.settings.get(VARIANTS[0])
    return [
        [
            f"{suites.model}, {tool.tool}",
            tool.useful,
            tool.not_useful,
            f"{tool.aggregate:+d}",
            tool.confidence_useful,
            tool.confidence_not_useful,
        ]
        for tool in (default.tools if default else ())
        if tool.calls
    ]


def _efficiency(suites: Suites) -> list[list[Value]]:
    return [
        [f"{suites.model}, {v.variant}", v.useful_calls, v.calls, v.mean_eta]
        for v in suites.ablation.variants
        if v.variant != VARIANTS[2]
    ]


def _thirds(suites: Suites) -> list[list[Value]]:
    default = suites.settings.get(VARIANTS[0])
    return [
        [f"{suites.model}, {third.third} third", third.calls, third.share]
        for third in (default.thirds if default else ())
    ]


def _outcomes(suites: Suites) -> list[list[Value]]:
    words = {True: "1.0", False: "0.0", None: "no mark"}
    return [
        [f"{suites.model}, {task}", *(words[by.get(name)] for name in VARIANTS)]
        for task, by in sorted(suites.outcomes.items())
    ]
