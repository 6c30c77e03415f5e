"""Delta of one call: a run that can be continued in, an estimate out; stops when it is settled."""

from hashlib import blake2b

from agentdyno.metrics.utility.rollouts import Counts, SignTest, look
from agentdyno.pipelines.rollout.resumable import ResumableRun
from agentdyno.records import Trajectory
from agentdyno.records.utility import RolloutEstimate


def estimate_call(
    run: ResumableRun, trajectory: Trajectory, index: int, test: SignTest
) -> RolloutEstimate:
    """Continues from just before and just after the call until the sign is settled."""
    call = trajectory.calls[index]
    base = _seed(trajectory.trajectory_id, index)
    before = after = both = done = 0
    for until in test.looks():
        for seed in range(base + done, base + until):
            was, is_now = run.carry_on(index, seed), run.carry_on(index + 1, seed)
            before, after, both = before + was, after + is_now, both + (was and is_now)
        done = until
        seen = look(Counts(before, after, both, done), test)
        if seen.settled:
            break
    return RolloutEstimate(
        trajectory_id=trajectory.trajectory_id,
        turn=call.turn,
        call=call.call,
        before_solved=before,
        after_solved=after,
        both_solved=both,
        continuations=done,
        delta=seen.delta,
        low=seen.low,
        high=seen.high,
        label=seen.label,
        settled=seen.settled,
    )


def _seed(trajectory: str, index: int) -> int:
    text = f"{trajectory}:{index}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=5).digest(), "big")
