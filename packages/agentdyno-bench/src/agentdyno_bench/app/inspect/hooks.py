"""A hook that measures every sample of a run, where AGENTDYNO_HOOKS is set.

The figures of a sample are written to its metadata, before it is scored; those of a run are
printed when it ends.
"""

from collections import defaultdict

from inspect_ai.hooks import Hooks, RunEnd, SampleEnd, SampleScoring, hooks
from inspect_ai.log import transcript
from inspect_ai.solver._task_state import sample_state

from agentdyno.records import plural

_SUMMED = ("usd", "turns", "calls", "failed_calls", "malformed_calls", "needless_calls", "pte")
Figures = dict[str, float | int | None]


@hooks(name="measures", description="PTE, dollars and failed calls of every sample (AgentDyno)")
class Measures(Hooks):
    """Figures of samples, summed by run."""

    def __init__(self) -> None:
        self._runs: dict[str, list[Figures]] = defaultdict(list)

    async def on_sample_scoring(self, data: SampleScoring) -> None:
        """Writes the figures into the sample's metadata, which the log keeps."""
        from agentdyno_bench.app.inspect.sample_measures import measure_sample, measured_fields

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
            print(describe_run(samples))


def describe_run(samples: list[Figures]) -> str:
    """One line; a figure that any sample lacks is left out, and how many lack all is said."""
    measured = [figures for figures in samples if figures]
    words = []
    for name in _SUMMED:
        values = [figures.get(name) for figures in measured]
        known = [value for value in values if value is not None]
        if known and len(known) == len(values):
            words.append(_describe(name, sum(known)))
    unmeasured = len(samples) - len(measured)
    left_out = f" ({unmeasured:,} more without a model call or a score)" if unmeasured else ""
    return f"agentdyno: {plural(len(measured), 'sample')}{left_out}: {', '.join(words)}"


def _describe(name: str, value: float) -> str:
    if name == "usd":
        return f"${value:,.4f}"
    return f"{value:,.0f} {'PTE' if name == 'pte' else name.replace('_', ' ')}"
