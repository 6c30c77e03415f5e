"""Writes the bundled price data from an installed `genai-prices`, which AgentDyno does not need.

    pip install genai-prices && python bench/price_snapshot.py

Kept are models with a price per token of text in and out; each has its names, its prices over time,
those of long contexts, of service tiers and of fast mode, and of a web search. Left out is what a
count of tokens does not price: audio, images, pages, other fees per request, and thinking that
costs more than other output. The data says its version, its day and its licence.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from genai_prices.data import providers  # type: ignore[import-not-found]

TARGET = Path(__file__).parents[1] / "packages/agentdyno/src/agentdyno/cost/data/genai_prices.json"
RATES = {
    "input_mtok": "input",
    "output_mtok": "output",
    "cache_read_mtok": "cached_input",
    "cache_write_mtok": "cache_write",
    "cache_write_1h_mtok": "cache_write_hour",
}
NOT_BY_TEXT = {
    "output_audio_mtok", "output_image_mtok", "output_video_mtok", "output_reasoning_mtok",
    "output_citation_mtok", "requests_kcount", "audio_hours", "input_audio_hours", "input_mchars",
    "input_document_kpages", "input_text_messages_kcount",
}  # fmt: skip
OTHER_MODALITY = re.compile(
    r"audio|realtime|image|tts|transcri|live|ocr|embed|whisper|moderation|speech|rerank|sonic|voxtral"
)
THINKING_COSTS_MORE = {("google", "gemini-2.5-flash-preview")}
"""3.50 a million for output with thinking, which the data does not have."""
TIERS = {"processing", "service_tier", "speed"}
ALWAYS = date.min


def main() -> None:
    package = distribution("genai-prices")
    licence = next(file for file in package.files or () if file.name == "LICENSE")
    head = {
        "package": "genai-prices",
        "version": package.version,
        "url": "https://github.com/pydantic/genai-prices",
        "taken": datetime.now(UTC).date().isoformat(),
        "licence": licence.read_text(),
    }
    found = {p.id: rows for p in providers if (rows := list(models(p)))}
    falls_back = {p.id: p.fallback_model_providers for p in providers if p.fallback_model_providers}
    lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    lines.append(f' "falls_back": {json.dumps(falls_back)},\n "providers": {{')
    blocks = [
        f"  {json.dumps(name)}: [\n" + ",\n".join("   " + json.dumps(row) for row in rows) + "\n  ]"
        for name, rows in found.items()
    ]
    TARGET.write_text("{\n" + "\n".join(lines) + "\n" + ",\n".join(blocks) + "\n }\n}\n")
    print(f"{sum(map(len, found.values()))} models of {len(found)} providers: {TARGET}")


def models(provider: Any) -> Iterator[dict[str, Any]]:
    """What is kept of a provider."""
    for model in provider.models:
        if OTHER_MODALITY.search(model.id) or (provider.id, model.id) in THINKING_COSTS_MORE:
            continue
        periods = list(prices_over_time(model))
        if periods and all(periods):
            names, stems = names_of(model.match)
            row = {"id": model.id, "names": sorted(names - {model.id}), "stems": sorted(stems)}
            yield {key: value for key, value in row.items() if value} | {"prices": periods}


def names_of(clause: Any) -> tuple[set[str], set[str]]:
    """Names that are the model's, and beginnings of names that are. Patterns only add dates."""
    names: set[str] = set()
    stems: set[str] = set()
    for key, value in vars(clause).items():
        if key in ("or_", "and_"):
            for inner in value:
                more, beginnings = names_of(inner)
                names, stems = names | more, stems | beginnings
        elif key == "equals":
            names.add(value)
        elif key in ("starts_with", "contains", "ends_with"):
            stems.add(value)
    return names, stems


def prices_over_time(model: Any) -> Iterator[dict[str, Any] | None]:
    """Later ones go before earlier ones; None for what text alone does not price."""
    given = model.prices if isinstance(model.prices, list) else [Always(model.prices)]
    begins = [getattr(one.constraint, "start_date", ALWAYS) for one in given]
    for place, one in enumerate(given):
        rates = rates_of(one.prices, model.id)
        if rates is None:
            yield None
            continue
        ends = min((day for day in begins[place + 1 :] if day > begins[place]), default=date.max)
        when = {} if begins[place] == ALWAYS else {"since": begins[place].isoformat()}
        if start := getattr(one.constraint, "start_time", None):
            when["hours"] = [start.isoformat()[:8], one.constraint.end_time.isoformat()[:8]]
        tiers = tiers_of(model, one.prices, ends)
        yield when | rates | ({"tiers": tiers} if tiers else {})


class Always:
    """A price without a condition, in the form of one with it."""

    constraint = None

    def __init__(self, prices: Any) -> None:
        self.prices = prices


def rates_of(prices: Any, name: str) -> dict[str, Any] | None:
    """USD per million tokens, with those of long contexts; None where text does not decide."""
    given = {key: value for key, value in vars(prices).items() if value is not None}
    if not given and name.endswith(":free"):
        return {"input": 0.0, "output": 0.0, "cached_input": 0.0}
    if NOT_BY_TEXT & given.keys() or not {"input_mtok", "output_mtok"} <= given.keys():
        return None
    rates = banded({ours: given[theirs] for theirs, ours in RATES.items() if theirs in given})
    searches = prices.web_searches_kcount
    return rates | ({} if searches is None else {"web_search": float(searches)})


def banded(rates: dict[str, Any]) -> dict[str, Any]:
    """The rates of short contexts, and those of each longer sort."""
    starts = sorted({tier.start for rate in rates.values() for tier in getattr(rate, "tiers", ())})
    base: dict[str, Any] = {key: at(rate, 0) for key, rate in rates.items()}
    longer = [
        {"above": start} | {key: at(rate, start + 1) for key, rate in rates.items()}
        for start in starts
    ]
    return base | ({"long_context": longer} if longer else {})


def at(rate: Any, tokens: int) -> float:
    """A rate at a length of context."""
    reached = [tier.price for tier in getattr(rate, "tiers", ()) if tokens > tier.start]
    return float(reached[-1] if reached else getattr(rate, "base", rate))


def tiers_of(model: Any, prices: Any, ends: date) -> dict[str, Any]:
    """Rates of each service tier while a price holds. The data has them since the day they were
    first listed; before, they are taken to have been the same, or the same share of the price."""
    found: dict[str, Any] = {}
    for variant in model.price_variants or ():
        if len(variant.when) != 1 or not TIERS & variant.when.keys():
            continue
        tier = next(iter(variant.when.values()))
        own = {key: value for key, value in vars(variant.prices).items() if value is not None}
        if not own and tier != "batch":
            continue  # The default tier: what the price itself says.
        begins = getattr(variant.constraint, "start_date", ALWAYS)
        if begins < ends:
            if found.get(tier, {}).get("begins", ALWAYS) <= begins:
                found[tier] = {"begins": begins, "rates": rates_in_tier(prices, own)}
        elif tier not in found and (share := share_of(model, own)) is not None:
            found[tier] = {"begins": ALWAYS, "rates": share}
    return {tier: one["rates"] for tier, one in found.items()}


def rates_in_tier(prices: Any, own: dict[str, Any]) -> dict[str, Any]:
    """What a tier does not say apart costs what it costs anyhow."""
    given = {key: value for key, value in vars(prices).items() if value is not None} | own
    return banded({ours: given[theirs] for theirs, ours in RATES.items() if theirs in given})


def share_of(model: Any, own: dict[str, Any]) -> float | None:
    """What a tier multiplied the price by on the day it was listed, where that is one number."""
    listed = model.prices[-1].prices if isinstance(model.prices, list) else model.prices
    pairs = [(at(own[key], 0), at(getattr(listed, key), 0)) for key in own if key in RATES]
    shares = {round(paid / full, 6) for paid, full in pairs if full}
    return shares.pop() if len(shares) == 1 else None


if __name__ == "__main__":
    main()
