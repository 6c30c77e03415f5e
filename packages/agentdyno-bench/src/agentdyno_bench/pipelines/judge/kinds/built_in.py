"""The kinds of verdict that come with the package, with the truth that each can use."""

from agentdyno_bench.judges.references import read_references
from agentdyno_bench.pipelines.judge.kinds.choosing import JudgeKind, Truth
from agentdyno_bench.pipelines.judge.kinds.tasks import completion_parts, failure_suite
from agentdyno_bench.studies.verdicts.kinds import Kind
from agentdyno_bench.studies.verdicts.kinds.answer import AnswerKind
from agentdyno_bench.studies.verdicts.kinds.completion import CompletionKind
from agentdyno_bench.studies.verdicts.kinds.failure import FailureKind
from agentdyno_bench.studies.verdicts.kinds.utility import UtilityKind
from agentdyno_bench.studies.verdicts.options import JudgeOptions


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
