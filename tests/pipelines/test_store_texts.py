"""Texts that a ledger keeps stand for its traces when those are gone, and hold no secret."""

import json
import os
import shutil
from pathlib import Path

import pytest
import zstandard
from msgspec import structs

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import measure
from agentdyno.pipelines.rederive import rederive_tables
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.session_states import keep_states
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno.studies.cost.summary import summarise
from agentdyno.studies.derivation import load_derivations
from agentdyno_bench.toolfail.classify.doubts import doubt_ledger
from tests.fake_secrets import FAKES
from tests.ledger.traces import chat, write_jsonl
from tests.pipelines.session_corpus import write_corpus
from tests.pipelines.test_deriving import LATER, NOW, assert_same_rows

KEEP = structs.replace(LATER, keep_texts=True)


@pytest.mark.daily
def test_whatever_reads_texts_needs_no_trace_any_more(tmp_path: Path) -> None:
    write_corpus(tmp_path / "sessions")
    shutil.copytree(sample_traces(), tmp_path / "sessions" / "samples")
    measure([tmp_path / "sessions"], tmp_path / "by-traces", NOW)
    measure([tmp_path / "sessions"], tmp_path / "by-texts", KEEP)
    found = doubt_ledger(tmp_path / "by-traces")
    shutil.rmtree(tmp_path / "sessions")
    ledger = ReadableLedger(tmp_path / "by-texts")
    rederive_tables(ledger.folder, load_derivations(), 2)
    assert_same_rows(Ledger(tmp_path / "by-traces"), Ledger(ledger.folder))
    assert doubt_ledger(ledger.folder) == found
    assert ledger.unreadable() == {}
    ids = set(ledger.read("trajectories")["trajectory_id"])
    assert {each.trajectory_id for each in ledger.trajectories()} == ids
    assert ledger.trajectory(min(ids)).parts


def test_no_secret_is_kept_and_a_file_that_grew_replaces_its_texts(tmp_path: Path) -> None:
    key = next(iter(FAKES.values()))[0]
    talk = chat(1, calls=2)
    talk["messages"][1]["content"] = f"use {key} for it"
    trace, texts = tmp_path / "a.jsonl", tmp_path / "l" / ".texts"
    trace.write_text(json.dumps(talk) + "\n")
    measure([trace], tmp_path / "l", LATER)
    assert not texts.exists()
    measure([trace], tmp_path / "l", KEEP)
    (first,) = texts.iterdir()
    data = zstandard.decompress(first.read_bytes()[32:])
    assert b"for it" in data
    assert key.encode() not in data
    trace.write_text(trace.read_text() + json.dumps(chat(2)) + "\n")
    measure([trace], tmp_path / "l", KEEP)
    (second,) = texts.iterdir()
    assert second.name != first.name


def test_damaged_texts_are_named_and_read_again_once_removed(tmp_path: Path) -> None:
    trace = write_jsonl(tmp_path / "a.jsonl", range(3))
    measure([trace], tmp_path / "l", KEEP)
    (kept,) = (tmp_path / "l" / ".texts").iterdir()
    kept.write_bytes(kept.read_bytes()[:-1] + b"?")
    with pytest.raises(InputError, match=f"{kept.name}: expected texts that AgentDyno kept"):
        rederive_tables(tmp_path / "l", load_derivations(), 1)
    kept.unlink()
    rederive_tables(tmp_path / "l", load_derivations(), 1)
    assert len(Ledger(tmp_path / "l").read("scheduling")) == 3


def test_texts_are_kept_on_a_disk_only(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not in a storage"):
        measure([sample_traces()], Path("s3://bucket/ledger"), KEEP)


def find_readable(folder: Path) -> list[str]:
    """Whatever somebody else than the owner may open, read or write."""
    expected = {True: 0o700, False: 0o600}
    return [
        f"{path.relative_to(folder)} {path.stat().st_mode & 0o777:o}"
        for path in (folder, *folder.rglob("*"))
        if path.stat().st_mode & 0o777 != expected[path.is_dir()]
    ]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_ledger_with_kept_texts_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        trace, ledger = write_jsonl(tmp_path / "a.jsonl", range(3), usage=True), tmp_path / "l"
        measure([trace], ledger, LATER)
        assert find_readable(ledger)  # Without texts, it is as open as the umask says.
        measure([trace], ledger, KEEP)
        assert find_readable(ledger) == []
        rederive_tables(ledger, load_derivations(), 1)
        summarise(opened := Ledger(ledger))
        opened.save_sums()
        keep_states(ledger)
        write_jsonl(trace, range(5))
        measure([trace], ledger, KEEP)
        assert find_readable(ledger) == []
        for path in (ledger, *ledger.rglob("*")):  # As a copy is, or an older version left it.
            path.chmod(0o755 if path.is_dir() else 0o644)
        write_jsonl(trace, range(7))
        measure([trace], ledger, KEEP)
        assert find_readable(ledger) == []
    finally:
        os.umask(before)
