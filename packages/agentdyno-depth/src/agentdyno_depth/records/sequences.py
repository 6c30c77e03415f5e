"""Token ids that a model really saw and wrote, never recreated from text.

Every way to a depth goes through this record: texts, generated responses, the turns of a ledger, a
server's samples. Text is not the same thing: decoded and encoded again, an end token becomes
letters and pieces of words join otherwise. Equal after a round trip through JSON.
"""

from msgspec import Struct

IDS = "token ids"
"""The template of a prompt that came as ids: only its author knows it."""


class TokenSequence(Struct, frozen=True):
    """A prompt and what was generated after it."""

    prompt: tuple[int, ...]
    """Token ids that were given; at least one, for the first generated token is predicted there."""
    response: tuple[int, ...]
    """Token ids that were generated, an end token included."""
    end: int | None = None
    """The end token that closes the response; None when it was cut off or is unknown."""
    template: str = IDS
    """How the prompt was made: the chat template with its fingerprint, plain text, or ids."""
