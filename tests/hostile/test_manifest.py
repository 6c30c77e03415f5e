"""A ledger may come from anybody: what its manifest names is data, and nothing outside is touched.

Every verb that opens a ledger works or ends in a plain error, whatever the manifest says and
wherever links lead; the files around the ledger are the same afterwards.
"""

import copy
import json
import os
import random
import shutil
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentdyno.engines.storage import Stored
from agentdyno.ledger import working_copy
from agentdyno.ledger.given_paths import record_given
from agentdyno.ledger.locking import lock
from agentdyno.ledger.manifest import load
from agentdyno.records import InputError
from agentdyno_bench.shared.judges.journal import NAME as JOURNAL
from agentdyno_bench.shared.judging import _own_answers
from tests.hostile.forged import (
    GENERATIONS,
    NAME,
    Json,
    Run,
    build_ledger,
    forge,
    manifests,
    read_fields,
    snapshot,
    verbs,
    write_fields,
)
from tests.labelled import mostly_slow
from tests.ledger.older import as_first_layout

Fields = dict[str, Json]
SOME = ("report", "measure exact", "verify")
"""Verbs for most of the forgeries; the first of each kind meets all of them."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a sound ledger, its traces, and files that are nobody's business."""
    folder = tmp_path_factory.mktemp("template")
    build_ledger(folder)
    return folder


def _unpack(template: Path, folder: Path) -> Path:
    """A copy of the template; its ledger knows where the traces are now, and all that is there was
    given to `measure`: what is refused below is not refused for that."""
    shutil.copytree(template, folder, symlinks=True)
    forge(folder / "ledger", lambda fields: _move_inputs(fields, folder))
    record_given(folder / "ledger", load(folder / "ledger").volumes, [str(folder.parent)])
    return folder / "ledger"


def _move_inputs(fields: Fields, folder: Path) -> None:
    for entry in fields["inputs"].values():
        entry["path"] = str(folder / "traces" / Path(entry["path"]).name)


def _run_all(ledger: Path, beside: Path, only: Collection[str] = ()) -> dict[str, Run]:
    """Every verb, or some, each on a copy of its own; they must leave the surroundings alone."""
    beside.mkdir(exist_ok=True)
    runs = {}
    kept = ledger.with_name("kept")
    shutil.copytree(ledger, kept, symlinks=True)
    before = snapshot(ledger.parent, ledger)
    for name, words in verbs(ledger, beside):
        if only and name not in only:
            continue
        shutil.rmtree(ledger)
        shutil.copytree(kept, ledger, symlinks=True)
        runs[name] = Run(*words)
        assert runs[name].is_plain, f"{name}: {runs[name].out}{runs[name].err}"
        after = snapshot(ledger.parent, ledger)
        assert after == before, f"{name} changed {_differences(before, after)}"
    return runs


def _differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [p for p in {*before, *after} if before.get(p) != after.get(p)]


def _derived_file(name: str) -> Callable[[Fields, Path], None]:
    def change(fields: Fields, outside: Path) -> None:
        fields["derived"]["patterns"][0]["file"] = name.replace("OUTSIDE", str(outside))

    return change


def _volume_name(name: str) -> Callable[[Fields, Path], None]:
    def change(fields: Fields, outside: Path) -> None:
        volumes = fields["volumes"]
        first = next(iter(volumes))
        forged = name.replace("OUTSIDE", str(outside))
        fields["volumes"] = {forged if v == first else v: e for v, e in volumes.items()}
        for files in fields["derived"].values():
            for entry in files:
                entry["volume"] = forged if entry["volume"] == first else entry["volume"]

    return change


def _unknown_table(fields: Fields, outside: Path) -> None:
    fields["derived"]["../outside"] = fields["derived"].pop("patterns")


def _unknown_measured_table(fields: Fields, outside: Path) -> None:
    for volume in fields["volumes"].values():
        volume["seals"]["../outside"] = volume["seals"]["turns"]


NAMES: dict[str, Callable[[Fields, Path], None]] = {
    "up and out": _derived_file("../../outside/own.parquet"),
    "absolute": _derived_file("OUTSIDE/own.parquet"),
    "another table's": _derived_file("../turns/empty.parquet"),
    "Windows": _derived_file("..\\..\\outside\\own.parquet"),
    "NUL": _derived_file("0123456789abcdef.parquet\x00"),
    "line feed": _derived_file("0123456789abcdef.parquet\n"),
    "very long": _derived_file("a" * 5000 + ".parquet"),
    "object storage": _derived_file("memory://bucket/0123456789abcdef.parquet"),
    "empty": _derived_file(""),
    "volume up and out": _volume_name("../../outside/own"),
    "volume absolute": _volume_name("OUTSIDE/own"),
    "volume Windows": _volume_name("..\\..\\outside\\own"),
    "volume NUL": _volume_name("0123456789abcde\x00"),
    "unknown table": _unknown_table,
    "unknown measured table": _unknown_measured_table,
}


@pytest.mark.parametrize(
    "forged", mostly_slow(NAMES, ("up and out", "volume absolute", "unknown table"))
)
def test_a_name_that_is_not_the_ledgers_own_is_never_opened_written_or_removed(
    template: Path, tmp_path: Path, forged: str
) -> None:
    ledger = _unpack(template, tmp_path / "all")
    outside = ledger.parent / "outside"
    forge(ledger, lambda fields: NAMES[forged](fields, outside))
    runs = _run_all(ledger, tmp_path / "beside", () if "up and out" in forged else SOME)
    # No verb makes figures of such a ledger.
    assert {name: run.code for name, run in runs.items()} == dict.fromkeys(runs, 2)
    assert all("expected" in run.err for run in runs.values())


def test_the_same_holds_for_a_ledger_of_the_first_release(template: Path, tmp_path: Path) -> None:
    ledger = as_first_layout(_unpack(template, tmp_path / "all"))
    fields = read_fields(ledger)
    fields["derived"]["patterns"][0]["file"] = "../../outside/own.parquet"
    (ledger / NAME).write_text(json.dumps(fields))
    runs = _run_all(ledger, tmp_path / "beside")
    assert {run.code for run in runs.values()} == {2}


def test_an_unknown_table_says_what_to_do(template: Path, tmp_path: Path) -> None:
    ledger = _unpack(template, tmp_path / "all")
    forge(ledger, lambda fields: fields["derived"].update(footnotes=[]))
    run = Run("report", ledger)
    assert run.code == 2
    assert "found 'footnotes'" in run.err
    assert "use that version or a newer one" in run.err


def _link_table(ledger: Path, outside: Path, table: str) -> None:
    shutil.move(ledger / table, outside / table)
    (ledger / table).symlink_to(outside / table, target_is_directory=True)


def _link_file(ledger: Path, outside: Path, pattern: str) -> None:
    path = next(p for p in ledger.glob(pattern) if p.name != "empty.parquet")
    shutil.move(path, outside / path.name)
    path.symlink_to(outside / path.name)


def _link_hidden(ledger: Path, outside: Path, name: str) -> None:
    (ledger / name).unlink(missing_ok=True)
    (ledger / name).symlink_to(outside / "notes.txt")


def _link_aside(ledger: Path, outside: Path, name: str) -> None:
    (ledger / name).symlink_to(outside, target_is_directory=True)


def _link_tables_together(ledger: Path, outside: Path, table: str) -> None:
    shutil.rmtree(ledger / "repeats")
    (ledger / "repeats").symlink_to(table, target_is_directory=True)


LINKS: dict[str, tuple[Callable[[Path, Path, str], None], str]] = {
    "a measured table's folder": (_link_table, "turns"),
    "a derived table's folder": (_link_table, "patterns"),
    "a file of a measured table": (_link_file, "turns/*.parquet"),
    "a file of a derived table": (_link_file, "patterns/*.parquet"),
    "the folder for drafts": (_link_aside, ".aside"),
    "the lock": (_link_hidden, ".lock"),
    "the manifest": (_link_file, NAME),
    "a generation": (_link_file, f"{GENERATIONS}/*.json"),
    "one table's folder to another's": (_link_tables_together, "turns"),
}


@pytest.mark.parametrize(
    "linked", mostly_slow(LINKS, ("the manifest", "a file of a derived table"))
)
def test_a_link_in_the_ledger_leads_nowhere(template: Path, tmp_path: Path, linked: str) -> None:
    ledger = _unpack(template, tmp_path / "all")
    make, what = LINKS[linked]
    make(ledger, ledger.parent / "outside", what)
    runs = _run_all(ledger, tmp_path / "beside", () if linked == "the manifest" else SOME)
    # A verb that reads only other tables may go on.
    refused = [name for name, run in runs.items() if "found a link" in run.err]
    assert refused if what.endswith("/*.parquet") else refused == list(runs)
    assert {runs[name].code for name in refused} == {2}
    assert {"measure exact", "verify"} <= {*refused}


def test_the_file_that_a_new_manifest_is_written_to_is_not_followed(
    template: Path, tmp_path: Path
) -> None:
    ledger = _unpack(template, tmp_path / "all")
    (ledger / ".manifest.json.new").symlink_to(ledger.parent / "outside" / "notes.txt")
    runs = _run_all(ledger, tmp_path / "beside", SOME)
    assert (runs["measure exact"].code, runs["verify"].code) == (0, 0)


def test_a_new_ledger_is_not_begun_where_links_wait(template: Path, tmp_path: Path) -> None:
    ledger = _unpack(template, tmp_path / "all")
    shutil.rmtree(ledger)
    ledger.mkdir()
    (ledger / ".aside").symlink_to(ledger.parent / "outside", target_is_directory=True)
    before = snapshot(ledger.parent, ledger)
    run = Run("measure", ledger.parent / "traces", "--out", ledger, "--workers", 1)
    assert run.code == 2
    assert "found a link" in run.err
    assert snapshot(ledger.parent, ledger) == before


def test_a_ledger_that_is_reached_by_a_link_is_opened(template: Path, tmp_path: Path) -> None:
    ledger = _unpack(template, tmp_path / "all")
    linked = tmp_path / "linked"
    linked.symlink_to(ledger, target_is_directory=True)
    assert Run("ledger", "verify", linked).code == 0


def test_answers_and_locks_of_a_ledger_are_no_links(template: Path, tmp_path: Path) -> None:
    ledger = _unpack(template, tmp_path / "all")
    notes = ledger.parent / "outside" / "notes.txt"
    (ledger / "judging").mkdir()
    (ledger / "judging" / JOURNAL).symlink_to(notes)
    (ledger / "depth").mkdir()
    (ledger / "depth" / ".lock").symlink_to(notes)
    for attempt in (lambda: _own_answers(ledger), lambda: lock(ledger / "depth")):
        with pytest.raises(InputError, match="found a link"):
            attempt()
    assert notes.read_text() == "not a line of a ledger"


@pytest.mark.parametrize(
    "kind",
    mostly_slow(["pipe", "folder", "long", "device", "chained", "unknown format"], ["pipe"]),
)
def test_a_source_that_is_no_file_of_ours_is_named_and_left_alone(
    template: Path, tmp_path: Path, kind: str
) -> None:
    ledger = _unpack(template, tmp_path / "all")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    places = {
        "pipe": str(pipe),
        "folder": str(tmp_path),
        "long": "/" + "a" * 5000,
        "device": "/dev/zero",
        "chained": "simplecache://x::memory://y",
        "unknown format": None,
    }

    def change(fields: Fields) -> None:
        entry = next(iter(fields["inputs"].values()))
        entry["path"] = places[kind] or entry["path"]
        entry["format"] = entry["format"] if places[kind] else "no_such_format"

    forge(ledger, change)
    only = ("verify", "report")
    runs = _run_all(ledger, tmp_path / "beside", only)
    assert runs["verify"].code == 0
    assert "rows stay" in runs["verify"].out
    assert runs["report"].code == 0


HOSTILE: list[Json] = [
    None, True, "", "..", "../outside/own.parquet", "/etc/passwd", "C:\\own", "\x00", "a" * 3000,
    "s3://bucket/key", "own\n", -1, 0, 1, 2**31, 2**62, 2**63, 10**30, -(2**63), 1.5, 1e300, [], {},
    [[]], {"a": {"b": []}}, ["x", 0, 1], "0123456789abcdef", "0123456789abcdef.parquet",
]  # fmt: skip
"""Values that a field is given in place of its own."""


def _places(value: Json, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value, but for the root."""
    if not isinstance(value, dict | list):
        return []
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    return [p for key, each in inside for p in ((*here, key), *_places(each, (*here, key)))]


def _mutate(fields: Fields, rng: random.Random) -> Fields:
    """A manifest with one to three places changed, dropped, renamed, doubled or exchanged."""
    fields = copy.deepcopy(fields)
    for _ in range(rng.randint(1, 3)):
        *way, last = rng.choice(_places(fields))
        holder: Any = fields
        for key in way:
            holder = holder[key]
        kind = rng.choice([*["alike"] * 8, "value", "drop", "rename", "double", "exchange"])
        if kind == "alike":
            holder[last] = rng.choice(_alike(fields, holder[last]))
        elif kind == "drop":
            del holder[last]
        elif kind == "rename" and isinstance(holder, dict):
            holder[str(rng.choice(HOSTILE))] = holder.pop(last)
        elif kind == "double" and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[last]))
        elif kind == "exchange":
            other: Any = fields
            for key in rng.choice(_places(fields)):
                other = other[key]
            holder[last] = copy.deepcopy(other)
        else:
            holder[last] = rng.choice(HOSTILE)
    return fields


def _alike(fields: Fields, value: Json) -> list[Json]:
    """Values of the same type: hostile ones, and those of other places, which pass for sound."""
    others = []
    for place in _places(fields):
        other: Any = fields
        for key in place:
            other = other[key]
        others.append(other)
    return [copy.deepcopy(v) for v in [*HOSTILE, *others] if type(v) is type(value)]


def _fuzz(template: Path, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    folder = tmp_path / f"{seed}"
    ledger = _unpack(template, folder)
    try:
        fields = read_fields(ledger)
        if rng.random() < 0.15:  # Cut short, or no JSON any more.
            data = bytearray((ledger / NAME).read_bytes())
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            for path in manifests(ledger):
                path.write_bytes(data[: rng.randrange(len(data))])
        else:
            write_fields(ledger, _mutate(fields, rng))
        (tmp_path / "beside").mkdir(exist_ok=True)
        name = rng.choice([name for name, _ in verbs(ledger, tmp_path)])
        _run_all(ledger, tmp_path / "beside", only=[name])
    finally:
        shutil.rmtree(folder)


_FUZZ = settings(
    deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@settings(_FUZZ, max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_whatever_a_manifest_says_every_verb_works_or_ends_in_a_plain_error(
    template: Path, tmp_path: Path, seed: int
) -> None:
    _fuzz(template, tmp_path, seed)


@pytest.mark.slow
@settings(_FUZZ, max_examples=800)
@given(seed=st.integers(0, 2**32))
def test_whatever_a_manifest_says_at_length(template: Path, tmp_path: Path, seed: int) -> None:
    _fuzz(template, tmp_path, seed)


@pytest.mark.parametrize(
    "text",
    mostly_slow(
        [b"", b"[]", b"null", b"{}", b"\xff\xfe", b"[" * 200_000, b'{"layout": 99}'], [b"", b"{}"]
    ),
)
def test_a_manifest_that_is_none_is_a_plain_error(
    template: Path, tmp_path: Path, text: bytes
) -> None:
    ledger = _unpack(template, tmp_path / "all")
    for path in manifests(ledger):
        path.write_bytes(text)
    with pytest.raises(InputError):
        load(ledger)
    runs = _run_all(ledger, tmp_path / "beside", SOME if text else ())
    assert {run.code for run in runs.values()} == {2}


def test_values_that_are_nested_without_end_are_a_plain_error(
    template: Path, tmp_path: Path
) -> None:
    ledger = _unpack(template, tmp_path / "all")
    text = (ledger / NAME).read_text()
    deep = '{"deep": ' + "[" * 100_000 + "]" * 100_000 + "}"
    for path in manifests(ledger):
        path.write_text(text.replace('"options":{', f'"options":{{"x":{deep},', 1))
    assert {run.code for run in _run_all(ledger, tmp_path / "beside", SOME).values()} == {2}


def test_a_key_of_a_stored_ledger_that_leads_out_is_not_fetched(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[str] = []
    names = [
        *("../../own.parquet", "turns/../../../own.parquet", "/etc/own.parquet", "notes/a.parquet"),
        *("turns/0123456789abcdef-0.parquet", "turns\\own.parquet", ".bashrc", "manifest.json"),
    ]
    stored = [Stored(f"memory://bucket/ledger/{name}", 1, None) for name in names]
    monkeypatch.setattr(working_copy, "files_under", lambda url: stored)
    monkeypatch.setattr(
        working_copy, "_fetch_whole", lambda url, target: fetched.append(str(target))
    )
    working_copy._fetch_missing("memory://bucket/ledger", tmp_path / "copy")
    assert fetched == [str(tmp_path / "copy" / "turns" / "0123456789abcdef-0.parquet")]


def test_files_of_others_beside_a_stored_ledger_stay(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsspec = pytest.importorskip("fsspec")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    storage = fsspec.filesystem("memory")
    others = ["/hostile/ledger/mine.parquet", "/hostile/ledger/notes/0123456789abcdef.parquet"]
    ledger = "memory://hostile/ledger"
    measured = ("measure", template / "traces", "--out", ledger, "--workers", 1)
    assert Run(*measured).code == 0
    for path in others:
        storage.pipe(path, b"somebody else's")
    assert Run(*measured, "--count", "exact").code == 0
    assert all(storage.exists(path) for path in others)
    storage.rm("/hostile", recursive=True)
