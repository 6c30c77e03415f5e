"""Judging failure modes: one rubric in two framings, and the question for one answer."""

from agentdyno.judges.failures.question import failure_question
from agentdyno.judges.failures.rubric import FRAMINGS, failure_judge, rubric

__all__ = ["FRAMINGS", "failure_judge", "failure_question", "rubric"]
