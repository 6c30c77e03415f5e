"""An agent at work: select tools, then turn after turn until it submits or the limit is reached.

An agent names its tools itself, a rule does, or it gets all. A model that selects sees names and
descriptions of every tool and answers with names. Names it invents are dropped and
counted; beyond the limit, the rest is cut and counted. `submit` is offered besides and never shown
to a selection: its fields would say what to look for. Whoever answers in words instead is reminded
of it once. Under `answers="prose"` there is no such tool, and the first turn without calls answers.
"""

import re
import time
from collections.abc import Container, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    execute_tools,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall
from inspect_ai.util import store
from msgspec import Struct

from agentdyno_bench.shared.prompts import fill
from agentdyno_bench.tps.briefs import (
    BY_SUBMIT,
    IN_PROSE,
    ONE_BY_ONE,
    REMINDER,
    TOGETHER,
    write_brief,
)
from agentdyno_bench.tps.pool import Pool, PoolTool, ServerDiedError, open_shared_pool
from agentdyno_bench.tps.run.offering import Bench
from agentdyno_bench.tps.run.options import TpsOptions
from agentdyno_bench.tps.world.kit.ranking import Ranking

if TYPE_CHECKING:
    from inspect_ai.tool import ToolDef

CUT_OFF = ("max_tokens", "model_length")
"""Why an answer ended that had more to say."""
RECORD = "tps"
"""Where a sample's record stands in its store."""
PROMPT = """These tools are available, one per line, with what each does:

{tools}

A user will ask for the following:

{prompt}

Which tools are needed to do all of it? Write only their names, one per line, the most important \
first, at most {most}. Write nothing else."""


class Chosen(Struct, frozen=True):
    """The outcome of a selection."""

    names: list[str]
    """Tools that the agent gets."""
    unknown: int = 0
    """Names that no tool has."""
    cut: int = 0
    """Tools named beyond the limit."""


def question(prompt: str, tools: Iterable[PoolTool], most: int, template: str | None = None) -> str:
    """The prompt for the selection of tools."""
    lines = "\n".join(f"{tool.name}: {tool.description}" for tool in tools)
    values = {"tools": lines, "prompt": prompt, "most": str(most)}
    return fill(template, values) if template else PROMPT.format(**values)


def read_selection(answer: str, available: Iterable[str], most: int) -> Chosen:
    """The names in an answer, in its order: one a line, numbered, in JSON, in a sentence, with
    reasons behind them. A tool that only a reason mentions, or that is ruled out, is left."""
    names, unknown = list[str](), list[str]()
    offered = {name.lower(): name for name in available}
    for piece in re.split(r"[\n,;|]|\s(?:and|&)\s", answer):
        for word in _selected_words(piece, offered):
            listed = names if word.lower() in offered else unknown
            name = offered.get(word.lower(), word)
            listed += [] if name in listed else [name]
    return Chosen(names[:most], len(unknown), max(0, len(names) - most))


_WORD = re.compile(r"[A-Za-z]\w*")
_RULED_OUT = re.compile(
    r"\b(?:no|not|without|except|unlike|skip|instead|than|why|reason\w*)\b", re.I
)


def _selected_words(piece: str, offered: Container[str]) -> Iterator[str]:
    """Names at the beginning of a piece, or in a sentence that does not begin with one."""
    piece = piece.replace("functions.", "")
    for match in _WORD.finditer(piece):
        if _RULED_OUT.search(piece[: match.start()]):
            return
        if match[0].lower() in offered or "_" in match[0]:
            yield match[0]
            if not _WORD.search(piece[: match.start()]):
                return  # What follows is why.


class RuleSelection:
    """The tools whose names and descriptions match a task best, by BM25."""

    def __init__(self, tools: Iterable[PoolTool]) -> None:
        self._names = [tool.name for tool in tools]
        texts = [f"{t.name.replace('_', ' ')} {t.description}" for t in tools]
        self._ranking = Ranking(texts) if texts else None

    def select(self, prompt: str, most: int) -> Chosen:
        """At most so many tools, best first."""
        best = self._ranking.best(prompt, most) if self._ranking else ()
        return Chosen([self._names[index] for index in best])


@solver
def plan_and_schedule(options: TpsOptions) -> Solver:
    """The agent."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        import asyncio

        pool = await asyncio.to_thread(open_shared_pool, options.pool)
        began = time.perf_counter()
        first, deaths = list(state.messages), list[str]()
        while True:
            workspace = f"{state.sample_id}-{state.uuid}-{len(deaths)}"
            store().set("tps_workspace", workspace)
            try:
                record = await _attempt(state, pool, workspace, options)
            except Exception as error:
                died = _death(error)
                if died is None or len(deaths) == options.retries:
                    raise error if died is None else died from None
                deaths.append(str(died))
                await pool.forget(workspace)
                state.messages = list(first)
            else:
                seconds = round(time.perf_counter() - began, 4)
                store().set(RECORD, record | {"wall_seconds": seconds, "deaths": deaths})
                return state

    return solve


async def _attempt(
    state: TaskState, pool: Pool, workspace: str, options: TpsOptions
) -> dict[str, Any]:
    bench = Bench(pool, workspace, options.scheduling == "parallel")
    selection = await _select(state, pool, options)
    answers = list[str]()
    stopped = await _work(state, bench, selection, options, answers)
    return _record(bench, selection, stopped) | {"answers": answers}


def _death(error: BaseException) -> ServerDiedError | None:
    """The death of a server behind an error, which tasks that run together may have wrapped."""
    pending, seen = [error], set[int]()
    while pending:
        candidate = pending.pop(0)
        if isinstance(candidate, ServerDiedError):
            return candidate
        if id(candidate) not in seen:  # Causes may form a circle.
            seen.add(id(candidate))
            pending += candidate.exceptions if isinstance(candidate, BaseExceptionGroup) else ()
            pending += filter(None, (candidate.__cause__, candidate.__context__))
    return None


async def _select(state: TaskState, pool: Pool, options: TpsOptions) -> Chosen:
    offered = select_tools(pool, options)
    if options.selection == "none":
        return Chosen([tool.name for tool in offered])
    if options.selection == "rule":
        return _rule(pool, options).select(state.input_text, options.most_tools)
    template = options.prompts.get("selection")
    prompt = question(state.input_text, offered, options.most_tools, template)
    output = await get_model().generate([ChatMessageUser(content=prompt)])
    names = [tool.name for tool in offered]
    return read_selection(output.completion, names, options.most_tools)


def select_tools(pool: Pool, options: TpsOptions) -> list[PoolTool]:
    """The tools that there are to select from."""
    chosen_names = None if options.tools is None else set(options.tools)
    return [
        tool for tool in pool.tools.values() if chosen_names is None or tool.name in chosen_names
    ]


_rules: dict[tuple[int, tuple[str, ...] | None], RuleSelection] = {}


def _rule(pool: Pool, options: TpsOptions) -> RuleSelection:
    key = (id(pool), options.tools)
    if key not in _rules:
        _rules[key] = RuleSelection(select_tools(pool, options))
    return _rules[key]


async def _work(
    state: TaskState, bench: Bench, selection: Chosen, options: TpsOptions, answers: list[str]
) -> str:
    """Turn after turn, with the user's next message after each answer; says why it stopped."""
    follow_ups: list[str] = (state.metadata or {}).get("follow_ups", [])
    together, by_submit = options.scheduling == "parallel", options.answers == "submit"
    ending = BY_SUBMIT if by_submit else IN_PROSE
    brief = write_brief(TOGETHER if together else ONE_BY_ONE, ending)
    if "scheduling" in options.prompts:
        brief = f"{options.prompts['scheduling']}\n\n{ending}"
    state.messages.insert(0, ChatMessageSystem(content=brief))
    config = GenerateConfig(parallel_tool_calls=together)
    model, offered, reminded, written = get_model(), bench.tools(selection.names), False, 0
    for turn in range(options.turns):
        if options.attempt_tokens is not None and written >= options.attempt_tokens:
            return "token limit"
        tools = [*offered, *_submit_tools(state, bench, options, len(answers))]
        output = await _turn(model, state, tools, config)
        written += output.usage.output_tokens if output.usage else 0
        calls = output.message.tool_calls or []
        if calls:
            answer = await _execute(state, bench, turn, calls, tools, together)
        elif by_submit and not reminded:
            state.messages.append(ChatMessageUser(content=REMINDER))
            reminded = True
            continue
        else:
            answer = "" if by_submit else output.completion
        if answer is not None:
            answers.append(answer)
            reminded = False
            if len(answers) > len(follow_ups):
                return "answered" if answer or not by_submit else "nothing submitted"
            state.messages.append(ChatMessageUser(content=follow_ups[len(answers) - 1]))
    return "turn limit"


def _submit_tools(
    state: TaskState, bench: Bench, options: TpsOptions, stage: int
) -> "list[ToolDef]":
    if options.answers == "prose":
        return []
    schemas: list[dict[str, Any]] = (state.metadata or {})["submit"]
    return [bench.submit_tool(schemas[stage])]


async def _execute(
    state: TaskState,
    bench: Bench,
    turn: int,
    calls: list[ToolCall],
    tools: "list[ToolDef]",
    together: bool,
) -> str | None:
    """Executes the calls of a turn; what was submitted, None where nothing was."""
    bench.begin_turn(turn, calls, state.output.stop_reason in CUT_OFF)
    if not together and len(calls) > 1:
        # The others stay in the log as what the model wrote, and are not executed.
        calls = calls[:1]
        last = state.messages[-1]
        state.messages[-1] = last.model_copy(update={"tool_calls": calls})
    result = await execute_tools(state.messages, tools)
    state.messages += result.messages
    bench.note(calls, result.messages)
    return bench.take_submission()


async def _turn(
    model: Model, state: TaskState, tools: "list[ToolDef]", config: GenerateConfig
) -> ModelOutput:
    output = await model.generate(state.messages, tools, config=config)
    state.output = output
    state.messages.append(output.message)
    return output


def _record(bench: Bench, selection: Chosen, stopped: str) -> dict[str, Any]:
    import msgspec

    return {
        "calls": msgspec.to_builtins(bench.calls),
        "selected": selection.names,
        "unknown_tools": selection.unknown,
        "cut_tools": selection.cut,
        "stopped": stopped,
    }
