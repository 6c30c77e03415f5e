"""`judge --estimator rollout` and `worth --judge rollout` on a benchmark that a model runs."""

import gc
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.labelled import from_set

pytest.importorskip("aiohttp", reason="the fake server is built on it")

from bench.fake_server import FakeServer

from agentdyno.cli import progress_bars
from agentdyno.ledger.reader import Ledger
from tests.bench.shared.judging.worlds import facts_ledger
from tests.bench.utility.rollouts.builders import questions
from tests.bench.utility.rollouts.scripts import HERE
from tests.cli.run import Agentdyno


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("study")


def one_bar_at_a_time(shown: list[str]) -> Callable[[], AbstractContextManager[Any]]:
    """Terminals refuse a second one."""

    @contextmanager
    def bar() -> Iterator[Callable[[str, int, int], None]]:
        assert not shown
        shown.append("bar")
        yield lambda what, done, total: None
        shown.clear()

    return bar


def ablated(agentdyno: Agentdyno, study: Path, *words: object) -> int:
    model = ("-m", "agentdyno/scripted", "-M", f"script={HERE}:needs_python")
    data = questions(study / "data", 4)
    return agentdyno.run(
        "worth", "tir", *model, "--data", data, "--unsafe-python", "--out", study / "out",
        "--variant", "default", "--variant", "bare:-python", *words,
    )  # fmt: skip


@from_set("cli/rollouts", "words", "said")
def test_what_cannot_be_done_is_refused(
    agentdyno: Agentdyno, study: Path, words: tuple[object, ...], said: str
) -> None:
    ablated(agentdyno, study)
    rolled = ("--estimator", "rollout", "--trust-run", *words)
    assert agentdyno.run("judge", study / "out" / "ledger", *rolled) == 2
    assert said in agentdyno.err


def test_rollouts_say_before_what_they_will_do_and_after_what_came_of_it(
    agentdyno: Agentdyno, study: Path
) -> None:
    ablated(agentdyno, study)
    rolled = ("--estimator", "rollout", "--continuations", 16, "--trust-run")
    assert agentdyno.run("judge", study / "out" / "ledger", *rolled) == 0
    said = agentdyno.err.splitlines()
    assert said[0] == (
        "about 128 continuations, at an unknown price, for a first look at 4 calls by "
        "agentdyno/scripted; at most 128 in all"
    )
    assert said[1].startswith("4 calls, 128 continuations")
    assert said[1].endswith("4 signs settled.")
    assert "of all 4 calls together, 100.0 %" in " ".join(agentdyno.out.split())
    assert agentdyno.run("judge", study / "out" / "ledger", *rolled, "--json") == 0
    done = agentdyno.object()["rolled_out"]
    assert (done["known"], done["continuations"], done["not_resumable"]) == (4, 0, 0)


def test_a_judge_may_be_rollouts_in_an_ablation(
    agentdyno: Agentdyno, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_bars, "sample_progress", one_bar_at_a_time([]))
    words = ("--judge", "rollout", "--continuations", 16)
    assert ablated(agentdyno, study, *words) == 0
    assert "4 solved only by default, 0 only by bare" in " ".join(agentdyno.out.split())
    assert "mean eta" in agentdyno.out
    assert ablated(agentdyno, study, *words, "--json") == 0
    default, bare = agentdyno.object()["variants"]
    assert (default["useful_calls"], default["calls"]) == (4, 4)
    assert bare["calls"] == 0


def test_foreign_traces_cannot_be_continued(agentdyno: Agentdyno, tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=2)
    trace = next((tmp_path / "traces").iterdir())
    trace.write_text(trace.read_text().replace('"facts', '"other'))
    assert agentdyno.run("measure", tmp_path / "traces", "--out", ledger, "--workers", 1) == 0
    assert agentdyno.run("judge", ledger, "--estimator", "rollout") == 2
    assert "of facts, tir, toolfail or tps" in agentdyno.err
    assert (
        "found none (2, as they are of no benchmark that can be continued, or their"
        in agentdyno.err
    )


CODES = ("print(1)", "print(18)")


def reply(body: dict[str, Any]) -> dict[str, Any]:
    """Two calls in one turn under the recorded seed; right once the second has been seen."""
    shown = [m["content"] for m in body["messages"] if m["role"] == "tool"]
    if not shown and body["seed"] == 0:
        calls = [
            {"id": f"c{n}", "type": "function",
             "function": {"name": "python", "arguments": json.dumps({"code": code})}}
            for n, code in enumerate(CODES)
        ]  # fmt: skip
        return {"role": "assistant", "content": None, "tool_calls": calls}
    right = any("18" in text for text in shown)
    return {"role": "assistant", "content": f"<ANSWER>{18 if right else 5}</ANSWER>"}


# Inspect leaves connections of finished runs to the collector, which complains of each.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_service_is_continued_from_the_recorded_messages(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    agentdyno = Agentdyno(capsys, tmp_path / "day" / "ledger")
    data = questions(tmp_path / "data", 1)
    with FakeServer(reply=reply) as server:
        service = ("--base-url", server.address, "-M", "api_key=none")
        model = ("-m", "openai-api/fake/gpt-4.1", *service)
        run = ("--data", data, "--unsafe-python", "--out", tmp_path / "day", "--no-report")
        assert agentdyno.run("bench", "tir", *model, *run) == 0
        recorded = len(server.requests)
        rolled = ("--estimator", "rollout", "--continuations", 16, "--smallest", 0.25)
        words = ("judge", agentdyno.ledger, *rolled, "--trust-run", "--max-usd", 1)
        assert agentdyno.run(*words) == 0
        asked = server.requests[recorded:]
    assert "about 48 continuations, about $0." in agentdyno.err
    assert "2 calls, 48 continuations, $0." in agentdyno.err
    rows = Ledger(agentdyno.ledger).read("rollouts").sort("call")
    assert rows["delta"].to_list() == [0.0, 1.0]
    # Sixteen seeds, the same from all three cuts; of the turn only the calls before the cut.
    states = [[len(m.get("tool_calls") or ()) for m in body["messages"]] for body in asked]
    assert len({body["seed"] for body in asked}) == 16
    assert (sorted(states).count([0, 0]), sorted(states).count([0, 0, 1, 0])) == (16, 16)
    assert sorted(states).count([0, 0, 2, 0, 0]) == 16
    gc.collect()  # Here, where it is expected.
