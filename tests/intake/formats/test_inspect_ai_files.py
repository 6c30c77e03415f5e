"""Inspect's files: archives of every kind, damaged ones, and the real ones."""

import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard
from bench.inspect_log import write_log
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.intake.formats.inspect_ai import FORMAT
from agentdyno.intake.head import Head
from tests.intake.formats.inspect_logs import (
    HEADER,
    Json,
    assistant,
    call,
    model_event,
    read_all,
    read_one,
    result,
    sample,
    tool_event,
    user,
    write_eval,
    write_json,
)
from tests.intake.mutations import assert_survives, damaged

DATA = Path(__file__).resolve().parents[2] / "data" / "inspect_ai"


def plain(text: str = "Q") -> Json:
    answer = assistant("A", call("c1"))
    return sample(
        model_event([user(text)], answer),
        tool_event("c1", "R"),
        model_event([user(text), answer, result("c1", "R")], assistant("B")),
    )


def archive(folder: Path, members: dict[str, Any], method: int = zipfile.ZIP_STORED) -> Path:
    """A log of these members; what is not in bytes is written as JSON."""
    path = folder / "log.eval"
    with zipfile.ZipFile(path, "w", method) as opened:
        for name, content in members.items():
            opened.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return path


def test_stored_and_deflated_members_read_alike(tmp_path: Path) -> None:
    one = read_one(write_eval(tmp_path, plain(), method=zipfile.ZIP_STORED))
    two = read_one(write_eval(tmp_path, plain(), method=zipfile.ZIP_DEFLATED))
    assert (one, len(one.turns), len(one.calls)) == (two, 2, 1)


def test_zstd_members_of_several_frames_are_read(tmp_path: Path) -> None:
    data = json.dumps(plain()).encode()
    pack = zstandard.ZstdCompressor().compress
    path = as_zstd(tmp_path, pack(data[:90]) + pack(data[90:]))
    assert len(read_one(path).turns) == 2


def as_zstd(folder: Path, packed: bytes) -> Path:
    """Stores the packed bytes and then says that they are zstd, which `zipfile` cannot write."""
    data = json.dumps(plain()).encode()
    path = archive(folder, {"header.json": HEADER, "samples/1_epoch_1.json": packed})
    raw = bytearray(path.read_bytes())
    local = raw.index(b"samples/") - 30
    central = raw.rindex(b"samples/") - 46
    for at, method, crc in ((local, 8, 14), (central, 10, 16)):
        raw[at + method : at + method + 2] = (93).to_bytes(2, "little")
        raw[at + crc : at + crc + 4] = zlib.crc32(data).to_bytes(4, "little")
    path.write_bytes(raw)
    return path


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_members_with_one_name_the_last_counts(tmp_path: Path) -> None:
    path = write_eval(tmp_path, plain("first"))
    with zipfile.ZipFile(path, "a") as opened:
        opened.writestr("samples/1_epoch_1.json", json.dumps(plain("second")))
    assert read_one(path).parts[0].text == "second"


def test_an_unfinished_log_says_what_it_is_where_it_began(tmp_path: Path) -> None:
    members = {"_journal/start.json": HEADER, "samples/1_epoch_1.json": plain()}
    path = archive(tmp_path, members)
    assert read_one(path).benchmark == "towns"


def test_without_any_header_samples_are_still_measured(tmp_path: Path) -> None:
    good, bad = read_all(archive(tmp_path, {"samples/1_epoch_1.json": plain()}))
    assert (good[0].benchmark, good[0].model) == (None, "openai/gpt-4o-mini")
    assert bad[0].expected == "header.json or _journal/start.json"


def test_a_zip_bomb_is_a_bad_record_whatever_size_it_declares(tmp_path: Path) -> None:
    samples = {"samples/1_epoch_1.json": b" " * 50_000_000, "samples/2_epoch_1.json": plain()}
    path = archive(tmp_path, {"header.json": HEADER} | samples, zipfile.ZIP_DEFLATED)
    raw = bytearray(path.read_bytes())
    # The directory says 10 bytes.
    size = raw.rindex(b"samples/1") - 46 + 24
    raw[size : size + 4] = (10).to_bytes(4, "little")
    path.write_bytes(raw)
    good, bad = read_all(path, limit=2**20)
    assert len(good) == 1
    assert (bad[0].place, bad[0].expected) == ("samples/1_epoch_1.json",
                                               "a record of at most 1 MB")  # fmt: skip


def test_a_zstd_bomb_is_a_bad_record(tmp_path: Path) -> None:
    bomb = zstandard.ZstdCompressor().compress(b" " * 50_000_000)
    good, bad = read_all(as_zstd(tmp_path, bomb), limit=2**20)
    assert not good
    assert bad[0].expected == "a record of at most 1 MB"


def test_a_wrong_checksum_is_a_bad_record(tmp_path: Path) -> None:
    path = write_eval(tmp_path, plain("Question"), plain(), method=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"Question", b"Quastion"))
    good, bad = read_all(path)
    assert len(good) == 1
    assert (bad[0].place, bad[0].found) == ("samples/1_epoch_1.json", "a wrong checksum")


def test_an_archive_without_its_end_gives_what_is_whole(tmp_path: Path) -> None:
    path = write_eval(tmp_path, plain(), plain(), plain())
    raw = path.read_bytes()
    path.write_bytes(raw[: raw.index(b"samples/3_epoch_1") + 100])
    good, bad = read_all(path)
    assert [t.trajectory_id for t in good] == ["log.eval#1_epoch_1", "log.eval#2_epoch_1"]
    assert good[0].benchmark == "towns"
    assert bad[0].found == "none; by their own headers 3 members found whole and 1 not"


def test_a_damaged_sample_costs_only_itself(tmp_path: Path) -> None:
    broken = plain()
    broken["events"][0]["input_refs"] = "none"
    good, bad = read_all(write_eval(tmp_path, plain(), broken, plain()))
    assert len(good) == 2
    assert (bad[0].place, bad[0].found) == ("samples/2_epoch_1.json", "str")
    assert "$.events[0].input_refs" in bad[0].expected


def test_a_document_cut_in_the_middle_gives_what_is_whole(tmp_path: Path) -> None:
    path = write_json(tmp_path, plain(), plain("second question"))
    text = path.read_text()
    path.write_text(text[: text.index("second question")])
    good, bad = read_all(path)
    assert len(good) == 1
    assert bad[-1].found == "the file ends early"


def test_a_log_without_samples_says_so(tmp_path: Path) -> None:
    for path in (write_json(tmp_path), write_eval(tmp_path)):
        good, bad = read_all(path)
        assert not good
        assert bad[0].found == "none"


def test_ids_stay_apart_whatever_samples_are_called(tmp_path: Path) -> None:
    inner = [model_event([user("help")], assistant("yes"))]
    helped = sample(
        model_event([user("Q")], assistant("", call("c1"))), tool_event("c1", "ok", events=inner)
    )
    samples = {f"samples/{name}.json": helped for name in ("a", "a~1", "a~", "b/a")}
    good, _ = read_all(archive(tmp_path, {"header.json": HEADER} | samples))
    assert len({t.trajectory_id for t in good}) == len(good) == 8


def test_detection_takes_inspects_files_and_no_others(tmp_path: Path) -> None:
    assert FORMAT.detect(Head(write_json(tmp_path, plain()))) > 0.9
    assert FORMAT.detect(Head(write_eval(tmp_path, plain()))) > 0.9
    assert FORMAT.detect(Head(DATA / "cities.eval")) > 0.9
    other = tmp_path / "sheet.xlsx"
    with zipfile.ZipFile(other, "w") as opened:
        opened.writestr("xl/workbook.xml", "<workbook/>")
    assert FORMAT.detect(Head(other)) == 0.0
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps({"messages": [{"role": "user", "content": '"eval": "task"'}]}))
    assert FORMAT.detect(Head(chat)) == 0.0


def originals() -> list[bytes]:
    answer = assistant("A", call("c1"))
    pooled = sample(
        model_event([], answer, input_refs=[[0, 1]]),
        model_event([], assistant("B"), input_refs=[[0, 3]]),
        events_data={"messages": [user("Q"), answer, result("c1", "R")], "calls": []},
    )
    document = HEADER | {"samples": [plain(), pooled]}
    return [json.dumps(document).encode(), json.dumps(document, indent=1).encode()]


@settings(max_examples=50)
@given(data=st.data())
def test_damaged_archives_never_stop_the_reader(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    stored = write_eval(folder, plain(), plain(), method=zipfile.ZIP_STORED).read_bytes()
    whole = [stored, (DATA / "cities.eval").read_bytes()]
    whole.append((DATA / "cities_in_pieces.eval").read_bytes())
    path = folder / "damaged.eval"
    path.write_bytes(data.draw(damaged(whole)))
    assert_survives(FORMAT, path)


@settings(max_examples=50)
@given(data=damaged([json.dumps(plain()).encode()]))
def test_damaged_samples_in_sound_archives_never_stop_the_reader(
    data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    samples = {"samples/1_epoch_1.json": data, "samples/2_epoch_1.json": plain()}
    path = archive(tmp_path_factory.getbasetemp(), {"header.json": HEADER} | samples)
    assert_survives(FORMAT, path)
    assert any(t.trajectory_id.endswith("#2_epoch_1") for t in read_all(path)[0])


WRONG = [None, True, -1, 3.5, 10**30, "", [], {}, [1], {"a": 1}, [[0, 9999]], [[-3, 2]], [None]]


def places(value: Any, *above: str | int) -> Iterator[tuple[str | int, ...]]:
    """The way to every value inside of a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inside:
        yield (*above, key)
        if isinstance(item, dict | list):
            yield from places(item, *above, key)


@settings(max_examples=50)
@given(data=st.data())
def test_right_keys_with_wrong_values_never_stop_the_reader(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    one = json.loads(originals()[0])["samples"][1] | {"scores": {"s": {"value": "C"}}}
    *way, last = data.draw(st.sampled_from(list(places(one))))
    inside: Any = one
    for key in way:
        inside = inside[key]
    inside[last] = data.draw(st.sampled_from(WRONG))
    assert_survives(FORMAT, write_eval(tmp_path_factory.getbasetemp(), one))


def test_every_real_call_has_its_time_and_result(real_traces: Path) -> None:
    found = read_one(real_traces / "inspect_ai" / "2025-05-12T20-27-36-04-00_browser.json")
    assert [made.wait_seconds for made in found.calls] == [4.317574, 1.277824, 2.994536, 1.270255]
    assert all(made.result is not None for made in found.calls)


def test_the_generated_log_for_the_benchmark_has_the_shape_it_promises(tmp_path: Path) -> None:
    write_log(tmp_path / "bench.eval", samples=3, turns=4, tools=5)
    good, bad = read_all(tmp_path / "bench.eval")
    assert not bad
    assert [(len(t.turns), len(t.calls)) for t in good] == [(4, 3)] * 3
    assert all(sum(p.kind == "schema" for p in t.parts) == 5 for t in good)
    # Two messages at first, then an answer and a result with every turn.
    got = [turn.prefill.tokens for turn in good[0].turns if turn.prefill]
    assert got == [1080, 1260, 1440, 1620]
