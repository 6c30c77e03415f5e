"""Rollouts in a world where the true delta is known, and the money that they may spend."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.ledger.reader import Ledger
from agentdyno_bench.app.restoring import find_benches
from agentdyno_bench.shared.running.history import Usage
from agentdyno_bench.utility.facts import World, attempt, true_delta
from agentdyno_bench.utility.findings.rollouts import Counts, SignTest, look
from agentdyno_bench.utility.rollouts.continuations import Rollout
from agentdyno_bench.utility.rollouts.cuts import Cut
from agentdyno_bench.utility.rollouts.facts_runs import FactsRuns
from agentdyno_bench.utility.rollouts.money import Costs, portions
from agentdyno_bench.utility.rollouts.run import roll_out
from tests.bench.shared.judging.worlds import facts_ledger

TASKS = 24
TEST = SignTest(most=1024, smallest=0.1)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = facts_ledger(tmp_path_factory.mktemp("facts"), tasks=TASKS)
    roll_out(folder, find_benches(), TEST)
    return folder


def true_deltas() -> dict[tuple[str, int], float]:
    """By task and turn: every turn of this world makes one call."""
    return {
        (f"facts-{task}", turn): true_delta(call.before, call.after)
        for task in range(TASKS)
        for turn, call in enumerate(attempt(task, 7, World()).calls)
    }


def with_truth(ledger: Path) -> pl.DataFrame:
    tasks = Ledger(ledger).read("trajectories").select("trajectory_id", "task_id")
    rows = Ledger(ledger).read("rollouts").join(tasks, on="trajectory_id")
    truth = true_deltas()
    known = [truth[task, turn] for task, turn in rows.select("task_id", "turn").iter_rows()]
    return rows.with_columns(pl.Series("truth", known))


def test_the_sign_is_recovered_where_the_true_effect_is_above_a_tenth(ledger: Path) -> None:
    rows = with_truth(ledger)
    assert len(rows) == len(Ledger(ledger).read("calls"))
    large = rows.filter(pl.col("truth").abs() > 0.1)
    right = (
        large["label"]
        == pl.select(
            pl.when(large["truth"] > 0).then(pl.lit("positive")).otherwise(pl.lit("non_positive"))
        ).to_series()
    )
    assert len(large) > 80
    # A call without a label is not recovered.
    assert right.fill_null(False).mean() >= 0.95


def test_the_interval_holds_the_truth_and_the_estimate_is_near_it(ledger: Path) -> None:
    rows = with_truth(ledger)
    inside = (rows["low"] <= rows["truth"]) & (rows["truth"] <= rows["high"])
    assert inside.mean() >= 0.95
    assert (rows["delta"] - rows["truth"]).mean() == pytest.approx(0.0, abs=0.02)


def test_large_effects_stop_early(ledger: Path) -> None:
    rows = with_truth(ledger)
    large = rows.filter(pl.col("truth").abs() > 0.3)["continuations"].mean()
    small = rows.filter(pl.col("truth").abs().is_between(0.02, 0.1))["continuations"].mean()
    assert large < 130 < small


def test_looks_share_the_error_among_them() -> None:
    test = SignTest(most=100)
    assert test.looks() == [16, 32, 64, 100]
    counts = Counts(before=10, after=40, both=10, n=64)
    seen = look(counts, test)
    assert (seen.delta, seen.settled, seen.label) == (pytest.approx(30 / 64), True, "positive")
    # The same counts at one look only: a narrower interval.
    single = look(counts, SignTest(most=16))
    assert seen.low < single.low < single.high < seen.high


def test_pairs_that_agree_narrow_the_interval_and_it_is_worked_by_hand() -> None:
    test = SignTest(most=16, alpha=0.05)  # One look: 95 %.
    seen = look(Counts(before=10, after=14, both=10, n=20), test)
    # Wilson at z = 1.96: 10/20 -> [0.299, 0.701], 14/20 -> [0.481, 0.855].
    # phi = (10 * 6 - 0 * 4 - 20 / 2) / sqrt(14 * 6 * 10 * 10) = 50 / 91.65 = 0.5455.
    below = (0.2190**2 - 2 * 0.5455 * 0.2190 * 0.2007 + 0.2007**2) ** 0.5
    above = (0.2007**2 - 2 * 0.5455 * 0.2007 * 0.1545 + 0.1545**2) ** 0.5
    assert seen.low == pytest.approx(0.2 - below, abs=0.001)
    assert seen.high == pytest.approx(0.2 + above, abs=0.001)
    apart = look(Counts(before=10, after=14, both=7, n=20), test)
    assert apart.high - apart.low > seen.high - seen.low


def test_equal_outcomes_under_equal_seeds_settle_that_nothing_changed() -> None:
    seen = look(Counts(before=32, after=32, both=32, n=64), SignTest())
    assert (seen.settled, seen.label) == (True, "non_positive")
    # With seeds that do not pair, the same counts say little.
    seen = look(Counts(before=32, after=32, both=16, n=64), SignTest())
    assert (seen.settled, seen.label) == (False, None)


def test_a_sample_of_calls_is_the_same_in_every_run(tmp_path: Path) -> None:
    folder = facts_ledger(tmp_path, tasks=6)
    test = SignTest(most=16, smallest=0.25)
    some = roll_out(folder, find_benches(), test, sample=5)
    assert (some.calls, some.known) == (5, 0)
    again = roll_out(folder, find_benches(), test, sample=5)
    assert (again.calls, again.known) == (0, 5)
    spread = Ledger(folder).read("rollouts")["trajectory_id"].n_unique()
    assert spread >= 4


PRICES = '["pilot"]\ninput = 1\noutput = 5\nas_of = 2026-01-01\n'


class Shop(FactsRuns):
    """Every continuation is expected to cost one, and costs something else."""

    def __init__(self, price: float) -> None:
        super().__init__()
        self.price, self.sold = price, 0

    def estimate_usd(self, one: Rollout) -> float | None:
        return 1.0

    def count_spent_usd(self) -> float | None:
        return self.price * self.sold


def buy(shop: Shop, wanted: int, max_usd: float | None) -> int:
    for some in portions(shop, [Rollout("t", Cut(0, 0), n) for n in range(wanted)], max_usd):
        shop.sold += len(some)
    return shop.sold


@given(st.floats(0.1, 2.0), st.integers(1, 300), st.floats(1.0, 400.0))
def test_the_limit_holds_though_all_cost_twice_what_was_expected(
    price: float, wanted: int, max_usd: float
) -> None:
    shop = Shop(price)
    buy(shop, wanted, max_usd)
    assert shop.count_spent_usd() <= max_usd + max(0.0, price - 1)  # type: ignore[operator]


def test_money_that_is_there_is_used() -> None:
    # Twelve at one each: all but what is not enough for one more.
    assert buy(Shop(1.0), 300, 12.5) == 12
    # What is cheaper than expected leaves room for more, as far as one is expected to fit.
    assert buy(Shop(0.5), 300, 12.5) == 24
    assert buy(Shop(1.0), 300, None) == 300
    assert buy(Shop(1.0), 5, 1000.0) == 5


@pytest.fixture
def costs(tmp_path: Path) -> Costs:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    turns = {
        "trajectory_id": ["t"] * 4,
        "turn": [0, 1, 2, 3],
        "context_tokens": [2000] * 4,
        "cached_tokens": [None] * 4,
        "cache_write_tokens": [None] * 4,
        "decode_tokens": [100, 100, 100, 100],
    }

    class Table:
        def read(self, name: str) -> pl.DataFrame:
            return pl.DataFrame(turns)

    return Costs(Table(), prices)


def test_a_continuation_is_expected_to_cost_what_the_recorded_rest_did(costs: Costs) -> None:
    # The module's worked number: two turns are left, 0.002 and 0.0005 USD each.
    assert costs.estimate("t", 2, "provider/pilot") == pytest.approx(0.005)
    assert costs.estimate("t", 0, "pilot") == pytest.approx(0.01)
    assert costs.estimate("t", 2, "somebody-else") is None


def test_what_was_paid_is_the_usage_of_all_models(costs: Costs) -> None:
    used = Usage(1_000_000, 0, 0, 200_000)
    assert costs.count_paid({"provider/pilot": used}) == pytest.approx(2.0)
    assert costs.count_paid({"provider/pilot": used, "somebody-else": used}) is None
    assert costs.count_paid({}) == 0
