"""The filter lets through what is listed and nothing else, on both machines, and the list is right.

The filter is run here by a small interpreter of its instructions, so that a machine of the other
architecture is not needed; the numbers are compared with the kernel's headers and with libseccomp.
"""

import ctypes
import ctypes.util
import errno
import os
import re
import struct
from pathlib import Path

import anyio
import pytest

from agentdyno_bench.pte.tools.config import MIB, PythonConfig
from agentdyno_bench.pte.tools.python import control_groups
from agentdyno_bench.pte.tools.python.bubblewrap import Bubblewrap
from agentdyno_bench.pte.tools.python.control_groups import Group, Places, candidates
from agentdyno_bench.pte.tools.python.seccomp import ALLOW, ALLOWED, ERRNO, KILL, MACHINES, program
from tests.bench.pte.tools.python.host import no_bubblewrap

EPERM, ENOSYS = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS
HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"),
    "aarch64": ("/usr/include/asm-generic/unistd.h",),
}


def verdict(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """What the filter says of a call."""
    found = arch if arch is not None else MACHINES[machine][0]
    data = struct.pack("=IIQ6Q", number, found, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    steps = list(struct.iter_unpack("=HBBI", program(machine)))
    place, held = 0, 0
    while True:
        code, yes, no, value = steps[place]
        place += 1
        if code == 0x20:
            held = struct.unpack_from("=I", data, value)[0]
        elif code == 0x06:
            return value
        else:
            holds = {0x15: held == value, 0x25: held > value, 0x35: held >= value,
                     0x45: bool(held & value)}[code]  # fmt: skip
            place += yes if holds else no


@pytest.mark.parametrize("machine", MACHINES)
def test_every_number_up_to_600_is_allowed_exactly_when_it_is_listed(machine: str) -> None:
    column = MACHINES[machine][1]
    listed = {both[column] for both in ALLOWED.values()}
    for number in range(600):
        refused = ENOSYS if number == 435 or number > 450 else EPERM
        assert verdict(machine, number, 1) == (ALLOW if number in listed else refused), number


@pytest.mark.parametrize("machine", MACHINES)
def test_arguments_decide_where_the_number_does_not(machine: str) -> None:
    column = MACHINES[machine][1]

    def said(name: str, *arguments: int) -> int:
        number = ALLOWED[name][column]
        assert number is not None
        return verdict(machine, number, *arguments)

    assert said("clone", 0x01200011) == ALLOW  # fork
    assert said("clone", 0x3D0F00) == ALLOW  # a thread
    for namespace in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert said("clone", namespace | 17) == EPERM
    for call in ("socket", "socketpair"):
        assert said(call, 1, 1, 0) == said(call, 2, 2, 17) == said(call, 10, 1, 6) == ALLOW
        assert said(call, 40, 1, 0) == said(call, 16, 3, 0) == ERRNO | errno.EAFNOSUPPORT
        assert said(call, 2, 5, 132) == said(call, 2, 1, 262) == ERRNO | errno.EPROTONOSUPPORT
    assert said("fcntl", 3, 1031, 2**20) == EPERM
    assert said("fcntl", 3, 1030, 0) == ALLOW
    assert said("ioctl", 0, 0x5412) == said("ioctl", 0, 0x541C) == EPERM
    assert said("ioctl", 0, 0x5413) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_of_another_architecture_end_the_program(machine: str) -> None:
    assert verdict(machine, 39, arch=0x40000003) == KILL
    assert verdict(machine, 0x40000000 + 39) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    header = next((p for p in map(Path, HEADERS[machine]) if p.exists()), None)
    if header is None:
        pytest.skip(f"no kernel headers for {machine} here")
    names = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()))
    names.setdefault("newfstatat", names.get("fstatat", ""))
    checked = 0
    for name, both in ALLOWED.items():
        if names.get(name):
            assert int(names[name]) == both[MACHINES[machine][1]], name
            checked += 1
    assert checked >= 175


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_those_of_libseccomp(machine: str) -> None:
    found = ctypes.util.find_library("seccomp")
    if found is None:
        pytest.skip("libseccomp is not here")
    resolve = ctypes.CDLL(found).seccomp_syscall_resolve_name_arch
    checked = 0
    for name, both in ALLOWED.items():
        number = resolve(ctypes.c_uint32(MACHINES[machine][0]), name.encode())
        wanted = both[MACHINES[machine][1]]
        if number >= 0:
            assert number == wanted, name
            checked += 1
        elif number != -1:  # Below: known, and the architecture has no such call.
            assert wanted is None, name
    assert checked >= 175


WORK = """
import asyncio, concurrent.futures, ctypes, hashlib, json, mmap, multiprocessing, os, queue
import random, select, shutil, signal, socket, sqlite3, ssl, subprocess, sys, tempfile, threading
import time, uuid, zoneinfo
import numpy, scipy.linalg, sympy
assert numpy.linalg.solve(numpy.eye(3), numpy.ones(3)).sum() == 3
assert scipy.linalg.det(numpy.eye(4)) == 1
assert sympy.integrate(sympy.Symbol('x'), (sympy.Symbol('x'), 0, 2)) == 2
async def both():
    got = await asyncio.gather(asyncio.sleep(0, 1), asyncio.to_thread(lambda: 2))
    process = await asyncio.create_subprocess_exec(sys.executable, '-c', 'print(3)', stdout=-1)
    return [*got, int((await process.communicate())[0])]
assert asyncio.run(both()) == [1, 2, 3]
with concurrent.futures.ProcessPoolExecutor(2) as pool:
    assert list(pool.map(abs, [-1, -2])) == [1, 2]
with multiprocessing.Pool(1) as pool:
    assert pool.map(len, ['ab']) == [2]
base = sqlite3.connect('/tmp/x.db')
base.execute('create table t (a)'); base.execute('insert into t values (1)'); base.commit()
with tempfile.TemporaryDirectory() as folder:
    open(folder + '/a', 'w').write('x')
    shutil.copy2(folder + '/a', folder + '/b'); shutil.move(folder + '/b', folder + '/c')
    shutil.copytree(folder, folder + '2'); os.mkfifo(folder + '/f')
a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'
assert subprocess.run([sys.executable, '-c', 'print(1)'], capture_output=True).stdout == b'1\\n'
m = mmap.mmap(-1, 8192); m[:2] = b'ab'; m.close()
signal.setitimer(signal.ITIMER_REAL, 0.01); signal.sigtimedwait([signal.SIGALRM], 1) \
    if signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM]) is not None else None
event = threading.Event(); threading.Timer(0.01, event.set).start(); assert event.wait(5)
assert zoneinfo.ZoneInfo('Europe/Oslo').key and uuid.uuid4() and os.cpu_count()
poll = select.epoll(); poll.close(); os.sched_getaffinity(0); time.sleep(0.001)
print('all of it works')
"""


@pytest.mark.skipif(no_bubblewrap() is not None, reason=str(no_bubblewrap()))
def test_what_python_and_its_packages_do_still_works() -> None:
    done = anyio.run(Bubblewrap(PythonConfig(time_seconds=60)).execute, WORK)
    assert done.stdout.endswith("all of it works\n"), done.stderr


grouped = pytest.mark.skipif(
    no_bubblewrap() is not None or control_groups.unavailable() is not None,
    reason=str(no_bubblewrap() or control_groups.unavailable()),
)


def files(folder: Path, mounts: str, own: str) -> list[Places]:
    (folder / "mounts").write_text(mounts)
    (folder / "own").write_text(own)
    return list(candidates(folder / "mounts", folder / "own"))


def test_version_1_is_found_below_ones_own_group(tmp_path: Path) -> None:
    mounts = (
        "30 25 0:26 / /cg/memory rw - cgroup cgroup rw,memory\n"
        "31 25 0:27 / /cg/my\\040pids rw - cgroup cgroup rw,pids\n"
    )
    own = "4:memory:/mine/too\n8:pids:/\n0::/\n"
    assert files(tmp_path, mounts, own) == [
        Places(1, Path("/cg/memory/mine/too"), Path("/cg/my pids"))
    ]


def test_version_2_is_found_where_a_group_hands_memory_down(tmp_path: Path) -> None:
    top = tmp_path / "cg"
    inner = top / "user" / "session"
    inner.mkdir(parents=True)
    (inner / "cgroup.subtree_control").write_text("")
    (top / "user" / "cgroup.subtree_control").write_text("cpu memory\n")
    (top / "cgroup.subtree_control").write_text("memory pids\n")
    mounts = f"30 25 0:26 / {top} rw - cgroup2 cgroup2 rw\n"
    found = files(tmp_path, mounts, "0::/user/session\n")
    assert found == [Places(2, top / "user", None), Places(2, top, top)]


def test_no_mount_no_group(tmp_path: Path) -> None:
    assert files(tmp_path, "30 25 0:26 / / rw - ext4 /dev/vda rw\n", "0::/\n") == []


def test_a_group_of_version_2_writes_its_limits(tmp_path: Path) -> None:
    group = Group(Places(2, tmp_path, tmp_path), 64 * MIB, 9)
    (made,) = (p for p in tmp_path.iterdir() if p.is_dir())
    assert (made / "memory.max").read_text() == str(64 * MIB)
    assert (made / "pids.max").read_text() == "9"
    (made / "memory.events").write_text("low 0\nmax 7\noom 1\noom_kill 0\n")
    assert not group.ran_out()
    (made / "memory.events").write_text("low 0\nmax 7\noom 1\noom_kill 2\n")
    assert group.ran_out()


def test_a_folder_that_takes_no_limits_is_no_group(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(OSError, match="No such file"):
        Group(Places(2, gone, None), 64 * MIB, 9)


FILL = "x = bytearray({size})\nfor k in range(0, len(x), 4096):\n    x[k] = 1\n"


@grouped
def test_a_program_is_told_its_peak_and_leaves_no_group_behind() -> None:
    sandbox = Bubblewrap(PythonConfig(packages=False, memory_bytes=200 * MIB))
    done = anyio.run(sandbox.execute, FILL.format(size=50 * MIB))
    assert done.exit_code == 0
    assert 50 * MIB < done.peak_bytes < 90 * MIB
    assert sandbox.memory_limited_by.startswith("control group, version")
    places = control_groups._usable()
    assert isinstance(places, Places)
    assert list(places.memory.glob(f"agentdyno-{os.getpid()}-*")) == []


@grouped
def test_children_that_take_too_much_together_are_stopped_at_the_limit() -> None:
    code = "import os, time\nfor _ in range(6):\n    if os.fork() == 0:\n"
    code += "".join(f"        {line}\n" for line in FILL.format(size=60 * MIB).splitlines())
    code += "        time.sleep(9)\n        os._exit(0)\ntime.sleep(9)"
    sandbox = Bubblewrap(PythonConfig(packages=False, memory_bytes=200 * MIB))
    done = anyio.run(sandbox.execute, code)
    assert done.stopped == "memory"
    assert done.peak_bytes <= 200 * MIB * 1.1


def test_without_groups_it_says_that_it_counts() -> None:
    sandbox = Bubblewrap(PythonConfig(packages=False), groups=False)
    assert sandbox.memory_limited_by == "count"
