"""The effect of a call as a value, and how the effects of several commands add up."""

import re
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

Action = Literal["reads", "writes", "runs", "waits"]
"""`reads` leaves the world as it is, caches aside · `writes` changes it · `runs` executes code that
cannot be seen through, so it may write · `waits` lets time pass or asks if something is done."""

Certainty = Literal["parsed", "declared", "named", "unknown"]
"""By a parse of what is executed · by the tool's own annotations or arguments · by the words of its
name · by nothing: it may write."""

ANYTHING = "*"
"""In place of a resource: whatever there is."""
PACKAGES = "packages:"
"""The resource that installers change: what code that runs can import."""
PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.{1,300})$", re.MULTILINE)
"""The lines of a patch that name its files."""
_STRENGTH: dict[Action, int] = {"reads": 0, "waits": 1, "runs": 2, "writes": 3}
_DOUBT: dict[Certainty, int] = {"parsed": 0, "declared": 1, "named": 2, "unknown": 3}


class Effect(Struct, frozen=True):
    """The effect of a call on the world."""

    action: Action
    """The strongest thing it does."""
    certainty: Certainty
    programs: tuple[str, ...] = ()
    """Programs that it runs, with their subcommand (`git commit`), in order, each once."""
    reads: tuple[str, ...] = ()
    """Resources that it looks at: paths, tables, links; `*` for anything."""
    writes: tuple[str, ...] = ()
    """Resources that it changes; `*` for anything."""
    why: str = ""
    """The word or rule that decided, for whoever audits it."""

    checks: bool = False
    """True when it only runs tests, linters, type checks or builds: code runs, but sources are
    read and left as they are."""

    @property
    def may_write(self) -> bool:
        """True when the world may be another one afterwards."""
        return self.action in ("writes", "runs")


def together(effects: Iterable[Effect], certainty: Certainty = "parsed") -> Effect:
    """The effect of several commands: the strongest action, all programs and resources."""
    parts = list(effects)
    if not parts:
        return Effect("reads", certainty, why="nothing is run")
    # A line that sleeps and then looks is a look; one that only sleeps is a wait.
    acting = [e for e in parts if e.action != "waits"] or parts
    strongest = max(acting, key=lambda e: _STRENGTH[e.action])
    return Effect(
        strongest.action,
        max((e.certainty for e in parts), key=lambda c: _DOUBT[c]),
        _once(p for e in parts for p in e.programs),
        _once(r for e in parts for r in e.reads),
        _once(w for e in parts for w in e.writes),
        strongest.why,
        strongest.action == "runs"
        and all(e.checks or e.action in ("reads", "waits") for e in parts),
    )


def _once(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
