"""The engine: results in any order, errors as they are, and no worker that outlives its parent."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agentdyno.engines.anonymous_files import AnonymousFile, create_anonymous_file
from agentdyno.engines.local import processors, run, same_processes
from agentdyno.records import InputError


def double(number: int) -> int:
    time.sleep(0.02 * (3 - number % 3))
    return 2 * number


def fail_at_three(number: int) -> int:
    if number == 3:
        raise InputError("three is not to be had")
    return number


def die_at_three(number: int) -> int:
    if number == 3:
        os._exit(7)
    return number


def process_id(_: int) -> int:
    time.sleep(0.05)
    return os.getpid()


@pytest.mark.parametrize("workers", [1, 2])
def test_every_item_is_done_once(workers: int) -> None:
    assert sorted(run(double, range(12), workers)) == [2 * n for n in range(12)]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_comes_out_as_it_is(workers: int) -> None:
    with pytest.raises(InputError, match="three is not to be had"):
        list(run(fail_at_three, range(20), workers))


def test_a_worker_that_dies_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(InputError, match="run the command again, with --workers 1"):
        list(run(die_at_three, range(20), 2))


def test_work_is_done_in_other_processes_only_where_it_pays() -> None:
    assert set(run(process_id, range(3), 1)) == {os.getpid()}
    assert set(run(process_id, [0], 4)) == {os.getpid()}
    assert os.getpid() not in set(run(process_id, range(6), 2))


def test_whoever_joins_in_does_its_share_and_no_item_is_done_twice() -> None:
    assert sorted(run(double, range(12), 2, join_in=True)) == [2 * n for n in range(12)]
    workers = list(run(process_id, range(60), 3, join_in=True))
    assert len(workers) == 60
    assert os.getpid() in workers
    assert 2 <= len(set(workers)) <= 3


def test_an_error_comes_out_as_it_is_whoever_meets_it() -> None:
    for first in range(4):
        with pytest.raises(InputError, match="three is not to be had"):
            list(run(fail_at_three, range(first, 20), 2, join_in=True))


@pytest.mark.parametrize("join_in", [False, True])
def test_whoever_stops_asking_leaves_no_worker_behind(join_in: bool) -> None:
    results = run(process_id, range(200), 2, join_in)
    worker = next(each for each in results if each != os.getpid())
    results.close()
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


def test_processes_stay_for_the_next_call_and_end_with_the_block() -> None:
    with same_processes():
        first, second = (set(run(process_id, range(4), 2, join_in=True)) for _ in range(2))
        assert first == second
        with pytest.raises(InputError):
            list(run(die_at_three, range(4, 0, -1), 2))
        worker = next(iter(set(run(process_id, range(4), 2)) - first))
    for each in (first | {worker}) - {os.getpid()}:
        with pytest.raises(ProcessLookupError):
            os.kill(each, 0)


def write_to(file: AnonymousFile) -> int:
    return file.append(f"from {os.getpid()};".encode())


def test_a_file_without_a_name_is_open_where_it_is_sent(tmp_path: Path) -> None:
    file = create_anonymous_file(tmp_path)
    assert len(list(run(write_to, [file, file], 2))) == 2
    assert file.read(0, file.size).startswith(b"from ")
    assert not [*tmp_path.iterdir()]


def test_there_is_a_processor() -> None:
    assert processors() >= 1


PARENT = """
from agentdyno.engines.local import run
from tests.engines.test_local import process_id
if __name__ == "__main__":
    for worker in run(process_id, range(10_000), 2):
        print(worker, flush=True)
"""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds processes through /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_workers_die_with_their_parent(how: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # On the path, since workers import nothing from the current folder.
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        start_new_session=True,
    )
    workers = {int(parent.stdout.readline()) for _ in range(8)}
    if how is signal.SIGINT:  # As a terminal sends it: to parent and workers alike.
        os.killpg(parent.pid, how)
    else:
        parent.send_signal(how)
    _, errors = parent.communicate(timeout=20)
    deadline = time.monotonic() + 20
    while any(_runs(worker) for worker in workers):
        assert time.monotonic() < deadline, "a worker outlives its parent"
        time.sleep(0.02)
    # One traceback, the parent's own; a worker's would reach the user behind our back.
    assert errors.count("Traceback") == (1 if how is signal.SIGINT else 0)


def _runs(process: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
