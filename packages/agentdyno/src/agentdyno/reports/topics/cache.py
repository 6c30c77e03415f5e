"""Cache economics as a topic: what was paid for, what was lost and why, and what would help."""

from datetime import UTC, datetime
from typing import Any

from agentdyno.records import plural
from agentdyno.reports.numbers import UNKNOWN, dollars, label, percent, short, span
from agentdyno.reports.topic import Place, Topic, TopicTable, Value, columns, table_of
from agentdyno.reports.topics.cost.bill import WORDS, describe_bill
from agentdyno.studies.cache import Alternative, CacheEconomics, Lost, Version
from agentdyno.studies.cache_evidence import CacheEvidence, Check
from agentdyno.studies.losses.causes import FIRST

LOST = ("losses:count", "tokens:amount", "paid again:money", "avoidable:money")
SESSIONS = 20


def render_cache(economics: CacheEconomics) -> Topic:
    charged = f"Of {dollars(economics.usd)}: {describe_charged(economics)}" if economics.usd else ""
    return Topic(
        anchor="cache",
        title="The cache",
        lead=" ".join(filter(None, [_hits(economics), charged, describe_lost(economics)])),
        notes=_notes(economics),
        charts=[],
        tables=[
            *([_bill(economics)] if economics.usd else []),
            *(table for table in _tables(economics) if table.rows),
        ],
    )


def _tables(economics: CacheEconomics) -> list[TopicTable]:
    return [
        _lost_table("Why context was written or sent anew", "cause", economics.causes),
        _versions(economics.versions if len(economics.versions) > 1 else []),
        _lost_table("By the pause before it", "pause", economics.pauses),
        _alternatives(economics.alternatives),
        _losses(economics),
        _lost_table("Lost by day", "day", economics.days),
        _lost_table("Lost by session", "session", economics.sessions[:SESSIONS]),
    ]


def describe_charged(economics: CacheEconomics) -> str:
    """Shares that add up; of lost cache, how much came after pauses that a longer lifetime
    covers."""
    if not economics.usd:
        return ""
    middle = next((pause for pause in economics.pauses if pause.name == "5 to 60 minutes"), None)
    after = ""
    if middle is not None and middle.usd:
        after = f", {dollars(middle.usd)} of it after pauses of 5 to 60 minutes"
    charged = describe_bill(economics.charged, economics.usd, after)
    return f"{charged[:1].lower()}{charged[1:]}."


def describe_lost(economics: CacheEconomics) -> str:
    """What the shares do not say: that nothing was lost, or at no known price."""
    again = economics.rewritten
    if not again.losses:
        return "No cached context was lost."
    if again.usd and economics.usd:
        return ""
    return f"{short(again.tokens)} cached tokens were lost and sent again."


def _hits(economics: CacheEconomics) -> str:
    if economics.hit_rate is None:
        return ""
    return f"{percent(economics.hit_rate)} of the context was read from the cache."


def _notes(economics: CacheEconomics) -> list[str]:
    notes = [
        "Paid again: the money for tokens that the turn before had in the cache and that were "
        "written or sent anew. Avoidable: how much more that was than reading them. First turns "
        "have nothing to read; they are not among what was paid again. Days are on this "
        "machine's clock."
    ]
    if economics.unreported:
        turns = plural(economics.unreported, "turn")
        notes.append(f"The provider reports no cache for {turns} of {economics.turns:,}.")
    if economics.unexplained_share:
        notes.append(
            f"{percent(economics.unexplained_share)} of what was paid again has no known cause."
        )
    if economics.diagnoses:
        every = sum(diagnosis.losses for diagnosis in economics.diagnoses)
        alike = sum(e.losses for e in economics.diagnoses if e.provider_cause == e.own_cause)
        notes.append(
            f"The provider itself gives the cause of {plural(every, 'loss', 'losses')}; our rules "
            f"alone say the same of {alike:,}."
        )
    if economics.update_to:
        notes.append(
            f"Update: from version {label(economics.update_to)} on, losses other than pauses are "
            "clearly rarer."
        )
    return notes


def _versions(versions: list[Version]) -> TopicTable:
    return table_of(
        "Losses by version of the client, without pauses and switches of model",
        versions,
        {
            "version": lambda version: label(version.client_version),
            "turns:count": "turns",
            "losses:count": "losses",
            "rate:share": lambda version: version.losses / version.turns,
            "paid again:money": "usd",
        },
    )


def _bill(economics: CacheEconomics) -> TopicTable:
    rows: list[list[Value]] = [
        [WORDS[part], economics.charged[part], economics.charged[part] / (economics.usd or 1.0)]
        for part in WORDS
        if part in economics.charged
    ]
    note = f"tokens read: {short(economics.read_tokens)}"
    if economics.written_short_tokens + economics.written_hour_tokens:
        note += (
            f"; written, what was lost before included, for 5 minutes: "
            f"{short(economics.written_short_tokens)}, for 1 hour: "
            f"{short(economics.written_hour_tokens)}"
        )
    note += f"; neither: {short(economics.uncached_tokens)}"
    heads = columns("charged for", "cost:money", "share:share")
    return TopicTable("What the money was charged for", heads, rows, False, note)


def _lost_table(title: str, head: str, rows: list[Lost]) -> TopicTable:
    cells: list[list[Value]] = [
        [_named(row),
         row.losses, row.tokens, row.usd,
         UNKNOWN if row.avoidable_usd is None and row.usd is not None else row.avoidable_usd]
        for row in rows
    ]  # fmt: skip
    return TopicTable(title, columns(head, *LOST), cells, head not in ("cause", "pause"))


def _named(loss: Lost) -> Value:
    """A session is a link, named by its title; a first turn is among the causes, and no loss."""
    if loss.name == FIRST:
        return f"{FIRST} (not lost)"
    text = label(loss.title or loss.name or "unknown", limit=60)
    return Place(loss.name, None, text) if loss.title and loss.name else text


def _alternatives(alternatives: list[Alternative]) -> TopicTable:
    heads = columns("what", "before:money", "after:money", "saves")
    rows: list[list[Value]] = [
        [
            alternative.what,
            alternative.before_usd,
            alternative.after_usd,
            saving(alternative),
        ]
        for alternative in alternatives
    ]
    return TopicTable("Other ways to keep it", heads, rows, False)


def saving(alternative: Alternative) -> str:
    """`$1.20`, or `costs $0.40 more`."""
    saved = alternative.before_usd - alternative.after_usd
    return dollars(saved) if saved > 0 else f"costs {dollars(-saved)} more"


def _losses(economics: CacheEconomics) -> TopicTable:
    heads = columns("session", "cause", "no.", "pause", "tokens:amount", "paid again:money")
    rows: list[list[Value]] = [
        [Place(loss.trajectory_id, loss.turn, label(loss.title or loss.trajectory_id, limit=60)),
         loss.cause, number, span(loss.pause_seconds),
         loss.tokens, loss.usd]
        for number, loss in enumerate(economics.losses, start=1)
    ]  # fmt: skip
    note = "agentdyno cache LEDGER --evidence NUMBER prints what to send to the provider"
    return TopicTable("The most expensive losses", heads, rows, False, note)


# One loss -----------------------------------------------------------------------------------------


def render_evidence(evidence: CacheEvidence) -> Topic:
    """Two requests, and what rules each cause out."""
    loss = evidence.loss
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
        tables=[_requests(evidence), _checks(evidence.checks)],
    )


REQUEST_FIELDS = {
    "response_id": "response", "request_id": "request", "model": "model",
    "client_version": "client version", "started_at": "sent (UTC)",
    "context_tokens": "context tokens", "cached_tokens": "read from the cache",
    "cache_write_tokens": "written to the cache", "cache_write_hour_tokens": "of these for 1 hour",
    "thinking": "thinking", "context_event": "logged before it",
    "cache_miss_reason": "the provider's reason",
}  # fmt: skip


def _requests(evidence: CacheEvidence) -> TopicTable:
    requests = (evidence.before, evidence.request, evidence.following or {})
    rows: list[list[Value]] = [
        [name, *(_cell(field, request.get(field)) for request in requests)]
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
        [check.cause, verdicts[check.holds], *(_cell("", v) for v in (check.before, check.now))]
        for check in sorted(checks, key=lambda each: each.holds is not True)
    ]
    note = "pauses in seconds, contexts in tokens; of a miss, what was held and what the next read"
    heads = columns("cause", "verdict", "before, or the limit", "at this request")
    return TopicTable("What was looked at", heads, rows, False, note)
