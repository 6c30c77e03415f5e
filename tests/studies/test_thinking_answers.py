"""What a response answers, and what equals what."""

from agentdyno_depth.records.thinking import Problem, ProblemPool
from agentdyno_depth.studies.thinking.answers import extract, find_boxes, grade_pool, grade_problem
from tests.labelled import from_set
from tests.studies.thinking_pools import pool, sample, ungraded

MATHS = Problem("m", "?", "0.5")
CHOICE = Problem("c", "?", "B", "choice", ("one", "two", "three"))


@from_set("studies/thinking_answers", "text", "answer")
def test_the_last_box_counts_or_what_the_answer_is_said_to_be(text, answer):
    assert extract(MATHS, text) == answer


def test_the_last_number_of_a_response_that_was_cut_off_is_no_answer():
    assert extract(MATHS, "3 + 4 = 7, and 7 + 1", ended=False) is None
    assert extract(MATHS, "The answer is 7. And 7 + 1", ended=False) == "7"


@from_set("studies/thinking_answers", "text", "answer")
def test_a_choice_is_a_letter_that_exists(text, answer):
    assert extract(CHOICE, text) == answer


def test_braces_may_nest_and_an_open_box_is_none():
    assert find_boxes("\\boxed{a{b}c} and \\boxed{d") == ["a{b}c"]


def test_equal_expressions_get_one_spelling_and_one_mark():
    samples = [
        ungraded(sample(text)) for text in ("\\frac{1}{2}", "0.50", "1/2", "0.51", "\\oops{", "x")
    ]
    answers = grade_problem(ProblemPool(MATHS, tuple(samples))).samples
    assert [each.answer for each in answers[:3]] == ["\\frac{1}{2}"] * 3
    assert [each.correct for each in answers] == [True, True, True, False, False, False]


def test_a_letter_is_compared_as_a_letter():
    samples = (ungraded(sample("(b)")), ungraded(sample("C")), ungraded(sample(None)))
    answers = grade_problem(ProblemPool(CHOICE, samples)).samples
    assert [(each.answer, each.correct) for each in answers] == [
        ("B", True),
        ("C", False),
        (None, False),
    ]


def test_graded_samples_keep_their_marks():
    marked = pool([sample("7"), sample("8")], right="8")
    assert grade_pool(marked) == marked


def test_a_hostile_answer_is_not_run():
    text = "__import__('os').system('touch /nonexistent')"
    (answer,) = grade_problem(ProblemPool(MATHS, (ungraded(sample(text)),))).samples
    assert answer.correct is False
