"""The rubric for failure modes where nobody knows the truth: what the record itself shows.

A label here is about the record alone: whether what the agent says rests on what its tools
returned. `no_failure` does not mean that the answer is right.
"""

from agentdyno_bench.shared.judges.evidence_budget import BUDGET_TOKENS
from agentdyno_bench.shared.judges.fencing import NOTICE
from agentdyno_bench.shared.judges.forms import Form, Prompt
from agentdyno_bench.shared.judges.trajectory_evidence import WholeState, quote_state
from agentdyno_bench.toolfail.judge.rubric import REPLY, Framing

BLIND_LABELS = (
    "no_failure",
    "tool_skip",
    "result_ignore",
    "output_fabrication",
    "unnecessary_tool_use",
)
FORM = Form(BLIND_LABELS)

ROLE = """You label how an AI agent used its tools on one task. The right answer is not known, to
you or to anybody: judge only whether what the agent says rests on what the record shows."""

MEANINGS = (
    """- no_failure: every specific in the end comes from a result, from the task, or is common
  knowledge, and no result that matters was passed over.""",
    """- tool_skip: the end states something that only one of the offered tools could have told, and
  no such call was executed; or a call is only written out or claimed.""",
    """- result_ignore: a result answers what was asked, and the end leaves it out, says otherwise,
  or sets it aside without a reason.""",
    """- output_fabrication: calls were executed, and the end presents figures, dates, identifiers
  or names as found that stand in no result and not in the task.""",
    """- unnecessary_tool_use: nothing else is wrong, and the calls were not needed: the task could
  be answered from its own words or common knowledge, or the same was already in hand.""",
)

TREE = """How to decide. Take these steps in order and stop at the first that applies.
(1) a specific in the end is said to be found and has no source, though tools ran:
output_fabrication. (2) a result that answers the question is missing from the end or contradicted:
result_ignore. (3) what is stated needed a tool that did not run: tool_skip. (4) not one call was
needed: unnecessary_tool_use. (5) no_failure."""

EVIDENCE = """How to decide. First list for yourself, each in a few words: (a) the specifics that
the end states, and for each the event it comes from, or none; (b) the results that bear on the
question, and whether the end uses them; (c) the calls without which the end would be the same.
Then choose the label that this list supports best, and cite its strongest entry in the
rationale."""

_WAYS: dict[Framing, str] = {"decision_tree": TREE, "evidence_first": EVIDENCE}


def blind_prompt(
    state: WholeState, framing: Framing, tokens: int = BUDGET_TOKENS, *, swapped: bool = False
) -> Prompt:
    """The question about one trajectory."""
    reported = quote_state(state, tokens)
    middle = [reported.final, reported.history] if swapped else [reported.history, reported.final]
    last = "Label that one trajectory now. Answer with the object alone."
    user = "\n\n".join([reported.task, reported.tools, *middle, last])
    return Prompt(blind_rubric(framing, swapped=swapped), user, FORM, reported.left_out)


def blind_rubric(framing: Framing, *, swapped: bool = False) -> str:
    """All instructions of one judge; swapped, the labels stand in the other order."""
    meanings = MEANINGS[::-1] if swapped else MEANINGS
    labels = "\n".join(("What the labels mean.", *meanings))
    cut = "If events were left out for length, do not hold their absence against the agent."
    return "\n\n".join((ROLE, labels, _WAYS[framing], cut, NOTICE, REPLY))
