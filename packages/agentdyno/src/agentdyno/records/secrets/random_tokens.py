"""Tokens that nothing names, and that only their randomness gives away.

Letters of both cases and digits, 24 characters or more, mixed as chance mixes them. Hashes in base
16 and UUIDs stay: they look the same whether they are secret or not, and traces are full of them.
So do ids that say what they are, digests that say so, public keys, and runs too long for a key:
pictures and other files in base 64.
"""

import re
from collections.abc import Iterator

from agentdyno.records.secrets.randomness import (
    has_both_cases,
    is_hex,
    is_wordy,
    looks_random,
)
from agentdyno.records.secrets.spans import Span

SHORTEST, LONGEST = 24, 200
_TOKEN = re.compile(rf"\b[A-Za-z0-9][A-Za-z0-9_+-]{{{SHORTEST - 1},}}={{0,2}}")
_PIECES = re.compile(r"[-_]")
_BASE64_TOKEN = re.compile(r"\b[A-Za-z0-9][A-Za-z0-9+/]{38,}={0,2}")
LONGEST_LINE = 100
_WORDS = re.compile(r"[A-Za-z]{5,}")
_IDS = re.compile(
    r"(?:toolu|srvtoolu|mcptoolu|call|msg|req|resp|rs|fc|ws|ci|run|thread|asst|step|chatcmpl|cmpl|gen|batch"
    r"|msgbatch|session|conv|item|evt|event|fp|container|vs|ftjob|modelcmpl|tool|functions|ctc|ig|cu|file"
    r"|chunk|node|span|trace|task|job|build|commit|sha\d*|md5|blob|tree|rev|cus|sub|prod|price|order|user"
    r"|team|org|proj|cursor|next|page|agent|pdf|img|image|doc|http|https|www|cache|tmp|temp|layer|object|record|row|key|hash|digest|index|part|asset|static|model|ckpt)[_-]",
    re.IGNORECASE,
)
_DIGEST = re.compile(
    r"(?:sha-?\d{1,3}|md5|h1|integrity|digest|checksum|fingerprint|etag|hash)[-:=\s\"'\\/]{1,4}\Z",
    re.I,
)
_NAMED_ID = re.compile(
    r"(?:[a-z0-9][_.-]id|[a-z0-9]I[dD]|[A-Z0-9]_ID|\bid)[\\\"'`]{0,4}\s{0,2}[:=]\s{0,2}[\\\"'`]{0,4}\Z"
)
"""`checkpoint_id=`: what is called an id is one; `access_key_id` is found by its name."""
_PUBLIC = ("AAAA", "MII", "iVBOR", "/9j/", "R0lGOD", "UklGR", "PHN2Zy", "JVBERi0")
"""How public keys, certificates and pictures begin."""


def find_random(text: str) -> Iterator[Span]:
    """Tokens that look drawn at random and are nothing else."""
    for match in _TOKEN.finditer(text):
        token = match[0].rstrip("=-")
        if len(token) <= LONGEST and _is_token(text, match.start(), match.end(), token):
            yield Span(match.start(), match.end(), "random-token")
    for match in _BASE64_TOKEN.finditer(text):
        token = match[0].rstrip("=")
        if ("/" in token or "+" in token) and _is_base64(text, match.start(), match.end(), token):
            yield Span(match.start(), match.end(), "random-token")


def _is_base64(text: str, start: int, end: int, token: str) -> bool:
    """A secret in base 64, as AWS has them, or a line of a key; not a path."""
    if len(token) > LONGEST_LINE or any(map(is_wordy, _WORDS.findall(token))):
        return False
    return _is_token(text, start, end, token)


def _is_token(text: str, start: int, end: int, token: str) -> bool:
    if token.startswith(_PUBLIC) or _IDS.match(token) or is_hex(token):
        return False
    if not has_both_cases(token) or not looks_random(token, SHORTEST - 2):
        return False
    longest = max(_PIECES.split(token), key=len)
    if len(longest) < SHORTEST and not looks_random(longest, 12):  # `Qwen3-Coder-30B-A3B-Instruct`
        return False
    before = text[max(0, start - 24) : start]
    if (
        _DIGEST.search(before)
        or _NAMED_ID.search(before)
        or ";base64," in before
        or _is_in_a_file(text, start, end)
    ):
        return False
    # Parts of a path are random too: names of files that a program drew.
    if before.endswith("/d/"):  # A document's id.
        return False
    return not before.endswith("/") or (
        "://" in text[max(0, start - 120) : start] and len(token) >= 32
    )


_BASE64 = re.compile(r"[A-Za-z0-9+/=]{20,}[\s\\nr]{0,6}\Z")
_BASE64_NEXT = re.compile(r"[/+]?[\s\\nr]{0,6}[A-Za-z0-9+/=]{20,}")


def _is_in_a_file(text: str, start: int, end: int) -> bool:
    """True when the line before, or the text behind, goes on in base 64: then it is a file's."""
    before = text[max(0, start - 40) : start]
    return _BASE64.search(before) is not None or _BASE64_NEXT.match(text, end) is not None
