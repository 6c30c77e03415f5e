"""Opens a ledger with its traces and a repository, and asks what the sessions shipped."""

from pathlib import Path

import polars as pl

from agentdyno.ledger.working_copy import local_folder
from agentdyno.matching.edits import find_edits
from agentdyno.pipelines.repository import list_work_trees, read_history
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.selection import SelectedTables, Selection
from agentdyno.studies.sessions import find_roots
from agentdyno.studies.shipped.results import Shipped
from agentdyno.studies.shipped.study import study_shipped
from agentdyno.studies.shipped.work import Session, find_session_edits, name_paths
from agentdyno.studies.tables import Texts

BEFORE_SECONDS = 86_400.0
"""Commits are read from a day before the first session on: clocks differ."""


def find_shipped(
    ledger: Path, repository: Path, selection: Selection | None = None, main: str | None = None
) -> Shipped:
    """Sessions with a turn in the selection, whole, against every commit since."""
    texts: Texts = ReadableLedger(local_folder(ledger))
    unread = len(texts.unreadable())
    if selection is not None:
        texts = SelectedTables(texts, selection, cuts=False)
    context = ReportContext(texts)
    turns, sessions = _read_turns(context), _read_sessions(context)
    first = turns["at"].min()
    since = float(first) - BEFORE_SECONDS if isinstance(first, float) else None
    history = read_history(repository, since, main)
    times = {(name, turn): at for name, turn, at in
             turns.select("trajectory_id", "turn", "at").iter_rows()}  # fmt: skip
    roots = dict(turns.select("trajectory_id", "session").unique().iter_rows())
    places = list_work_trees(repository)
    edits = find_session_edits(texts.trajectories(), roots, times, find_edits)
    edits = name_paths(edits, history.paths, places)
    here = {each.session for each in edits} | {
        name for name, each in sessions.items() if each.project and _is_in(each.project, places)
    }
    if not here:
        raise InputError(
            f"{repository}: expected sessions that worked in it, found none among "
            f"{len(sessions):,}. Name the folder that they worked in, or a longer stretch."
        )
    own = turns.filter(pl.col("session").is_in(sorted(here)))
    known = {name: each for name, each in sessions.items() if name in here}
    return study_shipped(str(repository), history, edits, known, own, unread)


def _is_in(project: str, places: list[str]) -> bool:
    plain = project.replace("\\", "/").rstrip("/")
    names = {place.rsplit("/", 1)[-1] for place in places}
    return any(f"{plain}/".startswith(f"{place}/") for place in places) or (
        plain.rsplit("/", 1)[-1] in names
    )


def _read_turns(context: ReportContext) -> pl.DataFrame:
    at = pl.coalesce("started_at", "ended_at").cast(pl.Float64)
    turns = context.tables.scan("turns").select("trajectory_id", "turn", "usd", at=at).collect()
    return turns.join(find_roots(context), on="trajectory_id", how="inner")


def _read_sessions(context: ReportContext) -> dict[str, Session]:
    named = ("trajectory_id", "title", "project", "branch", "format", "model")
    rows = context.frames.trajectories.select(named)
    mains = rows.join(find_roots(context).select(trajectory_id="session").unique(),
                      on="trajectory_id", how="semi")  # fmt: skip
    return {
        name: Session(
            session=name, title=title, project=project, branch=branch, agent=agent, model=model
        )
        for name, title, project, branch, agent, model in mains.iter_rows()
    }
