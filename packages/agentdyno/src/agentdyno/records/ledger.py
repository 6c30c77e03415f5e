"""The tables of the ledger: every column with its type and its sentence.

Readers may rely on these names; a change that breaks them raises `SCHEMA_VERSION`.
"""

from agentdyno.records.columns import Column, ColumnType
from agentdyno.records.depth_tables import DEPTH, LAYER_DISTANCES
from agentdyno.records.failures import FAILURES
from agentdyno.records.files import FILES
from agentdyno.records.origins import ORIGINS
from agentdyno.records.patterns import PATTERNS
from agentdyno.records.scheduling import DEPENDENCIES, JOINS, PLACEMENTS, PLANNING, SCHEDULING
from agentdyno.records.utility import ROLLOUTS
from agentdyno.records.verdicts import VERDICTS

SCHEMA_VERSION = 1


def _table(*columns: tuple[str, ColumnType, str]) -> tuple[Column, ...]:
    return tuple(Column(*column) for column in columns)


_COSTS: tuple[tuple[str, ColumnType, str], ...] = (
    ("pte", "number", "Cost in prefill-token equivalents under the ledger's cache assumption."),
    ("pte_growth", "number", "The same with the tokens each turn adds to its own context."),
    ("pte_evicted", "number", "`pte` if every turn prefills its whole context."),
    ("pte_reported", "number", "`pte` with the cache hits that the provider reported."),
    ("pte_kept", "number", "`pte` if a turn prefills only what is new since the one before."),
    ("pte_growth_evicted", "number", "`pte_growth` if every turn prefills its whole context."),
    ("pte_growth_reported", "number", "`pte_growth` with the cache hits that were reported."),
    ("pte_growth_kept", "number", "`pte_growth` if a turn prefills only what is new to it."),
    ("usd", "number", "Money by the dated price table; without a price, what was reported."),
    ("reported_usd", "number", "Money as the trace itself says it, where it does."),
)

FORMER_NAMES = {"pte_kept": "pte_ideal", "pte_growth_kept": "pte_growth_ideal"}
"""Columns by the names that they have in older ledgers; readers see today's."""

TRAJECTORIES = _table(
    ("trajectory_id", "text", "Unique within the ledger: the source's name, #, the place in it."),
    ("source", "text", "The file it came from."),
    ("format", "text", "The format it was read as."),
    ("model", "text", "The agent's model, as the trace names it."),
    ("benchmark", "text", "The task set."),
    ("variant", "text", "The tool suite, where several are compared."),
    ("harness", "text", "The program that ran the agent, where it is not the format's own."),
    ("task_id", "text", "The task, so that attempts at the same one can be paired."),
    ("attempt", "whole", "Which attempt at the task (trial, epoch)."),
    ("correct", "truth", "Whether the task was solved."),
    ("score", "number", "The mark as the trace gives it."),
    ("graded_by", "text", "How the mark was decided, in the scorer's words."),
    ("level", "text", "How hard the task is, where the benchmark grades that."),
    ("title", "text", "The session's own title, or how the first prompt of a user begins."),
    ("project", "text", "The folder that the agent worked in, as the trace names it."),
    ("branch", "text", "The version control branch that it began on."),
    ("started_at", "number", "When its first turn was sent or answered, in seconds since 1970."),
    ("ended_at", "number", "When its last turn was answered, in seconds since 1970."),
    ("session_id", "text", "The session, conversation or sample that it is."),
    ("agent_id", "text", "The sub-agent's own id within its session."),
    ("parent_id", "text", "The trajectory that started this one as a sub-agent."),
    ("parent_call_id", "text", "The provider's id of the call that started it as a sub-agent."),
    ("relation", "text", "`sub-agent`, `fork` (shares a beginning), `resumed` (the rest of one)."),
    ("continues_id", "text", "The trajectory that a fork branched off or a resumed one goes on."),
    ("begins_midway", "truth", "Whether conversation went before what the file shows."),
    ("line", "whole", "The line of the source that it begins in, where read by line."),
    ("stated", "text", "Fields that --set stated because the trace does not say them."),
    ("turns", "whole", "Model calls."),
    ("calls", "whole", "Tool calls."),
    ("reported_calls", "whole", "Tool calls that whoever started it says it made."),
    ("coverage", "text", "`lower_bound`: some of its responses are in no trace; null: none is."),
    ("retries", "whole", "Model calls that failed without an answer; they are no turns."),
    ("prefill_tokens", "whole", "Tokens prefilled over all turns, under the cache assumption."),
    ("decode_tokens", "whole", "Tokens generated over all turns."),
    ("cached_tokens", "whole", "Tokens read from the provider's cache over all turns."),
    ("token_source", "text", "The least certain source among its turns' token counts."),
    ("latency_seconds", "number", "Generation time of all turns; null when any is unknown."),
    ("wait_seconds", "number", "Tool time of all calls; null when any is unknown."),
    *_COSTS,
    ("gamma", "number", "Cost of one pair of context and decoded token, in prefilled tokens."),
    ("gamma_source", "text", "`model`, `proxy`, `user` or `measured`."),
    ("architecture", "text", "The architecture that gamma was computed from."),
)

TURNS = _table(
    ("trajectory_id", "text", "The trajectory."),
    ("turn", "whole", "Its place among the trajectory's turns that count, from 0."),
    ("identity", "text", "What makes it that response wherever it stands: ids, or a digest."),
    ("response_id", "text", "The provider's id of the response."),
    ("request_id", "text", "The provider's id of the request."),
    ("stands_for", "text", "Set where a bare total and the response itself may both be written."),
    ("line", "whole", "The line of the source that it begins in, where read by line."),
    ("model", "text", "The model that answered."),
    ("prefill_tokens", "whole", "Context tokens prefilled, under the cache assumption."),
    ("decode_tokens", "whole", "Tokens generated, reasoning included."),
    ("context_tokens", "whole", "Tokens in context before decoding starts."),
    (
        "cached_tokens",
        "whole",
        "Context tokens read from the provider's cache, as it or neighbours say.",
    ),
    ("cache_write_tokens", "whole", "Context tokens that the provider charged for caching."),
    ("cache_write_hour_tokens", "whole", "How many of those were to be kept for an hour."),
    ("service_tier", "text", "The terms it was served at (`batch`, `fast+us`), as reported."),
    ("web_searches", "whole", "Web searches that the provider ran for it, charged each."),
    ("usd_source", "text", "`list` by the price table, `reported` by the trace."),
    ("reasoning_tokens", "whole", "Generated tokens that were reasoning, where reported."),
    ("token_source", "text", "`reported`, `counted` or `estimated`: the less certain of the two."),
    ("prefill_source", "text", "The source of the context's count."),
    ("decode_source", "text", "The source of the generated tokens' count."),
    ("decode_factor", "number", "Generated tokens over those counted; null where reported."),
    ("decode_spread", "number", "Standard deviation of one such estimate, as a share of it."),
    ("decode_bias", "number", "Standard error that a model's estimates share, as a share."),
    ("latency_seconds", "number", "Generation only, tool time excluded."),
    ("first_token_seconds", "number", "Time to the first token."),
    ("latency_valid", "truth", "False: whoever took the times was too busy to be believed."),
    ("started_at", "number", "When the call was sent, in seconds since 1970."),
    ("ended_at", "number", "When the answer was complete, in seconds since 1970."),
    ("finish", "text", "Why the model stopped."),
    ("error", "text", "What went wrong with the model call."),
    ("thinking", "truth", "Whether the request asked for thinking; null when unsaid."),
    ("client_version", "text", "The version of the agent's program that sent it."),
    (
        "context_event",
        "text",
        "Logged before it: compacted, cleared, rewound, restarted, or another provider asked.",
    ),
    ("cache_miss_reason", "text", "Why the cache was missed, in the provider's word."),
    ("calls", "whole", "Tool calls that the turn made."),
    ("answered", "whole", "How many of these have a result."),
    ("first_scale", "number", "Factor on the sizes of the parts that stood in the first turn."),
    ("later_scale", "number", "Factor on the sizes of the parts that were added since."),
    ("unseen_tokens", "number", "Context tokens that no part of the trace accounts for."),
    ("unseen_decode_tokens", "number", "Generated tokens that no part accounts for."),
    ("gamma", "number", "Gamma at this turn's context, windows of the model taken into account."),
    *_COSTS,
    ("usd_input", "number", "Of `usd`, for context that was neither cached nor written."),
    ("usd_read", "number", "Of `usd`, for context that was read from the cache."),
    ("usd_write", "number", "Of `usd`, for context that was written to the cache."),
    ("usd_output", "number", "Of `usd`, for generated tokens and web searches."),
)

CALLS = _table(
    ("trajectory_id", "text", "The trajectory."),
    ("turn", "whole", "The turn that made the call."),
    ("call", "whole", "Its place among the calls of that turn, from 0."),
    ("call_id", "text", "The provider's id; null when missing, not always unique."),
    ("line", "whole", "The line of the source that it stands in, where read by line."),
    ("tool", "text", "The tool's name, as the model wrote it."),
    ("subject_kind", "text", "What it is about: a file, command, search, web page, sub-agent, …"),
    ("subject", "text", "Which: the path, the program and its subcommand, the address, the name."),
    ("executed", "truth", "Whether the tool ran."),
    ("error", "text", "What went wrong, in the words of the trace; null when nothing is known to."),
    ("harness", "text", "What the agent's program answered in the tool's place, if it did."),
    ("request_tokens", "number", "Tokens of the request."),
    ("result_tokens", "number", "Tokens of the result; null when there is none."),
    ("wait_seconds", "number", "How long the tool took."),
    ("started_at", "number", "When the tool was started, in seconds since 1970."),
    ("ended_at", "number", "When the tool was done, in seconds since 1970."),
    ("pte", "number", "Share of the trajectory's `pte`: request and result."),
    ("pte_growth", "number", "Share of the trajectory's `pte_growth`."),
    ("usd", "number", "Share of the trajectory's `usd`; null where a turn has no listed price."),
)

PARTS = _table(
    ("trajectory_id", "text", "The trajectory."),
    ("part", "whole", "Its place among the trajectory's parts, from 0; unseen ones come last."),
    ("kind", "text", "system, schema, user, reasoning, text, request, result or unseen."),
    ("name", "text", "The tool; for unseen: `prompt`, `earlier` (than the file) or `decoded`."),
    ("turn", "whole", "The turn that made it, or the first that had it in context."),
    ("call", "whole", "The call within that turn, for a request or a result."),
    ("line", "whole", "The line of the source that it stands in, where read by line."),
    ("tokens", "number", "Its size; a fraction where a total was split."),
    ("token_source", "text", "`reported`, `counted`, `estimated` or `scaled`."),
    ("made", "whole", "The turn that decoded it."),
    ("enters", "whole", "The first turn that has it in context."),
    ("leaves", "whole", "The first later turn without it; null when it stays to the end."),
    ("pte", "number", "Share of the trajectory's `pte`."),
    ("pte_growth", "number", "Share of the trajectory's `pte_growth`."),
    ("usd", "number", "Share of the trajectory's `usd`; null where a turn has no listed price."),
)

BAD_RECORDS = _table(
    ("source", "text", "The file."),
    ("place", "text", "Line, index or entry."),
    ("expected", "text", "What should have been there."),
    ("found", "text", "What was there."),
    ("format", "text", "The format it was read as."),
)

REPEATS = _table(
    ("trajectory_id", "text", "The trajectory in which the response stands again."),
    ("turn", "whole", "Its place there, as it was read, from 0; it counts in no other table."),
    ("identity", "text", "What makes it that response."),
    ("counted_id", "text", "The trajectory in which it counts."),
    ("counted_turn", "whole", "Its place there, as it was read."),
    ("source", "text", "The file in which it stands again."),
    ("line", "whole", "The line it begins in, where read by line."),
    ("calls", "whole", "Tool calls that the response made."),
    ("decode_tokens", "whole", "Tokens generated, as this occurrence has them."),
    ("context_tokens", "whole", "Tokens in context, as this occurrence has them."),
)

BYTE_EQUAL = r"^[0-9a-f]{16} "
"""How an identity begins that rests on a file's contents alone: no id and no time is in it."""

KIN = ("parent_id", "parent_call_id", "relation", "continues_id", "coverage")
"""Columns of `trajectories` that are known only when all files are read."""

COUNTED: dict[str, tuple[Column, ...]] = {
    "trajectories": TRAJECTORIES,
    "turns": TURNS,
    "calls": CALLS,
    "parts": PARTS,
}
"""The tables that a ledger adds up: every response once."""

HELD = "held_"
"""Before the name of a table: the rows as they were read, of trajectories that repeat responses
which count elsewhere. Kept so that they count again should that other place change."""

TABLES: dict[str, tuple[Column, ...]] = {
    **COUNTED,
    "bad_records": BAD_RECORDS,
    "repeats": REPEATS,
    **{HELD + name: columns for name, columns in COUNTED.items()},
}
"""Written by `measure`."""

SPARSE = frozenset({"repeats", *(HELD + name for name in COUNTED)})
"""Tables of which a volume has no file unless it has rows."""

SECONDS = _table(
    ("gpu_seconds", "number", "Seconds taken from the GPU: what adds up over models."),
    ("gpu_seconds_prefill", "number", "Of these, for prefilling, in seconds."),
    ("gpu_seconds_step", "number", "Of these, its share of decoding steps, in seconds."),
    ("gpu_seconds_cache", "number", "Of these, for reading the cache, in seconds."),
    ("gpu_seconds_waiting", "number", "Of these, on the way in and out, in seconds."),
    ("gpu_usd", "number", "`gpu_seconds` at the hardware's price an hour; null without one."),
    ("gpu_concurrency", "whole", "How many are served at once: what the seconds are shared by."),
    ("gpu_seconds_source", "text", "`measured`, `transferred` from another model, or `theory`."),
)
"""Columns that a view adds to `trajectories` and `turns` (`agentdyno export --table`); no file has
them, because they change with the hardware and the concurrency that are chosen."""

DERIVED: dict[str, tuple[Column, ...]] = {
    "files": FILES,
    "patterns": PATTERNS,
    "paper_patterns": PATTERNS,
    "origins": ORIGINS,
    "failures": FAILURES,
    "verdicts": VERDICTS,
    "rollouts": ROLLOUTS,
    "scheduling": SCHEDULING,
    "dependencies": DEPENDENCIES,
    "joins": JOINS,
    "planning": PLANNING,
    "placements": PLACEMENTS,
    "depth": DEPTH,
    "layer_distances": LAYER_DISTANCES,
}
"""Added later by other verbs, each with files of its own."""

REBUILT = frozenset(
    {
        "patterns",
        "paper_patterns",
        "origins",
        "scheduling",
        "dependencies",
        "joins",
        "planning",
        "placements",
        "files",
    }
)
"""Of these, what is made from the traces and their costs by whoever asks next; the others were paid
for."""

FORMER_TABLES = {"layer_distances": "thought"}
"""Derived tables by the names that they have in older ledgers, on disk and in the manifest."""

REMOVED_TABLES = ("quotes",)
"""Derived tables of older ledgers that nothing reads any more."""

FILLED = (
    "request_id", "started_at", "ended_at", "latency_seconds", "first_token_seconds",
    "reported_usd", "service_tier",
)  # fmt: skip
"""Columns of `turns` that the occurrence of a response that counts takes over from others, where it
does not say them itself. Generated tokens that only another one has counted come on top."""
CALL_TIMES = ("wait_seconds", "started_at", "ended_at")
"""Columns of `calls` that are taken over likewise."""
