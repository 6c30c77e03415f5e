"""The dyno sheet for people: a row a measure, a column a setting."""

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import plural
from agentdyno.reports.numbers import UNKNOWN, estimate, figure, label, name_setting, short_names
from agentdyno.reports.section import Section
from agentdyno.reports.topic import Topic, TopicColumn, TopicTable, Value
from agentdyno.studies.sheet import Kind, Sheet, has_attempts, study_sheet


def render_sheet(sheet: Sheet) -> Topic:
    """The table, and the commands that supply what it lacks."""
    is_single = len(sheet.settings) == 1
    names = ["value"] if is_single else short_names(sheet.settings)
    setting = f"{name_setting(sheet.settings[0], 100)}. " if is_single else ""
    heads = [TopicColumn(name) for name in ("measure", *names)]  # A name may hold a colon.
    rows: list[list[Value]] = [["attempts", *(f"{many:,}" for many in sheet.attempts)]]
    rows += [[row.measure, *(_write(v, row.kind) for v in row.values)] for row in sheet.rows]
    notes = [f"{gap.measure}: {gap.command}" for gap in sheet.missing]
    if sheet.left_out:
        notes.append(f"{plural(sheet.left_out, 'more setting')} in the report's other sections.")
    return Topic(
        anchor="sheet",
        title="Dyno sheet",
        lead=f"{setting}{_describe_pte(sheet)}",
        notes=notes,
        charts=[],
        tables=[TopicTable("Measures by setting", heads, rows, False, whole=True)],
    )


def _describe_pte(sheet: Sheet) -> str:
    """What PTE rest on: the cache, and each architecture with its gamma."""
    used = [
        f"{label(each.architecture)}{' (a proxy)' if each.source == 'proxy' else ''}, "
        f"gamma {figure(each.gamma, 'gamma')}"
        for each in sheet.gammas
    ]
    several = " PTE of several architectures have different units." if len(used) > 1 else ""
    of = f" of {'; '.join(used)}" if used else ""
    return f"{sheet.pte_name}{of}, with the cache evicted before every turn.{several}"


def _write(value: Estimate, kind: Kind) -> str:
    if value.value is None:
        return UNKNOWN
    return estimate(value, kind) if value.low is not None else figure(value.value, kind)


SHEET = Section("sheet", study_sheet, render_sheet, Sheet, applies=has_attempts)
