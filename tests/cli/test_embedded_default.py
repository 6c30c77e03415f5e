"""Who names no model gets the embedded agent, a few tasks, and a line that says so."""

from pathlib import Path
from typing import Any

import pytest

from agentdyno_bench.cli import bench_tir, bench_toolfail, bench_tps
from agentdyno_bench.running.plans import Plan


class Planned(Exception):
    """Stops a verb where it would begin to run."""


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    found: list[Plan] = []

    def stop(made: list[Plan], *_: Any, **__: Any) -> None:
        found.extend(made)
        raise Planned

    monkeypatch.setattr("agentdyno_bench.pipelines.bench_run.run_plans", stop)
    monkeypatch.setattr("agentdyno_bench.pipelines.toolfail.run_plans", stop)
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


def test_a_given_limit_is_what_is_said(
    plans: list[Plan], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Planned):
        bench_tir.command(out=tmp_path, limit=50)
    said = capsys.readouterr().err
    assert "attempts 50 tasks, offline" in said
    assert "--limit" not in said


@pytest.mark.parametrize(
    ("given", "tokens"),
    [({}, 1024), ({"attempt_tokens": 300}, 300), ({"model": ["mockllm/model"]}, None)],
)
def test_only_the_embedded_agent_has_a_limit_of_tokens_that_nobody_gave(
    given: dict[str, Any], tokens: int | None, plans: list[Plan], tmp_path: Path
) -> None:
    with pytest.raises(Planned):
        bench_tir.command(out=tmp_path, **given)
    assert plans[0].task.arguments.get("attempt_tokens") == tokens


def test_whoever_names_a_model_gets_all_tasks(plans: list[Plan], tmp_path: Path) -> None:
    with pytest.raises(Planned):
        bench_tps.command(model=["mockllm/model"], out=tmp_path)
    assert {plan.model.name for plan in plans} == {"mockllm/model"}
    assert plans[0].options.limit is None
