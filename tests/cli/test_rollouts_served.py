"""Rollouts over the wire: an OpenAI-compatible service is continued, with seeds and with money."""

import gc
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")
pytest.importorskip("math_verify", reason="needs the extra bench")
pytest.importorskip("openai", reason="needs the extra bench")
pytest.importorskip("aiohttp", reason="the fake server is built on it")

from bench.fake_server import FakeServer

from agentdyno.ledger.reader import Ledger
from tests.bench.rollout.builders import questions
from tests.cli.run import Agentdyno

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
    command = Agentdyno(capsys, tmp_path / "day" / "ledger")
    data = questions(tmp_path / "data", 1)
    with FakeServer(reply=reply) as server:
        service = ("--base-url", server.address, "-M", "api_key=none")
        model = ("-m", "openai-api/fake/gpt-4.1", *service)
        run = ("--data", data, "--unsafe-python", "--out", tmp_path / "day", "--no-report")
        assert command.run("bench", "tir", *model, *run) == 0
        recorded = len(server.requests)
        rolled = ("--estimator", "rollout", "--continuations", 16, "--smallest", 0.25)
        words = ("judge", command.ledger, *rolled, "--trust-run", "--max-usd", 1)
        assert command.run(*words) == 0
        asked = server.requests[recorded:]
    assert "about 48 continuations, about $0." in command.err
    assert "2 calls, 48 continuations, $0." in command.err
    rows = Ledger(command.ledger).read("rollouts").sort("call")
    assert rows["delta"].to_list() == [0.0, 1.0]
    # Sixteen seeds, the same from all three cuts; of the turn only the calls before the cut.
    states = [[len(m.get("tool_calls") or ()) for m in body["messages"]] for body in asked]
    assert len({body["seed"] for body in asked}) == 16
    assert sorted(states).count([0, 0]) == 16
    assert sorted(states).count([0, 0, 1, 0]) == 16
    assert sorted(states).count([0, 0, 2, 0, 0]) == 16
    gc.collect()  # Here, where it is expected.
