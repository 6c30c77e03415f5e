"""Texts without the secrets that the rules find, each replaced by a mark that says what stood there.

A mark reads `[secret: github-token 3f2a]`: the kind, and four digits of a digest that tell two
secrets apart without giving either away (a password gets none: it may be short enough to guess).
Worked: `git clone https://me:hunter2secret@host/x` -> `… https://me:[secret: password]@host/x`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from agentdyno.records.secrets.named_values import find_named
from agentdyno.records.secrets.quick_look import may_hold_secret
from agentdyno.records.secrets.random_tokens import find_random
from agentdyno.records.secrets.spans import Span
from agentdyno.records.secrets.structures import COUNT, find_structures
from agentdyno.records.secrets.vendors import (
    PREFIXES,
    find_by_gitleaks,
    find_prefixed,
    gitleaks_rules,
)

Counts = Counter[str]
"""How many secrets of each kind were replaced."""

SHORTEST_CUT = 40
"""Texts for tables are cut at several lengths, the shortest being about this."""
_MARK = re.compile(r"\[secret: [a-z0-9 -]{0,60}\]?")
_CUT_OFF = re.compile(
    r"(?:(?:\bsk-|\bA[KS]IA|\bgh[pousr]_|\bgithub_pat_|\bglpat-|\bxox[a-z]-|\bAIza|\bya29\."
    r"|\bhf_|\b[sr]k_(?:live|test)_|\bnpm_|\bpypi-|\beyJ|\bSG\.)[A-Za-z0-9_./+-]{4,}"
    r"|-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY[^…]*|://[^\s/:@\"'…]{0,128}:[^\s/@\"'…\d][^\s/@\"'…]{2,})"
    r"(?=…|[\"'…)\]]{0,3}\Z)",
    re.DOTALL,
)
"""The beginning of a secret at the end of a text that was cut."""
_GUESSABLE = {"password", "credential", "cookie", "authorization", "basic-auth", "seed-phrase"}


def count_rules() -> int:
    """How many rules look for secrets."""
    named, drawn = 1, 1
    return len(gitleaks_rules()) + len(PREFIXES) + COUNT + named + drawn


def clean_text(text: str, counts: Counts | None = None, cut_at: int | None = None) -> str:
    """The text without what the rules find; `cut_at` is the length to which it may have been
    cut."""
    if not may_hold_secret(text):
        return text
    return redact(text, counts, cut_at)


def clean_field(text: str, counts: Counts | None = None) -> str:
    """The same for a short text that stands in a table and may have been cut to fit there."""
    return clean_text(text, counts, SHORTEST_CUT)


def clean_id(text: str, counts: Counts | None = None) -> str:
    """The same for an id that a program drew at random: a key's beginning gives a key away there,
    randomness does not."""
    spans = _merged(text, find_prefixed(text)) if may_hold_secret(text) else []
    return _replaced(text, spans, counts) if spans else text


def redact(text: str, counts: Counts | None = None, cut_at: int | None = None) -> str:
    """The same without a quick look first."""
    if spans := _merged(text, _find(text)):
        text = _replaced(text, spans, counts)
    if cut_at is not None and len(text) >= cut_at:
        text, cut = _CUT_OFF.subn("[secret: cut off]", text)
        if cut and counts is not None:
            counts["cut off"] += cut
    return text


def _find(text: str) -> Iterator[Span]:
    low = text.lower()
    if len(low) != len(text):  # Some letters grow when they shrink.
        low = "".join(sign.lower() if sign.isascii() else sign for sign in text)
    yield from find_prefixed(text)
    yield from find_by_gitleaks(text, low)
    yield from find_structures(text, low)
    yield from find_named(text, low)
    yield from find_random(text)


def _merged(text: str, found: Iterable[Span]) -> list[Span]:
    """Spans that overlap as one, named by the surest rule, which found it first; none inside a
    mark."""
    marks = [mark.span() for mark in _MARK.finditer(text)] if "[secret:" in text else []
    merged: list[Span] = []
    for span, order in sorted((span, order) for order, span in enumerate(found)):
        if any(span.start < end and start < span.end for start, end in marks):
            continue
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            kind = span.kind if order < _order else last.kind
            _order = min(order, _order)
            merged[-1] = Span(last.start, max(last.end, span.end), kind)
        else:
            merged.append(span)
            _order = order
    return merged


def _replaced(text: str, spans: list[Span], counts: Counts | None) -> str:
    pieces, at = [], 0
    for start, end, kind in spans:
        told = "" if kind in _GUESSABLE else f" {_digest(text[start:end])}"
        pieces += [text[at:start], f"[secret: {kind}{told}]"]
        at = end
        if counts is not None:
            counts[kind] += 1
    return "".join([*pieces, text[at:]])


def _digest(secret: str) -> str:
    return blake2b(secret.encode("utf-8", "replace"), digest_size=2).hexdigest()
