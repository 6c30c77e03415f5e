"""The world to train in, also as TRL asks for it."""

import inspect
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
import transformers
from bench.scripted.ways import WAYS, next_move

from agentdyno_bench.tps.outcomes.submission import answer_of, answers_of
from agentdyno_bench.tps.tasks.dataset import load_bundled, read_tasks
from agentdyno_bench.tps.tasks.references import Results
from agentdyno_bench.tps.world.directory import World, all_tools
from agentdyno_bench.tps.world.kit.server import Outcome
from agentdyno_depth.engines.dialect import write_call, write_turn
from agentdyno_train.attempts import BROKEN, NOT_OFFERED, UNSOUND, TurnTokens
from agentdyno_train.environment import TURNS, Environment, unsound
from agentdyno_train.training_tasks import TrainingTask
from agentdyno_train.trl_environment import describe_fields, trl_environment
from tests.bench.tps.inprocess import run_agent

FRENCH_PLACE = read_tasks(Path(__file__).parents[1] / "data/planning/french_place.json").tasks[0]
"""A task of world 7: the best French place in Milan, an address."""
ODD: list[Any] = [
    float("nan"), float("inf"), -float("inf"), -1, 0, 10**30, 2**63, 1e308, 5e-324, -0.0, True,
    None, "", "\ud800", "x" * 5_000, "2026-04-31", "9999-12-31", "0001-01-01T00:00", "9**9**9",
    "((((", "1/0", [], {}, [1] * 200, {"a": {"b": 1}}, ["\udfff"], {"\ud800": 1}, b"bytes",
    object(), {1: 2},
]  # fmt: skip
ODD_TOOLS: list[Any] = ["", "_", "nope_x", "weather", "weather_", "mail_\ud800", None, 5, "x" * 900]


def test_a_task_is_solved_by_its_plan_turn_by_turn() -> None:
    task = FRENCH_PLACE
    environment = Environment(task)
    first = environment.reset()
    assert [m.role for m in first] == ["system", "user"]
    assert first[1].text == task.prompt
    results = Results()
    for turn in range(9):
        move = next_move("optimal", task, turn, results)
        if not move.calls:
            break
        written = "\n".join(write_call(c.tool, c.arguments) for c in move.calls)
        step = environment.step(written, TurnTokens(100, 20))
        assert not step.done
        assert step.errors == [None] * len(move.calls)
        made = environment.attempt().calls[-len(move.calls) :]
        results |= {c.call_id: m.result for c, m in zip(move.calls, made, strict=True)}
    assert environment.step(write_call("submit", json.loads(move.answer))).done
    scored = environment.score()
    assert scored.marks.solved
    assert (scored.misses, scored.attempt.stopped) == ([], "answered")
    assert len(scored.attempt.tokens or []) == turn


def test_scores_are_those_of_the_benchmark_for_every_way_of_working() -> None:
    for way in WAYS:
        found = load_bundled("easy")
        for task in found.tasks[:3]:
            run = run_agent(way, task, found.world_seed)
            environment = Environment(task, found.world_seed, turns=99)
            for turn in sorted({call.turn for call in run.calls}):
                environment.act([(c.tool, c.arguments) for c in run.calls if c.turn == turn])
            environment.finish(run.answer)
            assert environment.score().marks == run.marks


def test_one_submission_counts_alone_in_its_turn_and_words_are_reminded_of_it() -> None:
    task = FRENCH_PLACE
    right = answer_of(task)
    submission = write_call("submit", json.loads(right))

    def after(*turns: str) -> tuple[str, str]:
        environment = Environment(task)
        for turn in turns:
            environment.step(turn)
        return environment.attempt().answer, environment.attempt().stopped

    assert after(submission) == (right, "answered")
    assert after("It is Tuesday.") == ("", "")
    assert after("It is Tuesday.", submission) == (right, "answered")
    assert after("It is Tuesday.", "Done.") == ("", "nothing submitted")
    assert after(f"{submission}\n{submission}") == (right, "answered")
    other = write_call("submit", {})
    assert after(f"{submission}\n{other}") == ("", "nothing submitted")
    beside = f'{submission}\n{{"name": "mail_list_inbox", "arguments": {{}}}}'
    assert after(beside) == ("", "")
    assert after(beside, submission) == (right, "answered")
    assert after(f"{submission}\n{{broken") == ("", "")


def test_a_submission_against_its_schema_is_refused_and_counts_as_malformed() -> None:
    environment = Environment(FRENCH_PLACE)
    step = environment.act([("submit", {"phone": 5})])
    assert not step.done
    assert "5 is not of type" in step.messages[0].text
    assert environment.act([("submit", {"no_such_field": "x"})]).errors == [UNSOUND]
    assert environment.attempt().malformed == 2
    assert environment.attempt().calls == []
    assert environment.act([("submit", {"phone": None})]).done


def test_what_did_not_run_is_noted_and_earns_nothing() -> None:
    task = FRENCH_PLACE
    environment = Environment(task, tools=["mail_list_inbox"])
    environment.act([(step.tool, step.arguments) for step in task.subtasks])
    environment.finish(answer_of(task))
    assert [call.ran for call in environment.attempt().calls] == [False] * 3
    assert environment.score().marks.score == 0


def test_where_the_user_answers_back_the_next_fields_come_with_the_message() -> None:
    found = load_bundled("purpose")
    task = next(task for task in found.tasks if task.follow_ups)
    environment = Environment(task, found.world_seed)
    (message,) = environment.act([("submit", json.loads(answer_of(task, 0)))]).messages
    assert message.text.startswith(task.follow_ups[0])
    assert "\n\nsubmit(" in message.text
    assert environment.act([("submit", json.loads(answer_of(task, 1)))]).done
    assert environment.attempt().answers == answers_of(task)


def test_every_miss_has_its_cause() -> None:
    task = FRENCH_PLACE  # The best French place in Milan: a chain of two; an address: one.
    place, details, contact = task.subtasks
    environment = Environment(task)
    environment.finish("I do not know.")
    assert {m.cause for m in environment.score().misses} == {"uncalled"}
    environment.reset()
    environment.act([(contact.tool, contact.arguments), (place.tool, {"town": "Milan"})])
    environment.act([(details.tool, {"restaurant_id": "rome-r1"})])
    environment.finish("Done.")
    causes = {m.step: m.cause for m in environment.score().misses}
    assert causes == {contact.subtask_id: "unsaid", details.subtask_id: "wrong_arguments"}
    environment.reset()
    environment.act([(details.tool, {"restaurant_id": "nowhere"})])
    environment.finish("")
    assert {m.cause for m in environment.score().misses} == {"refused", "uncalled"}


def test_reset_forgets_everything() -> None:
    environment = Environment(FRENCH_PLACE)
    environment.act([("notes_add_task", {"title": "x"})])
    assert environment.score().attempt.calls
    environment.reset()
    assert environment.score().attempt.calls == []
    assert environment.score().marks.harms == []


def test_tools_that_are_not_offered_are_tool_errors() -> None:
    environment = Environment(FRENCH_PLACE, tools=["mail_find_contact"])
    step = environment.act([("notes_add_task", {"title": "x"}), ("evil_tool", {})])
    assert step.errors == [NOT_OFFERED, NOT_OFFERED]
    environment.finish("")
    assert environment.score().marks.harms == []  # Marks do not make the call after all.


@pytest.mark.parametrize(
    "arguments",
    [{"x": float("nan")}, {"x": "\ud800"}, {"x": [[[[[[[[[[1]]]]]]]]]]}, {"x": "y" * 30_000},
     {"x": 2**70}, {"x": [0] * 30_000}, {"x": b"1"}, {1: 1}, [], None, 5],
)  # fmt: skip
def test_arguments_that_no_service_could_read_are_tool_errors(arguments: Any) -> None:
    assert unsound(arguments) is not None
    environment = Environment(FRENCH_PLACE)
    step = environment.act([("mail_find_contact", arguments)])
    assert step.errors == [UNSOUND]
    assert "unsound_arguments" in step.messages[0].text


def test_a_service_that_breaks_is_a_tool_error_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    environment = Environment(FRENCH_PLACE)
    original = World.call

    def breaking(self: World, tool: str, arguments: Any) -> Outcome:
        outcome = original(self, tool, arguments)
        if arguments.get("title") == "half done":
            raise ZeroDivisionError("oh")
        return outcome

    monkeypatch.setattr(World, "call", breaking)
    kept, half = {"title": "kept"}, {"title": "half done"}
    step = environment.act([("notes_add_task", kept), ("notes_add_task", half)])
    assert step.errors == [None, BROKEN]
    monkeypatch.undo()
    listed = (
        environment.act([("notes_find_tasks", {"title": t}) for t in ("kept", "half")])
        .messages[0]
        .text
    )
    assert "kept" in listed
    assert "half done" not in listed
    environment.finish("")
    assert len(environment.score().marks.harms) == 1


def test_what_cannot_be_marked_is_worth_nothing_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def breaking(*_: Any) -> None:
        raise OverflowError

    environment = Environment(FRENCH_PLACE)
    monkeypatch.setattr("agentdyno_train.environment.mark", breaking)
    scored = environment.score()
    assert scored.marks.score == 0
    assert {m.reason for m in scored.misses} == {"could not be marked: OverflowError"}


def test_turns_end_and_unreadable_calls_count() -> None:
    environment = Environment(FRENCH_PLACE, turns=2)
    assert not environment.step('{"name": ').done
    last = environment.step('{"name": "mail_list_inbox", "arguments": {}}')
    assert last.done
    assert last.errors == [None]
    assert environment.attempt().malformed == 1
    assert environment.attempt().stopped == "turn limit"
    assert environment.act([("mail_list_inbox", {})]).done
    assert len(environment.attempt().calls) == 1


def test_an_answer_that_was_cut_off_is_none() -> None:
    environment = Environment(FRENCH_PLACE)
    environment.step("The address is tomas.novak@everstone.example", ended=False)
    assert environment.attempt().answer == ""
    assert environment.attempt().stopped == "token limit"


@pytest.mark.parametrize("many", [1_500, pytest.param(8_000, marks=pytest.mark.slow)])
def test_no_fuzzed_call_raises(many: int) -> None:
    rng, tools = random.Random(19), all_tools()
    known: dict[str, list[Any]] = {}
    for task in load_bundled("train").tasks[:150]:
        for subtask in task.subtasks:
            for name, value in subtask.arguments.items():
                known.setdefault(name, []).append(value)
    names, tasks, errors, made = list(tools), load_bundled("train").tasks, set[str | None](), 0
    while made < many:
        environment = Environment(
            rng.choice(tasks), rng.randrange(5), faults=rng.choice([0.0, 0.1])
        )
        for _ in range(TURNS):
            calls = [_fuzzed(rng, names, known) for _ in range(16)]
            step = environment.act(calls, ["?"] * rng.randrange(2))
            assert len(step.errors) >= 16
            errors |= set(step.errors)
            made += 16
            if step.done:
                break
        environment.finish(rng.choice(["", "\ud800", "9" * 400, "1e999 NaN 12.5.2026", None]))  # type: ignore[arg-type]
        scored = environment.score()
        assert 0 <= scored.marks.score <= 1
        assert len(scored.misses) == len(scored.marks.goals) - len(scored.marks.done)
    # It got through to the services, and was refused in many ways.
    assert {None, NOT_OFFERED, UNSOUND, "invalid_argument", "not_found", "unavailable"} <= errors


def _fuzzed(rng: random.Random, names: list[str], known: dict[str, list[Any]]) -> tuple[Any, Any]:
    if rng.random() < 0.05:
        return rng.choice(ODD_TOOLS), rng.choice([*ODD, {"city": "Rome"}])
    name, arguments = rng.choice(names), {}
    for parameter in all_tools()[name].schema.get("properties", {}):
        if rng.random() < 0.9:
            sound = known.get(parameter) and rng.random() < 0.7
            arguments[parameter] = rng.choice(known[parameter] if sound else ODD)
    if rng.random() < 0.05:
        arguments["further"] = rng.choice(ODD)
    return name, arguments


def test_what_is_thought_is_neither_called_nor_answered() -> None:
    task = FRENCH_PLACE
    environment = Environment(task)
    thought = write_call("weather_daily_forecast", {"city": "Oslo", "date": "2026-04-20"})
    step = environment.step(write_turn(thought, "It rains."))
    assert not step.done
    assert not environment.attempt().calls
    assert environment.attempt().answer == ""
    environment.reset()
    environment.step("<think>\nIt rains, I am sure of that", ended=True)
    assert environment.attempt().answer == ""


def training_task() -> TrainingTask:
    task = FRENCH_PLACE
    return TrainingTask(task, 7, list(dict.fromkeys(step.tool for step in task.subtasks)))


def tool_methods(environment: Any) -> dict[str, Any]:
    """As TRL finds them: public functions of the class but for reset and get_reward."""
    return {
        name: getattr(environment, name)
        for name, _ in inspect.getmembers(type(environment), predicate=inspect.isfunction)
        if name not in ("reset", "get_reward") and not name.startswith("_")
    }


def test_every_tool_of_the_world_has_a_schema_that_transformers_reads() -> None:
    methods = tool_methods(trl_environment(list(all_tools()))())
    assert len(methods) == len(all_tools()) + 1
    for name, method in methods.items():
        schema = transformers.utils.get_json_schema(method)["function"]
        assert schema["name"] == name
        if name in all_tools():
            wanted = all_tools()[name].schema
            assert set(schema["parameters"]["properties"]) == set(wanted.get("properties", {}))
            required = schema["parameters"].get("required", [])
            assert set(required) == set(wanted.get("required", ()))


def test_an_attempt_through_methods_is_worth_what_it_reached() -> None:
    one = training_task()
    environment = trl_environment(one.tools)()
    assert environment.get_reward() == 0
    environment.reset(lesson=msgspec.json.encode(one).decode(), prompt="x")
    tools = tool_methods(environment)
    place, _, contact = one.task.subtasks
    found = tools[place.tool](**place.arguments)
    assert "milan-r5" in found
    tools[contact.tool](**contact.arguments)
    tools["restaurants_restaurant_details"](restaurant_id="milan-r5")
    assert 0 < environment.get_reward() < 0.2
    assert "error" in tools["submit"](fields={"no_such_field": 1})
    assert tools["submit"](fields=json.loads(answer_of(one.task))) == "Submitted."
    assert "submit(day_off: str" in describe_fields(one.task)
    assert environment.get_reward() > 0.8
    assert "over" in tools[place.tool](**place.arguments)
    environment.reset(lesson=msgspec.json.encode(one).decode())
    assert environment.get_reward() == 0
