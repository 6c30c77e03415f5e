"""Object storage: URLs, stretches of files at their places, and plain words when it refuses."""

from collections.abc import Iterator
from pathlib import Path

import pytest

fsspec = pytest.importorskip("fsspec", reason="object storage needs fsspec")

from agentdyno.engines.storage import (
    fetch,
    fetch_lines,
    files_under,
    is_there,
    put,
    read_stretch,
    remove,
    url_of,
)
from agentdyno.records import InputError


@pytest.fixture
def bucket() -> Iterator[str]:
    """A storage in this process's memory."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield "memory://bucket"
    system.store.clear()


def _write(url: str, data: bytes) -> None:
    fsspec.filesystem("memory").pipe_file(url, data)


def test_a_path_that_lost_a_slash_is_a_url_again() -> None:
    assert url_of(Path("s3://bucket/a b/c.jsonl")) == "s3://bucket/a b/c.jsonl"
    assert url_of("GS://bucket/x") == "gs://bucket/x"


@pytest.mark.parametrize("path", ["traces", "/tmp/a:/b", "./s3:/x", "C:/traces", "a b:/c"])
def test_a_path_on_this_machine_is_no_url(path: str) -> None:
    assert url_of(path) is None


def test_files_are_listed_by_name_with_their_sizes(bucket: str) -> None:
    _write(f"{bucket}/t/b.jsonl", b"12345")
    _write(f"{bucket}/t/a/z.jsonl", b"1")
    found = files_under(f"{bucket}/t")
    got = [(each.url.rpartition("bucket/")[2], each.size) for each in found]
    assert got == [("t/a/z.jsonl", 1), ("t/b.jsonl", 5)]


@pytest.mark.parametrize(
    ("start", "stop", "expected"),
    [
        # Lines begin at 0, 4, 9 and 16; a piece has the lines that begin in it, whole.
        (0, 4, b"one\n"),
        (0, 5, b"one\nfour\n"),
        (4, 9, b"four\n"),
        (5, 17, b"longer\nend"),
    ],
)
def test_a_stretch_holds_its_lines_to_their_ends_at_their_places(
    bucket: str, tmp_path: Path, start: int, stop: int, expected: bytes
) -> None:
    data = b"one\nfour\nlonger\nend"
    _write(f"{bucket}/a", data)
    target = tmp_path / "a"
    fetch_lines(f"{bucket}/a", target, len(data), start, stop)
    laid_out = target.read_bytes()
    at = data.index(expected)
    assert len(laid_out) == len(data)
    assert laid_out[at : at + len(expected)] == expected


def test_a_stretch_of_a_large_file_is_fetched_alone(bucket: str, tmp_path: Path) -> None:
    lines = [b"%07d\n" % i for i in range(100_000)]
    _write(f"{bucket}/a", b"".join(lines))
    fetch_lines(f"{bucket}/a", tmp_path / "a", 800_000, 400_001, 480_000)
    found = (tmp_path / "a").read_bytes()
    assert found[400_000:480_000] == b"".join(lines[50_000:60_000])
    assert found[:65_536] == b"".join(lines)[:65_536]  # By its edges a file is known.
    assert found[-65_536:] == b"".join(lines)[-65_536:]
    assert not any(found[100_000:400_000])
    assert not any(found[480_000:700_000])


def test_what_is_put_is_there_and_can_be_removed(bucket: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    put(tmp_path / "a", f"{bucket}/deep/a")
    assert read_stretch(f"{bucket}/deep/a", 1, 3) == b"23"
    fetch(f"{bucket}/deep/a", tmp_path / "b" / "c")
    assert (tmp_path / "b" / "c").read_bytes() == b"12345"
    remove(f"{bucket}/deep/a")
    assert not is_there(f"{bucket}/deep/a")
    remove(f"{bucket}/deep/a")


def test_what_is_not_there_is_said_with_its_url(bucket: str) -> None:
    with pytest.raises(InputError, match="memory://bucket/none: no such file"):
        files_under(f"{bucket}/none")


def test_a_storage_that_nobody_knows_is_said_plainly() -> None:
    with pytest.raises(InputError, match=r"carrier-pigeon://coop: .*carrier-pigeon"):
        files_under("carrier-pigeon://coop")
