"""One answer as a question for a judge: everything that a model, a tool or a user wrote is quoted.

What the judge needs to trust (the kind of task, which tools were expected, which were executed)
stands outside the blocks and is ours; names of tools that are not offered are quoted too.
"""

from collections.abc import Collection

import msgspec

from agentdyno.records.verdicts import SCORES
from agentdyno_bench.shared.judges.fencing import block_key, escape, quote_block
from agentdyno_bench.shared.judges.forms import Form, Prompt
from agentdyno_bench.toolfail.judge.rubric import Framing, rubric
from agentdyno_bench.toolfail.records import (
    CONTROL_LABELS,
    REQUIRED_LABELS,
    ExecutedCall,
    ToolAnswer,
    ToolTask,
)

SELECTION, FAITHFULNESS, ANSWER = SCORES


def failure_prompt(
    task: ToolTask,
    answer: ToolAnswer,
    framing: Framing,
    offered: Collection[str] = (),
    *,
    swapped: bool = False,
) -> Prompt:
    """The question about one answer; swapped, labels and evidence come in the other order."""
    labels = REQUIRED_LABELS if task.kind == "required" else CONTROL_LABELS
    form = Form(labels, scores=_list_scores(task, answer))
    displayed = _quote_material(task, answer, offered, form, swapped)
    return Prompt(rubric(framing, swapped=swapped), displayed, form)


def _list_scores(task: ToolTask, answer: ToolAnswer) -> tuple[str, ...]:
    """A control has its answer alone, and nothing can be faithful to a return that never came."""
    if task.kind == "control":
        return (ANSWER,)
    ran = {call.name for call in answer.calls} & {step.tool for step in task.script}
    return (SELECTION, FAITHFULNESS, ANSWER) if ran else (SELECTION, ANSWER)


def _quote_material(
    task: ToolTask, answer: ToolAnswer, offered: Collection[str], form: Form, swapped: bool
) -> str:
    returns = [_quote_return(task, index) for index in range(len(task.script))]
    contents = [task.question, *returns, _calls_text(answer), answer.final]
    key = block_key(*contents)
    blocks = [quote_block("question", task.question, key)]
    blocks += [quote_block(f"return {i}", text, key) for i, text in enumerate(returns, 1)]
    blocks += [
        quote_block("call arguments", _calls_text(answer), key),
        quote_block("answer", answer.final, key),
    ]
    if swapped:
        blocks.reverse()
    names = set(offered) | {step.tool for step in task.script}
    head = [
        f"Task kind: {task.kind.upper()}",
        f"Expected calls: {', '.join(step.tool for step in task.script) or 'none'}",
        f"Executed calls: {_names(task, answer, names)}",
        f"What a right answer contains: {_find_needed(task)}",
        f"Scores to give: {', '.join(form.scores)}",
    ]
    return "\n".join([*head, "", *blocks, "", "Your JSON object:"])


def _quote_return(task: ToolTask, index: int) -> str:
    step = task.script[index]
    if step.error is not None:
        return f"error: {step.error}"
    return msgspec.json.encode(step.returns).decode()


def _calls_text(answer: ToolAnswer) -> str:
    return msgspec.json.encode([msgspec.to_builtins(call) for call in answer.calls]).decode()


def _names(task: ToolTask, answer: ToolAnswer, tools: set[str]) -> str:
    """A refused call brings nothing, and is needless all the same where none was needed."""
    needless = answer.refused if task.kind == "control" else ()
    names = [_name(call, tools) for call in answer.calls]
    return ", ".join([*names, *(f"{_name(call, tools)} (refused)" for call in needless)]) or "none"


def _name(call: ExecutedCall, tools: set[str]) -> str:
    return call.name if call.name in tools else escape(call.name[:60])


def _find_needed(task: ToolTask) -> str:
    between = " and " if task.match_mode == "all" else " or "
    return between.join(escape(value) for value in task.must_contain)
