"""What was used since a ledger was brought up to date, for whoever cannot wait until it is again.

Takes a ledger, scans the files that were written since then as first totals do, and keeps what the
days and sessions came to beside the ledger, where `live_session` finds it without a library.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import msgspec

from agentdyno.intake.totals import Response
from agentdyno.intake.user_folders import user_ledger
from agentdyno.ledger.disk import add_digest, replace_synced
from agentdyno.ledger.file_names import RECENT, refuse_link
from agentdyno.ledger.given_paths import GivenPaths
from agentdyno.pipelines.session_states import rates_of
from agentdyno.records.local_days import name_day, start_of_day
from agentdyno_daily.homes import find_homes
from agentdyno_daily.running.live_session import State, read_spent
from agentdyno_daily.totals.first_totals import name_local_day, scan


def keep_recent(ledger: Path) -> None:
    """Scans the days from that on which the ledger was last brought up to date."""
    began, worked = time.time(), time.process_time()
    measured_at = read_spent(str(ledger)).measured_at
    since = start_of_day(began if measured_at is None else min(measured_at, began))
    roots = _find_roots(ledger)
    found = scan(roots, since=since, complete=True).responses
    kept = {
        "at": began,
        "took": time.process_time() - worked,
        "since": name_day(since),
        "roots": [str(root) for root in roots],
        "days": _sum_days(each for each in found if each.at is not None and each.at >= since),
        "sessions": _sum_sessions(found),
        "rates": rates_of({each.model for each in found if each.model}),
    }
    replace_synced(refuse_link(ledger / RECENT), add_digest(msgspec.json.encode(kept)))


def _find_roots(ledger: Path) -> list[Path]:
    """The homes of all agents for the user's own ledger, else what was given for it."""
    if ledger.resolve() == user_ledger().resolve():
        return [home.folder for home in find_homes()]
    return [path for path in map(Path, GivenPaths(ledger, ()).roots) if path.exists()]


def _sum_days(responses: Iterable[Response]) -> list[tuple[str | None, str | None, float]]:
    sums: dict[tuple[str | None, str | None], float] = defaultdict(float)
    for each in responses:
        sums[name_local_day(each), each.talk.project] += each.usd or 0.0
    return [(day, project, usd) for (day, project), usd in sums.items()]


def _sum_sessions(responses: Iterable[Response]) -> dict[str, dict[str, float | None]]:
    """Sub-agents included; the context is that of the last answer that is not a sub-agent's."""
    groups: dict[str, list[Response]] = defaultdict(list)
    for each in responses:
        groups[each.talk.session_id or ""].append(each)
    return {session: _sum_up(group)._asdict() for session, group in groups.items()}


def _sum_up(group: list[Response]) -> State:
    costs = [each.usd for each in group]
    usd = None if None in costs else sum(cost for cost in costs if cost is not None)
    own = [each for each in group if each.stands_for is None and each.ended_at is not None]
    last = max(own, key=lambda each: each.ended_at or 0.0, default=None)
    if last is None:
        return State(usd, len(group), None, None, None)
    return State(usd, len(group), last.context, last.cached, last.ended_at)


if __name__ == "__main__":
    keep_recent(Path(sys.argv[1]))
