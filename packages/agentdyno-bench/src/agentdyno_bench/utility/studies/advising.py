"""Advice on every tool of a ledger, with what dropping it would save."""

import re
from collections import defaultdict
from collections.abc import Callable
from fnmatch import fnmatchcase

from agentdyno.cost.engines import Engines, MeterOptions
from agentdyno.cost.physical import Serving
from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.records import InputError
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.part_seconds import read_calls
from agentdyno.studies.cost.unit import Costs
from agentdyno.studies.tables import Tables
from agentdyno.studies.whatif.changes import find_changes
from agentdyno.studies.whatif.edit import no_edit
from agentdyno.studies.whatif.engine_changes import meter_options, stated_servings
from agentdyno.studies.whatif.options import WhatIfOptions
from agentdyno.studies.whatif.prediction import predict
from agentdyno.studies.whatif.recorded import Recorded, read_recorded
from agentdyno.studies.whatif.results import Scenario
from agentdyno.studies.whatif.scenario import Before, build_scenario
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


# What a ledger would have cost without a tool: recomputed, not summed.
#
# A tool that is a function of its own is taken out as `whatif --drop-tool` does: schema, requests
# and results leave every context and the rest is computed again. A logical tool that shares its
# function with others has no schema to drop; what its calls cost is then all that can be said.

SHARED = (
    "Only what its calls cost: it shares {functions} with other tools, so that no schema can go."
)


class Savings:
    """Answers for the tools of one ledger, which is read once."""

    def __init__(
        self, ledger: Tables, functions: dict[str, set[str]], traits: Traits, costs: Costs
    ) -> None:
        self._ledger = ledger
        self._costs = costs
        self._functions = functions
        self._traits = traits
        self._refused: str | None = None
        try:
            self._recorded = read_recorded(ledger)
            base = meter_options(self._recorded)
            self._start = no_edit(
                self._recorded,
                Engines(base).of,
                _servings(self._recorded, base) if costs.unit == "gpu_seconds" else None,
                base.cache,
            )
            self._before = Before(self._recorded, predict(self._recorded, self._start))
        except InputError as error:
            self._refused = str(error)

    def without(self, tool: str) -> Saving:
        """Predict the saving."""
        if self._refused:
            return Saving(cost=None, share=None, usd=None, method=self._refused)
        functions = self._functions[tool]
        shared = sorted(functions & self._find_shared_functions(tool))
        if shared:
            return self._calls_only(tool, shared)
        options = WhatIfOptions(drop_tools=tuple(_literal(name) for name in sorted(functions)))
        change = find_changes(self._recorded, options)
        after = predict(self._recorded, change[0].apply(self._start))
        return _estimate_saving(build_scenario(self._before, change, after), self._costs.unit)

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
        rows = rows.select("trajectory_id", "turn", "call", "cost")
        costs = [cost for *location, cost in rows.iter_rows() if self._is_of(tuple(location), tool)]
        priced = [cost for cost in costs if cost is not None]
        total = self._costs.on(self._ledger.read("trajectories"))["cost"].sum()
        cost = sum(priced) if len(priced) == len(costs) else None
        method = SHARED.format(functions=", ".join(shared))
        share = cost / total if cost is not None and total else None
        return Saving(cost=cost, share=share, usd=None, method=method)

    def _is_of(self, location: tuple[str, int, int], tool: str) -> bool:
        return self._traits.tools.get(location) == (tool,)


def _servings(recorded: Recorded, base: MeterOptions) -> Callable[[str | None], Serving]:
    return stated_servings(recorded.options, WhatIfOptions(), base.hardware, base.arch).of


def _estimate_saving(scenario: Scenario, unit: CostUnit) -> Saving:
    by_name = {figure.name: figure for figure in scenario.figures}
    cost, usd = by_name[unit], by_name["usd"]
    return Saving(
        cost=None if cost.difference is None else max(-cost.difference, 0.0),
        share=None if cost.change is None else max(-cost.change, 0.0),
        usd=None if usd.difference is None or usd.left_out else max(-usd.difference, 0.0),
        method=f"{scenario.touched}. {cost.assumption}",
    )


def _literal(name: str) -> str:
    """A glob that fits this name alone."""
    glob = re.sub(r"([*?[])", r"[\1]", name)
    assert fnmatchcase(name, glob)
    return glob
