"""Options and results of a run. Values only; nothing here imports Inspect."""

from pathlib import Path
from typing import Any

from msgspec import Struct

PER_PROCESS = 256
"""Concurrent samples that one process holds before its own work shows in the latencies: Inspect
manages 20 to 25 calls a second on half a core, which is 256 calls of ten seconds."""

LOG_SAMPLES = 2000
"""Samples in one log at most: a log is written anew with every finished sample."""


class ModelSpec(Struct, frozen=True):
    """A model by name, so that every process can open it for itself."""

    name: str
    """Inspect's name: `agentdyno/smollm2`, `openai-api/vllm/qwen3-32b`, `anthropic/…`."""
    base_url: str | None = None
    """Where the provider's service is; None for its usual place."""
    arguments: dict[str, Any] = {}
    """The provider's own arguments; plain values when several processes are to open it."""


def model_spec(name: str, base_url: str | None, arguments: list[str]) -> ModelSpec:
    """A model from its options; `-M KEY=VALUE`, the value JSON where it is that."""
    from agentdyno.cli.options import read_arguments

    return ModelSpec(name, base_url, read_arguments(arguments))


class TaskRecipe(Struct, frozen=True):
    """A task by the function that makes it, so that every process can make it for itself."""

    factory: str
    """`package.module:function`; the function returns an `inspect_ai.Task`."""
    arguments: dict[str, Any] = {}
    places: dict[str, Any] = {}
    """Further arguments that say where things are: they decide nothing, so that a resumed run may
    have others."""


class RunOptions(Struct, frozen=True):
    """How a task is run."""

    out: Path
    """Folder of the run: `logs/TASK/MODEL/*.eval` and what is needed to resume."""
    concurrency: int = 64
    """Samples in progress at once, over all processes."""
    per_process: int = PER_PROCESS
    """More concurrent samples than this are spread over several processes."""
    processes: int | None = None
    """Processes, when not to be derived from the concurrency."""
    limit: int | None = None
    """Only the first so many samples; None for all."""
    max_tokens: int | None = None
    """Tokens that one model call may generate; None leaves it to the provider."""
    temperature: float | None = None
    """Sampling temperature; None leaves it to the provider."""
    seed: int | None = None
    """Seed of the sampling, where the provider takes one."""
    stream: bool = False
    """Ask the provider to stream, so that the time to the first token is known."""
    variant: str | None = None
    """The tool suite's name, for the ledger; None when there is only one."""
    epochs: int = 1
    """Attempts at each sample; each samples with a seed of its own."""
    attempt: int | None = None
    """Which attempt at each sample this is, from 1, each in a folder of its own; None for the
    first and only."""
    roles: dict[str, ModelSpec] = {}
    """Other models of the task, such as the judge `grader`."""
    max_tool_output_bytes: int = 2**20
    """Longer tool results are cut; Inspect's own limit is 16 KiB."""
    max_retries: int | None = 5
    """How often one model call is tried again; None for as long as it takes."""
    sample_seconds: int | None = None
    """After this a sample is stopped and scored as it stands."""
    log_samples: int = LOG_SAMPLES
    """Samples in one log at most."""
    retry_failed: bool = False
    """Whether a resumed run repeats the samples that failed."""
    max_usd: float | None = None
    """What all models of the run may cost together; None for no limit. One process runs then."""
    prices: Path | None = None
    """A price table that is asked before the bundled one."""
    generation: dict[str, Any] = {}
    """Further fields of Inspect's GenerateConfig."""


class FailedSample(Struct, frozen=True):
    """A sample that ended with an error; it stays in its log."""

    sample: str
    error: str
    """What it ended with, in one line."""


class TaskRun(Struct, frozen=True):
    """The result of running a task."""

    task: str
    """The task's name: the ledger's `benchmark`."""
    model: str
    folder: Path
    """Where this task's logs for this model are, and no others."""
    logs: list[Path]
    """All logs, also those of earlier, interrupted processes; together they hold every sample
    once."""
    samples: int
    """Samples that are finished now."""
    run_now: int
    """Samples of these that were run by this call."""
    failed: list[FailedSample]
    """Samples of these that ended with an error."""
    seconds: float
    """How long this call took."""
    stopped: str | None = None
    """Why not all samples are finished; None where they are."""
    graded_by: dict[str, int] = {}
    """How many samples were decided by what, where the scorer says: `math-verify`, `judge`, `tag`
    for an answer without the asked tag, `box, right inside` for one in a box instead."""
