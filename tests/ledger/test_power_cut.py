"""The power goes at any moment of a measurement: nothing is lost, nothing counts twice."""

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.maintenance import verify
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import InputError
from tests.labelled import mostly_slow
from tests.ledger.power import ForgetfulDisk, PowerCut
from tests.ledger.traces import assert_consistent, assert_same, measure_changed_traces

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="finds synced files through /proc"
)
ONE = MeasureOptions(workers=1)


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger, and traces of which some changed since, in volumes that are shared and spread."""
    return measure_changed_traces(tmp_path, monkeypatch)


def _steps(scene: Path) -> int:
    ledger = Path(shutil.copytree(scene / "before", scene / "counted"))
    disk = ForgetfulDisk(ledger, 10**9, 0)
    with disk.running():
        measure([scene / "traces"], ledger, ONE)
    return disk.steps


def _cut(scene: Path, moment: int, at: int) -> Path:
    ledger = Path(shutil.copytree(scene / "before", scene / f"cut{moment}"))
    disk = ForgetfulDisk(ledger, at, moment)
    with disk.running(), suppress(PowerCut):
        measure([scene / "traces"], ledger, ONE)
    return disk.after_the_cut(scene / f"after{moment}")


@pytest.mark.parametrize("moments", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_a_power_cut_at_any_moment_loses_nothing_and_counts_nothing_twice(
    scene: Path, moments: int
) -> None:
    steps = _steps(scene)
    assert steps > 2 * moments
    for moment in range(moments):
        ledger = _cut(scene, moment, moment * steps // moments)
        assert_consistent(ledger)
        held = set(Ledger(ledger).read("trajectories")["task_id"])
        unchanged = {str(task) for task in (100, 101, 104, 105, 106, 107)}
        assert unchanged <= held, "rows of files that nobody touched"
        assert held >= {str(t) for t in range(12)} or held >= {str(t) for t in range(50, 65)}
        measure([scene / "traces"], ledger, ONE)
        assert verify(ledger).is_sound
        assert_same(ledger, scene / "fresh")


@pytest.mark.parametrize("left_out", mostly_slow(["files", "folders"], ["folders"]))
def test_the_forgetful_disk_catches_a_writer_that_does_not_sync(
    scene: Path, monkeypatch: pytest.MonkeyPatch, left_out: str
) -> None:
    """The test above can fail: without the syncs it does."""
    if left_out == "folders":
        monkeypatch.setattr("agentdyno.ledger.writer.sync_folder", lambda folder: None)
    else:
        monkeypatch.setattr("agentdyno.ledger.drafts.write_synced", Path.write_bytes)
    steps = _steps(scene)
    assert any(_is_harmed(_cut(scene, moment, moment * steps // 16)) for moment in range(16))


def _is_harmed(ledger: Path) -> bool:
    try:
        assert_consistent(ledger)
    except InputError:
        return True
    return False
