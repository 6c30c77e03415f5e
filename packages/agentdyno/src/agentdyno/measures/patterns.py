"""Four inefficiency patterns of tool-integrated reasoning, what they cost, and whether cost is
more than difficulty.

confirmatory          an answer or a final value stands in the model's text or reasoning before it
                      calls a tool for code; what the call returns does not matter
tool_mixing           a trajectory uses more than one type of tool
lack_of_tool_priors   a call came back empty or with an error, whatever the reason
format_collapse       arguments that are no JSON or breach the tool's schema, a tool that was not
                      offered, a call written as text

    frequency  = trajectories with the pattern / trajectories of the setting          appendix E
    multiplier = mean PTE with it / mean PTE without it, inside one setting           Table 7
    gap        = mean PTE of failures / mean PTE of solutions of one level, less 1    Table 8
    overtaking = share of hard solutions below the mean of easier failures            Table 9
    r          = correlation of PTE with being solved, the level taken out            appendix F.3

Source: Beyond Accuracy (arXiv 2604.05404), appendices E and F, Figures 12 to 15. The rules are the
paper's and find much that is no fault: an outage is an error, a figure on the way is a value.
Multipliers compare and do not explain: hard tasks are long and show more patterns.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from agentdyno.matching.quoting import quote, quote_around
from agentdyno.matching.schema_breach import breach
from agentdyno.records.patterns import Finding

if TYPE_CHECKING:
    from agentdyno.estimates.correlation import Column
    from agentdyno.estimates.estimate import Estimate

COMPUTE = "compute"
"""The family of tools that run code."""
MOST = 20_000
"""Characters of a turn's words that are looked at."""
BROKEN = object()
"""Stands for arguments that should be JSON and are not."""


class Call(NamedTuple):
    """A tool call and what came back."""

    tool: str
    family: str | None = None
    """The type of tool, such as `compute` or `search`; None where the tool is its own type."""
    arguments: str = "{}"
    """As the model wrote them."""
    result: str | None = None
    """What came back; None where nothing is recorded."""
    error: str | None = None
    executed: bool = True
    parameters: Mapping[str, Any] | None = None
    """The JSON schema of the tool's arguments; None where it is not known."""
    number: int = 0
    """Its place among the calls of its turn."""


class Turn(NamedTuple):
    """What the model wrote, and the calls that it made."""

    texts: Sequence[str] = ()
    reasoning: Sequence[str] = ()
    calls: Sequence[Call] = ()

    @property
    def words(self) -> list[str]:
        """Reasoning, then texts."""
        return [*self.reasoning, *self.texts]


_ANSWER = re.compile(
    r"\\boxed\s*\{|\b(?:final )?(?:answer|result|total|sum|solution|value)\b[^.\n\d]{0,40}"
    r"(?:\bis|\bare|=|:|\bequals)[\s*$\\({]*-?\d"
    r"|\d[\s\w$%€*]{0,12}(?:in total|altogether|in all)\b"
    r"|\b(?:therefore|thus|hence)\b[^.\n]{0,80}=\s*-?\d[\d,/]*(?:\.\d+)?\$?(?:[.,;]?\s|[.,;]?\Z)",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"<answer>\s*([^<>]{1,80}?)\s*</answer>|\\boxed\s*\{([^{}]{1,80})\}", re.IGNORECASE
)


def find_confirmatory(turns: Sequence[Turn], asked: Sequence[str] = ()) -> list[Finding]:
    """Every call of a tool for code that comes after an answer; `asked` is what the user said.

    An answer is what is said to be one, what a conclusion ends with, or what the attempt answers in
    the end, unless the user had said it.

    >>> python = Call("python", "compute")
    >>> found = find_confirmatory([Turn(["The answer is 42. Let me check."], calls=[python])])
    >>> [(each.turn, each.call) for each in found]
    [(0, 0)]
    """
    final = _final_answer(turns, asked)
    stated: str | None = None
    found = []
    for place, turn in enumerate(turns):
        for text in turn.words:
            head = text[:MOST]
            if (answer := _ANSWER.search(head) or (final and final.search(head))) is not None:
                stated = quote_around(text, answer.start(), answer.end())
        for call in turn.calls:
            if stated is not None and call.executed and call.family == COMPUTE:
                why = "an answer stood there before the call"
                found.append(Finding("confirmatory", place, call.number, stated, why))
    return found


def _final_answer(turns: Sequence[Turn], asked: Sequence[str]) -> re.Pattern[str] | None:
    """What the attempt answers in the end, as it may stand in earlier words; None where it marks no
    answer, or the user had said it. Of one or two characters it must be what something is."""
    last: list[str] = next((turn.words for turn in reversed(turns) if turn.words), [])
    marked = [m[1] or m[2] for text in last for m in _MARKED.finditer(text)]
    if not marked:
        return None
    answer = rf"(?<![\w.]){re.escape(marked[-1])}(?!\w|\.\d)"
    if any(re.search(answer, text, re.IGNORECASE) for text in asked):
        return None
    is_short = len(marked[-1]) < 3
    return re.compile(rf"(?:=|\bis|\bare)\s*{answer}" if is_short else answer, re.IGNORECASE)


def find_tool_mixing(turns: Sequence[Turn]) -> list[Finding]:
    """At most one finding: the first turn with a second type of tool.

    >>> search, python = Call("web_search", "search"), Call("python", "compute")
    >>> [each.evidence for each in find_tool_mixing([Turn(calls=[search]), Turn(calls=[python])])]
    ['search: web_search; compute: python']
    """
    types: dict[str, str] = {}
    for place, turn in enumerate(turns):
        for call in turn.calls:
            if call.executed:
                types.setdefault(call.family or call.tool, call.tool)
            if len(types) == 2:
                evidence = quote("; ".join(f"{kind}: {tool}" for kind, tool in types.items()))
                why = "two types of tools in one trajectory"
                return [Finding("tool_mixing", place, None, evidence, why)]
    return []


_STREAMS = re.compile(
    r"std(?:out|err)\s*:?|output\s*:|exit code\s*:?\s*0|\(no output\)|\[execution complete\.?\]"
    r"|</?(?:std(?:out|err)|output|system)>|\"(?:stdout|stderr|output)\"|[{}:,\"\s]",
    re.IGNORECASE,
)
_MAX_WRAPPED = 120
_RAISED = re.compile(
    r"^Traceback \(most recent call last\)|^\w*(?:Error|Exception): ", re.MULTILINE
)


def find_lack_of_priors(turns: Sequence[Turn]) -> list[Finding]:
    """Every call that came back empty or with an error; of a tool for code a traceback is one.

    >>> nothing = Call("python", "compute", '{"code": "x"}', result="stdout:  stderr:")
    >>> [each.detail for each in find_lack_of_priors([Turn(calls=[nothing])])]
    ['the call came back empty']
    """
    found = []
    for place, turn in enumerate(turns):
        for call in turn.calls:
            empty = call.result is not None and is_nothing(call.result)
            raised = call.family == COMPUTE and call.result and _RAISED.search(call.result[-MOST:])
            if call.executed and (call.error or raised or empty):
                evidence = quote(call.error or f"{call.tool} {call.arguments}")
                why = "the call came back empty" if empty else "the call failed"
                found.append(Finding("lack_of_tool_priors", place, call.number, evidence, why))
    return found


def is_nothing(text: str) -> bool:
    """Whether a result is empty but for the names of its streams."""
    return len(text) <= _MAX_WRAPPED and not _STREAMS.sub("", text)


_INVALID = re.compile(
    r"validation error|invalid (?:tool )?(?:arguments|parameters|input)|field required"
    r"|missing required|InputValidationError",
    re.IGNORECASE,
)


def find_format_collapse(
    turns: Sequence[Turn], offered: Collection[str] = (), runs_code: bool = False
) -> list[Finding]:
    """Malformed calls, and texts in the shape of a call where none was made, in the order of turns.

    The first that holds for a call: its arguments begin as JSON and do not parse; it was refused as
    malformed; it names a tool that was not `offered` (names, where the trace shows any); its
    arguments breach the tool's schema. A text that ends with a block of Python counts only where a
    tool for code is offered (`runs_code`). Reasoning is not looked at: models think aloud about
    calls.

    >>> needs = {"properties": {"code": {}}, "required": ["code"]}
    >>> wrong = Call("python", arguments='{"script": "print(1)"}', parameters=needs)
    >>> [each.detail for each in find_format_collapse([Turn(calls=[wrong])])]
    ['`code` is missing']
    """
    found = []
    tools = {*offered, *(call.tool for turn in turns for call in turn.calls)}
    for place, turn in enumerate(turns):
        for call in turn.calls:
            if wrong := _wrong_with(call, offered):
                evidence = quote(f"{call.tool} {call.arguments}")
                found.append(Finding("format_collapse", place, call.number, evidence, wrong))
        # Protocols that write every call as text leave no calls and no schemas in a trace.
        if tools and not turn.calls:
            found += list(_find_written_call(place, turn, tools, runs_code))[:1]
    return found


def _wrong_with(call: Call, offered: Collection[str]) -> str | None:
    arguments = read_arguments(call.arguments)
    if arguments is BROKEN:
        return "the arguments are not valid JSON"
    if not call.executed and call.error and _INVALID.search(call.error):
        return "the call was refused as malformed"
    if offered and call.tool not in offered:
        return "no such tool was offered"
    if call.parameters is None:
        return None
    if not isinstance(arguments, dict):
        return "the arguments are no JSON object"
    return breach(arguments, call.parameters)


def read_arguments(arguments: str) -> Any:
    """Arguments as a value: an object where it is JSON, the text where it never claimed to be."""
    bare = arguments.strip()
    if not bare:
        return {}
    if bare[0] not in "{[":
        return bare
    try:
        return _DECODER.decode(bare)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return BROKEN


_DECODER = msgspec.json.Decoder()
_FENCE = "```"
_TAGS = re.compile(
    r"<\|?tool_calls?\|?>\s*(?:```(?:json)?\s*)?[\[{]|<function=[\w.-]+>|<invoke name=\""
    r"|<\|python_tag\|>|\[TOOL_CALLS\]\s*[\[{]"
)
_CODE = re.compile(r"```(?:python|py|tool_code)\s*\n")
_MAX_TAIL = 40
"""Characters that may follow a block which was meant to be run: a closing tag, not a paragraph."""


def _find_written_call(
    place: int, turn: Turn, tools: Collection[str], runs_code: bool
) -> Iterator[Finding]:
    """Texts with the markup of some model's training format, that are nothing but a JSON call of a
    known tool, or that end with a block of code: whoever stops there expects it to run."""
    for text in turn.texts:
        why, span = "a call written as text, never run", _find_tag(text) or _find_json(text, tools)
        if span is None and runs_code:
            why, span = "code written as text where a tool would have run it", _find_code(text)
        if span is not None:
            evidence = quote_around(text, *span, margin=0)
            yield Finding("format_collapse", place, None, evidence, why)


def _find_tag(text: str) -> tuple[int, int] | None:
    if "<" not in text and "[TOOL" not in text:
        return None
    found = _TAGS.search(text)
    return (found.start(), min(len(text), found.end() + 120)) if found else None


def _find_json(text: str, tools: Collection[str]) -> tuple[int, int] | None:
    if '"name"' not in text or not ('"arguments"' in text or '"parameters"' in text):
        return None
    bare = text.strip()
    if bare.startswith(_FENCE):
        bare = bare.strip("`").removeprefix("json").strip()
    value = read_arguments(bare)
    calls = value if isinstance(value, list) else [value]
    return (0, len(text)) if calls and all(_is_call(call, tools) for call in calls) else None


def _is_call(value: Any, tools: Collection[str]) -> bool:
    if not isinstance(value, dict) or value.get("name") not in tools:
        return False
    return isinstance(value.get("arguments", value.get("parameters")), dict | str)


def _find_code(text: str) -> tuple[int, int] | None:
    end = text.rfind(_FENCE)
    if end < 0 or len(text) - end - len(_FENCE) > _MAX_TAIL:
        return None
    start = text.rfind(_FENCE, 0, end)
    return (start, end) if start >= 0 and _CODE.match(text, start) else None


# Statistics are imported where they are used: who only looks for patterns pays for none.
def frequency(has: Sequence[bool]) -> "Estimate":
    """Share of trajectories with a pattern, with Wilson's interval (Table 7)."""
    from agentdyno.estimates.proportions import wilson

    return wilson(sum(has), len(has))


def multiplier(
    pte: Sequence[float], has: Sequence[bool], tasks: Sequence[str] | None = None
) -> "Estimate":
    """Mean PTE with a pattern over mean PTE without it, inside one setting (Table 7: 1.77 to 2.42);
    no number where one side is empty. The interval resamples tasks on either side.

    >>> multiplier([300, 500, 100, 300], [True, True, False, False]).value  # 400 / 200
    2.0
    """
    from agentdyno.estimates.unpaired import unpaired_ratio

    names = tasks or [str(place) for place in range(len(pte))]
    sides: tuple[dict[str, list[float]], dict[str, list[float]]] = ({}, {})
    for cost, with_it, task in zip(pte, has, names, strict=True):
        sides[with_it].setdefault(task, []).append(cost)
    return unpaired_ratio(*sides)


def gap(solved: Sequence[float], failed: Sequence[float]) -> float | None:
    """How much more failures of a level cost than its solutions (Table 8); None without either.

    >>> round(gap([100, 120], [220]), 3)  # +100 %
    1.0
    """
    return fmean(failed) / fmean(solved) - 1 if solved and failed and fmean(solved) else None


def overtakes(solved_hard: Sequence[float], failed_easy: Sequence[float]) -> list[bool]:
    """For each hard task that was solved whether it cost less than the mean failure at an easier
    level (Table 9 has the share); nothing without failures.

    >>> overtakes([80, 120], [90, 110])  # 50 % of them below 100
    [True, False]
    """
    if not failed_easy:
        return []
    limit = fmean(failed_easy)
    return [cost < limit for cost in solved_hard]


def partial_correlation(
    pte: "Column", solved: "Column", controls: Sequence["Column"]
) -> "Estimate":
    """Correlation of cost with being solved, the difficulty taken out (F.3: r = -0.040)."""
    from agentdyno.estimates.correlation import partial

    return partial(pte, solved, controls)
