"""A judge's recorded answer, as a value, and the ledger table that keeps them.

A verdict is recorded once and never recomputed: it names the judge, the model behind it and the
digest of what it was asked, so that a changed rubric or trace gives another verdict.
"""

from msgspec import Struct

from agentdyno.records.columns import Column

ANSWERS_FILE = "judging/answers.jsonl"
"""The file of a ledger with every answer of a judge that was paid for."""

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


SCORES = {
    "tool_selection": "Whether the right tools were called with the right arguments",
    "result_faithfulness": "Whether the answer reflects what the tools returned",
    "answer_correctness": "Whether the answer is right",
}
"""What judges of failures score from 0 to 3, as in ToolFailBench."""
VERDICTS: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("turn", "whole", "The turn of the judged call; null when the trajectory was judged."),
    Column("call", "whole", "The call within that turn; null when the trajectory was judged."),
    Column("kind", "text", "`utility`, `failure`, `answer`, `completion`, or a plug-in's."),
    Column("judge", "text", "Name of the judge."),
    Column("model", "text", "The model that answered."),
    Column("label", "text", "What the judge says; null when its answer could not be read."),
    Column("confidence", "number", "How sure it says it is, from 0 to 1."),
    Column("score", "number", "Share of the task's parts that are done; null for other kinds."),
    *(
        Column(name, "whole", f"{about}, from 0 to 3; null where that is not asked.")
        for name, about in SCORES.items()
    ),
    Column("rationale", "text", "Its reason, shortened."),
    Column("problem", "text", "Why there is no label."),
    Column("rubric", "text", "Digest of the instructions."),
    Column("digest", "text", "Digest of rubric, trace and model."),
    Column("attempts", "whole", "Model calls that it took; 0 when nobody was asked."),
    Column("cached", "truth", "Whether it was read from the store."),
)
