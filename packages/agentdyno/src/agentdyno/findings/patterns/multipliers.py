"""How often a pattern occurs in a setting, and what trajectories with it cost compared with others.

    frequency  = trajectories with the pattern / trajectories of the setting
    multiplier = mean PTE with the pattern / mean PTE without it, inside one setting

The frequency's interval is Wilson's, the multiplier's that of a ratio of means clustered by task.
The multiplier is None where no trajectory is free of the pattern. It compares and does not explain:
hard tasks are long and show more patterns.

Source: the PTE paper, Appendix E and Table 7 (1.77 to 2.42 in the paper's settings).
Worked: PTE 300, 500 with, 100, 300 without -> 400 / 200 = 2.0, in 2 of 4 trajectories.
"""

from collections.abc import Iterator

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.proportions import wilson
from agentdyno.estimates.unpaired import unpaired_ratio
from agentdyno.findings.patterns import DETECTORS

_SETTING = ["model", "benchmark", "variant"]


class Multiplier(Struct, frozen=True):
    """One pattern in one setting."""

    model: str | None
    benchmark: str | None
    variant: str | None
    pattern: str
    trajectories: int
    """Trajectories of the setting whose cost is known."""
    found: int
    """How many of them have the pattern."""
    findings: int
    """How many findings of it there are in them."""
    frequency: Estimate
    """Share of trajectories with the pattern."""
    pte_with: float | None
    """Mean PTE of those with the pattern; None when there are none."""
    pte_without: float | None
    """Mean PTE of the others; None when there are none."""
    multiplier: Estimate
    """The first over the second; its estimate is None where either is missing."""
    pte_borne: float | None
    """What the calls with a finding cost, each call once; None when no finding is a call's."""


def multipliers(findings: pl.DataFrame, trajectories: pl.DataFrame) -> list[Multiplier]:
    """For every setting, the patterns that occur in it: ours in their order, then others'."""
    known = trajectories.filter(pl.col("pte").is_not_null())
    answers: list[Multiplier] = []
    for setting, inside in known.group_by(_SETTING, maintain_order=True):
        ids = inside.get_column("trajectory_id").implode()
        here = findings.filter(pl.col("trajectory_id").is_in(ids))
        answers.extend(_of_setting(setting, inside, here))
    return answers


def _of_setting(
    setting: tuple[object, ...], inside: pl.DataFrame, here: pl.DataFrame
) -> Iterator[Multiplier]:
    names = set(here.get_column("pattern"))
    ours = [detector.name for detector in DETECTORS if detector.name in names]
    for pattern in (*ours, *sorted(names - set(ours))):
        yield _multiplier(setting, pattern, inside, here.filter(pl.col("pattern") == pattern))


def _multiplier(
    setting: tuple[object, ...], pattern: str, inside: pl.DataFrame, found: pl.DataFrame
) -> Multiplier:
    has = pl.col("trajectory_id").is_in(found.get_column("trajectory_id").implode())
    with_it, without = inside.filter(has), inside.filter(~has)
    model, benchmark, variant = (None if part is None else str(part) for part in setting)
    return Multiplier(
        model=model,
        benchmark=benchmark,
        variant=variant,
        pattern=pattern,
        trajectories=inside.height,
        found=with_it.height,
        findings=found.height,
        frequency=wilson(with_it.height, inside.height),
        pte_with=_mean(with_it),
        pte_without=_mean(without),
        multiplier=unpaired_ratio(_by_task(without), _by_task(with_it)),
        pte_borne=_borne(found),
    )


def _by_task(trajectories: pl.DataFrame) -> dict[str, list[float]]:
    """PTE by task; an attempt at a task without a name is a task of its own."""
    grouped: dict[str, list[float]] = {}
    columns = ("task_id", "trajectory_id", "pte")
    for task, trajectory, pte in trajectories.select(columns).iter_rows():
        key = f"id {trajectory}" if task is None else f"task {task}"
        grouped.setdefault(key, []).append(float(pte))
    return grouped


def _mean(trajectories: pl.DataFrame) -> float | None:
    values = trajectories.get_column("pte").to_list()
    return sum(values) / len(values) if values else None


def _borne(found: pl.DataFrame) -> float | None:
    calls = found.filter(pl.col("pte").is_not_null()).unique(
        ["trajectory_id", "turn", "call"], maintain_order=True
    )
    return float(calls.get_column("pte").sum()) if calls.height else None
