"""One unit over a ledger: PTE of one architecture, GPU-seconds of several.

A PTE of a 32B model takes far longer than one of a 0.6B model, so tools, settings and levers that
PTE would rank one way are ranked the other way here.
"""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from agentdyno.cost.served import TurnColumns, serve
from agentdyno.cost.servings import Servings
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.reports.json import report_fields
from agentdyno.reports.section import results_of
from agentdyno.reports.topics.sections import SECTIONS
from agentdyno.studies.catalogue import (
    describe_architecture,
    describe_hardware,
    list_architectures,
    list_hardware,
    list_measured,
)
from agentdyno.studies.cost.attribution import expensive_calls, tool_shares
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.cost.patterns import patterns
from agentdyno.studies.cost.summary import summarise
from agentdyno.studies.cost.unit import costs_of
from agentdyno.studies.levers import LeverFinder, find_levers
from agentdyno.studies.report_context import ReportContext
from agentdyno_bench.pte.studies.outcome_gaps import outcome_gaps
from agentdyno_bench.shared.benchmarks import ranks_of, study_benchmarks
from agentdyno_bench.utility.ablation.table import build_ablation
from tests.pipelines.ledger_builder import OPTIONS, LedgerRows

LARGE, SMALL = "qwen3-32b", "qwen3-0.6b"
TOKENS = {"context_tokens": 8000, "decode_tokens": 400}


def seconds(model: str, hardware: str = str(OPTIONS["hardware"]), many: int = 1) -> float:
    """What one turn takes of a server that has so many to do at once."""
    context, decode = (np.full(many, float(n)) for n in TOKENS.values())
    times = np.full(many, np.nan)
    turns = TurnColumns(np.arange(many), context, context, decode, times, times, 0 * context)
    return float(serve(Servings(hardware).of(model), turns).seconds.total.sum()) / many


def add(rows: LedgerRows, name: str, model: str, pte: float, tool: str, share: float, **fields):
    """One attempt of one turn, of whose cost a tool's result has a share and the user the rest."""
    rows.trajectory(name, pte, model=model, architecture=model, **fields)
    rows.turn(name, 0, pte, model=model, **TOKENS)
    rows.call(name, 0, tool, pte=share * pte)
    rows.part(name, "result", share * pte, part=0, name=tool, turn=0, call=0)
    return rows.part(name, "user", (1 - share) * pte, part=1)


def mixed() -> LedgerRows:
    """PTE: alpha 3,000 and beta 15,000 of 29,000. Seconds: a third of the large attempt's, and
    three quarters of the small one's."""
    rows = add(LedgerRows(), "big", LARGE, 9000.0, "alpha", 1 / 3)
    return add(rows, "tiny", SMALL, 20000.0, "beta", 3 / 4)


def test_shares_of_tools_are_of_seconds_and_rank_the_other_way_round(tmp_path: Path) -> None:
    found = summarise(Ledger(mixed().write(tmp_path)))
    large, small = seconds(LARGE), seconds(SMALL)
    assert large > 5 * small
    assert (found.unit, found.architectures) == ("gpu_seconds", 2)
    assert found.cost == found.gpu_seconds == pytest.approx(large + small)
    assert found.pte_growth is None
    by_name = {tool.tool: tool for tool in found.tools}
    assert list(by_name) == ["alpha", "beta"]
    assert by_name["alpha"].cost == by_name["alpha"].result_cost == pytest.approx(large / 3)
    assert by_name["beta"].cost == pytest.approx(3 * small / 4)
    assert by_name["alpha"].share == pytest.approx(large / 3 / (large + small))


def test_single_settings_keep_their_pte_and_stand_in_the_order_of_seconds(tmp_path: Path) -> None:
    found = summarise(Ledger(mixed().write(tmp_path)))
    got = [(row.model, row.pte_total) for row in found.settings]
    assert got == [(LARGE, 9000.0), (SMALL, 20000.0)]


def test_one_architecture_stays_in_pte(tmp_path: Path) -> None:
    rows = add(LedgerRows(), "one", LARGE, 9000.0, "alpha", 1 / 3)
    folder = add(rows, "two", LARGE, 20000.0, "beta", 3 / 4).write(tmp_path)
    found, frames = summarise(Ledger(folder)), ReportContext(ReadableLedger(folder)).frames
    assert (found.unit, found.cost, found.pte_growth) == ("pte", 29000.0, 29000.0)
    assert [(tool.tool, tool.cost) for tool in found.tools] == [
        ("beta", 15000.0),
        ("alpha", 3000.0),
    ]
    for table in (frames.trajectories, frames.turns, frames.calls, frames.parts):
        assert table["cost"].to_list() == table["pte"].to_list()
    fields = report_fields("l", results_of(ReportContext(ReadableLedger(folder)), SECTIONS))
    assert fields["results"]["calls"][0]["unit"] == "pte"


def test_attempts_without_gpu_seconds_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = mixed().trajectory("lost", 5e6, model="who", architecture=None)
    rows.turn("lost", 0, 5e6, model="who", context_tokens=None, decode_tokens=None)
    rows.part("lost", "result", 5e6, part=0, name="gamma")
    found = summarise(Ledger(rows.write(tmp_path)))
    assert (found.architectures, found.unmeasured) == (3, 1)
    assert found.cost == pytest.approx(seconds(LARGE) + seconds(SMALL))
    gamma = next(tool for tool in found.tools if tool.tool == "gamma")
    assert (gamma.cost, gamma.share) == (None, None)
    assert sum(kind.share or 0.0 for kind in found.kinds) == pytest.approx(1.0)


def test_an_unknown_architecture_beside_a_known_one_is_counted_by_its_stand_in(
    tmp_path: Path,
) -> None:
    rows = add(LedgerRows(), "big", LARGE, 9000.0, "alpha", 1 / 3)
    rows.trajectory("closed", 100.0, model="closed-9", architecture=None)
    rows.turn("closed", 0, 100.0, model="closed-9", **TOKENS)
    found = summarise(Ledger(rows.write(tmp_path)))
    assert (found.unit, found.unmeasured) == ("gpu_seconds", 0)
    assert found.cost == pytest.approx(seconds(LARGE) + seconds("closed-9"))


def test_hardware_that_is_gone_leaves_a_mixed_ledger_without_a_cost(tmp_path: Path) -> None:
    ledger = Ledger(mixed().write(tmp_path))
    ledger.manifest.options["hardware"] = "gone.toml"
    found = summarise(ledger)
    assert (found.unit, found.cost, found.unmeasured) == ("gpu_seconds", None, 2)


def test_a_part_without_any_cost_has_none_in_seconds_either(tmp_path: Path) -> None:
    rows = mixed().trajectory("free", 0.0, model=LARGE, architecture=LARGE)
    rows.turn("free", 0, 0.0, model=LARGE, context_tokens=0, decode_tokens=0)
    rows.part("free", "user", 0.0)
    ledger = Ledger(rows.write(tmp_path))
    costs = costs_of(ledger).on(ledger.read("parts"))
    assert costs.filter(costs["trajectory_id"] == "free")["cost"].to_list() == [0.0]


def test_studies_of_frames_speak_in_seconds(tmp_path: Path) -> None:
    rows = (
        mixed()
        .pattern("big", "lack_of_tool_priors", pte=3000.0)
        .pattern("tiny", "lack_of_tool_priors", pte=15000.0)
    )
    frames = rows.frames(tmp_path)
    large, small = seconds(LARGE), seconds(SMALL)
    assert [s.model for s in frames.settings] == [LARGE, SMALL]
    first, second = expensive_calls(frames)
    assert (first.tool, first.unit, first.cost) == (
        "alpha",
        "gpu_seconds",
        pytest.approx(large / 3),
    )
    assert second.share == pytest.approx(3 / 4)
    shares = {row.tool: row for row in tool_shares(frames)}
    assert shares["beta"].cost == pytest.approx(3 * small / 4)
    found = patterns(frames)
    pooled = next(rate for rate in found.rates if rate.setting is None)
    assert (found.unit, pooled.cost) == ("gpu_seconds", pytest.approx(large / 3 + 3 * small / 4))
    assert [case.trajectory_id for case in found.cases] == ["big", "tiny"]
    by_model = {r.setting.model: r for r in found.rates if r.setting}
    assert by_model[SMALL].cost == pytest.approx(3 * small / 4)
    assert by_model[SMALL].share == pytest.approx(3 / 4)


def test_a_part_of_a_turn_that_is_unknown_hides_no_other(tmp_path: Path) -> None:
    rows = mixed().turn("tiny", 1, 1.0, model=SMALL, context_tokens=None, decode_tokens=None)
    found = summarise(Ledger(rows.write(tmp_path)))
    assert (found.cost, found.unmeasured) == (pytest.approx(seconds(LARGE)), 1)


def graded(tasks: int = 8) -> LedgerRows:
    """Both solve the same; by PTE the small model is twice as dear."""
    rows = LedgerRows()
    for task in range(tasks):
        fields = {"benchmark": "b", "task_id": str(task), "correct": task > 1}
        add(rows, f"l{task}", LARGE, 9000.0 + task, "alpha", 0.5, **fields)
        add(rows, f"s{task}", SMALL, 20000.0 + task, "alpha", 0.5, **fields)
    return rows


def test_models_are_ranked_in_seconds(tmp_path: Path) -> None:
    found = study_benchmarks(ReportContext(ReadableLedger(graded().write(tmp_path))))
    assert found.unit == "gpu_seconds"
    assert ranks_of(found.places) == {SMALL: 1, LARGE: 2}


def test_failing_costs_seconds(tmp_path: Path) -> None:
    folder = graded().write(tmp_path)
    inquiry = ReportContext(ReadableLedger(folder))
    by_model = {g.setting.model: g for g in outcome_gaps(inquiry.frames) if g.setting}
    # The first two of eight at once: they wait for no prefill but their own.
    failed = seconds(LARGE, many=8)
    assert 0.5 * failed < by_model[LARGE].cost_unsolved.value < 1.5 * failed


def test_a_finder_that_adds_pte_of_several_architectures_is_not_heard(tmp_path: Path) -> None:
    lever = Lever(name="x", what="x", where=[], amount=1.0, share=0.5, certainty="at most",
                  assumption="x", sessions=1)  # fmt: skip
    finders = [LeverFinder("x", lambda inquiry: [lever])]
    assert find_levers(ReportContext(ReadableLedger(graded().write(tmp_path / "m"))), finders) == []
    one = add(LedgerRows(), "one", LARGE, 9000.0, "alpha", 1 / 3).write(tmp_path / "one")
    assert find_levers(ReportContext(ReadableLedger(one)), finders) == [lever]


def test_variants_of_several_architectures_are_compared_in_seconds(tmp_path: Path) -> None:
    rows = LedgerRows()
    for task in range(8):
        for variant, model in (("full", LARGE), ("lean", SMALL)):
            fields = {"benchmark": "b", "task_id": str(task), "correct": True, "variant": variant}
            add(rows, f"{variant}{task}", model, 9000.0 + task, "alpha", 0.5, **fields)
    ledger = ReadableLedger(rows.write(tmp_path))
    found = build_ablation("b", ledger, {"full": ("alpha",), "lean": ()}, None)
    assert found.unit == "gpu_seconds"
    got = [row.cost.value for row in found.variants]
    assert got == [pytest.approx(seconds(LARGE, many=8)), pytest.approx(seconds(SMALL, many=8))]
    [pair] = found.pairs
    cost = next(metric for metric in pair.metrics if metric.metric == "gpu_seconds")
    assert cost.effect == pytest.approx(seconds(SMALL, many=8) / seconds(LARGE, many=8), rel=0.01)
    assert "pte" not in {metric.metric for metric in pair.metrics}


def test_the_proxy_comes_last_and_names_its_members() -> None:
    *models, proxy = list_architectures()
    assert {row.gamma_source for row in models} == {"model"}
    assert (proxy.name, proxy.gamma_source) == ("frontier-moe", "proxy")
    assert "kimi-k2" in proxy.members


def test_gammas_follow_the_hardware() -> None:
    here, there = list_architectures(), list_architectures("h200")
    for one, other in zip(here, there, strict=True):
        assert other.gamma / one.gamma == pytest.approx(336.875 / 756.5)


def test_hardware_rows_scale_against_the_reference() -> None:
    rows = {row.name: row for row in list_hardware()}
    assert rows["h100-pcie"].gamma_scale == 1.0
    # Table 4 prints 0.18 for the V100.
    assert rows["v100"].gamma_scale == pytest.approx(0.18, abs=0.005)
    assert msgspec.json.decode(msgspec.json.encode(list_hardware()))[0]["hoi"] == 756.5


def test_measured_models_are_listed_with_their_engine_day_and_error() -> None:
    rows = {row.architecture: row for row in list_measured()}
    assert rows["qwen2.5-7b"].hardware == "h200-sxm-vllm"
    assert (rows["qwen2.5-7b"].engine, rows["qwen2.5-7b"].date) == ("vllm 0.20.2", "2026-11-15")
    assert list_measured("h100-pcie") == []


def test_one_of_each_can_be_described(tmp_path: Path) -> None:
    assert describe_architecture("Qwen/Qwen3-32B", "a100").hardware == "a100"
    path = tmp_path / "card.toml"
    path.write_text("peak_flops = 3e14\npeak_bytes_per_second = 1e12\n")
    assert describe_hardware(str(path)).hoi == 300.0
    assert describe_hardware(str(path)).name == "card"
