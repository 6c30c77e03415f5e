"""BFCL: result files of the Berkeley Function-Calling Leaderboard."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.95 for results with their counts."""
    keys = set(head.keys)
    for line in head.lines[:5]:
        keys.update(line if isinstance(line, dict) else ())
    return 0.95 if keys >= {"id", "result", "input_token_count", "output_token_count"} else 0.0


FORMAT = Format(
    name="bfcl",
    title="BFCL result files (JSON lines), with the score file of the same run",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.bfcl.read"),
    by_line=lambda head: head.is_lines,
    description=(
        "Read: tokens and latency of every response, calls, results and errors of multi-turn "
        "tasks, the model (its folder), whether the task was solved (score/<model>/..._score.json "
        "beside result/). Missing: the prompt and schemas of single-turn tasks (hidden prompt), "
        "cache reads, reasoning, prices, times of tools, response ids."
    ),
)
