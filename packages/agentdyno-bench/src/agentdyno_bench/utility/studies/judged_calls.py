"""Verdicts and costs brought together, call by call.

The label of a call is what most of its judges say; evenly divided judges give none. Where rollouts
settled a call they are evidence of another kind and not a vote: they count only when nobody else
judged.
"""

from collections import defaultdict
from collections.abc import Iterable

import polars as pl
from msgspec import Struct

from agentdyno.matching.effects import effect_of, proves_reading, read_declared_effect
from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.matching.values.leaves import read_json
from agentdyno.records import ToolCall, Trajectory
from agentdyno.studies.cost.part_seconds import read_calls
from agentdyno.studies.cost.unit import PTE_ALONE, Costs
from agentdyno.studies.tables import Tables, Texts
from agentdyno_bench.shared.records.utility import JudgedCall, UtilityLabel
from agentdyno_bench.utility.findings.redundancy import ToolWords, collect_words

ROLLOUT = "rollout"
Place = tuple[str, int, int]


class Traits(Struct, frozen=True):
    """Facts about calls and tools from the traces' texts."""

    tools: dict[Place, tuple[str, ...]]
    """Logical tools of every call whose text could be read; none for one that is left out."""
    writing: dict[str, str]
    """Logical tools that may write, with the reason: nothing proves that all calls only read."""
    words: ToolWords
    """Words of the results, for finding tools that do the same work."""
    missing: dict[str, str]
    """Files that could not be read again."""
    left_out: int
    """Calls that the rules leave out."""


def read_traits(ledger: Texts, rules: LogicalTools) -> Traits:
    """Reads the texts of a ledger's calls."""
    missing = ledger.unreadable()
    collected = _Collected(rules)
    for trajectory in ledger.trajectories():
        collected.take(trajectory)
    return Traits(
        collected.tools,
        collected.writing,
        collect_words(collected.results),
        missing,
        sum(not tools for tools in collected.tools.values()),
    )


class _Collected:
    def __init__(self, rules: LogicalTools) -> None:
        self.rules = rules
        self.tools: dict[Place, tuple[str, ...]] = {}
        self.results: list[tuple[str, str, str]] = []
        self.writing: dict[str, str] = {}

    def take(self, trajectory: Trajectory) -> None:
        read_only = _find_read_only(trajectory)
        for call in trajectory.calls:
            tools = self.rules.names_of(call.tool, call.arguments)
            self.tools[trajectory.trajectory_id, call.turn, call.call] = tools
            for tool in tools:
                self._note_effect(tool, call, call.tool in read_only)
                if call.result is not None and len(tools) == 1:
                    text = trajectory.parts[call.result].text
                    self.results.append((tool, trajectory.trajectory_id, text))

    def _note_effect(self, tool: str, call: ToolCall, is_hinted: bool) -> None:
        """A name proves nothing; what was run counts more than what a tool says of itself."""
        declared = self.rules.effect_of(tool)
        if declared == "writes":
            self.writing[tool] = "the rules say so"
        if declared is not None or tool in self.writing:
            return
        arguments = read_json(call.arguments)
        effect = effect_of(call.tool, arguments)
        if effect.may_write and effect.certainty == "parsed":
            self.writing[tool] = effect.why
        elif not is_hinted and not proves_reading(call.tool, arguments):
            self.writing[tool] = "nothing proves that it only reads"


def _find_read_only(trajectory: Trajectory) -> set[str]:
    """Functions whose schemas in a trajectory say so, all of them where there are several."""
    hints: dict[str, bool] = {}
    for part in trajectory.parts:
        if part.kind == "schema" and part.name:
            hint = read_declared_effect(part.text)
            says_so = hint is not None and hint.action == "reads"
            hints[part.name] = hints.get(part.name, True) and says_so
    return {name for name, says_so in hints.items() if says_so}


def list_judged_calls(
    ledger: Tables,
    verdicts: pl.DataFrame,
    traits: Traits,
    *,
    asked_only: bool = True,
    costs: Costs = PTE_ALONE,
) -> list[JudgedCall]:
    """Every call that is not left out; by default only those that somebody was asked about."""
    labels = labels_of(verdicts)
    shares = _money_shares(ledger)
    tasks = dict(ledger.read("trajectories").select("trajectory_id", "task_id").iter_rows())
    columns = ["trajectory_id", "turn", "call", "tool", "pte"]
    calls = []
    priced = costs.on(read_calls(ledger, costs.unit)).sort(columns[:3])
    rows = priced.select(*columns, "cost")
    for trajectory, turn, call, native, pte, cost in rows.iter_rows():
        location = (trajectory, turn, call)
        tools = traits.tools.get(location, (native or "",))
        if not tools or (asked_only and location not in labels):
            continue
        label, confidence = labels.get(location, (None, None))
        rate = shares.get(trajectory)
        calls.append(
            JudgedCall(
                trajectory_id=trajectory,
                task_id=tasks.get(trajectory) or trajectory,
                turn=turn,
                call=call,
                tool=tools[0],
                also=tools[1:],
                native=native or "",
                label=label,
                confidence=confidence,
                cost=cost,
                usd=None if rate is None or pte is None else rate * pte,
            )
        )
    return calls


Verdict = tuple[UtilityLabel | None, float | None]


def labels_of(verdicts: pl.DataFrame) -> dict[Place, Verdict]:
    """What most judges say of each call."""
    groups: dict[Place, list[tuple[str, UtilityLabel | None, float | None]]] = defaultdict(list)
    columns = ["trajectory_id", "turn", "call", "judge", "label", "confidence"]
    for trajectory, turn, call, judge, label, confidence in verdicts.select(columns).iter_rows():
        groups[trajectory, turn, call].append((judge, label, confidence))
    return {location: consensus(group) for location, group in groups.items()}


def consensus(verdicts: Iterable[tuple[str, UtilityLabel | None, float | None]]) -> Verdict:
    """The label of most judges, with their mean confidence."""
    votes = [vote for vote in verdicts if vote[1] is not None]
    judges = [vote for vote in votes if vote[0] != ROLLOUT] or votes
    useful = sum(label == "positive" for _, label, _ in judges)
    if not judges or 2 * useful == len(judges):
        return None, None
    label: UtilityLabel = "positive" if 2 * useful > len(judges) else "non_positive"
    sure = [c for _, given_label, c in judges if given_label == label and c is not None]
    return label, sum(sure) / len(sure) if sure else None


def _money_shares(ledger: Tables) -> dict[str, float]:
    """USD for one PTE, by trajectory, where both are known."""
    rows = ledger.read("trajectories").select("trajectory_id", "usd", "pte").iter_rows()
    return {name: usd / pte for name, usd, pte in rows if usd is not None and pte}
