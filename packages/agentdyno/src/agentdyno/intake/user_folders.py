"""Folders of a user's data on each platform, and the user's own ledger among them.

Imports only what Python has at hand: the status hook waits for it.
"""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def user_ledger(
    environment: Mapping[str, str] = os.environ,
    home: "Path | None" = None,
    platform: str = sys.platform,
) -> "Path":
    """The ledger of this user: `AGENTDYNO_LEDGER`, or a folder of the platform's data folder."""
    from pathlib import Path

    return Path(user_ledger_path(environment, None if home is None else str(home), platform))


def user_ledger_path(
    environment: Mapping[str, str] = os.environ,
    home: str | None = None,
    platform: str = sys.platform,
) -> str:
    """The same for whoever waits even for `pathlib`."""
    if named := environment.get("AGENTDYNO_LEDGER"):
        return named
    home = os.path.expanduser("~") if home is None else home
    if platform == "darwin":
        folder = os.path.join(home, "Library", "Application Support")
    elif platform == "win32":
        folder = environment.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    else:
        folder = environment.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(folder, "agentdyno", "ledger")


def platform_folders(
    environment: Mapping[str, str], home: "Path", platform: str
) -> "dict[str, Path]":
    """The folders `data` and `config` of this platform."""
    from pathlib import Path

    if platform == "darwin":
        support = home / "Library" / "Application Support"
        # Tools from Linux keep to its folders on a Mac too, but editors do not.
        return {"data": home / ".local" / "share", "config": support}
    if platform == "win32":
        roaming = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
        return {"data": home / ".local" / "share", "config": roaming}
    return {
        "data": Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share"),
        "config": Path(environment.get("XDG_CONFIG_HOME") or home / ".config"),
    }
