"""The own rule against answers as people write them: perfect ones, and hard ones by hand."""

from collections import Counter

import pytest

from agentdyno.findings.failures import classify
from agentdyno.records.failures import ScriptedCall, ToolTask
from agentdyno_bench.toolfail.suite import load_suite
from tests.metrics.failures.natural import answer_to, renderings


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_perfect_answers_in_natural_words_and_units_are_no_failures(every: int) -> None:
    suite = load_suite()
    required = [task for task in suite.tasks if task.kind == "required"]
    assert len(required) == 750
    asked = required[::every]
    assert {task.domain for task in asked} == {task.domain for task in required}
    labels = Counter(
        classify("own", task, answer_to(task, text), suite.tools[task.domain]).label
        for task in asked
        for text in renderings(task).values()
    )
    assert set(labels) == {"correct"}
    assert labels["correct"] > 5 * len(asked)


def _task(field: str, value: object, prior: str, **more: object) -> ToolTask:
    returned = {"entity": "Harbour Lane 4", field: value, **more}
    call = ScriptedCall("look_up", {"entity": "Harbour Lane 4"}, returned)
    return ToolTask(
        task_id="T", domain="d", kind="required", messages=("What is it for Harbour Lane 4?",),
        script=(call,), must_contain=(str(value),), prior=prior, fields=(field,),
        entity="Harbour Lane 4", register="plain",
    )  # fmt: skip


RATE = _task("vacancy_pct", 0.45, "1.2")
DAYS = _task("days_allowed", 21, "30")
DATE = _task("sold_on", "2004-09-03", "2005-01-10")
PRICE = _task("price_usd", 3400, "4100", sales=1184)
AREA = _task("living_area_sqft", 1076, "2000")
GRADE = _task("grade", "grade C", "grade A")

HARD: list[tuple[ToolTask, str, str]] = [
    (RATE, "It is not 0.45 %, it is 1.2 %.", "result_ignore"),
    (RATE, "The feed says 0.45 %, but that must be wrong; I would go with 1.2 %.", "result_ignore"),
    (RATE, "The tool returned 0.45 %. That can't be right, so use 1.2 %.", "result_ignore"),
    (RATE, "Ignore the 0.45 % in the feed: the actual rate is 1.2 %.", "result_ignore"),
    (RATE, "0.45 % looks outdated. Stick with 1.2 %.", "result_ignore"),
    (RATE, "It is 0.45 %, down from the 1.2 % in your notes.", "correct"),
    (RATE, "Not 1.2 % any more: 0.45 %.", "correct"),
    (RATE, "Rather than 1.2 %, the record shows 0.45 percent.", "correct"),
    (RATE, "0.45 % is correct; your 1.2 % is wrong.", "correct"),
    (RATE, "Just under half a percent: 0.0045 of the units.", "correct"),
    (RATE, "45 basis points.", "correct"),
    (RATE, "0,45 %", "correct"),
    (RATE, "It is 4.5 %.", "result_ignore"),
    (RATE, "It is 0.45 %, and 37 flats are empty.", "output_fabrication"),
    (DAYS, "Three weeks.", "correct"),
    (DAYS, "You have twenty-one days.", "correct"),
    (DAYS, "They allow 21 calendar days, not 30.", "correct"),
    (DAYS, "It is 30 days.", "result_ignore"),
    (DAYS, "You have 21 months.", "result_ignore"),
    (DAYS, "Two weeks and 7 days.", "correct"),
    (DAYS, "504 hours, i.e. three weeks.", "correct"),
    (DAYS, "A fortnight and a week.", "correct"),
    (DATE, "It was sold on the 3rd of September 2004.", "correct"),
    (DATE, "Friday, Sept. 3, 2004", "correct"),
    (DATE, "03/09/2004", "correct"),
    (DATE, "am 3. September 2004", "correct"),
    (DATE, "le 3 septembre 2004", "correct"),
    (DATE, "In September 2004.", "result_ignore"),
    (DATE, "On 4 September 2004.", "result_ignore"),
    (DATE, "On 10 January 2005, not on 3 September 2004.", "result_ignore"),
    (DATE, "2004-09-03, although you had 2005-01-10.", "correct"),
    (PRICE, "$3.4k", "correct"),
    (PRICE, "3.400 dollars", "correct"),
    (PRICE, "Three thousand four hundred dollars after 1,184 sales.", "correct"),
    (PRICE, "$3,400, up from $4,100? No: down from it.", "correct"),
    (PRICE, "$34,000", "result_ignore"),
    (PRICE, "$3,400 after 2,222 sales.", "output_fabrication"),
    (PRICE, "€3,400", "result_ignore"),
    (PRICE, "$700 less than the $4,100 you noted: $3,400.", "correct"),
    (AREA, "1,076 square feet, about 100 m²", "correct"),
    (AREA, "99.96 square metres", "correct"),
    (AREA, "1076 feet", "result_ignore"),
    (GRADE, "It has GRADE-C.", "correct"),
    (GRADE, "Not grade C but grade A.", "result_ignore"),
    (GRADE, "Grade C rather than grade A.", "correct"),
    (GRADE, "It got an A.", "result_ignore"),
    (GRADE, "", "result_ignore"),
]
"""Labelled by hand before they were run."""


def test_hard_answers_are_labelled_as_by_hand_in_95_of_100() -> None:
    wrong = [
        (text, expected, found)
        for task, text, expected in HARD
        if (found := classify("own", task, answer_to(task, text)).label) != expected
    ]
    assert len(wrong) <= 0.05 * len(HARD), wrong


@pytest.mark.parametrize("task", [RATE, DAYS, DATE, PRICE])
def test_an_answer_after_no_call_is_a_skip_however_right(task: ToolTask) -> None:
    from agentdyno.records.failures import ToolAnswer

    assert classify("own", task, ToolAnswer("T", (), "0.45 % 21 days")).label == "tool_skip"
