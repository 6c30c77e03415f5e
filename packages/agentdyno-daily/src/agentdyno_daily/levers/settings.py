"""Which file of which agent says what: a lever and the agents of a ledger in, exact edits out.

Names and meanings as the agents document them. An agent that has no such setting gets no edit.
"""

from collections.abc import Callable, Iterable
from typing import Any

from agentdyno.studies.cost.lever import FileEdit

CLAUDE, CODEX = "~/.claude/settings.json", "~/.codex/config.toml"
GEMINI, QWEN = "~/.gemini/settings.json", "~/.qwen/settings.json"
OPENCODE = "~/.config/opencode/opencode.json"

Make = Callable[[Any], tuple[str, list[str], Any]]
_SET: dict[str, dict[str, Make]] = {
    "cache for 1 hour": {
        "claude_code": lambda _: (CLAUDE, ["env", "ENABLE_PROMPT_CACHING_1H"], "1"),
    },
    "cache for 5 minutes": {
        "claude_code": lambda _: (CLAUDE, ["env", "FORCE_PROMPT_CACHING_5M"], "1"),
    },
    "sub-agents": {
        "claude_code": lambda name: (CLAUDE, ["env", "CLAUDE_CODE_SUBAGENT_MODEL"], name),
    },
    "server off here": {
        "codex": lambda at: (f"{at[0]}/.codex/config.toml", ["mcp_servers", at[1], "enabled"],
                             False),
        "opencode": lambda at: (f"{at[0]}/opencode.json", ["mcp", at[1], "enabled"], False),
    },
    "server off": {
        "codex": lambda name: (CODEX, ["mcp_servers", name, "enabled"], False),
        "opencode": lambda name: (OPENCODE, ["mcp", name, "enabled"], False),
    },
}  # fmt: skip
_ADD: dict[str, dict[str, Make]] = {
    "server off": {
        "claude_code": lambda name: (CLAUDE, ["disabledMcpjsonServers"], [name]),
        "gemini_cli": lambda name: (GEMINI, ["mcp", "excluded"], [name]),
        "qwen_code": lambda name: (QWEN, ["mcp", "excluded"], [name]),
    },
    "server off here": {
        "claude_code": lambda at: (f"{at[0]}/.claude/settings.local.json",
                                   ["disabledMcpjsonServers"], [at[1]]),
        "gemini_cli": lambda at: (f"{at[0]}/.gemini/settings.json", ["mcp", "excluded"], [at[1]]),
        "qwen_code": lambda at: (f"{at[0]}/.qwen/settings.json", ["mcp", "excluded"], [at[1]]),
    },
    "tools off": {"claude_code": lambda names: (CLAUDE, ["permissions", "deny"], names)},
}  # fmt: skip
CAVEATS = {
    "ENABLE_PROMPT_CACHING_1H": "Claude Code 2.1.108 or later",
    "FORCE_PROMPT_CACHING_5M": "Claude Code 2.1.108 or later",
    "disabledMcpjsonServers": "servers of a project's .mcp.json; /mcp turns off others",
    "CLAUDE_CODE_SUBAGENT_MODEL": "all sub-agents, those too whose own file names a model",
}
"""By the last word of a setting: for what it holds, where that is not all that the lever says."""


def list_edits(name: str, value: Any, agents: Iterable[str]) -> list[FileEdit]:
    """The edits for those of the agents that have the setting."""
    found = []
    for agent in agents:
        for table, adds in ((_SET, False), (_ADD, True)):
            if (make := table.get(name, {}).get(agent)) is not None:
                file, key, chosen = make(value)
                found.append(FileEdit(agent=agent, file=file, key=key, value=chosen, adds=adds))
    return found


def list_caveats(edits: Iterable[FileEdit]) -> list[str]:
    """What a user has to know of these settings before they are written."""
    words = dict.fromkeys(edit.key[-1] for edit in edits if edit.key)
    return [f"{word} holds for: {CAVEATS[word]}." for word in words if word in CAVEATS]


def describe_edits(edits: Iterable[FileEdit]) -> str:
    """All of them in words."""
    return "; ".join(edit.describe() for edit in edits)
