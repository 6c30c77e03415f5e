"""The builder works out which part stands in which turn's context."""

from hypothesis import given
from hypothesis import strategies as st

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.records import Trajectory, read_reported
from tests.intake.mutations import assert_sound


def built(builder: TrajectoryBuilder) -> Trajectory:
    return builder.build("f#1", "f", "test")


def context(trajectory: Trajectory, turn: int) -> list[str]:
    return [
        part.text
        for part in trajectory.parts
        if part.enters is not None
        and part.enters <= turn
        and (part.leaves is None or part.leaves > turn)
    ]


def test_what_is_given_is_in_the_next_turn_and_all_after_it() -> None:
    builder = TrajectoryBuilder()
    builder.system("s")
    builder.user("u")
    builder.turn()
    builder.text("a")
    builder.user("v")
    builder.turn()
    found = built(builder)
    assert (context(found, 0), context(found, 1)) == (["s", "u"], ["s", "u", "a", "v"])


def test_what_the_last_turn_decoded_never_enters_a_context() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    index = builder.text("the end")
    part = built(builder).parts[index]
    assert (part.made, part.enters, part.leaves) == (0, None, None)


def test_reasoning_that_is_not_resent_enters_no_context_until_it_is() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    hidden = builder.reasoning("hm", resent=False, tokens=7)
    shown = builder.reasoning("ah", resent=False)
    builder.resend(shown)
    builder.turn()
    found = built(builder)
    assert (found.parts[hidden].enters, found.parts[hidden].tokens) == (None, 7)
    assert context(found, 1) == ["ah"]


def test_retired_parts_leave_with_the_next_turn() -> None:
    builder = TrajectoryBuilder()
    old = builder.user("old")
    builder.turn()
    builder.retire([old])
    builder.user("summary")
    builder.turn()
    found = built(builder)
    assert (found.parts[old].enters, found.parts[old].leaves) == (0, 1)
    assert context(found, 1) == ["summary"]


def test_a_part_retired_before_any_turn_saw_it_never_entered() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    index = builder.user("taken back")
    builder.retire([index])
    builder.turn()
    part = built(builder).parts[index]
    assert (part.enters, part.leaves) == (None, None)


def test_retiring_twice_keeps_the_first_time() -> None:
    builder = TrajectoryBuilder()
    index = builder.user("x")
    builder.turn()
    builder.retire([index])
    builder.turn()
    builder.retire([index])
    builder.turn()
    assert built(builder).parts[index].leaves == 1


def test_offering_other_tools_withdraws_those_not_named() -> None:
    builder = TrajectoryBuilder()
    builder.offer([("f", "F"), ("g", "G")])
    builder.turn()
    builder.offer([("f", "F"), ("g", "G")])
    builder.turn()
    builder.offer([("g", "G"), ("h", "H")])
    builder.turn()
    spans = [(part.name, part.enters, part.leaves) for part in built(builder).parts]
    assert spans == [("f", 0, 2), ("g", 0, None), ("h", 2, None)]


def test_a_schema_that_changes_under_its_name_is_another_part() -> None:
    builder = TrajectoryBuilder()
    builder.offer([("f", "old")])
    builder.turn()
    builder.offer([("f", "new")])
    builder.turn()
    assert context(built(builder), 1) == ["new"]


def test_calls_are_numbered_within_their_turn() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    builder.call("f", "{}")
    builder.call("g", "{}")
    builder.turn()
    builder.call("h", "{}")
    places = [(call.turn, call.call, call.tool) for call in built(builder).calls]
    assert places == [(0, 0, "f"), (0, 1, "g"), (1, 0, "h")]


def test_a_result_answers_the_oldest_waiting_call_with_its_id() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    builder.call("f", "{}", "x")
    builder.call("g", "{}", "x")
    assert [builder.result("1", "x"), builder.result("2", "x")] == [0, 1]
    found = built(builder)
    assert [found.parts[call.result].text for call in found.calls] == ["1", "2"]  # type: ignore[index]
    assert [found.parts[call.result].name for call in found.calls] == ["f", "g"]  # type: ignore[index]


def test_a_result_without_an_id_answers_the_oldest_call_of_any() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    builder.call("f", "{}", "x")
    builder.call("g", "{}")
    assert [builder.result("1"), builder.result("2"), builder.result("3")] == [1, 0, None]


def test_a_result_with_an_unknown_id_answers_a_call_without_one() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    builder.call("f", "{}", "")
    assert builder.result("1", "made up later") == 0


def test_a_second_result_for_an_answered_call_is_its_but_changes_nothing() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    builder.call("f", "{}", "x")
    builder.call("g", "{}")
    builder.result("first", "x")
    assert builder.result("again", "x") is None
    found = built(builder)
    again = found.parts[-1]
    assert (again.text, again.name, again.call) == ("again", "f", 0)
    assert found.parts[found.calls[0].result].text == "first"  # type: ignore[index]
    assert found.calls[1].result is None


def test_a_result_for_no_call_is_a_part_without_one() -> None:
    builder = TrajectoryBuilder()
    assert builder.result("stray", "x", name="f") is None
    builder.turn()
    assert [(part.name, part.call) for part in built(builder).parts] == [("f", None)]


def test_a_call_can_be_answered_by_its_index() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    builder.call("f", "{}")
    builder.call("g", "{}")
    builder.answer(1, "second")
    assert (builder.is_answered(0), builder.is_answered(1)) == (False, True)
    assert builder.result("first") == 0


def test_what_was_known_before_the_result_is_kept() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    builder.call("f", "{}", "x")
    builder.annotate(0, wait_seconds=2.5, started_at=1.0, ended_at=None)
    builder.result("done", "x", ended_at=3.5)
    [call] = built(builder).calls
    assert (call.wait_seconds, call.started_at, call.ended_at) == (2.5, 1.0, 3.5)


def test_a_call_that_could_not_be_run_stays_unexecuted_when_it_is_answered() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    builder.call("f", "{oops", "x", error="no JSON")
    builder.result("please fix", "x")
    [call] = built(builder).calls
    assert (call.executed, call.error, call.arguments) == (False, "no JSON", "{oops")


def test_an_error_in_the_result_does_not_mean_that_it_did_not_run() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    builder.call("f", "{}", "x")
    builder.result("Error: 7", "x", error="Error: 7")
    [call] = built(builder).calls
    assert (call.executed, call.error) == (True, "Error: 7")


def test_the_latest_call_with_an_id_is_found() -> None:
    builder = TrajectoryBuilder()
    builder.turn()
    builder.call("f", "{}", "x")
    builder.result("1", "x")
    builder.turn()
    builder.call("g", "{}", "x")
    assert (builder.call_index("x"), builder.call_index("y")) == (1, None)


def test_amending_a_turn_keeps_its_other_fields() -> None:
    builder = TrajectoryBuilder()
    builder.turn("m", finish="stop")
    builder.amend_turn(0, prefill=read_reported(5))
    [turn] = built(builder).turns
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
