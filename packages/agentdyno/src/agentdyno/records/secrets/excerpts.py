"""The beginning of a foreign text, cut so that no half of a secret is left at its end.

Half a key is still half a key, and no rule may know it by that half. So the rules look at a text
before it is cut, and at some of what follows the cut: a secret that begins before it is replaced as
a whole. Worked: `clone https://me:hunter2abc@host` cut to 24 characters is
`clone https://me:[secret`, not `clone https://me:hunter2`.
"""

import re

from agentdyno.records.secrets.quick_look import look

AHEAD = 600
"""Characters behind a cut that the rules see: longer than what gives a secret away."""
_OF_A_TOKEN = r"[^\s\"'`,;(){}<>|&\[\]]"
_GOES_ON = re.compile(_OF_A_TOKEN)
_LAST_TOKEN = re.compile(rf"{_OF_A_TOKEN}*\Z")


def clean_beginning(text: str, limit: int) -> str:
    """The first `limit` characters without secrets, or what becomes of them: a mark may be longer
    than what it stands for."""
    head = text[: limit + AHEAD]
    if not (looks := look(head)):
        return head[:limit]
    from agentdyno.records.secrets.redaction import find_spans, replace_spans

    spans = [span for span in find_spans(head, looks) if span.start < limit]
    end = max([min(limit, len(head)), *(span.end for span in spans[-1:])])
    return replace_spans(head[:end], spans)


def cut_text(text: str, limit: int) -> str:
    """The text, or its first `limit` characters at most, without secrets and without the token that
    the cut would go through, unless that fills most of them."""
    if len(text) <= limit:
        return text
    clean = clean_beginning(text, limit)
    head = clean[:limit]
    if clean == text[:limit] and _GOES_ON.match(text, limit) is None:
        return head
    complete = _LAST_TOKEN.sub("", head, count=1) if len(clean) >= limit else head
    return complete if len(complete) * 3 >= limit else head
