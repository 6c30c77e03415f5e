"""Answers in a box without the asked tag, told.

Takes what `studies.boxes` found, returns a `Topic`.
"""

from agentdyno.records import plural
from agentdyno.reports.topic import Topic, TopicTable, columns
from agentdyno.studies.boxes import BoxedAnswers


def render_boxes(found: list[BoxedAnswers]) -> Topic:
    """One row for each setting with such answers."""
    boxed = sum(one.right + one.wrong + one.ungraded for one in found)
    attempts = plural(sum(one.attempts for one in found), "attempt", "attempts")
    right = sum(one.right for one in found)
    return Topic(
        anchor="boxes",
        title="Answers without the asked tag",
        lead=f"{plural(boxed, 'answer stands', 'answers stand')} in a box and not between the "
        f"asked tags, of {attempts} in these settings; {right} would have been right. They count "
        "as not solved, and are no wrong answers.",
        notes=["Right inside a box is a matter of form: perhaps the prompt should ask otherwise."],
        charts=[],
        tables=[
            TopicTable(
                "By setting",
                columns(
                    "model", "benchmark", "variant", "attempts:count", "solved:count",
                    "boxed, right inside:count", "wrong inside:count", "not graded:count",
                ),
                [
                    [
                        one.model, one.benchmark, one.variant, one.attempts, one.solved,
                        one.right, one.wrong, one.ungraded,
                    ]
                    for one in found
                ],
                folded=False,
            )
        ],
    )  # fmt: skip
