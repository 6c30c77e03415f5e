"""Is cost more than difficulty? Three looks at levels, after the PTE paper's Appendix F.

- within a level: mean cost of unsolved over solved attempts; pooled over settings with each cost
  over its setting's mean, then by setting;
- between levels: the share of solved attempts at the hardest level that cost less than the mean
  failure at an easier level, both in the same setting;
- statistically: correlation of cost with being solved, the level taken out (as the paper), and the
  setting taken out as well, because dear models are not the same as dear attempts.

Worked: solved at level 5 with 80 and 120, failed at level 1 with 90 and 110 (mean 100) -> 50 %.
"""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.measures.patterns import overtakes, partial_correlation
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.readings import share_of
from agentdyno_bench.pte.studies.outcome_gaps import OutcomeGap, gap, relative

WORDS = (
    "trivial", "very easy", "easy", "low", "simple", "medium", "moderate", "normal", "high",
    "hard", "difficult", "complex", "very hard", "expert",
)  # fmt: skip
SCHOOLS = (
    "primary school", "elementary school", "middle school", "junior high school", "high school",
    "senior high school", "undergraduate", "university", "graduate", "master", "phd",
)  # fmt: skip
"""Levels of schooling, as WebInstruct-Verified names its difficulty."""
MOST_LEVELS = 12


class Overtake(Struct, frozen=True):
    """How often a hard task solved costs less than an easy one failed."""

    benchmark: str | None
    hard: str
    easy: str
    share: Estimate
    """Share of solved attempts at `hard` below the mean cost of failures at `easy`, by setting."""


class PartialCorrelation(Struct, frozen=True):
    """Cost and success once difficulty is taken out."""

    benchmark: str | None
    controls: str
    correlation: Estimate
    """Of cost with being solved."""


class Difficulty(Struct, frozen=True):
    """Comparisons of cost with difficulty."""

    gaps: list[OutcomeGap]
    """Unsolved against solved within a level; pooled first, then by setting."""
    overtakes: list[Overtake]
    """Hard and solved against easy and failed."""
    partials: list[PartialCorrelation]
    reason: str | None
    """Why something is missing. None when all is there."""


def difficulty(frames: Frames) -> Difficulty:
    """Compare costs by task level; mostly empty when tasks carry none."""
    rows = frames.trajectories.filter(
        pl.col("level").is_not_null() & pl.col("correct").is_not_null()
    )
    if rows.is_empty():
        return Difficulty([], [], [], "no graded trajectory carries a difficulty level")
    levels, _ = order_levels(_find_levels(rows))
    if len(levels) > MOST_LEVELS:
        many = f"{len(levels)} different levels: expected at most {MOST_LEVELS}"
        return Difficulty([], [], [], many)
    gaps = _gaps(frames, rows, levels)
    overtakes, partials = list[Overtake](), list[PartialCorrelation]()
    # A benchmark has levels of its own: numbers in one, schools in another.
    for (name,), part in rows.partition_by("benchmark", as_dict=True, maintain_order=True).items():
        benchmark_levels, ordered = order_levels(_find_levels(part))
        if ordered and len(benchmark_levels) > 1:
            rank = {level: float(rank_index) for rank_index, level in enumerate(benchmark_levels)}
            ranked = part.with_columns(rank=pl.col("level").replace_strict(rank))
            overtakes += _overtakes(name, ranked, benchmark_levels)
            partials += _partials(name, ranked)
    reason: str | None = None
    if not partials:
        reason = "one level only" if len(levels) < 2 else "the order of the levels is unknown"
        reason += ": levels are not compared"
    return Difficulty(gaps, overtakes, partials, reason)


def _find_levels(rows: pl.DataFrame) -> list[str]:
    return rows["level"].unique(maintain_order=True).to_list()


def order_levels(levels: list[str]) -> tuple[list[str], bool]:
    """Easiest first, and whether that order is known: numbers, or words for difficulty."""
    try:
        return sorted(levels, key=float), True
    except ValueError:
        pass
    lowered = {level: level.strip().lower() for level in levels}
    for words in (WORDS, SCHOOLS):
        if all(word in words for word in lowered.values()):
            return sorted(levels, key=lambda level: words.index(lowered[level])), True
    return sorted(levels), False


def _gaps(frames: Frames, rows: pl.DataFrame, levels: list[str]) -> list[OutcomeGap]:
    """Pooled by level, then by setting and level where both outcomes occur."""
    over = relative(rows)
    pooled = [gap(None, level, over.filter(pl.col("level") == level)) for level in levels]
    single = [
        gap(frames.settings[setting_id], level, part.filter(pl.col("level") == level))
        for setting_id, part in frames.by_setting(rows).items()
        for level in levels
    ]
    return pooled + [g for g in single if g.solved and g.unsolved]


def _overtakes(benchmark: str | None, rows: pl.DataFrame, levels: list[str]) -> list[Overtake]:
    hard = levels[-1]
    solved = rows.filter((pl.col("level") == hard) & pl.col("correct"))
    return [
        Overtake(benchmark, hard, easy, share_of(_below(solved, rows, easy), "below"))
        for easy in levels[:-1]
    ]


def _below(solved: pl.DataFrame, rows: pl.DataFrame, easy: str) -> pl.DataFrame:
    """Solved attempts of settings that also failed at the easier level, with how they compare."""
    costs = pl.col("cost").is_not_null()
    failed = rows.filter((pl.col("level") == easy) & ~pl.col("correct") & costs)
    parts = [solved.clear().with_columns(below=pl.lit(None, pl.Boolean))]
    for part in solved.filter(costs).partition_by("setting", maintain_order=True):
        limits = failed.filter(pl.col("setting") == part["setting"][0])["cost"].to_list()
        if limits:
            below = pl.Series(overtakes(part["cost"].to_list(), limits), dtype=pl.Boolean)
            parts.append(part.with_columns(below=below))
    return pl.concat(parts).with_columns(task=pl.concat_str("setting", "task", separator="\0"))


def _partials(benchmark: str | None, rows: pl.DataFrame) -> list[PartialCorrelation]:
    solved = rows["correct"].cast(pl.Float64).to_list()
    level, cost = rows["rank"].to_list(), rows["cost"].to_list()
    result = [PartialCorrelation(benchmark, "level", partial_correlation(cost, solved, [level]))]
    settings = rows["setting"].unique(maintain_order=True).to_list()
    if len(settings) > 1:
        marks = [(rows["setting"] == s).cast(pl.Float64).to_list() for s in settings[1:]]
        both = partial_correlation(cost, solved, [level, *marks])
        result.append(PartialCorrelation(benchmark, "level and setting", both))
    return result
