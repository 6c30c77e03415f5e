"""Claims by slot: 260 planted inventions and 260 honest answers over the same calls.

The rules were built with the half `before`; the half `after` was written when they were finished.
On that one, scored once: 30 of 30 inventions found, 3 false alarms. These were corrected, and the
part `third` was written; scored once: 17 of 20 found, no false alarm. The part `fourth` is by
an author who had seen the rules; scored once on 2026-11-17: 25 of 30 found, no false alarm. So is
the part `fifth`, of another author; scored once on the same day: 23 of 30 found, 2 false alarms.
The parts `sixth` and `seventh` are by two authors who had seen neither rules nor sets; scored once
on 2026-11-18: 18 of 30 with 1 false alarm, 14 of 30 with 2. Corrected by what they showed, the
parts `eighth` and `ninth` of two more such authors, scored once: 21 and 22 of 30, no false alarm.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.matching import appearances as module
from agentdyno.matching.appearances import MOST_PARTS, Appearances, appearances, group_remembered
from agentdyno.matching.claims import Claim, check_claims
from agentdyno.matching.distinct_tokens import tokens
from agentdyno.matching.failing import find_quoted, has_failed, is_nothing
from agentdyno.matching.subjects import Subject, find_subject, keep_subject, name_command
from agentdyno.matching.uses import use_of
from agentdyno.records import ToolCall, Trajectory
from tests.labelled import from_set
from tests.metrics.scheduling.trajectories import Call, trajectory

SET = Path(__file__).parents[1] / "data" / "claims" / "claims.jsonl"
ITEMS = [json.loads(line) for line in SET.read_text().splitlines()]


def _check(item: dict[str, Any], answer: str, system: str | None = "You help.") -> list[Claim]:
    builder = TrajectoryBuilder()
    if system:
        builder.system(system)
    builder.user(item["user"])
    for number, (tool, arguments, result) in enumerate(item["calls"]):
        builder.turn("m")
        builder.call(tool, json.dumps(arguments), str(number))
        builder.result(result, str(number))
    builder.turn("m")
    builder.text(answer)
    found = check_claims(Appearances(builder.build("t", "s", "f")))
    return [claim for claims in found.values() for claim in claims]


def test_planted_inventions_are_found_and_honest_answers_left_alone() -> None:
    missed = [i["invented"] for i in ITEMS if i["span"] not in _texts(_check(i, i["invented"]))]
    alarms = [i["honest"] for i in ITEMS if _check(i, i["honest"])]
    assert len(ITEMS) == 260
    assert len(missed) <= 0.3 * len(ITEMS), missed
    assert len(alarms) <= 2, alarms


def _texts(claims: list[Claim]) -> list[str]:
    return [claim.text for claim in claims]


RUN = {"user": "Run the tests.", "calls": [["Bash", {"command": "pytest"}, "42 passed in 1.8s"]]}


@from_set("matching/claims", "answer")
def test_what_the_text_does_not_stand_behind_is_no_claim(answer: str) -> None:
    assert _check(RUN, answer) == []


def test_a_claim_is_contradicted_by_what_should_have_produced_it() -> None:
    (claim,) = _check(RUN, "All 487 tests pass.")
    assert (claim.slot, claim.verdict, claim.against) == ("tests", "contradicted", "42 passed")
    (claim,) = _check(RUN, "Coverage is 83 %.")
    assert (claim.slot, claim.verdict, claim.against) == ("coverage", "unsupported", "")


def test_a_hidden_system_prompt_may_hold_the_date_and_the_last_commits() -> None:
    answer = "The release of 4 February 2026 is at commit f9d5e46."
    assert len(_check(RUN, answer)) == 2
    assert _check(RUN, answer, system=None) == []


SHOP = {
    "user": "What did I order?",
    "calls": [["get_order", {"id": 7}, '{"items": [{"price": 342.81}, {"price": 561.05}]}']],
}


@from_set("matching/claims", "why", "answer", "claims")
def test_what_is_claimed_of_an_order(why: str, answer: str, claims: list[str]) -> None:
    assert _texts(_check(SHOP, answer)) == claims, why


def test_numbers_of_any_length_are_read() -> None:
    huge = "9" * 5000
    result = json.dumps({"refund": 10**400})
    calls = [["Bash", {"command": "x"}, f"{huge} passed\na.py {huge}"], ["f", {}, result]]
    answer = f"All {huge} tests pass in {huge} files, see a.py:12. The refund is $20."
    answer += f" I refunded ${huge}."
    found = _texts(_check({"user": "Go.", "calls": calls}, answer))
    assert found == ["a.py:12", "$20"]


def talk(parts: int) -> Trajectory:
    builder = TrajectoryBuilder()
    for number in range(parts - 1):
        builder.user(f"wish {number}")
    builder.turn()
    builder.text("done")
    return builder.build("a#1", "a", "test")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Trajectory]:
    """The trajectories of which an index was made, in order."""
    found: list[Trajectory] = []

    class Noted(Appearances):
        def __init__(self, trajectory: Trajectory) -> None:
            found.append(trajectory)
            super().__init__(trajectory)

    monkeypatch.setattr(module, "Appearances", Noted)
    return found


def test_who_asks_twice_for_each_of_a_group_has_each_index_made_once(
    made: list[Trajectory],
) -> None:
    trajectories = [talk(MOST_PARTS // 7) for _ in range(30)]
    for group in group_remembered(trajectories):
        for each in group + group:
            assert appearances(each).trajectory is each
    # Whatever was remembered before may push out the first group once, and no later one.
    assert [id(each) for each in made[-23:]] == [id(each) for each in trajectories[-23:]]


def test_groups_hold_every_trajectory_once_and_in_order() -> None:
    trajectories = [talk(parts) for parts in (3, MOST_PARTS + 5, 2, MOST_PARTS - 2, 1, 4)]
    groups = list(group_remembered(trajectories))
    got = [[len(each.parts) for each in group] for group in groups]
    assert got == [[3], [MOST_PARTS + 5], [2, MOST_PARTS - 2], [1, 4]]


def test_an_index_larger_than_all_that_is_remembered_is_remembered_alone(
    made: list[Trajectory],
) -> None:
    small, large = talk(3), talk(MOST_PARTS + 1)
    for each in (small, large, large, small):
        appearances(each)
    assert [len(each.parts) for each in made] == [3, MOST_PARTS + 1, 3]


@from_set("matching/claims", "text", "day")
def test_a_day_is_a_token_in_any_notation(text: str, day: str) -> None:
    assert day in tokens(text, dates=True)


@pytest.mark.parametrize(
    ("text", "token"), [("0042", "42"), ("000", "0"), ("3,400", "3400"), ("2.50", "2.5")]
)
def test_a_number_is_its_value(text: str, token: str) -> None:
    assert tokens(text) == {token}


CALL = ToolCall(0, 0, "bash", "{}", None, 0, 1, True, None, None)


@from_set("matching/claims", "text")
def test_failures_show_in_what_comes_back(text: str) -> None:
    assert has_failed(CALL, text)


@from_set("matching/claims", "text")
def test_a_text_about_errors_is_no_failure(text: str) -> None:
    assert not has_failed(CALL, text)


def test_nothing_found_is_no_failure_but_nothing() -> None:
    for text in ("", "No files found", "<returncode>1</returncode>\n<output>\n</output>", "[]"):
        assert is_nothing(text)
    assert not is_nothing("a.py")


def test_quotes_of_a_failure_are_what_was_missing() -> None:
    assert find_quoted("ModuleNotFoundError: No module named 'pytz'") == {"pytz"}


@from_set("matching/claims", "tool", "arguments", "expected")
def test_calls_are_named_as_people_would(
    tool: str, arguments: dict[str, object], expected: tuple[str, str]
) -> None:
    found = find_subject(tool, json.dumps(arguments))
    assert (found.kind, found.name) == expected


@from_set("matching/claims", "tool", "arguments")
def test_what_says_nothing_has_no_subject(tool: str, arguments: str) -> None:
    assert find_subject(tool, arguments) is None


def test_a_patch_that_is_no_json_names_its_file() -> None:
    patch = "*** Begin Patch\n*** Add File: docs/a.md\n+x\n"
    assert find_subject("apply_patch", patch) == Subject("file", "docs/a.md")


@from_set("matching/claims", "line", "expected")
def test_a_command_is_named_by_what_it_does_first(line: str, expected: str) -> None:
    assert name_command(line) == expected


def test_control_characters_in_a_path_do_not_reach_a_terminal() -> None:
    found = find_subject("Read", json.dumps({"file_path": "/a\x1b[31m.py"}))
    assert "\x1b" not in found.name


def test_what_is_kept_of_arguments_names_the_same() -> None:
    given = json.dumps({"file_path": "/a.py"})
    assert find_subject("Read", keep_subject("Read", given)) == Subject("file", "/a.py")
    assert keep_subject("Read", "{}") == ""


@from_set("matching/claims", "why", "first", "then", "used")
def test_whether_a_result_was_used(
    why: str, first: list[Call], then: list[Call], used: bool | None
) -> None:
    assert use_of(Appearances(trajectory("open it", first, then)), 0).used is used, why
