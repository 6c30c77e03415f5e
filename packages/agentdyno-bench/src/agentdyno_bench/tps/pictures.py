"""Schedules of a run as pictures: files of their own, for a look without the report."""

import re
from pathlib import Path

from agentdyno.ledger.reader import Ledger
from agentdyno.reports.schedule import schedule_file
from agentdyno.reports.topic import LanesChart
from agentdyno.studies.scheduling.lanes import schedule_lanes
from agentdyno_bench.tps.studies.attempts import attempts


def draw_samples(out: Path, count: int) -> list[Path]:
    """Draws the first attempts that made calls, one task in all its settings before the next."""
    ledger = Ledger(out / "ledger")
    drawn: list[Path] = []
    for row in attempts(ledger).sort("task", maintain_order=True).iter_rows(named=True):
        if len(drawn) == count:
            break
        name = _file_name(row["task"], row["model"], row["variant"])
        lanes = schedule_lanes(ledger, row["trajectory_id"])
        if lanes is not None:
            chart = LanesChart(name, name, lanes.bars, lanes.turns, lanes.axis)
            file = out / "schedules" / f"{name}.svg"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(schedule_file(chart), encoding="utf-8")
            drawn.append(file)
    return drawn


def _file_name(*parts: str | None) -> str:
    """Task, model without its provider, and variant, as letters that any folder takes."""
    named = [part.rpartition("/")[2] for part in parts if part]
    return re.sub(r"[^\w.-]+", "_", "-".join(named))
