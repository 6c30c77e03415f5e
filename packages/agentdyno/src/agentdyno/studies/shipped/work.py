"""What sessions wrote, line by line, and what each line cost.

A session's money goes to its edits in order: what its turns cost since the edit before goes to the
next edit, and what comes after the last to the last. Within an edit every line costs the same. A
line that a later edit of the same session replaces before any commit has it hands its money on.
An edit that only takes lines out has these for lines.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import polars as pl
from msgspec import Struct

from agentdyno.matching.edits import Edit, line_key, new_lines
from agentdyno.records import Trajectory


class Session(Struct, frozen=True, kw_only=True):
    """Who wrote."""

    session: str
    title: str | None
    project: str | None
    """The folder that it worked in."""
    branch: str | None
    """The branch that it began on."""
    agent: str
    model: str | None


class SessionEdit(Struct):
    """An edit with its place."""

    session: str
    trajectory_id: str
    """The trajectory, of a sub-agent maybe."""
    turn: int
    at: float | None
    """When; None where the trace has no times."""
    edit: Edit
    path: str = ""
    """The file as the repository names it, where it is one of its files; else as the edit does."""
    usd: float = 0.0


class Line(Struct):
    """One line that an edit wrote, or took out."""

    edit: int
    key: str
    """What makes it the same line."""
    text: str
    is_removed: bool
    """Whether the edit took it out and wrote nothing."""
    usd: float = 0.0
    """Its share of what the edit cost, and of what it replaced."""
    replaced_by: int | None = None
    """The edit of the same session that replaced it."""


def find_session_edits(
    trajectories: Iterable[Trajectory],
    sessions: dict[str, str],
    times: dict[tuple[str, int], float | None],
    find: Callable[[str, str], list[Edit]],
) -> list[SessionEdit]:
    """Edits that were carried out, in order of time."""
    found = [
        SessionEdit(
            session=sessions[each.trajectory_id], trajectory_id=each.trajectory_id, turn=call.turn,
            at=times.get((each.trajectory_id, call.turn)), edit=edit,
        )
        for each in trajectories
        if each.trajectory_id in sessions
        for call in each.calls
        if call.error is None and call.harness is None
        for edit in find(call.tool, call.arguments)
    ]  # fmt: skip
    return sorted(found, key=lambda each: (each.at is None, each.at or 0.0))


def name_paths(
    edits: Iterable[SessionEdit], paths: frozenset[str], roots: Sequence[str]
) -> list[SessionEdit]:
    """Those in the repository, each with the path that this has: below one of its folders on this
    machine, or a path of another machine that ends as one of the repository's does."""
    endings: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        endings[path.rsplit("/", 1)[-1]].append(path)
    kept = []
    for each in edits:
        plain = each.edit.path.replace("\\", "/").removeprefix("./")
        known = (p for p in endings[plain.rsplit("/", 1)[-1]] if f"/{plain}".endswith(f"/{p}"))
        found = max(known, key=len, default=None)
        if found is None:
            root = next((r for r in roots if plain.startswith(f"{r}/")), None)
            found = plain[len(root) + 1 :] if root else None
            found = found or (plain if plain in paths or not _is_absolute(plain) else None)
        if found is not None:
            each.path = found
            kept.append(each)
    return kept


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "~")) or path[1:3] == ":/"


def list_lines(
    edits: Sequence[SessionEdit], lines_before: Callable[[str, float], Sequence[str] | None]
) -> list[Line]:
    """What the edits wrote anew. A file that is written whole is held against what the session knew
    of it, else against the last commit before."""
    known: dict[tuple[str, str], list[str]] = {}
    standing: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    lines: list[Line] = []
    for place, each in enumerate(edits):
        where, edit = (each.session, each.path), each.edit
        if edit.is_whole:
            before = known.get(where)
            if before is None:
                before = [*(lines_before(each.path, each.at) or ())] if each.at is not None else []
            added, removed = new_lines(before, edit.added), new_lines(edit.added, before)
            known[where] = edit.added
        else:
            added, removed = edit.added, edit.removed
            if where in known:
                known[where] = [*new_lines(removed, known[where]), *added]
        for line in removed:
            if ours := standing[where][line_key(line)]:
                lines[ours.pop()].replaced_by = place
        for line in added or removed:
            if key := line_key(line):
                if added:
                    standing[where][key].append(len(lines))
                lines.append(Line(place, key, line, not added))
    return lines


def share_money(
    edits: Sequence[SessionEdit], lines: Sequence[Line], turns: pl.DataFrame
) -> dict[str, float]:
    """Sets what every edit and line cost. Returns what sessions cost that wrote no line; `turns`
    have `session`, `trajectory_id`, `turn`, `at` and `usd`."""
    many: dict[int, int] = defaultdict(int)
    for line in lines:
        many[line.edit] += 1
    at_turn: dict[tuple[str, int], list[int]] = defaultdict(list)
    for place, each in enumerate(edits):
        if many[place]:
            at_turn[each.trajectory_id, each.turn].append(place)
    left: dict[str, float] = {}
    ordered = turns.sort("session", "at", "trajectory_id", "turn", nulls_last=True)
    for (session,), rows in ordered.group_by("session", maintain_order=True):
        pending, last = 0.0, list[int]()
        for name, turn, usd in rows.select("trajectory_id", "turn", "usd").iter_rows():
            pending += usd or 0.0
            if here := at_turn.get((name, turn)):
                _split(edits, many, here, pending)
                pending, last = 0.0, here
        if last:
            _split(edits, many, last, pending)
        else:
            left[str(session)] = pending
    for line in lines:
        line.usd += edits[line.edit].usd / many[line.edit]
    return left


def _split(edits: Sequence[SessionEdit], many: dict[int, int], here: list[int], usd: float) -> None:
    whole = sum(many[place] for place in here)
    for place in here:
        edits[place].usd += usd * many[place] / whole


def hand_on(lines: Sequence[Line], is_kept: Sequence[bool]) -> list[bool]:
    """Money of lines that were replaced before any commit had them goes to those that replaced
    them. Says which lines are of no account any more."""
    of_edit: dict[int, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        of_edit[line.edit].append(place)
    gone = [False] * len(lines)
    for place, line in enumerate(lines):
        heirs = of_edit.get(line.replaced_by, []) if line.replaced_by is not None else []
        if heirs and not is_kept[place] and line.replaced_by != line.edit:
            for heir in heirs:
                lines[heir].usd += line.usd / len(heirs)
            line.usd, gone[place] = 0.0, True
    return gone
