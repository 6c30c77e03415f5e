"""The four patterns exactly as the PTE paper defines them.

confirmatory          an answer or a final value stands in the model's text or reasoning before
                      it calls a tool for code; what the call returns does not matter. An answer
                      is what is said to be one, what a conclusion ends with, or what the
                      attempt answers in the end, unless the user had said it
tool_mixing           a trajectory uses more than one type of tool
lack_of_tool_priors   a call came back empty or with an error, whatever the reason; names
                      of streams around nothing are nothing, a traceback is an error
format_collapse       arguments that are no JSON or breach the tool's schema, a tool that was not
                      offered, a call written as text

Source: the PTE paper, Appendix E, under Table 7, and its examples, Figures 12 to 15. They find much
that is no fault: an outage is an error, and a figure on the way is a value.
"""

import re
from collections.abc import Iterator

from agentdyno.findings.patterns.detector import Detector
from agentdyno.findings.patterns.reading import Reading
from agentdyno.findings.patterns.tool_priors import is_nothing
from agentdyno.matching.quoting import quote, quote_around
from agentdyno.records.patterns import Finding
from agentdyno_bench.paper_patterns import format_collapse

_ANSWER = re.compile(
    r"\\boxed\s*\{|\b(?:final )?(?:answer|result|total|sum|solution|value)\b[^.\n\d]{0,40}"
    r"(?:\bis|\bare|=|:|\bequals)[\s*$\\({]*-?\d"
    r"|\d[\s\w$%€*]{0,12}(?:in total|altogether|in all)\b"
    r"|\b(?:therefore|thus|hence)\b[^.\n]{0,80}=\s*-?\d[\d,/]*(?:\.\d+)?\$?(?:[.,;]?\s|[.,;]?\Z)",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"<answer>\s*([^<>]{1,80}?)\s*</answer>|\\boxed\s*\{([^{}]{1,80})\}", re.IGNORECASE
)
_RAISED = re.compile(
    r"^Traceback \(most recent call last\)|^\w*(?:Error|Exception): ", re.MULTILINE
)
MOST = 20_000
"""Characters of a turn's words that are looked at."""


def detect_confirmatory(reading: Reading) -> list[Finding]:
    """A finding for each call of a tool for code that comes after an answer."""
    final = _final_answer(reading)
    stated: str | None = None
    found: list[Finding] = []
    for turn, parts in enumerate(reading.written[: _last_computed(reading) + 1]):
        for part in parts:
            text = part.text[:MOST]
            if (answer := _ANSWER.search(text) or (final and final.search(text))) is not None:
                stated = quote_around(part.text, answer.start(), answer.end())
        found += _after_answer(reading, turn, stated)
    return found


def _final_answer(reading: Reading) -> re.Pattern[str] | None:
    """What the attempt answers in the end, as it may stand in earlier words; None where it marks no
    answer, or the user had said it. Of one or two characters it must be what something is."""
    last = next((parts for parts in reversed(reading.written) if parts), [])
    marked = [m[1] or m[2] for part in last for m in _GIVEN.finditer(part.text)]
    if not marked:
        return None
    answer = rf"(?<![\w.]){re.escape(marked[-1])}(?!\w|\.\d)"
    if any(p.kind == "user" and re.search(answer, p.text, re.IGNORECASE) for p in reading.parts):
        return None
    is_short = len(marked[-1]) < 3
    return re.compile(rf"(?:=|\bis|\bare)\s*{answer}" if is_short else answer, re.IGNORECASE)


def _last_computed(reading: Reading) -> int:
    """The last turn that ran a tool for code; -1 when none did."""
    calls = (call for call in reading.calls if call.executed)
    return max((call.turn for call in calls if reading.family(call) == "compute"), default=-1)


def _after_answer(reading: Reading, turn: int, stated: str | None) -> Iterator[Finding]:
    for call in reading.calls_by_turn[turn]:
        if stated is not None and call.executed and reading.family(call) == "compute":
            detail = "an answer stood there before the call"
            yield Finding("confirmatory", turn, call.call, stated, detail)


def detect_tool_mixing(reading: Reading) -> list[Finding]:
    """At most one finding: the first call of a second type; a tool of no family is its own type."""
    types: dict[str, str] = {}
    for call in reading.calls:
        if call.executed:
            types.setdefault(reading.family(call) or call.tool, call.tool)
        if len(types) == 2:
            evidence = quote("; ".join(f"{kind}: {tool}" for kind, tool in types.items()))
            detail = "two types of tools in one trajectory"
            return [Finding("tool_mixing", call.turn, None, evidence, detail)]
    return []


def detect_lack_of_priors(reading: Reading) -> list[Finding]:
    """A finding for each call that came back empty or with an error."""
    found = []
    for call in reading.calls:
        part = reading.result(call)
        empty = part is not None and is_nothing(part.text)
        raised = reading.family(call) == "compute" and part and _RAISED.search(part.text[-MOST:])
        if call.executed and (call.error or raised or empty):
            evidence = quote(call.error or f"{call.tool} {call.arguments}")
            detail = "the call came back empty" if empty else "the call failed"
            name = "lack_of_tool_priors"
            found.append(Finding(name, call.turn, call.call, evidence, detail))
    return found


PUBLISHED = (
    Detector("confirmatory", 2, detect_confirmatory),
    Detector("tool_mixing", 1, detect_tool_mixing),
    Detector("lack_of_tool_priors", 2, detect_lack_of_priors),
    Detector("format_collapse", 2, format_collapse.detect),
)
