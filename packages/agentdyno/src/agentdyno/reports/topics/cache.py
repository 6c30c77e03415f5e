"""Cache economics as a topic: what was paid for, what was lost and why, and what would help."""

from agentdyno.records import plural
from agentdyno.reports.numbers import dollars, label, percent, short, span
from agentdyno.reports.topic import Place, Topic, TopicTable, Value, columns
from agentdyno.studies.cache import Alternative, CacheEconomics, Lost

LOST = ("losses:count", "tokens:amount", "paid again:money", "avoidable:money")
SESSIONS = 20


def render_cache(found: CacheEconomics) -> Topic:
    """The topic."""
    return Topic(
        anchor="cache",
        title="The cache",
        lead=" ".join([_hits(found), _money(found), rewritten_sentence(found)]).strip(),
        notes=_notes(found),
        charts=[],
        tables=[
            *([_bill(found)] if found.usd else []),
            *(
                [_lost_table("Why cached context was paid for again", "cause", found.causes)]
                if found.causes
                else []
            ),
            *(
                [_lost_table("By the pause before it", "pause", found.pauses)]
                if found.pauses
                else []
            ),
            *([_alternatives(found.alternatives)] if found.alternatives else []),
            *([_losses(found)] if found.losses else []),
            *([_lost_table("Lost by day", "day", found.days)] if found.days else []),
            *(
                [_lost_table("Lost by session", "session", found.sessions[:SESSIONS])]
                if found.sessions
                else []
            ),
        ],
    )


def rewritten_sentence(found: CacheEconomics) -> str:
    """What was paid again, and how much of it after pauses that a longer lifetime covers."""
    again = found.rewritten
    if not again.losses:
        return "No cached context was lost."
    if not again.usd or not found.usd:
        return f"{short(again.tokens)} cached tokens were lost and sent again."
    share = f" ({percent(again.usd / found.usd, 0)})"
    sentence = f"{dollars(again.usd)}{share} went on writing lost cache again"
    middle = next((each for each in found.pauses if each.name == "5 to 60 minutes"), None)
    if middle is not None and middle.usd:
        sentence += f", {dollars(middle.usd)} of it after pauses of 5 to 60 minutes"
    return sentence + "."


def _hits(found: CacheEconomics) -> str:
    if found.hit_rate is None:
        return ""
    return f"{percent(found.hit_rate)} of the context was read from the cache."


def _money(found: CacheEconomics) -> str:
    if not found.usd:
        return ""
    parts = [f"{name} {dollars(usd)} ({_share(usd / found.usd)})" for name, usd in _kinds(found)]
    return f"Of {dollars(found.usd)}: {', '.join(parts)}."


def _share(share: float) -> str:
    return percent(share, 0 if share >= 0.01 else 1)


def _kinds(found: CacheEconomics) -> list[tuple[str, float]]:
    """What the money was charged for."""
    kinds = (
        ("cache reads", found.usd_read),
        ("cache writes", found.usd_write),
        ("output", found.usd_output),
        ("fresh input", found.usd_input),
    )
    return [(name, usd) for name, usd in kinds if usd is not None]


def _notes(found: CacheEconomics) -> list[str]:
    notes = [
        "Paid again: the money for tokens that the turn before had in the cache and that were "
        "written or sent anew. Avoidable: how much more that was than reading them. First turns "
        "have nothing to read; they are not among what was paid again. Days are in UTC."
    ]
    if found.unreported:
        turns = plural(found.unreported, "turn")
        notes.append(f"The provider reports no cache for {turns} of {found.turns:,}.")
    return notes


def _bill(found: CacheEconomics) -> TopicTable:
    tokens = {
        "cache reads": found.read_tokens,
        "cache writes": found.written_short_tokens + found.written_hour_tokens,
        "fresh input": found.uncached_tokens,
    }
    note = ""
    if tokens["cache writes"]:
        note = (
            f"written for 5 minutes: {short(found.written_short_tokens)} tokens; for 1 hour: "
            f"{short(found.written_hour_tokens)}"
        )
    rows: list[list[Value]] = [
        [name, usd, usd / (found.usd or 1.0), tokens.get(name)] for name, usd in _kinds(found)
    ]
    heads = columns("charged for", "money:money", "share:share", "tokens:amount")
    return TopicTable("What the money was charged for", heads, rows, False, note)


def _lost_table(title: str, head: str, rows: list[Lost]) -> TopicTable:
    cells: list[list[Value]] = [
        [_named(each),
         each.losses, each.tokens, each.usd, each.avoidable_usd]
        for each in rows
    ]  # fmt: skip
    return TopicTable(title, columns(head, *LOST), cells, head not in ("cause", "pause"))


def _named(each: Lost) -> Value:
    """A session is a link, named by its title."""
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
    heads = columns("session", "cause", "pause", "tokens:amount", "paid again:money")
    rows: list[list[Value]] = [
        [Place(each.trajectory_id, each.turn, label(each.title or each.trajectory_id, limit=60)),
         each.cause, span(each.pause_seconds), each.tokens, each.usd]
        for each in found.losses
    ]  # fmt: skip
    return TopicTable("The most expensive losses", heads, rows, False)
