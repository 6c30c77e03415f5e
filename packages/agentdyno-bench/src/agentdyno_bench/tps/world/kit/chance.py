"""Everything random in the world: from the seed and a key, never from a clock or an order of calls.

The same seed and key give the same numbers in every process, so two servers agree about a city
and a call repeated after a restart gives the same booking number.
"""

import random
from hashlib import blake2b

_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


def chance(seed: int, *key: object) -> random.Random:
    """A generator of its own for this key."""
    return random.Random(_digest(seed, key))


def share(seed: int, *key: object) -> float:
    """A number from 0 to below 1 for this key; cheaper than a generator."""
    return _digest(seed, key) / 2**64


def reference(prefix: str, seed: int, *key: object) -> str:
    """An identifier as services print them, the same whenever the key is the same."""
    number = _digest(seed, key)
    letters = "".join(_LETTERS[(number >> (5 * index)) & 31] for index in range(6))
    return f"{prefix}-{letters}"


def _digest(seed: int, key: tuple[object, ...]) -> int:
    text = "\x1f".join([str(seed), *map(str, key)])
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
