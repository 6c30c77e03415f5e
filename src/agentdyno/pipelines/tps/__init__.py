"""Planning and scheduling: plans to run, marks read back from logs, measures and comparisons.

plans     every model with every level, selection and scheduling
marks     what the logs say about each sample
measures  schedule, selection and cost of each sample
settings  one row for each model, level, selection and scheduling; judge against program
truth     how well dependencies are inferred, on tasks whose graph is known
"""

from agentdyno.pipelines.tps.measures import SampleMeasures, measure_samples
from agentdyno.pipelines.tps.plans import TpsPlanOptions, tps_plans
from agentdyno.pipelines.tps.settings import SettingMeasures, compare_settings

__all__ = [
    "SampleMeasures",
    "SettingMeasures",
    "TpsPlanOptions",
    "compare_settings",
    "measure_samples",
    "tps_plans",
]
