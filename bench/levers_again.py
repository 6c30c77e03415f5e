"""The levers of Claude Code sessions once more, from raw lines, with no code of the package.

    python bench/levers_again.py FOLDER [--days 14]

Takes a folder of sessions (`*.jsonl`), prints what each lever would have saved by plain arithmetic
on the usage that the provider reported: prices per million tokens as Anthropic lists them, typed in
here. What the log does not hold (the output of a response whose last chunk was not logged) is as
logged, so output is too low; no lever below depends on it but the sub-agents' model, by a fraction.

Sessions are those of the last days, whole, as in `agentdyno apply`. A turn is a response, counted
once by its message id; a pause counts from the time of the response before it, which is when it was
written down, so the seconds differ a little from those between requests.
"""

import argparse
import json
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Any

PRICES = {
    "opus-4": (5.0, 25.0),
    "sonnet-4": (3.0, 15.0),
    "haiku-4-5": (1.0, 5.0),
}
READ, SHORT, HOUR = 0.1, 1.25, 2.0
"""What a token of input costs that is read from the cache, or written for 5 minutes, or an hour."""
Turn = dict[str, Any]


def main() -> None:
    """Prints a line for each lever."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--days", type=float, default=14)
    given = parser.parse_args()
    agents = read_agents(given.folder)
    last = max(turn["at"] for turns in agents.values() for turn in turns)
    since = last - given.days * 86_400
    roots = {name[0] for name, turns in agents.items() if any(t["at"] >= since for t in turns)}
    agents = {name: turns for name, turns in agents.items() if name[0] in roots}
    total = sum(cost(turn) for turns in agents.values() for turn in turns)
    print(f"{len(roots)} sessions, {len(agents)} agents, "
          f"{sum(map(len, agents.values()))} turns, ${total:.2f} as logged")  # fmt: skip
    print(f"{'write the cache for 5 minutes':44} ${save_short(agents):.3f}")
    print(f"{'run sub-agents on Sonnet':44} ${save_subagents(agents):.3f}")


def read_agents(folder: Path) -> dict[tuple[str, str], list[Turn]]:
    """(session, agent) -> its turns in order; the main agent's name is empty."""
    found: dict[str, tuple[tuple[str, str], Turn]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            agent, message = row.get("agentId") or "", row
            if row.get("type") == "progress" and row["data"].get("type") == "agent_progress":
                agent, message = row["data"]["agentId"], row["data"]["message"]
            answer = message.get("message") or {}
            if message.get("type") != "assistant" or "usage" not in answer:
                continue
            if answer.get("model") == "<synthetic>":
                continue
            at = datetime.fromisoformat(message["timestamp"].replace("Z", "+00:00")).timestamp()
            first = found.get(answer["id"])
            turn = {"at": at if first is None else min(at, first[1]["at"]),
                    "model": answer["model"], "usage": answer["usage"]}  # fmt: skip
            found[answer["id"]] = ((row["sessionId"], agent) if first is None else first[0], turn)
    agents: defaultdict[tuple[str, str], list[Turn]] = defaultdict(list)
    for name, turn in found.values():
        agents[name].append(turn)
    return {name: sorted(turns, key=lambda turn: turn["at"]) for name, turns in agents.items()}


def split(turn: Turn) -> tuple[float, float, float, float, float]:
    """Fresh, read, written for 5 minutes, written for an hour, output."""
    usage = turn["usage"]
    written = usage.get("cache_creation") or {}
    hour = written.get("ephemeral_1h_input_tokens", 0)
    short = usage.get("cache_creation_input_tokens", 0) - hour
    return (usage.get("input_tokens", 0), usage.get("cache_read_input_tokens", 0), short, hour,
            usage.get("output_tokens", 0))  # fmt: skip


def price(turn: Turn, name: str | None = None) -> tuple[float, float]:
    """Dollars of a token of input, and of output."""
    model = name or turn["model"]
    paid, made = next(prices for family, prices in PRICES.items() if family in model)
    return paid / 1e6, made / 1e6


def cost(turn: Turn, name: str | None = None) -> float:
    """Dollars of a turn."""
    paid, made = price(turn, name)
    fresh, read, short, hour, output = split(turn)
    return paid * (fresh + READ * read + SHORT * short + HOUR * hour) + made * output


def save_short(agents: dict[tuple[str, str], list[Turn]]) -> float:
    """Every hour's write at the price of 5 minutes, less what longer pauses would then have lost:
    all that was read after them is written."""
    saved = 0.0
    for turns in agents.values():
        lives, before = 300.0, None
        for turn in turns:
            paid, _ = price(turn)
            _, read, short, hour, _ = split(turn)
            saved += paid * (HOUR - SHORT) * hour
            pause = turn["at"] - before if before is not None else 0.0
            if 300 < pause <= lives:
                saved -= paid * (SHORT - READ) * read
            if short + hour:
                lives = 3_600.0 if hour > short else 300.0
            before = turn["at"]
    return saved


def save_subagents(agents: dict[tuple[str, str], list[Turn]]) -> float:
    """Sub-agents on Sonnet where their model costs more."""
    subs = [turn for (_, agent), turns in agents.items() if agent for turn in turns]
    return sum(max(cost(turn) - cost(turn, "sonnet-4"), 0.0) for turn in subs)


if __name__ == "__main__":
    main()
