"""Derived tables while traces are measured: the texts are at hand, so nobody reads them again.

Takes the trajectories of a batch and the rows that were measured of them, holds what each
derivation makes of them, and writes it into the draft of their volume. What fails here costs no
row of costs: the draft gets no derived tables then, and the next report tries, and says what is
wrong.
"""

from collections.abc import Sequence

import polars as pl
from msgspec import structs

from agentdyno.intake.cleaning import clean_trajectories
from agentdyno.ledger.drafts import Draft
from agentdyno.ledger.reader import empty_table
from agentdyno.records import Trajectory
from agentdyno.studies.derivation import Frames, Ground, derive_rows, load_derivations


class Deriving:
    """The derived rows of one job."""

    def __init__(self, ground: Ground, keep_secrets: bool) -> None:
        self._ground, self._keep_secrets = ground, keep_secrets
        self._rows: dict[str, list[pl.DataFrame]] = {}
        self._derivations = load_derivations()
        self._versions = [dict(derivation.versions()) for derivation in self._derivations]
        self._failed = False
        try:
            self._makers = [derivation.begin(ground) for derivation in self._derivations]
        except Exception:
            self._failed = True

    def add(self, trajectories: Sequence[Trajectory], frames: Frames) -> None:
        """Works out the rows of those trajectories whose costs are in `frames`."""
        if self._failed:
            return
        measured = set(frames["trajectories"]["trajectory_id"])
        measured_trajectories = [
            trajectory for trajectory in trajectories if trajectory.trajectory_id in measured
        ]
        try:
            self._make(
                measured_trajectories if self._keep_secrets else _clean(measured_trajectories),
                frames,
            )
        except Exception:
            self._failed = True

    def _make(self, trajectories: Sequence[Trajectory], frames: Frames) -> None:
        for table, rows in derive_rows(self._makers, trajectories, frames):
            self._rows.setdefault(table, []).append(rows)

    def write(self, draft: Draft) -> None:
        """Writes what was worked out, one file a table."""
        if self._failed:
            return
        frames = {table: pl.concat(rows) for table, rows in self._rows.items()}
        for derivation, versions in zip(self._derivations, self._versions, strict=True):
            for table in derivation.written(frames):
                draft.derive(table, frames.get(table, empty_table(table)), versions)


def _clean(trajectories: Sequence[Trajectory]) -> list[Trajectory]:
    """Without secrets, but with the ids that their rows have; a draft cleans those of all rows."""
    return [
        clean
        if clean.trajectory_id == trajectory.trajectory_id
        else structs.replace(clean, trajectory_id=trajectory.trajectory_id)
        for trajectory, clean in zip(trajectories, clean_trajectories(trajectories), strict=True)
    ]
