"""Cache figures from raw Claude Code files, by a plain reader that shares no code with ours.

Reads JSON lines, keeps the last usage of every message id, once over all files, and adds up by the
list prices of the models in the corpus. For checks: it knows just what those files hold.
"""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

PRICES = {"opus": (5.0, 0.5, 6.25, 10.0), "haiku": (1.0, 0.1, 1.25, 2.0)}
"""USD for a million tokens: fresh, read, written for 5 minutes, written for an hour."""


class Response:
    """One answer of a model."""

    def __init__(self, model: str, sent: float) -> None:
        self.sent, self.usage = sent, {}
        self.fresh, self.read, self.short, self.long = next(
            tuple(usd / 1e6 for usd in prices) for name, prices in PRICES.items() if name in model
        )

    def tokens(self, name: str) -> int:
        return self.usage.get(name) or 0

    @property
    def hour(self) -> int:
        return (self.usage.get("cache_creation") or {}).get("ephemeral_1h_input_tokens") or 0

    @property
    def write_price(self) -> float:
        written = self.tokens("cache_creation_input_tokens")
        share = self.hour / written if written else 0.0
        return self.short + share * (self.long - self.short)


def read_chains(folder: Path) -> list[list[Response]]:
    """The answers of every session and sub-agent, in order, each once over all files."""
    seen: set[str] = set()
    chains: list[list[Response]] = []
    for file in sorted(folder.glob("*.jsonl")):
        here: dict[str, list[Response]] = {}
        known: dict[str, Response] = {}
        given: dict[str, float] = {}
        models: dict[str, str] = {}
        for chain, line in _lines(file):
            message, at = line.get("message") or {}, _seconds(line["timestamp"])
            usage = message.get("usage")
            if line["type"] == "user":
                given[chain] = at
            elif message.get("model") != "<synthetic>" and usage:
                name = message["id"]
                if name not in known and name in seen:
                    continue
                if name not in known:
                    models[chain] = message["model"]
                    known[name] = Response(message["model"], given.get(chain, at))
                    here.setdefault(chain, []).append(known[name])
                known[name].usage = usage
        for agent, usage, at in _last_answers(file):
            chain = here.get(agent)
            if chain is not None and all(_triple(each.usage) != _triple(usage) for each in chain):
                chain.append(Response(models[agent], at))
                chain[-1].usage = usage
        seen |= known.keys()
        chains += here.values()
    return chains


def add_up(chains: list[list[Response]]) -> Counter[str]:
    """Money by what it was charged for, and lost cache by cause and by pause."""
    usd: Counter[str] = Counter()
    for chain in chains:
        life, held = 300.0, 0
        for before, each in zip([None, *chain], chain, strict=False):
            read = each.tokens("cache_read_input_tokens")
            written = each.tokens("cache_creation_input_tokens")
            context = each.tokens("input_tokens") + read + written
            usd["read"] += read * each.read
            usd["write"] += written * each.write_price
            usd["input"] += each.tokens("input_tokens") * each.fresh
            lost = max(min(held, context) - read, 0)
            again = min(lost, written)
            paid = again * each.write_price + (lost - again) * each.fresh
            if before is None:
                usd["first turn"] += written * each.write_price
            elif lost:
                pause = each.sent - before.sent
                usd["lost"] += paid
                usd["pause" if pause > life and context >= held else "other"] += paid
                usd["5 to 60 minutes"] += paid if 300 <= pause < 3600 else 0.0
            held = read + written
            life = (3600.0 if 2 * each.hour > written else 300.0) if written else life
    return usd


def _lines(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Lines of talk with the chain they belong to; a sub-agent's stand inside its starter's."""
    for text in file.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if line["type"] in ("user", "assistant"):
            yield line["sessionId"], line
        data = line.get("data") or {}
        inner, agent = data.get("message"), data.get("agentId")
        if agent and isinstance(inner, dict) and inner["type"] in ("user", "assistant"):
            yield agent, inner


def _last_answers(file: Path) -> Iterator[tuple[str, dict[str, Any], float]]:
    """The usage of a sub-agent's last answer, which may stand in its result alone."""
    for text in file.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        result = line.get("toolUseResult")
        if isinstance(result, dict) and result.get("agentId") and result.get("usage"):
            yield result["agentId"], result["usage"], _seconds(line["timestamp"])


def _triple(usage: dict[str, Any]) -> tuple[int, ...]:
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return tuple(usage.get(name) or 0 for name in names)


def _seconds(stamp: str) -> float:
    return datetime.fromisoformat(stamp).timestamp()
