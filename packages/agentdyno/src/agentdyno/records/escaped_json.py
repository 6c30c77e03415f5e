"""JSON whose texts can command no terminal: control characters of traces stand in it as escapes.

JSON itself escapes those below a blank. Here are the others that a terminal or a reader would act
on: delete, C1 (`\\x9b` begins an escape sequence), and what turns the direction of writing.
"""

import re
from typing import Any

import msgspec

_HARMFUL = re.compile(
    rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)
"""In UTF-8; outside of its texts JSON has none of these."""


def encode_json(value: Any) -> bytes:
    """A value as JSON in UTF-8."""
    return _HARMFUL.sub(_escape, msgspec.json.encode(value))


def _escape(match: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(match[0].decode())
