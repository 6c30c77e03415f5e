"""How people put a question: the same request in seven registers.

Enters what is asked and about what, leaves the sentence. Names of things and of fields stay
intact in every register, typos included: the question must stay answerable.
"""

import re
from random import Random
from typing import Literal, get_args

Register = Literal["plain", "terse", "chatty", "anchored", "typos", "formal", "hurried"]
REGISTERS: tuple[Register, ...] = get_args(Register)
TRIES = 200

TEMPLATES: dict[Register, tuple[str, ...]] = {
    "plain": (
        "What is the {field} for {entity} right now?",
        "Can you tell me the current {field} for {entity}?",
        "Please look up the {field} for {entity}.",
        "I need the {field} for {entity} for {context}.",
    ),
    "terse": (
        "{entity}: {field}?",
        "{field}, {entity}",
        "{entity} {field} today?",
        "need {field} for {entity}",
    ),
    "chatty": (
        "Hi there! I'm putting together {context} and just noticed that I never wrote down the "
        "{field} for {entity}. Could you check that for me? Thanks a lot!",
        "Good morning, hope your day is calmer than mine. {asker} stopped me in the corridor and "
        "wanted the {field} for {entity}, and of course I had no idea. What does it say?",
        "So, long story, but {context} is due and the one thing missing is the {field} for "
        "{entity}. Would you mind pulling it up?",
        "Sorry to bother you with this again, I keep forgetting to look: what's the {field} for "
        "{entity} these days?",
    ),
    "anchored": (
        "I have {prior} in my notes as the {field} for {entity}. Is that what it says now?",
        "Pretty sure the {field} for {entity} is {prior}, but confirm it for {context}, please.",
        "{asker} says the {field} for {entity} is {prior}. Can you give me the actual figure?",
        "Last time I looked, the {field} for {entity} was {prior}. What is it at present?",
    ),
    "typos": (
        "could you please check the current {field} for {entity} before the meeting starts",
        "what would the {field} for {entity} be at this moment, writing from my phone",
        "hello, looking for the latest {field} for {entity}, thanks very much",
        "please send me the {field} for {entity} when you have a minute",
    ),
    "formal": (
        "For {context} we require the {field} for {entity} as presently recorded. Kindly state it.",
        "Would you please provide the {field} on record for {entity}?",
        "We should be grateful for the {field} for {entity} as it stands today.",
        "Kindly retrieve the {field} for {entity}; it will be quoted in {context}.",
    ),
    "hurried": (
        "quick one, on a call with {asker}: {field} for {entity}?",
        "Two minutes until {context}. {field} for {entity}, go.",
        "ASAP please: the {field} for {entity}. {asker} is waiting.",
        "No time to log in myself, what's {entity}'s entry for {field}?",
    ),
}


def ask(register: Register, chance: Random, asked: set[str], **filling: str) -> str:
    """The request in that register, in words that nobody has asked it in yet."""
    for _ in range(TRIES):
        text = _put(register, chance, **filling)
        if text not in asked:
            asked.add(text)
            return text
    raise ValueError(f"no way is left to ask for {filling['field']} in the register {register}")


def _put(register: Register, chance: Random, **filling: str) -> str:
    template = chance.choice(TEMPLATES[register])
    if register == "typos":
        template = misspelt(template, chance)
    text = template.format(**filling)
    if register in ("terse", "typos"):
        return text
    return _START.sub(lambda start: start[0].upper(), text)


_START = re.compile(r"(?:^|(?<=[a-z]{2}[.?!] ))[a-z]")
"""The beginning of a sentence."""


def misspelt(template: str, chance: Random) -> str:
    """Three slips of the fingers, none of them inside a placeholder."""
    words = template.split(" ")
    places = [i for i, word in enumerate(words) if len(word) > 3 and "{" not in word]
    for place in chance.sample(places, min(3, len(places))):
        words[place] = _slip(words[place], chance)
    return " ".join(words)


def _slip(word: str, chance: Random) -> str:
    at = chance.randrange(1, len(word) - 2) if len(word) > 3 else 1
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    dropped = word[:at] + word[at + 1 :]
    doubled = word[:at] + word[at] + word[at:]
    slips = [slip for slip in (swapped, dropped, doubled) if slip != word]
    return chance.choice(slips)


CONCEPT_TEMPLATES = (
    "Can you explain {term}?",
    "what does {term} mean, in simple words",
    "Explain {term} to someone new to the field.",
    "I keep hearing about {term}. What is behind it?",
    "For a short training I have to explain {term}. How would you put it?",
    "give me the idea of {term} in two sentences",
    "In general terms, please describe {term}.",
    "My niece asked me about {term} and I made a mess of it. How does one explain that?",
)
PAIR_TEMPLATES = (
    "What is the difference between {first} and {second}?",
    "how do i tell {first} and {second} apart",
    "Explain {first} as against {second}.",
    "I always mix up {first} and {second}. Which is which?",
)
