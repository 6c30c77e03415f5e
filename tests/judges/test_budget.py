"""Which events a judge is shown when not all fit: the same in every process, or answers are paid
for twice."""

from agentdyno.judges.budget import _by_evidence, choose_events, describe_missing
from agentdyno.judges.evidence import Event

FREQUENCIES = (3, 7, 11, 13, 17)


def _tied(trial: int) -> list[Event]:
    """Two events whose words are exactly as rare, then events that make them so."""
    sides = [[f"{side}{trial}word{f}" for f in FREQUENCIES] for side in ("left", "right")]
    spread = [
        [f"{side}{trial}word{f}" for side in ("left", "right") for f in FREQUENCIES if f > n]
        for n in range(1, max(FREQUENCIES))
    ]
    return [Event("text", " ".join(words), n) for n, words in enumerate([*sides, *spread])]


def test_events_that_are_equally_telling_are_chosen_by_their_place_and_not_by_chance() -> None:
    # The float sum of 1/3 + 1/7 + … depends on the order of its terms, and a set has none.
    for trial in range(40):
        events = _tied(trial)
        order = _by_evidence(events, f"{events[0].text} {events[1].text}", {})
        assert order.index(1) < order.index(0), trial


def test_what_is_left_out_is_said() -> None:
    events = [Event("text", "a" * 300, 0), Event("text", "b" * 300, 1)]
    shown = choose_events(events, "", 250)
    assert list(shown) == [2]
    assert describe_missing(events, shown, task_cut=True) == (
        "1 of 2 events (300 characters), the middle of 1 long ones, the middle of the task"
    )
    whole = choose_events(events, "", 10_000)
    assert describe_missing(events, whole, task_cut=False) == ""
