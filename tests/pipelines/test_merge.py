"""Ledgers of two machines as one say what one ledger of all their traces says."""

import shutil
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from agentdyno.cli.app import app, run_guarded
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.merge import merge_ledgers
from agentdyno.records import InputError
from tests.conftest import ROOT

pytestmark = pytest.mark.daily

DATA = ROOT / "tests" / "data"
OPTIONS = MeasureOptions(workers=1)
NAMED = ("trajectory_id", "source", "parent_id", "continues_id", "line")


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two machines: one session on both, one that goes on on the second, a name that both use."""
    folder = tmp_path_factory.mktemp("machines")
    session = (DATA / "claude_code" / "session.jsonl").read_text().splitlines(keepends=True)
    for name in ("a", "b"):
        (folder / name / "traces").mkdir(parents=True)
    (folder / "a" / "traces" / "s.jsonl").write_text("".join(session[: len(session) // 2]))
    (folder / "b" / "traces" / "s.jsonl").write_text("".join(session))
    week = sorted((ROOT / "examples" / "week").rglob("*.jsonl"))
    for path in week[:3]:
        shutil.copy(path, folder / "a" / "traces" / path.name)
    for path in week[2:]:
        shutil.copy(path, folder / "b" / "traces" / path.name)
    for name in ("a", "b"):
        measure([folder / name / "traces"], folder / name / "ledger", OPTIONS)
    measure([folder / "a" / "traces", folder / "b" / "traces"], folder / "together", OPTIONS)
    return folder


def plain(ledger: Path, table: str) -> pl.DataFrame:
    """Rows without the names of files, which differ."""
    rows = Ledger(ledger).read(table)
    kept = rows.drop([name for name in NAMED if name in rows.columns])
    return kept.sort(kept.columns, nulls_last=True)


def test_merged_they_say_what_all_traces_together_say(machines: Path) -> None:
    done = merge_ledgers([machines / "a" / "ledger", machines / "b" / "ledger"], machines / "c")
    alone = [Ledger(machines / name / "ledger").read("turns") for name in ("a", "b")]
    assert done.turns == len(Ledger(machines / "together").read("turns"))
    assert done.turns + done.repeats == sum(map(len, alone))
    assert done.repeats > 0
    for table in ("turns", "trajectories", "calls"):
        assert_frame_equal(plain(machines / "c", table), plain(machines / "together", table))
    sources = set(Ledger(machines / "c").read("trajectories")["source"])
    assert any(name.startswith("2-ledger/") for name in Ledger(machines / "c").manifest.inputs)
    assert len(sources) > 3


def test_the_merged_ledger_is_sound_and_the_others_stay(
    machines: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = [str(machines / name / "ledger") for name in ("a", "b")]
    before = [Ledger(Path(side)).manifest.generation for side in sides]
    words = ["ledger", "merge", *sides, "--out", str(tmp_path / "c")]
    assert run_guarded(lambda **how: app(words, **how)) == 0
    assert "of these are not counted" in capsys.readouterr().out
    assert run_guarded(lambda **how: app(["ledger", "verify", str(tmp_path / "c")], **how)) == 0
    assert [Ledger(Path(side)).manifest.generation for side in sides] == before
    with pytest.raises(InputError, match="expected a new or an empty folder"):
        merge_ledgers([Path(side) for side in sides], tmp_path / "c")


def test_three_times_the_same_is_once(machines: Path, tmp_path: Path) -> None:
    side = machines / "a" / "ledger"
    done = merge_ledgers([side, side, side], tmp_path / "c")
    assert done.turns == len(Ledger(side).read("turns"))
