"""The benchmark of planning and scheduling: what its attempts came to, from a run's folder."""

from pathlib import Path

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.up_to_date import ensure_schedules
from agentdyno.studies.cost.unit import PTE_ALONE
from agentdyno_bench.tps.plans import TpsPlanOptions, tps_plans
from agentdyno_bench.tps.studies.attempts import attempts
from agentdyno_bench.tps.studies.settings import SettingMeasures, compare_settings


def measure_samples(out: Path) -> pl.DataFrame:
    """Every attempt of a run's folder."""
    return measure_ledger(out / "ledger")


def measure_ledger(ledger: Path) -> pl.DataFrame:
    """Every attempt of a ledger, with its cost in PTE; brings its tables up to date first."""
    ensure_schedules(ledger)
    return PTE_ALONE.on(attempts(Ledger(ledger)))


__all__ = [
    "SettingMeasures",
    "TpsPlanOptions",
    "compare_settings",
    "measure_ledger",
    "measure_samples",
    "tps_plans",
]
