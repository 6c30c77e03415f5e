"""Advice on every tool of a ledger, with what its schemas and calls cost."""

from collections import defaultdict

import polars as pl

from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.part_seconds import read_calls
from agentdyno.studies.cost.unit import Costs
from agentdyno.studies.tables import Tables
from agentdyno_bench.shared.records.utility import JudgedCall
from agentdyno_bench.utility.findings.advice import ToolFacts, advise_together
from agentdyno_bench.utility.findings.redundancy import same_work
from agentdyno_bench.utility.findings.results import Action, Advice, Saving
from agentdyno_bench.utility.findings.tools import measure_tools
from agentdyno_bench.utility.studies.judged_calls import Traits

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
    advice = advise_together(facts)
    return sorted(advice, key=lambda one: (ORDER[one.action], -_predict_saving(one), one.tool))


def _functions(calls: list[JudgedCall]) -> dict[str, set[str]]:
    """The functions behind every logical tool."""
    by_tool: dict[str, set[str]] = defaultdict(set)
    for call in calls:
        for tool in (call.tool, *call.also):
            by_tool[tool].add(call.native)
    return by_tool


def _unread(calls: list[JudgedCall], traits: Traits, rules: LogicalTools) -> set[str]:
    """Tools with a call that nobody could look at: they are not known to be harmless."""
    return {
        tool
        for call in calls
        if (call.trajectory_id, call.turn, call.call) not in traits.tools
        for tool in (call.tool, *call.also)
        if rules.effect_of(tool) is None
    }


def _predict_saving(advice: Advice) -> float:
    return (advice.saving.cost or 0.0) if advice.saving else 0.0


# What a tool's schemas and calls cost, a sum over rows: it would be saved if the agent acted the
# same without it. A logical tool that shares its function with others has no schema to drop; what
# its calls cost is then all that can be said.

METHOD = "What the schemas, requests and results of {functions} cost, if all else stays as it was."
SHARED = (
    "Only what its calls cost: it shares {functions} with other tools, so that no schema can go."
)
OF_TOOLS = ("schema", "request", "result")


class Savings:
    """Answers for the tools of one ledger, which is read once."""

    def __init__(
        self, ledger: Tables, functions: dict[str, set[str]], traits: Traits, costs: Costs
    ) -> None:
        self._ledger = ledger
        self._costs = costs
        self._functions = functions
        self._traits = traits
        is_of_tool = pl.col("kind").is_in(OF_TOOLS) & pl.col("name").is_not_null()
        self._parts = Frames(ledger, costs=costs).find_parts(is_of_tool)
        self._total = float(costs.on(ledger.read("trajectories"))["cost"].sum())

    def without(self, tool: str) -> Saving:
        """What the tool cost."""
        functions = self._functions[tool]
        shared = sorted(functions & self._find_shared_functions(tool))
        if shared:
            return self._calls_only(tool, shared)
        parts = self._parts.filter(pl.col("name").is_in(sorted(functions)))
        method = METHOD.format(functions=", ".join(sorted(functions)))
        return self._saving(parts["cost"], parts["usd"], method)

    def _find_shared_functions(self, tool: str) -> set[str]:
        names_of_others = (names for other, names in self._functions.items() if other != tool)
        used = set().union(*names_of_others)
        if not all(self._traits.tools.values()):
            rows = self._ledger.read("calls").select("trajectory_id", "turn", "call", "tool")
            used |= {n for *location, n in rows.iter_rows() if self._is_left_out(tuple(location))}
        return used

    def _is_left_out(self, location: tuple[str, int, int]) -> bool:
        return self._traits.tools.get(location, ("",)) == ()

    def _calls_only(self, tool: str, shared: list[str]) -> Saving:
        rows = self._costs.on(read_calls(self._ledger, self._costs.unit))
        location = pl.struct("trajectory_id", "turn", "call")
        calls = rows.filter(
            location.map_elements(
                lambda call: self._traits.tools.get(tuple(call.values())) == (tool,),
                return_dtype=pl.Boolean,
            )
        )
        method = SHARED.format(functions=", ".join(shared))
        return self._saving(calls["cost"], calls["usd"], method)

    def _saving(self, costs: pl.Series, usd: pl.Series, method: str) -> Saving:
        cost = None if costs.null_count() else float(costs.sum())
        share = cost / self._total if cost is not None and self._total else None
        money = None if usd.null_count() else float(usd.sum())
        return Saving(cost=cost, share=share, usd=money, method=method)
