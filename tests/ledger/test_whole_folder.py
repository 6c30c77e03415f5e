"""One flipped byte in any file of a copied ledger is named; what nobody wrote is named, too."""

import shutil
from pathlib import Path

import pytest

from agentdyno.ledger.file_names import GENERATIONS, LAST_RUN, SESSIONS, STORE, SUMS, TEXTS
from agentdyno.ledger.generations import list_generations
from agentdyno.ledger.manifest import read_manifest
from agentdyno.pipelines.maintenance import verify
from tests.cli.run import Agentdyno
from tests.hostile.forged import Run

WEEK = Path(__file__).parents[2] / "examples" / "week"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with kept texts and an earlier generation."""
    folder = tmp_path_factory.mktemp("whole")
    traces = Path(shutil.copytree(WEEK, folder / "week"))
    first, *_ = sorted(path for path in traces.rglob("*.jsonl"))
    ledger = folder / "ledger"
    words = ("measure", traces, "--out", ledger, "--keep-texts")
    assert Run(*words).code == 0
    yesterday = list_generations(ledger)[-1].path
    yesterday.rename(yesterday.with_name(yesterday.name.replace(yesterday.name[11:19], "20260101")))
    first.write_text("".join(first.read_text().splitlines(keepends=True)[:-1]))
    assert Run(*words).code == 0
    return ledger


@pytest.fixture
def ledger(measured: Path, tmp_path: Path) -> Path:
    """A copy without hard links."""
    return Path(shutil.copytree(measured, tmp_path / "copy"))


def _files(ledger: Path) -> list[Path]:
    """All but the lock, which is empty: it is there to be locked, and nobody reads it."""
    return sorted(path for path in ledger.rglob("*") if path.is_file() and path.name != ".lock")


@pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_flipped_byte_in_any_file_is_named(
    agentdyno: Agentdyno, ledger: Path, everywhere: bool
) -> None:
    """In every file at one of three places in turn, so that each kind of file is hit at all; or
    everywhere at all of them."""
    files = _files(ledger)
    homes = {path.relative_to(ledger).parts[0] for path in files}
    assert homes >= {GENERATIONS, LAST_RUN, SESSIONS, STORE, SUMS, TEXTS, "turns", "held_turns"}
    assert agentdyno.run("ledger", "verify", ledger) == 0
    assert f"0 of {len(files)} files damaged" in agentdyno.out
    silent = []
    for number, path in enumerate(files):
        data = path.read_bytes()
        assert data, path
        places = [0, len(data) // 3, len(data) - 1]
        for at in places if everywhere else [places[number % 3]]:
            path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            if agentdyno.run("ledger", "verify", ledger) != 1 or str(path) not in agentdyno.out:
                silent.append((path.relative_to(ledger), at))
        path.write_bytes(data)
    assert silent == []
    assert agentdyno.run("ledger", "verify", ledger) == 0


@pytest.mark.daily
def test_files_of_an_earlier_generation_are_checked(ledger: Path) -> None:
    earlier, newest = (list_generations(ledger)[place].path for place in (0, -1))
    (volume,) = read_manifest(earlier).volumes.keys() - read_manifest(newest).volumes.keys()
    path = ledger / STORE / "turns" / f"{volume}-0.parquet"
    path.write_bytes(b"PAR1")
    assert [line for line in verify(ledger).damaged if str(path) in line]


def test_a_file_that_nobody_wrote_is_named(agentdyno: Agentdyno, ledger: Path) -> None:
    (ledger / "notes.txt").write_text("mine")
    assert agentdyno.run("ledger", "verify", ledger) == 0
    assert "not covered: notes.txt: no part of a ledger" in agentdyno.out
    one = next((ledger / "turns").glob("*-0.parquet"))
    shutil.copy(one, ledger / "turns" / "twice.parquet")
    assert agentdyno.run("ledger", "verify", ledger) == 1
    assert "turns/*.parquet reads it; remove it" in agentdyno.out


def test_damaged_copies_caches_and_texts_are_named(ledger: Path) -> None:
    copy = next((ledger / "turns").glob("*-0.parquet"))
    text = next((ledger / TEXTS).iterdir())
    damaged = (copy, ledger / SESSIONS, ledger / "turns" / "empty.parquet", text)
    for path in damaged:
        path.write_bytes(path.read_bytes()[:-1])
    (next((ledger / "calls").glob("*-0.parquet"))).unlink()
    assert len(verify(ledger).damaged) == 5
