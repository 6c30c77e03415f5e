"""The clients of the load study: the same two calls and a tool for each sample, done four ways.

Each returns the window from first request to last answer, the CPU time spent, every latency as
the client saw it, and the largest memory of one process.
"""

import asyncio
import json
import os
import resource
import time
from datetime import datetime
from pathlib import Path
from typing import Any

QUESTION = "What is 2 + 2? Use the tool."
SCHEMA = {
    "type": "function",
    "function": {
        "name": "calculate",
        "description": "Calculates.",
        "parameters": {
            "type": "object",
            "properties": {"expression": {"type": "string", "description": "What to calculate."}},
            "required": ["expression"],
        },
    },
}


def do_job(client: str, job: dict[str, Any]) -> dict[str, Any]:
    """Runs one client."""
    return {"bare": _bare, "plain": _plain, "ours": _ours, "two": _two}[client](job)


def _bare(job: dict[str, Any]) -> dict[str, Any]:
    began = _cpu()
    latencies, window = asyncio.run(_bare_samples(job))
    return _told(window, _cpu() - began, latencies)


async def _bare_samples(job: dict[str, Any]) -> tuple[list[float], float]:
    import aiohttp

    latencies: list[float] = []
    gate = asyncio.Semaphore(job["concurrency"])
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def call(messages: list[dict[str, Any]]) -> dict[str, Any]:
            start = time.perf_counter()
            body = {"model": "fake", "messages": messages, "tools": [SCHEMA]}
            url = f"{job['address']}/chat/completions"
            async with session.post(url, json=body) as response:
                found: dict[str, Any] = await response.json()
            latencies.append(time.perf_counter() - start)
            message: dict[str, Any] = found["choices"][0]["message"]
            return message

        async def sample() -> None:
            async with gate:
                messages: list[dict[str, Any]] = [{"role": "user", "content": QUESTION}]
                messages.append(await call(messages))
                messages.append({"role": "tool", "tool_call_id": "call_1", "content": "4"})
                await call(messages)

        start = time.perf_counter()
        await asyncio.gather(*(sample() for _ in range(job["samples"])))
        return latencies, time.perf_counter() - start


def calculating(samples: int) -> Any:
    """The task for Inspect."""
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate, use_tools
    from inspect_ai.tool import ToolDef

    async def calculate(expression: str) -> str:
        return "4"

    about = {"expression": "What to calculate."}
    tool = ToolDef(
        calculate, name="calculate", description="Calculates.", parameters=about
    ).as_tool()
    data = [Sample(id=i, input=QUESTION, target="4") for i in range(samples)]
    return Task(
        name="calculating", dataset=data, solver=[use_tools(tool), generate()], scorer=includes()
    )


def _plain(job: dict[str, Any]) -> dict[str, Any]:
    """Inspect as it comes; only the concurrency is set."""
    from inspect_ai import eval as evaluate
    from inspect_ai.model import get_model

    os.environ["XDG_DATA_HOME"] = job["out"]
    import openai  # noqa: F401  Loading it is not part of the work.

    began = _cpu()
    evaluate(
        calculating(job["samples"]),
        model=get_model("openai-api/fake/model", base_url=job["address"], api_key="none"),
        max_connections=job["concurrency"],
        max_samples=job["concurrency"],
        log_dir=f"{job['out']}/logs",
        display="none",
    )
    spent = _cpu() - began
    return _from_logs(job, spent)


def _ours(job: dict[str, Any], processes: int = 1) -> dict[str, Any]:
    from agentdyno_bench import ModelSpec, RunOptions, TaskRecipe, run_task

    recipe = TaskRecipe("runner_clients:calculating", {"samples": job["samples"]})
    model = ModelSpec("openai-api/fake/model", job["address"], {"api_key": "none"})
    options = RunOptions(out=Path(job["out"]), concurrency=job["concurrency"], processes=processes)
    import inspect_ai  # noqa: F401  Loading them is not part of the work.
    import openai  # noqa: F401

    began = _cpu()
    run = run_task(recipe, model, options)
    spent = _cpu() - began
    assert not run.failed, run.failed[0]
    return _from_logs(job, spent)


def _two(job: dict[str, Any]) -> dict[str, Any]:
    return _ours(job, processes=2)


def _from_logs(job: dict[str, Any], spent: float) -> dict[str, Any]:
    """Latencies and the window as the logs have them."""
    latencies: list[float] = []
    moments: list[float] = []
    valid: list[bool] = []
    for sample in _samples(Path(job["out"]) / "logs"):
        for event in sample["events"]:
            if event["event"] == "model":
                latencies.append(event["output"]["time"])
                moments += [_seconds(event["timestamp"]), _seconds(event["completed"])]
                timing = (event["output"].get("metadata") or {}).get("agentdyno")
                if timing:
                    valid.append(timing["latency_valid"])
    told = _told(max(moments) - min(moments), spent, latencies)
    return told | ({"flagged_share": 1 - sum(valid) / len(valid)} if valid else {})


def _samples(logs: Path) -> Any:
    from agentdyno.intake.format import Source
    from agentdyno.intake.formats.inspect_ai.archive import Archive

    for log in logs.rglob("*.eval"):
        with log.open("rb") as file:
            archive = Archive(Source(log, log.name), file)
            for name in archive.members:
                if name.startswith("samples/"):
                    yield json.loads(archive.read(name))


def _seconds(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp()


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _told(window: float, cpu: float, latencies: list[float]) -> dict[str, Any]:
    largest = max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return {
        "window_seconds": window,
        "cpu_seconds": cpu,
        "latencies": latencies,
        "memory_mb": largest / 1024,
    }
