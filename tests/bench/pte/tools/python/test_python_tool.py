"""The tool python: its results, its limits, its backends and its refusals."""

import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest
from inspect_ai.util import ExecResult, OutputLimitExceededError
from msgspec.structs import replace

from agentdyno.records import InputError
from agentdyno_bench.pte.tools.config import MIB, PythonConfig
from agentdyno_bench.pte.tools.failure import ToolFailedError
from agentdyno_bench.pte.tools.python import (
    Execution,
    PythonTool,
    choose_backend,
    describe,
    walls,
)
from agentdyno_bench.pte.tools.python.bubblewrap import Bubblewrap, find_unused_id
from agentdyno_bench.pte.tools.python.docker import InspectSandbox
from agentdyno_bench.pte.tools.python.fusion import SandboxFusion
from agentdyno_bench.pte.tools.python.interpreter import current_interpreter
from agentdyno_bench.pte.tools.python.unsafe import UnsafeHost
from tests.bench.pte.tools.loopback import Request, page, serve
from tests.bench.pte.tools.python.host import Namespaces, no_bubblewrap

sandboxed = pytest.mark.skipif(no_bubblewrap() is not None, reason=str(no_bubblewrap()))


@sandboxed
def test_what_a_program_prints_comes_back() -> None:
    code = "import sys\nprint(2**10)\nprint('careful', file=sys.stderr)"
    assert anyio.run(PythonTool(PythonConfig()).run, code) == "stdout:\n1024\n\nstderr:\ncareful"


@sandboxed
def test_an_exception_is_a_failed_call_with_its_traceback() -> None:
    with pytest.raises(ToolFailedError) as caught:
        anyio.run(PythonTool(PythonConfig()).run, "print('before')\nx = 1 / 0")
    assert caught.value.text.startswith("stdout:\nbefore\n\nstderr:\nTraceback")
    assert 'File "/code/main.py", line 2' in caught.value.text
    assert caught.value.text.endswith("division by zero\n\nexit code: 1")


@sandboxed
def test_installed_packages_can_be_imported() -> None:
    code = "import numpy, sympy\nprint(sympy.sqrt(8), numpy.arange(4).sum())"
    assert "2*sqrt(2) 6" in anyio.run(PythonTool(PythonConfig()).run, code)


@sandboxed
def test_several_processes_and_own_files_are_fine() -> None:
    code = (
        "import multiprocessing, tempfile\nwith multiprocessing.Pool(3) as pool:\n"
        "    print(pool.map(abs, [-1, -2]))\nwith tempfile.TemporaryFile() as f:\n"
        "    print(f.write(b'abc'))"
    )
    assert "[1, 2]\n3" in anyio.run(PythonTool(PythonConfig()).run, code)


@sandboxed
def test_agentdyno_itself_is_hidden_where_it_is_installed_among_the_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "site" / "agentdyno"
    installed.mkdir(parents=True)
    (installed / "answers.txt").write_text("42")
    (tmp_path / "site" / "other.py").write_text("value = 7")
    monkeypatch.setattr(walls, "_AGENTDYNO", [installed])
    interpreter = replace(current_interpreter(False), packages=(tmp_path / "site",))
    code = "import os, other\nprint(other.value, os.listdir('/packages/agentdyno'))"
    execution = anyio.run(Bubblewrap(PythonConfig(), interpreter).execute, code)
    assert execution.stdout == "7 []\n"


class Counting:
    """A sandbox that only counts how many programs it has at once."""

    name = "counting"

    def __init__(self) -> None:
        self.now = self.most = 0

    async def execute(self, code: str) -> Execution:
        self.now += 1
        self.most = max(self.most, self.now)
        await anyio.sleep(0.01)
        self.now -= 1
        return Execution("", "", 0)


@pytest.mark.parametrize("concurrent", [1, 3])
def test_programs_run_at_once_but_no_more_than_allowed(concurrent: int) -> None:
    sandbox = Counting()
    tool = PythonTool(PythonConfig(concurrent=concurrent), sandbox)

    async def ten() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(10):
                group.start_soon(tool.run, "")

    anyio.run(ten)
    assert sandbox.most == concurrent


@sandboxed
def test_sandboxes_do_not_use_up_each_others_processes() -> None:
    code = "import os, time\nfor _ in range(6):\n    os.fork() or (time.sleep(1), os._exit(0))"
    sandbox = Bubblewrap(PythonConfig(processes=8, packages=False))
    codes = []

    async def one() -> None:
        codes.append((await sandbox.execute(code)).exit_code)

    async def three() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(one)

    anyio.run(three)
    assert codes == [0, 0, 0]


@sandboxed
def test_a_call_that_is_given_up_leaves_nothing() -> None:
    async def give_up() -> list[str]:
        sandbox = Bubblewrap(PythonConfig(packages=False))
        with Namespaces().remembered() as namespaces:
            with anyio.move_on_after(0.7):
                await sandbox.execute("import os, time\nos.fork()\ntime.sleep(60)")
            return namespaces.inhabitants()

    assert anyio.run(give_up) == []


@sandboxed
def test_a_sandbox_dies_with_the_process_that_made_it(tmp_path: Path) -> None:
    script = (
        "import anyio, os\n"
        "from agentdyno_bench.pte.tools.config import PythonConfig\n"
        "from agentdyno_bench.pte.tools.python import bubblewrap, first_process\n"
        "find = first_process.FirstProcess.find\n"
        "async def tell(self):\n    await find(self)\n    print(self.number, flush=True)\n"
        "first_process.FirstProcess.find = tell\n"
        "sandbox = bubblewrap.Bubblewrap(PythonConfig(packages=False))\n"
        "anyio.run(sandbox.execute, 'import time; time.sleep(60)')"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as maker:
        handle = os.pidfd_open(int(maker.stdout.readline()))
        time.sleep(0.3)
        maker.kill()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and not _ended(handle):
        time.sleep(0.05)
    assert _ended(handle)
    os.close(handle)


def _ended(handle: int) -> bool:
    return bool(select.select([handle], [], [], 0)[0])


def test_long_programs_are_refused() -> None:
    tool = PythonTool(PythonConfig(code_bytes=10), UnsafeHost(PythonConfig()))
    with pytest.raises(ToolFailedError, match="has 11 bytes; the limit is 10"):
        anyio.run(tool.run, "x" * 11)


@pytest.mark.parametrize(
    ("execution", "told"),
    [
        (Execution("", "", 0), "stdout:\n\n\nstderr:\n"),
        (Execution("a\n", "", None, "time"), "it ran longer than the time limit."),
        (Execution("a", "", None, "output"), "more than the output limit. Print less."),
        (Execution("a", "", None, "memory"), "out of memory, all its processes together."),
        (Execution("", "", 139), "exit code: 139 (it crashed (segmentation fault))"),
        (Execution("", "", 3), "exit code: 3"),
    ],
)
def test_results_say_how_it_ended(execution: Execution, told: str) -> None:
    assert describe(execution).endswith(told)


def no() -> str:
    return "it is not installed. Install it: apt-get install it."


def yes() -> None:
    return None


def test_without_a_sandbox_code_is_refused_and_the_remedy_named() -> None:
    with pytest.raises(InputError) as caught:
        choose_backend(PythonConfig(), no, no)
    assert "found none" in str(caught.value)
    assert "apt-get install" in str(caught.value)
    assert "python.fusion_url" in str(caught.value)
    assert "--unsafe-python" in str(caught.value)


@pytest.mark.parametrize(
    ("config", "bubblewrap", "docker", "name"),
    [
        (PythonConfig(), yes, yes, "bubblewrap"),
        (PythonConfig(), no, yes, "docker"),
        (PythonConfig(unsafe_python=True), no, no, "unsafe"),
        (PythonConfig(unsafe_python=True), yes, no, "bubblewrap"),
        (PythonConfig(fusion_url="http://localhost:8080"), yes, yes, "fusion"),
        (PythonConfig(backend="docker"), yes, yes, "docker"),
        (PythonConfig(backend="unsafe", unsafe_python=True), yes, yes, "unsafe"),
    ],
)
def test_the_safest_that_is_there_is_chosen(
    config: PythonConfig, bubblewrap: Any, docker: Any, name: str
) -> None:
    assert choose_backend(config, bubblewrap, docker).name == name


@pytest.mark.parametrize("backend", ["bubblewrap", "docker", "unsafe", "fusion"])
def test_what_was_asked_for_is_not_replaced_by_something_else(backend: Any) -> None:
    with pytest.raises(InputError):
        choose_backend(PythonConfig(backend=backend), no, no)


def fusion(server_url: str, **more: Any) -> SandboxFusion:
    return SandboxFusion(PythonConfig(fusion_url=server_url, time_seconds=5, **more))


def ran(**more: Any) -> bytes:
    result = {"status": "Finished", "execution_time": 0.02, "return_code": 0, "stdout": "4\n"}
    body = {"status": "Success", "message": "", "run_result": result | {"stderr": ""} | more}
    return page(msgspec.json.encode(body), kind="application/json")


def test_fusion_is_asked_and_answers() -> None:
    with serve(lambda request: ran()) as server:
        execution = anyio.run(fusion(server.url, memory_bytes=64 * MIB).execute, "print(2+2)")
        request = server.requests[0]
    assert execution == Execution("4\n", "", 0, None, 0.02)
    assert (request.method, request.target) == ("POST", "/run_code")
    assert msgspec.json.decode(request.body) == {
        "code": "print(2+2)",
        "language": "python",
        "run_timeout": 5.0,
        "memory_limit_MB": 64,
    }


def test_fusions_time_limit_errors_and_floods_are_told() -> None:
    answers = [
        ran(status="TimeLimitExceeded", return_code=None),
        ran(return_code=1, stderr="NameError"),
        ran(stdout="x" * 100_000),
        ran(stdout="x" * 3_000_000),
    ]

    def respond(request: Request) -> bytes:
        return answers[len(server.requests) - 1]

    with serve(respond) as server:
        told = [anyio.run(fusion(server.url).execute, "x") for _ in answers]
    assert [execution.stopped for execution in told] == ["time", None, "output", "output"]
    assert (told[1].exit_code, told[1].stderr, len(told[2].stdout)) == (1, "NameError", 64 * 1024)


@pytest.mark.parametrize(
    "answer",
    [
        page(b'{"status": "SandboxError", "message": "no room", "run_result": null}'),
        page(b"<html>", 502),
        b"garbage\r\n\r\n",
    ],
)
def test_a_broken_server_is_a_failed_call(answer: bytes) -> None:
    with serve(lambda request: answer) as server:
        tool = PythonTool(PythonConfig(), fusion(server.url))
        with pytest.raises(ToolFailedError, match=r"sandbox server (failed|is unavailable)"):
            anyio.run(tool.run, "x")


class Container:
    """What Inspect would give as the sample's sandbox."""

    def __init__(self, outcome: Any) -> None:
        self.outcome, self.asked = outcome, []

    async def exec(self, cmd: list[str], **more: Any) -> Any:
        self.asked.append((cmd, more))
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ((True, 0, "4\n", ""), Execution("4\n", "", 0)),
        ((False, 1, "", "NameError"), Execution("", "NameError", 1)),
        ((False, 124, "part", ""), Execution("part", "", None, "time")),
        ((True, 0, "x" * 200, ""), Execution("x" * 100, "", None, "output")),
        (TimeoutError(), Execution("", "", None, "time")),
        (OutputLimitExceededError("10 MiB", "y" * 200), Execution("y" * 100, "", None, "output")),
    ],
)
def test_code_runs_in_the_samples_container(
    outcome: Any, expected: Execution, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = ExecResult(*outcome) if isinstance(outcome, tuple) else outcome
    container = Container(result)
    monkeypatch.setattr("inspect_ai.util.sandbox", lambda: container)
    backend = InspectSandbox(PythonConfig(time_seconds=5, output_bytes=100))
    assert anyio.run(backend.execute, "print(2+2)") == expected
    command, more = container.asked[0]
    assert command == ["timeout", "-k", "1", "5", "python3", "-u", "-"]
    assert more["input"] == b"print(2+2)"


def test_code_without_a_sandbox_of_the_sample_says_what_is_missing() -> None:
    tool = PythonTool(PythonConfig(), choose_backend(PythonConfig(backend="docker"), no, yes))
    with pytest.raises(InputError, match=r"sandbox=task_sandbox\(config\)"):
        anyio.run(tool.run, "print(1)")


def test_the_unsafe_host_has_a_time_and_an_output_limit_at_least() -> None:
    host = UnsafeHost(PythonConfig(time_seconds=1.5, output_bytes=1000))
    assert anyio.run(host.execute, "print(6 * 7)").stdout == "42\n"
    assert anyio.run(host.execute, "import time; time.sleep(60)").stopped == "time"
    flood = anyio.run(host.execute, "while True: print('x' * 1000)")
    assert (flood.stopped, len(flood.stdout)) == ("output", 1000)
    held = "import os, time\nif os.fork() == 0:\n    time.sleep(60)"
    assert anyio.run(host.execute, held).exit_code == 0


def test_strangers_exist_in_small_containers_too(tmp_path: Path) -> None:
    small = tmp_path / "uid_map"
    small.write_text("         0     100000      65536\n")
    found = {find_unused_id(small) for _ in range(200)}
    assert all(32768 <= user < 65536 for user in found)
    assert len(found) > 100
    assert 2_000_000_000 <= find_unused_id(tmp_path / "missing") < 2_100_000_000
