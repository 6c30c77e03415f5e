"""The page over the week that `make week` measures: three answers, the bill, the levers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import Report, build_report
from agentdyno.reports.html import render_page
from agentdyno.reports.topic import Place, StackChart
from tests.conftest import ROOT
from tests.fake_secrets import FAKES

WEEK = ROOT / "examples" / "week"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("week") / "ledger"
    return measure([WEEK], folder, MeasureOptions(workers=1)).ledger


@pytest.fixture(scope="module")
def report(ledger: Path) -> Report:
    return build_report(ledger, excerpts=True)


def test_committed_files_equal_what_the_generator_writes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "examples/make_week.py", tmp_path], check=True)
    committed = {file.name: file.read_bytes() for file in WEEK.iterdir()}
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == committed


def test_the_first_table_answers_the_three_questions_of_the_guide(report: Report) -> None:
    table = report.topics[0].tables[0]
    said = [
        (what, which.text if isinstance(which, Place) else which, f"{cost:.3f}")
        for what, which, cost in table.rows
    ]
    assert said == [
        ("The most expensive file", "ada/shop/checkout.py, 5 calls", "0.066"),
        ("The costliest pause", "14.0 min in “Add vouchers to the checkout.”", "0.119"),
        ("An MCP server that nobody called",
         "calendar: 8 tools, 1,200 tokens in every context", "0.010"),
    ]  # fmt: skip
    guide = (ROOT / "docs/guides/read-the-page.md").read_text(encoding="utf-8")
    assert all(text in guide for text in ("$0.066", "$0.119", "$0.010", "1,200 tokens"))


def test_bars_of_the_bill_add_up_to_the_money_and_to_what_was_lost(report: Report) -> None:
    found = report.results["glance"]
    bars = found.highlights.bill.bars
    assert [bar.name for bar in bars] == [
        "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "no date",
    ]  # fmt: skip
    for bar in bars:
        assert sum(bar.parts.values()) == pytest.approx(bar.usd)
    assert sum(bar.usd for bar in bars) == pytest.approx(found.summary.usd)
    lost = found.highlights.bill.parts["lost"]
    assert lost == pytest.approx(report.results["cache"].rewritten.usd)
    assert f"lost cache paid again 25 % (${lost:.3f})" in report.topics[0].terms[1].text
    [chart] = report.topics[0].charts
    assert isinstance(chart, StackChart)


def test_shares_are_of_all_money_where_only_some_sessions_have_a_bar(tmp_path: Path) -> None:
    """Ten sessions of one day: eight have a bar."""
    chats = [
        {"model": "gpt-4o", "session_id": f"s{n}", "messages": [
            {"role": "user", "content": f"Roses {n}? " * (n + 1)},
            {"role": "assistant", "content": "Red. " * (40 - 4 * n)}]}
        for n in range(10)
    ]  # fmt: skip
    traces = tmp_path / "a.jsonl"
    traces.write_text("\n".join(map(json.dumps, chats)))
    folder = measure([traces], tmp_path / "ledger", MeasureOptions(workers=1)).ledger
    found = build_report(folder).results["glance"]
    bill = found.highlights.bill
    assert (bill.by, len(bill.bars), bill.left_out) == ("session", 8, 2)
    assert bill.usd == pytest.approx(found.summary.usd)
    assert sum(bill.parts.values()) == pytest.approx(bill.usd)


def test_a_week_of_five_sessions_bears_no_lever(report: Report) -> None:
    """Its unused server stood in the context of one session, its long pause in another."""
    assert "levers" not in report.results
    assert "no single change that would surely save" in report.topics[0].terms[2].text


def test_files_sessions_calls_and_losses_link_to_their_turn(report: Report) -> None:
    page = render_page(report.title, report.topics)
    for section in ("glance", "cache", "spending", "sessions", "calls"):
        start = page.index(f'<section id="{section}"')
        assert 'class="open" href="#trajectory-' in page[start : page.index("</section>", start)]


def test_excerpts_hold_no_secret_and_a_shared_page_no_excerpt(tmp_path: Path) -> None:
    secret, hidden = FAKES["anthropic-key"]
    call = {"id": "1", "function": {"name": "shell", "arguments": json.dumps(
        {"command": f"curl -H 'x-api-key: {secret}' https://garden.example"})}}  # fmt: skip
    said = [
        {"role": "user", "content": "Water the roses."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": f"watered {secret} plants"},
        {"role": "assistant", "content": "Done."},
    ]
    traces = tmp_path / "a.jsonl"
    traces.write_text(json.dumps({"model": "gpt-4o", "messages": said}))
    folder = measure([traces], tmp_path / "ledger", MeasureOptions(workers=1)).ledger
    pages = {
        share: render_page("x", build_report(folder, excerpts=True, share=share).topics)
        for share in (False, True)
    }
    assert "garden.example" in pages[False]
    assert "watered" in pages[False]
    assert hidden not in pages[False]
    assert "garden" not in pages[True]
    assert "watered" not in pages[True]
