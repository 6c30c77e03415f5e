"""Opens a ledger and asks what its cache cost; no trace is read again."""

from pathlib import Path

import polars as pl

from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.studies.cache import CacheEconomics, study_cache, turn_costs
from agentdyno.studies.inquiry import Inquiry
from agentdyno.studies.views import View, viewed_texts


def cache_economics(
    folder: Path, view: View | None = None
) -> tuple[CacheEconomics | None, pl.DataFrame]:
    """The answer, and a row for every turn."""
    inquiry = Inquiry(viewed_texts(ReadableLedger(local_folder(folder)), view))
    return study_cache(inquiry), turn_costs(inquiry)
