"""Two ledgers compared: pairing, effects, and what makes sides not comparable."""

import pytest

from agentdyno.pipelines.compare import CompareOptions, compare
from agentdyno.records import InputError

from .build import attempt, write_ledger

TASKS = [f"t{i}" for i in range(8)]
COSTS = [900.0, 1000, 1100, 1250, 800, 950, 1000, 1000]  # mean 1,000
ROWS = list(zip(TASKS, COSTS, strict=True))


def _side(**fields):
    return [attempt(t, c, **fields) for t, c in ROWS]


BASE = _side()
DEARER = [attempt(t, c + 100 + 10 * i) for i, (t, c) in enumerate(ROWS)]
"""By 100, 110, … 170: 135 on average over 1,000."""
OTHERS = [attempt(f"other-{t}", 2 * c) for t, c in ROWS]


def _ledgers(tmp_path, first, second, **options):
    a = write_ledger(tmp_path / "a", first)
    return a, write_ledger(tmp_path / "b", second, **options)


def _metric(found, name):
    return next(row for row in found.metrics if row.metric == name)


def test_same_tasks_are_paired_and_the_ratio_is_of_means(tmp_path):
    found = compare(*_ledgers(tmp_path, BASE, DEARER))
    row = _metric(found, "pte")
    assert (found.paired, found.pairing, row.n) == (True, "paired on 8 tasks", 8)
    assert (row.a_mean, row.effect) == (pytest.approx(1000), pytest.approx(1.135))
    assert 1.0 < row.low < 1.135 < row.high


def test_p_values_are_corrected_over_all_metrics(tmp_path):
    found = compare(*_ledgers(tmp_path, BASE, DEARER))
    row = _metric(found, "pte")
    assert len([m.p for m in found.metrics if m.p is not None]) == 9
    assert row.p_holm == pytest.approx(min(1.0, row.p * 9))  # The smallest of nine.


def test_attempts_of_a_task_are_one_cluster(tmp_path):
    first = [attempt(t, c + d) for t, c in ROWS for d in (-5, 0, 5)]
    found = compare(*_ledgers(tmp_path, first, BASE))
    assert _metric(found, "pte").n == 8
    assert (found.a.trajectories, found.a.tasks) == (24, 8)


def test_ledger_against_itself_changes_nothing(tmp_path):
    ledger = write_ledger(tmp_path / "a", BASE)
    options = CompareOptions(gates=("pte<=+0%", "accuracy>=-40pt", "accuracy>=-2pt"))
    found = compare(ledger, ledger, options)
    assert (_metric(found, "pte").effect, _metric(found, "pte").p) == (1.0, 1.0)
    assert [gate.state for gate in found.gates] == ["kept", "kept", "kept"]
    assert found.verdict.startswith("B costs exactly as much money as A; accuracy is the same (")
    assert found.gates[2].sentence == "Both sides are the same runs; kept"


def test_eight_equal_outcomes_of_other_runs_do_not_prove_that_accuracy_is_kept(tmp_path):
    found = compare(*_ledgers(tmp_path, BASE, DEARER), CompareOptions(gates=("accuracy>=-2pt",)))
    assert found.gates[0].state == "inconclusive"


@pytest.mark.parametrize(("tasks", "many"), [(5, "All 5 tasks"), (1, "The one task")])
def test_few_tasks_that_cost_the_same_are_the_same(tmp_path, tasks, many):
    gates = ("usd<=+5%", "usd:typical<=+5%", "usd<=+0.01", "usd<=-5%")
    sides = _ledgers(tmp_path, BASE[:tasks], BASE[:tasks])
    found = compare(*sides, CompareOptions(gates=gates))
    assert [gate.state for gate in found.gates] == ["kept", "kept", "kept", "broken"]
    assert found.gates[0].sentence == f"{many} cost the same in both; kept"
    assert found.verdict.startswith("B costs exactly as much money as A")


def test_a_typical_gate_is_not_moved_by_one_expensive_task(tmp_path):
    """Seven tasks at 1.1 times their cost and one at 100 times: the bill is up 13-fold, the typical
    task by 1.1^(7/8) * 100^(1/8) = 1.933."""
    second = [attempt(t, c, usd=0.011 if i else 1.0) for i, (t, c) in enumerate(ROWS)]
    found = compare(*_ledgers(tmp_path, BASE, second))
    money = _metric(found, "usd")
    assert money.effect == pytest.approx((1.0 + 7 * 0.011) / 0.08)
    assert money.typical.ratio == pytest.approx(1.1 ** (7 / 8) * 100 ** (1 / 8))


def test_a_typical_gate_says_how_many_tasks_have_no_ratio(tmp_path):
    """One task is free in B, one has no price there: six of eight have a ratio."""
    costs = [0.0, None, *(0.012 + 0.0001 * i for i in range(6))]
    second = [attempt(t, c, usd=usd) for (t, c), usd in zip(ROWS, costs, strict=True)]
    gates = CompareOptions(gates=("usd:typical<=+5%",))
    verdict = compare(*_ledgers(tmp_path, BASE, second), gates).gates[0]
    assert (verdict.state, verdict.statistic) == ("broken", "typical")
    assert (verdict.n, verdict.left_out_tasks) == (6, 2)
    assert verdict.sentence.endswith("(n=6); 2 tasks left out, zero or unknown on a side")


def test_a_task_with_one_unknown_attempt_has_no_ratio(tmp_path):
    second = [*BASE, attempt("t0", 900.0, usd=None)]
    money = _metric(compare(*_ledgers(tmp_path, BASE, second)), "usd")
    assert (money.typical.n, money.typical.left_out_tasks) == (7, 1)


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (_side(usd=0.0), "no task has an amount above zero on both sides"),
        ([attempt(t if i < 2 else f"x{i}", c) for i, (t, c) in enumerate(ROWS)], "needs pairs"),
    ],
    ids=["all free", "not paired"],
)
def test_a_typical_gate_without_any_ratio_is_refused(tmp_path, second, reason):
    sides = _ledgers(tmp_path, BASE, second)
    with pytest.raises(InputError, match=f"{reason}.*usd cannot be gated"):
        compare(*sides, CompareOptions(gates=("usd:typical<=+5%",)))


def test_a_gate_on_accuracy_of_runs_that_nobody_graded_says_so(tmp_path):
    rows = _side(correct=None)
    assert compare(*_ledgers(tmp_path, rows, rows)).metrics[0].effect is None
    with pytest.raises(InputError, match=r"no run is graded, so accuracy cannot be gated\. Grade"):
        compare(tmp_path / "a", tmp_path / "b", CompareOptions(gates=("accuracy>=-2pt",)))


def test_a_change_from_too_few_tasks_is_said_as_a_change(tmp_path):
    sides = _ledgers(tmp_path, [attempt("t", 1000.0)], [attempt("t", 400.0)])
    found = compare(*sides, CompareOptions(unit="pte"))
    # 400 is 40 % of 1,000, and 60 % less.
    assert found.verdict.startswith("PTE of B against A: -60.0 %, too few tasks to say more;")


@pytest.mark.parametrize(
    ("second", "options", "said"),
    [
        (OTHERS, {}, r"found none: A has 8 tasks \('desk/t0', 'desk/t1', …\), B"),
        (_side(benchmark="clinic"), {}, r"desk/t0.*clinic/t0"),
        ([], {}, r"b: expected trajectories, found an empty ledger"),
        (BASE, {"hardware": "h200"}, r"h100-pcie, B for h200. Pass --hardware"),
        (BASE, {"files": {"hardware": "ab"}}, r"not comparable"),
    ],
    ids=["other tasks", "another benchmark", "empty", "other hardware", "a hardware file changed"],
)
def test_sides_that_are_not_comparable_are_refused(tmp_path, second, options, said):
    with pytest.raises(InputError, match=said):
        compare(*_ledgers(tmp_path, BASE, second, **options))


def test_few_common_tasks_do_not_throw_the_others_away(tmp_path):
    second = [attempt(t if i < 2 else f"x{i}", c) for i, (t, c) in enumerate(ROWS)]
    found = compare(*_ledgers(tmp_path, BASE, second))
    assert found.pairing == "not paired: only 2 of 8 tasks are on both sides"


def test_tasks_of_one_side_are_left_out_and_said(tmp_path):
    found = compare(*_ledgers(tmp_path, BASE, [*BASE[:7], attempt("new", 1e9)]))
    assert found.pairing == "paired on 7 tasks; left out: 1 only in A, 1 only in B"
    assert _metric(found, "pte").effect == 1.0


def test_attempts_without_task_ids_cannot_be_compared(tmp_path):
    first = [attempt(None, c) for c in COSTS]
    with pytest.raises(InputError, match=r"A has no task ids, B has no task ids"):
        compare(*_ledgers(tmp_path, first, first))


def test_attempts_without_task_ids_beside_shared_tasks_are_tasks_of_their_own(tmp_path):
    first = [attempt(None, c) for c in COSTS[:3]] + [attempt("t", 1000.0)]
    assert compare(*_ledgers(tmp_path, first, first)).a.tasks == 4


@pytest.mark.parametrize("gate", ["usd<=+5%", "usd<=+0.01", "money<=0.5"])
def test_a_gate_on_money_needs_a_price_for_every_attempt(tmp_path, gate):
    second = [attempt(t, c, usd=0.01 if i else None) for i, (t, c) in enumerate(ROWS)]
    sides = _ledgers(tmp_path, BASE, second)
    with pytest.raises(InputError, match=r"in 1 of 8 attempts of B: gpt-4.1 .*--prices"):
        compare(*sides, CompareOptions(gates=(gate,)))
    assert compare(*sides).metrics  # Without such a gate the rest can still be compared.


def test_the_models_without_a_price_are_named_and_no_others(tmp_path):
    """The attempts ran on a priced model; a sub-agent of one on an unlisted one, another's names
    no model."""
    named = {"parent_id": "t#0", "model": "in-house-7b", "usd": None}
    unnamed = {"parent_id": "t#1", "model": None, "usd": None}
    second = [*BASE, attempt(None, 500.0, **named), attempt(None, 500.0, **unnamed)]
    with pytest.raises(InputError) as error:
        compare(*_ledgers(tmp_path, BASE, second), CompareOptions(gates=("usd<=+5%",)))
    assert "2 of 8 attempts of B: turns that name no model (1), in-house-7b (1)." in str(
        error.value
    )
    assert "gpt-4.1" not in str(error.value)


def test_a_limit_on_b_alone_does_not_need_the_money_of_a(tmp_path):
    sides = _ledgers(tmp_path, _side(usd=None), BASE)
    found = compare(*sides, CompareOptions(gates=("usd<=0.5",)))
    assert found.gates[0].state == "kept"


def test_sub_agents_count_with_the_attempt_that_started_them(tmp_path):
    helpers = [attempt(None, 500.0, parent_id=f"t#{i}", correct=None) for i in range(8)]
    deeper = [attempt(None, 250.0, parent_id="t#8", correct=None)]
    found = compare(*_ledgers(tmp_path, BASE, [*BASE, *helpers, *deeper]))
    assert found.b.trajectories == 8
    assert _metric(found, "pte").b_mean == pytest.approx(1000 + 500 + 250 / 8)
    assert _metric(found, "turns").b_mean == pytest.approx(6 + 3 / 8)


def test_an_unknown_cost_is_left_out_and_not_taken_as_zero(tmp_path):
    second = [attempt(t, c, usd=None if i else 0.01) for i, (t, c) in enumerate(ROWS)]
    money = _metric(compare(*_ledgers(tmp_path, BASE, second)), "usd")
    assert (money.n, money.b_mean, money.low) == (1, pytest.approx(0.01), None)


def test_a_metric_that_a_side_lacks_says_so(tmp_path):
    sides = _ledgers(tmp_path, BASE, _side(latency_seconds=None))
    assert _metric(compare(*sides), "latency_seconds").reason == "no latencies in B"
    for gate in ("latency<=+5%", "latency<=2"):
        with pytest.raises(
            InputError, match=r"no latencies in B, so latency_seconds cannot be gated"
        ):
            compare(*sides, CompareOptions(gates=(gate,)))


def test_no_calls_on_either_side_is_no_change(tmp_path):
    rows = _side(calls=0)
    row = _metric(compare(*_ledgers(tmp_path, rows, rows)), "calls")
    assert (row.a_mean, row.effect, row.low, row.high) == (0.0, 1.0, 1.0, 1.0)


def test_other_cache_assumptions_are_refused_unless_one_is_chosen(tmp_path):
    rows = [attempt(t, c, pte_evicted=c, pte_growth_evicted=c) for t, c in ROWS]
    cached = [row | {"pte": 1.0} for row in rows]
    a, b = _ledgers(tmp_path, rows, cached, cache="kept")
    with pytest.raises(InputError, match=r"PTE is not comparable.*evicted.*kept.*--cache"):
        compare(a, b)
    found = compare(a, b, CompareOptions(cache="evicted"))
    assert (_metric(found, "pte").effect, found.cache) == (1.0, "evicted")


def test_what_weakens_a_comparison_is_warned_of(tmp_path):
    own = {"gamma_source": "user", "architecture": "qwen3-32b", "token_source": "counted"}
    # Nobody gave that table on this machine, so it is not opened; its digest tells it apart.
    table = {"prices": "mine.toml", "files": {"prices": "5f2a"}}
    sides = _ledgers(tmp_path, BASE, _side(**own), count="exact", **table)
    said = "\n".join(compare(*sides).warnings)
    assert "gamma comes from proxy in A and from user in B" in said
    assert "measured as frontier-moe in A and as qwen3-32b in B" in said
    assert "reported in A and counted in B" in said
    assert "another price table" in said
    assert "--count" in said


def _on(architecture, factor=1.0, **fields):
    own = {"model": architecture, "architecture": architecture, "usd": None}
    return [attempt(t, c * factor, **own | fields) for t, c in ROWS]


def test_sides_on_several_architectures_are_compared_in_gpu_seconds(tmp_path):
    found = compare(*_ledgers(tmp_path, _on("qwen3-32b"), _on("qwen3-0.6b", tokens=2000)))
    assert found.unit == "gpu_seconds"
    for metric in ("pte", "pte_growth"):
        row = _metric(found, metric)
        assert (row.a_mean, row.b_mean, row.effect) == (None, None, None)
        assert row.reason == "2 architectures, each with a PTE of its own"
    assert _metric(found, "gpu_seconds").effect is not None
    assert "PTE" not in found.verdict
    assert "GPU-seconds" in found.verdict


def test_a_gate_on_pte_of_several_architectures_is_refused(tmp_path):
    sides = _ledgers(tmp_path, _on("qwen3-32b"), _on("qwen3-0.6b"))
    for gate in ("pte<=+5%", "pte_growth<=9000"):
        with pytest.raises(InputError, match=r"found 2 architectures.* Write 'gpu_seconds<="):
            compare(*sides, CompareOptions(gates=(gate,)))
    kept = compare(*sides, CompareOptions(gates=("gpu_seconds<=+5%",)))
    assert [gate.metric for gate in kept.gates] == ["gpu_seconds"]


def test_filters_choose_before_the_unit_is_chosen(tmp_path):
    rows = [*_on("qwen3-32b"), *_on("qwen3-0.6b", 2.0)]
    ledger = write_ledger(tmp_path / "a", rows)
    one = CompareOptions("model=qwen3-32b", "model=qwen3-32b", ("pte<=+5%",))
    found = compare(ledger, ledger, one)
    assert (found.unit, _metric(found, "pte").effect) == ("pte", 1.0)
    assert compare(ledger, ledger).unit == "gpu_seconds"


def test_a_sub_agent_on_another_architecture_is_not_added_in_pte(tmp_path):
    rows = _on("qwen3-32b")
    started = {"parent_id": "t#0", "model": "qwen3-0.6b", "architecture": "qwen3-0.6b"}
    ledger = write_ledger(tmp_path / "a", [*rows, attempt(None, 1e6, **started)])
    found = compare(ledger, ledger)
    assert (found.unit, _metric(found, "pte").a_mean) == ("gpu_seconds", None)


def test_two_settings_of_one_ledger(tmp_path):
    rows = [
        attempt(t, c * factor, variant=variant)
        for variant, factor in (("full-tools", 2.0), ("lean-tools", 1.0))
        for t, c in ROWS
    ]
    ledger = write_ledger(tmp_path / "a", rows)
    options = CompareOptions("model=gpt-4.1,variant=full*", "variant=lean-tools")
    found = compare(ledger, ledger, options)
    assert _metric(found, "pte").effect == pytest.approx(0.5)
    assert not found.warnings
    mixed = compare(ledger, ledger, CompareOptions("", "variant=lean-tools"))
    assert any("A mixes 2 settings" in line for line in mixed.warnings)


def test_a_setting_that_matches_nothing_lists_what_there_is(tmp_path):
    ledger = write_ledger(tmp_path / "a", [attempt("t", 1.0, variant="lean")])
    with pytest.raises(InputError, match=r"no trajectory matches.*model: gpt-4.1.*variant: lean"):
        compare(ledger, ledger, CompareOptions("variant=full", ""))
    with pytest.raises(InputError, match=r"--setting-b: expected KEY=VALUE.*found 'color=red'"):
        compare(ledger, ledger, CompareOptions("", "color=red"))


def test_confidence_must_be_a_share(tmp_path):
    with pytest.raises(InputError, match=r"expected a share like 0.95, found 95"):
        compare(tmp_path, tmp_path, CompareOptions(confidence=95))


def test_sides_with_prices_are_compared_in_money_unless_another_unit_is_chosen(tmp_path):
    second = [attempt(t, c, usd=0.005 + 0.0001 * i) for i, (t, c) in enumerate(ROWS)]
    sides = _ledgers(tmp_path, BASE, second)
    assert compare(*sides).verdict.startswith("B costs 46.5 % less money [")
    assert compare(*sides, CompareOptions(unit="pte")).verdict.startswith("B costs exactly as much")


def _calls(trajectory, failed, calls):
    return [
        {"trajectory_id": trajectory, "turn": i, "call": 0, "error": "no" if i < failed else None}
        for i in range(calls)
    ]


def test_calls_that_failed_are_a_share_that_can_be_gated(tmp_path):
    sides = []
    for name, failed in (("a", 1), ("b", 2)):
        rows = [attempt(f"t{i}", 1000.0, correct=bool(i % 7)) for i in range(30)]
        calls = [row for i in range(30) for row in _calls(f"t#{i}", failed + i % 2, 10)]
        sides.append(write_ledger(tmp_path / name, rows, calls=calls))
    gates = ("failed_calls<=+2pt", "failed_calls<=+15pt", "failed_calls<=50%")
    found = compare(*sides, CompareOptions(gates=gates))
    row = _metric(found, "failed_calls")
    assert (row.kind, row.a_mean, row.b_mean) == ("difference", 0.15, 0.25)
    assert [gate.state for gate in found.gates] == ["broken", "kept", "kept"]
    with pytest.raises(InputError, match=r"patterns not derived in A|patterns not derived"):
        compare(*sides, CompareOptions(gates=("malformed_calls<=+2pt",)))
