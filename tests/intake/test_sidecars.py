"""Files beside a trace are as hostile as the trace: links and pipes are not opened, bad text is
nothing, and the trace is read without them."""

import os
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from agentdyno.intake.sidecars import read_sidecar, read_sidecar_bytes
from agentdyno.records import Trajectory
from tests.intake.formats.conformance import read_as
from tests.labelled import DATA

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


def put_link(path: Path) -> None:
    other = path.with_name("elsewhere")
    if not other.exists():
        other.write_text('{"model": "linked"}')
    path.symlink_to(other)


def put_bad_text(path: Path) -> None:
    path.write_bytes(b'{"model": "\xff\xfe"}')


def put_pipe(path: Path) -> None:
    os.mkfifo(path)


def put_folder(path: Path) -> None:
    path.mkdir()


HOSTILE = [
    pytest.param(put_folder, id="folder"),
    pytest.param(put_link, id="link"),
    pytest.param(put_bad_text, id="bad text"),
    pytest.param(put_pipe, id="pipe", marks=needs_pipes),
]


@pytest.mark.parametrize("put", HOSTILE)
def test_what_is_no_sound_file_says_nothing(put: Callable[[Path], None], tmp_path: Path) -> None:
    put(tmp_path / "beside.json")
    assert read_sidecar(tmp_path / "beside.json") == {}


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "beside.json").write_text('{"a": 1}')
    assert read_sidecar(tmp_path / "beside.json", 8) == {"a": 1}
    assert read_sidecar_bytes(tmp_path / "beside.json", 7) is None
    assert read_sidecar_bytes(tmp_path / "none.json") is None


BESIDE = [
    ("kiro", "kiro/*.jsonl", "{stem}.json"),
    ("toolathlon", "toolathlon/*/traj_log.json", "eval_res.json"),
]


@pytest.mark.parametrize("put", HOSTILE)
@pytest.mark.parametrize(("format", "pattern", "beside"), BESIDE)
def test_a_trace_is_read_without_a_hostile_file_beside_it(
    put: Callable[[Path], None], format: str, pattern: str, beside: str, tmp_path: Path
) -> None:
    copytree(DATA / format, tmp_path / format)
    trace = next(
        path
        for path in sorted(tmp_path.glob(pattern))
        if (path.parent / beside.format(stem=path.stem)).is_file()
    )
    hostile = trace.parent / beside.format(stem=trace.stem)
    sound, _ = read_as(format, trace)
    hostile.rename(hostile.with_name("elsewhere"))
    alone, _ = read_as(format, trace)
    assert list(map(values, alone)) != list(map(values, sound))
    put(hostile)
    assert list(map(values, read_as(format, trace)[0])) == list(map(values, alone))


def values(run: Trajectory) -> str:
    return repr([run.model, run.correct, run.harness, run.title, *run.turns])
