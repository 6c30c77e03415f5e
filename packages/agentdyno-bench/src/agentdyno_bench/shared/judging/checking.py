"""Asks judges again about a sample, swapped and steered, through the same journal and money."""

from collections.abc import Iterator

from agentdyno_bench.shared.judges.questions import Asking, JudgeReply, Question
from agentdyno_bench.shared.verdicts.checks import (
    Labels,
    attack_numbers,
    build_steered_questions,
    build_swapped_questions,
    check_of,
)
from agentdyno_bench.shared.verdicts.kinds import Kind
from agentdyno_bench.shared.verdicts.options import Check
from agentdyno_bench.shared.verdicts.planned import Item, Judge, questions


async def check_judges(
    asking: Asking, kind: Kind, items: list[Item], judges: list[Judge]
) -> list[Check]:
    """Asks every judge about the sample as it is, swapped, and with an order inside."""
    checks = []
    for judge in judges:
        truth = await _labels(asking, questions(kind, items, [judge]))
        sure = [item for item in items if item.place in truth]
        swapped = await _labels(asking, build_swapped_questions(kind, sure, judge))
        steered = await _labels(
            asking, build_steered_questions(kind, sure, judge, truth, attack_numbers(items))
        )
        checks += [
            check_of("swap", judge, truth, swapped),
            check_of("injection", judge, truth, steered),
        ]
    return checks


async def _labels(asking: Asking, prompts: Iterator[Question]) -> Labels:
    labels: Labels = {}

    def take(item: Question, reply: JudgeReply | None) -> None:
        if reply is not None and reply.parsed.label is not None:
            labels[item.about.item.place] = reply.parsed.label

    await asking.run(prompts, take)
    return labels
