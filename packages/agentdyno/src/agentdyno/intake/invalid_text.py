"""Replaces what is not text in a JSON record, so that one broken character does not cost it.

Takes bytes that a decoder refused, returns bytes in which every half of a surrogate pair and every
byte that is not UTF-8 is U+FFFD, the replacement character. Everything else stays as it is.

Worked: `"a\\ud83d b"` becomes `"a\\ufffd b"`; the pair `"\\ud83d\\ude00"` stays, and so does the
escaped backslash in `"\\\\ud83d"`.
"""

import re

_LONE = re.compile(rb"\\u[dD][89a-fA-F]")
# One escape after the other, so that a backslash that is itself escaped begins nothing.
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def replace_invalid_text(data: bytes) -> bytes:
    """The record with the replacement character for what is not text; the same object if it is."""
    try:
        data.decode()
    except UnicodeDecodeError:
        data = data.decode("utf-8", "replace").encode()
    return _ESCAPE.sub(_replace, data) if _LONE.search(data) else data


def _replace(escape: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if escape[1] else escape[0]
