"""The ledger table of verdicts, and the file that keeps what judges answered."""

from agentdyno.records.columns import Column

ANSWERS_FILE = "judging/answers.jsonl"
"""The file of a ledger with every answer of a judge that was paid for."""

SCORES = {
    "tool_selection": "Whether the right tools were called with the right arguments",
    "result_faithfulness": "Whether the answer reflects what the tools returned",
    "answer_correctness": "Whether the answer is right",
}
"""Criteria that judges of failures score from 0 to 3, as in ToolFailBench."""
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
