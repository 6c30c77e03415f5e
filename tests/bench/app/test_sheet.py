"""Rows that judges add to the dyno sheet."""

from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import measure
from agentdyno.pipelines.measure_options import MeasureOptions
from agentdyno.pipelines.report import build_overview
from agentdyno.studies.sheet import SUPPLIED_BY, Sheet
from agentdyno_bench.shared.judging.verdicts import add_verdicts, volumes_of
from agentdyno_bench.shared.records.verdicts import Verdict
from tests.ledger.traces import write_jsonl


def _sheet(ledger: Path) -> Sheet:
    sheet: Sheet = build_overview(ledger, only=("sheet",)).results["sheet"]
    return sheet


def _verdict(trajectory: str, score: float) -> Verdict:
    return Verdict(
        kind="completion", trajectory_id=trajectory, judge="completion", model="m",
        label="some", score=score, rubric="r", digest=trajectory,
    )  # fmt: skip


def test_completion_that_judges_saw_is_on_the_sheet_of_any_logs(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(
        '[qwen3-32b]\ninput = 1\noutput = 2\ncached_input = 0.1\nas_of = "2026-01-01"\n'
    )
    traces = write_jsonl(tmp_path / "a.jsonl", range(4))
    options = MeasureOptions(workers=1, prices=str(prices))
    ledger = measure([traces], tmp_path / "l", options).ledger
    supplied = SUPPLIED_BY["planning"][0]
    assert supplied in [missing.measure for missing in _sheet(ledger).missing]
    places = volumes_of(Ledger(ledger))
    scores = [0.25, 0.75, 1.0, 0.0]
    scored = zip(sorted(places), scores, strict=True)
    add_verdicts(ledger, [(places[name], _verdict(name, score)) for name, score in scored])
    sheet = _sheet(ledger)
    values = {row.measure: row.values[0].value for row in sheet.rows}
    usd = Ledger(ledger).read("trajectories")["usd"].mean()
    assert values["completion, judged"] == pytest.approx(0.5)
    assert values["cost-of-pass, judged"] == pytest.approx(usd / 0.5)
    assert supplied not in [missing.measure for missing in sheet.missing]
