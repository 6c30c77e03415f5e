"""The beginning of a foreign text, cut so that no half of a secret is left at its end.

A rule knows a whole token; half of one it may not know, and half a key is still half a key. So a
text that is cut before the rules see it is cut between two tokens. Worked: `login with hunter2abc`
cut to 14 characters is `login with `, not `login with hun`.
"""

import re

_OF_A_TOKEN = r"[^\s\"'`,;(){}<>|&\[\]]"
_GOES_ON = re.compile(_OF_A_TOKEN)
_LAST_TOKEN = re.compile(rf"{_OF_A_TOKEN}*\Z")


def cut_text(text: str, limit: int) -> str:
    """The first `limit` characters at most, without the token that the cut would go through; a
    token that fills most of them is cut all the same, as rules know it by how it begins."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    if _GOES_ON.match(text, limit) is None:
        return head
    whole = _LAST_TOKEN.sub("", head, count=1)
    return whole if len(whole) * 3 >= limit else head
