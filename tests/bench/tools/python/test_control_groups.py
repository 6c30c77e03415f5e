"""Where control groups can be made is found, and a program's limits are the kernel's there."""

import os
from pathlib import Path

import anyio
import pytest

from agentdyno_bench.tools.config import MIB, PythonConfig
from agentdyno_bench.tools.python import control_groups
from agentdyno_bench.tools.python.bubblewrap import Bubblewrap
from agentdyno_bench.tools.python.control_groups import Group, Places, candidates
from tests.bench.tools.python.host import no_bubblewrap

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
    assert files(tmp_path, mounts, "0::/user/session\n") == [
        Places(2, top / "user", None),
        Places(2, top, top),
    ]


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
    assert done.peak_bytes is not None
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
    assert done.peak_bytes is not None
    assert done.peak_bytes <= 200 * MIB * 1.1


def test_without_groups_it_says_that_it_counts() -> None:
    sandbox = Bubblewrap(PythonConfig(packages=False), groups=False)
    assert sandbox.memory_limited_by == "count"
