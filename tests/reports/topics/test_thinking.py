"""Pools and answers as topics."""

import pytest

from agentdyno.reports.topic import PlaneChart
from agentdyno_depth.records.thinking import ThinkAnswer, ThinkAnswers
from agentdyno_depth.reports.thinking import think_topics
from agentdyno_depth.studies.thinking.methods import ThinkOptions, compare_methods
from tests.studies.thinking_pools import pool, sample

DEEP_IS_RIGHT = [
    sample("7", 100, dtr=0.4),
    sample("7", 120, dtr=0.3),
    sample("9", 60, dtr=0.2),
    sample("9", 80, dtr=0.1),
    sample("9", 90, dtr=0.0),
    sample("9", 150, dtr=0.05),
]


def test_methods_stand_on_the_plane_of_accuracy_and_cost() -> None:
    found = compare_methods(pool(DEEP_IS_RIGHT, [sample("7")] * 6), ThinkOptions(n=6, trials=2))
    methods, sweeps = think_topics(found)
    (plane,) = methods.charts
    assert isinstance(plane, PlaneChart)
    places = {point.name: (point.x.value, point.y.value) for point in plane.points}
    # Cons@6 decodes 600 tokens of either problem and is right on the second alone. Think@6 keeps
    # 100, 120 and 60 (and thrice 100), and charges the other three 50 each.
    assert (places["Cons@6"], places["Think@6"]) == ((600, 0.5), ((280 + 150 + 300 + 150) / 2, 1.0))
    assert {p.name for p in plane.points if p.group == "ranked by depth"} == {"Think@6"}
    assert "Think@6 answers 100.0 %" in methods.lead
    assert "440 tokens each, 27 % less than Cons@6" in methods.lead
    assert "Lead of Think@6: +50.0 points" in methods.lead
    row = next(row for row in methods.tables[0].rows if row[0] == "Think@6")
    assert (row[1:3], row[6]) == ([0.5, "50 tokens"], pytest.approx(440 / 600))
    assert {p.group for p in sweeps.charts[0].points} == {"Cons@n", "Think@n"}  # type: ignore[union-attr]
    assert [table.title for table in sweeps.tables][-1] == "By prefix"


def test_a_lead_that_may_be_chance_is_said_to_be() -> None:
    worse = [sample("9", 100, dtr=0.9)] * 3 + [sample("7", 100, dtr=0.1)] * 4
    better = [sample("7", 100, dtr=0.9)] * 3 + [sample("9", 100, dtr=0.1)] * 4
    problems = [worse, better, better, worse, [sample("7")] * 7]
    found = compare_methods(pool(*problems), ThinkOptions(n=7, trials=2, keep=0.4))
    assert "Lead of Think@7: +0.0 points" in think_topics(found)[0].lead
    assert "may be chance" in think_topics(found)[0].lead


def test_answers_are_listed_with_what_they_cost() -> None:
    one = ThinkAnswer(
        problem_id="p", answer="<b>", correct=False, votes=2, selected=3, rejected=3,
        cost_tokens=430, generated_tokens=420,
    )  # fmt: skip
    found = ThinkAnswers(
        model="m", rank="dtr", n=6, keep=0.5, prefix=50, accuracy=0.0, cost_tokens=430,
        generated_tokens=420, answers=(one,),
    )  # fmt: skip
    (topic,) = think_topics(found)
    assert topic.tables[0].rows == [["p", "<b>", "no", 2, 3, 3, 420]]
    assert "0.0 % of 1 problem right and writes 420 tokens" in topic.lead
