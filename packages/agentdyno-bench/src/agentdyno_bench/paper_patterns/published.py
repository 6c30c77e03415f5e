"""The four patterns exactly as the PTE paper defines them, beside our stricter ones.

published_confirmatory    an answer or a final value stands in the model's text or reasoning before
                          it calls a tool for code; what the call returns does not matter
published_tool_mixing     a trajectory uses more than one type of tool
published_lack_of_tool_priors   a call came back empty or with an error, whatever the reason
published_format_collapse       arguments that are no JSON or breach the tool's schema

Source: the PTE paper, Appendix E, under Table 7. They find more than ours, and other things too: an
outage is an error, and a figure on the way is a value. They are there to compare with the paper and
are shown only when asked for.
"""

import re
from collections.abc import Iterator

from agentdyno.findings.patterns.reading import BROKEN, Reading
from agentdyno.matching.quoting import quote, quote_around
from agentdyno.records.patterns import Finding

PREFIX = "published_"
_ANSWER = re.compile(
    r"\\boxed\s*\{|\b(?:final )?(?:answer|result|total|sum|solution|value)\b[^.\n\d]{0,40}"
    r"(?:\bis|\bare|=|:|\bequals)[\s*$\\({]*-?\d"
    r"|\d[\s\w$%€*]{0,12}(?:in total|altogether|in all)\b",
    re.IGNORECASE,
)
MOST = 20_000
"""Characters of a turn's words that are looked at."""


def detect_confirmatory(reading: Reading) -> list[Finding]:
    """A finding for each call of a tool for code that comes after an answer."""
    stated: str | None = None
    found: list[Finding] = []
    for turn, parts in enumerate(reading.said[: _last_computed(reading) + 1]):
        for part in parts:
            if (answer := _ANSWER.search(part.text[:MOST])) is not None:
                stated = quote_around(part.text, answer.start(), answer.end())
        found += _after_answer(reading, turn, stated)
    return found


def _last_computed(reading: Reading) -> int:
    """The last turn that ran a tool for code; -1 when none did."""
    calls = (call for call in reading.calls if call.executed)
    return max((call.turn for call in calls if reading.family(call) == "compute"), default=-1)


def _after_answer(reading: Reading, turn: int, stated: str | None) -> Iterator[Finding]:
    for call in reading.calls_by_turn[turn]:
        if stated is not None and call.executed and reading.family(call) == "compute":
            detail = "an answer stood there before the call"
            yield Finding(f"{PREFIX}confirmatory", turn, call.call, stated, detail)


def detect_tool_mixing(reading: Reading) -> list[Finding]:
    """At most one finding: the first call of a second type; a tool of no family is its own type."""
    types: dict[str, str] = {}
    for call in reading.calls:
        if call.executed:
            types.setdefault(reading.family(call) or call.tool, call.tool)
        if len(types) == 2:
            evidence = quote("; ".join(f"{kind}: {tool}" for kind, tool in types.items()))
            detail = "two types of tools in one trajectory"
            return [Finding(f"{PREFIX}tool_mixing", call.turn, None, evidence, detail)]
    return []


def detect_lack_of_priors(reading: Reading) -> list[Finding]:
    """A finding for each call that came back empty or with an error."""
    found = []
    for call in reading.calls:
        part = reading.result(call)
        empty = part is not None and not part.text.strip()
        if call.executed and (call.error or empty):
            evidence = quote(call.error or f"{call.tool} {call.arguments}")
            detail = "the call failed" if call.error else "the call came back empty"
            name = f"{PREFIX}lack_of_tool_priors"
            found.append(Finding(name, call.turn, call.call, evidence, detail))
    return found


def detect_format_collapse(reading: Reading) -> list[Finding]:
    """A finding for each call whose arguments are no JSON or breach their schema."""
    found = []
    for place, call in enumerate(reading.calls):
        arguments, offered = reading.arguments[place], reading.schemas.get(call.tool)
        wrong = "the arguments are not valid JSON" if arguments is BROKEN else None
        if offered and isinstance(arguments, dict):
            wrong = reading.breach(place, offered[0].text)
        if wrong:
            evidence = quote(f"{call.tool} {call.arguments}")
            name = f"{PREFIX}format_collapse"
            found.append(Finding(name, call.turn, call.call, evidence, wrong))
    return found
