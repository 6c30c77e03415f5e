"""Which files are read, and what they are called."""

import errno
import gzip
import os
from pathlib import Path

import pytest

from agentdyno.intake.discover import Found, NotRead, discover, pieces_of
from agentdyno.intake.format import load_formats
from agentdyno.intake.line_numbers import line_at
from agentdyno.records import InputError
from tests.ledger.traces import write_jsonl

FORMATS = load_formats()


def _found(*paths: Path) -> list[str]:
    return [item.name for item in discover(paths, FORMATS) if isinstance(item, Found)]


def _unrecognised(*paths: Path) -> dict[str, str]:
    items = discover(paths, FORMATS)
    return {item.name: item.reason for item in items if isinstance(item, NotRead)}


def test_names_start_at_the_folder_that_was_given(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "runs" / "deep" / "b.jsonl", [1])
    write_jsonl(tmp_path / "runs" / "a.jsonl", [1])
    assert _found(tmp_path / "runs") == ["runs/a.jsonl", "runs/deep/b.jsonl"]
    assert _found(tmp_path / "runs" / "a.jsonl") == ["a.jsonl"]


def test_a_packed_file_that_ends_before_its_first_byte_is_damaged_and_not_empty(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"messages": []}')[:12])
    reasons = [item.reason for item in discover([path], FORMATS) if isinstance(item, NotRead)]
    assert len(reasons) == 1
    assert "ends early or is damaged" in reasons[0]


def test_a_link_to_a_hidden_file_is_followed(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "runs" / ".store" / "abc", [1])
    (tmp_path / "runs" / "a.jsonl").symlink_to(path)
    assert _found(tmp_path / "runs") == ["runs/a.jsonl"]


def test_hidden_files_other_suffixes_and_ledgers_are_skipped_by_name(tmp_path: Path) -> None:
    for name in (".hidden.jsonl", "__pycache__/a.jsonl", ".git/a.jsonl", "picture.png"):
        write_jsonl(tmp_path / "runs" / name, [1])
    (tmp_path / "runs" / "ledger" / "trajectories").mkdir(parents=True)
    (tmp_path / "runs" / "ledger" / "manifest.json").write_text("{}")
    write_jsonl(tmp_path / "runs" / "a.jsonl", [1])
    assert _found(tmp_path / "runs") == ["runs/a.jsonl"]
    assert _unrecognised(tmp_path / "runs") == {
        "runs/.hidden.jsonl": "a hidden file",
        "runs/__pycache__": "a hidden folder, read only when it is named",
        "runs/.git": "a hidden folder, read only when it is named",
        "runs/ledger": "a ledger, not a trace",
        "runs/picture.png": "its ending .png is not one that traces have",
    }


def test_a_file_that_is_named_is_read_whatever_its_suffix(tmp_path: Path) -> None:
    assert _found(write_jsonl(tmp_path / "a.txt", [1, 2])) == ["a.txt"]


def test_what_looks_like_a_trace_and_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text(" \n")
    (tmp_path / "other.json").write_text('{"answer": 42}')
    (tmp_path / "broken.json").symlink_to(tmp_path / "nowhere")
    write_jsonl(tmp_path / "a.jsonl", [1])
    said = {name.split("/")[1]: reason for name, reason in _unrecognised(tmp_path).items()}
    assert said == {
        "empty.jsonl": "the file is empty",
        "other.json": "no format recognises it",
        "broken.json": "No such file or directory",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_said(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", [1]).chmod(0)
    assert list(_unrecognised(tmp_path).values()) == ["Permission denied"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission_is_said(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "shut" / "a.jsonl", [1])
    (tmp_path / "shut").chmod(0)
    try:
        items = [item for item in discover([tmp_path], FORMATS) if isinstance(item, NotRead)]
    finally:
        (tmp_path / "shut").chmod(0o700)
    assert [(item.reason, item.is_trace) for item in items] == [("Permission denied", True)]


def test_a_folder_that_cannot_be_listed_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_jsonl(tmp_path / "shut" / "a.jsonl", [1])
    write_jsonl(tmp_path / "open" / "b.jsonl", [1])
    scandir = os.scandir

    def refuse(path: str) -> object:
        if Path(path).name == "shut":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert _unrecognised(tmp_path) == {f"{tmp_path.name}/shut": "Permission denied"}
    assert _found(tmp_path) == [f"{tmp_path.name}/open/b.jsonl"]


def test_a_link_to_a_folder_elsewhere_is_said_and_one_within_is_not(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "runs" / "third" / "a.jsonl", [1])
    write_jsonl(tmp_path / "archive" / "b.jsonl", [1])
    (tmp_path / "runs" / "latest").symlink_to(path.parent)
    (tmp_path / "runs" / "older").symlink_to(tmp_path / "archive")
    assert _found(tmp_path / "runs") == ["runs/third/a.jsonl"]
    assert list(_unrecognised(tmp_path / "runs")) == ["runs/older"]
    assert _found(tmp_path / "runs" / "older") == ["archive/b.jsonl"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_that_is_named_is_called_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "a pipe or a device" in _unrecognised(tmp_path / "pipe")["pipe"]
    with pytest.raises(InputError, match="found a pipe"):
        _found(Path("-"))


def test_only_files_of_lines_are_cut(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", range(5))
    size = path.stat().st_size
    assert len(pieces_of(Found(path, "a", size, "openai_chat", False), 100)) == 1
    pieces = pieces_of(Found(path, "a", size, "openai_chat", True), 100)
    assert [p.start for p in pieces] == list(range(0, size, 100))
    assert [p.stop for p in pieces] == [*range(100, size, 100), size]
    # The number of the first line that starts at or after the piece's first byte.
    text = path.read_bytes()
    starts = [0] + [i + 1 for i, c in enumerate(text) if c == ord("\n")]
    for piece in pieces:
        assert line_at(path, piece.start) == 1 + sum(start < piece.start for start in starts)
