"""Where programs keep a user's data on each platform, and the user's own ledger among it.

Imports only what Python has at hand: the status hook waits for it.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def user_ledger(
    environment: Mapping[str, str] = os.environ,
    home: Path | None = None,
    platform: str = sys.platform,
) -> Path:
    """The ledger of this user: `AGENTDYNO_LEDGER`, or a folder of the platform's data folder."""
    if named := environment.get("AGENTDYNO_LEDGER"):
        return Path(named)
    home = Path.home() if home is None else home
    if platform == "darwin":
        return home / "Library" / "Application Support" / "agentdyno" / "ledger"
    if platform == "win32":
        local = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
        return local / "agentdyno" / "ledger"
    return platform_folders(environment, home, platform)["data"] / "agentdyno" / "ledger"


def platform_folders(environment: Mapping[str, str], home: Path, platform: str) -> dict[str, Path]:
    """Where this platform's programs keep `data` and `config`."""
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
