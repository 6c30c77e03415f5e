"""Tasks that expose how tool use fails, answers to them, and the label each answer gets.

Values only. A task says which tool has to be called, what that tool returns and what of it the
answer must contain; an answer says what ran and what was submitted or written. Labels are the
paper's (ToolFailBench, section 3.2), `refused` and `malformed`, exactly one per answer.
"""

from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

Label = Literal[
    "correct",
    "tool_skip",
    "result_ignore",
    "output_fabrication",
    "unnecessary_tool_use",
    "wrong_answer",
    "refused",
    "malformed",
]
"""What became of the tool-use loop."""

TaskKind = Literal["required", "control"]
"""Whether a tool has to be called, or must not be needed."""

MatchMode = Literal["all", "any"]

REQUIRED_LABELS: tuple[Label, ...] = (
    "correct",
    "tool_skip",
    "result_ignore",
    "output_fabrication",
)
"""Of the paper, with which judges label; the others are only given where answers are submitted."""
CONTROL_LABELS: tuple[Label, ...] = ("correct", "unnecessary_tool_use", "wrong_answer")
LABELS: tuple[Label, ...] = get_args(Label)

PUBLISHED_LIST, OWN_KEYS = "published list", "return's keys"
"""Variants of the published rule."""
REMOVED = ("own", "unsupported_claim")
"""Raters of older ledgers that are gone: a rule that read prose, and a check of claims in it. Their
rows are counted by nobody."""

SUBMITTED, PAPER, ENSEMBLE = "submitted", "paper", "ensemble"
"""Raters that are no judges: the program that compares submissions, the published rule for prose,
and the vote of the published rule and judges."""
Answers = Literal["submit", "prose"]
"""How models answer: by a call that a program compares, or in text that the published rule and
judges read."""
SUBMIT = "submit"
"""The tool by which an answer is submitted."""
Basis = Literal["tool", "own knowledge", "not available"]
"""What a submission rests on, in the model's own words."""
BASES: tuple[Basis, ...] = get_args(Basis)


class OfferedTool(Struct, frozen=True):
    """A tool as the model sees it."""

    name: str
    description: str
    """What it does, in a sentence."""
    parameters: dict[str, Any]
    """JSON schema of its arguments."""
    returns: tuple[str, ...] = ()
    """Names of the fields that it can return; empty when the suite does not say."""


class ExecutedCall(Struct, frozen=True):
    """A tool call that was executed."""

    name: str
    arguments: Any = None
    """Its arguments, as an object or as the text that the model wrote."""


class ScriptedCall(Struct, frozen=True):
    """A call that a task expects, and what the mock tool answers to it."""

    tool: str
    arguments: dict[str, Any]
    """The arguments a careful model would pass."""
    returns: Any = None
    """What comes back."""
    error: str | None = None
    """What comes back instead, when the tool is to fail this time."""
    message: int = 0
    """Which of the user's messages the call answers."""


class ToolTask(Struct, frozen=True):
    """One question with the truth about it."""

    task_id: str
    """Unique in its suite."""
    domain: str
    """The professional field."""
    kind: TaskKind
    """Whether a tool has to be called."""
    messages: tuple[str, ...]
    """What the user says; one message unless the task has several turns."""
    script: tuple[ScriptedCall, ...] = ()
    """The calls that are needed, in order; empty for a control task."""
    must_contain: tuple[str, ...] = ()
    """What the answer has to contain: values of the return, or words of a right explanation, where
    `a|b` stands for either."""
    match_mode: MatchMode = "all"
    """Whether every one of these is needed or one is enough."""
    prior: str | None = None
    """What somebody who does not look would say; None when the suite does not store it."""
    fields: tuple[str, ...] = ()
    """The fields of the return that `must_contain` was taken from; empty when not known."""
    entity: str | None = None
    """What the question is about."""
    register: str | None = None
    """How the question is put: terse, chatty, anchored, and so on."""
    trap: str | None = None
    """What a task of several turns tests: `chain`, `error` or `change`; None for one turn."""
    target: Label | None = None
    """The failure that the question invites; None when the suite does not say."""
    by_arguments: bool = False
    """Whether the tools answer by their arguments, so that only the right ones bring the record."""

    @property
    def question(self) -> str:
        """All that the user says."""
        return "\n".join(self.messages)

    @property
    def returned(self) -> Any:
        """The return of the last expected call; None for a control task."""
        return self.script[-1].returns if self.script else None


class TaskSuite(Struct, frozen=True):
    """Tasks with the tools and prompts of their domains."""

    name: str
    """What the suite is called in a report."""
    tasks: tuple[ToolTask, ...]
    """The tasks, in order."""
    tools: dict[str, tuple[OfferedTool, ...]]
    """Per domain: the tools that every task of it offers."""
    prompts: dict[str, str]
    """Per domain: the system prompt."""
    records: dict[str, tuple[ScriptedCall, ...]] = {}
    """Per domain: everything that its tools know; empty when they answer from the tasks alone."""
    missing_prompts: dict[str, str] = {}
    """Per domain: the prompt that its tasks name, where no such file is found."""
    field_names: tuple[str, ...] | None = None
    """The published program's list, for the published rule; None for the keys of each return."""


class Submission(Struct, frozen=True):
    """An answer that is an act: values, and what they rest on."""

    answer: tuple[str | int | float, ...]
    """Each thing that was asked for; empty where there is none."""
    basis: Basis
    """Where it comes from."""


class ToolAnswer(Struct, frozen=True):
    """A model's attempt at one task."""

    task_id: str
    calls: tuple[ExecutedCall, ...] = ()
    """Executed calls, in order; `submit` is none of them."""
    answer: str = ""
    """The final text."""
    refused: tuple[ExecutedCall, ...] = ()
    """Calls that were written and did not run: unknown, malformed or cut off. They bring nothing,
    and are still needless where none was needed."""
    submission: Submission | None = None
    """What was submitted, alone and once; None where nothing was that counts."""
    unsubmitted: bool = False
    """Whether `submit` was called in vain: not alone, more than once, or with other arguments."""

    @property
    def final(self) -> str:
        """All that a reader is given of the answer: the text, and the submission as JSON."""
        if self.submission is None:
            return self.answer
        submitted = msgspec.json.encode(self.submission).decode()
        return f"{self.answer}\n{submitted}" if self.answer else submitted


class FailureLabel(Struct, frozen=True):
    """The label of one answer, and why."""

    task_id: str
    label: Label | None
    """What became of the loop; None when the rater cannot say."""
    evidence: str
    """The spans and counts that decided, at most 300 characters, printable."""
    rule: str
    """Who says so: `submitted`, `paper`, `ensemble`, or a judge's name."""
    phantom: bool = False
    """Whether the text has the shape of a tool call, or claims one, that was not executed."""
    broken: bool = False
    """Whether the text is raw tokens or endless repetition."""
    variant: str | None = None
    """Where the field names of the published rule come from: `published list`, or the `return's
    keys`; None for other raters."""


class Labelled(Struct, frozen=True):
    """A label with what tables need to group it by."""

    task_id: str
    domain: str
    """Its field."""
    kind: TaskKind
    """Whether a tool had to be called."""
    label: Label | None
    """The label; None when the rater gave none."""
    called: bool = False
    """Whether any tool was executed."""
    phantom: bool = False
    """Whether a call was claimed and not executed."""
    broken: bool = False
    """Whether the answer is broken output."""
    trap: str | None = None
    """What a task of several turns tests."""
