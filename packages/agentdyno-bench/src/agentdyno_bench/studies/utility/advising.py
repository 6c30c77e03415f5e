"""Advice on every tool of a ledger, with what dropping it would save."""

from collections import defaultdict

from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.studies.cost.unit import Costs
from agentdyno.studies.tables import Tables
from agentdyno_bench.findings.utility.advice import ToolFacts, advise_together
from agentdyno_bench.findings.utility.redundancy import same_work
from agentdyno_bench.findings.utility.results import Action, Advice
from agentdyno_bench.findings.utility.tools import measure_tools
from agentdyno_bench.records.utility import JudgedCall
from agentdyno_bench.studies.utility.judged_calls import Traits
from agentdyno_bench.studies.utility.savings import Savings

ORDER: dict[Action, int] = {"drop": 0, "watch": 1, "keep": 2}


def advise_on(
    ledger: Tables, calls: list[JudgedCall], traits: Traits, rules: LogicalTools, costs: Costs
) -> list[Advice]:
    """Drop first, then watch, then keep; the largest saving first in each."""
    partners = same_work(traits.words)
    savings = Savings(ledger, _functions(calls), traits, costs)
    unread = _unread(calls, traits, rules)
    facts = [
        ToolFacts(
            utility=row,
            writes=row.tool in traits.writing or row.tool in unread,
            writes_because=traits.writing.get(row.tool, "not all of its calls could be read"),
            same_work=partners.get(row.tool, ()),
            saving=savings.without(row.tool),
        )
        for row in measure_tools(calls)
    ]
    found = advise_together(facts)
    return sorted(found, key=lambda one: (ORDER[one.action], -_predict_saving(one), one.tool))


def _functions(calls: list[JudgedCall]) -> dict[str, set[str]]:
    """The functions behind every logical tool."""
    found: dict[str, set[str]] = defaultdict(set)
    for call in calls:
        for tool in (call.tool, *call.also):
            found[tool].add(call.native)
    return found


def _unread(calls: list[JudgedCall], traits: Traits, rules: LogicalTools) -> set[str]:
    """Tools with a call that nobody could look at: they are not known to be harmless."""
    return {
        tool
        for call in calls
        if (call.trajectory_id, call.turn, call.call) not in traits.tools
        for tool in (call.tool, *call.also)
        if rules.effect_of(tool) is None
    }


def _predict_saving(one: Advice) -> float:
    return (one.saving.cost or 0.0) if one.saving else 0.0
