"""The first screen of `measure`: how much, on what, what to change, in 24 lines of 80 characters.

Takes what the studies found, returns lines. Everything else is behind a verb, and the last lines
name them.
"""

import textwrap

from msgspec import Struct

from agentdyno.records import plural, printable
from agentdyno.reports.numbers import amount, dollars, label, percent, short
from agentdyno.reports.topics.cache import describe_charged, describe_lost
from agentdyno.reports.topics.cost.headline import (
    describe_headline,
    describe_unpriced,
    is_unasked,
)
from agentdyno.reports.topics.cost.levers import lever_name
from agentdyno.reports.topics.cost.overview import NAMES, cache_words, caveats, is_lower_bound
from agentdyno.reports.topics.cost.seconds import seconds_basis
from agentdyno.reports.topics.sessions import date
from agentdyno.reports.topics.spending import short_name
from agentdyno.studies.cache import CacheEconomics
from agentdyno.studies.cost.results import Overview
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.outdated import describe_old
from agentdyno.studies.sessions import Sessions
from agentdyno.studies.spending import Spending

WIDTH, HEIGHT = 80, 24
PARTS, SESSIONS, LEVERS = 4, 3, 3
BAR = 16


class FirstScreen(Struct, frozen=True):
    """Lines by how they look; the first group is the headline."""

    headline: list[str]
    """How much."""
    body: list[str]
    """On what, and what to change."""
    notes: list[str]
    """What to be wary of."""


def first_screen(
    found: Overview,
    cache: CacheEconomics | None,
    spending: Spending | None,
    sessions: Sessions | None,
    room: int,
) -> FirstScreen:
    """At most `room` lines."""
    s = found.summary
    headline = wrap(_headline(found, sessions), WIDTH)
    unpriced = wrap(describe_unpriced(s), WIDTH)
    body = [
        *unpriced,
        *(_charged(cache) if cache is not None and cache.usd else wrap(cache_words(s), WIDTH)),
        *wrap(seconds_basis(s), WIDTH),
        *_parts(s, spending, PARTS - len(unpriced)),
        *(_sessions(sessions) if sessions is not None else []),
        *_levers(found),
    ]
    left = room - len(headline) - len(body)
    return FirstScreen(headline, body, _notes(found, max(left, 1)))


def _headline(found: Overview, sessions: Sessions | None) -> str:
    s = found.summary
    least = "at least " if is_lower_bound(s) else ""
    known = describe_headline(s)
    many = plural(s.trajectories, "trajectory", "trajectories")
    if sessions is not None:
        subs = sum(each.sub_agents for each in sessions.sessions)
        many = plural(len(sessions.sessions), "session")
        many += f" ({plural(subs, 'sub-agent')})" if subs else ""
    work = f"{plural(s.turns, 'turn')}, {plural(s.calls, 'tool call')}"
    if is_unasked(s):
        least = ""
        work += f", {short(s.context_tokens)} tokens read, {short(s.decode_tokens)} generated"
    sentence = f"{least}{known}: {many}, {work}{_dates(sessions)}"
    if found.graded:
        sentence += f"; {found.solved:,} of {found.graded:,} graded solved"
    return sentence[:1].upper() + sentence[1:]


def _dates(sessions: Sessions | None) -> str:
    times = [each.started_at for each in (sessions.sessions if sessions else ())]
    known = sorted(time for time in times if time is not None)
    if not known:
        return ""
    first, last = date(known[0]), date(known[-1])
    return f", {first}" if first == last else f", {first} to {last}"


def _charged(found: CacheEconomics) -> list[str]:
    return wrap(f"Charged for {describe_charged(found)} {describe_lost(found)}", WIDTH)


def _parts(s: Summary, spending: Spending | None, most: int) -> list[str]:
    """The largest parts of the context, then the most expensive file and command, or tool."""
    kinds = [k for k in s.kinds if k.share is not None]
    if not kinds:
        return []
    things = [_thing(spending, kind) for kind in ("file", "command")]
    known = [thing for thing in things if thing is not None]
    tool = next((t for t in s.tools if t.share), None)
    if not known and tool is not None:
        known = [(f"all of {label(tool.tool, limit=32)}", tool.cost, tool.share or 0.0)]
    parts = kinds[: most + 1 - len(known)]
    rows = [*((NAMES.get(k.kind, k.kind), k.cost, k.share or 0.0) for k in parts), *known]
    lines = ["On what"]
    for name, value, share in rows:
        bar = "█" * round(BAR * share)
        lines.append(
            f"  {name:<40} {amount(value, s.unit):>9} {percent(share, 0):>5} {bar}".rstrip()
        )
    return lines


def _thing(spending: Spending | None, kind: str) -> tuple[str, float | None, float] | None:
    first = next(iter(spending.kinds.get(kind, [])), None) if spending else None
    if first is None or first.share is None:
        return None
    name = f"{label(short_name(first), limit=30)}, {plural(first.calls, 'call')}"
    return name, first.cost, first.share


def _sessions(found: Sessions) -> list[str]:
    if len(found.sessions) < 2:
        return []
    lines = ["Most expensive sessions"]
    for each in found.sessions[:SESSIONS]:
        title = _short(each.title or each.trajectory_id, 50)
        lines.append(f"  {title:<50} {date(each.started_at) or '':<10} "
                     f"{amount(each.cost, found.unit):>9}")  # fmt: skip
    return lines


def _levers(found: Overview) -> list[str]:
    s = found.summary
    if not found.levers:
        return ["No single change would save 1 % or more."] if s.cost else []
    lines = ["What to change"]
    for lever in found.levers[:LEVERS]:
        name, command = _short(lever_name(lever), 36), lever.command
        saved = dollars(lever.amount) if lever.unit == "usd" else percent(lever.share)
        most = "<" if lever.certainty == "at most" else " "
        lines.append(f" {most}{saved:>9}  {name:<36}  {_short(command, 27)}".rstrip())
    return lines


def _notes(found: Overview, room: int) -> list[str]:
    """What must be known first; what does not fit is counted."""
    old = [] if found.old is None else [describe_old(found.old, found.summary.ledger)]
    notes = [*old, *caveats(found.summary)]
    displayed = notes[: max(room - 1, 0)] if len(notes) > room else notes
    lines = [_short(note, WIDTH) for note in displayed]
    if left := len(notes) - len(displayed):
        lines.append(f"{plural(left, 'more note')} in the report.")
    return lines


def wrap(text: str, width: int) -> list[str]:
    """Lines of a text; a figure is not parted from its per cent sign."""
    lines = textwrap.wrap(text.replace(" %", "\u00a0%"), width)
    return [line.replace("\u00a0%", " %") for line in lines]


def _short(text: str, limit: int) -> str:
    return printable(" ".join(text.split()), limit)
