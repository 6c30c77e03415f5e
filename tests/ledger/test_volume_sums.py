"""Sums that are kept beside volumes: the same figures, and never trusted over the rows."""

import shutil
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agentdyno.ledger import volume_tables
from agentdyno.ledger.connections import Connections
from agentdyno.ledger.file_names import SUMS
from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_overview
from agentdyno.records import InputError
from agentdyno.reports.section import results_of
from agentdyno.reports.topics.first_sections import FIRST_SECTIONS
from agentdyno.studies.cost.overview_sums import sum_overview
from agentdyno.studies.report_context import ReportContext
from tests.labelled import mostly_slow
from tests.ledger.traces import write_jsonl

pytestmark = pytest.mark.daily

WEEK = Path("examples/week")
ONE = MeasureOptions(workers=1, costs_only=True)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A volume for each of the week's sessions."""
    folder = tmp_path_factory.mktemp("week")
    traces = folder / "traces"
    for path in sorted(WEEK.rglob("*.jsonl")):
        target = traces / path.relative_to(WEEK)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
        measure([traces], folder / "ledger", ONE)
    assert len(load(folder / "ledger").volumes) > 3
    return folder


@pytest.fixture(scope="module")
def figures(measured: Path) -> Any:
    """Those of the ledger, of whose volumes the sums are kept from then on."""
    return _fields(measured / "ledger")


@pytest.fixture
def ledger(measured: Path, figures: Any, tmp_path: Path) -> Path:
    shutil.copytree(measured, tmp_path, dirs_exist_ok=True)
    return tmp_path / "ledger"


def _fields(ledger: Path) -> Any:
    """What the first screen says, but for where the ledger is."""
    found = msgspec.to_builtins(build_overview(ledger).results)
    del found["glance"]["summary"]["ledger"]
    return found


def _sums(ledger: Path) -> list[Path]:
    return sorted((ledger / SUMS).iterdir())


class _Whole:
    """A ledger that nobody can read a volume at a time."""

    def __init__(self, ledger: Ledger) -> None:
        self.name, self.options = ledger.name, ledger.options
        self.read, self.scan = ledger.read, ledger.scan
        self.has, self.missing = ledger.has, ledger.missing


def _assert_close(one: Any, other: Any) -> None:
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            _assert_close(one[key], other[key])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            _assert_close(a, b)
    else:
        assert one == (pytest.approx(other, rel=1e-12) if isinstance(other, float) else other)


@pytest.mark.parametrize(
    ("unit", "most"),
    [
        pytest.param("usd", 99_999, marks=pytest.mark.slow),
        ("usd", 9),
        pytest.param("gpu_seconds", 9, marks=pytest.mark.slow),
    ],
)
def test_volumes_and_pieces_of_them_add_up_to_the_whole_ledger(
    ledger: Path, unit: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentdyno.ledger.reader.MOST_PARTS", most)
    opened = Ledger(ledger)
    opened.manifest.options["unit"] = unit
    by_volume = results_of(ReportContext(opened), FIRST_SECTIONS)  # type: ignore[arg-type]
    whole = results_of(ReportContext(_Whole(opened)), FIRST_SECTIONS)  # type: ignore[arg-type]
    _assert_close(msgspec.to_builtins(by_volume), msgspec.to_builtins(whole))


@pytest.mark.parametrize("most", mostly_slow([99_999, 9], [9]))
def test_kept_sums_are_used_and_give_the_same_figures(
    ledger: Path, figures: Any, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentdyno.ledger.reader.MOST_PARTS", most)
    assert _fields(ledger) == figures
    monkeypatch.setattr("agentdyno.studies.turn_costs.read_recorded", _fail)
    assert _fields(ledger) == figures


def _fail(*_: object) -> None:
    raise AssertionError("expected kept sums, found a volume that is read again")


def test_of_an_added_session_only_its_own_volume_is_read(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_jsonl(ledger.parent / "traces" / "new.jsonl", range(2))
    measure([ledger.parent / "traces"], ledger, ONE)
    read = []

    def note(tables: Any) -> Any:
        read.append(tables.read("trajectories")["source"].unique().to_list())
        return sum_overview(tables)

    monkeypatch.setattr("agentdyno.studies.cost.summary.sum_overview", note)
    assert _fields(ledger)["glance"]["summary"]["trajectories"] == 7
    assert read == [["traces/new.jsonl"]]


def test_names_of_volumes_are_read_once(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest, first = load(ledger), Connections()
    first.update(ledger, manifest)
    some = set(Ledger(ledger).read("trajectories")["trajectory_id"][:1])
    monkeypatch.setattr("agentdyno.ledger.connections.read_volumes", _fail)
    again = Connections()
    again.update(ledger, manifest)
    assert again.find(some) == first.find(some) != {}
    for path in _sums(ledger):
        path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(AssertionError, match="read again"):
        Connections().update(ledger, manifest)


def test_damaged_sums_are_worked_out_again(ledger: Path, figures: Any) -> None:
    """At the beginning of some, further in others and at the end of the rest."""
    places = [*zip(_sums(ledger), cycle((0, 40, -1)), strict=False)]
    assert len(places) > 3
    for path, at in places:
        data = bytearray(path.read_bytes())
        data[at] ^= 1
        path.write_bytes(data)
    assert _fields(ledger) == figures
    for path, at in places:
        path.write_bytes(path.read_bytes()[: at or 10])
    assert _fields(ledger) == figures


def test_sums_do_not_hide_damaged_rows(ledger: Path) -> None:
    path = max((ledger / ".volumes" / "parts").iterdir(), key=lambda each: each.stat().st_size)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="expected the bytes that were written"):
        build_overview(ledger)


def test_sums_of_another_version_are_worked_out_again(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(volume_tables, "SUMS_VERSION", -1)
    monkeypatch.setattr("agentdyno.studies.turn_costs.read_recorded", _fail)
    with pytest.raises(AssertionError, match="read again"):
        _fields(ledger)


def test_nothing_is_written_through_a_link(ledger: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.rmtree(ledger / SUMS)
    (ledger / SUMS).symlink_to(elsewhere)
    with pytest.raises(InputError, match="found a link"):
        _fields(ledger)
    assert not list(elsewhere.iterdir())


def test_sums_of_a_volume_that_is_gone_go_with_it(ledger: Path) -> None:
    for path in sorted((ledger.parent / "traces").rglob("*.jsonl")):
        path.write_text(path.read_text() + "\n")
    measure([ledger.parent / "traces"], ledger, ONE)
    _fields(ledger)
    kept = set(load(ledger).volumes)
    named = {entry.file.rpartition("/")[2][:16] for entry in load(ledger).retired}
    assert {path.name for path in _sums(ledger)} <= kept | named
