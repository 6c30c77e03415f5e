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
from agentdyno.studies.origins import Origins, fold_origins, sum_by_origin
from agentdyno.studies.outdated import describe_old
from agentdyno.studies.sessions import Sessions
from agentdyno.studies.spending import Spending
from agentdyno.studies.today import New, Today

WIDTH, HEIGHT = 80, 24
ROWS, SESSIONS, LEVERS = 5, 3, 3
"""Of each block, the most rows beside its last."""
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
    *,
    says_unpriced: bool = False,
) -> FirstScreen:
    """At most `room` lines, unless the smallest of all blocks are more; `says_unpriced` where what
    has no price stands elsewhere on the screen."""
    s = found.summary
    recent = today if today is not None and today.is_recent else None
    headline = wrap(describe_days(recent), WIDTH) if recent else []
    headline += wrap(_headline(found, sessions, is_second=bool(headline)), WIDTH)
    new = _new(today.new) if today is not None and today.new is not None else []
    body = [
        *new,
        *(_who(today) if today is not None else []),
        *wrap(seconds_basis(s), WIDTH),
    ]
    bad = [_short(line, WIDTH) for line in describe_bad(s, 1)]
    notes = [*_old(found), *bad]
    if not says_unpriced:
        notes = [*wrap(describe_unpriced(s), WIDTH), *notes]
    parts = _went(origins) if origins is not None and s.unit == "usd" else []
    if not parts:
        charged = _charged(cache) if cache is not None and cache.usd else []
        charged = charged or wrap(cache_words(s), WIDTH)
        parts = [[*charged, *block] for block in _parts(s, spending) or [[]]]
    blocks = [parts, _sessions(sessions) if sessions is not None else [], _levers(found)]
    left = room - len(headline) - len(body) - len(notes)
    change = _fit(blocks, left)
    return FirstScreen(headline, body, change, notes)


Block = list[list[str]]
"""A block of the screen at its sizes, from the smallest to the largest; nothing for none."""


def _fit(blocks: list[Block], room: int) -> list[str]:
    """The blocks, each with at least its smallest size, then larger in turn as long as all fit."""
    blocks = [block for block in blocks if block]
    sizes = [0] * len(blocks)

    def height() -> int:
        return sum(len(block[size]) for block, size in zip(blocks, sizes, strict=True))

    for _ in range(max(map(len, blocks), default=0)):
        for number, block in enumerate(blocks):
            sizes[number] += sizes[number] + 1 < len(block)
            if sizes[number] and height() > room:
                sizes[number] -= 1
    return [line for block, size in zip(blocks, sizes, strict=True) for line in block[size]]


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
    heads = [f"By {by}, {when}" for by in columns]
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


def _parts(s: Summary, spending: Spending | None) -> Block:
    """The parts of the context, the largest first, then what the most expensive file and command,
    or tool, are among them; the smallest parts are one row, so that shares add up to the whole."""
    kinds = [k for k in s.kinds if k.share is not None]
    if not kinds:
        return []
    rows = [(NAMES.get(k.kind, k.kind), k.cost or 0.0, k.share or 0.0) for k in kinds]
    things = [_thing(spending, kind) for kind in ("file", "command")]
    known = [thing for thing in things if thing is not None]
    tool = next((t for t in s.tools if t.share), None)
    if not known and tool is not None:
        known = [(f"all of {label(tool.tool, limit=32)}", tool.cost, tool.share or 0.0)]
    among = [_row(f"among it {name}", amount(value, s.unit), share) for name, value, share in known]

    def block(many: int) -> list[str]:
        lines = [_row(name, amount(v, s.unit), share) for name, v, share in _fold(rows, many)]
        return ["On what, in all", *lines, *among]

    return [block(many) for many in range(2, ROWS + 1)]


Part = tuple[str, float, float]
"""A name, what it cost, and its share of all."""


def _fold(rows: list[Part], many: int) -> list[Part]:
    """The first rows, and one of all others."""
    if len(rows) <= many + 1:
        return rows
    rest = rows[many:]
    other = f"{len(rest)} other parts", sum(usd for _, usd, _ in rest), sum(s for *_, s in rest)
    return [*rows[:many], other]


def _thing(spending: Spending | None, kind: str) -> tuple[str, float | None, float] | None:
    first = next(iter(spending.kinds.get(kind, [])), None) if spending else None
    if first is None or first.share is None:
        return None
    name = f"{label(short_name(first), limit=30)}, {plural(first.calls, 'call')}"
    return name, first.cost, first.share


def _sessions(found: Sessions) -> Block:
    if len(found.sessions) < 2:
        return []
    lines = ["Most expensive sessions, in all"]
    for each in found.sessions[:SESSIONS]:
        title = _short(each.title or each.trajectory_id, 50)
        lines.append(f"  {title:<50} {date(each.started_at) or '':<10} "
                     f"{amount(each.cost, found.unit):>9}")  # fmt: skip
    return [lines[:end] for end in range(2, len(lines) + 1)]


def _went(found: Origins) -> Block:
    """Every dollar by its origin; the smallest are one row."""
    rows = sum_by_origin(found)

    def block(many: int) -> list[str]:
        parts = [(each.origin, dollars(each.usd), each.share) for each in fold_origins(rows, many)]
        return ["Where it went, in all", *(_row(*part) for part in parts)]

    return [block(many) for many in range(2, ROWS + 1)]


def _row(name: str, cost: str, share: float) -> str:
    bar = "█" * round(BAR * share)
    return f"  {_short(name, 44):<44} {cost:>9} {percent(share, 0):>5} {bar}".rstrip()


def _levers(found: Overview) -> Block:
    s = found.summary
    if not found.levers:
        return [["No single change would surely save 1 % or more."]] if s.cost else []
    days = found.levers[0].days
    head = "What to change" + (f" (by each agent's last {days} days)" if days else "")
    most = min(LEVERS, len(found.levers))
    return [[head, *_name_levers(found.levers, many)] for many in range(1, most + 1)]


def _name_levers(levers: list[Lever], many: int) -> list[str]:
    """The first of them, and how many more there are."""
    named = [(_saved(lever), lever_name(lever)) for lever in levers[:many]]
    wide = max(len(saved) for saved, _ in named)
    lines = [f"  {saved:>{wide}}  {_short(name, WIDTH - wide - 4)}" for saved, name in named]
    more = len(levers) - many
    return [*lines, f"  {more} more: agentdyno apply"] if more else lines


def _saved(lever: Lever) -> str:
    saved = dollars(lever.amount) if lever.unit == "usd" else percent(lever.share)
    return f"up to {saved}" if lever.certainty == "at most" else saved


def _old(found: Overview) -> list[str]:
    lines = [] if found.old is None else [describe_old(found.old, found.summary.ledger)]
    return [_short(line, WIDTH) for line in lines]


def wrap(text: str, width: int) -> list[str]:
    """Lines of a text; a figure is not parted from its per cent sign."""
    lines = textwrap.wrap(text.replace(" %", "\u00a0%"), width)
    return [line.replace("\u00a0%", " %") for line in lines]


def _short(text: str, limit: int) -> str:
    return printable(" ".join(text.split()), limit)
