"""What has no price, what is estimated and which unit stands on top: said in the first lines."""

from pathlib import Path

import polars as pl
import pytest

from agentdyno.cli.session_line import describe
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.report import Report, build_report
from agentdyno.pipelines.session_states import SessionState
from agentdyno.reports.cells import cell_text
from agentdyno.reports.topics.cache import describe_charged
from agentdyno.reports.topics.cost.headline import describe_headline, describe_unpriced
from agentdyno.reports.topics.spending import render_spending
from agentdyno.studies.cost.unit import add_known_money, choose_unit
from tests.pipelines.ledger_builder import LedgerRows
from tests.reports.summaries import summary

NO_PRICE = {"model": "orchard-9"}


def mixed(folder: Path) -> Path:
    """A session of $0.50 whose call starts a sub-agent without a price, and another like it."""
    started = {"parent_id": "main", "parent_call_id": "toolu_1", "usd": None, **NO_PRICE}
    rows = LedgerRows().trajectory("main", 100.0, usd=0.5, session_id="s", calls=1)
    rows.turn("main", 0, 100.0, usd=0.5, calls=1)
    rows.call("main", 0, "Task", call_id="toolu_1", pte=20.0, usd=0.1, subject="Explore",
              subject_kind="sub-agent")  # fmt: skip
    rows.part("main", "request", 20.0, usd=0.1)
    for name in ("helper", "second"):
        rows.trajectory(name, 300.0, session_id="s", **started)
        rows.turn(name, 0, 300.0, usd=None, **NO_PRICE)
        rows.call(name, 0, "Read", pte=50.0, usd=None, subject="a.py", subject_kind="file")
        rows.part(name, "result", 50.0, usd=None, name="Read")
    return rows.write(folder, unit_chosen=False)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return build_report(mixed(tmp_path_factory.mktemp("mixed") / "ledger"))


def test_a_sub_agent_without_a_price_costs_no_price_and_is_counted(report: Report) -> None:
    [spent] = report.results["spending"].kinds["sub-agent"]
    assert (spent.cost, spent.below_cost, spent.unpriced_agents) == (pytest.approx(0.1), None, 2)
    tables = {table.title: table for table in render_spending(report.results["spending"]).tables}
    table = tables["Sub-agents"]
    cells = [cell_text(value, head.kind)
             for head, value in zip(table.columns, table.rows[0], strict=True)]  # fmt: skip
    named = dict(zip((head.title for head in table.columns), cells, strict=True))
    assert (named["its own turns"], named["its calls"]) == ("no price", "$0.100")
    assert named["agents left out"] == "2"
    [file] = report.results["spending"].kinds["file"]
    assert (file.cost, file.unpriced_calls) == (None, 2)


def test_no_figure_of_something_without_a_price_is_zero_dollars(report: Report) -> None:
    found = report.results
    assert found["agents"].started.cost is found["agents"].started.usd is None
    assert found["agents"].started.unpriced == 2
    assert [(each.name, each.usd, each.unpriced_turns) for each in found["sessions"].groups["model"]
            ] == [("m", 0.5, 0), ("orchard-9", None, 2)]  # fmt: skip
    assert [each.cost for each in found["fuel"].tools if each.tool == "Read"] == [None]
    kinds = {each.kind: each.cost for each in found["glance"].summary.kinds}
    assert kinds == {"request": pytest.approx(0.1), "result": None}


def test_money_is_the_unit_where_anything_has_a_price(report: Report) -> None:
    found = report.results["glance"].summary
    assert (found.unit, found.cost, found.unpriced, found.unpriced_turns) == ("usd", 0.5, 2, 2)
    assert "No price, so not in it: 2 of 3 turns" in report.topics[0].terms[0].text


def test_the_unit_that_was_asked_for_is_the_headline(tmp_path: Path) -> None:
    ledger = mixed(tmp_path / "ledger")
    rows = add_known_money(Ledger(ledger), Ledger(ledger).read("trajectories"))
    assert choose_unit(rows, {}) == "usd"
    assert choose_unit(rows, {"unit": "pte"}) == "pte"
    assert choose_unit(rows.with_columns(known_usd=pl.lit(None, pl.Float64)), {}) == "pte"


def test_without_any_price_the_headline_is_tokens_and_no_unit_that_nobody_pays() -> None:
    found = summary(unit="pte", unit_chosen=False, unpriced=4, unpriced_models={"orchard-9": 4})
    assert describe_headline(found) == "no price"
    assert describe_unpriced(found) == (
        "No price is known for orchard-9; --prices FILE gives one. Costs are in PTE instead."
    )
    assert describe_headline(summary(unit="pte", unit_chosen=True)) == "49.4k PTE"


@pytest.mark.parametrize(
    ("estimated", "headline"),
    [
        (30.0, "$100.00 ($30.00 of it estimated)"),
        (1.01, "$100.00 ($1.01 of it estimated)"),
        (1.0, "$100.00"),
        (0.0, "$100.00"),
    ],
)
def test_more_than_a_hundredth_of_estimates_is_in_the_headline(
    estimated: float, headline: str
) -> None:
    found = summary(unit="usd", cost=100.0, usd=100.0, estimated_usd=estimated)
    assert describe_headline(found) == headline


NOON = 1_767_614_400.0


def test_shares_of_the_bill_are_the_same_in_every_sentence(tmp_path: Path) -> None:
    rows = LedgerRows()
    paid = {"usd_read": 0.0, "usd_input": 0.0, "usd_output": 0.1, "usd_source": "list"}
    model = "claude-opus-4-5-20251101"
    rows.trajectory("a", 10.0, usd=0.726, model=model, turns=2, session_id="s", started_at=NOON)
    for turn, written in enumerate((40_000, 44_160)):
        # Nothing is read: what the first turn wrote is written again, at $6.25 a million.
        usd = written * 6.25e-6
        rows.turn("a", turn, 5.0, model=model, context_tokens=written, cached_tokens=0,
                  cache_write_tokens=written, decode_tokens=4000, usd=usd + 0.1, usd_write=usd,
                  started_at=NOON + 600 * turn, ended_at=NOON + 600 * turn + 5, **paid)  # fmt: skip
    found = build_report(rows.write(tmp_path / "l", "usd"), ("glance", "cache"))
    # $0.526 of writes: $0.25 for 40,000 tokens again, $0.276 for what is new; $0.20 of output.
    sentence = "new cache writes 38 %, output 28 %, lost cache paid again 34 % ($0.250"
    assert describe_charged(found.results["cache"]).startswith(sentence)
    assert found.topics[0].terms[1].text.lower().startswith(sentence)
    assert found.results["glance"].highlights.bill.parts == pytest.approx(
        found.results["cache"].charged
    )


def test_the_status_line_says_no_price() -> None:
    assert describe(SessionState("s", None, None, 3, None, None, None)) == "no price  3 turns"
