"""What could be changed, and how much of the PTE hangs on it.

- `setting`: another variant of the same model and benchmark that is at least as accurate and
  certainly cheaper (PTE counts prefilled tokens of one model: across models it ranks, not prices);
- `unused_schemas`: schemas of tools that a setting offers and never calls;
- `long_results`: what tokens beyond the first 1,000 of each result bear;
- `pattern:NAME`: what the detections of a pattern bear;
- `cache`: the cost now less the cost with every token prefilled once.

Shares of parts are exact, but they are not savings: leaving a part out also frees the pairs it
shared, so it saves at least its share as long as the agent acts the same. Worked: a result of
4,000 tokens that bears 800 PTE: the 3,000 beyond the limit bear 600.
"""

import polars as pl

from agentdyno.estimates.paired import paired_ratio, shared_task_means
from agentdyno.estimates.unpaired import unpaired_ratio
from agentdyno.estimates.values import Estimate
from agentdyno.records import counted
from agentdyno.records.settings import SettingName
from agentdyno.reports.numbers import label, percent
from agentdyno.studies.cost.conclusions import Lever
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.results import PatternRate, Patterns, Standing
from agentdyno.studies.readings import by_task

LONG_RESULT_TOKENS = 1000
SMALLEST_SHARE = 0.01
FEWEST_SHARED_TASKS = 5
SAME = "the agent acts as it did; `agentdyno whatif` recomputes without them"


def levers(frames: Frames, standings: list[Standing], found: Patterns) -> list[Lever]:
    """Everything on which at least 1 % of the cost hangs, the largest first."""
    total = float(frames.trajectories["pte"].sum())
    if not total:
        return []
    made = [
        _cheaper_setting(frames, standings, total),
        _unused_schemas(frames, total),
        _long_results(frames, total),
        _cache(frames, total),
        *(_pattern(rate.pattern, rate.found, rate.pte_share) for rate in _overall(found)),
    ]
    kept = [lever for lever in made if lever is not None and lever.pte_share >= SMALLEST_SHARE]
    return sorted(kept, key=lambda lever: -lever.pte_share)


def _overall(found: Patterns) -> list[PatternRate]:
    return [rate for rate in found.rates if rate.setting is None]


def _cheaper_setting(frames: Frames, standings: list[Standing], total: float) -> Lever | None:
    """The change of variant that would save the most, among those that surely save."""
    moves = [
        _move(row, rival, ratio, float(_rows(frames, row.setting)["pte"].sum()) / total)
        for row in standings
        for rival in standings
        if _could_replace(rival, row)
        and (ratio := _cost_ratio(frames, row.setting, rival.setting)).high is not None
        and ratio.high < 1
    ]
    return max(moves, key=lambda lever: lever.pte_share, default=None)


def _could_replace(rival: Standing, row: Standing) -> bool:
    one, other = rival.setting, row.setting
    if one == other or one.benchmark is None:
        return False
    same = (one.model, one.benchmark) == (other.model, other.benchmark)
    known = rival.accuracy.value is not None and row.accuracy.value is not None
    return same and known and (rival.accuracy.value or 0.0) >= (row.accuracy.value or 0.0)


def _move(row: Standing, rival: Standing, ratio: Estimate, spent: float) -> Lever:
    here, there = (label(s.setting.variant or "no variant") for s in (row, rival))
    share = spent * (1 - (ratio.value or 0.0))
    sentence = (
        f"Use {there} instead of {here} with {label(row.setting.model)} on "
        f"{label(row.setting.benchmark)}: it costs {percent(ratio.value, 0)} of the PTE (95 %: "
        f"{percent(ratio.low, 0)} to {percent(ratio.high, 0)}) and solves "
        f"{percent(rival.accuracy.value, 0)} of {rival.graded} against "
        f"{percent(row.accuracy.value, 0)} of {row.graded}"
    )
    n = min(row.graded, rival.graded)
    assumption = f"tasks like these; with {n} graded attempts, accuracy could still differ"
    return Lever("setting", sentence, share, assumption)


def _rows(frames: Frames, setting: SettingName) -> pl.DataFrame:
    return frames.trajectories.filter(pl.col("setting") == frames.settings.index(setting))


def _cost_ratio(frames: Frames, here: SettingName, there: SettingName) -> Estimate:
    """Paired where the two attempted the same tasks."""
    a, b = (by_task(_rows(frames, s), "pte") for s in (here, there))
    shared = len(shared_task_means(a, b)[0])
    compare = paired_ratio if shared >= FEWEST_SHARED_TASKS else unpaired_ratio
    return compare(a, b)


def _unused_schemas(frames: Frames, total: float) -> Lever | None:
    called = frames.calls.select("setting", name="tool").unique(maintain_order=True)
    unused = frames.parts.filter(pl.col("kind") == "schema").join(
        called, on=["setting", "name"], how="anti", nulls_equal=True
    )
    if unused.is_empty():
        return None
    by_tool = (
        unused.group_by("name", maintain_order=True)
        .agg(pl.col("pte").sum())
        .sort("pte", descending=True)
    )
    share = float(by_tool["pte"].sum()) / total
    names = ", ".join(label(name) for name in by_tool["name"].head(3).to_list())
    more = f" and {len(by_tool) - 3} more" if len(by_tool) > 3 else ""
    sentence = (
        f"Offer fewer tools: schemas of {counted(len(by_tool), 'tool')} that the setting never "
        f"calls ({names}{more}) bear {percent(share)} of the PTE"
    )
    return Lever("unused_schemas", sentence, share, f"saves at least this if {SAME}")


def _long_results(frames: Frames, total: float) -> Lever | None:
    long = frames.parts.filter(
        (pl.col("kind") == "result") & (pl.col("tokens") > LONG_RESULT_TOKENS)
    ).with_columns(beyond=pl.col("pte") * (1 - LONG_RESULT_TOKENS / pl.col("tokens")))
    if long.is_empty():
        return None
    share = float(long["beyond"].sum()) / total
    by_tool = (
        long.group_by("name", maintain_order=True)
        .agg(pl.col("beyond").sum())
        .sort("beyond", descending=True)
    )
    results = counted(len(long), "result")
    sentence = (
        f"Return less: the tokens beyond the first {LONG_RESULT_TOKENS:,} of {results}, "
        f"most of them from {label(by_tool['name'][0])}, bear {percent(share)} of the PTE"
    )
    return Lever("long_results", sentence, share, f"saves at least this if {SAME}")


def _pattern(name: str, found: int, share: float | None) -> Lever | None:
    if share is None:
        return None
    sentence = (
        f"Look at {label(name.replace('_', ' '))}: {counted(found, 'detection')} bear "
        f"{percent(share)} of the PTE"
    )
    return Lever(f"pattern:{name}", sentence, share, "detections are rules of thumb: read some")


def _cache(frames: Frames, total: float) -> Lever | None:
    ideal = frames.trajectories["pte_ideal"]
    if ideal.null_count():
        return None
    share = 1 - float(ideal.sum()) / total
    sentence = (
        f"Keep the cache between turns: with every token prefilled once, {percent(share)} of the "
        "PTE would go"
    )
    assumption = "an upper bound: nothing is ever evicted, and the context is only added to"
    return Lever("cache", sentence, share, assumption)
