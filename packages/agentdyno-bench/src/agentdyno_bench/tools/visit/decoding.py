"""From a body's bytes to text, by the charset that the server or the page names.

Only charsets of the web are used: Python has codecs that take quadratic time.
"""

import re

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_WEB = re.compile(
    r"utf-?8|utf-?16(?:[-_]?[bl]e)?|(?:us-)?ascii|latin-?1|iso-?8859-?\d{1,2}|windows-?\d{3,4}"
    r"|cp\d{3,4}|koi8-[ru]|gbk|gb2312|gb18030|big5|shift[_-]?jis|euc-(?:jp|kr)",
    re.IGNORECASE,
)
_HEAD_BYTES = 2048


def decode_body(body: bytes, content_type: str) -> str:
    """The text; what is not valid in the charset is replaced."""
    head = body[:_HEAD_BYTES].decode("latin-1")
    named = _CHARSET.search(content_type) or _CHARSET.search(head)
    charset = named[1] if named and _WEB.fullmatch(named[1]) else "utf-8"
    try:
        return body.decode(charset, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
