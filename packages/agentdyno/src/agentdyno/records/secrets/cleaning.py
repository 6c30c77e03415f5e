"""Texts, fields and names without secrets. Each is looked at first, and mostly that is all: the
rules are loaded for the first text that may hold a secret.
"""

import re

from agentdyno.records.secrets.quick_look import MIXED, look
from agentdyno.records.secrets.spans import Counts

SHORTEST_CUT = 40
"""Texts for tables are cut at several lengths, the shortest being about this."""
_SURE_DIGEST = 6
"""Bytes of a digest that no two ids of a ledger share."""
_ENDING = re.compile(r"\.(?:jsonl?|ndjson|eval|zip|gz|zst|log|txt|csv)(?![\w.])")
_DRAWN = re.compile(r"[0-9a-f]{1,17}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The id of most sessions and sub-agents, of which no rule says anything."""


def clean_text(text: str, counts: Counts | None = None, cut_at: int | None = None) -> str:
    """The text without what the rules find; `cut_at` is the length to which it may have been
    cut."""
    if not (looks := look(text)):
        return text
    from agentdyno.records.secrets.redaction import redact

    return redact(text, counts, cut_at, looks)


def clean_field(text: str, counts: Counts | None = None) -> str:
    """The same for a short text that stands in a table and may have been cut to fit there."""
    return clean_text(text, counts, SHORTEST_CUT)


def clean_name(text: str, counts: Counts | None = None) -> str:
    """The same for a name or an id: what is only random stays, as programs draw ids and names of
    files at random. Its digest is long: two names must not become one."""
    if _DRAWN.fullmatch(text):
        return text
    # `key.jsonl` is a key and an ending, not an attribute of an object.
    ending = _ENDING.search(text)
    if ending is not None:
        stem, tail = text[: ending.start()], text[ending.end() :]
        return clean_name(stem, counts) + ending[0] + clean_name(tail, counts)
    if not (looks := look(text)):
        return text
    from agentdyno.records.secrets.redaction import redact

    return redact(text, counts, SHORTEST_CUT, looks - MIXED | {"form"}, _SURE_DIGEST)
