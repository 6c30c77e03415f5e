"""Lines of a final answer."""

from agentdyno.benchmarks.tps.tasks.dataset import bundled
from agentdyno.training.answers import answer_line, subject_of
from agentdyno.training.plans import answer_text


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


def test_a_scene_answers_under_names_that_stand_in_its_prompt_and_its_results() -> None:
    task = next(task for task in bundled("train").tasks if task.task_id == "train-126")
    assert answer_text(task) == (
        "Fjordal Shipping: employees 64201, founded 1979\n"
        "Static, Seoul, 2026-05-02: starts 2026-05-02T17:45, cinema Lumen Palace"
    )
