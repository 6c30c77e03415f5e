"""A server over streamable HTTP, as `agentdyno world serve SERVER --http PORT` starts it."""

import socket
import subprocess
import sys
import time

import anyio
from mcp import Client


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_any_client_can_use_a_server_over_http() -> None:
    port = free_port()
    words = ["-P", "-m", "agentdyno_bench.tps.world.serve", "convert", "--http", str(port)]
    process = subprocess.Popen([sys.executable, *words])
    try:
        deadline = time.monotonic() + 60
        while not is_open(port):
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.1)

        async def session() -> str:
            async with Client(f"http://127.0.0.1:{port}/mcp") as client:
                answer = await client.call_tool("calculate", {"expression": "6*7"})
                return str(answer.content[0].text)  # type: ignore[union-attr]

        assert '"result":42.0' in anyio.run(session)
    finally:
        process.terminate()
        process.wait(20)
