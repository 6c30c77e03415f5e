"""Cache economics as a topic: what was paid for, what was lost and why, and what would help."""

from datetime import UTC, datetime
from typing import Any

from agentdyno.records import plural
from agentdyno.reports.numbers import UNKNOWN, dollars, label, percent, short, span
from agentdyno.reports.topic import Place, Topic, TopicTable, Value, columns
from agentdyno.reports.topics.cost.bill import WORDS, describe_bill
from agentdyno.studies.cache import Alternative, CacheEconomics, Lost, Version
from agentdyno.studies.cache_evidence import CacheEvidence, Check
from agentdyno.studies.whatif.losses import FIRST

LOST = ("losses:count", "tokens:amount", "paid again:money", "avoidable:money")
SESSIONS = 20


def render_cache(found: CacheEconomics) -> Topic:
    charged = f"Of {dollars(found.usd)}: {describe_charged(found)}" if found.usd else ""
    return Topic(
        anchor="cache",
        title="The cache",
        lead=" ".join(filter(None, [_hits(found), charged, describe_lost(found)])),
        notes=_notes(found),
        charts=[],
        tables=[
            *([_bill(found)] if found.usd else []),
            *(table for table in _tables(found) if table.rows),
        ],
    )


def _tables(found: CacheEconomics) -> list[TopicTable]:
    return [
        _lost_table("Why context was written or sent anew", "cause", found.causes),
        _versions(found.versions if len(found.versions) > 1 else []),
        _lost_table("By the pause before it", "pause", found.pauses),
        _alternatives(found.alternatives),
        _losses(found),
        _lost_table("Lost by day", "day", found.days),
        _lost_table("Lost by session", "session", found.sessions[:SESSIONS]),
    ]


def describe_charged(found: CacheEconomics) -> str:
    """Shares that add up; of lost cache, how much came after pauses that a longer lifetime
    covers."""
    if not found.usd:
        return ""
    middle = next((each for each in found.pauses if each.name == "5 to 60 minutes"), None)
    after = ""
    if middle is not None and middle.usd:
        after = f", {dollars(middle.usd)} of it after pauses of 5 to 60 minutes"
    charged = describe_bill(found.charged, found.usd, after)
    return f"{charged[:1].lower()}{charged[1:]}."


def describe_lost(found: CacheEconomics) -> str:
    """What the shares do not say: that nothing was lost, or at no known price."""
    again = found.rewritten
    if not again.losses:
        return "No cached context was lost."
    if again.usd and found.usd:
        return ""
    return f"{short(again.tokens)} cached tokens were lost and sent again."


def _hits(found: CacheEconomics) -> str:
    if found.hit_rate is None:
        return ""
    return f"{percent(found.hit_rate)} of the context was read from the cache."


def _notes(found: CacheEconomics) -> list[str]:
    notes = [
        "Paid again: the money for tokens that the turn before had in the cache and that were "
        "written or sent anew. Avoidable: how much more that was than reading them. First turns "
        "have nothing to read; they are not among what was paid again. Days are on this "
        "machine's clock."
    ]
    if found.unreported:
        turns = plural(found.unreported, "turn")
        notes.append(f"The provider reports no cache for {turns} of {found.turns:,}.")
    if found.unexplained_share:
        notes.append(
            f"{percent(found.unexplained_share)} of what was paid again has no known cause."
        )
    if found.diagnoses:
        every = sum(each.losses for each in found.diagnoses)
        alike = sum(e.losses for e in found.diagnoses if e.provider_cause == e.own_cause)
        notes.append(
            f"The provider itself gives the cause of {plural(every, 'loss', 'losses')}; our rules "
            f"alone say the same of {alike:,}."
        )
    if found.update_to:
        notes.append(
            f"Update: from version {label(found.update_to)} on, losses other than pauses are "
            "clearly rarer."
        )
    return notes


def _versions(found: list[Version]) -> TopicTable:
    heads = columns("version", "turns:count", "losses:count", "rate:share", "paid again:money")
    rows: list[list[Value]] = [
        [label(each.client_version), each.turns, each.losses, each.losses / each.turns, each.usd]
        for each in found
    ]
    title = "Losses by version of the client, without pauses and switches of model"
    return TopicTable(title, heads, rows)


def _bill(found: CacheEconomics) -> TopicTable:
    rows: list[list[Value]] = [
        [WORDS[part], found.charged[part], found.charged[part] / (found.usd or 1.0)]
        for part in WORDS
        if part in found.charged
    ]
    note = f"tokens read: {short(found.read_tokens)}"
    if found.written_short_tokens + found.written_hour_tokens:
        note += (
            f"; written, what was lost before included, for 5 minutes: "
            f"{short(found.written_short_tokens)}, for 1 hour: {short(found.written_hour_tokens)}"
        )
    note += f"; neither: {short(found.uncached_tokens)}"
    heads = columns("charged for", "cost:money", "share:share")
    return TopicTable("What the money was charged for", heads, rows, False, note)


def _lost_table(title: str, head: str, rows: list[Lost]) -> TopicTable:
    cells: list[list[Value]] = [
        [_named(each),
         each.losses, each.tokens, each.usd,
         UNKNOWN if each.avoidable_usd is None and each.usd is not None else each.avoidable_usd]
        for each in rows
    ]  # fmt: skip
    return TopicTable(title, columns(head, *LOST), cells, head not in ("cause", "pause"))


def _named(each: Lost) -> Value:
    """A session is a link, named by its title; a first turn is among the causes, and no loss."""
    if each.name == FIRST:
        return f"{FIRST} (not lost)"
    text = label(each.title or each.name or "unknown", limit=60)
    return Place(each.name, None, text) if each.title and each.name else text


def _alternatives(found: list[Alternative]) -> TopicTable:
    heads = columns("what", "before:money", "after:money", "saves", "whatif")
    rows: list[list[Value]] = [
        [each.what, each.before_usd, each.after_usd, saving(each), each.command] for each in found
    ]
    return TopicTable("Other ways to keep it", heads, rows, False)


def saving(each: Alternative) -> str:
    """`$1.20`, or `costs $0.40 more`."""
    saved = each.before_usd - each.after_usd
    return dollars(saved) if saved > 0 else f"costs {dollars(-saved)} more"


def _losses(found: CacheEconomics) -> TopicTable:
    heads = columns("session", "cause", "no.", "pause", "tokens:amount", "paid again:money")
    rows: list[list[Value]] = [
        [Place(each.trajectory_id, each.turn, label(each.title or each.trajectory_id, limit=60)),
         each.cause, number, span(each.pause_seconds),
         each.tokens, each.usd]
        for number, each in enumerate(found.losses, start=1)
    ]  # fmt: skip
    note = "agentdyno cache LEDGER --evidence NUMBER prints what to send to the provider"
    return TopicTable("The most expensive losses", heads, rows, False, note)


# One loss -----------------------------------------------------------------------------------------


def render_evidence(found: CacheEvidence) -> Topic:
    """Two requests, and what rules each cause out."""
    loss = found.loss
    lead = (
        f"{short(loss.tokens)} tokens that one request left in the cache the next did not read, "
        f"{span(loss.pause_seconds)} later, and paid for again ({dollars(loss.usd)}). "
        f"By our rules: {loss.cause}."
    )
    return Topic(
        anchor="evidence",
        title="A lost cache",
        lead=lead,
        notes=["Not logged means that the trace cannot rule it out."],
        charts=[],
        tables=[_requests(found), _checks(found.checks)],
    )


REQUEST_FIELDS = {
    "response_id": "response", "request_id": "request", "model": "model",
    "client_version": "client version", "started_at": "sent (UTC)",
    "context_tokens": "context tokens", "cached_tokens": "read from the cache",
    "cache_write_tokens": "written to the cache", "cache_write_hour_tokens": "of these for 1 hour",
    "thinking": "thinking", "context_event": "logged before it",
    "cache_miss_reason": "the provider's reason",
}  # fmt: skip


def _requests(found: CacheEvidence) -> TopicTable:
    asked = (found.before, found.request, found.following or {})
    rows: list[list[Value]] = [
        [name, *(_cell(field, each.get(field)) for each in asked)]
        for field, name in REQUEST_FIELDS.items()
    ]
    return TopicTable("The requests", columns("", "before", "lost", "after"), rows, False)


def _cell(field: str, value: Any) -> str:
    if value is None:
        return UNKNOWN
    if field.endswith("_at"):
        return datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,.0f}" if isinstance(value, int | float) else label(str(value), limit=60)


def _checks(checks: list[Check]) -> TopicTable:
    verdicts = {True: "holds", False: "ruled out", None: "not logged"}
    rows: list[list[Value]] = [
        [each.cause, verdicts[each.holds], *(_cell("", v) for v in (each.before, each.now))]
        for each in sorted(checks, key=lambda each: each.holds is not True)
    ]
    note = "pauses in seconds, contexts in tokens; of a miss, what was held and what the next read"
    heads = columns("cause", "verdict", "before, or the limit", "at this request")
    return TopicTable("What was looked at", heads, rows, False, note)
