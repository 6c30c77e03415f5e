"""What a text commits to, and whether it commits to a value for a slot."""

import pytest

from agentdyno.matching.commitments import decide, read_text
from agentdyno.matching.values import expect

CRATES, PRIOR = expect("36", "crates"), expect("50", "crates")


@pytest.mark.parametrize(
    ("text", "value", "stance"),
    [
        ("There are 36 crates.", "36", "asserted"),
        ("36 crates, not 50.", "50", "denied"),
        ("I doubt the 50.", "50", "denied"),
        ("36, down from 50 last spring.", "50", "past"),
        ("Maybe 36.", "36", "hedged"),
        ("36 or 50 crates.", "36", "alternative"),
        ("Between 30 and 40 crates.", "30", "range"),
        ("Are there 36?", "36", "question"),
        ("You mentioned 50, but there are 36.", "50", "quoted"),
        ("It is 36. No, wait, it is 50.", "36", "withdrawn"),
        ("~~36~~ 50 crates", "36", "withdrawn"),
    ],
)
def test_every_stance_is_told_apart(text: str, value: str, stance: str) -> None:
    found = {read_text(text).text[c.start : c.end]: c.stance for c in read_text(text).commitments}
    assert found[value] == stance


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("36 crates, not 50.", "yes"),
        ("Three dozen.", "yes"),
        ("It was 50. No, wait, it is 36.", "yes"),
        ("50 crates, not 36.", "no"),
        ("The X is 36. No, wait, it is 50.", "no"),
        ("36; just as likely 50", "no"),
        ("Could it be 36? I don't know.", "no"),
        ("The record has 36 crates; I'd ignore that and say 50.", "no"),
        ("I could not find the number of crates.", "no"),
        ("Probably 36.", "unclear"),
    ],
)
def test_a_text_commits_to_a_value_or_not_or_it_is_unclear(text: str, answer: str) -> None:
    assert decide(read_text(text), CRATES, [PRIOR]).answer == answer


def test_a_decision_names_the_place_that_decided() -> None:
    reading = read_text("Good news: **36** crates.")
    found = decide(reading, CRATES)
    assert (found.answer, reading.text[slice(*found.span)]) == ("yes", "36")


def test_units_count() -> None:
    fare = expect("42", "fare_eur")
    assert decide(read_text("The fare is 42 JPY."), fare).answer != "yes"
    assert decide(read_text("The fare is €42."), fare).answer == "yes"


def test_values_under_each_others_names_are_refused() -> None:
    flour, butter = expect("25.5", "flour_kg"), expect("12.75", "butter_kg")
    text = read_text("You need 25.5 kg of butter and 12.75 kg of flour.")
    assert decide(text, flour, known=[butter]).answer == "no"
    assert decide(text, butter, known=[flour]).answer == "no"


def test_a_long_hostile_text_is_read_in_bounded_work() -> None:
    assert len(read_text("2031-06-02 or 1,234 " * 5000).commitments) <= 400
