"""Unread and oversized results: what counts as a reference."""

import pytest

from tests.metrics.patterns.trajectories import Call, Turn, found, places, trajectory

WEEK = (
    "Mon 09:30 Budget review, room Larch\nWed 14:00 Dentist Pavlenko\nThu 11:15 Aksel, turbines\n"
    "Thu 18:45 Supper at Ottilie's, elderberry cordial\nFri 16:00 Choir rehearsal, St. Brannock\n"
    "Sat 08:20 Train to Zwolle, platform 5b, coach 3,400, window seat, quiet zone"
)
LIST = Turn("A glance.", [Call("list_meetings", {"week": 10}, WEEK)])
WRITE = Turn("Writing.", [Call("send_mail", {"to": "ros"}, "sent")])


@pytest.mark.parametrize("end", ["All finished.", "Rosalind knows about 7 apples."])
def test_a_result_nobody_mentions_is_unread(end: str) -> None:
    given = trajectory("?", LIST, WRITE, Turn(end))
    assert places("unread_result", given) == [(0, 0)]


@pytest.mark.parametrize(
    "end",
    ["See you at the dentist.", "You are in coach 3400.", "At 11:15, then.", "PAVLENKO is booked."],
)
def test_a_word_or_a_number_of_it_is_a_reference(end: str) -> None:
    assert places("unread_result", trajectory("?", LIST, WRITE, Turn(end))) == []


@pytest.mark.parametrize("next_text", ["Good, that leaves room.", "Nothing on that budget day."])
def test_a_comment_in_the_next_turn_is_a_reference(next_text: str) -> None:
    given = trajectory("?", LIST, Turn(next_text, [Call("send_mail", {}, "sent")]), Turn("Bye."))
    assert places("unread_result", given) == []


def test_errors_receipts_and_other_scripts_are_left_alone() -> None:
    error = Turn("", [Call("list_meetings", {}, WEEK, "Error")])
    receipt = Turn("", [Call("update_calendar", {}, WEEK)])
    script = Turn("", [Call("list_meetings", {}, "会议安排在星期三下午两点" * 30)])
    for first in (error, receipt, script):
        given = trajectory("?", first, WRITE, Turn("All finished."))
        assert places("unread_result", given) == []


PAGE = "\n".join(f"Paragraph {n}: gravel{n} moss{n} lichen{n} basalt{n}" for n in range(1000, 1200))


def test_a_long_page_for_one_fact_is_oversized() -> None:
    given = trajectory("?", Turn("", [Call("visit", {}, PAGE)]), Turn("It is moss1007."))
    [finding] = found("oversized_result", given)
    # 200 lines of 57 characters and 199 breaks at 3.2 each; `paragraph`, and five words a line.
    assert len(PAGE) == 11_599
    assert finding.detail == "about 3,625 tokens; 1 of 1,001 distinct words used later"


def test_a_long_page_that_is_used_is_not() -> None:
    used = " ".join(f"basalt{n}" for n in range(1000, 1150))
    given = trajectory("?", Turn("", [Call("visit", {}, PAGE)]), Turn(used))
    assert places("oversized_result", given) == []


def test_a_result_that_no_later_turn_carries_costs_nothing() -> None:
    assert places("oversized_result", trajectory("?", Turn("", [Call("visit", {}, PAGE)]))) == []


def test_a_short_result_is_never_oversized() -> None:
    given = trajectory("?", Turn("", [Call("visit", {}, PAGE[:6_300])]), Turn("Done."))
    assert places("oversized_result", given) == []
