"""Several processes: all to the end, or an error that says which end it was."""

import os
import time
from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno_bench.running.processes import run_all


def touch(path: Path) -> None:
    path.touch()


def complain_or_wait(number: int) -> None:
    if number == 0:
        raise InputError("expected more, found 0.")
    time.sleep(600)


def vanish(number: int) -> None:
    os._exit(9)


def test_every_item_is_done(tmp_path: Path) -> None:
    run_all(touch, [tmp_path / "a", tmp_path / "b"])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b"]


def test_the_first_error_ends_the_others() -> None:
    began = time.monotonic()
    with pytest.raises(InputError, match="expected more"):
        run_all(complain_or_wait, [1, 0, 2])
    assert time.monotonic() - began < 300


def test_a_process_that_vanishes_is_said() -> None:
    with pytest.raises(InputError, match="ended unexpectedly"):
        run_all(vanish, [1])
