"""The levers of Claude Code sessions once more, from raw lines, with no code of the package.

    python bench/levers_again.py FOLDER [--days 14]

Takes a folder of sessions (`*.jsonl`), prints what each lever would have saved by plain arithmetic
on the usage that the provider reported: prices per million tokens as Anthropic lists them, typed in
here. What the log does not hold (the output of a response whose last chunk was not logged) is as
logged, so output is too low; no lever below depends on it but the sub-agents' model.

Sessions are those of the last days, whole, as in `agentdyno apply`. A turn is a response, counted
once by its message id; a pause counts from the time of the response before it, which is when it was
written down, so the seconds differ a little from those between requests.
"""

import argparse
import json
from collections import defaultdict
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

PRICES = {
    "opus-4": (5.0, 25.0),
    "sonnet-4": (3.0, 15.0),
    "haiku-4-5": (1.0, 5.0),
}
READ, SHORT, HOUR = 0.1, 1.25, 2.0
"""What a token of input costs that is read from the cache, or written for 5 minutes, or an hour."""
KEPT = (600, 900, 1_200, 1_800, 2_700, 3_600)
MARGIN = 0.9
"""A cache is read again after this share of its lifetime."""
NOTES = {"TodoWrite", "TaskCreate", "TaskUpdate"}
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
    for what, saved in (
        ("write the cache for 5 minutes", save_short(agents)),
        ("write the cache for 1 hour", save_hour(agents)),
        ("run sub-agents on Sonnet", save_subagents(agents)),
        ("update the task list with the next call", save_notes(agents)),
        ("no switches of thinking within a session", save_switches(agents)),
        *((f"keep the cache alive for {seconds} seconds", save_alive(agents, seconds))
          for seconds in KEPT),
    ):  # fmt: skip
        print(f"{what:44} ${saved:.3f}")


def read_agents(folder: Path) -> dict[tuple[str, str], list[Turn]]:
    """(session, agent) -> its turns in order; the main agent's name is empty."""
    found: dict[str, tuple[tuple[str, str], Turn]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        prompt: dict[str, Any] = {"thinks": False, "number": 0}
        for line in path.read_text().splitlines():
            row = json.loads(line)
            agent, message = row.get("agentId") or "", row
            if row.get("type") == "progress" and row["data"].get("type") == "agent_progress":
                agent, message = row["data"]["agentId"], row["data"]["message"]
            answer = message.get("message") or {}
            if is_prompt(row):
                asked = row.get("thinkingMetadata") or {}
                thinks = not asked.get("disabled", not asked)
                prompt = {"thinks": thinks, "number": prompt["number"] + 1}
            if message.get("type") != "assistant" or "usage" not in answer:
                continue
            if answer.get("model") == "<synthetic>":
                continue
            at = datetime.fromisoformat(message["timestamp"].replace("Z", "+00:00")).timestamp()
            first = found.get(answer["id"])
            tools = [] if first is None else first[1]["tools"]
            tools += [each["name"] for each in answer["content"] if each["type"] == "tool_use"]
            if not agent and any(each["type"] == "thinking" for each in answer["content"]):
                prompt["thinks"] = True
            turn = {
                "at": at if first is None else min(at, first[1]["at"]),
                "tools": tools,
                "model": answer["model"],
                "usage": answer["usage"],
                "prompt": prompt,
            }
            found[answer["id"]] = ((row["sessionId"], agent) if first is None else first[0], turn)
    agents: defaultdict[tuple[str, str], list[Turn]] = defaultdict(list)
    for name, turn in found.values():
        agents[name].append(turn)
    return {name: sorted(turns, key=lambda turn: turn["at"]) for name, turns in agents.items()}


def is_prompt(row: dict[str, Any]) -> bool:
    """Whether a line is what a user typed, or what a skill or a command put in its place."""
    content = (row.get("message") or {}).get("content")
    results = isinstance(content, list) and any(
        isinstance(each, dict) and each.get("type") == "tool_result" for each in content
    )
    is_typed = not row.get("isMeta") or "sourceToolUseID" in row
    return row.get("type") == "user" and not results and is_typed


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


def gaps(turns: list[Turn]) -> list[tuple[Turn, Turn, float, float, float]]:
    """Each turn but the first with the one before it, the pause, what the cache held and for how
    long."""
    found, lives = [], 300.0
    for before, turn in pairwise(turns):
        _, read, short, hour, _ = split(before)
        if short + hour:
            lives = 3_600.0 if hour > short else 300.0
        found.append((before, turn, turn["at"] - before["at"], read + short + hour, lives))
    return found


def lost(turn: Turn, held: float) -> float:
    """Tokens that were in the cache and were not read."""
    fresh, read, short, hour, _ = split(turn)
    return max(min(held, fresh + read + short + hour) - read, 0.0)


def save_hour(agents: dict[tuple[str, str], list[Turn]]) -> float:
    """What pauses of up to an hour lost, less the higher price of all that was still written."""
    saved = 0.0
    for turns in agents.values():
        known = {id(turn): (pause, held, lives) for _, turn, pause, held, lives in gaps(turns)}
        for turn in turns:
            paid, _ = price(turn)
            pause, held, lives = known.get(id(turn), (0.0, 0.0, 300.0))
            regained = lost(turn, held) if lives < pause <= 3_600 else 0.0
            _, _, short, _, _ = split(turn)
            saved += paid * (SHORT - READ) * regained
            saved -= paid * (HOUR - SHORT) * max(short - regained, 0.0)
    return saved


def save_alive(agents: dict[tuple[str, str], list[Turn]], seconds: int) -> float:
    """What pauses of up to so long lost, less the reads that keep the cache until then."""
    saved = 0.0
    for (_, agent), turns in agents.items():
        if agent:
            continue
        last = turns[-1]
        _, read, short, hour, _ = split(last)
        ends = [
            (last, None, float(seconds), read + short + hour, 3_600.0 if hour > short else 300.0)
        ]
        for before, turn, pause, held, lives in [*gaps(turns), *ends]:
            paid, _ = price(before)
            saved -= min(pause, seconds) // (MARGIN * lives) * paid * READ * held
            if turn is not None and lives < pause <= seconds:
                again = SHORT if lives == 300 else HOUR
                saved += price(turn)[0] * (again - READ) * lost(turn, held)
    return saved


def save_notes(agents: dict[tuple[str, str], list[Turn]]) -> float:
    """Turns that only updated the task list, with the turn after them of the same prompt in one:
    the second reading of the context is saved."""
    saved = 0.0
    for turns in agents.values():
        for before, turn in pairwise(turns):
            is_notes = before["tools"] and set(before["tools"]) <= NOTES
            if is_notes and turn["tools"] and turn["prompt"] is before["prompt"]:
                saved += price(turn)[0] * READ * split(turn)[1]
    return saved


def save_switches(agents: dict[tuple[str, str], list[Turn]]) -> float:
    """What was lost within the lifetime where a request thought and the one before did not, or the
    other way round."""
    saved = 0.0
    for (_, agent), turns in agents.items():
        for before, turn, pause, held, lives in gaps(turns):
            switched = before["prompt"]["thinks"] != turn["prompt"]["thinks"]
            if not agent and switched and pause <= lives and before["model"] == turn["model"]:
                _, _, short, hour, _ = split(turn)
                paid = (SHORT * short + HOUR * hour) / max(short + hour, 1)
                saved += price(turn)[0] * (paid - READ) * lost(turn, held)
    return saved


def save_subagents(agents: dict[tuple[str, str], list[Turn]]) -> float:
    """Sub-agents on Sonnet where their model costs more."""
    subs = [turn for (_, agent), turns in agents.items() if agent for turn in turns]
    return sum(max(cost(turn) - cost(turn, "sonnet-4"), 0.0) for turn in subs)


if __name__ == "__main__":
    main()
