"""The readable text of an HTML page, in time that grows with the page's length only.

Takes HTML of any quality; returns the title and the text, a line for each block. Scripts, styles
and markup are dropped; nothing is executed. The standard library's parser is not used: on
unclosed comments it took 9 s for 80 kB and 59 s for 160 kB (Python 3.11), and pages are hostile.
Here every search either ends the page or moves past what it found, and pages of nothing but tags
are read in part.
"""

import re
from html import unescape

_SKIPPED = {"script", "style", "noscript", "template", "svg", "iframe", "object", "textarea"}
_BLOCKS = re.compile(
    "address|article|aside|blockquote|body|br|caption|d[dlt]|details|div|fieldset|figcaption"
    "|figure|footer|form|h[1-6r]|head|header|html|li|main|nav|ol|option|p|pre|section|summary"
    "|table|tbody|thead|title|tr|ul"
)
_CELLS = {"td", "th"}
_OPENING = re.compile(r"<(?=[a-zA-Z/!?])")  # Not the sign in 1 < 2.
_MAX_TAGS = 200_000
_MAX_CHARS = 1_000_000
_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9]{0,30})")
_LONG_NUMBER = re.compile(r"&#[xX]?[0-9a-fA-F]{8,};?")
_SPACES = re.compile(r"[ \t\r\f\v\xa0]+")


def read_html(html: str) -> tuple[str, str]:
    """Title and text."""
    pieces, title = _scan(html)
    return _clean(title).replace("\n", " ").strip()[:300], _clean("".join(pieces))


def _scan(html: str) -> tuple[list[str], str]:
    lower = html.lower() if html.isascii() else _ascii_lower(html)
    pieces: list[str] = []
    title = ""
    at = 0
    for _ in range(_MAX_TAGS):
        opening = _OPENING.search(html, at)
        if opening is None:
            pieces.append(html[at:])
            break
        pieces.append(html[at : opening.start()])
        name, at = _tag(html, lower, opening.start())
        if name in _SKIPPED:
            at = _after_end(lower, name, at)
        elif name == "title" and not title:
            end = lower.find("</title", at)
            end = len(html) if end < 0 else end
            title, at = html[at:end], end
        pieces.append(_break(name))
    return pieces, title


def _ascii_lower(text: str) -> str:
    # str.lower changes the length of some letters, and positions must stay.
    return text.translate({upper: upper + 32 for upper in range(65, 91)})


def _tag(html: str, lower: str, opening: int) -> tuple[str, int]:
    """The name of an opening or closing tag, with / before the latter, and where it ends."""
    if html.startswith("<!--", opening):
        end = html.find("-->", opening + 4)
        return "", len(html) if end < 0 else end + 3
    named = _NAME.match(lower, opening + 1)
    end = html.find(">", opening)
    name = "" if named is None else named[0]
    return name, len(html) if end < 0 else end + 1


def _after_end(lower: str, name: str, at: int) -> int:
    end = lower.find(f"</{name}", at)
    if end < 0:
        return len(lower)
    closing = lower.find(">", end)
    return len(lower) if closing < 0 else closing + 1


def _break(name: str) -> str:
    plain = name.removeprefix("/")
    if _BLOCKS.fullmatch(plain):
        return "\n"
    return " " if plain in _CELLS else ""


def _clean(text: str) -> str:
    # Beyond any character; the library would choke on the longest.
    text = unescape(_LONG_NUMBER.sub("\N{REPLACEMENT CHARACTER}", text[:_MAX_CHARS]))
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
