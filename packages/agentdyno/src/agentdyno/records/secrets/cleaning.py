"""Texts, fields and names without secrets. Each is looked at first, and mostly that is all: the
rules are loaded for the first text that may hold a secret.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from agentdyno.records.secrets.quick_look import MIXED, Found, look
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
    return _clean_uncounted(text) if counts is None else _clean_until_same(text, counts)


def _clean_until_same(text: str, counts: Counts | None) -> str:
    for _ in range(PASSES):
        before, text = text, _clean_once(text, counts)
        if text == before:
            break
    return text


PASSES = 4
"""A mark changes what stands around it for the rules; what was cleaned must stay as it is."""


@lru_cache(maxsize=16_384)
def _clean_uncounted(text: str) -> str:
    """A file is asked for by its path again and again, and folders are parts of many."""
    return _clean_until_same(text, None)


def _clean_once(text: str, counts: Counts | None) -> str:
    if "/" in text:  # A folder's name ends with it, whatever the next one begins with.
        text = "/".join(clean_name(part, counts) for part in text.split("/"))
    # `key.jsonl` is a key and an ending, not an attribute of an object.
    ending = _ENDING.search(text)
    if ending is not None:
        stem, tail = text[: ending.start()], text[ending.end() :]
        return clean_name(stem, counts) + ending[0] + clean_name(tail, counts)
    looks = [(reading, found) for reading in list_readings(text) if (found := look(reading))]
    return _clean_readings(text, looks, counts) if looks else text


def is_marked(text: str) -> bool:
    """True where something in it was replaced."""
    return "[secret: " in text


def list_readings(name: str) -> Iterator[str]:
    """What a name may stand for: who names a file after a text writes underscores for its blanks,
    ends of lines and slashes."""
    yield name
    if "_" in name and not _PLAIN.fullmatch(name):
        yield from (name.replace("_", sign) for sign in " \n/")


_PLAIN = re.compile(
    r"[A-Za-z_]{1,45}|(?:toolu|srvtoolu|call|msg|resp|rs|fc|req|chatcmpl)_[A-Za-z0-9]+"
)
"""Names of tools, and ids of calls and responses, of which there are as many as of calls."""


def _clean_readings(name: str, readings: list[tuple[str, Found]], counts: Counts | None) -> str:
    from agentdyno.records.secrets.redaction import cut_off, find_spans, merge_spans, replace_spans

    spans = [span for text, found in readings for span in find_spans(text, found - MIXED | _FORM)]
    cleaned = replace_spans(name, merge_spans(name, spans), counts, _SURE_DIGEST)
    return cut_off(cleaned, counts, SHORTEST_CUT)


_FORM: Found = frozenset({"form"})
