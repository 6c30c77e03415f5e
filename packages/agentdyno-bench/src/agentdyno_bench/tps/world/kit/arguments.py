"""Arguments that many tools take, each with the sentence that their schemas show."""

from typing import Annotated

from msgspec import Meta

City = Annotated[str, Meta(description="City name in English, for example 'Lisbon'.")]
Day = Annotated[str, Meta(description="Date as YYYY-MM-DD.")]
Moment = Annotated[str, Meta(description="Local date and time as YYYY-MM-DDTHH:MM.")]
Limit = Annotated[int, Meta(description="How many results at most.", ge=1, le=50)]
Query = Annotated[str, Meta(description="Words to look for.", min_length=1, max_length=300)]
Amount = Annotated[float, Meta(description="An amount of money or a quantity.")]
Currency = Annotated[str, Meta(description="Three-letter currency code, for example 'EUR'.")]


def note(text: str) -> Meta:
    """A sentence for one argument: `Annotated[str, note("…")]`."""
    return Meta(description=text)
