"""The same conversation with other names for its tools, so that names are read and not remembered.

Takes a conversation, returns one in which every tool on offer has another name, in the list and in
the calls alike; descriptions, arguments and results stay. An agent that has seen many names for one
service reads the list, and so finds its way with services that it has never met.
"""

import random
import re

import msgspec

from agentdyno_depth.engines.chat import ChatMessage
from agentdyno_train.plans import Conversation

VERBS = ("get", "fetch", "do", "run", "query", "request", "use")
_LISTED = re.compile(r"^(\w+)(?=\()", re.MULTILINE)
_CALLED = re.compile(r'(?<=^\{"name": ")(\w+)(?=")', re.MULTILINE)


def aliased(talk: Conversation, rng: random.Random) -> Conversation:
    """The conversation with other names, chosen anew for each."""
    names = dict.fromkeys(_LISTED.findall(talk.messages[0].text))
    taken: set[str] = set()
    for name in names:
        names[name] = _unique(_alias(name, rng), taken)
    return msgspec.structs.replace(
        talk, messages=[_renamed(message, names) for message in talk.messages]
    )


def _renamed(message: ChatMessage, names: dict[str, str | None]) -> ChatMessage:
    pattern = {"system": _LISTED, "assistant": _CALLED}.get(message.role)
    if pattern is None:
        return message
    text = pattern.sub(lambda found: names.get(found[1]) or found[1], message.text)
    return msgspec.structs.replace(message, text=text)


def _alias(name: str, rng: random.Random) -> str:
    server, _, own = name.partition("_")
    words = own.split("_")
    camel = words[0] + "".join(word.title() for word in words[1:])
    number = rng.randint(2, 9)
    return rng.choice(
        (own, f"{own}_{server}", f"{rng.choice(VERBS)}_{own}", camel, f"{server}{number}_{own}",
         "_".join(reversed(words)), f"{rng.choice(VERBS)}{camel[:1].upper()}{camel[1:]}")
    )  # fmt: skip


def _unique(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name
