"""Tool-mixing: one trajectory works with more than one family of tools.

Rule: among the executed calls there are tools of at least two families (`families.toml`). Tools of
no family do not count. One finding per trajectory, at the first call of the second family; it is no
single call's, so its cost shows in the multiplier alone.

Source: "Unique tool types > 1" (the PTE paper, Table 7); there, search and visit are one type
and Python another. Worked: web_search, visit_page, python -> web and compute -> one finding.
"""

from agentdyno.findings.patterns.reading import Reading
from agentdyno.matching.quoting import quote
from agentdyno.records.patterns import Finding


def detect(reading: Reading) -> list[Finding]:
    """At most one finding."""
    tools: dict[str, set[str]] = {}
    turn = None
    for call in reading.calls:
        family = reading.family(call) if call.executed else None
        if family is None:
            continue
        tools.setdefault(family, set()).add(call.tool)
        if turn is None and len(tools) == 2:
            turn = call.turn
    if turn is None:
        return []
    evidence = "; ".join(f"{family}: {', '.join(sorted(used))}" for family, used in tools.items())
    detail = f"{len(tools)} families of tools in one trajectory"
    return [Finding("tool_mixing", turn, None, quote(evidence), detail)]
