"""ToolBench: answers, with the tree that was searched."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.95 for an answer."""
    return 0.95 if head.keys >= {"answer_generation", "tree"} and not head.is_list else 0.0


FORMAT = Format(
    name="toolbench",
    title="ToolBench answers",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.toolbench.read"),
    description=(
        "Read: the chain that led to the answer: messages, calls, results, errors, schemas, and "
        "whether it ended with an answer. Missing: tokens of single responses (counted from the "
        "texts), the model, times, prices; responses of branches that were given up, so sums are a "
        "lower bound."
    ),
)
