"""Every lever's figure worked out a second time, from the ledger's Parquet files, by polars alone:
no code of the product, and no prices of it but those that follow from Anthropic's multiples.
"""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.studies.levers import find_levers
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.turn_costs import study_turn_costs
from tests.conftest import ROOT

CORPUS = (ROOT.parent / "shared" / "data" / "claude_code_corpus").resolve()
ID, DAY = "trajectory_id", 86_400
INPUT = {"opus-4-1": 15e-6, "opus": 5e-6, "sonnet": 3e-6, "haiku": 1e-6}
"""USD of an input token by what a model's name holds. Read .1, written 1.25 or 2, output 5."""
DIAGNOSED = ["model_changed", "tools_changed", "system_changed", "messages_changed"]


@pytest.fixture(scope="module", params=["corpus", "week"])
def ledger(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    traces = CORPUS if request.param == "corpus" else ROOT / "examples" / "week"
    if not traces.is_dir():
        pytest.skip("the real sessions are not here: ../shared/data/claude_code_corpus")
    folder = tmp_path_factory.mktemp(request.param) / "ledger"
    return measure([traces], folder, MeasureOptions(workers=1)).ledger


def _read(ledger: Path, table: str) -> pl.DataFrame:
    files = [str(file) for file in (ledger / ".volumes" / table).glob("*.parquet")]
    return pl.read_parquet(files) if files else pl.DataFrame()


def _price(name: pl.Expr) -> pl.Expr:
    price = pl.lit(None, pl.Float64)
    for word, usd in reversed(INPUT.items()):
        price = pl.when(name.str.contains(word, literal=True)).then(usd).otherwise(price)
    return price


def _turns(ledger: Path) -> pl.DataFrame:
    """Turns with their main agent, prices, pauses, and what a pause alone lost."""
    trajectories = _read(ledger, "trajectories")
    parents = {k: v for k, v in trajectories.select(ID, "parent_id").iter_rows() if v}
    root = {name: name for name in trajectories[ID]}
    for name in root:
        while root[name] in parents:
            root[name] = parents[root[name]]
    number = pl.col("turn")
    before = {n: pl.col(n).shift().over(ID, order_by="turn") for n in ("model", "thinking")}
    sent = pl.coalesce("started_at", "ended_at")
    gone = (
        _read(ledger, "parts").filter(pl.col("kind") != "unseen", pl.col("leaves").is_not_null())
        .filter(pl.col("enters").is_not_null())
        .select(ID, turn=pl.col("leaves").cast(pl.Int64), left=pl.lit(value=True)).unique()
    )  # fmt: skip
    rows = (
        _read(ledger, "turns").with_columns(number.cast(pl.Int64)).sort(ID, "turn")
        .join(gone, on=[ID, "turn"], how="left", maintain_order="left")
        .join(trajectories.select(ID, "format", is_main=pl.col("parent_id").is_null()), on=ID)
        .with_columns(
            session=pl.col(ID).replace(root), p=_price(pl.col("model")), at=sent,
            left=pl.col("left").fill_null(value=False), context=pl.col("context_tokens"),
            read=pl.col("cached_tokens").fill_null(0),
            written=pl.col("cache_write_tokens").fill_null(0),
            hour=pl.col("cache_write_hour_tokens").fill_null(0),
        )
        .with_columns(
            held=pl.col("read") + pl.col("written"),
            pause=sent - sent.shift().over(ID, order_by="turn"),
        )
        .with_columns(
            before=pl.col("held").shift().over(ID, order_by="turn"),
            life=pl.when(pl.col("written") > 0).then(
                pl.when(2 * pl.col("hour") > pl.col("written")).then(3600.0).otherwise(300.0)
            ),
        )
        .with_columns(
            life=pl.col("life").shift().forward_fill().over(ID, order_by="turn").fill_null(300.0)
        )
    )  # fmt: skip
    lost = (pl.min_horizontal("before", "context") - pl.col("read")).clip(lower_bound=0)
    event = pl.col("context_event").fill_null("")
    is_gone = (
        event.is_in(["compacted", "cleared"])
        | (pl.col("model") != before["model"])
        | (pl.col("thinking") != before["thinking"]).fill_null(value=False)
        | ((pl.col("context") < pl.col("before")) & ~pl.col("left") & (event != "rewound"))
        | pl.col("cache_miss_reason").fill_null("").is_in(DIAGNOSED)
    )
    return rows.with_columns(
        known=pl.col("cached_tokens").is_not_null()
        & pl.col("cache_write_tokens").is_not_null()
        & (pl.col("held").sum().over(ID) > 0)
        & (pl.col("usd_source") != "reported"),
        lost=pl.when((pl.col("pause") > pl.col("life")) & ~is_gone).then(lost).fill_null(0.0),
    )


def _save(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """What an alternative saves, by turn."""
    p, read, written, hour = (pl.col(n) for n in ("p", "read", "written", "hour"))
    now = _context(read, written, hour)
    if name in ("1h", "5m"):
        life = 3600.0 if name == "1h" else 300.0
        expired = (pl.col("pause") > life) & (pl.col("pause") <= pl.col("life"))
        back = pl.when(pl.col("pause") <= life).then(pl.col("lost")).otherwise(0.0)
        moved = back - pl.when(expired).then(read).otherwise(0.0)
        wrote = (written - moved).clip(lower_bound=0)
        then = _context(read + moved, wrote, wrote if name == "1h" else pl.lit(0.0))
        return rows.filter("known").select("session", "format", saved=p * (now - then))
    if name.startswith("alive"):
        seconds = float(name.split()[1])
        back = pl.when(pl.col("pause") <= pl.max_horizontal("life", pl.lit(seconds)))
        back = back.then(pl.col("lost")).otherwise(0.0)
        wrote = (written - back).clip(lower_bound=0)
        share = pl.when(written > 0).then(hour / written).otherwise(0.0)
        last = pl.col("turn") == pl.col("turn").max().over(ID)
        until = pl.when(last & pl.col("at").is_not_null()).then(seconds)
        until = until.otherwise(pl.col("pause").shift(-1).over(ID, order_by="turn"))
        pings = (until.clip(upper_bound=seconds) / (0.9 * pl.col("life"))).floor()
        ping = pl.when("is_main").then(pings * (0.1 * (read + back + wrote) + 5)).otherwise(0.0)
        saved = p * (now - _context(read + back, wrote, wrote * share) - ping)
        return rows.with_columns(saved=saved).filter("known").select("session", "format", "saved")
    of_sub_agents = rows.filter(~pl.col("is_main"), pl.col("usd_source") != "reported")
    units = now + 5 * pl.col("decode_tokens")
    return of_sub_agents.select("session", "format", saved=(p - _price(pl.lit(name))) * units)


def _context(read: pl.Expr, written: pl.Expr, hour: pl.Expr) -> pl.Expr:
    """What a context costs, over the price of an input token."""
    fresh = (pl.col("context") - read - written).clip(lower_bound=0)
    return fresh + 0.1 * read + 1.25 * written + 0.75 * hour


def test_what_settings_of_turns_save_is_what_a_plain_script_adds_up(ledger: Path) -> None:
    sums = study_turn_costs(ReportContext(ReadableLedger(ledger)))["alternatives"]
    ours = dict(sums.group_by("alternative").agg(pl.col("saved").sum()).iter_rows())
    rows = _turns(ledger)
    assert len(ours) > 4
    for name, saved in ours.items():
        again = float(_save(rows, name)["saved"].sum())
        assert saved == pytest.approx(again, rel=1e-6, abs=1e-9), name
        assert (saved > 0) == (again > 0), name


def test_every_lever_is_what_a_plain_script_adds_up(ledger: Path) -> None:
    """Of the last 14 days of each agent, whole sessions."""
    turns = _turns(ledger)
    at = pl.coalesce("started_at", "ended_at")
    is_recent = at.is_null() | (at >= at.max().over("format") - 14 * DAY)
    recent = turns.filter(is_recent)["session"].unique().to_list()
    found = find_levers(ReportContext(ReadableLedger(ledger).hold_tables()))
    checked = {}
    for lever in found:
        rows = _rows_behind(ledger, turns, lever).filter(pl.col("session").is_in(recent))
        rows = rows.filter(pl.col("format") == lever.agent)
        assert lever.amount == pytest.approx(float(rows["saved"].sum()), rel=1e-6), lever.name
        assert (lever.low or 0.0) <= lever.amount <= (lever.high or 0.0)
        assert lever.share == pytest.approx(
            lever.amount / turns.filter(pl.col("session").is_in(recent))["usd"].sum(), rel=1e-6
        )
        checked[lever.name] = lever.amount
    assert len(checked) == len({lever.name for lever in found})


def test_a_model_for_sub_agents_that_costs_more_is_not_offered(ledger: Path) -> None:
    """Six sub-agents of the real sessions run on Haiku, four on Opus; the week has none."""
    saved = _save(_turns(ledger), "claude-sonnet-4-5")["saved"]
    found = find_levers(ReportContext(ReadableLedger(ledger).hold_tables()))
    assert "subagent_model" not in {lever.name for lever in found}
    assert saved.sum() == pytest.approx(-0.815 if len(saved) else 0.0, abs=0.001)


def _rows_behind(ledger: Path, turns: pl.DataFrame, lever: Any) -> pl.DataFrame:
    """What every row saved, with its session and agent."""
    about = turns.select(ID, "session", "format").unique()
    if lever.name == "cache_lifetime":
        words = lever.what.split()
        kept = next((60 * int(word) for word in words if word.isdigit() and "alive" in words), 0)
        name = f"alive {kept}" if kept else "1h" if "hour" in words else "5m"
        return _save(turns, name)
    if lever.name == "subagent_model":
        return _save(turns, lever.what.split()[-1])
    if lever.name.startswith("section:"):
        rows = _read(ledger, "origins").filter(
            pl.col("origin") == "instruction file", pl.col("name") == lever.name[len("section:") :]
        )
        return rows.select(ID, saved="usd").join(about, on=ID)
    schemas = _read(ledger, "parts").filter(pl.col("kind") == "schema")
    server = lever.name.partition(":")[2]
    of = pl.col("name").str.starts_with(f"mcp__{server}__")
    of = of if server else pl.col("name").is_in(lever.where)
    return schemas.filter(of).select(ID, saved="usd").join(about, on=ID)
