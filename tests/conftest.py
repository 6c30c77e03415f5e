"""Shared by all tests: where the project and the optional real traces are."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

settings.register_profile(
    "agentdyno",
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("agentdyno")


@pytest.fixture(scope="session")
def real_traces() -> Path:
    """Real traces of many agents; they are not part of the project."""
    folder = (ROOT.parent / "shared" / "data" / "traces").resolve()
    if not folder.is_dir():
        pytest.skip("the folder of real traces is not here: ../shared/data/traces")
    return folder
