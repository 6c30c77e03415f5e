"""Who decides whether an answer is right: its tag, words, mathematics, a judge, or nobody."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from agentdyno_bench import ModelSpec
from agentdyno_bench.pte.tir.grading import Grade, grade_answer
from agentdyno_bench.pte.tir.problems import Problem
from agentdyno_bench.pte.tir.verifying import Verifier, verifier
from agentdyno_bench.shared.models.metered import open_model
from tests.labelled import from_set
from tests.rows import differences


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


@from_set("bench/pte/tir/grading", "expected", "given", "correct")
def test_formulas_are_compared_as_mathematics(expected: str, given: str, correct: bool) -> None:
    found = grade(expected, given)
    assert (found.correct, found.by) == (correct, "math-verify")


@from_set("bench/pte/tir/grading", "expected", "given", "kind", "said", "found")
def test_who_decides(
    expected: str, given: str | None, kind: str, said: str | None, found: dict[str, Any]
) -> None:
    assert differences(grade(expected, given, kind, judge(said) if said else None), found) == {}


def test_mathematics_without_end_costs_one_answer() -> None:
    async def ask() -> list[bool | None]:
        asked = Verifier(time_seconds=1.0)
        try:
            return [await asked.equal("7", "9^{9^{9^9}}"), await asked.equal("1/2", "0.5")]
        finally:
            asked.close()

    assert asyncio.run(ask()) == [None, True]
