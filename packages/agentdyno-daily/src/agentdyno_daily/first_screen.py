"""The first screen: how much, who spent it, where it went, what to change, in 24 lines of 80 signs.

Takes what the studies found, returns lines. Everything else is behind a verb, and the last lines
name them.
"""

import re
import textwrap
import time
from datetime import datetime
from itertools import zip_longest

from msgspec import Struct

from agentdyno.intake.session_folders import name_agent
from agentdyno.records import plural, printable
from agentdyno.records.origins import OUTPUT, REWRITTEN, SETUP
from agentdyno.reports.numbers import amount, dollars, label, percent, short
from agentdyno.reports.topics.cache import describe_charged, describe_lost
from agentdyno.reports.topics.cost.headline import (
    describe_headline,
    describe_unpriced,
    is_unasked,
)
from agentdyno.reports.topics.cost.levers import lever_name
from agentdyno.reports.topics.cost.overview import NAMES, cache_words, describe_bad, is_lower_bound
from agentdyno.reports.topics.cost.seconds import seconds_basis
from agentdyno.reports.topics.sessions import date, folder_name
from agentdyno.reports.topics.spending import short_name
from agentdyno.studies.cache import CacheEconomics
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.cost.results import Overview
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.origins import Origins, sum_by_origin
from agentdyno.studies.outdated import describe_old
from agentdyno.studies.sessions import Sessions
from agentdyno.studies.spending import Spending
from agentdyno.studies.today import WHO as WHO_BY
from agentdyno.studies.today import New, Today

WIDTH, HEIGHT = 80, 24
PARTS, SESSIONS, LEVERS, ORIGINS = 4, 3, 3, 5
WORDS = {
    REWRITTEN: "lost cache, paid again",
    SETUP: "plugins, MCP servers, memory (not logged)",
    OUTPUT: "what the model wrote",
}
"""Origins as a first screen calls them, where a row is too short for their names."""
WHO = 3
"""Agents, projects and models that are named."""
COLUMN = 26
"""Characters of each of these three columns, with the two between them."""
BAR = 16


class FirstScreen(Struct, frozen=True):
    """Lines by how they look, in the order in which they are printed."""

    headline: list[str]
    body: list[str]
    """Who spent it, and what is new."""
    change: list[str]
    """Where it went, or on what where its origins are not known; and what to change."""
    notes: list[str]
    """What to be wary of."""


def first_screen(
    found: Overview,
    cache: CacheEconomics | None,
    spending: Spending | None,
    sessions: Sessions | None,
    room: int,
    today: Today | None = None,
    origins: Origins | None = None,
) -> FirstScreen:
    """At most `room` lines."""
    s = found.summary
    recent = today if today is not None and today.is_recent else None
    headline = wrap(describe_days(recent), WIDTH) if recent else []
    headline += wrap(_headline(found, sessions, is_second=bool(headline)), WIDTH)
    new = _new(today.new) if today is not None and today.new is not None else []
    unpriced = wrap(describe_unpriced(s), WIDTH)
    went = _went(origins, ORIGINS) if origins is not None and s.unit == "usd" else []
    charged = _charged(cache) if cache is not None and cache.usd else wrap(cache_words(s), WIDTH)
    body = [
        *new,
        *(_who(today) if today is not None else []),
        *wrap(seconds_basis(s), WIDTH),
    ]
    parts = went or [*charged, *_parts(s, spending, PARTS - len(unpriced))]
    change = _levers(found, 1 if recent else LEVERS)
    bad = [_short(line, WIDTH) for line in describe_bad(s, 1)]
    notes = [*unpriced, *_incomplete(sessions), *_old(found), *bad]
    left = room - len(headline) - len(body) - len(change) - len(notes)
    middle = parts if len(parts) <= left else parts[: max(left, 2)]
    left -= len(parts)
    if sessions is not None and left > SESSIONS:
        middle += _sessions(sessions)
    return FirstScreen(headline, body, [*middle, *change], notes)


def describe_days(today: Today) -> str:
    """`Today $2.42, this week $5.06 (41 % less than the same days of last week), November $15.`"""
    week = dollars(today.week)
    if today.week is not None and today.week_before:
        change = today.week / today.week_before - 1
        word = "more" if change >= 0 else "less"
        week += f" ({percent(abs(change), 0)} {word} than the same days last week, "
        week += f"{dollars(today.week_before)})"
    month = today.day.strftime("%B")
    return f"Today {dollars(today.today)}, this week {week}, {month} {dollars(today.month)}."


def _new(new: New) -> list[str]:
    """One line about what came since the last look."""
    since = datetime.fromtimestamp(new.since)
    is_near = time.time() - new.since < 6 * 86_400
    when = since.strftime("%A %H:%M") if is_near else f"{since.day} {since:%B}"
    stated = f"New since {when}: {plural(new.sessions, 'session')}, {dollars(new.usd)}"
    if new.sessions == 1 and new.title:
        stated += f': "{new.title}"'
    elif new.title:
        stated += f', {dollars(new.title_usd)} of it "{new.title}"'
    return [_short(stated, WIDTH)]


def _who(today: Today) -> list[str]:
    """The most expensive agents, projects and models side by side; nothing where there is only one
    of each."""
    columns = {by: [_name(by, *each) for each in rows[:WHO]] for by, rows in today.who.items()}
    if all(len(rows) < 2 for rows in columns.values()):
        return []
    when = today.day.strftime("%B") if today.is_month else "in all"
    heads = [f"By {by}, {when}" if by == WHO_BY[0] else f"By {by}" for by in columns]
    lines = ["  ".join(f"{head:<{COLUMN - 2}}" for head in heads).rstrip()]
    rows = zip_longest(*columns.values(), fillvalue="")
    return lines + ["  ".join(f"{cell:<{COLUMN - 2}}" for cell in row).rstrip() for row in rows]


def _name(by: str, name: str | None, usd: float | None) -> str:
    called = name or "unknown"
    if by == "agent":
        called = name_agent(called)
    elif by == "project":
        called = folder_name(called) or called
    else:
        called = _NO_PART.sub("", called)
    cost = dollars(usd)
    room = COLUMN - 4 - len(cost)
    return f" {_short(called, room):<{room}} {cost}"


_NO_PART = re.compile(r"^claude-|-20\d{6}$")
"""What models of one maker share, and the day of a release."""


def _headline(found: Overview, sessions: Sessions | None, *, is_second: bool = False) -> str:
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
    if is_second:
        return f"In all {least}{known}: {many}, {plural(s.turns, 'turn')}{_dates(sessions)}"
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
        lines.append(_row(name, amount(value, s.unit), share))
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


def _went(found: Origins, most: int) -> list[str]:
    """The dearest origins; the rest are one line."""
    rows = sum_by_origin(found)
    named = [(WORDS.get(each.origin, each.origin), each.usd, each.share) for each in rows[:most]]
    if rest := rows[most:]:
        other = f"{plural(len(rest), 'other origin')}: report --by origin"
        named.append((other, sum(e.usd for e in rest), sum(e.share for e in rest)))
    return ["Where it went", *(_row(name, dollars(usd), share) for name, usd, share in named)]


def _row(name: str, cost: str, share: float) -> str:
    bar = "█" * round(BAR * share)
    return f"  {_short(name, 44):<44} {cost:>9} {percent(share, 0):>5} {bar}".rstrip()


def _levers(found: Overview, most: int) -> list[str]:
    s = found.summary
    if not found.levers:
        return ["No single change would surely save 1 % or more."] if s.cost else []
    levers = [(_saved(lever), lever_name(lever)) for lever in found.levers[:most]]
    wide = max(len(saved) for saved, _ in levers)
    room = WIDTH - wide - 4
    days = found.levers[0].days
    lines = ["What to change" + (f" (by each agent's last {days} days)" if days else "")]
    for saved, name in levers:
        first, *more = wrap(_short(name, 2 * room), room) if most == 1 else [_short(name, room)]
        lines += [f"  {saved:>{wide}}  {first}", *(f"{'':{wide + 4}}{line}" for line in more)]
    return lines


def _saved(lever: Lever) -> str:
    saved = dollars(lever.amount) if lever.unit == "usd" else percent(lever.share)
    return f"up to {saved}" if lever.certainty == "at most" else saved


def _incomplete(sessions: Sessions | None) -> list[str]:
    """The agents of which something has no price or no count, in one line."""
    known = [] if sessions is None else sessions.groups["agent"]
    gaps = [
        f"{name_agent(each.name or 'unknown')} ({each.unpriced_turns:,} of "
        f"{plural(each.turns, 'turn')})"
        for each in known
        if each.unpriced_turns
    ]
    return [_short(f"Not included, no price known: {', '.join(gaps)}.", WIDTH)] if gaps else []


def _old(found: Overview) -> list[str]:
    lines = [] if found.old is None else [describe_old(found.old, found.summary.ledger)]
    return [_short(line, WIDTH) for line in lines]


def wrap(text: str, width: int) -> list[str]:
    """Lines of a text; a figure is not parted from its per cent sign."""
    lines = textwrap.wrap(text.replace(" %", "\u00a0%"), width)
    return [line.replace("\u00a0%", " %") for line in lines]


def _short(text: str, limit: int) -> str:
    return printable(" ".join(text.split()), limit)
