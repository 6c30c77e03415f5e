"""Before and after, as figures: what the ledger recorded beside what was predicted."""

import numpy as np
import polars as pl

from agentdyno.cost.columns import Flags, Floats
from agentdyno.records import InputError
from agentdyno.studies.cost.unit import architectures_of
from agentdyno.studies.whatif.edit import Change
from agentdyno.studies.whatif.options import WhatIfOptions
from agentdyno.studies.whatif.prediction import Predicted
from agentdyno.studies.whatif.recorded import Recorded
from agentdyno.studies.whatif.results import Figure, Scenario

RECORDED = ("pte", "pte_growth", "usd")
"""What a ledger holds itself, and what must therefore come out again."""
FIGURES = ("pte", "pte_growth", "gpu_seconds", "usd")
PTE = ("pte", "pte_growth")
"""Those with a sum only where all trajectories ran on one architecture."""
NO_TIMES = "no timestamps that tell how long the pauses were"
EQUAL = 1e-6
"""Relative difference up to which a recomputed cost is the recorded one."""

KEPT = ["trajectory_id", "model", "benchmark", "variant", "task_id", "attempt"]


class Before:
    """The recorded costs, checked against their recomputation."""

    def __init__(self, recorded: Recorded, again: Predicted) -> None:
        self.recorded = recorded
        rows = recorded.trajectories
        self.values: dict[str, Floats] = {
            name: rows[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in RECORDED
        }
        self.turns = again.turns
        self.adds_up = architectures_of(rows) < 2
        """Whether PTE of its trajectories have one unit."""
        for name, values in self.values.items():
            self._check(name, values, getattr(again, name))
        self.values["gpu_seconds"] = again.gpu_seconds

    def _check(self, name: str, recorded: Floats, again: Floats) -> None:
        unknown = np.isnan(recorded)
        differ = (unknown != np.isnan(again)) | (
            np.abs(recorded - again) > EQUAL * np.maximum(np.abs(recorded), 1e-3)
        )
        if differ.any():
            raise InputError(
                f"the ledger's {name} cannot be computed again ({int(differ.sum()):,} of "
                f"{len(recorded):,} trajectories differ): an architecture, an accelerator or a "
                "price has changed since. Measure the traces again into a new ledger."
            )

    def notes(self, options: WhatIfOptions) -> list[str]:
        """What to know besides the assumptions."""
        rows = self.recorded.trajectories
        lines = []
        if options.drop_tools and rows["parent_id"].null_count() < len(rows):
            lines.append("sub-agents that a dropped tool started stay: they are not its calls.")
        guessed = int((rows["token_source"] != "reported").sum())
        if guessed and guessed < len(rows):
            lines.append(f"Output of {guessed:,} runs is estimated; input is as billed.")
        return lines


def build_scenario(before: Before, changes: list[Change], after: Predicted) -> Scenario:
    """The figures of one change, or of several together."""
    silent = _silent(changes, after)
    open_to_say = ~_any(silent, len(after.pte))
    return Scenario(
        title=", ".join(change.title for change in changes),
        touched="; ".join(change.touched for change in changes),
        turns_before=int(before.turns.sum()),
        turns_after=int(after.turns.sum()),
        figures=[_figure(name, before, after, open_to_say, changes) for name in FIGURES],
        cannot_say={reason: int(flags.sum()) for reason, flags in silent if flags.any()},
    )


def per_trajectory(before: Before, changes: list[Change], after: Predicted) -> pl.DataFrame:
    """One row per trajectory: turns, costs before and after, and why nothing can be said."""
    silent = _silent(changes, after)
    mute = _any(silent, len(after.pte))
    rows = before.recorded.trajectories.select(KEPT).with_columns(
        pl.Series("turns_before", before.turns), pl.Series("turns_after", after.turns)
    )
    for name in FIGURES:
        predicted = np.where(mute, np.nan, getattr(after, name))
        rows = rows.with_columns(
            pl.Series(f"{name}_before", before.values[name]).fill_nan(None),
            pl.Series(f"{name}_after", predicted).fill_nan(None),
        )
    reasons = [
        "; ".join(reason for reason, flags in silent if flags[i]) or None for i in range(len(mute))
    ]
    return rows.with_columns(pl.Series("cannot_say", reasons, dtype=pl.String))


def _silent(changes: list[Change], after: Predicted) -> list[tuple[str, Flags]]:
    """Reasons why nothing is said, with the trajectories they concern."""
    reasons = [pair for change in changes for pair in change.cannot_say]
    return [*reasons, (NO_TIMES, after.unsure)]


def find_silent(changes: list[Change], unsure: Flags) -> Flags:
    """Trajectories of which nothing can be said under the changes."""
    reasons = [pair for change in changes for pair in change.cannot_say]
    return _any([*reasons, (NO_TIMES, unsure)], len(unsure))


def _any(silent: list[tuple[str, Flags]], many: int) -> Flags:
    mute = np.zeros(many, dtype=bool)
    for _, flags in silent:
        mute |= flags
    return mute


def _figure(
    name: str, before: Before, after: Predicted, sayable: Flags, changes: list[Change]
) -> Figure:
    was, is_now = before.values[name], getattr(after, name)
    covered = sayable & ~np.isnan(was) & ~np.isnan(is_now)
    if name in PTE and not before.adds_up:
        covered = np.zeros_like(covered)
    many = int(covered.sum())
    first, second = float(was[covered].sum()), float(is_now[covered].sum())
    return Figure(
        name=name,
        before=first if many else None,
        after=second if many else None,
        difference=second - first if many else None,
        change=(second - first) / first if many and first else None,
        before_mean=first / many if many else None,
        after_mean=second / many if many else None,
        trajectories=many,
        left_out=len(covered) - many,
        assumption=_assumption(name, changes),
    )


def _assumption(name: str, changes: list[Change]) -> str:
    assumptions = [change.assumption for change in changes]
    if name == "usd":
        assumptions += [change.money_assumption for change in changes if change.money_assumption]
    return " ".join(dict.fromkeys(assumptions))
