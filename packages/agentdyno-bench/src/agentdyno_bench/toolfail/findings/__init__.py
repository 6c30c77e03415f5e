"""Where the tool-use loop breaks: pure functions over answers whose tool returns are recorded.

classify(rule, task, answer, tools)      one label with its evidence      submitted_rule, paper_rule
failure_rates(labels)                    CTUR, TSR, …, with bounds        rates
build_leaderboard(labels by model)       ranks by intervals, tests        leaderboard
profile_of(labels)                       disciplined, always-call, …      model_profiles
rater_agreement(ratings)                 kappas, ties, overrules          agreement
find_doubts(trajectory)                  checks that need no truth        unlabelled
"""

from collections.abc import Collection
from typing import Literal

from msgspec import structs

from agentdyno_bench.toolfail.findings.paper_rule import classify_by_paper
from agentdyno_bench.toolfail.findings.submitted_rule import classify_by_submission
from agentdyno_bench.toolfail.findings.texts import (
    LONGEST,
    find_claimed_call,
    find_written_calls,
    why_broken,
)
from agentdyno_bench.toolfail.records import FailureLabel, OfferedTool, ToolAnswer, ToolTask

Rule = Literal["submitted", "paper"]


def classify(
    rule: Rule,
    task: ToolTask,
    answer: ToolAnswer,
    tools: Collection[OfferedTool] = (),
    fields: Collection[str] | None = None,
) -> FailureLabel:
    """The label that a rule gives one answer, and what its text looks like whatever the rule;
    `fields` is the published program's list for the published rule."""
    label = (
        classify_by_submission(task, answer)
        if rule == "submitted"
        else classify_by_paper(task, answer, fields)
    )
    names = {tool.name for tool in tools} | {step.tool for step in task.script}
    executed, text = {call.name for call in answer.calls}, answer.answer[:LONGEST]
    written = bool(find_written_calls(text, names)) and not executed
    return structs.replace(
        label,
        phantom=written or find_claimed_call(text, names, executed) is not None,
        broken=why_broken(text) is not None,
    )


__all__ = ["Rule", "classify", "classify_by_paper", "classify_by_submission"]
