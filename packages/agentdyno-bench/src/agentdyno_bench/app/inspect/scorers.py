"""Scorers that any task can add beside its own: what a sample cost, how its calls went."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.log import transcript
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState

from agentdyno_bench.app.inspect.names import named

COST = ("pte", "usd", "turns", "calls")
FAILURES = ("failed_calls", "malformed_calls", "needless_calls")


@scorer(metrics={"*": [mean()]}, name="dyno_cost")
def dyno_cost() -> Scorer:
    """PTE, dollars, turns and calls of the sample; a figure that is not known is left out."""
    return _score_fields(COST)


@scorer(metrics={"*": [mean()]}, name="dyno_failures")
def dyno_failures() -> Scorer:
    """Failed, malformed and, where the task says which tools it needs, needless calls."""
    return _score_fields(FAILURES)


def _score_fields(names: Sequence[str]) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score | None:
        from agentdyno_bench.app.inspect.sample_measures import measure_sample, measured_fields

        measures = measure_sample(transcript().events, state.messages, state.metadata)
        if measures is None:
            return None
        fields: dict[str, Any] = measured_fields(measures)
        return Score(value={name: fields[name] for name in names if fields[name] is not None})

    return score


for _part in (dyno_cost, dyno_failures):
    named(_part)
