"""Which extra a missing package comes with: a module's name in, a sentence with its command out.

The extras are read from the installed package itself, so that a new one is known here at once.
"""

import re

WITH_ANOTHER = {
    "anyio": "bench",
    "httpcore": "bench",
    "httpx": "bench",
    "mcp_types": "bench",
    "tenacity": "bench",
    "uvicorn": "bench",
    "triton": "depth",
}
"""Modules that come with a package of the extra and are not named by it."""
ALL_OF_THEM = "dev"
_REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+).*extra == ['\"]([a-z]+)['\"]")


def install_hint(module: str) -> str | None:
    """What to install for a module that is missing; None when no extra has it."""
    top = module.partition(".")[0]
    extra = WITH_ANOTHER.get(top) or _extras().get(top.replace("_", "-"))
    if extra is None:
        return None
    return (
        f"expected the package {top.replace('_', '-')}, which this needs, found none. "
        f"Install it: pip install 'agentdyno[{extra}]'"
    )


def _extras() -> dict[str, str]:
    """The extra of each package; the first that names it."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        lines = requires("agentdyno") or []
    except PackageNotFoundError:  # Sources on the path, and nothing installed.
        return {}
    found: dict[str, str] = {}
    for line in lines:
        if (matched := _REQUIREMENT.match(line)) and matched[2] != ALL_OF_THEM:
            found.setdefault(matched[1].lower().replace("_", "-"), matched[2])
    return found
