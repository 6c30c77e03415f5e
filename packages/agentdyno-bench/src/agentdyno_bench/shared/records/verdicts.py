"""A judge's recorded answer, as a value.

A verdict is recorded once and never recomputed: it names the judge, the model behind it and the
digest of what it was asked, so that a changed rubric or trace gives another verdict.
"""

from msgspec import Struct

VerdictKind = str
"""What was judged. Ours: `utility`, whether a call helped; `failure`, how a trajectory failed;
`answer`, whether the answer is right; `completion`, whether subtasks were completed."""


class Verdict(Struct, frozen=True, kw_only=True):
    """One answer of one judge on one thing."""

    kind: VerdictKind
    """What was judged."""
    trajectory_id: str
    """The trajectory, or the task where answers were judged without a trace."""
    turn: int | None = None
    """The turn of the call that was judged; None when the whole trajectory was."""
    call: int | None = None
    """The call within that turn; None when the whole trajectory was."""
    judge: str
    """Name of the judge: a framing of the rubric, unique in its ensemble."""
    model: str
    """The model that answered, as its provider names it."""
    label: str | None
    """What the judge says; None when its answer could not be read."""
    confidence: float | None = None
    """How sure it says it is, from 0 to 1; None when it does not say."""
    score: float | None = None
    """Share of the task's parts that are done, from 0 to 1; None where no parts are marked."""
    tool_selection: int | None = None
    """Were the right tools called with the right arguments? From 0 to 3, as ToolFailBench's judges
    score a task that needs a tool; None where that is not asked, or was not answered."""
    result_faithfulness: int | None = None
    """Does the answer reflect what the tools returned? The same, where an expected tool ran."""
    answer_correctness: int | None = None
    """Is the answer right and helpful? The same, of every task whose truth is known."""
    rationale: str = ""
    """Its reason in its own words, shortened and printable."""
    problem: str | None = None
    """Why there is no label; None when there is one."""
    rubric: str
    """Digest of the instructions that the judge was given."""
    digest: str
    """Digest of everything that decides the verdict: rubric, trace and model."""
    attempts: int = 1
    """Model calls that it took: 1, 2 when the first answer had to be repaired, and 0 when nobody
    was asked because nobody could say."""
    cached: bool = False
    """Whether it was read from the store instead of asked for."""
