"""What a sheet measures of plays that somebody else made."""

import gzip
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from agentdyno.records import InputError
from agentdyno_train.models.recorded import RecordedTurn, write_compressed
from agentdyno_train.rollouts.complete_parts import CompleteParts
from agentdyno_train.rollouts.journal import (
    ATTEMPTS,
    CONTINUATIONS,
    DEPTHS,
    OPTIONS,
    Continuation,
    Journal,
    RolloutOptions,
    RolloutRecord,
    TurnDepth,
)
from agentdyno_train.rollouts.scheduling import (
    EpisodeFactory,
    PlannedEpisode,
    plan_continuations,
    plan_greedy,
    plan_samples,
    plan_timed,
)

BOTH = RolloutOptions(
    {"one": "a", "two": "b c"}, easy=3, hard=2, toolfail=2, tir=1, sampled=2, samples=2,
    continued=1, continuations=2, timed=2,
)  # fmt: skip
FACTORY = EpisodeFactory(BOTH)


def attempt(agent: str, place: PlannedEpisode, key: str | None = None) -> RolloutRecord:
    """One turn with one call, so that there are two cuts: before and after it."""
    text = '{"name": "some_tool", "arguments": {}}'
    turn = RecordedTurn(key or FACTORY.find_opening(place), text, [1], True)
    where = place.bench, place.level, place.task_id, place.attempt
    return RolloutRecord(agent, *where, 5, [turn], [5], None, None, None)


def everything() -> list[PlannedEpisode]:
    """18: easy 3, hard 2, toolfail 2, tir 1 greedily; 4 samples of each level; 2 timed."""
    return [*plan_greedy(BOTH), *plan_samples(BOTH), *plan_timed(BOTH)]


def played(folder: Path, agent: str, places: Iterable[PlannedEpisode], futures: int = 4) -> None:
    """The plays of one agent, and so many of its 1 x 2 x 2 continuations."""
    journal = Journal(folder)
    journal.begin(BOTH)
    plays = [attempt(agent, place) for place in places]
    journal.add(ATTEMPTS, plays)
    cuts = plan_continuations(BOTH, plays)[:futures]
    journal.add(CONTINUATIONS, [
        Continuation(agent, c.record.task_id, c.answers, c.calls, c.number, True, 1.0) for c in cuts
    ])  # fmt: skip


def without(*numbers: tuple[str, int]) -> list[PlannedEpisode]:
    """Everything but the last of a level's attempts of a number."""
    found = everything()
    for level, number in numbers:
        found.remove([p for p in found if (p.level, p.attempt) == (level, number)][-1])
    return found


def test_whole_plays_leave_nothing_out(tmp_path: Path) -> None:
    played(tmp_path, "one", everything())
    parts = CompleteParts(tmp_path, ["one"])
    assert parts.advice() == []
    tasks = parts.tasks("one", in_process=True, unsafe_python=False)
    assert (list(tasks.planning), tasks.toolfail, tasks.tir) == ([("easy", 3), ("hard", 2)], 2, 1)
    assert len(parts.records()) == len(everything()) == 8 + 8 + 2
    assert len(parts.futures("one")) == 4


def test_a_level_cut_off_for_every_agent_is_left_out_for_every_agent(tmp_path: Path) -> None:
    for agent in BOTH.agents:
        played(tmp_path, agent, without(("hard", 0), ("toolfail", 0)))
    parts = CompleteParts(tmp_path, ["one", "two"])
    for agent in BOTH.agents:
        tasks = parts.tasks(agent, in_process=True, unsafe_python=False)
        assert (list(tasks.planning), tasks.toolfail, tasks.tir) == ([("easy", 3)], 0, 1)
    lines = parts.advice()
    assert lines[:2] == [
        f"{agent}: left out because incomplete: hard 1 of 2, toolfail 1 of 2."
        for agent in ("one", "two")
    ]
    assert lines[2].endswith(
        f"bench/gpu_training/sheet.py --out {tmp_path} --agent one=a --agent 'two=b c' --easy 3 "
        "--hard 2 --toolfail 2 --tir 1 --sampled 2 --samples 2 --continued 1 --continuations 2 "
        "--timed 2 --turns 16 --turn-tokens 512 --window 8192 --seats 8"
    )
    assert not [p for p in parts.records() if (p.level, p.attempt) == ("hard", 0)]


def test_samples_continuations_and_timed_attempts_are_whole_or_left_out(tmp_path: Path) -> None:
    missing = [("hard", 1), ("hard", 2), ("easy", -1)]
    played(tmp_path, "one", without(*missing), futures=3)
    parts = CompleteParts(tmp_path, ["one"])
    assert parts.left_out() == [
        "one: left out because incomplete: samples of hard 2 of 4, timed 1 of 2, "
        "continuations 3 of 4."
    ]
    there = {(p.level, p.attempt) for p in parts.records()}
    assert {("easy", 1), ("easy", 2), ("hard", 0)} <= there
    assert not there & {("hard", 1), ("hard", 2), ("easy", -1)}
    assert parts.futures("one") == []


def test_continuations_of_attempts_that_are_not_all_there_are_left_out(tmp_path: Path) -> None:
    played(tmp_path, "one", without(("easy", 0)))
    parts = CompleteParts(tmp_path, ["one"])
    assert parts.left_out() == [
        "one: left out because incomplete: easy 2 of 3, continuations 4 of an unknown number."
    ]
    assert parts.futures("one") == []


def test_more_tasks_than_there_are_is_all_of_them(tmp_path: Path) -> None:
    asked = msgspec.structs.replace(BOTH, easy=1000, hard=0, toolfail=0, tir=0, samples=0,
                                    timed=0, continued=0)  # fmt: skip
    journal = Journal(tmp_path)
    journal.begin(asked)
    factory = EpisodeFactory(asked)
    journal.add(ATTEMPTS, [attempt("one", p, factory.find_opening(p)) for p in plan_greedy(asked)])
    assert [(p.found, p.expected) for p in CompleteParts(tmp_path, ["one"]).parts] == [(100, 100)]


def test_a_task_that_was_played_twice_does_not_stand_for_another(tmp_path: Path) -> None:
    places = without(("hard", 0))
    twice = next(p for p in places if (p.level, p.attempt) == ("hard", 0))
    played(tmp_path, "one", [*places, twice])
    assert "hard 1 of 2" in CompleteParts(tmp_path, ["one"]).left_out()[0]


def test_an_agent_without_any_whole_level_is_refused_with_what_to_do(tmp_path: Path) -> None:
    played(tmp_path, "one", everything())
    played(tmp_path, "two", plan_greedy(BOTH)[:2], futures=0)
    with pytest.raises(InputError) as refused:
        CompleteParts(tmp_path, ["one", "two"])
    told = str(refused.value)
    assert "found none of two (two: easy 2 of 3, hard 0 of 2, toolfail 0 of 2" in told
    assert "bench/gpu_training/sheet.py --out" in told
    CompleteParts(tmp_path, ["one"])


def test_agents_that_did_not_play_are_named_with_those_that_did(tmp_path: Path) -> None:
    played(tmp_path, "one", everything())
    with pytest.raises(InputError, match=r"--agent three=…: .*\(one, two\), found three\."):
        CompleteParts(tmp_path, ["one", "three"])


@pytest.mark.parametrize("content", [None, b"{", b'{"agents": 3}', b"\xff\xfe"])
def test_a_folder_without_options_is_refused_and_left_as_it_is(
    tmp_path: Path, content: bytes | None
) -> None:
    folder = tmp_path / "plays"
    if content is not None:
        folder.mkdir()
        (folder / OPTIONS).write_bytes(content)
    with pytest.raises(InputError, match=r"play.json: expected .* found: .* Pass the folder"):
        CompleteParts(folder, ["one"])
    assert folder.exists() == (content is not None)


BAD = [
    b"not json", b"[1, 2]", b'{"agent": "one"}', b'{"agent": "\xff"}', b"\x00" * 9,
    b"[" * 5000, b'{"agent": 1e999}',
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD)
def test_a_damaged_line_is_named_and_costs_no_other(tmp_path: Path, bad: bytes) -> None:
    played(tmp_path, "one", everything())
    for name in (ATTEMPTS, CONTINUATIONS):
        lines = (tmp_path / name).read_bytes().splitlines(keepends=True)
        (tmp_path / name).write_bytes(b"".join([lines[0], bad + b"\n", *lines[1:]]))
    parts = CompleteParts(tmp_path, ["one"])
    assert len(parts.records()) == len(everything())
    assert len(parts.futures("one")) == 4
    first, second = parts.advice()
    assert first.startswith(f"{tmp_path / ATTEMPTS}:2: ")
    assert second.startswith(f"{tmp_path / CONTINUATIONS}:2: ")


def test_rows_that_contradict_themselves_are_damaged(tmp_path: Path) -> None:
    played(tmp_path, "one", everything())
    row = msgspec.to_builtins(attempt("one", everything()[0]))
    depth = TurnDepth("one", "tps", "easy", everything()[0].task_id, 0, 0, "10", "tt", 0, 0, 0)
    for name, bad, good in (
        (ATTEMPTS, row | {"starts": []}, row),
        (DEPTHS, msgspec.to_builtins(depth) | {"kinds": "t"}, msgspec.to_builtins(depth)),
    ):
        with (tmp_path / name).open("ab") as opened:
            opened.write(b"".join(msgspec.json.encode(x) + b"\n" for x in (bad, good)))
    parts = CompleteParts(tmp_path, ["one"])
    assert parts.depths() == [depth]
    assert [line.partition("jsonl:")[2] for line in parts.advice()] == [
        "19: 1 turns with 0 starts; skipped.",
        "1: depths of 2 tokens with 1 kinds; skipped.",
    ]


def test_many_damaged_lines_are_counted(tmp_path: Path) -> None:
    played(tmp_path, "one", everything())
    with (tmp_path / ATTEMPTS).open("ab") as opened:
        opened.write(b"{\n" * 9)
    assert CompleteParts(tmp_path, ["one"]).advice()[-1] == "4 more lines skipped."


def test_a_damaged_play_is_left_to_be_played_again(tmp_path: Path) -> None:
    played(tmp_path, "one", everything())
    lines = (tmp_path / ATTEMPTS).read_bytes().splitlines(keepends=True)
    (tmp_path / ATTEMPTS).write_bytes(b"".join([b"{\n", *lines[1:]]))
    parts = CompleteParts(tmp_path, ["one"])
    assert "easy 2 of 3" in parts.left_out()[0]
    assert list(parts.tasks("one", True, False).planning) == [("hard", 2)]
    Journal(tmp_path).add(ATTEMPTS, [attempt("one", everything()[0])])
    assert CompleteParts(tmp_path, ["one"]).left_out() == []


def test_who_goes_on_with_compressed_plays_keeps_them(tmp_path: Path) -> None:
    places = everything()
    played(tmp_path, "one", places[:-1])
    write_compressed(tmp_path / ATTEMPTS)
    (tmp_path / ATTEMPTS).unlink()
    journal = Journal(tmp_path)
    journal.add(ATTEMPTS, [attempt("one", places[-1])])
    assert len(journal.read(ATTEMPTS, RolloutRecord)) == len(places)


def test_compressed_plays_that_were_cut_off_are_read_and_said(tmp_path: Path) -> None:
    played(tmp_path, "one", everything())
    data = (tmp_path / ATTEMPTS).read_bytes()
    (tmp_path / ATTEMPTS).unlink()
    noise = bytes(range(256)) * 40
    packed = gzip.compress(data + msgspec.json.encode({"x": noise.hex()}) + b"\n", 0)
    (tmp_path / f"{ATTEMPTS}.gz").write_bytes(packed[:-5000])
    parts = CompleteParts(tmp_path, ["one"])
    assert len(parts.records()) == len(everything())
    assert "damaged or cut off after 18 lines" in parts.advice()[0]


def test_what_a_user_leaves_out_is_neither_measured_nor_missed(tmp_path: Path) -> None:
    played(tmp_path, "one", without(("hard", 0), ("hard", 1)), futures=1)
    parts = CompleteParts(tmp_path, ["one"], {"hard", "tir", "continued"})
    assert parts.advice() == []
    tasks = parts.tasks("one", True, False)
    assert (list(tasks.planning), tasks.toolfail, tasks.tir) == ([("easy", 3)], 2, 0)
    assert {p.level for p in parts.records()} == {"easy", "toolfail"}
    assert parts.futures("one") == []


def test_greedy_answers_to_other_chats_than_tasks_begin_with_are_left_out(tmp_path: Path) -> None:
    played(tmp_path, "one", [p for p in everything() if p.level != "hard"])
    hard = [attempt("one", p, "another chat") for p in everything() if p.level == "hard"]
    Journal(tmp_path).add(ATTEMPTS, hard)
    parts = CompleteParts(tmp_path, ["one"])
    told, what = parts.advice()
    assert told == ("one: left out because incomplete: hard 0 of 2 (2 more answer another chat).")
    assert "roll out into another folder: python bench/gpu_training/sheet.py --out FOLDER" in what
    assert list(parts.tasks("one", True, False).planning) == [("easy", 3)]
    there = {(p.level, p.attempt) for p in parts.records()}
    assert ("hard", 0) not in there
    assert {("hard", 1), ("hard", 2), ("easy", 0), ("easy", -1)} <= there  # Read as they are.
