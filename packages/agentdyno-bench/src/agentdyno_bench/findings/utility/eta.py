"""Tool efficiency: judged calls in, eta by trajectory, its mean and the pooled ratio out.

eta(trajectory) = useful calls / judged calls; it does not exist without a judged call. The mean is
over the trajectories where it exists; the pooled ratio sums calls first, so that long trajectories
weigh more. Both intervals resample tasks. Source: Eta Given Delta, equations 6 and 7.

Worked: trajectories with 1 of 1 and 1 of 4 useful: mean (1 + 0.25) / 2 = 0.625, pooled 2/5 = 0.4.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from agentdyno.estimates.estimate import Estimate, as_share
from agentdyno.estimates.means import clustered_mean
from agentdyno_bench.findings.utility.results import Eta
from agentdyno_bench.records.utility import JudgedCall


def measure_eta(calls: Sequence[JudgedCall], trajectories: int) -> Eta:
    """Efficiency of a set of trajectories, of which some may have no call at all."""
    judged = [call for call in calls if call.label is not None]
    etas = trajectory_etas(judged)
    task_of = {call.trajectory_id: call.task_id for call in judged}
    by_task: dict[str, list[float]] = defaultdict(list)
    for trajectory, eta in etas.items():
        by_task[task_of[trajectory]].append(eta)
    return Eta(
        trajectories=trajectories,
        undefined=trajectories - len(etas),
        calls=len(judged),
        useful=sum(map(is_useful, judged)),
        unjudged=len(calls) - len(judged),
        mean=as_share(clustered_mean(by_task)),
        pooled=useful_share(judged),
    )


def trajectory_etas(calls: Iterable[JudgedCall]) -> dict[str, float]:
    """Efficiency of every trajectory that has a judged call."""
    marks: dict[str, list[bool]] = defaultdict(list)
    for call in calls:
        if call.label is not None:
            marks[call.trajectory_id].append(is_useful(call))
    return {trajectory: sum(each) / len(each) for trajectory, each in marks.items()}


def useful_share(judged: Iterable[JudgedCall]) -> Estimate:
    """Useful calls over calls, clustered by task."""
    by_task: dict[str, list[float]] = defaultdict(list)
    for call in judged:
        by_task[call.task_id].append(float(is_useful(call)))
    return as_share(clustered_mean(by_task))


def is_useful(call: JudgedCall) -> bool:
    """Whether the call helped."""
    return call.label == "positive"
