"""The row of the dyno sheet that recorded depth gives."""

from collections.abc import Sequence

from agentdyno.records.settings import SettingName
from agentdyno.studies.readings import missing
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sheet import SheetPart, SheetRow
from agentdyno_depth.studies.depth.report import study_depth


def measure_depth(context: ReportContext, settings: Sequence[SettingName]) -> list[SheetRow]:
    """Mean deep-thinking ratio of each setting."""
    depth = study_depth(context)
    if depth is None:
        return []
    ratios = {row.setting: row.dtr for row in [*depth.rows, depth.everything]}
    only = depth.everything.dtr if len(settings) == 1 else missing("not measured")
    return [SheetRow("DTR", "share", [ratios.get(setting, only) for setting in settings])]


DEPTH = SheetPart("depth", f"{__name__}:measure_depth", "depth")
