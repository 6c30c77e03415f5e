"""What a ledger forgets is in none of its bytes: not in rows, kept texts, earlier generations,
answers, received records or what was worked out of them."""

import json
import shutil
import subprocess
import sys
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import zstandard

from agentdyno.ledger.generations import list_generations
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.searching import search_folder
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.pipelines.forget import forget
from agentdyno.pipelines.forget.choice import Choice
from agentdyno.pipelines.maintenance import verify
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.rederive import rederive_tables
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.studies.derivation import load_derivations
from tests.cli.run import Agentdyno
from tests.hostile.secret_kinds import BASE62, Draw
from tests.ledger.power import Killed, killed_at
from tests.ledger.traces import assert_consistent, assert_same, chat, tables, write_jsonl
from tests.pipelines.session_corpus import write_corpus
from tests.pipelines.test_deriving import assert_same_rows

KEPT = MeasureOptions(workers=1, keep_texts=True, keep_secrets=True)
PLAIN = MeasureOptions(workers=1, keep_texts=True)


def draw_secrets(many: int = 20) -> list[str]:
    """Keys that a rule knows by how they begin, each drawn anew."""
    draw = Draw(11)
    return [f"gh{'p'}_{draw.text(36, BASE62)}" for _ in range(many)]


def plant(secrets: list[str], number: int = 1) -> dict[str, Any]:
    """A conversation with five secrets: in its title, a text, arguments, a result and an error."""
    talk = chat(number, calls=2)
    messages = talk["messages"]
    messages[0]["content"] = f"The deploy key is {secrets[1]}. Keep it."
    messages[1]["content"] = f"push it with {secrets[0]} please"
    messages[2]["tool_calls"][0]["function"]["arguments"] = json.dumps({"q": f"k {secrets[2]}"})
    messages[3]["content"] = f"token\n{secrets[3]}\nok"
    messages[5]["content"] = f"Error: rejected {secrets[4]}"
    return talk


def plant_in_rows(secrets: list[str], number: int) -> dict[str, Any]:
    """A conversation with five secrets that all stand in its rows."""
    named = {"variant": f"v {secrets[2]}", "task_id": secrets[3], "benchmark": f"b {secrets[4]}"}
    talk = chat(number, calls=1, **named)
    talk["messages"][1]["content"] = f"push it with {secrets[0]} please"
    talk["messages"][3]["content"] = f"Error: rejected {secrets[1]}"
    return talk


def find_left(folder: Path, texts: Collection[str]) -> list[str]:
    """Where any of the texts stands: every byte, every column, everything that zstd unpacks."""
    left = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            left += [f"{text} in {path}" for text in texts if text.encode() in data]
        if path.is_file() and path.suffix == ".parquet":
            unpacked = json.dumps(pl.read_parquet(path).to_dicts(), default=str, ensure_ascii=False)
            left += [f"{text} in a column of {path}" for text in texts if text in unpacked]
        if path.is_file() and path.parent.name == ".texts":
            data = zstandard.decompress(path.read_bytes()[32:])
            left += [f"{text} in a text of {path}" for text in texts if text.encode() in data]
    return left


def test_twenty_planted_secrets_leave_no_trace(agentdyno: Agentdyno, tmp_path: Path) -> None:
    secrets, ledger = draw_secrets(), agentdyno.ledger
    trace = tmp_path / "traces" / "a.jsonl"
    trace.parent.mkdir()
    # Ten are in an earlier generation alone: their sessions are no longer in the file.
    first = [plant_in_rows(secrets[at : at + 5], at) for at in (0, 5)]
    trace.write_text("".join(json.dumps(talk) + "\n" for talk in first))
    kept = ("--keep-secrets", "--keep-texts")
    assert agentdyno.measure(trace, *kept) == 0
    second = [plant(secrets[at : at + 5], at) for at in (10, 15)]
    trace.write_text("".join(json.dumps(talk) + "\n" for talk in second))
    assert agentdyno.measure(trace, *kept) == 0
    left = find_left(ledger, secrets)
    assert {s for s in secrets if any(line.startswith(s) for line in left)} == {*secrets}
    rows = {name: len(frame) for name, frame in tables(ledger).items()}
    assert agentdyno.run("ledger", "forget", "--secrets", ledger) == 0, agentdyno.out
    assert find_left(ledger, secrets) == []
    assert "Read again for 20 removed texts" in agentdyno.out
    assert "none left" in agentdyno.out
    assert not [secret for secret in secrets if secret in agentdyno.out + agentdyno.err]
    assert {name: len(frame) for name, frame in tables(ledger).items()} == rows
    assert verify(ledger).is_sound
    # And what is left reads like a ledger that was measured without its secrets.
    assert "[secret: github-token" in Ledger(ledger).read("trajectories")["title"][0]
    for each in ReadableLedger(ledger).trajectories():
        assert sum("[secret: github-token" in part.text for part in each.parts) == 5
    assert agentdyno.measure(trace, "--keep-texts", "--json") == 0
    assert agentdyno.object()["read_again"] == 0
    assert find_left(ledger, secrets) == []


def test_a_clean_measurement_leaves_no_key_once_secrets_are_forgotten(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    secrets, ledger = draw_secrets(5), agentdyno.ledger
    trace = tmp_path / "a.jsonl"
    trace.write_text(json.dumps(plant(secrets)) + "\n")
    assert agentdyno.measure(trace, "--keep-secrets", "--keep-texts") == 0
    assert agentdyno.measure(trace) == 0
    assert find_left(ledger, secrets)
    assert agentdyno.run("ledger", "forget", "--secrets", ledger) == 0, agentdyno.out
    assert find_left(ledger, secrets) == []


def test_what_was_measured_with_its_secrets_can_be_spared(tmp_path: Path) -> None:
    secrets, trace = draw_secrets(5), tmp_path / "a.jsonl"
    trace.write_text(json.dumps(plant(secrets)) + "\n")
    measure([trace], tmp_path / "l", KEPT)
    done = forget(tmp_path / "l", Choice(secrets=True, spares_kept=True))
    assert done.is_gone
    assert secrets[0] in Ledger(tmp_path / "l").read("trajectories")["title"][0]


def test_a_secret_goes_where_no_rule_sees_it(tmp_path: Path) -> None:
    password, talk = "vK3x9Qm2", chat(1)
    talk["messages"][1]["content"] = f"password: {password}"
    talk["messages"][3]["content"] = f"well then, {password} it is"
    (tmp_path / "a.jsonl").write_text(json.dumps(talk) + "\n")
    measure([tmp_path / "a.jsonl"], tmp_path / "l", KEPT)
    assert forget(tmp_path / "l", Choice(secrets=True)).is_gone
    assert find_left(tmp_path / "l", [password]) == []


def measure_sessions(folder: Path) -> tuple[Path, Path]:
    """Three conversations in one file, of which the second is to go, and one in another."""
    traces = folder / "traces"
    write_jsonl(traces / "b.jsonl", [7])
    talks = [chat(number, session_id=f"session-number-{number}") for number in (1, 2, 3)]
    for number, talk in enumerate(talks, 1):
        talk["messages"][1]["content"] = f"conversation about subject-{number}00 and the weather"
        talk["messages"][3]["content"] = f"what nobody else has seen: result-{number}00"
    (traces / "a.jsonl").write_text("".join(json.dumps(talk) + "\n" for talk in talks))
    measure([traces], folder / "l", PLAIN)
    return traces, folder / "l"


def test_a_session_goes_with_its_rows_and_texts_and_the_others_stay(tmp_path: Path) -> None:
    traces, ledger = measure_sessions(tmp_path)
    before = tables(ledger)
    name = before["trajectories"].filter(pl.col("title").str.contains("subject-200"))
    (gone,) = name["trajectory_id"]
    (ledger / "judging").mkdir()
    answers = ledger / "judging" / "answers.jsonl"
    lines = [
        {
            "key": str(n),
            "model": "m",
            "text": f"conversation about subject-{n}00 and the weather",
        }
        for n in (1, 2)
    ]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = forget(ledger, Choice(session=gone))
    assert done.is_gone, done
    assert (done.trajectories, done.searched.hits) == (1, {})
    assert find_left(ledger, ["subject-200", "result-200"]) == []
    for table, frame in tables(ledger).items():
        expected = before[table]
        if "trajectory_id" in expected.columns:
            expected = expected.filter(pl.col("trajectory_id") != gone)
        assert frame.equals(expected), table
    assert json.loads(answers.read_text())["key"] == "1"
    assert verify(ledger).is_sound
    assert_consistent(ledger)
    ids = [each.trajectory_id for each in ReadableLedger(ledger).trajectories()]
    assert sorted(ids) == sorted(tables(ledger)["trajectories"]["trajectory_id"])
    # Its file is as it was, so it is not read again, and nothing comes back.
    again = measure([traces], ledger, PLAIN)
    assert (again.read_again, find_left(ledger, ["subject-200"])) == (0, [])


@pytest.mark.daily
def test_a_project_goes_as_if_it_had_never_been_measured(tmp_path: Path) -> None:
    write_corpus(tmp_path / "s")
    for name in ("resumed", "rest"):  # What they hold counts there, and stands in other files too.
        path = tmp_path / "s" / f"{name}.jsonl"
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        path.write_text(
            "".join(json.dumps({**line, "cwd": "/home/ada/private"}) + "\n" for line in lines)
        )
    measure([tmp_path / "s"], tmp_path / "l", PLAIN)
    done = forget(tmp_path / "l", Choice(project="private"))
    # Two talks, and the three sub-agents that the one that was resumed holds again.
    assert (done.trajectories, done.searched.hits) == (5, {})
    for name in ("resumed", "rest"):
        (tmp_path / "s" / f"{name}.jsonl").unlink()
    measure([tmp_path / "s"], tmp_path / "without", PLAIN)
    assert_same(tmp_path / "l", tmp_path / "without")
    rederive_tables(tmp_path / "l", load_derivations(), 1)  # As the next report does.
    assert_same_rows(Ledger(tmp_path / "without"), Ledger(tmp_path / "l"))
    assert find_left(tmp_path / "l", ["/home/ada/private", "resumed.jsonl"]) == []


def test_texts_of_a_file_go_wherever_they_stand(tmp_path: Path) -> None:
    talk = chat(1, variant="for Ada Lovelace of 12 Example Street, London")
    talk["messages"][1]["content"] = 'she said "call Ada Lovelace"\nand hung up'
    trace = tmp_path / "Ada Lovelace.jsonl"
    trace.write_text(json.dumps(talk) + "\n" + json.dumps(chat(2)) + "\n")
    measure([trace], tmp_path / "l", PLAIN)
    (tmp_path / "names.txt").write_text('Ada Lovelace\n12 Example Street\nsaid "call\n')
    done = forget(tmp_path / "l", Choice(text=tmp_path / "names.txt"))
    assert done.is_gone, done.searched.hits
    assert find_left(tmp_path / "l", ["Ada Lovelace", "12 Example Street"]) == []
    rows = Ledger(tmp_path / "l").read("trajectories").sort("trajectory_id")
    assert rows["variant"][0] == "for [forgotten] of [forgotten], London"
    assert rows["trajectory_id"].n_unique() == 2
    assert verify(tmp_path / "l").is_sound


def test_received_records_of_a_session_go_too(tmp_path: Path) -> None:
    inbox, ledger = tmp_path / "l-inbox", tmp_path / "l"
    inbox.mkdir()
    write_jsonl(tmp_path / "a.jsonl", [1])
    measure([tmp_path / "a.jsonl"], ledger, PLAIN)
    spans = [span(f"{n:032x}", f"session-of-{n}") for n in (1, 2)]
    spans.append({**span(f"{2:032x}", ""), "attributes": []})
    line = {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": spans}]}]}
    segment = inbox / "20261117T000000Z-000001.jsonl"
    segment.write_text(json.dumps(line) + "\n")
    done = forget(ledger, Choice(session="session-of-2"), inbox)
    (left,) = json.loads(segment.read_text())["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert (left["traceId"], done.is_gone) == (f"{1:032x}", True)


def span(trace: str, session: str) -> dict[str, Any]:
    attribute = {"key": "session.id", "value": {"stringValue": session}}
    return {"traceId": trace, "spanId": trace[:16], "name": "chat", "attributes": [attribute]}


def test_a_reader_of_an_earlier_generation_is_named_and_its_files_found(tmp_path: Path) -> None:
    secrets, trace, ledger = draw_secrets(5), tmp_path / "a.jsonl", tmp_path / "l"
    trace.write_text(json.dumps(plant(secrets)) + "\n")
    measure([trace], ledger, KEPT)
    code = (
        "import sys, time; from pathlib import Path; from agentdyno.ledger.reader import Ledger\n"
    )
    code += "opened = Ledger(Path(sys.argv[1])); print('open', flush=True); time.sleep(600)"
    command = [sys.executable, "-c", code, str(ledger)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as reader:
        try:
            assert reader.stdout is not None
            assert reader.stdout.readline() == b"open\n"
            done = forget(ledger, Choice(secrets=True))
            assert len(done.being_read) == 1
            assert done.searched.hits
            assert not done.is_gone
        finally:
            reader.kill()
    assert forget(ledger, Choice(secrets=True)).is_gone
    assert find_left(ledger, secrets) == []
    assert len(list_generations(ledger)) == 1


def test_two_writers_and_wrong_choices_are_refused(agentdyno: Agentdyno, tmp_path: Path) -> None:
    trace = write_jsonl(tmp_path / "a.jsonl", range(2))
    assert agentdyno.measure(trace) == 0
    command = ("ledger", "forget", agentdyno.ledger)
    assert agentdyno.run(*command) == 2
    assert "expected one of --secrets, --session ID" in agentdyno.err
    assert agentdyno.run(*command, "--secrets", "--session", "x") == 2
    assert agentdyno.run(*command, "--session", "no-such-session") == 2
    assert "expected a session 'no-such-session', found none" in agentdyno.err
    with LedgerWriter(agentdyno.ledger, {}):
        assert agentdyno.run(*command, "--secrets") == 2
        assert "another process is writing this ledger" in agentdyno.err


def test_a_text_that_stays_is_reported(agentdyno: Agentdyno, tmp_path: Path) -> None:
    assert agentdyno.measure(write_jsonl(tmp_path / "a.jsonl", [1])) == 0
    (agentdyno.ledger / "notes.txt").write_text("my notes on the forgotten thing")
    (tmp_path / "texts").write_text("the forgotten thing")
    assert agentdyno.run("ledger", "forget", "--text", tmp_path / "texts", agentdyno.ledger) == 1
    assert "1 in" in agentdyno.out
    assert "notes.txt" in agentdyno.out


def test_a_kill_at_any_moment_leaves_a_ledger_that_the_same_command_finishes(
    tmp_path: Path,
) -> None:
    secrets, trace, start = draw_secrets(5), tmp_path / "a.jsonl", tmp_path / "start"
    trace.write_text(json.dumps(plant(secrets)) + "\n" + json.dumps(chat(2)) + "\n")
    measure([trace], start, KEPT)
    rows = {name: len(frame) for name, frame in tables(start).items()}
    for step in range(0, 200, 26):
        ledger = tmp_path / f"l{step}"
        shutil.copytree(start, ledger)
        is_whole = False
        with killed_at(step), suppress(Killed):
            forget(ledger, Choice(secrets=True))
            is_whole = True
        assert verify(ledger).is_sound, step
        assert {name: len(frame) for name, frame in tables(ledger).items()} == rows
        assert forget(ledger, Choice(secrets=True)).is_gone
        assert find_left(ledger, secrets) == []
        if is_whole:
            return
    raise AssertionError("it never finished")


def test_what_parquet_packs_is_found(tmp_path: Path) -> None:
    frame = pl.DataFrame({"text": ["nothing", 'a "needle"\nof some length'] * 500})
    frame.write_parquet(tmp_path / "a.parquet")
    found = search_folder(tmp_path, ['a "needle"\nof some length', "no needle at all"])
    assert (found.files, found.texts, [*found.hits.values()]) == (1, 2, [1])
