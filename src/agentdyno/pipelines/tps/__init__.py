"""The benchmark of planning and scheduling: plans to run, pictures, and what inference is worth.

plans    every model with every level, selection and scheduling
picture  schedules of a run as files
truth    how well dependencies are inferred, on tasks whose graph is known

What a run is worth is measured in `pipelines.planning`.
"""

from agentdyno.pipelines.planning.attempts import measure_samples
from agentdyno.pipelines.planning.settings import SettingMeasures, compare_settings
from agentdyno.pipelines.tps.plans import TpsPlanOptions, tps_plans

__all__ = [
    "SettingMeasures",
    "TpsPlanOptions",
    "compare_settings",
    "measure_samples",
    "tps_plans",
]
