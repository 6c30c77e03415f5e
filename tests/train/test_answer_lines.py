"""Lines of a final answer."""

from typing import Any

from msgspec.structs import replace

from agentdyno_bench.tps.tasks.values import CompoundTask, Slot, StateCheck, Subtask, Wish
from agentdyno_train.answer_lines import answer_line, subject_of
from agentdyno_train.plans import answer_text


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
