"""What makes a response that response: ids that nobody else has, or a digest with an anchor."""

from pathlib import Path

import pytest

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.cutting import without
from agentdyno.intake.identity import identify, is_random
from agentdyno.intake.source import Source
from agentdyno.records import Trajectory
from tests.labelled import from_set


@from_set("intake/identity", "text", "random")
def test_an_id_identifies_when_nobody_else_can_have_it(text: str, random: bool) -> None:
    assert is_random(text) is random


def talk(name: str, turns: int, call_id: str | None = None, **fields: object) -> Trajectory:
    builder = TrajectoryBuilder()
    builder.user("What is the weather in Paris?")
    for index in range(turns):
        builder.turn("m", **fields)
        builder.call("weather", '{"city": "Paris"}', call_id and f"{call_id}{index}")
        builder.result("sunny", call_id and f"{call_id}{index}")
    return builder.build(f"{name}#0", name, "test")


def ids(trajectory: Trajectory, path: Path) -> list[str | None]:
    return [turn.identity for turn in identify(trajectory, Source(path, path.name)).turns]


NOON = 1_767_614_400.0


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_with_random_call_ids_the_file_does_not_matter(tmp_path: Path) -> None:
    one, other = written(tmp_path, "a", "one"), written(tmp_path, "b", "other")
    short, long = talk("a", 2, "call_7Hq2Lw9Zx0"), talk("b", 4, "call_7Hq2Lw9Zx0")
    assert ids(short, one) == ids(long, other)[:2]
    assert len(set(ids(long, other))) == 4


def test_without_any_evidence_only_a_copy_of_the_file_is_the_same(tmp_path: Path) -> None:
    one, copy = written(tmp_path, "a", "same"), written(tmp_path, "copy", "same")
    other = written(tmp_path, "b", "another file")
    assert ids(talk("a", 2), one) == ids(talk("copy", 2), copy)
    assert set(ids(talk("a", 2), one)).isdisjoint(ids(talk("b", 2), other))


def test_numbered_call_ids_do_not_make_two_files_one(tmp_path: Path) -> None:
    one, other = written(tmp_path, "a", "one"), written(tmp_path, "b", "another run")
    first, second = talk("a", 2, "call000000000"), talk("b", 2, "call000000000")
    assert set(ids(first, one)).isdisjoint(ids(second, other))


def test_byte_equal_files_are_samples_where_they_are_kept(tmp_path: Path) -> None:
    one, copy = written(tmp_path, "a", "same"), written(tmp_path, "copy", "same")
    kept = [identify(talk(p.name, 2), Source(p, p.name), keep_equal=True) for p in (one, copy)]
    first, second = ([turn.identity for turn in each.turns] for each in kept)
    assert len({*first, *second}) == 4


def test_a_response_id_identifies_without_its_request(tmp_path: Path) -> None:
    one, copy = written(tmp_path, "a", "one"), written(tmp_path, "b", "another file")
    name = "msg_01YUPexzbhXwzkdbFZ9MDNFx"
    whole = talk("a", 1, response_id=name, request_id="req_011CSHoEeqs5C35K2UUqR7Fy")
    assert ids(whole, one) == ids(talk("b", 1, response_id=name), copy) == [name]


def test_times_tell_two_equal_conversations_apart(tmp_path: Path) -> None:
    path = written(tmp_path, "a", "x")
    assert ids(talk("a", 1, started_at=NOON), path) != ids(talk("a", 1, started_at=NOON + 1), path)


def test_the_title_is_how_the_first_prompt_begins(tmp_path: Path) -> None:
    builder = TrajectoryBuilder()
    builder.user("<command-name>/clear</command-name>")
    builder.user("Fix \x1b[31m the\n tests " + "x" * 200)
    builder.turn("m")
    found = identify(builder.build("a#0", "a", "test"), Source(written(tmp_path, "a", "x"), "a"))
    assert found.title.startswith("Fix \N{REPLACEMENT CHARACTER}[31m the tests xxx")
    assert len(found.title) == 80


def test_cutting_turns_out_leaves_what_the_others_had_in_context() -> None:
    whole = talk("a", 3)
    left = without(whole, {0, 1})
    assert (len(left.turns), [call.turn for call in left.calls]) == (1, [0])
    # Prompt, two requests and two results stood in the last turn's context; now they are given.
    assert [part.kind for part in left.parts if part.enters == 0] == [
        "user", "request", "result", "request", "result",
    ]  # fmt: skip
    assert [part.made for part in left.parts] == [None, None, None, None, None, 0, None]
    assert without(whole, {0, 1, 2}) is None
    assert without(whole, set()) is whole


def test_a_very_long_id_takes_no_longer_than_others() -> None:
    # By the whole word this took minutes; the id is not random either way.
    assert not is_random("a" * 200_000)
    assert is_random("3a39fdaf-b512-4863-ac9b-1584538af5cf" + "a" * 200_000)


@pytest.mark.parametrize(
    ("prompts", "title"),
    [
        (["<system-reminder>Today is Monday.</system-reminder>"], None),
        (["# AGENTS.md instructions for /repo", "Fix the till."], "Fix the till."),
        (["This session is being continued from a previous conversation."], None),
        (
            ["<command-message>review</command-message><command-name>/review</command-name>"
             "<command-args>17</command-args>"],
            "/review 17",
        ),
        (["<command-name>/clear</command-name>", "Add vouchers."], "Add vouchers."),
    ],
)  # fmt: skip
def test_what_a_client_injects_is_no_title(
    tmp_path: Path, prompts: list[str], title: str | None
) -> None:
    builder = TrajectoryBuilder()
    for prompt in prompts:
        builder.user(prompt)
    builder.turn("m")
    (file := tmp_path / "t.jsonl").write_text("{}")
    source = Source(file, "t.jsonl")
    assert identify(builder.build("t", "t.jsonl", "f"), source).title == title
