"""The tables of the ledger: every column with its type and its sentence.

Readers may rely on these names; a change that breaks them raises `SCHEMA_VERSION`.
"""

from agentdyno.records.columns import Column, ColumnType
from agentdyno.records.depth_tables import DEPTH, THOUGHT
from agentdyno.records.failures import FAILURES
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
    ("pte_ideal", "number", "`pte` if every token is prefilled once."),
    ("pte_growth_evicted", "number", "`pte_growth` if every turn prefills its whole context."),
    ("pte_growth_reported", "number", "`pte_growth` with the cache hits that were reported."),
    ("pte_growth_ideal", "number", "`pte_growth` if every token is prefilled once."),
    ("usd", "number", "Money by the dated price table; null where the model is unpriced."),
)

TRAJECTORIES = _table(
    ("trajectory_id", "text", "Unique within the ledger: the source's name, #, the place in it."),
    ("source", "text", "The file it came from."),
    ("format", "text", "The format it was read as."),
    ("model", "text", "The agent's model, as the trace names it."),
    ("benchmark", "text", "The task set."),
    ("variant", "text", "The tool suite, where several are compared."),
    ("task_id", "text", "The task, so that attempts at the same one can be paired."),
    ("attempt", "whole", "Which attempt at the task (trial, epoch)."),
    ("correct", "truth", "Whether the task was solved."),
    ("score", "number", "The mark as the trace gives it."),
    ("level", "text", "How hard the task is, where the benchmark grades that."),
    ("parent_id", "text", "The trajectory that started this one as a sub-agent."),
    ("turns", "whole", "Model calls."),
    ("calls", "whole", "Tool calls."),
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
    ("turn", "whole", "Its place in the trajectory, from 0."),
    ("model", "text", "The model that answered."),
    ("prefill_tokens", "whole", "Context tokens prefilled, under the cache assumption."),
    ("decode_tokens", "whole", "Tokens generated, reasoning included."),
    ("context_tokens", "whole", "Tokens in context before decoding starts."),
    ("cached_tokens", "whole", "Context tokens that the provider read from its cache."),
    ("cache_write_tokens", "whole", "Context tokens that the provider charged for caching."),
    ("reasoning_tokens", "whole", "Generated tokens that were reasoning, where reported."),
    ("token_source", "text", "`reported`, `counted` or `estimated`: the less certain of the two."),
    ("prefill_source", "text", "The source of the context's count."),
    ("decode_source", "text", "The source of the generated tokens' count."),
    ("latency_seconds", "number", "Generation only, tool time excluded."),
    ("first_token_seconds", "number", "Time to the first token."),
    ("latency_valid", "truth", "False: whoever took the times was too busy to be believed."),
    ("started_at", "number", "When the call was sent, in seconds since 1970."),
    ("ended_at", "number", "When the answer was complete, in seconds since 1970."),
    ("finish", "text", "Why the model stopped."),
    ("error", "text", "What went wrong with the model call."),
    ("calls", "whole", "Tool calls that the turn made."),
    ("gamma", "number", "Gamma at this turn's context, windows of the model taken into account."),
    *_COSTS,
)

CALLS = _table(
    ("trajectory_id", "text", "The trajectory."),
    ("turn", "whole", "The turn that made the call."),
    ("call", "whole", "Its place among the calls of that turn, from 0."),
    ("call_id", "text", "The provider's id; null when missing, not always unique."),
    ("tool", "text", "The tool's name, as the model wrote it."),
    ("executed", "truth", "Whether the tool ran."),
    ("error", "text", "What went wrong, in the words of the trace; null when nothing is known to."),
    ("request_tokens", "number", "Tokens of the request."),
    ("result_tokens", "number", "Tokens of the result; null when there is none."),
    ("wait_seconds", "number", "How long the tool took."),
    ("started_at", "number", "When the tool was started, in seconds since 1970."),
    ("ended_at", "number", "When the tool was done, in seconds since 1970."),
    ("pte", "number", "Share of the trajectory's `pte`: request and result."),
    ("pte_growth", "number", "Share of the trajectory's `pte_growth`."),
)

PARTS = _table(
    ("trajectory_id", "text", "The trajectory."),
    ("part", "whole", "Its place among the trajectory's parts, from 0; unseen ones come last."),
    ("kind", "text", "system, schema, user, reasoning, text, request, result or unseen."),
    ("name", "text", "The tool of a schema, a request or a result."),
    ("turn", "whole", "The turn that made it, or the first that had it in context."),
    ("call", "whole", "The call within that turn, for a request or a result."),
    ("tokens", "number", "Its size; a fraction where a total was split."),
    ("token_source", "text", "`reported`, `counted`, `estimated` or `scaled`."),
    ("made", "whole", "The turn that decoded it."),
    ("enters", "whole", "The first turn that has it in context."),
    ("leaves", "whole", "The first later turn without it; null when it stays to the end."),
    ("pte", "number", "Share of the trajectory's `pte`."),
    ("pte_growth", "number", "Share of the trajectory's `pte_growth`."),
)

BAD_RECORDS = _table(
    ("source", "text", "The file."),
    ("place", "text", "Line, index or entry."),
    ("expected", "text", "What should have been there."),
    ("found", "text", "What was there."),
    ("format", "text", "The format it was read as."),
)

TABLES: dict[str, tuple[Column, ...]] = {
    "trajectories": TRAJECTORIES,
    "turns": TURNS,
    "calls": CALLS,
    "parts": PARTS,
    "bad_records": BAD_RECORDS,
}
"""Written by `measure`."""

DERIVED: dict[str, tuple[Column, ...]] = {
    "patterns": PATTERNS,
    "failures": FAILURES,
    "verdicts": VERDICTS,
    "rollouts": ROLLOUTS,
    "scheduling": SCHEDULING,
    "dependencies": DEPENDENCIES,
    "joins": JOINS,
    "planning": PLANNING,
    "placements": PLACEMENTS,
    "depth": DEPTH,
    "thought": THOUGHT,
}
"""Added later by other verbs, each with files of its own."""
