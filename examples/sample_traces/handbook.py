"""The shop's handbook: one rule that matters, and, in the full suite, everything around it."""

import random
from typing import Any

_RULES = {
    "damaged goods": "What arrives damaged is paid back in full, {item} included, within 60 days.",
    "warranty": "Zips, poles and buckles of the {item} are covered for {years} years.",
    "price promise": "A lower price within 14 days is paid back when the customer asks for it.",
}

_SUBJECTS = ["The depot", "A courier", "The night shift", "Our workshop", "The front desk",
             "A seasonal clerk", "The bookkeeper", "The returns bench"]  # fmt: skip
_VERBS = ["files", "labels", "weighs", "photographs", "rejects", "forwards", "repacks", "audits"]
_OBJECTS = ["oversize cartons", "loose spare rods", "fuel canisters", "rental saddles",
            "unclaimed vouchers", "bulk invoices", "demo tarpaulins",
            "wholesale pallets"]  # fmt: skip
_ENDS = ["before the quarterly count", "when a supervisor signs form {n}",
         "unless bay {n} is locked", "with code {n} on the slip", "after {n} working hours",
         "and tells the registry on line {n}"]  # fmt: skip


def snippet(topic: str, facts: dict[str, Any]) -> str:
    """The rule alone."""
    return _RULES[topic].format(**facts)


def article(topic: str, facts: dict[str, Any]) -> str:
    """The rule in the middle of a chapter of other rules."""
    rng = random.Random(f"handbook {topic}")
    sentences = _SENTENCES.get(topic, 125)
    lines = [_filler(rng, number) for number in range(sentences)]
    lines.insert(sentences // 3, f"§ {topic}: {snippet(topic, facts)}")
    return f"Handbook, chapter on {topic}\n" + "\n".join(lines)


_SENTENCES = {"price promise": 20}


def _filler(rng: random.Random, number: int) -> str:
    end = rng.choice(_ENDS).format(n=rng.randint(200, 9000))
    return (
        f"{number + 1}. {rng.choice(_SUBJECTS)} {rng.choice(_VERBS)} {rng.choice(_OBJECTS)} {end}."
    )
