"""What a provider charges for a model call, in USD: the values and the arithmetic.

Takes a price and token counts, returns an amount, or None where a count or a rate is unknown. It
knows no model's name (`price_lookup` finds prices), no trajectories and no exchange rates.

cost = (uncached * input + cached * cached_input + written * cache_write + decoded * output) / 1e6
at the rates of the tier that served the call, of the length of its context and of its day. Tokens
written to be kept for an hour cost `cache_write_hour`, and each web search that the provider ran
for the model a thousandth of `web_search`. Where no price is listed for tokens written
to the cache, they cost the input price. Where none is listed for cached tokens, what they cost is
unknown: providers differ between a tenth of the input price and all of it.
Worked: claude-sonnet-4-5, 1,000 uncached, 10,000 cached, 2,000 written, 500 decoded:
0.003 + 0.003 + 0.0075 + 0.0075 = 0.021 USD.
"""

import math
from datetime import UTC, date, datetime, time
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

TOKENS_PER_PRICE = 1_000_000
SEARCHES_PER_PRICE = 1_000

Usd = Annotated[float, Meta(ge=0, le=1e6)]
Factor = Annotated[float, Meta(ge=0, le=100)]

BASE_TIERS = frozenset({"standard", "default", "auto", "on_demand", "standard_only"})
"""Names that providers give to the tier that list prices are for."""


class Rates(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """USD per million tokens."""

    input: Usd
    """A token of the prompt that was not read from the cache."""
    output: Usd
    """A decoded token, reasoning included."""
    cached_input: Usd | None = None
    """A token of the prompt read from the cache; None where no such price is listed."""
    cache_write: Usd | None = None
    """A token of the prompt written to the cache; None where writing is not charged apart."""
    cache_write_hour: Usd | None = None
    """A token written to be kept for an hour; None where that costs what any writing does."""


class LongContext(Rates, frozen=True, kw_only=True):
    """The rates of all tokens of a call whose context is longer than that."""

    above: Annotated[int, Meta(ge=0)]
    """Tokens of context, cached ones included, above which these rates hold."""


class BandedRates(Rates, frozen=True, kw_only=True):
    """Rates by the length of the context."""

    long_context: tuple[LongContext, ...] = ()
    """Rates of longer contexts, the shortest first."""
    web_search: Usd | None = None
    """USD of a thousand web searches that the provider ran for the model; None where not listed."""

    def bands(self) -> tuple[Rates, ...]:
        """The rates of a short context, then those of each longer sort."""
        return (self, *self.long_context)

    def at_length(self, context_tokens: float) -> Rates:
        """The rates of a call with so much context."""
        rates: Rates = self
        for band in self.long_context:
            if context_tokens > band.above:
                rates = band
        return rates


class Terms(BandedRates, frozen=True, kw_only=True):
    """Rates with the days, the hours and the service tiers that they hold for."""

    since: date | None = None
    """The first day that they hold on, in UTC; None when that is not known."""
    hours: tuple[time, time] | None = None
    """From when to when in a day (UTC), where a provider charges by the hour."""
    tiers: dict[str, Factor | BandedRates] = {}
    """The price of a call served in another tier: a factor, or rates of its own."""

    def in_tier(self, tier: str | None) -> BandedRates | None:
        """The rates of a service tier; None for one that the list does not name. A call at several
        terms (`priority+us`) has them all: rates of its own first, then every factor."""
        names = [name for name in (tier or "").lower().split("+") if name not in BASE_TIERS]
        tiers = [self.tiers.get(name) for name in names if name]
        own_rates = [tier_terms for tier_terms in tiers if isinstance(tier_terms, BandedRates)]
        if None in tiers or len(own_rates) > 1:
            return None
        rates: BandedRates = (
            structs.replace(own_rates[0], web_search=self.web_search) if own_rates else self
        )
        factor = math.prod(tier_terms for tier_terms in tiers if isinstance(tier_terms, float))
        return rates if factor == 1 else _multiply(rates, factor)

    def hold_at(self, moment: datetime) -> bool:
        """True when they hold on that day, at that hour."""
        if self.since is not None and moment.date() < self.since:
            return False
        if self.hours is None:
            return True
        begin, end = self.hours
        inside = begin <= moment.time() < end
        return inside if begin <= end else not end <= moment.time() < begin


class Price(Terms, frozen=True, kw_only=True):
    """One model's price as it holds at one time."""

    model: str
    """The name in the table."""
    as_of: date
    """A day on which this price was listed."""
    source: str = "user"
    """Whose price list it comes from."""
    aliases: tuple[str, ...] = ()
    """Other names that cost the same."""


def terms_of(price: Price) -> Terms:
    """A price without its name."""
    return Terms(**{field: getattr(price, field) for field in Terms.__struct_fields__})


class Tariff(Struct, frozen=True):
    model: str
    """The name in the table."""
    as_of: date
    """A day on which its prices were listed; calls without a time are billed as on that day."""
    source: str
    """Whose price list it comes from."""
    terms: tuple[Terms, ...]
    """At least one; the last that holds at a time is the price, or else the first."""

    def place_at(self, seconds: float | None) -> int | None:
        """Which of the terms hold at a time since 1970. For a call without a time it is those of
        the list's own day, or None where they depend on the hour."""
        moment = _moment(seconds)
        day = moment or datetime.combine(self.as_of, time())
        for index in reversed(range(len(self.terms))):
            terms = self.terms[index]
            if moment is None and terms.hours and structs.replace(terms, hours=None).hold_at(day):
                return None
            if terms.hold_at(day):
                return index
        return 0

    def price(self, seconds: float | None = None) -> Price | None:
        """The price at a time; None where the time decides and is not known."""
        index = self.place_at(seconds)
        if index is None:
            return None
        terms = self.terms[index]
        fields = {field: getattr(terms, field) for field in Terms.__struct_fields__}
        return Price(model=self.model, as_of=self.as_of, source=self.source, **fields)


def money(
    price: BandedRates | None,
    uncached_tokens: int | None,
    cached_tokens: int | None,
    cache_write_tokens: int | None,
    decode_tokens: int | None,
    hour_tokens: int | None = None,
    web_searches: int | None = None,
) -> float | None:
    """The cost of one model call in USD; None when the price or a count it rests on is unknown.

    `cached_tokens` and `cache_write_tokens` may be None: the provider then reported no such share,
    and all of the prompt is in `uncached_tokens`. `hour_tokens` are those of the written ones that
    are kept for an hour.
    """
    if price is None or uncached_tokens is None or decode_tokens is None:
        return None
    cached, written = cached_tokens or 0, cache_write_tokens or 0
    rates = price.at_length(uncached_tokens + cached + written)
    if (cached and rates.cached_input is None) or (web_searches and price.web_search is None):
        return None
    fresh, hit, write, out, longer = usd_per_million(rates)
    total = (
        uncached_tokens * fresh
        + (cached * hit if cached else 0.0)
        + written * write
        + (hour_tokens or 0) * longer
        + decode_tokens * out
    )
    searching = (web_searches or 0) * (price.web_search or 0.0) / SEARCHES_PER_PRICE
    return total / TOKENS_PER_PRICE + searching


def usd_per_million(rates: Rates) -> tuple[float, float, float, float, float]:
    """USD of a million uncached, cached, cache-writing and decoded tokens, and what written ones
    cost more when they are kept for an hour; NaN where no price is listed."""
    hit = math.nan if rates.cached_input is None else rates.cached_input
    write = rates.input if rates.cache_write is None else rates.cache_write
    hour = write if rates.cache_write_hour is None else rates.cache_write_hour
    return rates.input, hit, write, rates.output, hour - write


def _multiply(rates: BandedRates, factor: float) -> BandedRates:
    longer = [LongContext(above=band.above, **_scale(band, factor)) for band in rates.long_context]
    return BandedRates(
        long_context=tuple(longer), web_search=rates.web_search, **_scale(rates, factor)
    )


def _scale(rates: Rates, factor: float) -> dict[str, Any]:
    usd_rates = {field: getattr(rates, field) for field in Rates.__struct_fields__}
    return {field: None if rate is None else rate * factor for field, rate in usd_rates.items()}


def _moment(seconds: float | None) -> datetime | None:
    """A time since 1970 in UTC; None for what is none."""
    if seconds is None or math.isnan(seconds):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
    except (OverflowError, OSError, ValueError):
        return None
