"""Attempts at our own planning tasks as a topic of a report."""

from agentdyno.reports.topic import Topic
from agentdyno_bench.tps.report.tables import build_planning_tables, draw_planning
from agentdyno_bench.tps.report.words import describe_planning, list_planning_notes
from agentdyno_bench.tps.studies.report import Planning


def render_planning(planning: Planning) -> Topic:
    return Topic(
        anchor="planning",
        title="Were the planning tasks done?",
        lead=describe_planning(planning),
        notes=list_planning_notes(planning),
        charts=draw_planning(planning),
        tables=build_planning_tables(planning),
    )
