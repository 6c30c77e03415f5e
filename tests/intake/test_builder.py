"""The builder works out which part stands in which turn's context."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.records import Trajectory, read_reported
from tests.intake.mutations import assert_sound
from tests.labelled import from_set
from tests.rows import differences

Step = Sequence[Any]


def built(builder: TrajectoryBuilder) -> Trajectory:
    return builder.build("f#1", "f", "test")


def follow(*steps: Step) -> tuple[Trajectory, list[Any]]:
    """What the steps build, and what each of them returned; a last dict holds named arguments."""
    builder, returned = TrajectoryBuilder(), []
    for name, *rest in steps:
        named = rest.pop() if rest and isinstance(rest[-1], dict) else {}
        returned.append(getattr(builder, name)(*rest, **named))
    return built(builder), returned


@from_set("intake/builder", "why", "steps", "expected")
def test_what_the_steps_build(why: str, steps: list[Step], expected: dict[str, Any]) -> None:
    run, returned = follow(*steps)
    assert differences({"run": run, "returned": returned}, expected) == {}, why


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
