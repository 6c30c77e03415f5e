"""ToolBench: answers, with the tree that was searched. The longest list of messages is the chain
that was taken."""

from collections.abc import Iterator

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.format import Format
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Fields, read_document
from agentdyno.intake.texts import fields_of, function_schemas, read_solved
from agentdyno.records import Trajectory


def detect(head: Head) -> float:
    """0.95 for an answer."""
    return 0.95 if head.keys >= {"answer_generation", "tree"} and not head.is_list else 0.0


def _read(source: Source, answer: Fields) -> Iterator[Trajectory]:
    from agentdyno.intake.transcripts import write_transcript  # Only where a file needs it.

    generation = fields_of(answer.get("answer_generation"))
    chains = generation.get("train_messages")
    last = chains[-1] if isinstance(chains, list) and chains else None
    builder = TrajectoryBuilder()
    builder.offer(function_schemas(generation.get("function")))
    write_transcript(builder, last if isinstance(last, list) else [])
    if builder.turns:
        task = source.path.name.partition("_ChatGPT")[0].removesuffix(".json")
        yield builder.build(
            source.id_of("0"),
            source.name,
            "toolbench",
            benchmark="toolbench",
            task_id=task,
            correct=read_solved(answer.get("win")),
        )


FORMAT = Format(
    name="toolbench",
    title="ToolBench answers",
    detect=detect,
    read=lambda source: read_document(source, "toolbench", _read),
    description=(
        "Read: the chain that led to the answer: messages, calls, results, errors, schemas, and "
        "whether it ended with an answer. Missing: tokens of single responses (counted from the "
        "texts), the model, times, prices; responses of branches that were given up, so sums are a "
        "lower bound."
    ),
)
