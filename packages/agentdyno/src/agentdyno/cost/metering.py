"""The numbers of a batch of trajectories: tokens, gammas, costs and shares, as arrays.

Takes trajectories and a `Meter`, returns a `Batch`, which `tables` lays out for the ledger.
"""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct, structs

from agentdyno.cost.attribution import Shares, attribute
from agentdyno.cost.columns import (
    Columns,
    Floats,
    Ints,
    Joined,
    flatten_rows,
    floats,
    whose,
)
from agentdyno.cost.gamma import Gamma, gammas_by_turn
from agentdyno.cost.money_shares import Bill, MoneyShares, attribute_money
from agentdyno.cost.neighbours import CacheUse, fill_from_neighbours
from agentdyno.cost.prices import (
    SEARCHES_PER_PRICE,
    TOKENS_PER_PRICE,
    BandedRates,
    Tariff,
    usd_per_million,
)
from agentdyno.cost.pte import (
    CACHE_ASSUMPTIONS,
    DEFAULT_CACHE,
    CacheAssumption,
    TurnCosts,
    cost_turns,
)
from agentdyno.cost.split import Split, split_tokens
from agentdyno.cost.token_calibration import UNCALIBRATED, Calibration
from agentdyno.records import TokenCount

SOURCES = ("reported", "scaled", "counted", "estimated")
"""From the most certain to the least."""


class Engine(Struct, frozen=True):
    """The engine whose prices and gamma give the cost of a model's tokens."""

    architecture: str
    """Name of the architecture that gamma was computed from."""
    gamma: Gamma
    """Cost of reading the cache."""
    tariff: Tariff | None
    """Money per token, over time; None where unpriced."""


class Meter(Struct, frozen=True):
    """Everything that turns tokens into cost."""

    engine: Callable[[str | None], Engine]
    """The engine of a model."""
    count: Callable[[str | None, Sequence[str]], Sequence[int]]
    """Tokens of each of some texts, by the vocabulary of a model."""
    count_source: Callable[[str | None], str]
    """`counted` or `estimated`: how far that count can be trusted for the model."""
    cache: CacheAssumption = DEFAULT_CACHE
    exact: bool = False
    """Count texts even where totals are reported."""
    calibrate: Callable[[str | None], Calibration | None] = lambda model: None
    """How a model's counted tokens become an estimate of its own."""


class Batch:
    """The numbers of one batch, computed once."""

    def __init__(self, rows: Joined, meter: Meter) -> None:
        self.items, self.rows, self.meter = rows.items, rows, meter
        self.columns: Columns = flatten_rows(
            rows, meter.count, meter.exact, meter.calibrate, meter.count_source
        )
        self.split: Split = split_tokens(self.columns)
        self.models = _turn_models(self.rows)
        self.cache = _use_cache(self.rows, self.columns, self.split.context, self.models)
        self.columns = structs.replace(self.columns, cached=self.cache.read)
        self.engines = {model: meter.engine(model) for model in set(self.models)}
        gammas = {model: engine.gamma for model, engine in self.engines.items()}
        self.gammas = gammas_by_turn(self.models, gammas)
        self.gamma = self.gammas.effective(self.split.context)
        self.costs: dict[CacheAssumption, TurnCosts] = {
            a: cost_turns(self.columns, self.split, self.gammas, a)
            for a in {*CACHE_ASSUMPTIONS, meter.cache}
        }
        self.shares: Shares = attribute(self.columns, self.split, self.gammas, meter.cache)
        self.sources = _turn_sources(self.rows, meter)
        self.bill: Bill = list_bill(
            self.models,
            self.engines,
            _sum_billed(self.rows, self.cache),
            self.split.context,
            self.split.decode,
        )
        self.list_usd = self.bill.total
        self.money: MoneyShares = attribute_money(self.columns, self.split, self.bill)
        self.reported_usd = floats(self.rows.turns.column("reported_usd"))
        self.usd = np.where(np.isnan(self.list_usd), self.reported_usd, self.list_usd)

    def decode_errors(self) -> tuple[Floats, Floats, Floats]:
        """Per turn whose decode was not reported: the factor on what was counted, how far one such
        estimate is off, and how far all of them are off together; NaN for the others."""
        is_reported = ~np.isnan(self.columns.decode)
        if is_reported.all():
            nothing = np.full(len(is_reported), np.nan)
            return nothing, nothing, nothing
        counted = np.where(self.columns.bare_decode > 0, self.columns.bare_decode, np.nan)
        rules = {model: _error_of(model, self.meter) for model in set(self.models)}
        errors = np.array([rules[model] for model in self.models]).reshape(-1, 2).T
        factor = self.split.decode / counted
        return tuple(np.where(is_reported, np.nan, v) for v in (factor, *errors))  # type: ignore[return-value]

    def by_trajectory(self, per_turn: Floats) -> Floats:
        """Sums over turns; unknown when any turn is."""
        sums = np.bincount(self.columns.turn_trajectory, per_turn, len(self.items))
        return sums.astype(np.float64)


def _error_of(model: str | None, meter: Meter) -> tuple[float, float]:
    rule = meter.calibrate(model)
    return (rule.spread, rule.bias) if rule else UNCALIBRATED[meter.count_source(model)]


def _turn_models(rows: Joined) -> list[str | None]:
    by_trajectory = [t.model for t in rows.items]
    models, owners = rows.turns.column("model"), whose(rows.first_turn).tolist()
    return [model or by_trajectory[owner] for model, owner in zip(models, owners, strict=True)]


def _turn_sources(rows: Joined, meter: Meter) -> tuple[Ints, Ints, Ints]:
    codes = [_CODE[meter.count_source(t.model)] for t in rows.items]
    counted = np.array(codes, dtype=np.int64)[whose(rows.first_turn)]
    prefill = _source_codes(rows.prefill, counted)
    decode = _source_codes(rows.decode, counted)
    return prefill, decode, np.maximum(prefill, decode)


_CODE: dict[str, int] = {source: code for code, source in enumerate(SOURCES)}
_UNSAID = -1


def _source_codes(reported: list[TokenCount | None], counted: Ints) -> Ints:
    codes = [_UNSAID if count is None else _CODE[count.source] for count in reported]
    reported_codes = np.array(codes, dtype=np.int64)
    return np.where(reported_codes == _UNSAID, counted, reported_codes)


class Billed(Struct, frozen=True):
    """Everything that a bill depends on besides the tokens in and out; by turn."""

    cached: Floats
    """Tokens read from the cache; 0 where none are reported."""
    written: Floats
    """Tokens written to it."""
    hour: Floats
    """Those of them that are kept for an hour."""
    tiers: list[str | None]
    searches: Floats
    """Web searches that are charged for."""
    times: Floats
    """When the call was sent, or else answered, in seconds since 1970; NaN when unknown."""


def _use_cache(
    rows: Joined, columns: Columns, context: Floats, models: list[str | None]
) -> CacheUse:
    turns = rows.turns
    reported = CacheUse(
        columns.cached,
        floats(turns.column("cache_write_tokens")),
        floats(turns.column("cache_write_hour_tokens")),
    )
    return fill_from_neighbours(reported, columns, context, models)


def _sum_billed(rows: Joined, cache: CacheUse) -> Billed:
    turns = rows.turns
    return Billed(
        cached=np.nan_to_num(cache.read),
        written=np.nan_to_num(cache.written),
        hour=np.nan_to_num(cache.hour),
        tiers=turns.column("service_tier"),
        searches=np.nan_to_num(floats(turns.column("web_searches"))),
        times=find_billing_times(
            floats(turns.column("started_at")), floats(turns.column("ended_at"))
        ),
    )


def find_billing_times(started: Floats, ended: Floats) -> Floats:
    """The times whose prices hold."""
    return np.where(np.isnan(started), ended, started)


class Prices(Struct, frozen=True):
    """Per turn: USD of one token; NaN where no price is listed."""

    fresh: Floats
    """Neither read from the cache nor written to it."""
    read: Floats
    """Read from the cache."""
    write: Floats
    """Written to the cache for the usual time."""
    decoded: Floats
    hour: Floats
    """Surcharge of a written token that is kept for an hour."""
    search: Floats
    """USD of a web search."""


def list_prices(
    models: list[str | None],
    engines: dict[str | None, Engine],
    billed: Billed,
    context: Floats,
) -> Prices:
    """The prices of every turn, by the list of its day, its tier and the length of its context."""
    lists, index = _price_lists(models, engines, billed)
    rows = [row for rates in lists for row in _usd_per_token(rates)]
    first = np.cumsum([0, *(1 + len(starts) for starts in map(_band_starts, lists))])
    row_index = first[index] + _bands(lists, index, context)
    return Prices(*np.array(rows).reshape(-1, 6)[row_index].T)


def list_bill(
    models: list[str | None],
    engines: dict[str | None, Engine],
    billed: Billed,
    context: Floats,
    decode: Floats,
) -> Bill:
    """Money of every turn by the price list of its day; unknown where its model, its tier or what
    it read from the cache is unpriced. Longer contexts may have prices of their own."""
    price = list_prices(models, engines, billed, context)
    cached, written = billed.cached, billed.written
    return Bill(
        cached=cached,
        written=written,
        usd_input=np.maximum(context - cached - written, 0.0) * price.fresh,
        # Without a cached price only what was read from the cache has an unknown one.
        usd_read=np.where(cached > 0, cached * price.read, 0.0),
        usd_write=written * price.write + billed.hour * price.hour,
        usd_output=decode * price.decoded
        + np.where(billed.searches > 0, billed.searches * price.search, 0.0),
    )


def _price_lists(
    models: list[str | None], engines: dict[str | None, Engine], billed: Billed
) -> tuple[list[BandedRates | None], Ints]:
    """The rates that hold for some turn, and which of them each turn has."""
    pairs = list(zip(models, billed.tiers, strict=True))
    codes_of_pairs = {pair: position for position, pair in enumerate(dict.fromkeys(pairs))}
    codes = np.fromiter(map(codes_of_pairs.__getitem__, pairs), np.int64, len(pairs))
    tariffs = [engines[model].tariff for model, _ in codes_of_pairs]
    # Turns have few models, tiers and days: rates are looked up once for each of these.
    moments, moment = np.unique(_find_moments(tariffs, codes, billed.times), return_inverse=True)
    keys, index = np.unique(codes * len(moments) + moment, return_inverse=True)
    tiers = [tier for _, tier in codes_of_pairs]
    lists = [
        _rates_at(tariffs[code], tiers[code], float(moments[position]))
        for code, position in (divmod(key, len(moments)) for key in keys.tolist())
    ]
    return lists, index.astype(np.int64)


_DAY = 86_400.0


_UNKNOWN, _ALWAYS = -np.inf, np.inf
"""Moments of turns without a time, and of those whose terms never change."""


def _find_moments(tariffs: list[Tariff | None], codes: Ints, times: Floats) -> Floats:
    """For each turn a moment at which its terms hold: most change from one day to another."""
    if not any(tariff and len(tariff.terms) > 1 for tariff in tariffs):
        return np.full(len(codes), _ALWAYS)
    by_hour = np.array([any(terms.hours for terms in t.terms) if t else False for t in tariffs])
    moments = np.where(by_hour[codes], times, times // _DAY * _DAY)
    return np.where(np.isfinite(moments), moments, _UNKNOWN)


def _rates_at(tariff: Tariff | None, tier: str | None, moment: float) -> BandedRates | None:
    if tariff is None:
        return None
    index = 0 if moment == _ALWAYS else tariff.place_at(None if moment == _UNKNOWN else moment)
    return None if index is None else tariff.terms[index].in_tier(tier)


def _band_starts(rates: BandedRates | None) -> list[int]:
    return [band.above for band in rates.long_context] if rates else []


def _bands(lists: list[BandedRates | None], index: Ints, context: Floats) -> Ints:
    """How many of the lengths that its price list distinguishes each turn's context exceeds."""
    starts = [_band_starts(rates) for rates in lists]
    most = max(map(len, starts), default=0)
    edges = np.array(
        [[*edges_of_list, *[np.inf] * (most - len(edges_of_list))] for edges_of_list in starts]
    )
    exceeded: Ints = (context[:, None] > edges.reshape(len(lists), most)[index]).sum(axis=1)
    return exceeded


def _usd_per_token(rates: BandedRates | None) -> list[list[float]]:
    """USD per uncached, cached, cache-writing and generated token, what a written one costs more
    when it is kept for an hour, and per search, by length of context; unknown without a price."""
    if rates is None:
        return [[np.nan] * 6]
    search = np.nan if rates.web_search is None else rates.web_search / SEARCHES_PER_PRICE
    return [
        [*(usd / TOKENS_PER_PRICE for usd in usd_per_million(band)), search]
        for band in rates.bands()
    ]
