"""Gates: how they are read, worked verdicts, shares, and how often they are wrong."""

import numpy as np
import pytest

from agentdyno.records import InputError
from agentdyno.studies.comparison.gates import parse_gate
from agentdyno.studies.comparison.judging import judge_gate
from agentdyno.studies.comparison.pairing import Pairing
from agentdyno.studies.comparison.shares import paired_share_difference, unpaired_share_difference
from tests.labelled import from_set


def _pairing(metric, a, b, paired=True):
    return Pairing({metric: a}, {metric: b}, {metric: b}, paired, "")


def _values(*values):
    return {f"t{i}": [float(value)] for i, value in enumerate(values)}


def _judge(gate, a, b, paired=True):
    parsed = parse_gate(gate)
    return judge_gate(parsed, _pairing(parsed.metric, a, b, paired), 0.95)


BASE = _values(900, 1000, 1100, 1250, 800, 950, 1000, 1000)
MORE = {t: [v[0] * f] for (t, v), f in zip(BASE.items(), np.linspace(1.2, 1.4, 8), strict=True)}


def test_clear_increase_breaks_the_gate():
    found = _judge("pte<=+5%", BASE, MORE)
    assert found.state == "broken"
    assert found.low > 5
    assert "is above the limit (n=8)" in found.sentence


def test_clear_increase_keeps_a_wide_gate():
    assert _judge("pte<=+60%", BASE, MORE).state == "kept"


def test_what_the_data_cannot_tell_says_how_many_more_tasks():
    found = _judge("pte<=+28%", BASE, MORE)
    assert found.state == "inconclusive"
    assert found.more_tasks_needed > 0
    assert f"cannot tell with n=8, about {found.more_tasks_needed:,} more tasks" in found.sentence
    assert "for a chance of 80%" in found.sentence
    assert found.more_tasks_low <= found.more_tasks_needed


def test_sides_not_paired_need_tasks_of_both():
    found = _judge("pte<=+28%", BASE, MORE, paired=False)
    assert found.state == "inconclusive"
    assert "both sides together" in found.sentence


def test_difference_gate_is_in_the_metric_s_own_unit():
    calls = _values(2, 3, 4, 2, 3, 4, 2, 3)
    one_more = {t: [v[0] + 1] for t, v in calls.items()}
    assert _judge("calls<=+1", calls, one_more).state == "kept"
    assert _judge("calls<=+0", calls, one_more).state == "broken"
    assert _judge("calls<=+1", calls, one_more).value == 1.0


def test_absolute_gate_looks_at_b_alone():
    assert _judge("pte<=2000", {}, BASE).state == "kept"
    assert _judge("pte<=500", {}, BASE).state == "broken"
    assert _judge("pte<=1000", {}, BASE).state == "inconclusive"


def test_absolute_accuracy_uses_wilson():
    solved = {f"t{i}": [float(i < 90)] for i in range(100)}
    found = _judge("accuracy>=80%", {}, solved)
    # Wilson, 90 of 100: [82.6, 94.5].
    assert (found.low, found.state) == (pytest.approx(82.56, abs=0.01), "kept")
    assert _judge("accuracy>=0.95", {}, solved).state == "broken"


def test_one_task_decides_nothing():
    found = _judge("pte<=+5%", _values(1000), _values(5000))
    assert found.state == "inconclusive"
    # Six tasks that all changed alike are the fewest that can be believed without an interval.
    assert found.more_tasks_needed == 5
    assert "cannot tell with n=1, at least 5 more tasks needed: " in found.sentence


def _simulate(gate, factor, rng, tasks=40, attempts=2, paired=True):
    """Log-normal costs, harder tasks dearer on both sides; accuracies that follow them."""
    hard = rng.normal(0, 0.8, tasks)
    other = hard if paired else rng.normal(0, 0.8, tasks)
    if gate.metric == "accuracy":
        chances = [1 / (1 + np.exp(h - 1)) for h in (hard, other)]
        sides = [rng.random((tasks, attempts)) < chance[:, None] for chance in chances]
    else:
        noise = rng.normal(0, 0.3, (2, tasks, attempts))
        sides = [np.exp(h[:, None] + e) for h, e in zip((hard, other), noise, strict=True)]
        sides[1] = sides[1] * factor
    a, b = ({str(i): row.astype(float).tolist() for i, row in enumerate(side)} for side in sides)
    return judge_gate(gate, _pairing(gate.metric, a, b, paired), 0.95).state


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("gate", ["pte<=+0%", "accuracy>=-0pt"])
def test_false_alarms_stay_under_five_percent_without_a_real_difference(gate, paired):
    rng = np.random.default_rng(20260407)
    states = [_simulate(parse_gate(gate), 1.0, rng, paired=paired) for _ in range(400)]
    assert states.count("broken") / 400 < 0.05
    # The limit is exactly the truth, so hardly anything can be proved the other way either.
    assert states.count("kept") / 400 < 0.05


def test_a_real_increase_of_thirty_percent_fires_mostly():
    rng = np.random.default_rng(20260408)
    states = [_simulate(parse_gate("pte<=+5%"), 1.3, rng) for _ in range(150)]
    assert states.count("broken") / 150 > 0.8
    assert states.count("kept") == 0


@from_set("studies/comparison/judging", "text", "metric", "worse", "against", "limit", "unit")
def test_gate_is_read(text, metric, worse, against, limit, unit):
    gate = parse_gate(text)
    assert (gate.metric, gate.worse, gate.against, gate.limit, gate.unit) == (
        metric, worse, against, limit, unit,
    )  # fmt: skip


@from_set("studies/comparison/judging", "text", "said")
def test_wrong_gate_is_told_what_is_wrong_with_it(text, said):
    with pytest.raises(InputError) as error:
        parse_gate(text)
    assert said in str(error.value)
    assert repr(text) in str(error.value)


def _solved(*outcomes: float) -> dict[str, list[float]]:
    return {f"t{i:03}": [outcome] for i, outcome in enumerate(outcomes)}


def test_four_losses_in_twenty_tasks_are_not_proof():
    found = paired_share_difference(_solved(*[1] * 20), _solved(*[0] * 4 + [1] * 16), 0.95)
    # centre -4/22 = -0.1818, error sqrt((6/22 - 0.03306) / 22) = 0.1044, t(21) = 2.0796.
    assert (found.value, found.low) == (pytest.approx(-0.2), pytest.approx(-0.3989, abs=1e-4))
    assert found.high == pytest.approx(0.0353, abs=1e-4)
    assert found.p > 0.05


def test_no_change_at_all_still_has_an_interval():
    found = paired_share_difference(_solved(*[1] * 50), _solved(*[1] * 50), 0.95)
    # Two added tasks of 52: error sqrt(2/52/52) = 0.0272, t(51) = 2.0076.
    assert (found.value, found.high) == (0, pytest.approx(0.0546, abs=1e-4))
    assert found.low == pytest.approx(-found.high)


def test_more_attempts_narrow_the_interval():
    once = paired_share_difference(_solved(*[1] * 50), _solved(*[1] * 50), 0.95)
    thrice = {task: [1.0] * 3 for task in _solved(*[1] * 50)}
    assert paired_share_difference(thrice, thrice, 0.95).high == pytest.approx(once.high / 3)


def test_ungraded_sides_have_no_effect():
    found = paired_share_difference({}, {}, 0.95)
    assert (found.value, found.reason) == (None, "no task is graded on both sides")


def test_unpaired_single_attempts_use_newcombe():
    # Newcombe 1998, table II (a): 56/70 against 48/80 -> 0.20 [0.0524, 0.3339].
    first = _solved(*[1] * 48 + [0] * 32)
    second = _solved(*[1] * 56 + [0] * 14)
    found = unpaired_share_difference(first, second, 0.95)
    assert (found.value, found.low) == (pytest.approx(0.2), pytest.approx(0.0524, abs=5e-5))
    assert found.high == pytest.approx(0.3339, abs=5e-5)


def test_unpaired_without_spread_is_bounded_by_the_number_of_tasks():
    always = {f"t{i}": [1.0, 1.0] for i in range(20)}
    found = unpaired_share_difference(always, {f"u{i}": [1.0, 1.0] for i in range(20)}, 0.95)
    assert found.value == 0
    assert found.low < -0.1 < 0.1 < found.high
