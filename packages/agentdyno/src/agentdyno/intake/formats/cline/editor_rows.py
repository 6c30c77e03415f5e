"""Rows of Cline's editor as model calls and tool calls, where nothing better is at hand."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from agentdyno.intake.formats.cline.wire import Row
from agentdyno.intake.texts import compact_json

_DISPLAYED_AS = {
    "editedExistingFile": "replace_in_file",
    "newFileCreated": "write_to_file",
    "listFilesTopLevel": "list_files",
    "listFilesRecursive": "list_files",
    "appliedDiff": "apply_diff",
}
"""Names that the editor shows, where they are not the tool's own in another spelling."""
_BY_KIND = {
    "command": "execute_command",
    "use_mcp_server": "use_mcp_tool",
    "browser_action_launch": "browser_action",
    "browser_action": "browser_action",
    "followup": "ask_followup_question",
    "plan_mode_respond": "plan_mode_respond",
}
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def calls_in(row: Row) -> Iterator[tuple[str, str]]:
    """The tool call that a row shows, as (tool, arguments); none for most rows."""
    kind, displayed = row.say or row.ask or "", row.text or ""
    if kind == "tool":
        fields = _fields(displayed)
        name = str(fields.pop("tool", "tool"))
        yield _DISPLAYED_AS.get(name, _CAPITAL.sub("_", name).lower()), compact_json(fields)
    elif kind in _BY_KIND:
        yield (
            _BY_KIND[kind],
            displayed if displayed.startswith("{") else compact_json({"text": displayed}),
        )
    elif row.say == "completion_result":
        yield "attempt_completion", compact_json({"result": displayed})


def _fields(text: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
