"""A hook that measures every sample of a run, where AGENTDYNO_HOOKS is set.

The figures of a sample are written to its metadata, before it is scored; those of a run are
printed on stderr when it ends.
"""

import sys
from collections import defaultdict

from inspect_ai.hooks import Hooks, RunEnd, SampleEnd, SampleScoring, hooks
from inspect_ai.log import transcript
from inspect_ai.solver._task_state import sample_state

from agentdyno_bench.app.inspect.sample_measures import (
    Figures,
    describe_run,
    measure_sample,
    measured_fields,
)


@hooks(name="measures", description="PTE, dollars and failed calls of every sample (AgentDyno)")
class Measures(Hooks):
    """Figures of samples, summed by run."""

    def __init__(self) -> None:
        self._runs: dict[str, list[Figures]] = defaultdict(list)

    async def on_sample_scoring(self, data: SampleScoring) -> None:
        """Writes the figures into the sample's metadata, which the log keeps."""
        state = sample_state()
        if state is None:
            return
        measures = measure_sample(transcript().events, state.messages, state.metadata)
        if measures is not None:
            state.metadata["agentdyno"] = measured_fields(measures)

    async def on_sample_end(self, data: SampleEnd) -> None:
        """Keeps the figures for the run's sum."""
        self._runs[data.run_id].append((data.sample.metadata or {}).get("agentdyno") or {})

    async def on_run_end(self, data: RunEnd) -> None:
        """Prints the run's sums."""
        samples = self._runs.pop(data.run_id, [])
        if samples:
            print(describe_run(samples), file=sys.stderr)
