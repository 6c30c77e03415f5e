"""Lack of tool priors: a call ran and came back empty or with an error, for how it was made.

Rule: the call was executed, and
- it returned nothing: a tool for code whose script ends in a bare expression that nobody prints,
  or in an assignment that no later script reads. Elsewhere an empty answer is an answer, or one
  that is no text;
- or it failed in a way that names its use: in a tool for code any exception, elsewhere what
  `failure_kinds` names by the tool: a wrong path, an edit that does not match its file, … In a
  shell only what the shell itself or a program's option parser says counts: a script that is run
  to see it fail (a reproduced bug, a build, a test) is used well. Time-outs, outages, refusals,
  failing tests and empty shelves are the world's fault and are left out.

Source: "Empty or Error tool return … due to missing print statements or incorrect syntax"
(the PTE paper, Table 7 and Figure 14).
Worked: `pieces = int(90 // 2.6)` newline `pieces` -> stdout empty -> one finding.
"""

import re
from typing import Any

from agentdyno.findings.patterns.detector import Detector
from agentdyno.findings.patterns.failure_kinds import SANDBOX, name_failure, name_shell_failure
from agentdyno.findings.patterns.reading import Reading
from agentdyno.matching.quoting import quote
from agentdyno.measures.patterns import is_nothing
from agentdyno.records import ToolCall
from agentdyno.records.patterns import Finding

_BARE_EXPRESSION = re.compile(r"[A-Za-z_(\[][^=#]*")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\s*=(?!=).*")
_STATEMENTS = re.compile(
    r"(?:print|display|assert|return|import|from|raise|pass|del|global|with|for|while|if|else|try"
    r"|def|class|plt|fig|ax|sys\.stdout|os\.|exec|open|logging)\b|.*\.(?:show|write|save\w*|append"
    r"|close|sort|update|add|extend|to_\w+|run|commit|seed|mkdir)\("
)
_WORLD = re.compile(
    r"time[sd]?[ -]?out|timeout|connection|rate.?limit|too many requests|\b(?:429|50[0-4])\b"
    r"|temporar|unavailable|not available|not enough|network|rejected|denied|permission|interrupted"
    r"|cancel|abort|quota|out of memory|no space|assertionerror|forbidden|unauthori[sz]ed|killed",
    re.IGNORECASE,
)
_SHELL = re.compile(r"bash|shell|terminal|command|exec", re.IGNORECASE)


def detect(reading: Reading) -> list[Finding]:
    """A finding for each call that came back empty-handed through its own fault."""
    findings = []
    for index, call in enumerate(reading.calls):
        if not call.executed:
            continue
        displayed = _failure(reading, call, index) or _emptiness(reading, call, index)
        if displayed:
            evidence, detail = displayed
            finding = Finding("lack_of_tool_priors", call.turn, call.call, quote(evidence), detail)
            findings.append(finding)
    return findings


def _failure(reading: Reading, call: ToolCall, index: int) -> tuple[str, str] | None:
    if call.error is None:
        return None
    part = reading.result(call)
    text = SANDBOX.sub("", part.text) if part else ""
    # A traceback names its exception in the last line.
    sentence = f"{call.error}\n{text[:300]}\n{text[-300:]}"
    family = reading.family(call)
    in_shell = family == "workspace" and _SHELL.search(call.tool)
    is_quoting = not in_shell and family != "compute"
    if _WORLD.search(call.error.split("\n", 1)[0] if is_quoting else sentence):
        return None
    kind = _name_kind(reading, call, index, sentence)
    return None if kind is None else (_find_informative_line(call.error, text), kind)


def _name_kind(reading: Reading, call: ToolCall, index: int, sentence: str) -> str | None:
    family = reading.family(call)
    if family == "compute":
        return "code that fails"
    if family != "workspace" or not _SHELL.search(call.tool):
        return name_failure(call.tool, sentence)
    # A program that no rule knows is what the agent works on: it may have been made to fail.
    effect = reading.effects[index]
    is_unknown = effect.certainty == "unknown" and bool(effect.programs)
    return name_shell_failure(reading.arguments[index], sentence, is_program_unknown=is_unknown)


def _find_informative_line(error: str, text: str) -> str:
    if len(error.strip()) < 10:
        return text
    if not error.lower().startswith(("traceback", "exit code")):
        return error
    return f"{error}: {text.strip().rsplit(chr(10), 1)[-1]}"


def _emptiness(reading: Reading, call: ToolCall, index: int) -> tuple[str, str] | None:
    part = reading.result(call)
    if part is None or call.error is not None or not is_nothing(part.text):
        return None
    if reading.family(call) != "compute":
        return None
    last = _last_line(_code(reading.arguments[index]))
    is_lost = _is_unprinted(last) or _is_dropped(reading, last, index)
    return (last, "the script computes a value and prints nothing") if is_lost else None


def _is_dropped(reading: Reading, line: str, index: int) -> bool:
    """Whether a last line gives a value a name that no later script reads."""
    if not (match := _ASSIGNMENT.fullmatch(line)):
        return False
    name = re.compile(rf"\b{match[1]}\b")
    return not any(name.search(_code(later)) for later in reading.arguments[index + 1 :])


def _code(arguments: Any) -> str:
    if isinstance(arguments, str):
        return arguments
    values = arguments.values() if isinstance(arguments, dict) else ()
    return max((v for v in values if isinstance(v, str)), key=len, default="")


def _last_line(code: str) -> str:
    lines = [line for line in code[-2_000:].split("\n") if line.strip()]
    return lines[-1] if lines else ""


def _is_unprinted(line: str) -> bool:
    return bool(_BARE_EXPRESSION.fullmatch(line)) and not _STATEMENTS.match(line)


DETECTOR = Detector("lack_of_tool_priors", 7, detect)
