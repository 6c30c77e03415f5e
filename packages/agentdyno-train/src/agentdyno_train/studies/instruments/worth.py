"""What a call is worth by continuations, by tool; and whether a rule that reads the plan agrees.

delta = mean mark of continuations from just after a call - from just before it. The state after a
call of a turn with several has the calls up to this one alone. Means by tool are clustered by task.

The other rater is no language model: `useful` says that the call did a step of the task's reference
plan that nothing before it had done (marks by outcome). Agreement is shown two ways: kappa of the
two labels (delta above 0, useful), and the AUC of delta for useful against other calls.

Worked: after a call 3 of 4 continuations are worth 1, before it 1 of 4: delta 0.5.
"""

from collections import Counter

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.kappas import cohen_kappa
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.separation import clustered_auc
from agentdyno_train.studies.instruments.rollout_frames import RolloutFrames, by_task

FEWEST = 4
"""Calls that a tool needs to stand in a table of its own."""
CUT = ("agent", "task", "answers", "calls")


class ToolWorth(Struct, frozen=True):
    """What the calls of one tool are worth."""

    agent: str
    tool: str
    """The tool; `all tools` and `seldom called` stand for several."""
    calls: int
    delta: Estimate
    """Mean change of the mark by a call."""
    solved: Estimate
    """Mean change of the share of continuations that solve everything."""
    useful: float | None
    """Share of the calls that the rule finds useful; None where it cannot say."""


class Agreement(Struct, frozen=True):
    """Two raters of the same calls."""

    agent: str
    calls: int
    both: int
    """Positive by continuations and useful by the rule."""
    only_continuations: int
    """Positive by continuations alone."""
    only_rule: int
    """Useful by the rule alone."""
    neither: int
    """Calls that neither rater finds useful."""
    kappa: Estimate
    """Agreement beyond chance of the labels."""
    auc: Estimate
    """Whether delta is higher for useful calls."""


def call_deltas(frames: RolloutFrames) -> pl.DataFrame:
    """Every call with marks before and after."""
    known = frames.futures.group_by(CUT).agg(
        pl.col("score").mean(), pl.col("solved").cast(pl.Float64).mean(), pl.len().alias("n")
    )
    calls = frames.calls.with_columns(
        after_answers=pl.col("turn") + 1, after_calls=pl.col("call") + 1
    )
    for side in ("before", "after"):
        names = {name: f"{side}_{name}" for name in ("answers", "calls", "score", "solved", "n")}
        calls = calls.join(
            known.rename(names), on=["agent", "task", f"{side}_answers", f"{side}_calls"]
        )
    return calls.with_columns(
        delta=pl.col("after_score") - pl.col("before_score"),
        solved=pl.col("after_solved") - pl.col("before_solved"),
    )


def tool_worths(frames: RolloutFrames) -> list[ToolWorth]:
    """By agent and tool, the most called first."""
    deltas = call_deltas(frames)
    found = []
    for agent in frames.agents:
        mine = deltas.filter(pl.col("agent") == agent)
        if mine.is_empty():
            continue
        found.append(_worth(agent, "all tools", mine))
        counts = mine.group_by("tool").len().sort("len", "tool", descending=[True, False])
        often = counts.filter(pl.col("len") >= FEWEST)["tool"].to_list()
        found += [_worth(agent, tool, mine.filter(pl.col("tool") == tool)) for tool in often]
        seldom = mine.filter(~pl.col("tool").is_in(often))
        found += [] if seldom.is_empty() else [_worth(agent, "seldom called", seldom)]
    return found


def _worth(agent: str, tool: str, calls: pl.DataFrame) -> ToolWorth:
    useful = calls["useful"].drop_nulls()
    return ToolWorth(
        agent, tool, len(calls), clustered_mean(by_task(calls, "delta")),
        clustered_mean(by_task(calls, "solved")),
        float(useful.cast(pl.Float64).mean()) if len(useful) else None,  # type: ignore[arg-type]
    )  # fmt: skip


def agreements(frames: RolloutFrames) -> list[Agreement]:
    """Continuations against the rule."""
    deltas = call_deltas(frames).filter(pl.col("useful").is_not_null())
    found = []
    for agent in frames.agents:
        mine = deltas.filter(pl.col("agent") == agent)
        if mine.is_empty():
            continue
        positive = [delta > 0 for delta in mine["delta"]]
        useful = mine["useful"].to_list()
        pairs: dict[str, list[tuple[float, bool]]] = {}
        for task, delta, label in mine.select("task", "delta", "useful").iter_rows():
            pairs.setdefault(task, []).append((float(delta), bool(label)))
        counts = Counter(zip(positive, useful, strict=True))
        words = {True: "positive", False: "non-positive"}
        kappa = cohen_kappa([words[p] for p in positive], [words[bool(u)] for u in useful])
        found.append(
            Agreement(
                agent,
                len(mine),
                counts[True, True],
                counts[True, False],
                counts[False, True],
                counts[False, False],
                kappa,
                clustered_auc(pairs),
            )
        )
    return found
