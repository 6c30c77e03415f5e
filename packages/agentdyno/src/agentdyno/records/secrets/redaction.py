"""Texts without the secrets that the rules find, each replaced by a mark that says what stood
there.

A mark reads `[secret: github-token 3f2a]`: the kind, and four digits of a digest that tell two
secrets apart without giving either away (a password gets none: it may be short enough to guess).
Worked: `git clone https://me:hunter2secret@host/x` -> `… https://me:[secret: password]@host/x`.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from agentdyno.records.secrets.columns import find_columns
from agentdyno.records.secrets.named_values import find_named
from agentdyno.records.secrets.quick_look import EVERY, MIXED, Found
from agentdyno.records.secrets.random_tokens import find_random
from agentdyno.records.secrets.spans import Counts, Span
from agentdyno.records.secrets.structures import (
    COUNT,
    find_blocks,
    find_seed_phrases,
    find_structures,
)
from agentdyno.records.secrets.vendors import (
    PREFIXES,
    find_by_service,
    find_tokens,
    gitleaks_rules,
)


class FoundSecrets(Counts):
    """The same, with the secrets themselves: for whoever has to see that none is left."""

    def __init__(self) -> None:
        super().__init__()
        self.secrets: set[str] = set()
        """As they stood in the texts."""


_MARK = re.compile(r"\[secret: [a-z0-9 -]{0,60}\]?")
_WHOLE_MARK = re.compile(r"\[secret: ([a-z0-9-]+(?: off)?)")
_CUT_OFF = re.compile(
    r"(?:(?:\bsk-|\bA[KS]IA|\bgh[pousr]_|\bgithub_pat_|\bglpat-|\bxox[a-z]-|\bAIza|\bya29\."
    r"|\bhf_|\b[sr]k_(?:live|test)_|\bnpm_|\bpypi-|\beyJ|\bSG\.)[A-Za-z0-9_./+-]{4,}"
    r"|-----BEGIN[ _-][A-Z0-9 _-]{0,30}PRIVATE[ _-]KEY[^…]*|://[^\s/:@\"'…]{0,128}:[^\s/@\"'…\d][^\s/@\"'…]{2,})"
    r"(?=…|[\"'…)\]]{0,3}\Z)",
    re.DOTALL,
)
"""The beginning of a secret at the end of a text that was cut."""
_GUESSABLE = {"password", "credential", "cookie", "authorization", "basic-auth", "seed-phrase"}


def count_rules() -> int:
    named, columns, drawn = 1, 1, 1
    return len(gitleaks_rules()) + len(PREFIXES) + COUNT + named + columns + drawn


def count_marks(texts: Iterable[str], counts: Counts) -> None:
    """Adds the secrets that were replaced before, by the marks in their place."""
    for text in texts:
        if "[secret: " in text:
            counts.update(mark[1] for mark in _WHOLE_MARK.finditer(text))


def redact(
    text: str,
    counts: Counts | None = None,
    cut_at: int | None = None,
    looks: Found = EVERY,
    digest_bytes: int = 2,
) -> str:
    """The text without what the rules find that belong to these looks."""
    if spans := find_spans(text, looks):
        text = replace_spans(text, spans, counts, digest_bytes)
    return text if cut_at is None else cut_off(text, counts, cut_at)


def cut_off(text: str, counts: Counts | None, cut_at: int) -> str:
    """Without the beginning of a secret at the end of a text that may have been cut."""
    if len(text) < cut_at:
        return text
    text, cut = _CUT_OFF.subn("[secret: cut off]", text)
    if cut and counts is not None:
        counts["cut off"] += cut
    return text


def redact_blocks(text: str, counts: Counts | None = None, looks: Found = EVERY) -> str:
    """Without what goes over many lines."""
    spans = [*find_columns(text)] if "password" in looks else []
    if "name" in looks:
        spans += find_seed_phrases(text)
    if "-----" in text or "Private-L" in text:
        spans += find_blocks(text)
    return replace_spans(text, merge_spans(text, spans), counts) if spans else text


def find_spans(text: str, looks: Found) -> list[Span]:
    """Spans of the secrets that the rules of these looks find, in order."""
    return merge_spans(text, _find(text, looks))


def _find(text: str, looks: Found) -> Iterator[Span]:
    if not looks.isdisjoint(_TOKENS):
        yield from find_tokens(text)
    if looks != MIXED:
        low = text.lower()
        if len(low) != len(text):  # Some letters grow when they shrink.
            low = "".join(sign.lower() if sign.isascii() else sign for sign in text)
        if "service" in looks:
            yield from find_by_service(text, low)
        yield from find_structures(text, low, looks)
        if not looks.isdisjoint(_NAMES):
            yield from find_named(text, low)
        if "password" in looks:
            yield from find_columns(text)
    if "mixed" in looks:
        yield from find_random(text)


_TOKENS: Found = frozenset({"mixed", "form"})
_NAMES: Found = frozenset({"password", "name"})


def merge_spans(text: str, unmerged: Iterable[Span]) -> list[Span]:
    """Spans that overlap as one, named by the surest rule, which found it first; none inside a
    mark."""
    if not (spans := sorted((span, order) for order, span in enumerate(unmerged))):
        return []
    marks = [mark.span() for mark in _MARK.finditer(text)] if "[secret:" in text else []
    merged: list[Span] = []
    surest = 0
    for span, order in spans:
        if any(span.start < end and start < span.end for start, end in marks):
            continue
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            kind = span.kind if order < surest else last.kind
            surest = min(order, surest)
            merged[-1] = Span(last.start, max(last.end, span.end), kind)
        else:
            merged.append(span)
            surest = order
    return merged


def replace_spans(
    text: str, spans: Iterable[Span], counts: Counts | None = None, digest_bytes: int = 2
) -> str:
    """The text with a mark in the place of each."""
    pieces, at = [], 0
    for start, end, kind in spans:
        sentence = "" if kind in _GUESSABLE else f" {_digest(text[start:end], digest_bytes)}"
        pieces += [text[at:start], f"[secret: {kind}{sentence}]"]
        at = end
        if counts is not None:
            counts[kind] += 1
        if isinstance(counts, FoundSecrets):
            counts.secrets.add(text[start:end])
    return "".join([*pieces, text[at:]])


def _digest(secret: str, size: int) -> str:
    return blake2b(secret.encode("utf-8", "replace"), digest_size=size).hexdigest()
