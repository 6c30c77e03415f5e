"""A dyno sheet from plays: a scripted model plays, Inspect measures what it said."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agentdyno.cli.app import app, run_guarded
from agentdyno.ledger.reader import Ledger
from agentdyno.records import InputError
from agentdyno_train.models.batching import Batcher
from agentdyno_train.named_agents import read_agents
from agentdyno_train.pipelines.sheet import SheetOptions, make_sheet
from agentdyno_train.rollouts.journal import (
    ATTEMPTS,
    CONTINUATIONS,
    Continuation,
    Journal,
    RolloutOptions,
    RolloutRecord,
    TurnDepth,
)
from agentdyno_train.rollouts.stages import Stages
from tests.tiny import save_tiny, tiny_tokenizer, writing_model
from tests.train.rollouts.plans import planned, says_plans
from tests.train.rollouts.scripted import scripted_decoder

SIZES = {"easy": 4, "hard": 1, "toolfail": 4, "tir": 1, "sampled": 1, "samples": 2, "continued": 3,
         "continuations": 2, "timed": 4, "window": 65536, "seats": 4}  # fmt: skip


def bits(_: Any, plays: Sequence[RolloutRecord], seats: Any) -> list[TurnDepth]:
    """Every second token is deep; the real depths have tests of their own."""
    return [
        TurnDepth(p.agent, p.bench, p.level, p.task_id, p.attempt, number,
                  ("10" * len(turn.ids))[: len(turn.ids)], "t" * len(turn.ids), -1.0, 5.0, 5.0)
        for p in plays for number, turn in enumerate(p.turns)
    ]  # fmt: skip


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, str]:
    """Two models that differ in name; texts are bytes, so the window must be wide."""
    save_tiny(tmp_path / "clumsy", writing_model())
    config = tmp_path / "clumsy/config.json"
    config.write_text(
        json.dumps(json.loads(config.read_text()) | {"max_position_embeddings": 65536})
    )
    shutil.copytree(tmp_path / "clumsy", tmp_path / "perfect")
    return {name: str(tmp_path / name) for name in ("clumsy", "perfect")}


def play(folders: dict[str, str], out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clumsy one makes four mistakes in two tasks and stops early in two others."""
    plans, clumsy = planned(4, 1), planned(4, 1, clumsy=2)
    for prompt in list(clumsy)[2:]:
        clumsy[prompt] = ["I cannot do that."]
    scripts = {"clumsy": says_plans(clumsy), "perfect": says_plans(plans)}

    class Chosen:
        def __new__(cls, model: Any, *given: Any) -> Any:
            says = scripts[Path(model.config._name_or_path).name]
            return scripted_decoder(tiny_tokenizer(), says)(model, *given)

    monkeypatch.setattr("agentdyno_train.rollouts.batch_decoder.Decoder", Chosen)
    monkeypatch.setattr("agentdyno_train.rollouts.stages.measure_turn_depths", bits)
    Stages(RolloutOptions(folders, **SIZES), out).run()  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore")
def test_what_was_played_is_measured_without_asking_a_model(
    folders: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays = tmp_path / "plays"
    play(folders, plays, monkeypatch)
    asked: list[Any] = []
    monkeypatch.setattr(Batcher, "submit", lambda self, request: asked.append(request))
    agents = read_agents([f"{name}={folder}" for name, folder in folders.items()])
    options = SheetOptions(tmp_path / "out", played=plays, unsafe_python=True)
    made = make_sheet(agents, options)
    assert asked == []
    rows = {(r.level, r.measure): {c.agent: c for c in r.cells} for r in made.sheet.rows}
    easy = rows["easy", "completion"]
    assert easy["perfect"].mean.value == 1
    assert easy["clumsy"].mean.value == 0.5  # Two of four tasks, and nothing of the others.
    assert rows["easy", "failed calls"]["clumsy"].mean.value == 2.5  # Five in two of four tasks.
    assert rows["easy", "failed calls"]["perfect"].mean.value == 0
    assert rows["toolfail-prose", "right use of the tool"]["perfect"].mean.n > 0
    assert ("math_500_mini", "solved") in rows
    signs = Ledger(tmp_path / "out/perfect/ledger").read("rollouts")
    assert len(signs) == sum(
        w.calls for w in made.instruments.worths if w.tool == "all tools" and w.agent == "perfect"
    )  # type: ignore[union-attr]
    assert set(signs["continuations"]) == {2}
    found = made.instruments
    whole = [w for w in found.worths if w.tool == "all tools" and w.agent == "perfect"]
    assert whole[0].calls == sum(w.calls for w in found.worths if w.agent == "perfect") / 2
    assert {f.predictor for f in found.seconds} >= {"output tokens", "PTE"}
    assert found.agreements[0].calls > 0
    anchors = {topic.anchor for topic in made.topics}
    assert {"sheet-easy", "sheet-toolfail-prose", "worth-of-tools", "own-samples"} <= anchors
    assert "What each tool" in (tmp_path / "out/sheet.md").read_text()
    page = (tmp_path / "out/sheet.html").read_text()
    assert "How deep the agent thinks" in page
    assert make_sheet(agents, options).sheet == made.sheet  # Nothing is run twice.
    fewer = msgspec.structs.replace(options, leave_out={"hard", "tir"})
    with pytest.raises(InputError, match=r"leaves out: math_500_mini, tps_hard\. Take another"):
        make_sheet(agents, fewer)


def test_plays_that_were_killed_go_on_and_others_are_refused(
    folders: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(folders, tmp_path / "whole", monkeypatch)
    journal = Journal(tmp_path / "whole")
    plays, futures = (
        journal.read(ATTEMPTS, RolloutRecord),
        journal.read(CONTINUATIONS, Continuation),
    )
    cut = tmp_path / "cut"
    shutil.copytree(tmp_path / "whole", cut)
    lines = (cut / ATTEMPTS).read_bytes().splitlines(keepends=True)
    (cut / ATTEMPTS).write_bytes(b"".join(lines[:5]) + lines[5][:40])
    (cut / CONTINUATIONS).unlink()
    play(folders, cut, monkeypatch)
    again = Journal(cut)
    key = lambda p: (p.agent, p.task_id, p.attempt)  # noqa: E731
    assert sorted(map(key, again.read(ATTEMPTS, RolloutRecord))) == sorted(map(key, plays))
    assert len(again.read(CONTINUATIONS, Continuation)) == len(futures)
    with pytest.raises(InputError, match="another folder"):
        Stages(RolloutOptions(folders, **SIZES | {"easy": 5}), cut)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore")
def test_what_was_cut_off_is_left_out_and_said_and_nobody_generates_it(
    folders: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    plays = tmp_path / "plays"
    play(folders, plays, monkeypatch)
    rows = Journal(plays).read(ATTEMPTS, RolloutRecord)
    kept = [p for p in rows if p.bench == "tps" and not (p.level == "hard" and p.attempt == 2)]
    last = [p for p in kept if (p.agent, p.level, p.attempt) == ("clumsy", "easy", 0)][-1]
    (plays / ATTEMPTS).unlink()
    Journal(plays).add(ATTEMPTS, [p for p in kept if p is not last])
    with (plays / ATTEMPTS).open("ab") as opened:
        opened.write(b"damaged\n")
    asked: list[Any] = []
    monkeypatch.setattr(Batcher, "submit", lambda self, request: asked.append(request))
    agents = [word for n, f in folders.items() for word in ("--agent", f"{n}={f}")]
    out = tmp_path / "out"
    words = ["sheet", "--played", str(plays), *agents, "--out", str(out), "--json"]

    def run(*more: str) -> int:
        return run_guarded(lambda standalone_mode: app([*words, *more], standalone_mode=False))

    assert run() == 0
    assert asked == []
    made = json.loads(capsys.readouterr().out)
    damage, *told, how = made["left_out"]
    assert f"{plays / ATTEMPTS}:" in damage
    assert told == [
        "clumsy: left out because incomplete: easy 3 of 4, toolfail 0 of 4, "
        "math_500 0 of 1, samples of hard 1 of 2, "
        "continuations 0 of an unknown number.",
        "perfect: left out because incomplete: toolfail 0 of 4, math_500 0 of 1, "
        "samples of hard 1 of 2.",
    ]
    assert "sheet.py --out" in how
    cells = {(row["level"], cell["agent"]): cell["mean"]["n"] for row in made["sheet"]["rows"]
             if row["measure"] == "completion" for cell in row["cells"]}  # fmt: skip
    assert cells == {("easy", "clumsy"): 0, ("easy", "perfect"): 4,
                     ("hard", "clumsy"): 1, ("hard", "perfect"): 1}  # fmt: skip
    assert {(c["agent"], c["level"]) for c in made["instruments"]["choices"]} == {
        ("clumsy", "easy"), ("perfect", "easy")
    }  # fmt: skip
    assert {w["agent"] for w in made["instruments"]["worths"]} == {"perfect"}
    assert (
        "clumsy: left out because incomplete: easy 3 of 4, toolfail 0 of 4"
        in (out / "sheet.md").read_text()
    )
    assert "sheet.py --out" not in (out / "sheet.md").read_text()
    assert run("--limit", "2") == 2
    assert "--limit 2 (easy 4, hard 1): expected" in capsys.readouterr().err


def test_agents_that_cannot_give_their_plays_again_are_refused(tmp_path: Path) -> None:
    Journal(tmp_path).begin(RolloutOptions({"api": "somewhere"}))
    agents = read_agents(["api=openai/gpt-4.1"])
    with pytest.raises(InputError, match="expected the local model that made the rollouts"):
        make_sheet(agents, SheetOptions(tmp_path / "out", played=tmp_path))
    assert not (tmp_path / "out").exists()
