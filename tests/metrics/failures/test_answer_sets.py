"""The own rule on answers labelled by hand; the sets are data under `tests/data/answers`."""

from functools import cache

import pytest

from agentdyno.findings.failures import classify
from agentdyno.records.failures import FailureLabel, ToolAnswer, ToolTask
from tests.answer_sets import Score, load, names, score

WRITTEN_BEFORE = ("27", "28", "29", "30", "31")
"""The last sets, each written by somebody who had not read the rule."""


def own(task: ToolTask, answer: ToolAnswer) -> FailureLabel:
    return classify("own", task, answer)


@cache
def score_set(name: str) -> Score:
    return score(load(name), own)


def summed(chosen: list[str]) -> Score:
    scores = [score_set(name) for name in chosen]
    return Score(
        right=sum(each.right for each in scores),
        decided=sum(each.decided for each in scores),
        cases=sum(each.cases for each in scores),
        wrong=[case for each in scores for case in each.wrong],
    )


def test_the_sets_written_without_the_code_are_right_where_they_are_decided() -> None:
    found = summed(list(WRITTEN_BEFORE))
    assert found.cases == 600
    assert found.accuracy >= 0.98, found.wrong
    assert found.coverage >= 0.85


def test_all_sets_together_keep_their_figures() -> None:
    found = summed([name for name in names() if name not in WRITTEN_BEFORE])
    assert found.cases > 3900
    assert found.accuracy >= 0.94
    assert found.coverage >= 0.78


@pytest.mark.parametrize("name", names())
def test_no_set_falls_far_behind(name: str) -> None:
    found = score_set(name)
    assert found.accuracy >= 0.8
    assert found.coverage >= 0.55
