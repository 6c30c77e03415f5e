"""Methods over a pool: answers read from texts, trials, intervals, sweeps."""

import pytest

from agentdyno.records import InputError
from agentdyno_depth.records.thinking import MethodResult, Problem, ProblemPool, Thinking
from agentdyno_depth.studies.thinking.answers import extract, find_boxes, grade_pool, grade_problem
from agentdyno_depth.studies.thinking.methods import ThinkOptions, compare_methods
from tests.labelled import from_set
from tests.studies.thinking_pools import pool, sample, ungraded

DEEP_IS_RIGHT = [
    sample("7", 100, dtr=0.4, certainty=1),
    sample("7", 120, dtr=0.3, certainty=2),
    sample("9", 60, dtr=0.2, certainty=3),
    sample("9", 80, dtr=0.1, certainty=4),
    sample("9", 90, dtr=0.0, certainty=5),
    sample("8", 150, dtr=0.05, certainty=6),
]
"""600 tokens; think keeps 100, 120, 60 (7 wins), self-certainty 80, 90, 150 (9 wins)."""

EASY = [sample("7", 100) for _ in range(6)]


def by_method(found: Thinking) -> dict[str, MethodResult]:
    return {row.method: row for row in found.methods}


def test_accuracy_and_cost_of_all_methods_on_two_problems():
    found = compare_methods(pool(DEEP_IS_RIGHT, EASY), ThinkOptions(n=6, trials=1))
    rows = by_method(found)
    assert list(rows) == ["cons", "mean", "long", "short", "self_certainty", "think"]
    assert {name: row.accuracy for name, row in rows.items()} == {
        "cons": 0.5,  # 9 has three votes of the first problem
        "mean": pytest.approx((2 / 6 + 1) / 2),
        "long": 1.0,  # 150 (8), 120 (7), 100 (7)
        "short": 0.5,  # 60, 80, 90: all 9
        "self_certainty": 0.5,
        "think": 1.0,
    }
    # Second problem: 600 tokens, kept 300 and either 3 * 50 or 3 * 100.
    assert rows["cons"].cost_tokens == rows["long"].cost_tokens == 600
    assert rows["think"].cost_tokens == (280 + 150 + 450) / 2
    assert rows["self_certainty"].cost_tokens == (320 + 150 + 450) / 2
    assert rows["short"].cost_tokens == (230 + 270 + 600) / 2
    assert (rows["think"].cost_change, rows["think"].lead) == (pytest.approx(440 / 600 - 1), 0.5)
    assert (found.pass_rate, found.answered, found.mean_tokens) == (8 / 12, 1.0, 100.0)


def test_the_same_pool_and_seed_give_the_same_numbers_and_another_seed_other_draws():
    many = pool(*[[*DEEP_IS_RIGHT[i % 6 :], *DEEP_IS_RIGHT[: i % 6]] for i in range(8)])
    options = ThinkOptions(n=3, trials=5)
    assert compare_methods(many, options) == compare_methods(many, options)
    assert compare_methods(many, options) != compare_methods(many, ThinkOptions(n=3, seed=1))


def test_trials_draw_without_replacement_so_n_of_n_never_varies():
    found = compare_methods(pool(DEEP_IS_RIGHT, EASY), ThinkOptions(n=6, trials=10))
    assert all(row.accuracy_sd == 0 for row in found.methods)
    assert any("all trials are the same" in note for note in found.notes)


def test_intervals_resample_problems_and_hold_the_estimate():
    problems = [DEEP_IS_RIGHT if i % 3 else EASY for i in range(12)]
    row = by_method(compare_methods(pool(*problems), ThinkOptions(n=4, trials=6)))["cons"]
    assert 0 <= row.accuracy_low < row.accuracy < row.accuracy_high <= 1
    assert row.lead == 0


def test_sweeps_cover_n_share_and_prefix():
    found = compare_methods(pool(DEEP_IS_RIGHT, EASY), ThinkOptions(n=6, keep=0.5, trials=2))
    got = [(row.method, row.n) for row in found.by_n]
    assert got == [("cons", 4), ("think", 4), ("cons", 6), ("think", 6)]
    assert [row.keep for row in found.by_keep] == [0.25, 0.5, 0.75]
    assert [row.prefix for row in found.by_prefix] == [50, None]
    assert found.by_prefix[1].cost_tokens == 600


def test_another_rank_becomes_a_method_of_its_own():
    options = ThinkOptions(n=6, trials=1, rank="neg_entropy")
    found = compare_methods(pool(DEEP_IS_RIGHT, EASY), options)
    assert [row.method for row in found.methods][-1] == "neg_entropy"
    assert {row.method for row in found.by_keep} == {"neg_entropy"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (ThinkOptions(n=7), "at most the pool's 6 samples"),
        (ThinkOptions(n=6, prefix=30), "scores: 50"),
    ],
)
def test_what_the_pool_cannot_answer_is_an_error(options, said):
    with pytest.raises(InputError, match=said):
        compare_methods(pool(DEEP_IS_RIGHT), options)


def test_a_pool_without_marks_is_an_error():
    with pytest.raises(InputError, match="graded"):
        compare_methods(pool([ungraded(sample("7"))]), ThinkOptions(n=1))


def test_few_wrong_problems_of_many_leave_a_usable_interval():
    wrong = [sample("9", 100)] * 6
    found = compare_methods(pool(*[EASY] * 38, wrong, wrong), ThinkOptions(n=6, trials=3))
    cons = by_method(found)["cons"]
    # Every trial of each problem agrees: 38 of 40, Wilson's interval.
    assert cons.accuracy == 0.95
    assert (cons.accuracy_low, cons.accuracy_high) == pytest.approx((0.8350, 0.9862), abs=1e-3)


MATHS = Problem("m", "?", "0.5")
CHOICE = Problem("c", "?", "B", "choice", ("one", "two", "three"))


@from_set("studies/thinking_comparison", "text", "answer")
def test_the_last_box_counts_or_what_the_answer_is_said_to_be(text, answer):
    assert extract(MATHS, text) == answer


def test_the_last_number_of_a_response_that_was_cut_off_is_no_answer():
    assert extract(MATHS, "3 + 4 = 7, and 7 + 1", ended=False) is None
    assert extract(MATHS, "The answer is 7. And 7 + 1", ended=False) == "7"


@from_set("studies/thinking_comparison", "text", "answer")
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
    got = [(each.answer, each.correct) for each in answers]
    assert got == [("B", True), ("C", False), (None, False)]


def test_graded_samples_keep_their_marks():
    marked = pool([sample("7"), sample("8")], right="8")
    assert grade_pool(marked) == marked


def test_a_hostile_answer_is_not_run():
    text = "__import__('os').system('touch /nonexistent')"
    (answer,) = grade_problem(ProblemPool(MATHS, (ungraded(sample(text)),))).samples
    assert answer.correct is False
