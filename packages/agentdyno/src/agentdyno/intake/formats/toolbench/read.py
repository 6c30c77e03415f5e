"""Reads answers of ToolBench: the longest list of messages is the chain that was taken."""

from collections.abc import Iterator

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.format import Source
from agentdyno.intake.streams import Fields, read_document
from agentdyno.intake.texts import function_schemas, read_solved
from agentdyno.intake.transcripts import write_transcript
from agentdyno.records import BadRecord, Trajectory

FORMAT_NAME = "toolbench"


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the chain of the file."""
    return read_document(source, FORMAT_NAME, _read)


def _read(source: Source, answer: Fields) -> Iterator[Trajectory]:
    generated = answer.get("answer_generation")
    found: Fields = generated if isinstance(generated, dict) else {}
    chains = found.get("train_messages")
    last = chains[-1] if isinstance(chains, list) and chains else None
    builder = TrajectoryBuilder()
    builder.offer(function_schemas(found.get("function")))
    write_transcript(builder, last if isinstance(last, list) else [])
    if builder.turns:
        task = source.path.name.partition("_ChatGPT")[0].removesuffix(".json")
        yield builder.build(
            source.id_of("0"),
            source.name,
            FORMAT_NAME,
            benchmark="toolbench",
            task_id=task,
            correct=read_solved(answer.get("win")),
        )
