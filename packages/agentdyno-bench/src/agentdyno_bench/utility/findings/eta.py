"""Tool efficiency of judged calls (`measures.utility`): its mean and the pooled ratio, with
intervals that resample tasks.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from agentdyno.estimates.estimate import Estimate, as_share
from agentdyno.estimates.means import clustered_mean
from agentdyno.measures import utility
from agentdyno_bench.shared.records.utility import JudgedCall
from agentdyno_bench.utility.findings.results import Eta


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
    signs: dict[str, list[utility.Useful]] = defaultdict(list)
    for call in calls:
        signs[call.trajectory_id].append(utility.is_useful(call.label))
    etas = {trajectory: utility.eta(labels) for trajectory, labels in signs.items()}
    return {trajectory: eta for trajectory, eta in etas.items() if eta is not None}


def useful_share(judged: Iterable[JudgedCall]) -> Estimate:
    """Useful calls over calls, clustered by task."""
    by_task: dict[str, list[float]] = defaultdict(list)
    for call in judged:
        by_task[call.task_id].append(float(is_useful(call)))
    return as_share(clustered_mean(by_task))


def is_useful(call: JudgedCall) -> bool:
    """True when the call is known to have helped."""
    return utility.is_useful(call.label) is True
