"""The pool: prefixed, parallel, and alive when a server is not."""

import asyncio
import json
import sys
import time
from pathlib import Path

import psutil
import pytest

from agentdyno.records import InputError
from agentdyno_bench.tps.pool import Pool, PoolSpec, ServerDiedError, open_pool
from agentdyno_bench.tps.pool.suite import check_reachable, server_specs
from agentdyno_bench.tps.world import World
from tests.labelled import from_set

FOREIGN = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("foreign")


@server.tool()
def list_notes(word: str) -> str:
    "Repeats a word."
    return f"foreign {word}"


@server.tool()
def die() -> str:
    "Ends the server."
    import os

    os._exit(1)


server.run("stdio")
"""


def kill(server: str) -> None:
    """Kills the process of one server, as a crash would."""
    for child in psutil.Process().children():
        if server in child.cmdline():
            child.kill()
            child.wait(10)


def test_a_parallel_turn_of_ten_calls_takes_hardly_longer_than_one() -> None:
    calls = [
        {"time": f"2026-05-04T{hour:02d}:00", "source_city": "Oslo", "target_city": "Lisbon"}
        for hour in range(24)
    ]
    # A few calls of any service are slow; these ten are not.
    usual = [c for c in calls if World().call("convert_convert_time", c).latency_seconds < 0.13]
    calls = usual[:10]
    spec = PoolSpec(latency="real", servers=("convert",))

    async def turn(pool: Pool) -> float:
        began = time.perf_counter()
        done = await asyncio.gather(*(pool.call("convert_convert_time", c) for c in calls))
        assert not any(answer.failed for answer in done)
        # Services of about 100 ms each: one after the other they take a second.
        assert sum(answer.latency_seconds for answer in done) > 0.75
        return time.perf_counter() - began

    with open_pool(spec) as pool:
        # One after the other they could not take less; other work on this machine is not the
        # pool's.
        assert min(asyncio.run(turn(pool)) for _ in range(5)) < 0.75


def test_a_killed_server_comes_back_with_its_state_and_the_call_is_answered() -> None:
    async def work(pool: Pool) -> None:
        await pool.call("notes_add_task", {"title": "kept"}, "a")
        kill("notes")
        listed = await pool.call("notes_list_tasks", {"list_name": "personal"}, "a")
        other = await pool.call("notes_list_tasks", {"list_name": "personal"}, "b")
        assert not listed.failed
        assert "kept" in listed.text
        assert "kept" not in other.text
        titles = {row["title"] for row in (await pool.state("notes", "a"))["tasks"].values()}
        assert "kept" in titles

    with open_pool(PoolSpec(servers=("notes",))) as pool:
        asyncio.run(work(pool))
        assert pool.restarts() == {"notes": 1}


def test_a_server_that_keeps_dying_fails_with_its_name_while_others_go_on() -> None:
    async def work(pool: Pool) -> None:
        kill("notes")
        with pytest.raises(ServerDiedError, match="'notes' ended 1 times"):
            await pool.call("notes_list_notes", {})
        answer = await pool.call("convert_calculate", {"expression": "1+1"})
        assert json.loads(answer.text)["result"] == 2

    with open_pool(PoolSpec(servers=("notes", "convert"), restarts=0)) as pool:
        asyncio.run(work(pool))


def test_other_servers_join_from_an_mcp_servers_file_under_their_own_prefix(tmp_path: Path) -> None:
    script = tmp_path / "foreign.py"
    script.write_text(FOREIGN)
    entry = {"command": sys.executable, "args": [str(script)]}
    listed = tmp_path / "servers.json"
    listed.write_text(json.dumps({"mcpServers": {"my_server": entry}}))
    spec = PoolSpec(servers=("notes",), mcp_servers=str(listed), transport="memory")

    async def work(pool: Pool) -> None:
        assert {"notes_list_notes", "my-server_list_notes"} <= set(pool.tools)
        answer = await pool.call("my-server_list_notes", {"word": "hi"})
        assert answer.text == "foreign hi"
        with pytest.raises(
            ServerDiedError, match="'my-server' ended during a call to die; the call"
        ):
            await pool.call("my-server_die", {})
        again = await pool.call("my-server_list_notes", {"word": "back"})
        assert again.text == "foreign back"

    with open_pool(spec) as pool:
        asyncio.run(work(pool))


@from_set("bench/tps/pool/pool", "content", "told")
def test_a_wrong_file_of_servers_is_told(tmp_path: Path, content: str, told: str) -> None:
    file = tmp_path / "servers.json"
    file.write_text(content)
    with pytest.raises(InputError, match=told):
        server_specs(PoolSpec(mcp_servers=str(file)))


def test_a_server_that_cannot_start_is_named(tmp_path: Path) -> None:
    entry = {"command": sys.executable, "args": ["-c", "raise SystemExit(3)"]}
    file = tmp_path / "servers.json"
    file.write_text(json.dumps({"mcpServers": {"broken": entry}}))
    with pytest.raises(ServerDiedError, match="'broken' could not be started"):
        Pool(PoolSpec(servers=(), mcp_servers=str(file)))


@pytest.mark.parametrize(
    "server", ['{"url": "http://127.0.0.1:9/mcp"}', '{"command": "no-such-program"}']
)
def test_a_server_that_nobody_answers_for_is_named_before_any_task_waits(
    tmp_path: Path, server: str
) -> None:
    file = tmp_path / "servers.json"
    file.write_text(f'{{"mcpServers": {{"gone": {server}}}}}')
    with pytest.raises(InputError, match=r"'gone'.*found none"):
        check_reachable(server_specs(PoolSpec(mcp_servers=str(file))))
