"""ATIF steps into builder events.

An agent's step is a turn, unless it was copied from an earlier trajectory or no model was asked
(`llm_call_count` 0): then it is context. An observation without tool calls is text given to the
model. Steps are stamped at a moment the format leaves open, so there are no latencies.

A step may stand for several model calls whose counts were added up. It becomes as many turns,
each with an equal share flagged `scaled`: the sum is as reported, the split is not known.
"""

from collections.abc import Sequence
from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.formats.atif.wire import Agent, Call, Metrics, Reference, Result, Step
from agentdyno.intake.texts import (
    arguments_of,
    error_in,
    first,
    first_line,
    flat_text,
    function_schemas,
    whole,
)
from agentdyno.records import PartKind, TokenCount, UnreadableError, printable, read_reported

MAX_CALLS = 1000
"""More model calls than this in one step are a damaged number, not an agent."""


def turns_of(step: Step) -> list[dict[str, Any]]:
    """The fields of every turn that the step stands for, the last one with what is visible."""
    count = 1 if step.llm_call_count is None else step.llm_call_count
    if not 1 <= count <= MAX_CALLS:
        raise UnreadableError(f"llm_call_count from 0 to {MAX_CALLS}", printable(str(count), 40))
    totals = _totals(step.metrics) if step.metrics is not None else {}
    if count == 1:
        return [_count(totals)]
    shares = {name: _split(total, count) for name, total in totals.items() if total is not None}
    return [_share({name: share[i] for name, share in shares.items()}) for i in range(count)]


def _totals(metrics: Metrics) -> dict[str, Any]:
    prompt, cached = whole(metrics.prompt_tokens), whole(metrics.cached_tokens)
    decoded = whole(metrics.completion_tokens)
    cost = metrics.cost_usd or None
    if not prompt and not decoded:
        # Zero usage with an answer means that nobody counted.
        return {"reported_usd": cost}
    if prompt is not None and cached is not None and cached > prompt:
        # More cached than sent cannot be: this producer left the cached ones out.
        prompt += cached
    extra = metrics.extra if isinstance(metrics.extra, dict) else {}
    thought = first((extra.get("reasoning_tokens"), extra.get("reasoning_output_tokens")))
    return {
        "prefill": prompt,
        "cached_tokens": cached,
        "cache_write_tokens": whole(extra.get("cache_creation_input_tokens")),
        "decode": decoded,
        "reasoning_tokens": whole(thought),
        "reported_usd": cost,
    }


def _count(totals: dict[str, Any]) -> dict[str, Any]:
    counts = [name for name in totals if name in ("prefill", "decode")]
    return {**totals, **{name: read_reported(totals[name]) for name in counts}}


def _split(total: int | float, count: int) -> Sequence[int | float]:
    """Equal shares; what does not divide goes to the last."""
    if isinstance(total, float):
        return [total / count] * count
    share = total // count
    return [share] * (count - 1) + [total - share * (count - 1)]


def _share(share: dict[str, Any]) -> dict[str, Any]:
    counts = [name for name in share if name in ("prefill", "decode")]
    return {**share, **{name: TokenCount(share[name], "scaled") for name in counts}}


class Run:
    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.builder = TrajectoryBuilder()
        self.started: dict[str, str] = {}
        """Sub-agents by the id that a result names, each with the call that it answers."""
        self.builder.offer(function_schemas(agent.tool_definitions))

    def take(self, step: Step) -> None:
        if step.source == "agent":
            if step.is_copied_context or step.llm_call_count == 0:
                self._give_history(step)
            else:
                self._take_turn(step)
        elif step.source == "user":
            self._give("user", flat_text(step.message))
            self._give_observation(step)
        elif step.source == "system":
            self._take_system(step)
        else:
            raise UnreadableError("source system, user or agent", repr(printable(step.source, 40)))

    # The agent ----------------------------------------------------------------------------------

    def _take_turn(self, step: Step) -> None:
        builder, turns = self.builder, turns_of(step)
        for fields in turns:
            builder.turn(step.model_name or self.agent.model_name, **fields)
        hidden = turns[-1].get("reasoning_tokens")
        if step.reasoning_content or hidden:
            # Nothing says that it was sent back, and chat completions do not take it.
            builder.reasoning(step.reasoning_content or "", resent=False, tokens=hidden)
        if text := flat_text(step.message):
            builder.text(text)
        calls = step.tool_calls or []
        produced = [
            builder.call(c.function_name or "", arguments_of(c.arguments), c.tool_call_id)
            for c in calls
        ]
        if not calls:
            self._give_observation(step)
        elif step.observation is not None:
            self._take_results(calls, produced, step.observation.results)

    def _take_results(self, calls: list[Call], produced: list[int], results: list[Result]) -> None:
        named = {result.source_call_id for result in results}
        waiting = [call for call in calls if call.tool_call_id not in named]
        for result in results:
            call_id = result.source_call_id
            text = flat_text(result.content)
            if call_id is None and not waiting:
                self._give("user", text)
                continue
            if call_id is None:
                call_id = waiting.pop(0).tool_call_id
            if call_id is not None:
                self.started |= dict.fromkeys(_find_named_agents(result), call_id)
            self.builder.result(text, call_id, error=_error(result, text))
        if len(results) == 1 and results[0].source_call_id is None:
            # One screen for all commands of the step: each was run, none has a text of its own.
            for index in produced:
                self.builder.annotate(index, executed=True)

    def _give_history(self, step: Step) -> None:
        """In the context, but no model decoded it in this trajectory."""
        self._give("text", flat_text(step.message))
        for call in step.tool_calls or ():
            written = f"{call.function_name or ''} {arguments_of(call.arguments)}"
            self.builder.given("request", written, call.function_name)
        kind: PartKind = "result" if step.tool_calls else "user"
        self._give_observation(step, kind)

    # What is given ------------------------------------------------------------------------------

    def _take_system(self, step: Step) -> None:
        boundary = _boundary(step)
        if boundary is None:
            self._give("system", flat_text(step.message))
        elif boundary == "replace":
            # By the format's own rule, the observation stands for all that was before.
            self._forget(keep=set())
        elif boundary == "handoff":
            self._forget(keep=self._first_user())
        self._give_observation(step)

    def _forget(self, keep: set[int]) -> None:
        kinds = enumerate(self.builder.parts.column("kind"))
        self.builder.retire([i for i, kind in kinds if kind != "schema" and i not in keep])

    def _first_user(self) -> set[int]:
        """Terminus hands over with its first prompt, which holds the instructions and the task."""
        kinds = self.builder.parts.column("kind")
        systems = {i for i, kind in enumerate(kinds) if kind == "system"}
        return systems | ({kinds.index("user")} if "user" in kinds else set())

    def _give_observation(self, step: Step, kind: PartKind = "user") -> None:
        for result in step.observation.results if step.observation is not None else ():
            self._give(kind, flat_text(result.content))

    def _give(self, kind: PartKind, text: str) -> None:
        if text:
            self.builder.given(kind, text)


def _boundary(step: Step) -> str | None:
    """The change of context by a system step; None for one that is a text of its own."""
    extra = step.extra if isinstance(step.extra, dict) else {}
    declared = extra.get("context_management")
    if isinstance(declared, dict):
        return str(declared.get("boundary"))
    refs = _references(step)
    if any("summarization" in _place(reference) for reference in refs):
        return "handoff"
    return "delegation" if refs else None


def _references(step: Step) -> list[Reference]:
    references: list[Reference] = []
    for result in step.observation.results if step.observation is not None else ():
        refs = result.subagent_trajectory_ref
        references += refs if isinstance(refs, list) else [refs] if refs is not None else []
    return references


def _place(reference: Reference) -> str:
    return reference.trajectory_path or reference.trajectory_id or reference.session_id or ""


def _error(result: Result, text: str) -> str | None:
    """The format has no flag; producers put one into `extra`, or the text tells."""
    extra: dict[str, Any] = result.extra if isinstance(result.extra, dict) else {}
    reported = extra.get("error")
    if isinstance(reported, str) and reported:
        return first_line(reported) or "error"
    if (
        reported is True
        or extra.get("is_error") is True
        or extra.get("status") in ("error", "failed")
    ):
        return first_line(text) or "error"
    code = extra.get("exit_code", extra.get("returncode"))
    if isinstance(code, int) and code != 0:
        return f"exit code {code}"
    return error_in(text)


def _find_named_agents(result: Result) -> list[str]:
    """Names of the sub-agents whose work a result is."""
    refs = result.subagent_trajectory_ref or []
    named = refs if isinstance(refs, list) else [refs]
    return [word for ref in named for word in (ref.trajectory_id, ref.session_id) if word]
