"""Judged calls from short notes: `{"t1": "a+ b- a-"}` is three calls of tools a, b, a."""

from agentdyno_bench.shared.records.utility import JudgedCall, UtilityLabel

LABELS: dict[str, UtilityLabel | None] = {"+": "positive", "-": "non_positive", "?": None}


def judged(trajectories: dict[str, str], pte: float | None = 100.0) -> list[JudgedCall]:
    """Calls of several trajectories, each its own task unless named `task/attempt`."""
    return [
        JudgedCall(
            trajectory_id=trajectory,
            task_id=trajectory.partition("/")[0],
            turn=turn,
            call=0,
            tool=word[:-1],
            label=LABELS[word[-1]],
            confidence=0.8 if word[-1] == "+" else 0.9,
            cost=pte,
        )
        for trajectory, notes in trajectories.items()
        for turn, word in enumerate(notes.split())
    ]
