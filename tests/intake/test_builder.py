"""The builder works out which part stands in which turn's context."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.records import Trajectory, read_reported
from tests.intake.formats.conformance import context
from tests.intake.mutations import assert_sound

Step = tuple[Any, ...]
TURN: Step = ("turn",)


def built(builder: TrajectoryBuilder) -> Trajectory:
    return builder.build("f#1", "f", "test")


def follow(*steps: Step) -> tuple[Trajectory, list[Any]]:
    """What the steps build, and what each of them returned; a last dict holds named arguments."""
    builder, returned = TrajectoryBuilder(), []
    for name, *rest in steps:
        named = rest.pop() if rest and isinstance(rest[-1], dict) else {}
        returned.append(getattr(builder, name)(*rest, **named))
    return built(builder), returned


CALL, OTHER = ("call", "f", "{}", "x"), ("call", "g", "{}")
GIVEN = [("system", "s"), ("user", "u"), TURN, ("text", "a"), ("user", "v"), TURN]
HIDDEN = ("reasoning", "hm", {"resent": False, "tokens": 7})
AGAIN = [TURN, HIDDEN, ("reasoning", "ah", {"resent": False}), ("resend", 1), TURN]
COMPACTED = [("user", "old"), TURN, ("retire", [0]), ("user", "summary"), TURN]
CHANGED = [("offer", [("f", "old")]), TURN, ("offer", [("f", "new")]), TURN]


@pytest.mark.parametrize(
    ("steps", "turn", "texts"),
    [
        pytest.param(GIVEN, 0, ["s", "u"], id="what is given is in the next turn"),
        pytest.param(GIVEN, 1, ["s", "u", "a", "v"], id="and in all after it"),
        pytest.param(AGAIN, 1, ["ah"], id="reasoning that is not resent is in no context"),
        pytest.param(COMPACTED, 1, ["summary"], id="retired parts leave with the next turn"),
        pytest.param(CHANGED, 1, ["new"], id="a schema that changes is another part"),
    ],
)
def test_a_turn_has_in_its_context(steps: list[Step], turn: int, texts: list[str]) -> None:
    assert context(follow(*steps)[0], turn) == texts


FG, GH = [("f", "F"), ("g", "G")], [("g", "G"), ("h", "H")]
TWICE = [("user", "x"), TURN, ("retire", [0]), TURN, ("retire", [0]), TURN]
OFFERS = [("offer", FG), TURN, ("offer", FG), TURN, ("offer", GH), TURN]


@pytest.mark.parametrize(
    ("steps", "spans"),
    [
        pytest.param([TURN, ("text", "end")], [(None, None)], id="decoded by the last turn"),
        pytest.param(COMPACTED, [(0, 1), (1, None)], id="retired"),
        pytest.param(
            [TURN, ("user", "no"), ("retire", [0]), TURN], [(None, None)], id="retired unseen"
        ),
        pytest.param(TWICE, [(0, 1)], id="retired twice"),
        pytest.param(OFFERS, [(0, 2), (0, None), (2, None)], id="tools that are not offered again"),
    ],
)
def test_a_part_enters_and_leaves(steps: list[Step], spans: list[tuple[int, int]]) -> None:
    assert [(part.enters, part.leaves) for part in follow(*steps)[0].parts] == spans


def test_reasoning_keeps_its_size_without_its_text_in_a_context() -> None:
    part = follow(*AGAIN)[0].parts[0]
    assert (part.enters, part.tokens) == (None, 7)


def test_calls_are_numbered_within_their_turn() -> None:
    found, _ = follow(TURN, CALL, OTHER, TURN, ("call", "h", "{}"))
    places = [(call.turn, call.call, call.tool) for call in found.calls]
    assert places == [(0, 0, "f"), (0, 1, "g"), (1, 0, "h")]


@pytest.mark.parametrize(
    ("calls", "results", "answered"),
    [
        pytest.param(
            [CALL, ("call", "g", "{}", "x")], [("1", "x"), ("2", "x")], [0, 1], id="oldest first"
        ),
        pytest.param([CALL, OTHER], [("1",), ("2",), ("3",)], [1, 0, None], id="without an id"),
        pytest.param([("call", "f", "{}", "")], [("1", "made up later")], [0], id="an unknown id"),
    ],
)
def test_a_result_answers_a_waiting_call(
    calls: list[Step], results: list[Step], answered: list[int | None]
) -> None:
    found, returned = follow(TURN, *calls, *(("result", *result) for result in results))
    assert returned[-len(results) :] == answered
    by_call = {at: text for at, (text, *_) in zip(answered, results, strict=True) if at is not None}
    for at, text in by_call.items():
        result = found.calls[at].result
        assert result is not None
        assert (found.parts[result].text, found.parts[result].name) == (text, found.calls[at].tool)


def test_a_second_result_for_an_answered_call_is_its_but_changes_nothing() -> None:
    steps = (TURN, CALL, OTHER, ("result", "first", "x"), ("result", "again", "x"))
    found, returned = follow(*steps)
    again, first = found.parts[-1], found.calls[0].result
    assert returned[-1] is None
    assert (again.text, again.name, again.call) == ("again", "f", 0)
    assert first is not None
    assert found.parts[first].text == "first"
    assert found.calls[1].result is None


def test_a_result_for_no_call_is_a_part_without_one() -> None:
    found, returned = follow(("result", "stray", "x", {"name": "f"}), TURN)
    assert returned[0] is None
    assert [(part.name, part.call) for part in found.parts] == [("f", None)]


def test_a_call_can_be_answered_by_its_index() -> None:
    answer = [("call", "f", "{}"), OTHER, ("answer", 1, "second")]
    _, returned = follow(TURN, *answer, ("is_answered", 0), ("is_answered", 1), ("result", "first"))
    assert returned[-3:] == [False, True, 0]


KNOWN = {"wait_seconds": 2.5, "started_at": 1.0, "ended_at": None}
BROKEN = ("call", "f", "{oops", "x", {"error": "no JSON"})


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        pytest.param(
            [CALL, ("annotate", 0, KNOWN), ("result", "done", "x", {"ended_at": 3.5})],
            KNOWN | {"ended_at": 3.5, "executed": True},
            id="what was known before is kept",
        ),
        pytest.param(
            [BROKEN, ("result", "please fix", "x")],
            {"executed": False, "error": "no JSON", "arguments": "{oops"},
            id="what could not be run stays unexecuted",
        ),
        pytest.param(
            [CALL, ("result", "Error: 7", "x", {"error": "Error: 7"})],
            {"executed": True, "error": "Error: 7"},
            id="what failed did run",
        ),
    ],
)
def test_an_answered_call_has(steps: list[Step], expected: dict[str, Any]) -> None:
    [call] = follow(TURN, *steps)[0].calls
    assert {name: getattr(call, name) for name in expected} == expected


def test_the_latest_call_with_an_id_is_found() -> None:
    steps = (TURN, CALL, ("result", "1", "x"), TURN, ("call", "g", "{}", "x"))
    _, returned = follow(*steps, ("call_index", "x"), ("call_index", "y"))
    assert returned[-2:] == [1, None]


def test_amending_a_turn_keeps_its_other_fields() -> None:
    amend = ("amend_turn", 0, {"prefill": read_reported(5)})
    [turn] = follow(("turn", "m", {"finish": "stop"}), amend)[0].turns
    assert (turn.model, turn.finish, turn.prefill) == ("m", "stop", read_reported(5))


STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["user", "turn", "text", "call", "result"]), st.just(0)),
        st.tuples(st.just("retire"), st.integers(0, 30)),
        st.tuples(st.just("offer"), st.integers(0, 3)),
    ),
    max_size=40,
)


@given(STEPS)
def test_any_order_of_events_gives_a_sound_trajectory(steps: list[tuple[str, int]]) -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    for step, number in steps:
        if step == "user":
            builder.user("u")
        elif step == "turn":
            builder.turn()
        elif step == "text":
            builder.text("t")
        elif step == "call":
            builder.call("f", "{}", "x")
        elif step == "result":
            builder.result("r", "x")
        elif step == "retire":
            builder.retire([number % len(builder.parts)] if builder.parts else [])
        else:
            builder.offer([(name, name) for name in "abc"[:number]])
    assert_sound(built(builder))
