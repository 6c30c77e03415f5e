"""A stretch of a ledger is what a ledger of that stretch would say, and opens nothing else."""

import shutil
import time
from pathlib import Path

import polars as pl
import pytest
from msgspec.structs import replace

from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.volume_tables import VolumeTables
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_overview
from agentdyno.pipelines.samples import sample_traces
from agentdyno.records import InputError
from agentdyno.studies.selection import SelectedTables, Selection, matches, read_selection
from agentdyno.studies.views import View, apply_view
from tests.conftest import ROOT

pytestmark = pytest.mark.daily

WEEK = ROOT / "examples" / "week"


@pytest.fixture(scope="module")
def week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four sessions of four days, each file a volume of its own."""
    folder = tmp_path_factory.mktemp("week")
    timed = [path for path in sorted(WEEK.rglob("*.jsonl")) if "timestamp" in path.read_text()]
    for number, path in enumerate(timed):
        target = folder / "traces" / f"{number}.jsonl"
        target.parent.mkdir(exist_ok=True)
        shutil.copy(path, target)
        options = MeasureOptions(workers=1, costs_only=True)
        measure([folder / "traces"], folder / "ledger", options)
    return folder / "ledger"


def sum_usd(rows: pl.DataFrame) -> float:
    return float(rows["usd"].sum())


def test_two_halves_of_a_session_add_up_and_its_texts_pay_in_both(week: Path) -> None:
    ledger = Ledger(week)
    turns = ledger.read("turns").sort("started_at")
    middle = float(turns["started_at"].median() or 0.0)
    halves = [
        SelectedTables(ledger, each) for each in (Selection(until=middle), Selection(since=middle))
    ]
    for table in ("turns", "trajectories", "parts"):
        whole = sum_usd(ledger.read(table))
        assert sum(sum_usd(half.read(table)) for half in halves) == pytest.approx(whole)
    for half in halves:
        assert 0 < len(half.read("turns")) < len(turns)
        # What turns cost is what the texts in them cost, cut or not.
        assert sum_usd(half.read("parts")) == pytest.approx(sum_usd(half.read("turns")))
        assert (
            half.read("turns").group_by("trajectory_id").agg(pl.col("turn").min())["turn"].to_list()
            == [0] * half.read("turns")["trajectory_id"].n_unique()
        )
    cut = {*halves[0].read("turns")["trajectory_id"]} & {*halves[1].read("turns")["trajectory_id"]}
    assert cut  # The middle is inside a session, else nothing was cut.


def test_a_view_with_other_prices_is_cut_after_it_is_priced(week: Path, tmp_path: Path) -> None:
    models = Ledger(week).read("turns")["model"].unique()
    prices = "".join(
        f'["{name}"]\ninput=1\noutput=1\ncached_input=1\ncache_write=1\nas_of=2026-01-01\n'
        for name in models
    )
    (tmp_path / "p.toml").write_text(prices)
    view = View(prices=str(tmp_path / "p.toml"))
    ledger = Ledger(week)
    whole = apply_view(ledger, view).read("turns").sort("started_at")
    middle = float(whole["started_at"].median() or 0.0)
    late = apply_view(ledger, replace(view, selection=Selection(since=middle)))
    expected = sum_usd(whole.filter(pl.col("started_at") >= middle))
    assert sum_usd(late.read("turns")) == pytest.approx(expected)
    assert sum_usd(late.read("parts")) == pytest.approx(expected)


def test_a_volume_outside_of_it_is_not_opened(week: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    newest = float(Ledger(week).read("turns")["started_at"].max())  # type: ignore[arg-type]
    view = View(selection=Selection(since=newest - 60))
    build_overview(week, view)  # Notes what each volume holds.
    opened = set[str]()
    scan = VolumeTables.scan

    def note(tables: VolumeTables, table: str) -> pl.LazyFrame:
        opened.update(tables._volumes)
        return scan(tables, table)

    monkeypatch.setattr(VolumeTables, "scan", note)
    build_overview(week, view)
    assert len(opened) == 1 < len(Ledger(week).manifest.volumes)


def test_by_project_model_agent_and_branch(week: Path) -> None:
    ledger = Ledger(week)
    rows = ledger.read("trajectories")
    for field, column in (("project", "project"), ("branch", "branch"), ("agent", "format")):
        name = rows[column].drop_nulls()[0]
        chosen = SelectedTables(ledger, Selection(where=((field, name),)))
        expected = rows.filter(pl.col(column) == name)
        assert chosen.read("trajectories")["trajectory_id"].to_list() == [
            *expected["trajectory_id"]
        ]
    model = ledger.read("turns")["model"][0]
    by_model = SelectedTables(ledger, Selection(where=(("model", f"*{model[-6:]}"),)))
    assert set(by_model.read("turns")["model"]) == {model}
    assert not SelectedTables(ledger, Selection(where=(("model", "none"),))).volumes


def test_names_match_whole_or_by_the_end_of_a_path_in_any_case() -> None:
    assert matches("/home/ada/shop", ["shop"])
    assert matches("/home/ada/shop", ["ada/shop"])
    assert matches("C:\\src\\Shop", ["shop"])
    assert matches("claude_code", ["Claude Code"])
    assert not matches("/home/ada/workshop", ["shop"])
    assert not matches(None, ["*"])


def test_what_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        found = read_selection("2026-03-01", "2026-03-01", None, ["project=a,model=b"])
    finally:
        monkeypatch.undo()
        time.tzset()
    # A day in Berlin in winter: from 23:00 in UTC to 23:00.
    assert found == Selection(1772319600.0, 1772406000.0, (("project", "a"), ("model", "b")))
    assert read_selection() is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("2026-02-31",), "--since: expected a day"),
        ((None, "soon"), "--until: expected a day"),
        ((None, None, "7 days"), "--last: expected hours, days or weeks"),
        ((None, None, "0d"), "--last: expected hours, days or weeks"),
        (("2026-03-01", None, "7d"), "--last: expected no --since"),
        ((None, None, None, ["folder=x"]), "--where: expected project="),
        ((None, None, None, ["project"]), "--where: expected project="),
    ],
)
def test_what_cannot_be_read_says_what_was_expected(words: tuple[str], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        read_selection(*words)


def test_the_week_has_sessions_without_times_too(tmp_path: Path) -> None:
    """What has no time is in no stretch of time."""
    measure([sample_traces()], tmp_path / "ledger", MeasureOptions(workers=1, costs_only=True))
    ledger = Ledger(tmp_path / "ledger")
    untimed = ledger.read("trajectories").filter(pl.col("started_at").is_null())
    chosen = SelectedTables(ledger, Selection(since=0.0)).read("trajectories")
    assert len(untimed)
    assert not {*untimed["trajectory_id"]} & {*chosen["trajectory_id"]}
