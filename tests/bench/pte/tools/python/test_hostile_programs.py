"""No hostile program gets through, each ends with a clear result, and nothing is left behind.

One program of each kind runs in the sandbox as this user makes it and, as root, in the one that an
ordinary user makes; the others run with `make test-slow`.
"""

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import anyio
import pytest

from agentdyno_bench.pte.tools.config import MIB, PythonConfig
from agentdyno_bench.pte.tools.python import control_groups
from agentdyno_bench.pte.tools.python.bubblewrap import Bubblewrap
from agentdyno_bench.pte.tools.python.execution import describe
from agentdyno_bench.pte.tools.python.interpreter import system_interpreter
from agentdyno_bench.pte.tools.python.unsafe import UnsafeHost
from tests.bench.pte.tools.python.host import SECRET_VALUE, Host, Namespaces, host, no_bubblewrap
from tests.bench.pte.tools.python.hostile_programs import PRELUDE, PROGRAMS, Program

NOBODY = 65534
FIRST_OF_KIND = {program.kind: program.name for program in reversed(PROGRAMS)}

pytestmark = pytest.mark.skipif(no_bubblewrap() is not None, reason=str(no_bubblewrap()))


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    os.environ["AGENTDYNO_TEST_SECRET"] = SECRET_VALUE
    with host(tmp_path_factory.mktemp("host")) as made:
        yield made
    del os.environ["AGENTDYNO_TEST_SECRET"]


def limits(program: Program) -> PythonConfig:
    return PythonConfig(
        packages=program.packages,
        time_seconds=program.seconds,
        cpu_seconds=program.cpu_seconds,
        memory_bytes=300 * MIB,
        disk_bytes=8 * MIB,
        files=2000,
        processes=12,
        output_bytes=16 * 1024,
    )


def run_and_check(program: Program, sandbox: Bubblewrap, victim: Host) -> None:
    code = victim.fill_in(PRELUDE + program.code)
    before = read_mounts()
    started = time.monotonic()
    with Namespaces().remembered() as namespaces:
        execution = anyio.run(sandbox.execute, code)
        left = namespaces.inhabitants()
    told = describe(execution)
    assert "ESCAPED" not in told, told
    assert re.search(program.expect, told), told
    assert len(told) < 2 * 16 * 1024
    assert time.monotonic() - started < program.seconds + 5
    assert left == []
    assert read_mounts() == before
    victim.check()


def read_mounts() -> list[str]:
    """What is mounted, but for the small disks of tests that run meanwhile in other processes."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return [line for line in lines if "/pytest-of-" not in line]


def is_first_of_kind(program: Program) -> bool:
    return FIRST_OF_KIND[program.kind] == program.name


def each(
    programs: Iterable[Program], is_slow: Callable[[Program], bool] = lambda program: program.slow
) -> pytest.MarkDecorator:
    """A case a program; the slow ones run with `make test-slow`."""
    cases = [
        pytest.param(p, marks=pytest.mark.slow if is_slow(p) else (), id=p.name) for p in programs
    ]
    return pytest.mark.parametrize("program", cases)


@each(PROGRAMS, is_slow=lambda program: program.slow or not is_first_of_kind(program))
def test_no_hostile_program_gets_through(program: Program, victim: Host) -> None:
    run_and_check(program, Bubblewrap(limits(program)), victim)


@each(PROGRAMS, is_slow=lambda program: not is_first_of_kind(program))
def test_no_hostile_program_gets_through_for_an_ordinary_user(
    program: Program, victim: Host
) -> None:
    if os.geteuid() != 0:
        pytest.skip("every other test here already runs as an ordinary user")
    interpreter = system_interpreter()
    if interpreter is None:
        pytest.skip("there is no /usr/bin/python3, which every user may read")
    sandbox = Bubblewrap(limits(program), interpreter, start_as=NOBODY)
    problem = sandbox.probe()
    if problem:
        pytest.skip(f"an ordinary user cannot make a sandbox here: {problem}")
    run_and_check(program, sandbox, victim)


@each(program for program in PROGRAMS if program.kind == "memory")
def test_no_hostile_program_gets_through_where_memory_is_counted(
    program: Program, victim: Host
) -> None:
    if control_groups.unavailable() is not None:
        pytest.skip("there are no control groups here: every test counts")
    run_and_check(program, Bubblewrap(limits(program), groups=False), victim)


@pytest.mark.parametrize("name", ["reads a secret", "reads the environment"])
def test_without_walls_the_same_programs_do_get_through(name: str, victim: Host) -> None:
    program = next(program for program in PROGRAMS if program.name == name)
    code = victim.fill_in(PRELUDE + program.code)
    execution = anyio.run(UnsafeHost(limits(program)).execute, code)
    assert "ESCAPED" in execution.stdout
