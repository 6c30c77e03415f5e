"""Gates: how they are read, worked verdicts, shares, and how often they are wrong."""

import numpy as np
import pytest

from agentdyno.records import InputError
from agentdyno.studies.comparison.gates import parse_gate
from agentdyno.studies.comparison.judging import judge_gate
from agentdyno.studies.comparison.pairing import Pairing
from agentdyno.studies.comparison.shares import paired_share_difference, unpaired_share_difference
from tests.labelled import from_set, mostly_slow
from tests.rows import differences


def _pairing(metric, a, b, paired=True):
    return Pairing({metric: a}, {metric: b}, {metric: b}, paired, "")


def _values(*values):
    return {f"t{i}": [float(value)] for i, value in enumerate(values)}


def _judge(gate, a, b, paired=True):
    parsed = parse_gate(gate)
    return judge_gate(parsed, _pairing(parsed.metric, a, b, paired), 0.95)


BASE = _values(900, 1000, 1100, 1250, 800, 950, 1000, 1000)
MORE = {t: [v[0] * f] for (t, v), f in zip(BASE.items(), np.linspace(1.2, 1.4, 8), strict=True)}


@from_set("studies/comparison/judging", "why", "gate", "a", "b", "paired", "expected")
def test_what_a_gate_decides(why, gate, a, b, paired, expected):
    found = _judge(gate, _values(*a), _values(*b), paired)
    assert differences(found, expected) == {}, why


def test_what_the_data_cannot_tell_says_how_many_more_tasks():
    found = _judge("pte<=+28%", BASE, MORE)
    assert found.state == "inconclusive"
    assert found.more_tasks_needed > 0
    assert found.sentence.startswith("cannot tell with n=8: +30.")
    assert f"Either run {found.more_tasks_needed:,} more tasks, or write pte<=+" in found.sentence
    assert found.more_tasks_low <= found.more_tasks_needed


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


@pytest.mark.parametrize("paired", mostly_slow([True, False], [True]))
@pytest.mark.parametrize("gate", mostly_slow(["pte<=+0%", "accuracy>=-0pt"], ["pte<=+0%"]))
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


DIFFERENCES = {"paired": paired_share_difference, "unpaired": unpaired_share_difference}


@from_set("studies/comparison/judging", "why", "kind", "first", "second", "expected")
def test_how_shares_differ(why, kind, first, second, expected):
    sides = (_solved(*(x for x, many in side for _ in range(many))) for side in (first, second))
    assert differences(DIFFERENCES[kind](*sides, 0.95), expected) == {}, why


EQUAL = _values(*[1] * 20)


@pytest.mark.parametrize("metric", ["accuracy", "failed_calls"])
def test_twenty_tasks_that_did_not_change_keep_a_gate_and_nineteen_do_not(metric):
    gate = parse_gate(f"{metric}>=-2pt")
    runs = _values(*range(20)), _values(*range(1, 21))

    def judge(a, b):
        a, b = {metric: a, "pte": runs[0]}, {metric: b, "pte": runs[1]}
        return judge_gate(gate, Pairing(a, b, b, True, ""), 0.95)

    found = judge(EQUAL, EQUAL)
    assert (found.state, found.low, found.high) == ("kept", 0, 0)
    assert "a change in 17 % of such tasks could still go unseen" in found.sentence
    fewer = dict(list(EQUAL.items())[:19])
    assert judge(fewer, fewer).state == "inconclusive"
    found = judge(EQUAL, EQUAL | {"t0": [0.0]})
    assert (found.state, found.value) == ("inconclusive", pytest.approx(-5))


def test_the_limit_that_an_undecided_gate_offers_is_kept():
    found = _judge("pte<=+28%", BASE, MORE)
    offered = found.sentence.rpartition("or write ")[2]
    assert _judge(offered, BASE, MORE).state == "kept"
    one_worse = _judge("accuracy>=-2pt", EQUAL, EQUAL | {"t0": [0.0]})
    offered = one_worse.sentence.rpartition("or write ")[2]
    assert _judge(offered, EQUAL, EQUAL | {"t0": [0.0]}).state == "kept"


def test_more_attempts_narrow_the_interval():
    once = paired_share_difference(_solved(*[1] * 50), _solved(*[1] * 50), 0.95)
    thrice = {task: [1.0] * 3 for task in _solved(*[1] * 50)}
    assert paired_share_difference(thrice, thrice, 0.95).high == pytest.approx(once.high / 3)


def test_unpaired_without_spread_is_bounded_by_the_number_of_tasks():
    always = {f"t{i}": [1.0, 1.0] for i in range(20)}
    found = unpaired_share_difference(always, {f"u{i}": [1.0, 1.0] for i in range(20)}, 0.95)
    assert found.value == 0
    assert found.low < -0.1 < 0.1 < found.high
