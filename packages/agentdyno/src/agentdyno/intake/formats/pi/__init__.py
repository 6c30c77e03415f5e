"""Pi, and the agents that write its session files: OpenClaw and OMP."""

from collections.abc import Iterator
from importlib import import_module

from agentdyno.intake.format import Format, Reader, Source
from agentdyno.intake.formats.pi.detect import detector_of
from agentdyno.records import BadRecord, Trajectory

_MISSING = (
    "Missing: "
    "system prompt and tool schemas (hidden prompt, by the reported input); when tools began; "
    "calls that write summaries"
)


def _reader(name: str) -> Reader:
    def read(source: Source) -> Iterator[Trajectory | BadRecord]:
        found: Iterator[Trajectory | BadRecord] = import_module(
            "agentdyno.intake.formats.pi.read"
        ).read(source, name)
        return found

    return read


FORMATS = (
    Format(
        name="pi",
        title="Pi sessions (JSONL trees), branches and forks included",
        detect=detector_of("pi"),
        read=_reader("pi"),
        description=_MISSING,
    ),
    Format(
        name="openclaw",
        title="OpenClaw sessions (JSONL trees), reset, deleted and saved ones included",
        detect=detector_of("openclaw"),
        read=_reader("openclaw"),
        version=2,
        description=f"{_MISSING}; which session started which",
    ),
    Format(
        name="omp",
        title="OMP sessions (JSONL trees), sub-agents and calls beside the talk included",
        detect=detector_of("omp"),
        read=_reader("omp"),
        description=_MISSING,
    ),
)
