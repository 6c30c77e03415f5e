"""A benchmark under several tool suites; patterns and calibrations of a ledger."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.servings import Servings
from agentdyno.records import InputError
from agentdyno_bench.ablatable import FactsBench
from agentdyno_bench.facts import DISTRACTORS, TOOLS, Progress, value
from agentdyno_bench.findings.utility.rollouts import SignTest
from agentdyno_bench.pipelines.ablate import AblateOptions, ablate
from agentdyno_bench.pipelines.rollout import roll_out
from agentdyno_bench.pipelines.rollout.inspect_runs import find_benches
from agentdyno_bench.studies.ablation.results import Ablation
from agentdyno_bench.studies.ablation.variants import Variant, parse_variant, suite_of
from agentdyno_depth.pipelines import calibrate
from agentdyno_depth.pipelines.calibrate import CalibrateOptions, run_calibration
from tests.labelled import from_set

TASKS = 50
LEAN = "lean:-get_gossip,-query_rumours"


def by_rollouts(ledger: Path) -> str:
    roll_out(ledger, find_benches(), SignTest(most=128, smallest=0.1))
    return "rollouts"


@pytest.fixture(scope="module")
def ablation(tmp_path_factory: pytest.TempPathFactory) -> Ablation:
    out = tmp_path_factory.mktemp("ablation")
    variants = (parse_variant("default"), parse_variant(LEAN))
    return ablate(FactsBench(TASKS, seed=0), AblateOptions(variants, out), by_rollouts)


def test_without_the_useless_tools_eta_rises_and_accuracy_stays(ablation: Ablation) -> None:
    pair = ablation.pairs[0]
    effects = {metric.metric: metric for metric in pair.metrics}
    eta, accuracy, pte = effects["eta"], effects["accuracy"], effects["pte"]
    assert eta.low > 0
    assert eta.effect > 0.1
    assert eta.p_holm < 0.01
    assert accuracy.low < 0 < accuracy.high
    assert pte.high < 1
    # The truth: removing what misleads helps a little.
    lean = tuple(tool for tool in TOOLS if tool not in DISTRACTORS)
    assert accuracy.low < value(Progress(), lean) - value(Progress()) < accuracy.high


def test_the_table_has_the_papers_columns(ablation: Ablation) -> None:
    default, lean = ablation.variants
    assert (default.variant, default.passed + default.failed) == ("default", TASKS)
    assert default.accuracy.value == pytest.approx(default.passed / TASKS)
    assert (len(default.tools), len(lean.tools)) == (5, 3)
    assert default.calls > lean.calls
    assert lean.pooled_eta.value == pytest.approx(lean.useful_calls / lean.calls)
    assert lean.mean_eta.value != lean.pooled_eta.value
    assert ablation.judged_by == "rollouts"


def test_the_same_tasks_are_paired(ablation: Ablation) -> None:
    pair = ablation.pairs[0]
    assert (pair.first, pair.second) == ("default", "lean")
    assert all(metric.n == TASKS for metric in pair.metrics if metric.metric != "usd")
    solved = {row.variant: row.passed for row in ablation.variants}
    assert pair.only_second - pair.only_first == solved["lean"] - solved["default"]


def test_without_a_judge_eta_is_unknown(tmp_path: Path) -> None:
    variants = (Variant("default"), Variant("lean", without=("get_*",)))
    found = ablate(FactsBench(4), AblateOptions(variants, tmp_path))
    assert [row.mean_eta for row in found.variants] == [None, None]
    assert "eta" not in {metric.metric for metric in found.pairs[0].metrics}


@from_set("pipelines/ablate", "text", "suite")
def test_variants_are_read_as_written(text: str, suite: tuple[str, ...]) -> None:
    assert suite_of(parse_variant(text), ("bash", "mcp_a", "mcp_b")) == suite


@from_set("pipelines/ablate", "text", "said")
def test_a_wrong_variant_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_variant(text)


def test_a_glob_that_fits_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="no tool fits 'x_\\*'"):
        suite_of(parse_variant("a:-x_*"), ("bash",))


def test_two_variants_of_one_name_are_refused(tmp_path: Path) -> None:
    options = AblateOptions((Variant("a"), Variant("a")), tmp_path)
    with pytest.raises(InputError, match="different names"):
        ablate(FactsBench(1), options)


def test_the_world_needs_a_tool_that_finds(tmp_path: Path) -> None:
    options = AblateOptions((Variant("a", only=("get_gossip",)),), tmp_path)
    with pytest.raises(InputError, match="to stay"):
        ablate(FactsBench(1), options)


def turns(*models: str, each: int = 60, timed: bool = True) -> pl.DataFrame:
    chance, many = np.random.default_rng(1), each * len(models)
    context, decode = chance.integers(500, 9000, many), chance.integers(5, 300, many)
    return pl.DataFrame(
        {
            "trajectory_id": [f"t{place // 5}" for place in range(many)],
            "model": [model for model in models for _ in range(each)],
            "context_tokens": context,
            "cached_tokens": [None] * many,
            "decode_tokens": decode,
            "latency_seconds": 0.5 + 3e-5 * context + 0.01 * decode if timed else [None] * many,
            "latency_valid": [None] * many,
        },
        schema_overrides={"latency_seconds": pl.Float64, "latency_valid": pl.Boolean,
                          "cached_tokens": pl.Int64},
    )  # fmt: skip


@pytest.fixture
def ledger_of(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def use(frame: pl.DataFrame) -> None:
        class Held:
            def __init__(self, path: Path) -> None:
                pass

            def read(self, table: str) -> pl.DataFrame:
                return frame

        monkeypatch.setattr(calibrate, "Ledger", Held)

    return use


def test_the_only_model_is_fitted_and_a_proxy_is_said(ledger_of, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    ledger_of(turns("gpt-4.1"))
    told: list[str] = []
    found = run_calibration(
        CalibrateOptions(ledger=Path("led")), tmp_path / "p.toml", report=told.append
    )
    assert (found.bursts, found.found.model.seconds[0]) == (60, pytest.approx(0.01, rel=0.02))
    # Waiting at an unknown load is no GPU-seconds: the profile keeps it apart, and its costs are
    # those of the data sheet.
    written = resolve_hardware(str(tmp_path / "p.toml"))
    assert [waited.error for waited in written.waiting] == [pytest.approx(found.found.error)]
    assert Servings(str(tmp_path / "p.toml")).of("gpt-4.1").source == "theory"
    assert told[0].startswith("architecture by proxy")


@pytest.mark.parametrize(
    ("frame", "model", "said"),
    [
        (turns("a", "b"), "smollm2", r"expected --model.*a \(60\), b \(60\)"),
        (turns("a"), "b", r"expected latencies of b, found: a \(60\)"),
        (turns("a", timed=False), "a", "expected turns with a recorded latency, found none"),
        (turns("a", each=10), "a", "needs 30 turns"),
    ],
)
def test_what_a_ledger_lacks_is_said(  # type: ignore[no-untyped-def]
    ledger_of, tmp_path: Path, frame: pl.DataFrame, model: str, said: str
) -> None:
    ledger_of(frame)
    with pytest.raises(InputError, match=said):
        run_calibration(CalibrateOptions(ledger=Path("led"), model=model), tmp_path / "p.toml")
    assert not (tmp_path / "p.toml").exists()
