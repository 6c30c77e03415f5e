"""An answer without its markup: bold, italics, tags, notes and citations go, the words stay.

Takes a text, returns one that reads the same aloud. A value is the same in bold, and the 1 of a
note is no figure of the answer. What is struck out stays struck out, because it is taken back.

Worked: "It is **€18** _per night_.[^1]" is "It is €18 per night."
"""

import re

from agentdyno.matching.legacy_values.east_asian import in_western_notation

_BOLD = re.compile(r"(?<![\w*\\])(\*{1,3})(?=[^\s*])([^*\n]{1,300}?)(?<=[^\s*])\1(?!\*)")
_ITALIC = re.compile(r"(?<![\w\\/])(_{1,3})(?=[^\s_])([^_\n]{1,300}?)(?<=[^\s_])\1(?![\w(]|\.\w)")
"""Underscores within words belong to names: snake_case, __init__.py."""
_NOTE = re.compile(r"\[\^\w{1,12}\]:?|【[^】\n]{1,60}】|(?<=[^\s\[])\s?\[\d{1,2}\](?![\w(])")
_TAG = re.compile(r"</?(?:b|i|u|em|strong|sup|sub|span|p|br|li|ul|ol|td|tr|th|table)\s?/?>", re.I)


def without_markup(text: str) -> str:
    """The text as it would be read aloud."""
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "[" in text or "【" in text:
        text = _NOTE.sub("", text)
    if "*" in text:
        text = _BOLD.sub(r"\2", text)
    if "_" in text:
        text = _ITALIC.sub(r"\2", text)
    return in_western_notation(text)
