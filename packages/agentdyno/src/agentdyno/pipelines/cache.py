"""Opens a ledger and asks what its cache cost; no trace is read again."""

from pathlib import Path

import polars as pl

from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno.studies.cache import CacheEconomics, study_cache, turn_costs
from agentdyno.studies.cache_evidence import CacheEvidence, study_evidence
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.views import View, apply_view


def cache_economics(
    folder: Path, view: View | None = None, selection: str = ""
) -> tuple[CacheEconomics, pl.DataFrame]:
    """The answer, and a row for every turn. `selection` is what the view leaves in, in words."""
    context = _open(folder, view)
    return _study(context, folder, selection), turn_costs(context)


def cache_evidence(folder: Path, loss: str, view: View | None = None) -> CacheEvidence:
    """What the ledger has about one loss."""
    context = _open(folder, view)
    return study_evidence(context, _study(context, folder), loss)


def _open(folder: Path, view: View | None) -> ReportContext:
    return ReportContext(apply_view(ReadableLedger(local_folder(folder)), view))


def _study(context: ReportContext, folder: Path, selection: str = "") -> CacheEconomics:
    economics = study_cache(context)
    if economics is None:
        raise InputError(f"{folder}: expected turns with a reported cache{selection}, found none.")
    return economics
