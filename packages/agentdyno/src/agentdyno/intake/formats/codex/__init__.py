"""Codex: rollout files of sessions, forks and sub-agents, and the event stream of `codex exec`."""

from agentdyno.intake.format import Format, follower_in, reader_in, scanner_in
from agentdyno.intake.formats.codex.detect import detect

FORMAT = Format(
    name="codex",
    title="Codex sessions (rollout JSONL, also .zst) and `codex exec --json` streams",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.codex.read"),
    follow=follower_in("agentdyno.intake.formats.codex.read", "RolloutReader"),
    totals=scanner_in("agentdyno.intake.formats.codex.totals"),
    description=(
        "Read: tokens per response with cache reads, cache writes and reasoning (differences of "
        "the running total), calls, results, exit codes, tool times where the output or an event "
        "states them, compactions, rollbacks, sub-agents. What a fork or a sub-agent copies from "
        "its parent is context, not usage. Missing: tool schemas (only dynamic tools are "
        "recorded), response ids, prices. Hidden prompt is therefore the rest of the reported "
        "input; responses without a count are counted from their text. An exec stream has one "
        "count for each user turn: its model calls are one turn."
    ),
    version=4,
)
