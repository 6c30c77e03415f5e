"""Reread lines: a file is read again though all its lines stand in the context, unchanged.

Rule: a tool that reads one file brought at least `FEWEST` lines, and each of them, by its number
and its text, came back from earlier reads of the same file that are still in context. In between
nothing changed that file: no edit of it succeeded, and no program ran that may have written to it;
tests, linters and builds leave sources as they are. A message of the user changes no file: the
lines are compared. Lines without numbers are compared as one text that stands whole in an earlier
one.

It is a fact of the log and no judgement (`EXACT` in `records.precision`).
Worked: Read(a.py, lines 1 to 80), Grep, Read(a.py, lines 20 to 60) -> the second read.
"""

import re
from collections import defaultdict

from msgspec import Struct, field

from agentdyno.findings.patterns.detector import Detector
from agentdyno.findings.patterns.reading import Reading
from agentdyno.matching.effects.effect import ANYTHING
from agentdyno.matching.quoting import quote
from agentdyno.matching.subjects import find_subject
from agentdyno.records import Part, ToolCall
from agentdyno.records.patterns import Finding

FEWEST = 5
"""Lines with something in them, for a read that is worth a word."""
_NUMBERED = re.compile(r"^\s*(\d+)(?:→|\t|[|:] ?)(.*)$")


class Known(Struct):
    """What stands in the context of one file."""

    lines: dict[int, tuple[str, int, Part]] = field(default_factory=dict)
    """By number: the text, the turn that asked for it, and the result that holds it."""
    texts: list[tuple[str, int, Part]] = field(default_factory=list)
    """Results whose lines have no numbers."""


def detect(reading: Reading) -> list[Finding]:
    """A finding for each read that brought nothing new."""
    files: defaultdict[str, Known] = defaultdict(Known)
    findings = []
    for index, call in enumerate(reading.calls):
        effect = reading.effects[index]
        if effect.may_write:
            if call.executed and call.error is None and not effect.checks:
                _forget(files, effect.writes, effect.action == "runs")
            continue
        part = reading.result(call)
        path = _file_of(call)
        if path is None or part is None or effect.action != "reads" or not _is_answer(call):
            continue
        earlier = _find_earlier(files[path], part, call)
        if earlier is not None:
            detail = f"all of these lines stand in the context since turn {earlier}, unchanged"
            evidence = quote(f"{call.tool} {call.arguments}")
            findings.append(Finding("reread_lines", call.turn, call.call, evidence, detail))
        _keep(files[path], part, call)
    return findings


def _is_answer(call: ToolCall) -> bool:
    return call.executed and call.error is None and call.harness is None


def _file_of(call: ToolCall) -> str | None:
    subject = find_subject(call.tool, call.arguments)
    return subject.name if subject is not None and subject.kind == "file" else None


def _forget(files: dict[str, Known], writes: tuple[str, ...], is_unseen: bool) -> None:
    """What may be another text now."""
    if is_unseen or not writes or ANYTHING in writes:
        files.clear()
        return
    for path in [*files]:
        if any(path.endswith(written) or written.endswith(path) for written in writes):
            del files[path]


def _split(text: str) -> dict[int, str] | None:
    """Lines by number; None where they have none."""
    matches = [_NUMBERED.match(line) for line in text.splitlines() if line.strip()]
    numbered = {int(m[1]): m[2] for m in matches if m is not None}
    # A client may add a remark of its own behind the lines.
    return numbered if len(numbered) >= 0.8 * len(matches) and numbered else None


def _find_earlier(memory: Known, part: Part, call: ToolCall) -> int | None:
    """The latest turn that any of the lines is known from; None where one is not known."""
    lines = _split(part.text)
    if lines is None:
        text = part.text.strip()
        if text.count("\n") + 1 < FEWEST:
            return None
        turns = [turn for old, turn, old_part in memory.texts
                 if text in old and _is_there(old_part, turn, call)]  # fmt: skip
        return max(turns, default=None)
    numbered = {number: text for number, text in lines.items() if text.strip()}
    if len(numbered) < FEWEST:
        return None
    before = [memory.lines.get(number) for number in numbered]
    same = [
        old[1]
        for old, text in zip(before, numbered.values(), strict=True)
        if old is not None and old[0] == text and _is_there(old[2], old[1], call)
    ]
    return max(same) if len(same) == len(numbered) else None


def _is_there(held: Part, turn: int, call: ToolCall) -> bool:
    """Whether a result was in the context when the call was made."""
    entered = held.enters is not None and held.enters <= call.turn
    return turn < call.turn and entered and (held.leaves is None or held.leaves > call.turn)


def _keep(memory: Known, part: Part, call: ToolCall) -> None:
    lines = _split(part.text)
    if lines is None:
        memory.texts.append((part.text.strip(), call.turn, part))
    else:
        memory.lines |= {number: (text, call.turn, part) for number, text in lines.items()}


DETECTOR = Detector("reread_lines", 1, detect)
