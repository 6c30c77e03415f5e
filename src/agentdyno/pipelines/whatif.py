"""Opens a ledger and asks what a change would save; reads traces again where texts decide."""

from functools import partial
from pathlib import Path

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.joined_turns import find_joins
from agentdyno.studies.whatif import WhatIfOptions, study_whatif
from agentdyno.studies.whatif.results import WhatIf


def whatif(folder: Path, options: WhatIfOptions) -> tuple[WhatIf, pl.DataFrame]:
    """The answer, and a row for every trajectory under all changes together."""
    ledger = Ledger(folder)
    return study_whatif(ledger, options, partial(find_joins, ledger))


__all__ = ["WhatIfOptions", "whatif"]
