"""`ablate` and `judge --estimator rollout` on a benchmark that a model runs, as a user would."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.labelled import from_set

pytest.importorskip("inspect_ai", reason="needs the extra bench")
pytest.importorskip("math_verify", reason="needs the extra bench")

from agentdyno.cli import progress_bars
from tests.bench.rollout.builders import questions
from tests.bench.rollout.scripts import HERE
from tests.cli.run import Agentdyno
from tests.pipelines.judge.worlds import facts_ledger


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("study")


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Agentdyno:
    return Agentdyno(capsys, tmp_path / "ledger")


def one_bar_at_a_time(shown: list[str]) -> Callable[[], AbstractContextManager[Any]]:
    """Terminals refuse a second one."""

    @contextmanager
    def bar() -> Iterator[Callable[[str, int, int], None]]:
        assert not shown
        shown.append("bar")
        yield lambda what, done, total: None
        shown.clear()

    return bar


def ablated(command: Agentdyno, study: Path, *words: object) -> int:
    model = ("-m", "agentdyno/scripted", "-M", f"script={HERE}:needs_python")
    data = questions(study / "data", 4)
    return command.run(
        "ablate", "tir", *model, "--data", data, "--unsafe-python", "--out", study / "out",
        "--variant", "default", "--variant", "bare:-python", *words,
    )  # fmt: skip


def test_the_tools_of_tir_are_taken_away_and_it_shows(command: Agentdyno, study: Path) -> None:
    assert ablated(command, study) == 0
    lines = [line.split() for line in command.out.splitlines() if line.strip()]
    rows = [words[:4] for words in lines if words[0] in ("default", "bare") and words[1].isdigit()]
    # Tools, passed, failed.
    assert rows[:2] == [["default", "1", "4", "0"], ["bare", "0", "0", "4"]]
    assert "4 solved only by default, 0 only by bare" in " ".join(command.out.split())


@from_set("cli/rollouts", "words", "said")
def test_what_cannot_be_done_is_refused(
    command: Agentdyno, study: Path, words: tuple[object, ...], said: str
) -> None:
    ablated(command, study)
    rolled = ("--estimator", "rollout", "--trust-run", *words)
    assert command.run("judge", study / "out" / "ledger", *rolled) == 2
    assert said in command.err


def test_rollouts_say_before_what_they_will_do_and_after_what_came_of_it(
    command: Agentdyno, study: Path
) -> None:
    ablated(command, study)
    rolled = ("--estimator", "rollout", "--continuations", 16, "--trust-run")
    assert command.run("judge", study / "out" / "ledger", *rolled) == 0
    said = command.err.splitlines()
    assert said[0] == (
        "about 128 continuations, at an unknown price, for a first look at 4 calls by "
        "agentdyno/scripted; at most 128 in all"
    )
    assert said[1].startswith("4 calls, 128 continuations")
    assert said[1].endswith("4 signs settled.")
    assert "of all 4 calls together, 100.0 %" in " ".join(command.out.split())
    assert command.run("judge", study / "out" / "ledger", *rolled, "--json") == 0
    done = command.object()["rolled_out"]
    assert (done["known"], done["continuations"], done["not_resumable"]) == (4, 0, 0)


def test_a_judge_may_be_rollouts_in_an_ablation(
    command: Agentdyno, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_bars, "sample_progress", one_bar_at_a_time([]))
    words = ("--judge", "rollout", "--continuations", 16, "--json")
    assert ablated(command, study, *words) == 0
    default, bare = command.object()["variants"]
    assert (default["useful_calls"], default["calls"]) == (4, 4)
    assert bare["calls"] == 0


def test_foreign_traces_cannot_be_continued(command: Agentdyno, tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=2)
    trace = next((tmp_path / "traces").iterdir())
    trace.write_text(trace.read_text().replace('"facts', '"other'))
    assert command.run("measure", tmp_path / "traces", "--out", ledger, "--workers", 1) == 0
    assert command.run("judge", ledger, "--estimator", "rollout") == 2
    assert "of facts, tir, toolfail or tps" in command.err
    assert (
        "found none (2, as they are of no benchmark that can be continued, or their" in command.err
    )
