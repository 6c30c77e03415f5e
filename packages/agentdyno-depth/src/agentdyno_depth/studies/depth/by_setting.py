"""Depth by setting: how much of it, at calls and elsewhere, in solved and unsolved trajectories.

Takes the rows of one reading, returns means over trajectories with intervals that resample tasks.
Differences: unsolved minus solved (other trajectories, so not paired), calls minus the rest (the
same trajectories, so paired by task).

Worked: two solved trajectories with 0.2 and 0.4, one unsolved with 0.5: 0.5 - 0.3 = 0.2.
"""

import polars as pl
from msgspec import Struct, structs

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.multiplicity import holm
from agentdyno.estimates.paired import paired_difference
from agentdyno.estimates.resampling import RESAMPLES
from agentdyno.estimates.unpaired import unpaired_difference
from agentdyno.records.settings import SettingName
from agentdyno.studies.readings import FEWEST_RESAMPLES, by_task, missing
from agentdyno_depth.studies.depth.frames import DepthFrames

MOST_TURNS = 25
FEWEST = 3
FEWEST_SHARE = 0.05
"""A curve over turns ends where fewer trajectories than both of these are left."""

DRAWS = 4_000_000
"""Draws a bootstrap may take: there are many of them, and many tasks need few resamples."""


class SettingDepth(Struct, frozen=True, kw_only=True):
    setting: SettingName | None
    """Which; None for all together."""
    trajectories: int
    turns: int
    """Number of turns of these trajectories."""
    tokens: int
    """Their tokens, as the reading model counts them."""
    call_tokens: int
    dtr: Estimate
    """Share of deep tokens, mean over trajectories."""
    call_dtr: Estimate
    """The same at the tokens of calls, where a trajectory has both kinds."""
    rest_dtr: Estimate
    """The same at all others."""
    call_difference: Estimate
    """Calls minus the rest, paired by task."""
    solved: int
    """Trajectories known to be solved."""
    unsolved: int
    """Trajectories known not to be."""
    solved_dtr: Estimate
    unsolved_dtr: Estimate
    outcome_difference: Estimate
    """Mean ratio of unsolved minus solved trajectories."""
    mean_log_prob: Estimate
    """Mean log-probability of a token, in nats."""
    entropy: Estimate
    """Mean entropy, in nats."""
    self_certainty: Estimate
    """Mean self-certainty, in nats."""


class TurnPoint(Struct, frozen=True):
    """All trajectories at one turn."""

    turn: int
    """Its place, from 0."""
    dtr: Estimate
    """Mean over the trajectories that got so far."""


def depth_by_setting(frames: DepthFrames) -> list[SettingDepth]:
    """Each setting; p values are corrected for looking at several."""
    rows = [summarize_setting(name, frames.of(p)) for p, name in enumerate(frames.settings)]
    for field in ("call_difference", "outcome_difference"):
        p_values = holm([getattr(row, field).p for row in rows])
        rows = [
            structs.replace(row, **{field: structs.replace(getattr(row, field), p=p)})
            for row, p in zip(rows, p_values, strict=True)
        ]
    return rows


def summarize_setting(setting: SettingName | None, rows: pl.DataFrame) -> SettingDepth:
    """Some trajectories."""
    both = rows.filter(pl.col("call_dtr").is_not_null() & pl.col("rest_dtr").is_not_null())
    solved, unsolved = rows.filter(pl.col("correct")), rows.filter(~pl.col("correct"))
    return SettingDepth(
        setting=setting,
        trajectories=len(rows),
        turns=int(rows["turns"].sum()),
        tokens=int(rows["tokens"].sum()),
        call_tokens=int(rows["call_tokens"].sum()),
        dtr=share_mean(rows, "dtr"),
        call_dtr=share_mean(both, "call_dtr"),
        rest_dtr=share_mean(both, "rest_dtr"),
        call_difference=_compare_paired(both, "rest_dtr", "call_dtr"),
        solved=len(solved),
        unsolved=len(unsolved),
        solved_dtr=share_mean(solved, "dtr"),
        unsolved_dtr=share_mean(unsolved, "dtr"),
        outcome_difference=compare_unpaired(solved, unsolved, "dtr"),
        mean_log_prob=_mean(rows, "mean_log_prob"),
        entropy=_mean(rows, "entropy"),
        self_certainty=_mean(rows, "self_certainty"),
    )


def depth_by_turn(frames: DepthFrames, setting_id: int | None = None) -> list[TurnPoint]:
    """The ratio at each turn, of one setting or of all, as far as enough trajectories get."""
    turns = frames.turns if setting_id is None else frames.turns.filter(setting=setting_id)
    turns = turns.filter(pl.col("dtr").is_not_null())
    started = turns["trajectory_id"].n_unique()
    enough = min(started, max(FEWEST, FEWEST_SHARE * started))
    points = []
    for turn in range(MOST_TURNS):
        rows = turns.filter(turn=turn)
        if rows.is_empty() or len(rows) < enough:
            break
        points.append(TurnPoint(turn, share_mean(rows, "dtr")))
    return points


def share_mean(rows: pl.DataFrame, column: str) -> Estimate:
    """Mean of shares, whose interval stays among shares."""
    estimate = _mean(rows, column)
    if estimate.low is None or estimate.high is None:
        return estimate
    return structs.replace(estimate, low=max(0.0, estimate.low), high=min(1.0, estimate.high))


def compare_unpaired(first: pl.DataFrame, second: pl.DataFrame, column: str) -> Estimate:
    """Mean of the second rows minus mean of the first, tasks resampled on either side."""
    a, b = by_task(first, column), by_task(second, column)
    if not a or not b:
        return missing("no trajectory with text on one side")
    return unpaired_difference(a, b, resamples=_resamples(len(a) + len(b)))


def _mean(rows: pl.DataFrame, column: str) -> Estimate:
    trials = by_task(rows, column)
    return clustered_mean(trials, resamples=_resamples(len(trials)))


def _compare_paired(rows: pl.DataFrame, first: str, second: str) -> Estimate:
    a, b = by_task(rows, first), by_task(rows, second)
    if not a:
        return missing("no trajectory has tokens of calls and others")
    return paired_difference(a, b, resamples=_resamples(len(a)))


def _resamples(tasks: int) -> int:
    return max(FEWEST_RESAMPLES, min(RESAMPLES, DRAWS // max(tasks, 1)))
