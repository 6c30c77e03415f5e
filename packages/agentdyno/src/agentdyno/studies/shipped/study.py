"""Joins sessions to commits and adds up; see the package for the order of things."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl

from agentdyno.estimates.estimate import Estimate, as_share
from agentdyno.estimates.means import TaskSums, clustered_mean
from agentdyno.matching.edits import line_key
from agentdyno.studies.shipped.history import Commit, History
from agentdyno.studies.shipped.joining import LineIndex, Match
from agentdyno.studies.shipped.results import Compared, Delivery, Join, SessionWork, Shipped
from agentdyno.studies.shipped.work import (
    Line,
    Session,
    SessionEdit,
    hand_on,
    list_lines,
    share_money,
)

LAST_SECONDS = 14 * 86_400.0
"""After how long it is asked whether a line still stands."""
UNNAMED = "(not named)"


def study_shipped(
    repository: str,
    history: History,
    edits: Sequence[SessionEdit],
    sessions: dict[str, Session],
    turns: pl.DataFrame,
    unread: int,
) -> Shipped:
    """`edits` are those in the repository, `sessions` those that worked in it, and `turns` are
    theirs, with `session`, `trajectory_id`, `turn`, `at` and `usd`."""
    lines = list_lines(edits, history.lines_before)
    left = share_money(edits, lines, turns)
    index = LineIndex(edits, lines)
    matches = [(commit, match) for commit in history.commits for match in index.match(commit)]
    kept = [False] * len(lines)
    for _, match in matches:
        kept[match.line] = True
    gone = hand_on(lines, kept)
    homes = _choose_commits(matches)
    lasting = _find_lasting(history, lines, homes)
    works = [*_add_up_sessions(sessions, turns, edits, lines, gone, homes, lasting)]
    on_main, on_branch = (
        sum(getattr(each, name) for each in works) for name in ("on_main_usd", "on_branch_usd")
    )
    whole = sum(each.usd or 0.0 for each in works)
    commits = _list_commits(history, edits, lines, matches, homes, lasting)
    found = [each for each in commits if each.written or each.usd]
    return Shipped(
        repository=repository,
        main=history.main,
        usd=whole,
        on_main_usd=on_main,
        on_branch_usd=on_branch,
        no_commit_usd=max(whole - on_main - on_branch - sum(left.values()), 0.0),
        nothing_written_usd=sum(left.values()),
        unpriced_turns=int(turns["usd"].null_count()),
        survived=_share_survived(works),
        commits=sorted(found, key=lambda each: -each.usd),
        units=_list_units(history, commits),
        sessions=sorted(works, key=lambda each: -(each.usd or 0.0)),
        joins=_list_joins(edits, lines, gone, homes),
        compared={by: _compare(works, by) for by in ("agent", "model")},
        all_commits=len(history.commits),
        added=sum(each.added for each in commits if each.on_main),
        written=sum(each.written for each in commits if each.on_main),
        unread=unread,
        skipped=history.skipped,
    )


def _choose_commits(matches: Iterable[tuple[Commit, Match]]) -> dict[int, tuple[Commit, Match]]:
    """Each line's one commit: the first of the main branch, else the first of any."""
    homes: dict[int, tuple[Commit, Match]] = {}
    for commit, match in matches:
        home = homes.get(match.line)
        if home is None or (commit.on_main and not home[0].on_main):
            homes[match.line] = commit, match
    return homes


def _find_lasting(
    history: History, lines: Sequence[Line], homes: dict[int, tuple[Commit, Match]]
) -> dict[int, bool]:
    """Lines of the main branch whose days are over, and whether they stand then: in their file, or
    in one to which the main branch added them meanwhile."""
    found: dict[int, bool] = {}
    standing: dict[tuple[str, float], Counter[str]] = {}
    moved_to = _index_added_lines(history)
    for place, (commit, match) in homes.items():
        until = commit.at + LAST_SECONDS
        if not commit.on_main or until > history.read_at or lines[place].is_removed:
            continue
        change = commit.changes[match.change]
        key = line_key(change.added[match.row])
        where = change.path, until
        if where not in standing:
            texts = history.lines_on_main(*where)
            standing[where] = Counter(filter(None, map(line_key, texts)))
        if standing[where][key]:
            standing[where][key] -= 1
            found[place] = True
        else:
            found[place] = any(
                commit.at < at <= until and path != change.path for at, path in moved_to[key]
            )
    return found


def _index_added_lines(history: History) -> dict[str, set[tuple[float, str]]]:
    """Each line's key, with when and in which files the main branch added it."""
    found: dict[str, set[tuple[float, str]]] = defaultdict(set)
    for commit in history.commits:
        if commit.on_main:
            for change in commit.changes:
                for line in change.added:
                    found[line_key(line)].add((commit.at, change.path))
    return found


def _add_up_sessions(
    sessions: dict[str, Session],
    turns: pl.DataFrame,
    edits: Sequence[SessionEdit],
    lines: Sequence[Line],
    gone: Sequence[bool],
    homes: dict[int, tuple[Commit, Match]],
    lasting: dict[int, bool],
) -> Iterable[SessionWork]:
    known = pl.when(pl.col("usd").count() > 0).then(pl.col("usd").sum())
    spent = dict(turns.group_by("session").agg(usd=known).iter_rows())
    by_session: dict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        by_session[edits[line.edit].session].append(place)
    for name, session in sessions.items():
        own = [place for place in by_session[name] if not gone[place]]
        main = [place for place in own if place in homes and homes[place][0].on_main]
        branch = [place for place in own if place in homes and not homes[place][0].on_main]
        written = [place for place in own if not lines[place].is_removed]
        aged = [place for place in main if place in lasting]
        yield SessionWork(
            session=name,
            title=session.title,
            model=session.model,
            agent=session.agent,
            usd=spent.get(name),
            on_main_usd=sum(lines[place].usd for place in main),
            on_branch_usd=sum(lines[place].usd for place in branch),
            lines=len(written),
            on_main=sum(not lines[place].is_removed for place in main),
            on_branch=sum(not lines[place].is_removed for place in branch),
            survived=sum(lasting[place] for place in aged),
            aged=len(aged),
        )


def _list_joins(
    edits: Sequence[SessionEdit],
    lines: Sequence[Line],
    gone: Sequence[bool],
    homes: dict[int, tuple[Commit, Match]],
) -> list[Join]:
    many, spent = (
        Counter[tuple[str, str | None]](),
        defaultdict[tuple[str, str | None], float](float),
    )
    for place, line in enumerate(lines):
        if not gone[place]:
            home = homes[place][0].name if place in homes else None
            many[edits[line.edit].session, home] += 1
            spent[edits[line.edit].session, home] += line.usd
    return [
        Join(session=session, commit=commit, lines=count, usd=spent[session, commit])
        for (session, commit), count in many.items()
    ]


def _list_commits(
    history: History,
    edits: Sequence[SessionEdit],
    lines: Sequence[Line],
    matches: Iterable[tuple[Commit, Match]],
    homes: dict[int, tuple[Commit, Match]],
    lasting: dict[int, bool],
) -> list[Delivery]:
    rows: dict[str, set[tuple[int, int]]] = defaultdict(set)
    spent: dict[str, Counter[str]] = defaultdict(Counter)
    lasted: dict[str, list[bool]] = defaultdict(list)
    counted = set[int]()
    for commit, match in matches:
        line = lines[match.line]
        if not line.is_removed:
            rows[commit.name].add((match.change, match.row))
        if homes[match.line][0] is commit and match.line not in counted:
            counted.add(match.line)
            spent[commit.name][edits[line.edit].session] += line.usd  # type: ignore[assignment]
            if match.line in lasting:
                lasted[commit.name].append(lasting[match.line])
    return [
        Delivery(
            name=commit.name,
            subject=commit.subject,
            on_main=commit.on_main,
            at=commit.at,
            commits=1,
            usd=float(sum(spent[commit.name].values())),
            sessions=[name for name, _ in spent[commit.name].most_common()],
            added=sum(bool(line_key(line)) for each in commit.changes for line in each.added),
            written=len(rows[commit.name]),
            survived=_mean(lasted[commit.name]),
        )
        for commit in history.commits
    ]


def _mean(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _list_units(history: History, commits: list[Delivery]) -> list[Delivery]:
    groups: dict[tuple[str, bool], list[Delivery]] = defaultdict(list)
    for commit, each in zip(history.commits, commits, strict=True):
        groups[commit.unit, commit.on_main].append(each)
    found = [
        Delivery(
            name=name,
            subject=members[0].subject if len(members) == 1 else None,
            on_main=on_main,
            at=max(each.at for each in members),
            commits=len(members),
            usd=sum(each.usd for each in members),
            sessions=[*dict.fromkeys(s for each in members for s in each.sessions)],
            added=sum(each.added for each in members),
            written=sum(each.written for each in members),
            survived=None,
        )
        for (name, on_main), members in groups.items()
    ]
    return sorted((each for each in found if each.usd), key=lambda each: -each.usd)


# Comparisons --------------------------------------------------------------------------------------


def _compare(works: list[SessionWork], by: str) -> list[Compared]:
    groups: dict[str, list[SessionWork]] = defaultdict(list)
    for each in works:
        if each.usd is not None:
            groups[getattr(each, by) or UNNAMED].append(each)
    found = [
        Compared(
            name=name,
            sessions=len(members),
            usd=sum(each.usd or 0.0 for each in members),
            on_main=as_share(
                _ratio(members, [e.on_main_usd for e in members], [e.usd or 0.0 for e in members])
            ),
            usd_per_line=_ratio(
                members, [e.usd or 0.0 for e in members], [e.on_main for e in members]
            ),
            survived=_share_survived(members),
        )
        for name, members in groups.items()
    ]
    return sorted(found, key=lambda each: -each.usd)


def _share_survived(works: list[SessionWork]) -> Estimate:
    return as_share(_ratio(works, [each.survived for each in works], [each.aged for each in works]))


def _ratio(works: list[SessionWork], sums: Sequence[float], counts: Sequence[float]) -> Estimate:
    """Sum over sum with an interval that draws sessions. One without anything below is nobody's
    share, and is weighed by next to nothing so that what it cost counts."""
    if not sum(counts):
        return Estimate(None, reason="nothing to divide by", method="ratio of sums by session")
    rows = sorted(zip((each.session for each in works), sums, counts, strict=True))
    kept = [row for row in rows if row[1] or row[2]]
    values, weights = ([float(row[place]) for row in kept] for place in (1, 2))
    tiny = 1e-9 * sum(weights)
    return clustered_mean(
        TaskSums([row[0] for row in kept], np.array(values), np.maximum(np.array(weights), tiny))
    )
