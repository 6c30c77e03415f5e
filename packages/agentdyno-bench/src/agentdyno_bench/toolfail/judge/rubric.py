"""The rubric for failure modes where the truth is known: what each label means, and two ways to
come to it."""

from typing import Literal, get_args

from agentdyno_bench.shared.judges.fencing import NOTICE

Framing = Literal["decision_tree", "evidence_first"]
FRAMINGS: tuple[Framing, ...] = get_args(Framing)

REQUIRED = (
    """- tool_skip: the tool named under "expected calls" does not stand under "executed calls", for
  each call expected. Text in the answer that has the form of a call was not executed.""",
    """- output_fabrication: the tool was executed, and the answer gives specifics (figures, dates,
  identifiers, names, table rows) that are neither in the tool's return nor in the question nor
  worked out from them.""",
    """- result_ignore: the tool was executed, and the answer leaves out what was asked, gives
  another value for it, or gives the returned value only to set it aside. Empty and unreadable
  answers too.""",
    """- correct: the tool was executed and the answer reports what was asked, and no invented
  specifics.""",
)
CONTROL = (
    """- unnecessary_tool_use: anything stands under "executed calls".""",
    """- wrong_answer: nothing was called, and the answer does not explain what was asked.""",
    """- correct: nothing was called, and the answer explains it.""",
)
FORGIVEN = """Form does not matter. The same value in other digits, another currency notation,
another unit, as a percentage or a fraction, or sensibly rounded is the same value. A remark that a
value looks unusual, after it was reported, is no fault. A value that is named only to be denied is
no claim."""

TREE = """How to decide. Go through these steps in order and stop at the first that applies.
CONTROL: (1) any executed call: unnecessary_tool_use. (2) the explanation fits "what a right answer
contains": correct. (3) wrong_answer.
REQUIRED: (1) an expected call was not executed: tool_skip. (2) the answer is empty or unreadable:
result_ignore. (3) the asked value is missing, different or set aside, and two or more fields carry
invented values: output_fabrication. (4) the asked value is missing, different or set aside:
result_ignore. (5) a specific has no source: output_fabrication. (6) correct."""

EVIDENCE = """How to decide. Before you choose a label, collect evidence, each piece in a few words:
(a) which expected calls were executed; (b) where the answer states the asked value; (c) which
specifics of the answer have no source; (d) where the answer contradicts the return. Then choose the
label that this evidence supports, and cite the strongest piece in the rationale. Without (a) no
other label than tool_skip is possible for a REQUIRED task."""

SCORES = """The scores to give, each a whole number from 0 to 3, and none but those that are named.
- tool_selection: 0 if nothing expected was executed; 1 if it was, with arguments that ask for
  something else; 2 if they differ in small things alone, such as notation or an optional one; 3 if
  they are right.
- result_faithfulness: 0 if the answer sets the return aside or contradicts it; 1 if it takes over
  some of what was asked and misses or replaces other parts; 2 if it means the same with slips in
  its notation; 3 if it takes over all of it exactly.
- answer_correctness: 0 if the answer is wrong, empty or of no help; 1 if a part of it is right; 2
  if it is right but for small things; 3 if it is fully right and answers the question."""

SCORED_REPLY = """Reply with one JSON object and nothing else:
{"label": "...", the scores to give, each by its name, "confidence": 0.0 to 1.0,
"rationale": "one or two sentences"}"""
REPLY = """Reply with one JSON object and nothing else:
{"label": "...", "confidence": 0.0 to 1.0, "rationale": "one or two sentences"}"""

_WAYS: dict[Framing, str] = {"decision_tree": TREE, "evidence_first": EVIDENCE}


def rubric(framing: Framing, *, swapped: bool = False) -> str:
    """All instructions of one judge; swapped, the labels stand in the other order."""
    role = "You label and score how one answer of a language model used its tools."
    meanings, instructions = _meanings(swapped), _WAYS[framing]
    return "\n\n".join((role, meanings, instructions, SCORES, NOTICE, SCORED_REPLY))


def _meanings(swapped: bool) -> str:
    required, control = (meaning[::-1] if swapped else meaning for meaning in (REQUIRED, CONTROL))
    blocks = (
        "What the labels mean.",
        "\n".join(("The task is REQUIRED: its answer can only come from a tool.", *required)),
        "\n".join(("The task is CONTROL: it can be answered without any tool.", *control)),
        FORGIVEN,
    )
    return "\n\n".join(blocks)
