"""Which earlier call wrote what a call touches: a test after an edit, a file read again.

Takes an index, returns for a call the latest earlier one whose writing it has to wait for. Of calls
that wrote nobody knows what, and of calls that may touch anything, nothing is claimed.
"""

from bisect import bisect_left
from collections.abc import Iterator

from agentdyno.matching.appearances import Appearances
from agentdyno.matching.effects import Effect, conflict
from agentdyno.matching.effects.calls import NOTES
from agentdyno.matching.effects.effect import ANYTHING, PACKAGES
from agentdyno.matching.paths import paths_of, plain_path

SERVICES = frozenset(["git:remote", "github:"])
"""Resources that only the programs of a service look at."""
REMOVING = frozenset(["rm", "rmdir", "unlink", "trash"])
"""Programs behind which there is nothing left to touch."""
MOST_WRITERS = 30
"""Earlier calls that may have written, of which the latest are looked at."""


class Writers:
    """The calls of a trajectory that are known to write something."""

    def __init__(self, index: Appearances) -> None:
        self._index = index
        self._calls, self._effects = index.calls, index.effects
        self._places = [n for n, effect in enumerate(index.effects) if _writes_something(effect)]
        self._inner = {n for n in self._places if _writes_inside(index.effects[n])}

    def before(self, target: int) -> Iterator[tuple[int, str]]:
        """The latest earlier call whose writing the target has to wait for, with what it wrote."""
        turn, target_effect = self._calls[target].turn, self._effects[target]
        if _is_vague(target_effect):
            return
        end = bisect_left(self._places, target)
        for source in reversed(self._places[max(0, end - MOST_WRITERS) : end]):
            call, source_effect = self._calls[source], self._effects[source]
            if call.turn >= turn or not call.executed or call.error:
                continue
            if source in self._inner and _is_inner(source_effect, target_effect):
                continue
            if (path := conflict(source_effect, target_effect)) is None or not _is_plain(
                source_effect, target_effect
            ):
                continue
            if not self._is_apart(source, target):
                yield source, source_effect.writes[0] if path == ANYTHING else path
                return

    def _is_apart(self, source: int, target: int) -> bool:
        """Whether a run that names its own files follows a new file that it does not name: a script
        made to be run by itself changes nothing for the tests."""
        if ANYTHING not in self._effects[target].reads or PACKAGES in self._effects[source].writes:
            return False
        written = [plain_path(path) for path in self._effects[source].writes]
        named = [p for value in self._index.arguments[target] for p, _, _ in paths_of(value)]
        files = [path for path in named if "." in path.rpartition("/")[2].strip(".")]
        return bool(files) and all(
            self._index.origin(path.rpartition("/")[2].lower(), self._calls[source].turn) is None
            and not any(path.endswith(name.lstrip("./")) for name in files)
            for path in written
        )


def _writes_something(effect: Effect) -> bool:
    """Of what wrote nobody knows what, anything would follow; what was removed is gone."""
    if effect.programs and REMOVING.issuperset(effect.programs):
        return False
    return effect.may_write and bool(effect.writes) and ANYTHING not in effect.writes


def _writes_inside(wrote: Effect) -> bool:
    """Whether only packages were written, or only the repository or a service of it."""
    repository = all(w in (".git", *SERVICES) or w.endswith("/.git") for w in wrote.writes)
    return repository or all(w == PACKAGES for w in wrote.writes)


def _is_inner(wrote: Effect, touches: Effect) -> bool:
    """Whether the other is no tool of what was written inside: a test run touches anything, and a
    commit changes nothing for it."""
    users = {program.split()[0] for program in touches.programs}
    if PACKAGES in wrote.writes:
        return touches.action != "runs"
    if SERVICES.issuperset(wrote.writes):
        return "gh" not in users
    return not users & {"git", "gh"}


def _is_plain(wrote: Effect, touches: Effect) -> bool:
    """Whether it is the very thing: a search through a folder says nothing about one file in it,
    and the notes of an agent are many small things under one name."""
    if NOTES in wrote.writes:
        return False
    if touches.may_write or any(p.startswith("git") for p in touches.programs):
        return True
    return any(
        written.endswith(other.lstrip("./")) for written in wrote.writes for other in touches.reads
    )


def _is_vague(effect: Effect) -> bool:
    """Whether all that is known is that it may touch anything."""
    if effect.action == "reads":
        return ANYTHING in effect.reads and not any(p.startswith("git") for p in effect.programs)
    touched = effect.writes or effect.reads
    return ANYTHING in touched and effect.certainty in ("named", "unknown")
