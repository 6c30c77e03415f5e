"""What a text commits to, and whether it commits to a value for a slot."""

from agentdyno.matching.commitments import decide, read_text
from agentdyno.matching.values import expect
from tests.labelled import from_set

CRATES, PRIOR = expect("36", "crates"), expect("50", "crates")


@from_set("matching/commitments/commitments", "text", "value", "stance")
def test_every_stance_is_told_apart(text: str, value: str, stance: str) -> None:
    found = {read_text(text).text[c.start : c.end]: c.stance for c in read_text(text).commitments}
    assert found[value] == stance


@from_set("matching/commitments/commitments", "text", "answer")
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
