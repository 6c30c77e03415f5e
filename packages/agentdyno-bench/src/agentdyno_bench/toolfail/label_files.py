"""A run's logs -> labels by rule: they enter through intake, like anybody's."""

from collections.abc import Sequence
from pathlib import Path

from agentdyno_bench.shared.running.options import TaskRun
from agentdyno_bench.toolfail.classify.traces import read_trajectories
from agentdyno_bench.toolfail.records import TaskSuite
from agentdyno_bench.toolfail.studies.labels import LabelledTrajectory, label_trajectories


def label_logs(
    logs: Path, suite: TaskSuite, runs: Sequence[TaskRun] | None = None
) -> list[LabelledTrajectory]:
    """Every attempt under the logs, with the ids it has in a ledger measured from there.

    With `runs`, only theirs, and not the samples that ended with an error: an answer that never
    came says nothing of the model.
    """
    trajectories = read_trajectories([logs], "inspect_ai")
    if runs is not None:
        folders = [
            (_source_prefix(logs, run), {failed.sample for failed in run.failed}) for run in runs
        ]
        trajectories = (
            item
            for item in trajectories
            if any(item.source.startswith(p) and item.task_id not in bad for p, bad in folders)
        )
    return label_trajectories(trajectories, suite)


def _source_prefix(logs: Path, run: TaskRun) -> str:
    """Common prefix of the sources of a run's trajectories."""
    return f"{logs.name}/{run.folder.absolute().relative_to(logs.absolute())}/"
