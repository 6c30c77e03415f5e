"""The verb over recorded profiles and over a tiny model."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import typer

from agentdyno.cli import depth
from agentdyno.cli.app import guarded
from agentdyno.pipelines.depth.files import write_profiles
from agentdyno.records.depth import Confidence, DepthProfile


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """Two tokens over four layers: one settles at layer 3, one at layer 1."""
    profile = DepthProfile(
        sequence_id="a",
        model="m",
        dtype="float32",
        layers=4,
        token_ids=np.array([7, 8]),
        tokens=("deep", " easy"),
        distances={"jsd": np.array([[0.9, 0.6, 0.3, 0], [0.2, 0.1, 0.1, 0]], np.float32)},
        confidence=Confidence(*(np.full(2, -0.5, np.float32) for _ in range(3))),
    )
    write_profiles([profile], tmp_path / "p.parquet")
    return tmp_path / "p.parquet"


def _run(*words: object) -> int:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(depth.command)
    return guarded(lambda **how: app([str(word) for word in words], **how))


def test_profiles_replay_as_json(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--replay", recorded, "--rho", 0.75, "--tokens", "--json") == 0
    found: dict[str, Any] = msgspec.json.decode(capsys.readouterr().out)
    (sequence,) = found["sequences"]
    assert sequence["dtr"] == 0.5
    assert sequence["mean_log_prob"] == -0.5
    assert [token["settling_depth"] for token in sequence["tokens"]] == [3, 1]
    assert [token["deep"] for token in sequence["tokens"]] == [True, False]


def test_thresholds_may_be_repeated(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--replay", recorded, "--g", 0.5, "--g", 0.25, "--rho", 1.0, "--json") == 0
    (sequence,) = msgspec.json.decode(capsys.readouterr().out)["sequences"]
    assert [(row["g"], row["dtr"]) for row in sequence["sweep"]] == [(0.5, 0.0), (0.25, 0.5)]


def test_people_see_a_table(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--replay", recorded, "--rho", 0.75) == 0
    shown = capsys.readouterr().out
    assert "0.500" in shown
    assert "deep from layer 3" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "expected one of --texts FILE"),
        (("--texts", "nowhere.jsonl"), "nowhere.jsonl: expected a file with JSON lines"),
        (("--replay", "nowhere.parquet"), "expected a file of depth profiles"),
        (("--replay", "x", "--rho", "1.5"), "--rho: expected a share above 0 and at most 1"),
        (("--replay", "x", "--g", "nan"), "--g: expected a distance of at least 0"),
    ],
)
def test_wrong_usage_is_said_plainly(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(*words) == 2
    assert said in capsys.readouterr().err


def test_another_distance_than_the_recorded_one_names_what_there_is(
    recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("--replay", recorded, "--distance", "kl") == 2
    assert "they hold: jsd" in capsys.readouterr().err
