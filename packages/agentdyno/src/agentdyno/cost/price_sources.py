"""Reads the price lists of others: LiteLLM's table and genai-prices, as JSON or inside a wheel.

Takes the bytes of a file that somebody gave, which may hold anything; returns the prices in it and
the rows that could not be read, each with its name and the reason. Python source in a wheel is
parsed and never run.
"""

import ast
import io
import math
import re
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.cost.prices import Terms
from agentdyno.records import InputError, printable

LARGEST_BYTES = 64_000_000
LONGEST_NAME = 200
_RATES = {
    "input_cost_per_token": "input",
    "output_cost_per_token": "output",
    "cache_read_input_token_cost": "cached_input",
    "cache_creation_input_token_cost": "cache_write",
    "cache_creation_input_token_cost_above_1hr": "cache_write_hour",
}
_TIERS = {"_batches": "batch", "_priority": "priority", "_flex": "flex"}
_GENAI_RATES = {
    "input_mtok": "input",
    "output_mtok": "output",
    "cache_read_mtok": "cached_input",
    "cache_write_mtok": "cache_write",
    "cache_write_1h_mtok": "cache_write_hour",
}
_LITELLM_TABLE = "model_prices_and_context_window_backup.json"
_GENAI_DATA = "genai_prices/data.py"


class ListedPrice(Struct, frozen=True):
    """What a list says of one model."""

    name: str
    """The name that the list has for it, with its seller before it where that is not its maker."""
    terms: Terms


class PriceList(Struct, frozen=True):
    """A list of somebody else's."""

    library: str
    """`litellm` or `genai-prices`."""
    version: str | None
    """Of the wheel it came in; None for a bare file."""
    prices: tuple[ListedPrice, ...]
    """Models that are charged by tokens of text."""
    bad: dict[str, str]
    """Rows that could not be read, with the reason."""


def read_price_list(name: str, data: bytes) -> PriceList:
    """The prices in a file; `InputError` where it is no list of prices."""
    where = printable(name, 120)
    if len(data) > LARGEST_BYTES:
        raise InputError(f"{where}: expected a price list under 64 MB, found a larger file.")
    version = None
    try:
        if data[:2] == b"PK":
            version, data = _unpack(name, data)
        decoded = _parse_source(data) if data[:1] in b"\"#'f" else msgspec.json.decode(data)
    except (
        msgspec.DecodeError,
        SyntaxError,
        ValueError,
        RecursionError,
        zipfile.BadZipFile,
    ) as error:
        raise InputError(
            f"{where}: expected LiteLLM's or genai-prices' list as JSON or in a wheel, found "
            f"something else: {printable(str(error), 100)}."
        ) from error
    providers = decoded.get("providers") if isinstance(decoded, dict) else decoded
    if isinstance(providers, list) and all(map(_is_genai, providers)):
        return _collect("genai-prices", version, _genai_rows(providers))
    if isinstance(decoded, dict) and any(_is_litellm(row) for row in decoded.values()):
        return _collect("litellm", version, _litellm_rows(decoded))
    raise InputError(
        f"{where}: expected models with `input_cost_per_token` (LiteLLM) or providers with models "
        "(genai-prices), found neither."
    )


def _unpack(name: str, data: bytes) -> tuple[str | None, bytes]:
    """A wheel's version and the file in it that has the prices."""
    found = re.search(r"(?:litellm|genai_prices)-([0-9][^-]*)-", name)
    with zipfile.ZipFile(io.BytesIO(data)) as wheel:
        inside = next(
            (i for i in wheel.infolist() if i.filename.endswith((_LITELLM_TABLE, _GENAI_DATA))),
            None,
        )
        if inside is None or inside.file_size > LARGEST_BYTES:
            raise ValueError(f"no {_LITELLM_TABLE} or {_GENAI_DATA} in the wheel")
        return found and found[1], wheel.read(inside)


def _collect(
    library: str, version: str | None, rows: Iterator[tuple[str, Callable[[], dict[str, Any]]]]
) -> PriceList:
    prices, bad = list[ListedPrice](), dict[str, str]()
    for name, read in rows:
        try:
            if not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
                raise ValueError("expected a name of up to 200 printable characters")
            prices.append(ListedPrice(name, msgspec.convert(read(), Terms)))
        except (msgspec.ValidationError, ValueError, TypeError, KeyError, AttributeError) as error:
            bad[printable(name, 60)] = printable(str(error) or type(error).__name__, 120)
    return PriceList(library, version, tuple(prices), bad)


# LiteLLM ------------------------------------------------------------------------------------------


def _is_litellm(row: Any) -> bool:
    return isinstance(row, dict) and "input_cost_per_token" in row


def _litellm_rows(table: dict[str, Any]) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    for name, row in table.items():
        # The table describes itself in a row called `sample_spec`.
        if _is_litellm(row) and row.get("mode") in ("chat", "responses") and name != "sample_spec":
            seller = row.get("litellm_provider")
            has_seller = "/" in name or seller in (
                None,
                "openai",
                "anthropic",
                "text-completion-openai",
            )
            full = name if has_seller or str(seller).startswith("bedrock") else f"{seller}/{name}"
            yield full, partial(_litellm_terms, row)


def _litellm_terms(row: dict[str, Any]) -> dict[str, Any]:
    terms = _per_million(row, "")
    longer = sorted(
        {int(k[1]) for key in row if (k := re.search(r"token_above_(\d+)k_tokens$", key))}
    )
    bands = [terms | _per_million(row, f"_above_{k}k_tokens") | {"above": k * 1000} for k in longer]
    tiers: dict[str, Any] = {}
    for end, tier in _TIERS.items():
        own = _per_million(row, end)
        if "input" in own and terms["input"]:
            share = own["input"] / terms["input"]
            # One factor where it is one: not every rate is listed by tier.
            same = all(math.isclose(own[k], terms.get(k, 0) * share, rel_tol=1e-3) for k in own)
            tiers[tier] = round(share, 6) if same else terms | own
    factors = row.get("provider_specific_entry") or {}
    tiers |= {tier: float(factors[tier]) for tier in ("us", "fast") if tier in factors}
    search = (row.get("search_context_cost_per_query") or {}).get("search_context_size_medium")
    found = terms | {"long_context": bands, "tiers": tiers}
    return found if search is None else found | {"web_search": _rounded(search, 1e3)}


def _per_million(row: dict[str, Any], end: str) -> dict[str, float]:
    return {
        ours: _rounded(row[name], 1e6)
        for theirs, ours in _RATES.items()
        if row.get(name := theirs + end) is not None
    }


def _rounded(value: Any, times: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"expected a number, found {value!r}")
    return round(value * times, 9)


# genai-prices -------------------------------------------------------------------------------------


def _is_genai(provider: Any) -> bool:
    models = provider.get("models") if isinstance(provider, dict) else None
    named = isinstance(models, list) and isinstance(provider.get("id"), str)
    return named and all(isinstance(m, dict) and isinstance(m.get("id"), str) for m in models or ())


def _genai_rows(providers: list[Any]) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    for provider in providers:
        for model in provider["models"]:
            name = f"{provider['id']}/{model['id']}"
            prices = _current(model.get("prices"))
            if isinstance(prices, dict) and {"input_mtok", "output_mtok"} <= prices.keys():
                yield name, partial(_genai_terms, prices)


def _current(prices: Any) -> Any:
    """Of prices over time those of today, at the hours that no other price is for."""
    if not isinstance(prices, list):
        return prices
    today, found = date.today().isoformat(), None
    for one in prices:
        limit = one.get("constraint") if isinstance(one, dict) else {"start_time": None}
        limit = limit if isinstance(limit, dict) else {}
        if "start_time" not in limit and str(limit.get("start_date", "")) <= today:
            found = one.get("prices")
    return found


def _genai_terms(prices: dict[str, Any]) -> dict[str, Any]:
    rates = {ours: prices[theirs] for theirs, ours in _GENAI_RATES.items() if theirs in prices}
    starts = sorted({t["start"] for r in rates.values() if isinstance(r, dict) for t in r["tiers"]})
    bands = [{"above": at} | {k: _at_length(r, at + 1) for k, r in rates.items()} for at in starts]
    search = prices.get("web_searches_kcount")
    found = {key: _at_length(rate, 0) for key, rate in rates.items()} | {"long_context": bands}
    return found if search is None else found | {"web_search": float(search)}


def _at_length(rate: Any, tokens: int) -> float:
    if not isinstance(rate, dict):
        return float(rate)
    reached = [tier["price"] for tier in rate["tiers"] if tokens > tier["start"]]
    return float(reached[-1] if reached else rate["base"])


def _parse_source(data: bytes) -> Any:
    """`providers` of genai-prices' `data.py`: calls with named values become tables of these."""
    for node in ast.parse(data).body:
        if isinstance(node, ast.AnnAssign | ast.Assign):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name) and target.id == "providers":
                return _value_of(node.value)
    raise ValueError("no `providers` in it")


def _value_of(node: ast.AST | None) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.List() | ast.Tuple():
            return [_value_of(each) for each in node.elts]
        case ast.Dict():
            return {_value_of(k): _value_of(v) for k, v in zip(node.keys, node.values, strict=True)}
        case ast.Call(args=[ast.Constant() as only], keywords=[]):
            return only.value
        case ast.Call(args=[ast.Constant(), *_] as numbers, keywords=[]):
            return "-".join(f"{_value_of(each):02}" for each in numbers)
        case ast.Call():
            return {each.arg: _value_of(each.value) for each in node.keywords}
    return None
