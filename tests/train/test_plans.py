"""Reference plans as conversations: lines of an answer, and what is written before a row is
chosen."""

import random
from typing import Any

from msgspec.structs import replace

from agentdyno_bench.tps.tasks.dataset import load_bundled, task_by_id
from agentdyno_bench.tps.tasks.execution import levels_of
from agentdyno_bench.tps.tasks.values import CompoundTask, Slot, StateCheck, Subtask, Wish
from agentdyno_depth.engines.dialect import read_turn
from agentdyno_train.answer_lines import answer_line, drop_repeated, subject_of, weigh_rows
from agentdyno_train.environment import Environment
from agentdyno_train.plans import answer_text, conversation, spoil


def needed(task_id: str) -> list[str]:
    return list(dict.fromkeys(step.tool for step in task_by_id(task_id).subtasks))


def test_a_plan_speaks_once_for_each_level_and_answers() -> None:
    task = task_by_id("easy-001")
    found = conversation(task, needed("easy-001"))
    said = [found.messages[place].text for place in found.learnt]
    assert len(said) == len(levels_of(task)) + 1
    assert [len(read_turn(text).calls) for text in said] == [2, 1, 0]
    assert [m.role for m in found.messages[1:]] == ["user", "assistant"] * 3


def test_saying_what_a_plan_says_solves_the_task() -> None:
    for task in load_bundled("hard").tasks[:8]:
        found = conversation(task, needed(task.task_id))
        environment = Environment(task, tools=needed(task.task_id))
        for place in found.learnt:
            environment.step(found.messages[place].text)
        assert environment.score().marks.solved


def test_a_slip_is_refused_made_good_and_not_learnt() -> None:
    slipped = 0
    for task in load_bundled("train").tasks[:20]:
        names = needed(task.task_id)
        found = conversation(task, names, slip=random.Random(task.task_id))
        if found is None:  # Marked too strictly; the test below says for how many.
            continue
        assert not set(found.slips) & set(found.learnt)
        for place in found.slips:
            slipped += 1
            assert '"error"' in found.messages[place + 1].text
    assert slipped > 5


def test_nearly_every_reference_plan_can_be_taught() -> None:
    tasks = load_bundled("train").tasks[:40]
    taught = [conversation(task, needed(task.task_id)) for task in tasks]
    assert sum(each is not None for each in taught) >= 38


def test_a_plan_whose_tools_are_not_offered_is_no_lesson() -> None:
    assert conversation(task_by_id("easy-001"), ["mail_find_contact"]) is None


def test_every_way_to_spoil_arguments_is_refused() -> None:
    given = {"city": "Lisbon", "date": "2026-04-14"}
    tool = "weather_air_quality"
    for seed in range(12):
        bad = spoil(given, tool, random.Random(seed))
        assert bad not in (None, given)
        environment = Environment(task_by_id("easy-001"))
        assert environment.act([(tool, bad)]).errors != [None]
    assert spoil({}, "mail_list_inbox", random.Random(1)) is None


def test_a_line_names_the_subject_the_fields_and_the_values() -> None:
    said = [("price_usd", 24.1), ("change percent", -0.98)]
    assert answer_line("Corvid Systems", said) == (
        "Corvid Systems: price usd 24.1, change percent -0.98"
    )
    assert answer_line("", [("free", True), ("bookings", [])]) == "free true, bookings none"
    assert answer_line("Grace Okafor", []) == "Grace Okafor: done"
    assert answer_line("", []) == "Done."


def test_a_subject_is_the_first_three_names_or_figures_without_any() -> None:
    reference = {"$from": "s1", "path": "symbol"}
    assert subject_of(["Oslo", 3, ["Rome", "Oslo"], reference, "x" * 60, "Bergen", "Lyon"]) == (
        "Oslo, Rome, Bergen"
    )
    assert subject_of([568, 307.2, None]) == "568, 307.2"
    assert subject_of([reference]) == ""


def step(number: int, tool: str, arguments: dict[str, Any], needs: list[str]) -> Subtask:
    return Subtask(
        f"s{number}", "an inner name", tool, arguments, needs, [tool], [], [], [], None, 1
    )


def test_a_scene_answers_under_names_of_its_prompt_and_fields_of_its_results() -> None:
    symbol = {"$from": "s1", "list": "matches", "take": "only", "field": "symbol"}
    bill = {"$from": "s3", "list": "bills", "take": "only", "where": [["for", "=", "water"]]}
    steps = [
        step(1, "finance_find_symbol", {"company": "Fjordal Shipping"}, []),
        step(2, "finance_company_profile", {"symbol": symbol}, ["s1"]),
        step(3, "finance_open_bills", {}, []),
        step(4, "finance_pay_bill", {"bill": bill, "account": "savings"}, ["s3"]),
    ]
    steps[3] = replace(steps[3], state=StateCheck("finance", "bills", {"status": "paid"}))
    wishes = [
        Wish("w1", "s2", "", Slot("number", 64201, field="employees")),
        Wish("w2", "s2", "", Slot("number", 1979, field="founded")),
    ]
    task = CompoundTask("train-1", "train", "", [], steps, wishes)
    assert answer_text(task) == (
        "Fjordal Shipping: employees 64201, founded 1979\nwater, savings: done"
    )


def test_a_task_without_anything_to_say_is_done() -> None:
    task = CompoundTask("train-1", "train", "", [], [step(1, "mail_list_inbox", {}, [])])
    assert answer_text(task) == "Done."


TRACKS = [("Corner", 281), ("Window", 245), ("Ashes", 197), ("River", 392)]
RESULTS: dict[str, Any] = {
    "s1": {"tracks": [{"track": name, "seconds": length} for name, length in TRACKS]},
    "s2": {
        "shows": [
            {"cinema": "Arc", "price": 7.5, "seats": 0},
            {"cinema": "Rialto", "price": 9.0, "seats": 4},
            {"cinema": "Lumen", "price": 8.25, "seats": 9},
        ]
    },
}


def at(step: str, rows: str, take: str, by: str, field: str, **more: Any) -> dict[str, Any]:
    return {"$from": step, "list": rows, "take": take, "by": by, "field": field, **more}


def test_every_figure_stands_there_and_the_last_name_is_the_choice() -> None:
    lines = weigh_rows("Lights", [at("s1", "tracks", "min", "seconds", "track")], RESULTS)
    assert lines == ["Lights, least seconds of tracks: 281 Corner, 245 Window, 197 Ashes, 392"]
    lines = weigh_rows("", [at("s1", "tracks", "max", "seconds", "track")], RESULTS)
    assert lines == ["most seconds of tracks: 281 Corner, 245, 197, 392 River"]


def test_rows_that_do_not_count_are_a_dash() -> None:
    cheap = at("s2", "shows", "min", "price", "cinema", where=[["seats", ">", 0]])
    (line,) = weigh_rows("Static", [cheap], RESULTS)
    assert line == "Static, least price of shows, seats > 0: -, 9.0 Rialto, 8.25 Lumen"


def test_what_is_wanted_of_one_row_stands_in_one_line() -> None:
    both = [at("s2", "shows", "min", "price", field) for field in ("cinema", "price", "seats")]
    assert weigh_rows("", both, RESULTS) == ["least price of shows: 7.5 Arc 0, 9.0, 8.25"]
    assert weigh_rows("", both[1:2], RESULTS) == ["least price of shows: 7.5 best, 9.0, 8.25"]


def test_only_a_choice_by_figures_is_weighed() -> None:
    plain = [
        {"$from": "s1", "path": "tracks.0.track"},
        {"$from": "s1", "list": "tracks", "take": "first", "field": "track"},
        {"$from": "s1", "list": "tracks", "take": "only", "field": "track", "where": []},
    ]
    assert weigh_rows("", plain, RESULTS) == []


def test_what_was_weighed_before_is_not_weighed_again() -> None:
    assert drop_repeated(["a", "b", "b"], ["x\na", ""]) == "b"
