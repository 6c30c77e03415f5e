"""Every policy gets the labels it was built with, through the run, the log and the ledger."""

from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno_bench.pipelines.toolfail import ToolfailOptions, run_toolfail
from agentdyno_bench.pipelines.toolfail_labels import label_logs
from agentdyno_bench.running.options import ModelSpec, RunOptions
from tests.zoo.toolfail import POLICIES, deal, suite


def _run(out: Path, script: str, limit: int | None) -> tuple[int, list[str]]:
    """How many labels are as stated, and which are not, by the log and by its mark alike."""
    model = ModelSpec("agentdyno/scripted", None, {"script": f"tests.zoo.toolfail:{script}"})
    options = RunOptions(out=out, max_tokens=1024, temperature=0.0, seed=42, limit=limit)
    done = run_toolfail(ToolfailOptions(models=[model], turns="multi"), options)
    assert done.runs[0].failed == []
    marks = Ledger(out / "ledger").read("trajectories").select("trajectory_id", "correct")
    by_mark = dict(marks.iter_rows())
    right, wrong = 0, []
    for each in label_logs(out / "logs", suite(), done.runs):
        policy = script if script in POLICIES else deal()[each.task.task_id]
        stated, found = POLICIES[policy](each.task).label, each.by_rule
        if found.label == stated and by_mark[each.trajectory_id] == (stated == "correct"):
            right += 1
        else:
            wrong.append(f"{policy} on {each.task.task_id}: {stated}, got {found}")
    return right, wrong


def test_each_policy_is_labelled_as_stated_on_a_few_tasks(tmp_path: Path) -> None:
    count = 4 * len(POLICIES)
    assert _run(tmp_path, "all_of_them", count) == (count, [])


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_each_policy_is_labelled_as_stated_on_every_task(tmp_path: Path, policy: str) -> None:
    assert _run(tmp_path, policy, None) == (1200, [])
