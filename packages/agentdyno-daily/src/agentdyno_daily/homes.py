"""Session folders of coding agents on this machine.

An environment, a home folder and a platform in, folders out: for each known agent those that exist.
The agent's own variable wins over its usual place, as it does for the agent; variables that ccusage
reads are respected too. Looks at folders, opens no file.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from agentdyno.intake.session_folders import Agent, Home, SessionFolders
from agentdyno.intake.user_folders import platform_folders

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")


def _extension(*ids: str) -> tuple[str, ...]:
    """Folders where editors keep an extension's tasks, here and by their server on a remote
    host.
    """
    inside = [
        f"{{config}}/{editor}/User/globalStorage/{extension_id}"
        for extension_id in ids
        for editor in _EDITORS
    ]
    remote = [f".vscode-server/data/User/globalStorage/{extension_id}" for extension_id in ids]
    return (*inside, *remote)


AGENTS = (
    Agent(
        "Claude Code", "claude_code", (".claude", ".config/claude"), ("projects",),
        ("CLAUDE_CONFIG_DIR",),
    ),
    Agent("Codex", "codex", (".codex",), ("sessions", "archived_sessions"), ("CODEX_HOME",)),
    Agent("Copilot CLI", "copilot_cli", (".copilot",), ("session-state",), ("COPILOT_HOME",)),
    Agent(
        "Copilot in VS Code", "copilot_vscode", tuple(f"{{config}}/{e}/User" for e in _EDITORS),
        ("workspaceStorage", "globalStorage/emptyWindowChatSessions"),
    ),
    Agent("OpenCode", "opencode", ("{data}/opencode",), variables=("OPENCODE_DATA_DIR",)),
    Agent("Gemini CLI", "gemini_cli", (".gemini/tmp",), variables=("GEMINI_DATA_DIR",)),
    Agent("Qwen Code", "qwen_code", (".qwen",), ("projects", "tmp"), ("QWEN_DATA_DIR",)),
    Agent("Pi", "pi", (".pi/agent/sessions",), variables=("PI_AGENT_DIR",)),
    Agent(
        "OpenClaw", "openclaw", (".openclaw", ".clawdbot"), ("agents",),
        ("OPENCLAW_STATE_DIR", "OPENCLAW_DIR"),
    ),
    Agent("Cline", "cline", (*_extension("saoudrizwan.claude-dev"), ".cline/data")),
    Agent("Roo Code", "cline", _extension("rooveterinaryinc.roo-cline")),
    Agent("Kilo Code", "cline", _extension("kilocode.kilo-code")),
    Agent("OpenHands", "openhands", (".openhands/conversations",)),
    Agent("Kimi CLI", "kimi", (".kimi",), ("sessions",), ("KIMI_SHARE_DIR",)),
    Agent("Kiro CLI", "kiro", (".kiro",), ("sessions/cli",), ("KIRO_HOME",)),
    Agent("Continue", "continue", (".continue/sessions",), variables=("CONTINUE_GLOBAL_DIR",)),
    Agent("Hermes", "hermes", (".hermes",), variables=("HERMES_HOME",)),
    Agent("Crush", "crush", ()),
    Agent("Aider", "aider", ()),
)  # fmt: skip
"""By how many people use them; those without a folder keep their sessions in each project."""


UNREAD = {
    "Amp": ("{data}/amp/threads",),
    "Antigravity": (".gemini/antigravity",),
    "Cursor": (".cursor/projects",),
    "Droid": (".factory/sessions",),
    "Goose": ("{data}/goose/sessions", "{config}/Block/goose/data/sessions"),
    "Grok CLI": (".grok",),
    "Kimi Code": (".kimi-code/sessions",),
    "Kiro's editor": ("{config}/Kiro/User/globalStorage/kiro.kiroagent",),
    "Mistral Vibe": (".vibe/logs/session",),
    "Oh My Pi": (".omp/agent/sessions",),
    "Zed": ("{data}/zed/threads",),
    "gptme": ("{data}/gptme/logs",),
}
"""Agents whose sessions nothing here reads, and their usual folders: what is missing is named."""


def find_unread_agents(
    environment: Mapping[str, str] = os.environ,
    home: Path | None = None,
    platform: str = sys.platform,
) -> list[str]:
    """Those of `UNREAD` of which a folder exists and is not empty."""
    home = Path.home() if home is None else home
    places = platform_folders(environment, home, platform)
    return [
        name
        for name, folders in UNREAD.items()
        if any(_holds_something(_expand(folder, home, places)) for folder in folders)
    ]


def _holds_something(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except OSError:
        return False


def find_homes(
    environment: Mapping[str, str] = os.environ,
    home: Path | None = None,
    platform: str = sys.platform,
) -> list[Home]:
    """The session folders that exist, in the order of `AGENTS`."""
    home = Path.home() if home is None else home
    places = platform_folders(environment, home, platform)
    return [
        session_home
        for agent in AGENTS
        for session_home in _homes_of(agent, environment, home, places)
    ]


def find_homes_in(folder: Path) -> list[Home]:
    """The session folders in a folder that is, or was, somebody's home; no variable counts."""
    return find_homes({}, folder)


def _homes_of(
    agent: Agent, environment: Mapping[str, str], home: Path, places: dict[str, Path]
) -> Iterator[Home]:
    variable = next((name for name in agent.variables if environment.get(name, "").strip()), None)
    if variable is None:
        roots = [_expand(folder, home, places) for folder in agent.folders]
    else:
        named = [part.strip() for part in environment[variable].split(",")]
        roots = [_expand(part, home, places) for part in named if part]
    seen: set[Path] = set()
    for root in roots:
        for folder in _session_folders(root, agent.below):
            if (real := folder.resolve()) not in seen:
                seen.add(real)
                yield Home(agent, folder, variable)


def _session_folders(root: Path, below: tuple[str, ...]) -> Iterator[Path]:
    """A variable may name the folder of the sessions itself."""
    inside = [root / name for name in below if (root / name).is_dir()]
    if inside:
        yield from inside
    elif root.is_dir() and root.name in below:
        yield root


def _expand(folder: str, home: Path, places: dict[str, Path]) -> Path:
    if folder == "~" or folder.startswith(("~/", "~\\")):
        return home / folder[2:]
    for name, platform_folder in places.items():
        if folder.startswith(mark := f"{{{name}}}/"):
            return platform_folder / folder.removeprefix(mark)
    return home / folder


FOLDERS = SessionFolders("coding agents", AGENTS, find_homes, find_unread_agents, find_homes_in)
