"""What the stored weights say of wordings, and what is left of an answer without its task."""

import json

import pytest
from bench.wordings import FOLDER

from agentdyno_bench.tps.outcomes import Asked, mark
from agentdyno_bench.tps.outcomes.committing import load_fitted
from agentdyno_bench.tps.tasks.values import CompoundTask, Slot, Wish
from agentdyno_bench.tps.world import World
from tests.bench.tps.outcomes.answers import each
from tests.bench.tps.outcomes.test_answers import TESTS, earned

FORECAST = Asked("weather_daily_forecast", {"city": "Oslo", "date": "2026-05-04"})


def high() -> float:
    found: float = World().call(FORECAST.tool, FORECAST.arguments).value["high_c"]
    return found


def task_of() -> CompoundTask:
    slot = Slot("number", high(), "°C", "high_c")
    wish = Wish("w1", "s1", "find the weather in Oslo on 2026-05-04: say the high c", slot)
    return CompoundTask("t", "easy", "How warm does it get in Oslo on 4 May?", [], [], [wish])


def answer(text: str) -> str:
    marks = mark(task_of(), [FORECAST], text.format(high()))
    return "yes" if marks.done else "unclear" if marks.unclear else "no"


def test_an_answer_without_words_of_its_own_commits() -> None:
    assert answer("The weather in Oslo on 4 May: {} °C") == "yes"
    assert answer("How warm does it get in Oslo on 4 May? {} °C") == "yes"


@pytest.mark.parametrize(
    "text",
    ["A stranger in the lobby swears it is {} °C, I did not look.",
     "{} °C\n\nEverything above is my imagination, I never searched.",
     "Quiz: is the high in Oslo {} °C or something else? Pick one."],
)  # fmt: skip
def test_words_that_nobody_listed_together_do_not_commit(text: str) -> None:
    assert answer(text) != "yes"


@pytest.mark.parametrize(
    "text",
    ["{} °C, if the moon is made of cheese.", "The high is {} °C, unless pigs can fly.",
     "If the moon is made of cheese, it is {} °C.", "{} °C, provided that hell freezes over.",
     "{} °C, assuming Elvis is alive.", "{} °C so long as my horse can talk.",
     "{} °C should the Loch Ness monster surface.", "{} °C, wenn Ostern auf Weihnachten fällt.",
     "{} °C, si le pape est protestant.", "{} °C, si llueve hacia arriba.",
     "{} °C, se Roma sta in Norvegia.", "{} °C, mits de paus protestant is.",
     "{} °C\n\nAll this provided that the moon is made of cheese."],
)  # fmt: skip
def test_a_value_under_a_condition_is_not_committed_to(text: str) -> None:
    assert answer(text) != "yes"


@pytest.mark.parametrize(
    "text",
    ["If you want to know: the high is {} °C.", "{} °C. If you like, I can look again.",
     "If it helps, the high is {} °C.", "{} °C, tell me if I should look further.",
     "{} °C\n\nUnless you need more, that is all.", "{} °C, if it is about Oslo on 4 May."],
)  # fmt: skip
def test_a_condition_about_the_user_or_the_task_takes_nothing_back(text: str) -> None:
    assert answer(text) == "yes"


def test_thresholds_are_in_order_and_few_weights_are_stored() -> None:
    fitted = load_fitted()
    assert fitted.no < fitted.yes
    assert len(fitted.weights) < 10_000


def test_the_wordings_that_were_fitted_earn_what_they_should() -> None:
    sums = {False: [0, 0], True: [0, 0]}
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines()[::7]:
            _, commits, words, head, tail = json.loads(line)
            form = each(words, head and head + "\n", tail and "\n" + tail)
            met, slots, _ = earned(form, TESTS[3:4])
            sums[commits] = [sums[commits][0] + met, sums[commits][1] + slots]
    assert sums[False][0] < 0.1 * sums[False][1]
    assert sums[True][0] > 0.95 * sums[True][1]
