"""How the mock tools answer: by their arguments, as such a tool would.

The right arguments bring the record, in any case and spacing, by the codes or by the name that
people use. Another thing's arguments bring that thing's record. What nobody has is not found, and
the tool says what it looked for; arguments that are missing or not allowed are refused.
"""

from typing import Any

from agentdyno.matching.arguments import same_argument, same_arguments
from agentdyno.records.failures import OfferedTool, ScriptedCall


def look_up(
    tool: OfferedTool, arguments: dict[str, Any], register: tuple[ScriptedCall, ...]
) -> tuple[Any, str | None]:
    """What the tool returns, or the error that it gives."""
    missing = [name for name in tool.parameters.get("required", ()) if name not in arguments]
    if missing:
        return None, f"missing argument {missing[0]}"
    for name, value in arguments.items():
        allowed = tool.parameters.get("properties", {}).get(name, {}).get("enum")
        if allowed and not any(same_argument(value, choice) for choice in allowed):
            return None, f"{name} must be one of {', '.join(map(str, allowed))}"
    for entry in register:
        if entry.tool == tool.name and same_arguments(arguments, entry.arguments):
            return entry.returns, None
    asked = {name: str(value)[:80] for name, value in arguments.items()}
    return {"status": "not_found", "query": asked, "records": []}, None
