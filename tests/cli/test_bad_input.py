"""Bad input, end to end: what can be measured is, the rest is counted, and nothing hurts."""

import json
from pathlib import Path

import pytest

from tests.cli.run import Agentdyno
from tests.labelled import from_set
from tests.ledger.traces import chat, write_jsonl


def _good(task: int) -> bytes:
    return json.dumps(chat(task)).encode()


BAD_LINES = {
    "cut JSON": _good(7)[:100],
    "half a line": _good(7)[100:],
    "messages of a wrong type": b'{"messages": 3}',
    "a role of a wrong type": b'{"messages": [{"role": 3}]}',
    "nothing said": b'{"messages": []}',
    "a number": b"42",
    "NULs": b"\x00" * 50,
    "a NUL inside": _good(7).replace(b"done", b"do\x00ne"),
    "deep nesting": b"[" * 100_000,
    "deep nesting that closes": b'{"messages": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "an escape in a value": b'{"messages": [{"role": "\\u001b[2J"}]}',
    "an escape in the raw": b'{"\x1b[2J": 1}',
    "an absurd number": b'{"messages": [{"role": "user", "content": 1e999}]}',
}


@pytest.mark.parametrize("what", BAD_LINES)
def test_a_bad_line_is_counted_and_the_others_are_measured(
    agentdyno: Agentdyno, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join([_good(1), _good(2), BAD_LINES[what], _good(3)]) + b"\n")
    assert agentdyno.measure(path, "--json") == 0
    found = agentdyno.object()
    assert (found["trajectories"], found["bad_records"]) == (3, 1)
    (row,) = found["bad"]
    assert (row["source"], row["place"], row["format"]) == ("a.jsonl", "line 3", "openai_chat")
    assert row["expected"]
    assert row["found"]
    # Again for people, from the ledger as it is.
    assert agentdyno.measure(path) == 0
    assert "1 bad record skipped" in agentdyno.out
    assert "a.jsonl: line 3: expected" in agentdyno.out


def test_a_line_over_the_limit_is_counted_and_not_held(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonl"
    long = json.dumps(chat(5, note="x" * 2**21)).encode()
    path.write_bytes(b"\n".join([_good(1), _good(2), long, _good(3), b"{", _good(4)]))
    assert agentdyno.measure(path, "--json", "--max-record-mb", 1) == 0
    found = agentdyno.object()
    assert found["trajectories"] == 4
    rows = {row["place"]: row for row in found["bad"]}
    assert rows.keys() == {"line 3", "line 5"}
    assert rows["line 3"]["expected"] == "a record of at most 1 MB"
    assert rows["line 3"]["found"] == "2 MB"
    assert agentdyno.measure(path, "--json", "--max-record-mb", 4) == 0
    assert agentdyno.object()["trajectories"] == 5


NOTHING = {
    "an empty file": b"",
    "blanks": b" \n\n",
    "no trace": b'{"answer": 42}',
    "no JSON": b"hello\nworld\n",
    "NULs": b"\x00" * 1000,
    "half a zip": b"PK\x03\x04" + b"\x00" * 20,
    "deep nesting": b"[" * 200_000,
    "a cut trace": _good(1)[:200],
    "bad lines only": b'{"messages": [{"role": "user"}]}\n{"messages": [{"role": "user"}]}\n',
}


@pytest.mark.parametrize("what", NOTHING)
@pytest.mark.parametrize("forced", [None, "openai_chat"])
def test_nothing_to_measure_is_exit_2_and_says_why(
    agentdyno: Agentdyno, tmp_path: Path, what: str, forced: str | None
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(NOTHING[what])
    assert agentdyno.measure(path, *(["--format", forced] if forced else [])) == 2
    assert agentdyno.out == ""
    assert agentdyno.err.startswith("agentdyno: ")
    assert "a.jsonl" in agentdyno.err
    assert "expected" in agentdyno.err


def test_a_file_that_can_be_read_saves_the_run(agentdyno: Agentdyno, tmp_path: Path) -> None:
    for index, content in enumerate(NOTHING.values()):
        (tmp_path / f"{index}.jsonl").write_bytes(content)
    write_jsonl(tmp_path / "good.jsonl", range(3))
    assert agentdyno.measure(tmp_path, "--json") == 0
    found = agentdyno.object()
    assert found["trajectories"] == 3
    assert {item["source"].rsplit("/", 1)[1] for item in found["not_read"]} >= {
        "0.jsonl", "1.jsonl", "2.jsonl", "3.jsonl", "4.jsonl",
    }  # fmt: skip
    assert agentdyno.err == ""


def test_a_folder_without_traces_is_exit_2(agentdyno: Agentdyno, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    assert agentdyno.measure(tmp_path / "photos") == 2
    assert "Known formats: " in agentdyno.err
    assert not agentdyno.ledger.exists()


@from_set("cli/bad_input", "option", "value", "said")
def test_unknown_choices_are_exit_2_before_anything_is_written(
    agentdyno: Agentdyno, tmp_path: Path, option: str, value: str, said: str
) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", range(2))
    assert agentdyno.run("measure", path, "--out", agentdyno.ledger, option, value) == 2
    assert said in agentdyno.err
    assert agentdyno.out == ""
    assert not agentdyno.ledger.exists()


@from_set("cli/bad_input", "words")
def test_every_verb_says_what_is_wrong_and_exits_2(agentdyno: Agentdyno, words: list[str]) -> None:
    assert agentdyno.run(*words) == 2
    assert agentdyno.out == ""
    assert agentdyno.err


def test_a_foreign_folder_is_never_written_into(agentdyno: Agentdyno, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "traces" / "a.jsonl", range(2))
    before = sorted(p.name for p in tmp_path.iterdir())
    assert agentdyno.run("measure", path, "--out", path.parent) == 2
    assert "expected a ledger or an empty folder, found 'a.jsonl'" in agentdyno.err
    assert agentdyno.run("measure", path, "--out", path) == 2
    assert "found a file" in agentdyno.err
    assert sorted(p.name for p in tmp_path.iterdir()) == before


def test_a_source_that_is_gone_is_said(agentdyno: Agentdyno, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_jsonl(tmp_path / "runs" / f"{name}.jsonl", [1])
    assert agentdyno.measure(tmp_path / "runs") == 0
    (tmp_path / "runs" / "a.jsonl").unlink()
    assert agentdyno.measure(tmp_path / "runs") == 0
    assert "1 source is gone; the rows stay." in agentdyno.err
