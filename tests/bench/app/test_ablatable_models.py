"""The benchmarks that a model runs, with fewer tools: scripted models that need what is taken."""

from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno_bench.app.ablatable_models import ModelSettings, tir_bench, toolfail_bench, tps_bench
from agentdyno_bench.app.restoring import find_benches
from agentdyno_bench.shared.running.options import ModelSpec
from agentdyno_bench.toolfail.tasks.lean import reduce_suite, tool_names
from agentdyno_bench.toolfail.tasks.sampling import order_evenly
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.utility.ablation.ablatable import FactsBench
from agentdyno_bench.utility.ablation.pipeline import AblateOptions, ablate
from agentdyno_bench.utility.ablation.results import Ablation
from agentdyno_bench.utility.ablation.variants import parse_variant
from agentdyno_bench.utility.findings.rollouts import SignTest
from agentdyno_bench.utility.rollouts.run import roll_out
from tests.bench.utility.rollouts.builders import TRUSTED, questions, scripted
from tests.bench.utility.rollouts.scripts import HERE


def options(out: Path, *variants: str) -> AblateOptions:
    return AblateOptions(tuple(parse_variant(text) for text in variants), out)


def by_rollouts(ledger: Path) -> str:
    # Scripts do the same each time, so that few continuations settle a sign.
    roll_out(ledger, find_benches(ledger, TRUSTED), SignTest(most=4, smallest=0.75))
    return "rollouts"


def passed(found: Ablation) -> dict[str, tuple[int, int]]:
    return {row.variant: (row.passed, row.failed) for row in found.variants}


def run_tir(out: Path, *variants: str, judged: bool = False) -> Ablation:
    asked = ModelSettings(scripted("needs_python"), out)
    data = str(questions(out.parent / "data", 8))
    bench = tir_bench(asked, ["math_500"], data, toolmaker=f"{HERE}:fresh_tools")
    return ablate(bench, options(out, *variants), by_rollouts if judged else None)


def test_without_python_the_agent_that_needs_it_solves_nothing(tmp_path: Path) -> None:
    found = run_tir(tmp_path / "out", "default", "bare:-python", judged=True)
    assert passed(found) == {"default": (8, 0), "bare": (0, 8)}
    # Wilson at eight of eight: 8 / (8 + 1.96 ** 2).
    assert found.variants[0].accuracy.low == pytest.approx(8 / 11.8415, abs=1e-4)
    assert found.variants[0].accuracy.high == 1.0
    pair = found.pairs[0]
    assert (pair.only_first, pair.only_second) == (8, 0)
    assert pair.mcnemar_p == pytest.approx(2 / 2**8)  # Exact, two-sided: all eight one way.
    accuracy = next(metric for metric in pair.metrics if metric.metric == "accuracy")
    assert (accuracy.effect, accuracy.n) == (-1.0, 8)
    # Every call was worth one, by rollouts; without calls eta does not exist.
    assert (found.variants[0].mean_eta.value, found.variants[1].mean_eta.value) == (1.0, None)


def test_what_was_run_is_not_run_again_and_another_variant_is_added(tmp_path: Path) -> None:
    run_tir(tmp_path / "out", "default")
    logs = sorted((tmp_path / "out" / "logs").rglob("*.eval"))
    found = run_tir(tmp_path / "out", "default", "bare:-python")
    later = sorted((tmp_path / "out" / "logs").rglob("*.eval"))
    assert len(logs) == 1
    assert len(later) == 2
    assert set(logs) < set(later)
    assert passed(found) == {"default": (8, 0), "bare": (0, 8)}


def test_questions_whose_tool_is_gone_cannot_be_solved(tmp_path: Path) -> None:
    suite = load_suite()
    asked = order_evenly(suite.tasks)[:20]
    gone = next(task.script[0].tool for task in asked if task.script)
    lost = sum(bool(t.script) and t.script[0].tool == gone for t in asked)
    assert 0 < lost < 20
    bench = toolfail_bench(ModelSettings(scripted("honest"), tmp_path, tasks=20))
    found = ablate(bench, options(tmp_path, "default", f"lean:-{gone}"))
    assert passed(found) == {"default": (20, 0), "lean": (20 - lost, lost)}
    assert found.pairs[0].only_first == lost
    assert [len(row.tools) for row in found.variants] == [45, 44]
    # Neither the schema of the lost tool is sent nor its line in the prompt.
    pte = next(metric for metric in found.pairs[0].metrics if metric.metric == "pte")
    assert pte.effect < 1


def test_a_reduced_suite_speaks_of_no_tool_that_is_gone() -> None:
    suite = load_suite()
    names = tool_names(suite)
    lean = reduce_suite(suite, [name for name in names if name != "patch_status"])
    assert set(tool_names(lean)) == set(names) - {"patch_status"}
    assert not any("patch_status(" in prompt for prompt in lean.prompts.values())
    assert reduce_suite(suite, names) == suite


def test_part_of_a_compound_task_is_not_a_solved_one(tmp_path: Path) -> None:
    half = ModelSpec("agentdyno/scripted", None, {"script": "bench.scripted.planning:gives_up"})
    bench = tps_bench(ModelSettings(half, tmp_path, tasks=4), selection="none", in_process=True)
    found = ablate(bench, options(tmp_path, "default"))
    assert passed(found) == {"default": (0, 4)}
    assert found.notes == []


def test_a_folder_holds_one_benchmark_and_one_model(tmp_path: Path) -> None:
    ablate(FactsBench(2), options(tmp_path, "default"))
    bench = toolfail_bench(ModelSettings(scripted("honest"), tmp_path, tasks=5))
    with pytest.raises(InputError, match=r"found facts by no model\. Choose another --out"):
        ablate(bench, options(tmp_path, "default"))
