"""Keys, tokens, private keys and passwords in texts, replaced by a mark that says what stood there.

Takes a text, returns it without its secrets. Traces hold what agents were given: keys in
environments, tokens in headers, passwords in addresses. Costs do not need them, and reports are
passed on. Pure, and used wherever a text of a trace goes into something that is kept or shown: the
ledger's tables, judges' prompts, reports, errors.

A mark reads `[secret: github-token 3f2a]`: the kind, and four digits of a digest that tell two
secrets apart without telling either (a password gets none: it may be short enough to guess).
Worked: `git clone https://me:hunter2secret@host/x` -> `… https://me:[secret: password]@host/x`.

A text that was cut to fit a column may end inside a secret; `cut_at` finds those beginnings too.
"""

import re
from collections import Counter
from hashlib import blake2b
from re import Match

Counts = Counter[str]
"""How many secrets of each kind were replaced."""

_PEM_END = r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"

# By kind, the surest first: what an earlier one replaced, no later one sees. Each with words of
# which one stands in every text that holds such a secret, and a pattern whose group `secret` (or
# the whole) is replaced.
KINDS: dict[str, tuple[tuple[str, ...], str]] = {
    "private-key": (
        ("-----BEGIN",),
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        rf"[A-Za-z0-9+/=\s\\:,.()-]*?(?:{_PEM_END}|\Z|(?=[^A-Za-z0-9+/=\s\\:,.()-]))",
    ),
    "anthropic-key": (("sk-ant-",), r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    "openai-key": (("sk-",), r"\bsk-[A-Za-z0-9_-]{16,}"),
    "aws-access-key": (
        ("AKIA", "ASIA", "ABIA", "ACCA"), r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"
    ),
    "aws-secret-key": (
        ("ccess", "CCESS"),
        r"(?i:secret_?access_?key)[\\\"'\s:=]{1,8}(?P<secret>[A-Za-z0-9/+=]{40})",
    ),
    "github-token": (
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})",
    ),
    "gitlab-token": (
        ("glpat-", "gldt-", "glrt-", "glptt-", "gloas-", "glcbt-"),
        r"\bgl(?:pat|dt|rt|ptt|oas|cbt)-[A-Za-z0-9_.-]{16,}",
    ),
    "slack-token": (
        ("xox", "xapp-", "hooks.slack.com"),
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}"
        r"|hooks\.slack\.com/services/[A-Za-z0-9/]{20,}",
    ),
    "google-key": (
        ("AIza", "ya29.", "GOCSPX-"),
        r"\bAIza[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]{20,}|\bGOCSPX-[A-Za-z0-9_-]{20,}",
    ),
    "huggingface-token": (("hf_",), r"\bhf_[A-Za-z0-9]{30,}"),
    "stripe-key": (
        ("k_live_", "k_test_", "whsec_"),
        r"\b(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}",
    ),
    "npm-token": (("npm_",), r"\bnpm_[A-Za-z0-9]{30,}"),
    "pypi-token": (("pypi-",), r"\bpypi-[A-Za-z0-9_-]{50,}"),
    "sendgrid-key": (("SG.",), r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    "jwt": (
        ("eyJ",), r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"
    ),
    "azure-key": (
        ("AccountKey=", "AccessKey="),
        r"(?:AccountKey|SharedAccessKey)=(?P<secret>[A-Za-z0-9+/]{40,}={0,2})",
    ),
    "bearer-token": (("earer ",), r"\b[Bb]earer +(?P<secret>[A-Za-z0-9._~+/-]{20,}={0,2})"),
    "password": (
        ("://",), r"://[^\s/:@\"'\\]{0,128}:(?P<secret>[^\s/@\"'\\]{3,256})@"
    ),
    "credential": (
        ("key", "Key", "KEY", "ecret", "ECRET", "oken", "OKEN", "assw", "ASSW"),
        r"(?i:api_?-?key|secret_?-?key|client_?-?secret|access_?-?token|auth_?-?token|passw(?:or)?d)"
        r"\\?[\"']?\s{0,3}[:=]\s{0,3}\\?[\"'](?P<secret>[^\s\"'\\<>${}()\[\]]{8,256})\\?[\"']",
    ),
}  # fmt: skip

SHORTEST_CUT = 40
"""Texts for tables are cut at several lengths, the shortest being about this."""

ANY_OF_THEM = (
    r"(?-u:\b)sk-|A[KSBC][IC]A|gh[pousr]_|github_pat_|gl[a-z]{2,3}-|xox[a-z]-|xapp-|hooks\.slack|-----BEGIN"
    r"|eyJ|AIza|ya29\.|GOCSPX-|hf_|k_live_|k_test_|whsec_|npm_|pypi-|SG\.|AccountKey=|AccessKey="
    r"|earer |://[^\s/@]*:|(?:[kK][eE][yY]|[eE][cC][rR][eE][tT]|[oO][kK][eE][nN]|[sS][wW][oO]?[rR]?[dD])"
    r"[\\\"']*\s*[:=]"
)
"""Matches every text that may hold one, and few others: for a quick look over many texts, without
the counted repetitions that such engines are slow at. In polars' dialect: `task-7` is no `sk-`."""

_CUT = (
    r"(?:(?:\bsk-|\bA[KS]IA|\bgh[pousr]_|\bgithub_pat_|\bglpat-|\bxox[abeoprs]-|\bAIza|\bya29\."
    r"|\bhf_|\b[sr]k_(?:live|test)_|\bnpm_|\bpypi-|\beyJ|\bSG\.)[A-Za-z0-9_./+-]{4,}"
    r"|-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY[^…]*|://[^\s/:@\"'…]{0,128}:[^\s/@\"'…]{3,})"
    r"(?=…|[\"'…)\]]{0,3}\Z)"
)
"""The beginning of a secret at the end of a text that was cut."""

_COMPILED = [(kind, words, re.compile(pattern)) for kind, (words, pattern) in KINDS.items()]
_CUT_OFF = re.compile(_CUT, re.DOTALL)
_WORDS = tuple({word: None for words, _ in KINDS.values() for word in words})
_GUESSABLE = {"password", "credential"}
_NEEDS_A_DIGIT = {"openai-key", "credential", "bearer-token", "stripe-key", "gitlab-token"}
"""Kinds whose look words have too: `sk-learn-contrib-extensions` is nobody's key."""


def clean_text(text: str, counts: Counts | None = None, cut_at: int | None = None) -> str:
    """The text without its secrets; `cut_at` is the length to which it may have been cut."""
    for word in _WORDS:
        if word in text:
            break
    else:
        return text
    counts = Counter() if counts is None else counts
    for kind, words, pattern in _COMPILED:
        if any(word in text for word in words):
            text = pattern.sub(_Marking(kind, counts), text)
    if cut_at is not None and len(text) >= cut_at:
        text = _CUT_OFF.sub(lambda found: _cut_mark(counts), text)
    return text


def clean_field(text: str, counts: Counts | None = None) -> str:
    """The same for a short text that stands in a table and may have been cut to fit there."""
    return clean_text(text, counts, SHORTEST_CUT)


class _Marking:
    """Replaces what a pattern found."""

    def __init__(self, kind: str, counts: Counts) -> None:
        self._kind, self._counts = kind, counts

    def __call__(self, found: Match[str]) -> str:
        return _mark(self._kind, found, self._counts)


def _mark(kind: str, found: Match[str], counts: Counts) -> str:
    group = "secret" if "secret" in found.re.groupindex else 0
    secret = found[group]
    if kind in _NEEDS_A_DIGIT and not any(c.isdigit() for c in secret):
        return found[0]
    if secret.startswith("[secret:"):
        return found[0]
    counts[kind] += 1
    start, end = found.start(group) - found.start(), found.end(group) - found.start()
    told = "" if kind in _GUESSABLE else f" {_digest(secret)}"
    return f"{found[0][:start]}[secret: {kind}{told}]{found[0][end:]}"


def _cut_mark(counts: Counts) -> str:
    counts["cut off"] += 1
    return "[secret: cut off]"


def _digest(secret: str) -> str:
    return blake2b(secret.encode("utf-8", "replace"), digest_size=2).hexdigest()
