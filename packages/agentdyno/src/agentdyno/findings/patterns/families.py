"""Which tools belong together: the bundled `families.toml`, globs by family, the first that fits.

A tool that no glob fits has no family. So an airline desk with fourteen look-ups is one toolset,
while `web_search` and `python` are of two families.
"""

import tomllib
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib.resources import files


@lru_cache(maxsize=4096)
def family_of(tool: str) -> str | None:
    """The tool's family; None when no glob fits."""
    # `mcp__server__tool` is called by its last part on the server.
    name = tool.lower().rsplit("__", 1)[-1]
    families = (f for f, globs in _families().items() if any(fnmatchcase(name, g) for g in globs))
    return next(families, None)


@cache
def _families() -> dict[str, list[str]]:
    text = files(__package__).joinpath("families.toml").read_text("utf-8")
    families: dict[str, list[str]] = tomllib.loads(text)["families"]
    return families
