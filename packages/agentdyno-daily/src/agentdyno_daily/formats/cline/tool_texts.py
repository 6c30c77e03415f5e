"""Calls and results that Cline writes into plain text.

Older versions let the model call tools in tags (`<read_file><path>a.py</path></read_file>`), and
most versions hand results back as text: `[read_file for 'a.py'] Result:`.
"""

import re
from collections.abc import Iterator

from agentdyno.intake.anthropic_results import is_refusal
from agentdyno.intake.texts import compact_json, error_in, first_line

_TOOLS = (
    "access_mcp_resource", "apply_diff", "ask_followup_question", "attempt_completion",
    "browser_action", "codebase_search", "condense", "execute_command", "fetch_instructions",
    "insert_content", "list_code_definition_names", "list_files", "load_mcp_documentation",
    "new_task", "plan_mode_respond", "read_file", "replace_in_file", "search_and_replace",
    "search_files", "switch_mode", "update_todo_list", "use_mcp_tool", "web_fetch",
    "write_to_file",
)  # fmt: skip
_CALL = re.compile(rf"<({'|'.join(_TOOLS)})>(.*?)</\1>", re.DOTALL)
_ARGUMENT = re.compile(r"<(\w+)>\n?(.*?)\n?</\1>", re.DOTALL)
_RESULT = re.compile(r"^\[(\w+)[^\n]*?\] Result:[ \t]*\n?", re.MULTILINE)
_NOT_RUN = re.compile(r"^Tool \[(\w+)[^\n]*\] was not executed", re.MULTILINE)
_SURROUNDINGS = "<environment_details>"
_FAILED = re.compile(r"(?:failed with the following error:?\s*(?:<error>)?|<error>)\s*", re.I)
_DENIED = re.compile(r"\s*(?:the user denied this operation|.{0,80}was not executed)", re.I)
_RUNS_PROGRAMS = {"execute_command", "use_mcp_tool"}


def split_calls(text: str) -> Iterator[tuple[str | None, str]]:
    """Plain text as (None, text) and calls in tags as (tool, arguments)."""
    end = 0
    for match in _CALL.finditer(text):
        if before := text[end : match.start()].strip():
            yield None, before
        yield match[1], compact_json(dict(_ARGUMENT.findall(match[2])))
        end = match.end()
    if tail := text[end:].strip():
        yield None, tail


def split_results(text: str) -> Iterator[tuple[str | None, str]]:
    """Split text into (tool, result) for results and (None, text) for anything else."""
    heads = [*_RESULT.finditer(text), *_NOT_RUN.finditer(text)]
    heads.sort(key=lambda found: found.start())
    edges = [*(match.start() for match in heads), len(text)]
    if before := text[: edges[0]].strip():
        yield None, before
    for match, end in zip(heads, edges[1:], strict=True):
        piece = text[match.end() if match.re is _RESULT else match.start() : end]
        result, mark, surroundings = piece.partition(_SURROUNDINGS)
        yield match[1], result.strip()
        if mark:
            yield None, mark + surroundings


def failure_in(tool: str, text: str) -> tuple[str | None, bool]:
    """The error by a result's text, and True when the tool ran."""
    if _DENIED.match(text) or is_refusal(text):
        return first_line(text) or "error", False
    if match := _FAILED.search(text[:400]):
        return first_line(text[match.end() :]) or "error", True
    return error_in(text) if tool in _RUNS_PROGRAMS else None, True
