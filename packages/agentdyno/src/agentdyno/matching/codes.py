"""Codes: ids, versions, addresses, paths with line numbers, hashes, links. A text in, places out.

A token is what stands between blanks and quotes, without the punctuation around it. It is a code
when it mixes letters and digits, or has the shape of a path, a link, an address or a version.
Money, units, dates and times (`$3.4k`, `500mg`, `2031-06-02`, `16:15`) are no codes.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from agentdyno.matching.values.lexicon import unit_named

CodeKind = Literal["id", "path", "link", "version", "mail"]
LONGEST = 300
"""A longer token is data, not something anybody would quote."""
_BETWEEN = r"\s\"'`<>(){}\[\],;|“”‘’«»\x00"
_TOKEN = re.compile(f"[^{_BETWEEN}]+")
_PATH_TOKEN = re.compile(rf"(?<![^{_BETWEEN}])[^{_BETWEEN}./\\]*+[./\\][^{_BETWEEN}]*+")
"""Those that hold a sign which every path has."""
_LINK = re.compile(r"(?:https?|ftp|file|s3|gs)://|www\.", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+\Z")
_VERSION = re.compile(r"v?\d+(?:\.\d+){2,}(?:[-+.][\w.]+)?\Z", re.IGNORECASE)
_PATH = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\][^/\\]|[\w.@+-]+[/\\][\w.@+\\/-]*\w")
_FILE = re.compile(r"[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_LINES = re.compile(r"(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)\Z")
_AMOUNT = re.compile(
    r"[-+−–~≈(]?(?:[A-Z]{0,3}[$€£¥₹])?\d[\d.,'’]*(?:[eE][+-]?\d{1,3})?(?P<rest>.*)\Z", re.DOTALL
)
_SUFFIX = re.compile(r"[A-Za-zµμ°%‰²³\"/]+")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|er|º|ª|(?:[.,]\d+)?[x×])\Z", re.IGNORECASE)
_SCALES = frozenset("k m b bn mn mm tn t".split())
_TENS = re.compile(r"10{1,3}")
_NUMERIC = re.compile(r"\d+(?:[-–]\d+)+\Z")
_DATED = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?\Z"
    r"|\d{1,2}[/.-]\d{1,2}[/.-]\d{4}\Z|\d{1,2}/\d{1,2}/\d{2}\Z",
    re.IGNORECASE,
)
_CLOCKED = re.compile(
    r"\d{1,2}(?:[:h]\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:[ap]\.?m\.?|Z)?\Z|\d{1,2}\.\d{2}[ap]\.?m\.?\Z",
    re.I,
)
_COUNTED = re.compile(r"\d[\d.,]*(?:[-–][A-ZÄÖÜ]?[a-zäöüß]{2,})+\Z")
"""20-page, 3-bedroom: a number and what is counted."""
_ENDS = re.compile(r"(?P<first>[^\s–—-]*\d[^\s–—-]*)[–—-](?P<second>[^\s–—-]*\d[^\s–—-]*)\Z")
"""18–24, 54.2k–68.9k, €5-€7: from one to the other."""
_FORMAT = re.compile(
    r"[DMYHS]{1,4}(?:[-/.:][DMYHS]{1,4})+\Z|(?:day|month|year)(?:[-/](?:day|month|year)){1,2}\Z",
    re.IGNORECASE,
)
"""MM/DD/YYYY: how a day is written, and no code."""
_EDGE = ".,:;!?*_~=…–—#"


class Code(NamedTuple):
    text: str
    start: int
    end: int
    kind: CodeKind = "id"


def find_codes(text: str, only_paths: bool = False) -> Iterator[Code]:
    """Every code of a text, or those of its tokens that may be paths."""
    for match in (_PATH_TOKEN if only_paths else _TOKEN).finditer(text):
        token, start = match[0], match.start()
        if token.isalpha() or len(token) > LONGEST:
            continue  # Most tokens are words, and a word is no code.
        bare = token.strip(_EDGE)
        start += len(token) - len(token.lstrip(_EDGE))
        if "=" in bare and not _LINK.match(bare):
            # name=value: the value is what counts.
            head, _, tail = bare.rpartition("=")
            bare, start = tail, start + len(head) + 1
        if bare and (kind := code_kind(bare)):
            yield Code(bare, start, start + len(bare), kind)


@lru_cache(maxsize=16_384)
def code_kind(token: str) -> CodeKind | None:
    """The kind of code that a token is; None when it is none."""
    if _LINK.match(token):
        return "link"
    if "@" in token and _MAIL.match(token):
        return "mail"
    has_digit = any(c.isdecimal() for c in token)
    if not has_digit and _FORMAT.match(token):
        return None
    if has_digit and _is_value(token):
        return None
    if _VERSION.match(token):
        return "version"
    located = _LINES.sub("", token)
    if _FILE.match(located) and not located[0].isdigit() and "." in located:
        return "path" if _looks_like_file(located) else None
    if ("/" in token or "\\" in token) and _PATH.match(located) and _is_path(located):
        return "path"
    if has_digit and (any(c.isalpha() for c in token) or _NUMERIC.match(token)):
        return "id"
    return None


def _is_value(token: str) -> bool:
    """True when a token is a number with its unit, a date or a time."""
    if _COUNTED.match(token) or _is_range(token):
        return True
    over, _, under = token.rpartition("/")
    bare = under.lstrip("10") or under
    divides = over and (unit_named(bare) is not None or _TENS.fullmatch(under))
    if divides and (_is_value(over) or unit_named(over) is not None):
        return True  # 4:14/km, €1.25/100g, the l/100 of "5.6 l/100 km".
    if _DATED.match(token) or _CLOCKED.match(token) or _ORDINAL.match(token):
        return not _VERSION.match(token) or bool(_DATED.match(token))
    match = _AMOUNT.match(token)
    if match is None:
        return re.match(r"(?:USD|EUR|GBP|US|CHF)\d[\d,.]*\Z", token) is not None
    if "." in token and _VERSION.match(token) and not re.match(r"\d{1,3}(?:\.\d{3})+\Z", token):
        return False
    suffix = match["rest"].lower()
    if not suffix:
        return True
    if suffix.lstrip("-–") in _SCALES or unit_named(suffix.lstrip("-–").rstrip(".")) is not None:
        return True
    words = [word for part in _SUFFIX.findall(suffix) for word in part.split("/") if word]
    are_units = all(w in _SCALES or unit_named(w) is not None or w in ("m", "/") for w in words)
    return bool(words) and are_units and re.fullmatch(r"[a-zµμ°%‰²³/\d.,-]+", suffix) is not None


def _is_range(token: str) -> bool:
    """True when both ends are numbers; of bare ones with a hyphen, 555-1234 is no range."""
    ends = _ENDS.match(token)
    if ends is None or (_NUMERIC.match(token) and "-" in token):
        return False
    return _is_value(ends["first"]) and _is_value(ends["second"])


_EXTENSIONS = frozenset(
    """py pyi ipynb js jsx ts tsx mjs cjs json jsonl yaml yml toml md mdx rst txt csv tsv html css
    scss sh bash zsh go rs java kt c h cc cpp hpp cs rb php swift sql xml ini cfg conf lock env log
    pdf png jpg jpeg gif svg ico zip gz tar whl parquet eval db sqlite vue svelte proto graphql tf
    dockerfile gradle properties mk cmake bat ps1 tex bib ex exs erl hs lua pl r jl m ui patch diff
    snap map wasm bin exe so dll""".split()
)


def _looks_like_file(token: str) -> bool:
    stem, _, extension = token.rpartition(".")
    return extension.lower() in _EXTENSIONS and len(stem) + len(extension) > 2


def _is_path(token: str) -> bool:
    """`src/a.py` and `/etc` are paths; `and/or`, `9/10`, `km/h`, `/km` are not."""
    if unit_named(token[1:]) is not None:
        return False
    if token[0] in "/\\~." or token[1:2] == ":":
        return len(token) > 2
    steps = re.split(r"[/\\]", token)
    return len(steps) > 2 or _looks_like_file(steps[-1]) or "_" in token or "." in steps[0]
