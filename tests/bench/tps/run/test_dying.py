"""A server that is killed under a sample: a named error, and the sample begins again."""

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageTool

from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRecipe
from agentdyno_bench.shared.running.task_runs import TaskRun, run_task
from agentdyno_bench.tps.run.task import FACTORY
from agentdyno_bench.tps.tasks.dataset import load_bundled

SERVER = """
import os, signal, sys
from pathlib import Path
from mcp.server.mcpserver import MCPServer

server, book = MCPServer("frail"), Path(sys.argv[1])


@server.tool()
def ask(word: str) -> str:
    "Repeats a word, unless it has not died often enough."
    lines = book.read_text().splitlines() if book.exists() else []
    book.write_text("\\n".join([*lines, str(os.getpid())]))
    if len(lines) < int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return f"heard {word}"


server.run("stdio")
"""


def script(input: list[ChatMessage], *_: Any) -> Reply:
    """Asks once, then submits nothing."""
    heard = [m.text for m in input if isinstance(m, ChatMessageTool)]
    if heard:
        return Reply(calls=[ReplyCall("submit", {})])
    return Reply(calls=[ReplyCall("frail_ask", {"word": "you"})])


def run(folder: Path, deaths: int) -> tuple[TaskRun, list[str]]:
    program, book = folder / "frail.py", folder / "book"
    program.write_text(SERVER)
    entry = {"command": sys.executable, "args": [str(program), str(book), str(deaths)]}
    listed = folder / "servers.json"
    listed.write_text(json.dumps({"mcpServers": {"frail": entry}}))
    options = {"selection": "none", "pool": {"servers": [], "mcp_servers": str(listed)}}
    one = [load_bundled("easy").tasks[0].task_id]
    recipe = TaskRecipe(FACTORY, {"options": options, "task_ids": one})
    model = ModelSpec("agentdyno/scripted", None, {"script": f"{__name__}:script"})
    done = run_task(recipe, model, RunOptions(out=folder / "out", concurrency=1))
    return done, book.read_text().splitlines()


def score_of(done: TaskRun) -> dict[str, Any]:
    from inspect_ai.log import read_eval_log

    (sample,) = read_eval_log(str(done.logs[0])).samples or []
    return next(iter((sample.scores or {}).values())).model_dump()


def test_a_sample_begins_again_when_a_real_server_process_is_killed_under_it(
    tmp_path: Path,
) -> None:
    done, processes = run(tmp_path, deaths=1)
    assert done.failed == []
    assert len(processes) == len(set(processes)) == 2
    scored = score_of(done)
    assert scored["answer"] == "{}"
    (death,) = scored["metadata"]["deaths"]
    assert death == ("the MCP server 'frail' ended during a call to ask; the call was not repeated")


def test_a_server_that_always_dies_fails_the_sample_by_name_after_three_attempts(
    tmp_path: Path,
) -> None:
    done, processes = run(tmp_path, deaths=99)
    assert len(processes) == 3
    (failed,) = done.failed
    assert "the MCP server 'frail' ended during a call to ask" in failed.error
