"""A benchmark under several tool suites; patterns and calibrations of a ledger."""

from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno_bench.app.restoring import find_benches
from agentdyno_bench.utility.ablation.ablatable import FactsBench
from agentdyno_bench.utility.ablation.pipeline import AblateOptions, ablate
from agentdyno_bench.utility.ablation.results import Ablation
from agentdyno_bench.utility.ablation.variants import Variant, parse_variant, suite_of
from agentdyno_bench.utility.facts import DISTRACTORS, TOOLS, Progress, value
from agentdyno_bench.utility.findings.rollouts import SignTest
from agentdyno_bench.utility.rollouts.run import roll_out
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


@from_set("bench/utility/ablate", "text", "suite")
def test_variants_are_read_as_written(text: str, suite: tuple[str, ...]) -> None:
    assert suite_of(parse_variant(text), ("bash", "mcp_a", "mcp_b")) == suite


@from_set("bench/utility/ablate", "text", "said")
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
