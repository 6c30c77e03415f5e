"""Token counts with their source. A number without its source cannot be compared with another."""

from typing import Literal

from msgspec import Struct

TokenSource = Literal["reported", "counted", "estimated", "scaled"]
"""`reported` by the provider · `counted` with the model family's own vocabulary · `estimated` from
another vocabulary or from length · `scaled`: split by length so that the sum is as reported."""


class TokenCount(Struct, frozen=True, gc=False):
    """A number of tokens with its source."""

    tokens: int
    """How many; never negative."""
    source: TokenSource
    """Where the number comes from."""


def read_reported(tokens: int | None) -> TokenCount | None:
    """The provider's own figure, or None where it gave none."""
    return None if tokens is None else TokenCount(tokens, "reported")
