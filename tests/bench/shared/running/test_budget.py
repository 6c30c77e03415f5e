"""What a run may spend: it holds with many requests at once, over kills and errors, and what is
finished is kept. One request here costs 12 dollars for its answer and a little for its prompt."""

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest
from bench.fake_server import FakeServer

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import InputError
from agentdyno_bench import ModelSpec, RunOptions, TaskRun, run_task
from agentdyno_bench.shared.running.budget import Budget, Line, left_after, sum_spending
from agentdyno_bench.shared.running.plans import Plan, repeat_plans, run_plans
from tests.bench.shared.running.tasks import model, recipe

# Inspect leaves the connections of its providers to the garbage collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore:unclosed:ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
pytest.importorskip("aiohttp", reason="the fake server needs aiohttp")

MODEL = "openai-api/fake/model"
OUT_RATE = 1_000_000.0
"""Dollars for a million tokens: an answer of the server has 12 tokens."""


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    yield
    gc.collect()


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    file = tmp_path / "prices.toml"
    file.write_text(f'["model"]\ninput = 1.0\noutput = {OUT_RATE}\nas_of = "2026-01-01"\n')
    return file


def run_served(
    tmp_path: Path,
    prices: Path,
    max_usd: float,
    server: FakeServer,
    tasks: int = 10,
    **changes: Any,
) -> TaskRun:
    options = RunOptions(
        out=tmp_path / "out", max_usd=max_usd, prices=prices, max_tokens=20, **changes
    )
    spec = ModelSpec(MODEL, server.address, {"api_key": "none"})
    return run_task(recipe(tasks), spec, options)


def test_the_limit_holds_with_all_requests_at_once_and_what_is_finished_is_kept(
    tmp_path: Path, prices: Path
) -> None:
    # Twenty tasks of two requests would be 480 dollars. A request may cost 20.01: after 27 (324
    # dollars) another fits into 350, after 28 none. Two tasks run at once: 350 / 8 / 20.03.
    with FakeServer(latency_seconds=0.01) as server:
        run = run_served(tmp_path, prices, 350, server, 20)
        sent = len(server.requests)
    assert sent == 28
    assert sum_spending(tmp_path / "out" / "spending.jsonl") == pytest.approx(336, abs=0.01)
    assert run.stopped is not None
    assert run.stopped.startswith("Stopped at --max-usd 350: $336.00 is spent, and ")
    assert 12 <= run.samples <= 14
    measure([tmp_path / "out" / "logs"], tmp_path / "ledger", MeasureOptions(workers=1))
    rows = pl.read_parquet(tmp_path / "ledger" / "trajectories" / "*.parquet")
    assert len(rows) == run.samples


def test_a_higher_limit_goes_on_and_pays_for_no_finished_task_again(
    tmp_path: Path, prices: Path
) -> None:
    with FakeServer() as server:
        first = run_served(tmp_path, prices, 100, server, concurrency=1)
        paid = len(server.requests)
        second = run_served(tmp_path, prices, 1000, server, concurrency=1)
    assert (first.samples, paid) == (3, 7)  # Three tasks, and half of a fourth.
    assert (second.samples, second.run_now, second.stopped) == (10, 7, None)
    assert len(server.requests) - paid == 14


def test_refused_requests_cost_nothing(tmp_path: Path, prices: Path) -> None:
    with FakeServer(reply=lambda body: {"status": 400}) as server:
        run = run_served(tmp_path, prices, 100, server, 3)
    assert (run.samples, len(run.failed), run.stopped) == (3, 3, None)
    assert sum_spending(tmp_path / "out" / "spending.jsonl") == 0


def test_requests_in_flight_at_a_kill_count_at_their_most(tmp_path: Path) -> None:
    lines = [Line("a-1", "m", most_usd=2.0), Line("a-1", "m", usd=0.5), Line("a-2", "m", 3.0)]
    file = tmp_path / "spending.jsonl"
    file.write_bytes(b"\n".join(map(msgspec.json.encode, lines)) + b'\n{"request": "a-3", "mod')
    assert sum_spending(file) == 3.5
    assert left_after(tmp_path, 10) == 6.5
    assert left_after(tmp_path, 3) == 0
    assert left_after(tmp_path, None) is None


def test_a_model_without_a_price_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    with FakeServer() as server, pytest.raises(InputError, match="has no known price"):
        run_task(
            recipe(),
            ModelSpec("openai-api/fake/nobody-knows-it", server.address, {"api_key": "none"}),
            RunOptions(out=tmp_path, max_usd=1.0),
        )
    assert server.requests == []


def test_a_model_on_this_machine_costs_nothing(tmp_path: Path) -> None:
    run = run_task(recipe(), model(), RunOptions(out=tmp_path, max_usd=0.0))
    assert (run.samples, run.failed, run.stopped) == (10, [], None)
    assert Budget(tmp_path, 5.0).left_usd == 5.0


def test_no_further_plan_is_begun_once_the_money_is_spent(tmp_path: Path, prices: Path) -> None:
    with FakeServer() as server:
        spec = ModelSpec(MODEL, server.address, {"api_key": "none"})
        options = RunOptions(
            out=tmp_path, limit=2, epochs=3, max_usd=60, prices=prices, max_tokens=20
        )
        runs = run_plans([Plan(recipe(), spec, options)])
    # Two tasks of 24 dollars, then none: 48 + 20.01 is more than 60.
    assert [(run.samples, run.stopped is None) for run in runs] == [(2, True), (0, False)]


def test_attempts_have_seeds_of_their_own() -> None:
    options = RunOptions(out=Path("out"), epochs=3, seed=5)
    plans = repeat_plans([Plan(recipe(), model(), options)])
    found = [(plan.options.attempt, plan.options.seed) for plan in plans]
    assert found == [(None, 5), (2, 6), (3, 7)]
