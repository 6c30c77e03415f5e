"""The benchmark of planning and scheduling: plans to run, pictures, and what inference is worth.

tps_plans    every model with every level, selection and scheduling
tps_pictures schedules of a run as files
tps_truth    how well dependencies are inferred, on tasks whose graph is known

What a run is worth is asked in `studies.scheduling`.
"""

from pathlib import Path

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.bench.tps_plans import TpsPlanOptions, tps_plans
from agentdyno.pipelines.schedules import ensure_schedules
from agentdyno.studies.scheduling.attempts import attempts
from agentdyno.studies.scheduling.settings import SettingMeasures, compare_settings


def measure_samples(out: Path) -> pl.DataFrame:
    """Every attempt of a run's folder; brings its ledger's tables up to date first."""
    ensure_schedules(out / "ledger")
    return attempts(Ledger(out / "ledger"))


__all__ = [
    "SettingMeasures",
    "TpsPlanOptions",
    "compare_settings",
    "measure_samples",
    "tps_plans",
]
