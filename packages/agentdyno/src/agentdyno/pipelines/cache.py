"""Opens a ledger and asks what its cache cost; no trace is read again."""

from pathlib import Path

import polars as pl

from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.studies.cache import CacheEconomics, study_cache, turn_costs
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.views import View, apply_view_with_texts


def cache_economics(
    folder: Path, view: View | None = None
) -> tuple[CacheEconomics | None, pl.DataFrame]:
    """The answer, and a row for every turn."""
    context = ReportContext(apply_view_with_texts(ReadableLedger(local_folder(folder)), view))
    return study_cache(context), turn_costs(context)
