"""The list of sessions: filtered, searched, sorted and grouped.

Takes a snapshot and what the page asks for, returns rows of one page of the list. A session is a
main trajectory with every sub-agent under it. Reads figures and names, no text of a conversation;
what is searched in texts is `search`.
"""

from collections.abc import Collection
from typing import Any, Literal, get_args

import polars as pl
from msgspec import Struct

from agentdyno.findings.patterns import unshown_patterns
from agentdyno.records.failures import CHECKS, DOUBTFUL
from agentdyno.records.local_days import local_days
from agentdyno.studies.roots import roots_of
from agentdyno.studies.volumes import sum_known
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.words import clean_id, clean_words

Sort = Literal["cost", "started_at", "turns", "calls", "hit_rate", "findings", "title"]
Grouping = Literal["day", "project", "branch", "agent", "model"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
MOST_ROWS = 200
MOST_NAMES = 60
"""Names that a filter offers, the most frequent first."""
COLUMNS = (
    "trajectory_id", "parent_id", "title", "project", "branch", "format", "model", "started_at",
    "ended_at", "turns", "calls", "usd", "pte", "correct", "benchmark", "variant", "task_id",
    "source",
)  # fmt: skip
SEARCHED = ("title", "project", "branch", "agent", "model", "benchmark", "variant", "task_id", "id")


class ListQuery(Struct, frozen=True, kw_only=True):
    """What the page asks of the list."""

    q: str = ""
    """Words, all of which a session has in its names, subjects or texts."""
    sort: Sort = "started_at"
    """The column it is sorted by."""
    up: bool = False
    """Whether the smallest comes first."""
    group: Grouping | None = None
    """What sessions are put together by."""
    filters: dict[str, str] = {}
    """Day, project, branch, agent or model -> the name that a session has; empty: none."""
    offset: int = 0
    """Rows before the page of the list."""
    limit: int = 100
    """Rows of it."""


def list_sessions(
    snapshot: Snapshot, query: ListQuery, texts: Collection[str] = ()
) -> dict[str, Any]:
    """One page of the list with the sums of all that match. `texts`: trajectories in whose texts
    the words were found."""
    rows, order = sessions_of(snapshot), _order(snapshot, query)
    matches = find_matches(snapshot, query, texts)
    if matches is not None:
        order, selected = order.filter(matches.gather(order)), rows.filter(matches)
    else:
        selected = rows
    page = rows[order.slice(max(query.offset, 0), min(max(query.limit, 1), MOST_ROWS))]
    return {
        "generation": snapshot.generation,
        "unit": snapshot.costs.unit,
        "is_unit_chosen": snapshot.ledger.options.get("unit") is not None,
        "total": len(rows),
        "matching": len(selected),
        "cost": _sum(selected["cost"]),
        "unpriced": int(selected["unpriced"].sum()),
        "rows": [_clean(row) for row in page.drop("haystack").iter_rows(named=True)],
        "groups": _sum_groups(selected, query.group) if query.group else None,
    }


def find_matches(
    snapshot: Snapshot, query: ListQuery, texts: Collection[str] = ()
) -> pl.Series | None:
    """For each session whether the filters and the words leave it; None where none are given."""
    rows = sessions_of(snapshot)
    conditions = [
        pl.col(name) == query.filters[name] if query.filters[name] else pl.col(name).is_null()
        for name in GROUPINGS
        if name in query.filters
    ]
    if words := query.q.lower().split():
        named = pl.all_horizontal(pl.col("haystack").str.contains(w, literal=True) for w in words)
        about = _roots_of_subjects(snapshot, words) | {root_of(snapshot, name) for name in texts}
        conditions.append(named | pl.col("id").is_in(list(about)))
    if not conditions:
        return None
    return rows.select(pl.all_horizontal(conditions).fill_null(False)).to_series()


def sessions_of(snapshot: Snapshot) -> pl.DataFrame:
    """Every session of the snapshot, one row each."""
    return snapshot.once("sessions", lambda: _build(snapshot))


def root_of(snapshot: Snapshot, name: str) -> str:
    """The session that a trajectory belongs to."""
    return roots(snapshot).get(name, name)


def roots(snapshot: Snapshot) -> dict[str, str]:
    """Every trajectory, with its session."""

    def find() -> dict[str, str]:
        rows = snapshot.select("trajectories", "trajectory_id", "parent_id")
        started = rows.filter(pl.col("parent_id").is_not_null())
        family = [*started["trajectory_id"], *started["parent_id"]]
        near = rows.filter(pl.col("trajectory_id").is_in(family))
        names = rows["trajectory_id"].to_list()
        return dict(zip(names, names, strict=True)) | dict(roots_of(near).iter_rows())

    return snapshot.once("roots", find)


def list_names(snapshot: Snapshot) -> dict[str, list[tuple[str | None, int]]]:
    """The names that each filter offers, with how many sessions have them."""
    rows = sessions_of(snapshot)
    counted = {name: rows[name].value_counts(sort=True).head(MOST_NAMES) for name in GROUPINGS}
    return {name: list(counts.iter_rows()) for name, counts in counted.items()}


def _build(snapshot: Snapshot) -> pl.DataFrame:
    rows = snapshot.costs.on(snapshot.select("trajectories", *COLUMNS))
    keys = pl.DataFrame(
        {"trajectory_id": list(roots(snapshot)), "session": list(roots(snapshot).values())},
        schema={"trajectory_id": pl.String, "session": pl.String},
    )
    findings = _count_findings(snapshot)
    joined = (
        rows.join(keys, on="trajectory_id", how="left", maintain_order="left")
        .join(_sum_turns(snapshot), on="trajectory_id", how="left", maintain_order="left")
        .join(findings, on="trajectory_id", how="left", maintain_order="left")
    )
    context = pl.col("known_context").sum()
    sums = joined.group_by("session").agg(
        pl.col("turns", "calls").sum(),
        sum_known("cost"),
        sum_known("usd"),
        pl.col("ended_at").max(),
        sub_agents=pl.len() - 1,
        unpriced=pl.col("cost").null_count(),
        findings=pl.col("findings").sum(),
        hit_rate=pl.when(context > 0).then(pl.col("cached").sum() / context),
    )
    named = rows.select(
        "title", "project", "branch", "model", "started_at", "correct", "benchmark", "variant",
        "task_id", "source", session="trajectory_id", agent="format",
    )  # fmt: skip
    haystack = pl.concat_str(SEARCHED, separator="\n", ignore_nulls=True).str.to_lowercase()
    findings = named.join(sums, on="session", how="inner").rename({"session": "id"})
    started = findings.select(at=pl.coalesce("started_at", "ended_at"))["at"]
    return findings.with_columns(day=local_days(started), haystack=haystack)


def _sum_turns(snapshot: Snapshot) -> pl.DataFrame:
    """Per trajectory: context tokens of turns whose cache is known, and those read from it."""
    has_cached = pl.col("cached_tokens").is_not_null()
    turns = snapshot.ledger.scan("turns").group_by("trajectory_id")
    sums = turns.agg(
        known_context=pl.col("context_tokens").filter(has_cached).sum(),
        cached=pl.col("cached_tokens").sum(),
    )
    return sums.collect()


def _count_findings(snapshot: Snapshot) -> pl.DataFrame:
    patterns = snapshot.ledger.scan("patterns").filter(~pl.col("pattern").is_in(unshown_patterns()))
    doubts = snapshot.ledger.scan("failures").filter(
        pl.col("rule").is_in(CHECKS) & (pl.col("label") == DOUBTFUL)
    )
    both = pl.concat([frame.select("trajectory_id") for frame in (patterns, doubts)])
    return both.group_by("trajectory_id").agg(findings=pl.len()).collect()


def _roots_of_subjects(snapshot: Snapshot, words: list[str]) -> set[str]:
    """Sessions with a call about something whose name has all words."""
    subjects = snapshot.once("subjects", lambda: _read_subjects(snapshot))
    holds = pl.all_horizontal(pl.col("lower").str.contains(w, literal=True) for w in words)
    ids = subjects.filter(holds)["trajectory_id"]
    return {root_of(snapshot, name) for name in ids}


def _read_subjects(snapshot: Snapshot) -> pl.DataFrame:
    rows = snapshot.ledger.scan("calls").select("trajectory_id", "subject").drop_nulls()
    return rows.unique().with_columns(lower=pl.col("subject").str.to_lowercase()).collect()


def _order(snapshot: Snapshot, query: ListQuery) -> pl.Series:
    """The places of all sessions in the order that is asked for, worked out once for each; groups
    other than days come by their cost."""

    def sort() -> pl.Series:
        by, flags = [pl.col(query.sort), pl.col("id")], [not query.up, False]
        if query.group is not None:
            group = pl.col(query.group)
            first = group if query.group == "day" else pl.col("cost").sum().over(group)
            by, flags = [first, group, *by], [True, False, *flags]
        places = pl.arg_sort_by(by, descending=flags, nulls_last=True)
        return sessions_of(snapshot).select(places).to_series()

    return snapshot.once(("order", query.sort, query.up, query.group), sort)


def _sum_groups(rows: pl.DataFrame, by: Grouping) -> list[dict[str, Any]]:
    sums = rows.group_by(name=pl.col(by)).agg(
        sum_known("cost"), sessions=pl.len(), turns=pl.col("turns").sum()
    )
    return sums.to_dicts()


def _sum(values: pl.Series) -> float | None:
    return float(values.sum()) if values.count() else None


def _clean(row: dict[str, Any]) -> dict[str, Any]:
    title = row["title"] or row["task_id"] or row["source"]
    words = {name: clean_words(row[name]) for name in ("model", "agent", "variant", "benchmark")}
    names = {name: clean_id(row[name]) for name in ("project", "branch")}
    # A filter asks for the name as it is, so it goes along where cleaning changed it.
    raw = {f"{name}_is": row[name] for name in names if names[name] != row[name]}
    return row | words | names | raw | {"title": clean_words(title, 160)}
