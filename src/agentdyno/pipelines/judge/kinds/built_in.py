"""The kinds of verdict that come with the package, with the truth that each can use."""

from agentdyno.pipelines.judge.kinds import Kind
from agentdyno.pipelines.judge.kinds.answer import AnswerKind, read_references
from agentdyno.pipelines.judge.kinds.choosing import JudgeKind, Truth
from agentdyno.pipelines.judge.kinds.completion import CompletionKind
from agentdyno.pipelines.judge.kinds.failure import FailureKind
from agentdyno.pipelines.judge.kinds.tasks import completion_parts, failure_suite
from agentdyno.pipelines.judge.kinds.utility import UtilityKind
from agentdyno.pipelines.judge.options import JudgeOptions


def _utility(options: JudgeOptions, truth: Truth) -> Kind:
    return UtilityKind(options.framing, options.rules)


def _failure(options: JudgeOptions, truth: Truth) -> Kind:
    return FailureKind(failure_suite(truth.tasks), options.framing.budget_tokens)


def _completion(options: JudgeOptions, truth: Truth) -> Kind:
    return CompletionKind(completion_parts(truth.tasks), options.framing.budget_tokens)


def _answer(options: JudgeOptions, truth: Truth) -> Kind:
    if truth.references is None:
        return AnswerKind(None, options.framing.budget_tokens)
    found = read_references(truth.references)
    for bad in found.bad[:5]:
        truth.tell(f"skipped: {bad}")
    return AnswerKind(found.answers, options.framing.budget_tokens)


KINDS = (
    JudgeKind("utility", "Did calls help", _utility),
    JudgeKind("failure", "How were tools used", _failure, ("tasks",)),
    JudgeKind("answer", "Is the answer right", _answer, ("references",)),
    JudgeKind("completion", "Which parts are done", _completion, ("tasks",)),
)
