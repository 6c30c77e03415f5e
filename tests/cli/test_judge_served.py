"""`judge` against an OpenAI-compatible server: every kind over the wire, and what is paid again."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.labelled import from_set

pytest.importorskip("aiohttp", reason="the fake server needs aiohttp")

from bench.fake_server import FakeServer

from agentdyno.ledger.reader import Ledger
from tests.bench.shared.judging.worlds import chat, chat_ledger, facts_ledger
from tests.cli.run import Agentdyno

Body = dict[str, Any]
MODEL = "openai-api/fake/judge"


def structured(body: Body) -> Body:
    """The first word that the schema of the request allows, wherever one is asked for."""
    schema = body["response_format"]["json_schema"]["schema"]["properties"]
    answer: Body = {"confidence": 0.9, "rationale": "as the schema has it"}
    if "label" in schema:
        answer["label"] = schema["label"]["enum"][0]
    else:
        mark = schema["parts"]["items"]["properties"]["mark"]["enum"][0]
        answer["parts"] = [{"part": "all", "mark": mark, "evidence": "seen"}]
    return {"role": "assistant", "content": json.dumps(answer)}


def words(ledger: Path, server: FakeServer, kind: str = "utility") -> list[str]:
    where = ["--model", MODEL, "--base-url", server.address, "-M", "api_key=none"]
    return ["judge", str(ledger), "--kind", kind, *where]


@from_set("cli/judge_served", "kind", "label", "score", "many")
def test_every_kind_is_judged_over_the_wire_and_paid_once(
    agentdyno: Agentdyno, tmp_path: Path, kind: str, label: str, score: float | None, many: int
) -> None:
    looked = [("look", "{}", "4")]
    ledger = chat_ledger(tmp_path, chat("t", "What is it?", "It is 4.", looked, expected="4"))
    with FakeServer(reply=structured) as server:
        assert agentdyno.run(*words(ledger, server, kind), "--json") == 0
        judged = agentdyno.object()["judged"]
        assert (judged["paid"], judged["added"], judged["unread"]) == (many, many, 0)
        assert agentdyno.run(*words(ledger, server, kind)) == 0
    assert len(server.requests) == many
    request = server.requests[0]
    assert request["temperature"] == 0
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert request["response_format"]["json_schema"]["schema"]["additionalProperties"] is False
    rows = Ledger(ledger).read("verdicts").select("kind", "model", "label", "score").unique().rows()
    assert rows == [(kind, MODEL, label, score)]


def test_what_decides_an_answer_decides_whether_it_is_asked_for_again(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    ledger = chat_ledger(tmp_path, chat("t", "What is it?", "It is 4.", [("look", "{}", "4")]))
    with FakeServer(reply=structured) as here, FakeServer(reply=structured) as there:
        asked = [
            _paid(agentdyno, ledger, here),
            _paid(agentdyno, ledger, there),
            _paid(agentdyno, ledger, here, "-M", "reasoning_effort=low"),
            _paid(agentdyno, ledger, here, "-M", "reasoning_effort=high"),
            _paid(agentdyno, ledger, here, "-M", "max_tokens=200"),
            _paid(agentdyno, ledger, here, "-M", 'default_headers={"X-Variant": "b"}'),
        ]
        assert asked == [1] * 6
        assert (len(here.requests), len(there.requests)) == (5, 1)
        efforts = [request.get("reasoning_effort") for request in here.requests]
        assert efforts == [None, "low", "high", None, None]
        again = [
            _paid(agentdyno, ledger, here),
            _paid(agentdyno, ledger, there),
            _paid(agentdyno, ledger, here, "-M", "reasoning_effort=high"),
            _paid(agentdyno, ledger, here, "-M", "max_tokens=200"),
            _paid(agentdyno, ledger, here, "-M", "api_key=another"),
        ]
        assert again == [0] * 5


def _paid(agentdyno: Agentdyno, ledger: Path, server: FakeServer, *more: str) -> int:
    """How many answers a run had to pay for."""
    assert agentdyno.run(*words(ledger, server), *more, "--json") == 0
    paid = agentdyno.object()["judged"]["paid"]
    assert isinstance(paid, int)
    return paid


def test_a_service_that_is_not_there_is_said_without_a_traceback(
    agentdyno: Agentdyno, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleep = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", lambda seconds: sleep(0))
    monkeypatch.setattr("agentdyno_bench.shared.judges.questions.FAILURES_IN_A_ROW", 1)
    ledger = facts_ledger(tmp_path, tasks=1)
    with FakeServer(reply=lambda body: {"status": 400}) as server:
        assert agentdyno.run(*words(ledger, server), "--sample", 1) == 2
    assert "questions in a row failed, the last with" in agentdyno.err


def test_a_judge_that_cannot_be_reached_is_one_line_and_not_a_question(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    ledger = facts_ledger(tmp_path, tasks=1)
    away = ["--base-url", "http://localhost:1/v1", "-M", "api_key=none"]
    assert agentdyno.run("judge", ledger, "--model", MODEL, *away) == 2
    assert (
        "expected a service at http://localhost:1/v1/, found none that can be reached"
        in agentdyno.err
    )
    assert "questions in a row" not in agentdyno.err
