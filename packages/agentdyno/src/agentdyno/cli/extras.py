"""Which extra a missing package comes with: a module's name in, a sentence with its command out.

What each of our packages needs is read from its own metadata, so that a new one is known at once.
"""

import re

from agentdyno.plugins import OURS

WITH_ANOTHER = {
    "anyio": "bench",
    "httpcore": "bench",
    "mcp_types": "bench",
    "tenacity": "bench",
    "uvicorn": "bench",
    "triton": "depth",
}
"""Modules that come with a package that is needed, and are not named themselves."""
MODULES = {"vl-convert": "vl-convert-python"}
"""Modules by the package that has them, where their names differ."""
_REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)(?:.*extra == ['\"]([a-z]+)['\"])?")


def install_hint(module: str) -> str | None:
    """What to install for a module that is missing; None when no extra has it."""
    top = module.partition(".")[0]
    package = MODULES.get(top.replace("_", "-"), top.replace("_", "-"))
    extra = WITH_ANOTHER.get(top) or _extras().get(package)
    if extra is None:
        return None
    return (
        f"expected the package {package}, which this needs, found none. "
        f"Install it: pip install 'agentdyno[{extra}]'"
    )


def _extras() -> dict[str, str]:
    """The extra of each package; the first that names it."""
    from importlib.metadata import PackageNotFoundError, requires

    found: dict[str, str] = {}
    for name in OURS:
        try:
            lines = requires(name.replace("_", "-")) or []
        except PackageNotFoundError:  # Not installed, or sources on the path.
            continue
        own = name.partition("_")[2]
        for line in lines:
            matched = _REQUIREMENT.match(line)
            if matched and (extra := matched[2] or own):
                found.setdefault(matched[1].lower().replace("_", "-"), extra)
    return found
