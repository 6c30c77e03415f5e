"""Who decides whether an answer is right: its tag, words, mathematics, a judge, or nobody."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from agentdyno_bench import ModelSpec
from agentdyno_bench.models.metered import open_model
from agentdyno_bench.tir.grading import Grade, grade_answer
from agentdyno_bench.tir.problems import Problem
from agentdyno_bench.tir.verifying import Verifier, verifier
from tests.labelled import from_set


@pytest.fixture(scope="module", autouse=True)
def _one_process() -> Iterator[None]:
    yield
    verifier().close()


def judge(words: str) -> Any:
    return open_model(ModelSpec("agentdyno/scripted", arguments={"script": lambda *_: words}))


def grade(expected: str, given: str | None, kind: Any = "math", judged: Any = None) -> Grade:
    answer_type = None if kind in ("math", "fact") else kind
    grading: Any = kind if answer_type is None else "typed"
    problem = Problem("1", "What?", expected, answer_type=answer_type)
    return asyncio.run(grade_answer(problem, given, grading, judged))


@from_set("bench/tir/grading", "expected", "given", "correct")
def test_formulas_are_compared_as_mathematics(expected: str, given: str, correct: bool) -> None:
    found = grade(expected, given)
    assert (found.correct, found.by) == (correct, "math-verify")


def test_an_answer_without_its_tag_is_wrong() -> None:
    assert grade("4", None) == Grade(False, "tag", "no answer between <ANSWER> and </ANSWER>")


def test_the_same_words_are_right_without_a_judge() -> None:
    assert grade("The Danube", "danube.", "fact") == Grade(True, "words")
    assert grade("C", "c", "Multiple Choice") == Grade(True, "words")


def test_words_that_differ_are_not_called_wrong_by_mathematics() -> None:
    nobody = Grade(None, "nobody", "this answer needs a judge, and there is none")
    assert grade(r"\text{Evelyn}", "Bob") == nobody
    assert grade("72", "seventy-two").correct is None


def test_facts_are_numbers_only_when_both_are() -> None:
    assert grade("79", "79.0", "fact") == Grade(True, "math-verify")
    assert grade("1989", "1990", "fact") == Grade(False, "math-verify")
    assert grade("3 May 1987", "1987", "fact").by == "nobody"


def test_the_questions_own_type_decides() -> None:
    assert grade("2315.25", "2315.250", "Float").by == "math-verify"
    assert grade("C", "D", "Multiple Choice").by == "nobody"


def test_the_judge_decides_what_is_left() -> None:
    same = grade("Mary Shelley", "M. Shelley", "fact", judge("VERDICT: SAME"))
    other = grade("Mary Shelley", "Percy Shelley", "fact", judge("Hm.\nVERDICT: DIFFERENT"))
    assert (same.correct, same.by) == (True, "judge")
    assert (other.correct, other.by) == (False, "judge")


def test_an_unclear_judge_decides_nothing() -> None:
    found = grade("Mary Shelley", "M. Shelley", "fact", judge("I would rather not say."))
    assert (found.correct, found.by) == (None, "nobody")


def test_mathematics_without_end_costs_one_answer() -> None:
    async def ask() -> list[bool | None]:
        asked = Verifier(time_seconds=1.0)
        try:
            return [await asked.equal("7", "9^{9^{9^9}}"), await asked.equal("1/2", "0.5")]
        finally:
            asked.close()

    assert asyncio.run(ask()) == [None, True]
