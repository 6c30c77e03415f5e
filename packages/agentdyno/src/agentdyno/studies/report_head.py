"""What the head of a report names: the bill, the most expensive file, the costliest pause, MCP
servers that nobody called. Takes a report's context, returns `Highlights`."""

from agentdyno.studies.bill import study_bill
from agentdyno.studies.cache import study_cache
from agentdyno.studies.cost.highlights import Highlights, TopFile, TopPause
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sessions import roots_of
from agentdyno.studies.spending import study_spending
from agentdyno.studies.unused_servers import study_unused_servers
from agentdyno.studies.whatif.losses import PAUSE


def study_highlights(context: ReportContext) -> Highlights:
    """Everything that the head names."""
    return Highlights(
        bill=study_bill(context),
        file=_find_file(context),
        pause=_find_pause(context),
        unused_servers=study_unused_servers(context),
        sessions=_count_sessions(context),
    )


def _count_sessions(context: ReportContext) -> int | None:
    rows = context.frames.trajectories
    if rows["session_id"].is_null().all() and rows["started_at"].is_null().all():
        return None
    return roots_of(rows)["session"].n_unique()


def _find_file(context: ReportContext) -> TopFile | None:
    found = context.once("spending", lambda: study_spending(context))
    files = found.kinds.get("file", []) if found is not None else []
    first = next(iter(files), None)
    if first is None or not first.cost:
        return None
    return TopFile(
        name=first.name,
        calls=first.calls,
        cost=first.cost,
        trajectory_id=first.trajectory_id,
        turn=first.turn,
    )


def _find_pause(context: ReportContext) -> TopPause | None:
    found = context.once("cache", lambda: study_cache(context))
    after = [loss for loss in found.losses if loss.cause == PAUSE] if found else []
    first = next((loss for loss in after if loss.usd and loss.pause_seconds), None)
    if first is None or first.usd is None or first.pause_seconds is None:
        return None
    return TopPause(
        seconds=first.pause_seconds,
        usd=first.usd,
        title=first.title,
        trajectory_id=first.trajectory_id,
        turn=first.turn,
    )
