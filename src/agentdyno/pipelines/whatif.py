"""Opens a ledger and asks what a change would save; reads traces again where texts decide."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.second_look import unreadable_inputs
from agentdyno.pipelines.sources import volume_trajectories
from agentdyno.records import Trajectory
from agentdyno.studies.whatif import WhatIfOptions, study_whatif
from agentdyno.studies.whatif.joined_turns import find_joins
from agentdyno.studies.whatif.results import WhatIf


def whatif(folder: Path, options: WhatIfOptions) -> tuple[WhatIf, pl.DataFrame]:
    """The answer, and a row for every trajectory under all changes together."""
    ledger = Ledger(folder)
    return study_whatif(ledger, options, partial(find_joins, lambda: _read_again(ledger)))


def _read_again(ledger: Ledger) -> Iterator[Trajectory]:
    missing = unreadable_inputs(ledger.manifest)
    for volume in ledger.manifest.volumes:
        yield from volume_trajectories(ledger.manifest, volume, missing)


__all__ = ["WhatIfOptions", "whatif"]
