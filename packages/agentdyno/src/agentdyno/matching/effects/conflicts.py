"""What keeps two calls in their order: one writes what the other touches.

Takes two effects, returns the resource that both need, or None. Paths are compared as far as they
are written: `src/a.py` and `/home/me/src/a.py` may be one file, and so may `src` and `src/a.py`.
"""

from functools import lru_cache

from agentdyno.matching.effects.effect import ANYTHING, Effect

_SIGNS = "*?$[{"
"""What a shell fills in."""


def conflict(first: Effect, second: Effect) -> str | None:
    """The resource that makes the second call wait for the first."""
    if first.may_write:
        touched = (*second.reads, *second.writes)
        if (found := _common(first.writes, touched)) is not None:
            return found
    if second.may_write:
        return _common(second.writes, first.reads)
    return None


def _common(written: tuple[str, ...], touched: tuple[str, ...]) -> str | None:
    for one in written:
        for other in touched:
            if ANYTHING in (one, other):
                return other if one == ANYTHING else one
            if _same_place(one, other):
                return one
    return None


@lru_cache(maxsize=16_384)
def _same_place(one: str, other: str) -> bool:
    a, b = _plain(one), _plain(other)
    if a == b or a.startswith(f"{b}/") or b.startswith(f"{a}/"):
        return True
    if _is_open(a) or _is_open(b):
        return _may_meet(a, b)
    return a.endswith(f"/{b}") or b.endswith(f"/{a}")


def _plain(path: str) -> str:
    return path.strip().removeprefix("./").rstrip("/") or "."


def _may_meet(one: str, other: str) -> bool:
    """Whether what only a shell can spell out may be the other: their fixed folders agree."""
    a, b = _find_fixed_part(one), _find_fixed_part(other)
    if not a or not b or a.startswith(b) or b.startswith(a):
        return True
    if one[0] in "/~" and other[0] in "/~":
        return False
    return f"/{b}" in a or f"/{a}" in b


def _find_fixed_part(path: str) -> str:
    """The part of a path before anything that a shell fills in, up to its last folder."""
    ends = [place for sign in _SIGNS if (place := path.find(sign)) >= 0]
    return path[: min(ends)].rpartition("/")[0] if ends else path if path != "." else ""


def _is_open(path: str) -> bool:
    """Whether only a running shell knows what it names."""
    return path == "." or any(sign in path for sign in _SIGNS)
