"""Who names no model gets the embedded agent, a few tasks, and a line that says so."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")

from agentdyno.benchmarks.running.plans import Plan
from agentdyno.cli import bench_tir, bench_toolfail, bench_tps


class Planned(Exception):
    """Stops a verb where it would begin to run."""


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    found: list[Plan] = []

    def stop(made: list[Plan], *_: Any, **__: Any) -> None:
        found.extend(made)
        raise Planned

    monkeypatch.setattr("agentdyno.pipelines.bench.run.run_plans", stop)
    monkeypatch.setattr("agentdyno.pipelines.bench.toolfail.run_plans", stop)
    return found


@pytest.mark.parametrize("verb", [bench_tps.command, bench_tir.command, bench_toolfail.command])
def test_the_embedded_agent_attempts_a_few(
    verb: Any, plans: list[Plan], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Planned):
        verb(out=tmp_path)
    assert [plan.model.name for plan in plans] == ["agentdyno/smollm2-agent"]
    assert plans[0].options.limit == 20
    assert "no --model given: the embedded agent" in capsys.readouterr().err


def test_whoever_names_a_model_gets_all_tasks(plans: list[Plan], tmp_path: Path) -> None:
    with pytest.raises(Planned):
        bench_tps.command(model=["mockllm/model"], out=tmp_path)
    assert {plan.model.name for plan in plans} == {"mockllm/model"}
    assert plans[0].options.limit is None
