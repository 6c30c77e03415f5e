"""Shared by all tests: where the project and the optional real traces are."""

import atexit
import gc
import math
import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import open_browser
from tests.cli.run import Agentdyno

ROOT = Path(__file__).resolve().parents[1]

# Tests start hundreds of Pythons that import the same modules; what one compiled, the next reads.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Before torch is imported: workers whose threads wait for each other's cost several times as much.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile(
    "agentdyno",
    max_examples=50,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("agentdyno")


LONGEST = (
    "pipelines/test_forget", "train/test_training", "view/test_page", "studies/test_cache",
    "cli/test_json_numbers", "pipelines/test_deriving", "pipelines/test_measure",
    "ledger/test_killed", "hostile/test_manifest", "pipelines/test_deduplicate",
)  # fmt: skip
"""Files that run longest are begun first, so that two processes end together."""
HAS_DAILY = find_spec("agentdyno_daily") is not None
collect_ignore = [] if HAS_DAILY else ["daily"]


@cache
def _daily_formats() -> set[str]:
    text = (ROOT / "packages" / "agentdyno-daily" / "pyproject.toml").read_text("utf-8")
    groups = tomllib.loads(text)["project"]["entry-points"]
    return {*groups["agentdyno.formats"], "openclaw"}


def _needs_daily(item: pytest.Item) -> bool:
    """Whether a test of the core reads sessions of a coding agent: it is marked, or its case is of
    such a format."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    row = params.get("row")
    format = params.get("format", row.get("format") if isinstance(row, dict) else None)
    return item.get_closest_marker("daily") is not None or format in _daily_formats()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first. Without agentdyno-daily, what needs it is skipped. `make fuzz` asks
    for many more examples, and other ones each time."""
    items.sort(key=lambda item: not item.nodeid.startswith(tuple(f"tests/{f}.py" for f in LONGEST)))
    for item in items if not HAS_DAILY else ():
        if _needs_daily(item):
            item.add_marker(pytest.mark.skip(reason="needs agentdyno-daily"))
    if examples := os.environ.get("AGENTDYNO_FUZZ_EXAMPLES"):
        for item in items:
            inner = getattr(getattr(item, "obj", None), "_hypothesis_internal_use_settings", None)
            if inner is not None:
                item.obj._hypothesis_internal_use_settings = settings(  # type: ignore[attr-defined]
                    inner, max_examples=int(examples), derandomize=False
                )


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: no search for garbage goes through them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def real_traces() -> Path:
    """Real traces of many agents; they are not part of the project."""
    folder = (ROOT.parent / "shared" / "data" / "traces").resolve()
    if not folder.is_dir():
        pytest.skip("the folder of real traces is not here: ../shared/data/traces")
    return folder


@pytest.fixture
def agentdyno(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Agentdyno:
    """The command, with a ledger in the test's own folder."""
    return Agentdyno(capsys, tmp_path / "ledger")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A real Chromium."""
    with open_browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def _trace_folder() -> Path:
    """A folder that goes when the process ends, after Inspect has packed its file."""
    folder = tempfile.mkdtemp(prefix="inspect-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@pytest.fixture(scope="session", autouse=True)
def _the_same_on_every_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        # Inspect opens one trace file in a process, and folders go with their tests.
        patch.setenv("INSPECT_TRACE_FILE", str(_trace_folder() / f"trace-{os.getpid()}.log"))
        # What tests measure is noted for as long as they run.
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        # Workers of xdist say that they are 80 columns wide.
        patch.delenv("COLUMNS", raising=False)
        # Work that takes long prints a line now and then.
        patch.setattr("agentdyno.cli.progress_bars.SECONDS_BETWEEN_LINES", math.inf)
        # Nobody cuts the power under the tests, and a measurement waits for dozens of syncs. Tests
        # of power cuts and of full disks put a disk of their own in the place of this one.
        patch.setattr(os, "fsync", lambda handle: None)
        yield
