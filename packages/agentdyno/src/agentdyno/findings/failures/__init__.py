"""Where the tool-use loop breaks: pure functions over answers whose tool returns are recorded.

classify(rule, task, answer, tools)      one label with its evidence      paper_rule, own_rule
failure_rates(labels)                    TSR, CTUR, RIR, OFR, UTR, …      rates
profile_of(labels)                       disciplined, always-call, …      profiles
rater_agreement(ratings)                 kappas, ties, overrules          agreement
unsupported_claims(trajectory)           checks that need no truth        unlabelled
"""

from typing import Literal

from agentdyno.findings.failures.own_rule import classify_by_own
from agentdyno.findings.failures.paper_rule import classify_by_paper
from agentdyno.records.failures import FailureLabel, OfferedTool, ToolAnswer, ToolTask

Rule = Literal["paper", "own"]


def classify(
    rule: Rule, task: ToolTask, answer: ToolAnswer, tools: tuple[OfferedTool, ...] = ()
) -> FailureLabel:
    """The label that a rule gives one answer."""
    if rule == "paper":
        return classify_by_paper(task, answer)
    return classify_by_own(task, answer, tools)


__all__ = ["Rule", "classify", "classify_by_own", "classify_by_paper"]
