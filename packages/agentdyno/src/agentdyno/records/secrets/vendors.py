"""Tokens that say by their beginning whose they are, and gitleaks' rules for those that do not.

`PREFIXES` are ours: a beginning and any length, so that a vendor's next longer token is found too.
`gitleaks.json` is gitleaks' rule set (MIT, see LICENSE.gitleaks), made by
`bench/gitleaks_rules.py`. A rule is compiled when one of its keywords is found in a text for the
first time.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.records.secrets.randomness import (
    alternation,
    has_digit,
    has_letter,
    is_wordy,
    looks_random,
    shannon,
)
from agentdyno.records.secrets.spans import Span

PREFIXES: dict[str, str] = {
    "anthropic-key": r"sk-ant-",
    "openai-key": r"sk-|sess-",
    "aws-access-key": r"A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AROA|AIDA|ABSK",
    "github-token": r"gh[pousr]_|github_pat_",
    "gitlab-token": r"gl(?:pat|dt|rt|ptt|oas|cbt|ffct|ft|imt|agent|soat)-|GR1348941",
    "slack-token": r"xox[a-z](?:\.xox[a-z])?-|xapp-|xwfp-",
    "google-key": r"AIza|ya29\.|GOCSPX-|1//0",
    "huggingface-token": r"hf_|api_org_",
    "stripe-key": r"[srp]k_(?:live|test|prod)_|whsec_|rzp_(?:live|test)_|sk_",
    "npm-token": r"npm_",
    "pypi-token": r"pypi-",
    "sendgrid-key": r"SG\.",
    "docker-token": r"dckr_[a-z]{3}_",
    "model-key": r"gsk_|xai-|r8_|nvapi-|tgp_v1_|fw_|csk-|pplx-|lsv2_[a-z]{2}_|ls__|jina_"
    r"|tvly-|fc-|e2b_|pcsk_|voyage-|pa-|rpa_|wandb_v1_|KGAT_|sk_or_|cohere_|mistral_|together_|fireworks_"
    r"|ctx7sk-",
    "cloud-token": r"do[opr]_v1_|dapi|dp\.(?:pt|st|sa|ct|scim|audit)\.|hv[sbr]\.|pul-|pnu_|nfp_"
    r"|nfc_|sbp_|sb_secret_|vcp_|vca_|vck_|rnd_|pscale_[a-z]{2,6}_|atlasv1\.|fo1_|fm[12][ar]?_|LTAI|AKID"
    r"|ops_|v1\.0-|HRKU-|ATATT3|ATCTT3|ATBB|ATSTT3|BBDC-|CFPAT-|EAA[A-Z]|IGQ|PMAK-|NRAK-|NRII-|NRAA-"
    r"|NRRA-|glsa_|glc_|glca_|sntry[su]_|sgp_|figd_|fig[ou]_|lin_(?:api|oauth)_|ntn_|secret_|shp[a-z]{2}_"
    r"|sq0[a-z]{3}-|EZ[AT]K|fio-u-|FLWSECK(?:_TEST)?-|duffel_[a-z]{4}_|shippo_[a-z]{4}_|rdme_|rubygems_"
    r"|CLOJARS_|AKCp|cmVmd|dt0[a-z]\d\d\.|p8e-|oy2|tk-us-|waka_|sm_[a-z]aat_|sm_[aps]at_|CCIPAT_|CCIPRJ_"
    r"|bk[a-z]{2}_|phc_|phx_|pat-(?:na|eu|ap)\d-|pat[A-Z]|re_|xkeysib-|xsmtpsib-|mlsn\.|apify_api_"
    r"|access-(?:sandbox|development|production)-|amzn\.mws\.|APP_USR-|AGE-SECRET-KEY-1|tskey-[a-z]{3,8}-"
    r"|ddp_|ddapp_|napi_|loops_|ico-|SK(?=[0-9a-f]{32})|AC(?=[0-9a-f]{32})|tfp_|squ_|sq[pa]_|API-|xprv|[yz]prv"
    r"|AQVN|t1\.|cio_|dnkey-|sl\.|ops_|A3-|np_|asat_|okta_|hcaptcha_|0x4AAAAA",
    "named-token": r"key-|live_|test_|prod_|key_|tok_|token_|api_|apikey_|pat_|sec_|bot_|auth_|svc_"
    r"|usr_|acc_",
}  # fmt: skip
"""By kind, the beginnings of its tokens; the first that fits names the kind."""

_DIGITS = "[MNO][DTjz][AEIMQUYcgk][wxyz0-5]"
"""Three digits in base 64: the number of a bot begins its token."""
_BEGINNINGS = "|".join((*PREFIXES.values(), f"(?:{_DIGITS}){{5}}")).replace("(?=", "(?:")
BEGINS_TOKEN = f"(?:^|[^A-Za-z0-9])(?:{_BEGINNINGS})"
"""Matches where a known beginning stands and a token may begin, in the dialect of polars."""
_COMMON = frozenset(
    "live_ test_ prod_ key_ tok_ token_ api_ pat_ sec_ bot_ auth_ svc_ usr_ acc_".split()
)
"""Beginnings that are words too: a folder `test_w0` goes on behind its slash, no token does."""
_BODY = r"[A-Za-z0-9_\-+/=.~]"
_AWS_ID = re.compile(r"[A-Z0-9]{16}|[A-Za-z0-9+/]{40}")
_STARTS = re.compile(r"\A|(?<=[^A-Za-z0-9])")
_RUN = re.compile(r"\b[A-Za-z0-9](?:[A-Za-z0-9_.~-]|//0){11,}")
_DISCORD = re.compile(
    r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{5,7}\.[A-Za-z0-9_-]{26,40}"
    rf"|(?:{_DIGITS}){{5,7}}[A-Za-z0-9]{{0,3}}\.[A-Za-z0-9_-]{{1,7}}(?:\.[A-Za-z0-9_-]*)?"
)
"""A bot's token, or some of it."""
_TAIL = re.compile(_BODY + "{6,}")
_KINDS = tuple(PREFIXES)
_INFORMATIVE = frozenset(_KINDS) - {
    "cloud-token",
    "model-key",
    "named-token",
    "openai-key",
    "stripe-key",
}
"""Kinds whose beginnings are nobody else's: fewer signs of chance are asked for behind them."""


class _Rule(Struct, frozen=True):
    id: str
    """Its name there."""
    keywords: tuple[str, ...]
    """In lower case; one stands in every text that the rule finds anything in."""
    regex: str
    """In Python's dialect."""
    group: int
    """The group that holds the secret; 0 is all of it."""
    entropy: float
    """Bits for each character that the secret has at least."""


@cache
def gitleaks_rules() -> tuple[_Rule, ...]:
    """The rules as they are in the file."""
    data = Path(__file__).with_name("gitleaks.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[_Rule, ...])


_Keywords = tuple[tuple[str, tuple[_Rule, ...]], ...]


@cache
def _keywords() -> tuple[_Keywords, _Keywords]:
    """Rules by keyword: those of tokens, and those of values behind a service's name."""
    rules_of_keyword: tuple[dict[str, list[_Rule]], ...] = ({}, {})
    for rule in gitleaks_rules():
        for keyword in rule.keywords:
            rules_of_keyword["x60" in rule.regex].setdefault(keyword, []).append(rule)
    tokens, services = (
        tuple((keyword, tuple(rules)) for keyword, rules in by_keyword.items())
        for by_keyword in rules_of_keyword
    )
    return tokens, services


@cache
def _match_prefix() -> re.Pattern[str]:
    """One group for each kind."""
    return re.compile("|".join(f"({beginnings})" for beginnings in PREFIXES.values()))


@cache
def _pattern(regex: str) -> re.Pattern[str]:
    return re.compile(regex, re.ASCII)


def find_tokens(text: str) -> Iterator[Span]:
    """Tokens with a known beginning, at the start of a run or behind a sign within it, and those
    that gitleaks knows."""
    runs = [run for run in _RUN.finditer(text) if has_digit(run[0])]
    for run in runs:
        if run[0][0] in "MNO" and (bot := _DISCORD.match(text, run.start())):
            yield Span(*bot.span(), "discord-token")
        yield from _find_prefixed(text, run[0], run.start())
    low = " ".join(run[0] for run in runs).lower()
    for keyword, rules in _keywords()[0]:
        if keyword in low:
            for rule in rules:
                yield from _find(rule, text)


def _find_prefixed(text: str, run: str, begins: int) -> Iterator[Span]:
    for start in _STARTS.finditer(run):
        if (prefix := _match_prefix().match(run, start.start())) is None:
            continue
        tail = _TAIL.match(text, begins + prefix.end())
        kind = _KINDS[(prefix.lastindex or 1) - 1]
        if tail is None:
            continue
        last = tail.end()
        if prefix[0] in _COMMON:
            last = next((i for i in range(tail.start(), last) if text[i] == "/"), last)
        end = _without_stop(text, tail.start(), last)
        if _is_drawn(kind, text[tail.start() : end]):
            yield Span(begins + prefix.start(), end, kind)
            return


def _without_stop(text: str, start: int, end: int) -> int:
    """A full stop or a slash at the end is the sentence's or the address's."""
    while end > start and text[end - 1] in "./-+":
        end -= 1
    return end


def _is_drawn(kind: str, tail: str) -> bool:
    """True when the text behind a prefix is random; `sk-learn-contrib` is nobody's key."""
    plain = re.sub(r"[^A-Za-z0-9]", "", tail)
    if len(plain) < 10 or shannon(plain) < 2.5:
        return False
    if kind == "aws-access-key":
        return has_digit(plain) and _AWS_ID.match(tail) is not None
    if kind in _INFORMATIVE:
        return not is_wordy(tail)
    if len(plain) < 16 or not has_digit(plain):
        return False
    if kind == "named-token" and plain != tail:  # `test_of_x86_64` is a name of many words.
        return False
    hexadecimal = re.fullmatch(r"[0-9a-fA-F]{20,}[-0-9a-fA-F]*", tail) is not None
    return hexadecimal or looks_random(tail, 14) or (len(plain) >= 24 and not is_wordy(tail))


def find_by_service(text: str, low: str) -> Iterator[Span]:
    """Values behind a service's name; `low` is the text in lower case."""
    for keyword, rules in _keywords()[1]:
        if keyword in low:
            for rule in rules:
                yield from _find(rule, text)


def _find(rule: _Rule, text: str) -> Iterator[Span]:
    for match in _pattern(rule.regex).finditer(text):
        group = rule.group if match[rule.group] is not None else 0  # Another branch of the rule.
        start, end = match.span(group)
        secret = text[start:end]
        mixed = has_digit(secret) and has_letter(secret) and shannon(secret) >= rule.entropy
        if mixed and (group == 0 or not is_wordy(secret) or alternation(secret) > 0.3):
            yield Span(start, _extend(text, end), rule.id)


_MORE = re.compile(r"[A-Za-z0-9_\-+=~]*")


def _extend(text: str, end: int) -> int:
    """To the end of the token: what a rule's length leaves is the other half of a key."""
    more = _MORE.match(text, end)
    return more.end() if more else end
