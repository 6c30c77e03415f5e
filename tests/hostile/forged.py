"""Ledgers whose manifests somebody forged: with the right digest, so that only their names tell."""

import contextlib
import io
import json
import shutil
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.cli.app import app, run_guarded
from agentdyno.pipelines.measure import MeasureOptions, measure
from tests.ledger.traces import write_jsonl

NAME, GENERATIONS = "manifest.json", ".generations"
Json = Any


def build_ledger(folder: Path) -> Path:
    """`folder/ledger`, of two files in `folder/traces`, beside files that are nobody's business."""
    write_jsonl(folder / "traces" / "a.jsonl", range(3))
    measure([folder / "traces"], folder / "ledger", MeasureOptions(workers=1))
    write_jsonl(folder / "traces" / "b.jsonl", range(50, 52))
    measure([folder / "traces"], folder / "ledger", MeasureOptions(workers=1))
    outside = folder / "outside"
    outside.mkdir()
    shutil.copy(next((folder / "ledger" / "patterns").glob("*.parquet")), outside / "own.parquet")
    (outside / "notes.txt").write_text("not a line of a ledger")
    return folder / "ledger"


def read_fields(ledger: Path) -> dict[str, Json]:
    """The manifest as plain values."""
    fields: dict[str, Json] = json.loads((ledger / NAME).read_bytes())
    return fields


def forge(ledger: Path, change: Callable[[dict[str, Json]], None]) -> None:
    """Changes the manifest and its copy, and gives both the digest that belongs to them."""
    fields = read_fields(ledger)
    change(fields)
    write_fields(ledger, fields)


def write_fields(ledger: Path, fields: Json) -> None:
    """Writes both manifests, with a digest that fits where there is room for one."""
    if isinstance(fields, dict) and "digest" in fields:
        bare = msgspec.json.encode(fields | {"digest": ""})
        fields = fields | {"digest": blake2b(bare, digest_size=16).hexdigest()}
    for path in manifests(ledger):
        path.write_bytes(msgspec.json.encode(fields))


def manifests(ledger: Path) -> list[Path]:
    return [ledger / NAME, *(ledger / GENERATIONS).iterdir()]


def snapshot(folder: Path, without: Path) -> dict[str, tuple[bytes | str | None, int]]:
    """Every file, link and folder under one folder, another one left out."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path != without and without not in path.parents:
            stat = path.lstat()
            found[str(path)] = (_content(path), 0 if path.is_dir() else stat.st_mtime_ns)
    return found


def _content(path: Path) -> bytes | str | None:
    if path.is_symlink():
        return str(path.readlink())
    return path.read_bytes() if path.is_file() else None


class Run:
    """What a command did."""

    def __init__(self, *words: object) -> None:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.code = run_guarded(lambda **how: app([str(word) for word in words], **how))
        self.out, self.err = out.getvalue(), err.getvalue()

    @property
    def is_plain(self) -> bool:
        """Whether it worked, or ended with an error that a user can act on."""
        text = self.out + self.err
        return (
            self.code in (0, 1, 2)
            and "Traceback" not in text
            and "should not have happened" not in text
        )


def verbs(ledger: Path, beside: Path) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Every command that opens a ledger and needs no model."""
    traces = ledger.parent / "traces"
    yield "measure", ("measure", traces, "--out", ledger, "--workers", 1)
    yield (
        "measure exact",
        (*("measure", traces / "a.jsonl", "--out", ledger, "--workers", 1, "--count", "exact"),),
    )
    yield "verify", ("ledger", "verify", ledger)
    yield "report", ("report", ledger, "-o", beside / "report.html")
    yield "compare", ("compare", ledger, ledger, "--setting-b", "model=qwen*")
    yield "export --table", ("export", ledger, "--table", "turns", "--to", beside / "turns.csv")
    yield "judge", ("judge", ledger)
    yield "classify", ("classify", "--ledger", ledger)
