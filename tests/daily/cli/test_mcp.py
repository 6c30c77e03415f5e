"""An agent asks what its work costs, through the official client over stdio."""

import asyncio
import json
import os
import re
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno_daily.cli.mcp import AT_ONCE, TOOLS, describe_tool
from agentdyno_daily.running.agent_questions import AgentQuestions
from tests.cli.run import Agentdyno
from tests.conftest import ROOT

mcp = pytest.importorskip("mcp")
MOST_TOKENS = 600


@pytest.fixture
def measured(tmp_path: Path, agentdyno: Agentdyno) -> Path:
    shutil.copytree(ROOT / "examples" / "week", tmp_path / "traces")
    assert agentdyno.measure(tmp_path / "traces") == 0
    return agentdyno.ledger


def test_the_schemas_are_small() -> None:
    tiktoken = pytest.importorskip("tiktoken")
    listed = [describe_tool(name).model_dump(by_alias=True, exclude_none=True) for name in TOOLS]
    text = json.dumps(listed)
    try:
        many = len(tiktoken.get_encoding("o200k_base").encode(text))
    except Exception:  # Its vocabulary is not on this machine: words and signs are more.
        many = len(re.findall(r"\w+|[^\w\s]", text))
    assert many < MOST_TOKENS


def test_the_official_client_is_answered(measured: Path, tmp_path: Path) -> None:
    answers = asyncio.run(_ask(measured, tmp_path))
    calls = Ledger(measured).read("calls")
    own = calls.filter(calls["subject"].str.ends_with("checkout.py").fill_null(value=False))
    cost = answers["cost_of"]
    assert cost["usd"] == pytest.approx(own["usd"].sum(), abs=1e-4)
    assert cost["calls"] == len(own) == 5
    assert cost["most"][0]["name"].endswith("shop/checkout.py")
    assert answers["cost_so_far"]["session_usd"] is None
    assert answers["cost_so_far"]["today_usd"] == 0
    assert answers["what_is_left"]["budgets"] == []
    assert answers["what_would_save"]["changes"] == []  # Five sessions are too few for any.
    assert answers["missing"] == "cost_of: expected texts for what, last."
    assert answers["odd"].startswith("--last: expected hours")
    assert answers["long"].startswith(
        "cost_of: expected at most 1,000 characters for what, found 1,001."
    )
    assert set(answers["tools"]) == set(TOOLS)


async def _ask(ledger: Path, folder: Path) -> dict[str, Any]:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    words = ["-c", "from agentdyno.cli import main; main()", "mcp", str(ledger), "--folder",
             str(folder)]  # fmt: skip
    environment = {**os.environ, "CLAUDE_CONFIG_DIR": str(folder / "none")}
    server = StdioServerParameters(command=sys.executable, args=words, env=environment)
    async with Client(stdio_client(server)) as client:
        found: dict[str, Any] = {"tools": [each.name for each in (await client.list_tools()).tools]}
        for name, given in (("cost_of", {"what": "shop/checkout.py"}), ("cost_so_far", {}),
                            ("what_is_left", {}), ("what_would_save", {})):  # fmt: skip
            found[name] = json.loads((await client.call_tool(name, given)).content[0].text)
        for name, given in (("missing", {}), ("odd", {"what": "x", "last": "soon"}),
                            ("long", {"what": "x" * 1_001})):  # fmt: skip
            result = await client.call_tool("cost_of", given)
            assert result.is_error
            found[name] = result.content[0].text
    return found


SLOW_SERVER = """
import sys, threading, time
from pathlib import Path
import anyio
from mcp.server.stdio import stdio_server
from agentdyno_daily.cli.mcp import build_server
from agentdyno_daily.running.agent_questions import AgentQuestions

asked = threading.Event()

class Questions(AgentQuestions):
    def cost_of(self, what, last=None):
        asked.set()
        time.sleep(3600)

    def cost_so_far(self):
        return {"slow_one_was_asked": asked.wait(60)}

async def serve():
    server = build_server(Questions(Path("my ledger"), Path(".")), most_seconds=float(sys.argv[1]))
    async with stdio_server() as (reads, writes):
        await server.run(reads, writes, server.create_initialization_options())

anyio.run(serve)
"""


def test_a_slow_question_keeps_no_other_waiting() -> None:
    """It would be answered after ten minutes; the fast one is answered while it is worked on."""

    async def ask(client: Any) -> list[tuple[str, str]]:
        answers = []

        async def call(name: str, given: dict[str, str]) -> None:
            result = await client.call_tool(name, given)
            answers.append((name, result.content[0].text))

        slow = asyncio.create_task(call("cost_of", {"what": "x"}))
        await call("cost_so_far", {})
        slow.cancel()
        return answers

    assert asyncio.run(_talk(ask, 600)) == [("cost_so_far", '{"slow_one_was_asked":true}')]


def test_an_answer_that_takes_too_long_names_the_command() -> None:
    async def ask(client: Any) -> list[Any]:
        calls = [client.call_tool("cost_of", {"what": "x"}) for _ in range(AT_ONCE + 2)]
        return await asyncio.gather(*calls)

    results = asyncio.run(_talk(ask, 0.2))
    assert len(results) == AT_ONCE + 2
    for result in results:
        assert result.is_error
        assert "no answer within 0.2 s" in result.content[0].text
        assert result.content[0].text.endswith("agentdyno report 'my ledger' --by file")


async def _talk(ask: Callable[[Any], Awaitable[list[Any]]], most_seconds: float) -> list[Any]:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    words = ["-c", SLOW_SERVER, str(most_seconds)]
    server = StdioServerParameters(command=sys.executable, args=words, env={**os.environ})
    async with Client(stdio_client(server)) as client:
        return await ask(client)


def test_the_session_of_the_folder_is_read_from_its_transcript(
    measured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "home" / "projects" / "-home-ada-shop"
    project.mkdir(parents=True)
    traces = tmp_path / "traces"
    session = next(path for path in traces.glob("*.jsonl") if "vouchers" in path.read_text())
    name = json.loads(session.read_text().splitlines()[0])["sessionId"]
    shutil.copy(session, project / f"{name}.jsonl")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "home"))
    found = AgentQuestions(measured, Path("/home/ada/shop")).cost_so_far()
    assert (found["session_usd"], found["session_turns"]) == (0.3514, 10)
    left = AgentQuestions(measured, Path("/home/ada/shop")).what_is_left()
    assert left["cache_seconds"] == 0
    assert left["cache_miss_usd"] > 0
