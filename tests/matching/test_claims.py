"""Claims by slot: 140 planted inventions and 140 honest answers over the same calls.

The rules were built with the half `before`; the half `after` was written when they were finished.
On that one, scored once: 30 of 30 inventions found, 3 false alarms. These were corrected, and the
part `third` was written; scored once: 17 of 20 found, no false alarm. The part `fourth` is by
an author who had seen the rules; scored once on 2026-11-17: 25 of 30 found, no false alarm. So is
the part `fifth`, of another author; scored once on the same day: 23 of 30 found, 2 false alarms.
Since then corrected by what real sessions and these showed: 130 of 140, no false alarm.
"""

import json
from pathlib import Path
from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.matching.appearances import Appearances
from agentdyno.matching.claims import Claim, check_claims
from tests.labelled import from_set

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
    assert len(ITEMS) == 140
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
    answer = "As of 4 February 2026, HEAD is at commit f9d5e46."
    assert len(_check(RUN, answer)) == 2
    assert _check(RUN, answer, system=None) == []


SHOP = {
    "user": "What did I order?",
    "calls": [["get_order", {"id": 7}, '{"items": [{"price": 342.81}, {"price": 561.05}]}']],
}


def test_an_amount_before_a_numbered_line_keeps_its_cents() -> None:
    assert _check(SHOP, "1. Headphones: $342.81\n2. Cleaner: $561.05\n3. Nothing else.") == []


def test_what_the_fields_of_one_result_add_up_to_is_supported() -> None:
    assert _check(SHOP, "Taken twice, that makes $1,807.72.") == []
    assert _texts(_check(SHOP, "Taken twice, that makes $1,707.72.")) == ["$1,707.72"]


def test_numbers_of_any_length_are_read() -> None:
    huge = "9" * 5000
    result = json.dumps({"refund": 10**400})
    calls = [["Bash", {"command": "x"}, f"{huge} passed\na.py {huge}"], ["f", {}, result]]
    answer = f"All {huge} tests pass in {huge} files, see a.py:12. The refund is $20."
    assert [claim.text for claim in _check({"user": "Go.", "calls": calls}, answer)] == ["$20"]
