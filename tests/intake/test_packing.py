"""Compressed files and archives of traces, well-meant and hostile."""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from agentdyno.intake import packing
from agentdyno.intake.discover import Found, NotRead, discover
from agentdyno.intake.format import load_formats
from agentdyno.intake.opening import locate
from agentdyno.intake.packing import unpack
from tests.labelled import mostly_slow
from tests.ledger.traces import chat

FORMATS = load_formats()
LINES = "".join(json.dumps(chat(task)) + "\n" for task in range(3)).encode()
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".zst": lambda data: zstandard.compress(data[:500]) + zstandard.compress(data[500:]),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


def _items(path: Path) -> tuple[list[Found], dict[str, str]]:
    items = list(discover([path], FORMATS))
    found = [item for item in items if isinstance(item, Found)]
    return found, {i.name: i.reason for i in items if isinstance(i, NotRead)}


def _tar(members: dict[str, bytes], mode: str = "w") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def _zip(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_compressed_file_is_read_like_the_file_itself(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(COMPRESS[suffix](LINES))
    (found,), skipped = _items(path)
    assert (found.name, found.format, skipped) == (path.name, "openai_chat", {})
    assert found.path.read_bytes() == LINES
    assert found.origin is not None
    assert locate(found.origin) == found.path


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.zip", _zip({"x/a.jsonl": LINES, "x/b.jsonl": LINES, "notes.md": b"hello"})),
        ("t.tar", _tar({"x/a.jsonl": LINES, "x/b.jsonl": LINES, "notes.md": b"hello"})),
        ("t.tgz", _tar({"x/a.jsonl": LINES, "x/b.jsonl": LINES, "notes.md": b"hello"}, "w:gz")),
        ("t.tar.xz", _tar({"x/a.jsonl": LINES, "x/b.jsonl": LINES, "notes.md": b""}, "w:xz")),
        (
            "t.zip",
            _zip({"x/a.jsonl.gz": gzip.compress(LINES), "x/b.jsonl": LINES, "notes.md": b""}),
        ),
    ],
)
def test_an_archive_is_read_like_a_folder(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    found, skipped = _items(tmp_path)
    root = f"{tmp_path.name}/{name}"
    assert {f.name.removesuffix(".gz") for f in found} == {f"{root}/x/a.jsonl", f"{root}/x/b.jsonl"}
    assert all(f.path.read_bytes() == LINES for f in found)
    assert skipped == {f"{root}/notes.md": "its ending .md is not one that traces have"}


def test_an_inspect_log_is_a_log_and_not_an_archive(tmp_path: Path) -> None:
    (tmp_path / "log.eval").write_bytes(
        _zip({"header.json": b"{}", "samples/1_epoch_1.json": b"{}"})
    )
    (found,), _ = _items(tmp_path / "log.eval")
    assert (found.format, found.origin) == ("inspect_ai", None)


def test_a_packed_picture_is_not_even_opened(tmp_path: Path) -> None:
    (tmp_path / "cat.png.gz").write_bytes(gzip.compress(b"meow"))
    assert _items(tmp_path)[1] == {
        f"{tmp_path.name}/cat.png.gz": "its ending .gz is not one that traces have"
    }


@pytest.mark.parametrize("name", ["../../escaped.jsonl", "a/../../../escaped.jsonl", "..\\e.jsonl"])
def test_a_member_whose_name_leads_out_is_named_and_the_others_are_read(
    tmp_path: Path, name: str
) -> None:
    members = {"a.jsonl": LINES, name: LINES, "b.jsonl": LINES}
    for packed, data in (("t.zip", _zip(members)), ("t.tar", _tar(members))):
        (tmp_path / packed).write_bytes(data)
        found, skipped = _items(tmp_path / packed)
        assert [f.name for f in found] == [f"{packed}/a.jsonl", f"{packed}/b.jsonl"]
        assert skipped == {f"{packed}/{name}": "its name leads out of the archive"}


def test_an_absolute_name_stays_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "t.zip").write_bytes(_zip({"/tmp/escaped.jsonl": LINES}))
    (tmp_path / "out").mkdir()
    assert unpack(tmp_path / "t.zip", tmp_path / "out") == []
    assert (tmp_path / "out" / "tmp" / "escaped.jsonl").is_file()


def test_links_and_devices_are_named_and_not_followed(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "t.tar", "w") as archive:
        for name, kind in (("l.jsonl", tarfile.SYMTYPE), ("h.jsonl", tarfile.LNKTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as zipped:
        link = zipfile.ZipInfo("l.jsonl")
        link.external_attr = 0o120777 << 16
        zipped.writestr(link, "/etc/passwd")
    for packed, many in (("t.tar", 2), ("t.zip", 1)):
        found, skipped = _items(tmp_path / packed)
        assert found == []
        assert len(skipped) == many
        assert set(skipped.values()) == {"a link or a device, which is not followed"}


@pytest.mark.parametrize("suffix", mostly_slow(COMPRESS, [".gz", ".zst"]))
def test_a_decompression_bomb_is_refused_and_takes_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr(packing, "FREE_BYTES", 1 << 20)
    monkeypatch.setattr(packing, "MOST_TIMES", 3)
    path = tmp_path / f"bomb.jsonl{suffix}"
    path.write_bytes(COMPRESS[suffix](bytes(64 << 20)))
    folder = tmp_path / "out"
    folder.mkdir()
    (left,) = unpack(path, folder)
    assert "which no trace does" in left.reason
    assert sum(p.stat().st_size for p in folder.rglob("*")) < 1 << 20


def test_an_archive_of_many_bombs_is_refused_in_sum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "FREE_BYTES", 1 << 20)
    monkeypatch.setattr(packing, "MOST_TIMES", 3)
    inner = gzip.compress(bytes(400_000))
    (tmp_path / "t.zip").write_bytes(_zip({f"{i}.jsonl.gz": inner for i in range(20)}))
    folder = tmp_path / "out"
    folder.mkdir()
    assert any("which no trace does" in left.reason for left in unpack(tmp_path / "t.zip", folder))
    assert sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) < 2 << 20


def test_an_archive_inside_an_archive_stays_shut(tmp_path: Path) -> None:
    (tmp_path / "t.zip").write_bytes(_zip({"in.zip": _zip({"a.jsonl": LINES})}))
    found, skipped = _items(tmp_path / "t.zip")
    assert (found, list(skipped)) == ([], ["t.zip/in.zip"])
    assert "inside an archive" in skipped["t.zip/in.zip"]


@pytest.mark.parametrize("data", [b"PK\x03\x04garbage", b"\x1f\x8bgarbage", b"BZhgarbage"])
def test_what_only_begins_like_a_packed_file_is_said(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.json").write_bytes(data)
    found, skipped = _items(tmp_path / "a.json")
    assert found == []
    assert "a.json" in skipped


def test_an_encrypted_member_is_named(tmp_path: Path) -> None:
    data = bytearray(_zip({"a.jsonl": LINES}))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1  # The directory's flag is what readers go by.
    (tmp_path / "t.zip").write_bytes(bytes(data))
    assert _items(tmp_path / "t.zip") == ([], {"t.zip/a.jsonl": "it is encrypted"})
