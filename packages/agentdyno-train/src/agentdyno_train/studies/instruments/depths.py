"""How deep an agent thinks where it acts, and whether depth tells right attempts from wrong ones.

DTR = deep tokens / tokens, of all tokens of a part in one attempt; means are clustered by task.

    part      tool names, arguments, other letters of calls, words, thoughts; each turn; the whole
    change    from the first agent, greedy attempts paired by task
    telling   AUC of DTR (and of length, log-probability, self-certainty beside it) for solved
              against unsolved attempts, pooled and within tasks

Worked: names "10" of one call, letters "0011", words "1": names 1 / 2, whole 4 / 7.
"""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate, as_share
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.paired import paired_difference
from agentdyno.estimates.separation import clustered_auc
from agentdyno_train.studies.instruments.rollout_frames import KEY, RolloutFrames, by_task

ALL_KINDS = "nastw"
PARTS = {"whole attempt": ALL_KINDS, "tool names": "n", "arguments": "a",
         "other letters of calls": "s", "words": "t", "thoughts": "w"}  # fmt: skip
"""Parts of what a model writes, by the marks of their tokens."""
MEASURES = ("DTR", "DTR of the first turn", "DTR at calls", "mean log-probability",
            "self-certainty", "output tokens, fewer")  # fmt: skip
OUTCOMES = {"solved": pl.col("solved"), "something granted": pl.col("score") > 0}
"""Two ways of being right; a weak agent is seldom right in the first."""
TURNS = 4
"""Turns that are told one by one."""


class PartDepth(Struct, frozen=True):
    """DTR of one part of an agent's turns."""

    agent: str
    level: str
    part: str
    """Which tokens, or which turn."""
    dtr: Estimate
    """Deep tokens over tokens, over greedy attempts."""
    change: Estimate | None
    """From the first agent, paired by task; None for the first itself."""
    tokens: int
    """Tokens that it rests on."""


class Separation(Struct, frozen=True):
    """Whether a measure tells solved attempts from others."""

    agent: str
    level: str
    outcome: str
    """What makes an attempt right: `solved`, or `something granted` where a mark is above zero."""
    measure: str
    """What is measured of an attempt."""
    pooled: Estimate
    """Over all pairs; sees how hard tasks are."""
    within: Estimate
    """Over pairs of the same task."""
    right: int
    wrong: int


def part_depths(frames: RolloutFrames) -> list[PartDepth]:
    """DTR by part and by turn."""
    greedy = frames.depths.filter(pl.col("attempt") == 0)
    found = []
    for level in sorted(greedy["level"].unique()):
        here = greedy.filter(pl.col("level") == level)
        for part, marks in PARTS.items():
            found += _readings(frames, here, level, part, marks)
        for turn in range(min(TURNS, int(here["turn"].max() or 0) + 1)):  # type: ignore[arg-type,unused-ignore]
            mine = here.filter(pl.col("turn") == turn)
            found += _readings(frames, mine, level, f"turn {turn + 1}", ALL_KINDS)
    return found


def _readings(
    frames: RolloutFrames, frame: pl.DataFrame, level: str, part: str, marks: str
) -> list[PartDepth]:
    ratios = _ratios(frame, marks)
    by_agent = {a: by_task(ratios.filter(pl.col("agent") == a), "dtr") for a in frames.agents}
    first = by_agent[frames.agents[0]]
    tokens = dict(ratios.group_by("agent").agg(pl.col("tokens").sum()).iter_rows())
    return [
        PartDepth(
            agent, level, part, as_share(clustered_mean(mine)),
            paired_difference(first, mine) if place and first else None, int(tokens[agent]),
        )
        for place, (agent, mine) in enumerate(by_agent.items())
        if mine
    ]  # fmt: skip


def _ratios(frame: pl.DataFrame, marks: str) -> pl.DataFrame:
    """Deep tokens and tokens of the marked kinds, by attempt."""
    rows = []
    for row in frame.iter_rows(named=True):
        own = [d == "1" for d, k in zip(row["deep"], row["kinds"], strict=True) if k in marks]
        rows.append((*(row[key] for key in KEY), sum(own), len(own)))
    counts = pl.DataFrame(rows, schema=[*KEY, "count", "tokens"], orient="row")
    if counts.is_empty():
        return pl.DataFrame(schema={**dict.fromkeys(KEY[:3], pl.String), "attempt": pl.Int64,
                                    "tokens": pl.Int64, "dtr": pl.Float64})  # fmt: skip
    summed = counts.group_by(KEY).agg(pl.col("count").sum(), pl.col("tokens").sum())
    there = summed.filter(pl.col("tokens") > 0)
    return there.with_columns(dtr=pl.col("count") / pl.col("tokens"))


def find_separations(frames: RolloutFrames) -> list[Separation]:
    """For every agent and level that has both kinds of attempts."""
    marked = attempt_measures(frames).filter(
        pl.col("solved").is_not_null() & (pl.col("attempt") >= 0)
    )
    found = []
    for agent in frames.agents:
        for level in sorted(marked["level"].unique()):
            here = marked.filter((pl.col("agent") == agent) & (pl.col("level") == level))
            for outcome, is_right in OUTCOMES.items():
                judged = here.with_columns(right=is_right)
                right = int(judged["right"].sum())
                if not 0 < right < len(here):
                    continue
                found += [_separate(agent, level, outcome, judged, measure) for measure in MEASURES]
    return found


def _separate(
    agent: str, level: str, outcome: str, judged: pl.DataFrame, measure: str
) -> Separation:
    pairs, right = _pair_by_task(judged, measure), int(judged["right"].sum())
    return Separation(
        agent, level, outcome, measure, clustered_auc(pairs), clustered_auc(pairs, within=True),
        right, len(judged) - right,
    )  # fmt: skip


def attempt_measures(frames: RolloutFrames) -> pl.DataFrame:
    """Each attempt with what could tell it right."""
    base = frames.attempts.select(*KEY, "solved", "score", "output_tokens")
    sure = frames.depths.group_by(KEY).agg(
        pl.col("log_prob").mean().alias("mean log-probability"),
        pl.col("certainty").mean().alias("self-certainty"),
    )
    joined = base.join(sure, on=KEY, how="left")
    first = frames.depths.filter(pl.col("turn") == 0)
    named = {"DTR": (frames.depths, ALL_KINDS), "DTR of the first turn": (first, ALL_KINDS),
             "DTR at calls": (frames.depths, "nas")}  # fmt: skip
    for name, (frame, marks) in named.items():
        ratios = _ratios(frame, marks).select(*KEY, pl.col("dtr").alias(name))
        joined = joined.join(ratios, on=KEY, how="left")
    fewer = (-pl.col("output_tokens")).cast(pl.Float64).alias("output tokens, fewer")
    return joined.with_columns(fewer)


def _pair_by_task(frame: pl.DataFrame, measure: str) -> dict[str, list[tuple[float, bool]]]:
    found: dict[str, list[tuple[float, bool]]] = {}
    for task, value, solved in frame.select("task", measure, "right").drop_nulls().iter_rows():
        found.setdefault(task, []).append((float(value), bool(solved)))
    return found
