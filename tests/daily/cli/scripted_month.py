"""Sessions of a scripted agent that obeys its settings, with what each would have cost otherwise.

The agent writes its cache for an hour, or for 5 minutes where `~/.claude/settings.json` says so,
and a provider of plain arithmetic bills it: what is older than its lifetime is written again. Every
session is billed both ways, so the true effect of the setting is known.
"""

import json
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MODEL = "claude-opus-4-5-20251101"
FRESH, READ, SHORT, HOUR, OUTPUT = 5e-6, 0.5e-6, 6.25e-6, 10e-6, 25e-6
"""USD a token, as Anthropic lists them."""
KEPT = {"FORCE_PROMPT_CACHING_5M": 300}
DAY = 86_400


@dataclass
class Step:
    """One turn, however it is billed."""

    pause: int
    new: int
    made: int
    is_prompt: bool


@dataclass
class Work:
    """What one session does, however its cache is kept."""

    name: str
    at: float
    steps: list[Step]

    def bill(self, lifetime: int) -> list[tuple[int, int]]:
        """Per turn: tokens read from the cache, and written to it."""
        found, held = [], 0
        for step in self.steps:
            read = held if step.pause <= lifetime else 0
            written = held - read + step.new
            held = read + written
            found.append((read, written))
        return found

    def cost(self, lifetime: int) -> float:
        """USD."""
        price = HOUR if lifetime > 300 else SHORT
        cached = sum(READ * read + price * written for read, written in self.bill(lifetime))
        return cached + sum(FRESH * 10 + OUTPUT * step.made for step in self.steps)


def draw_work(rng: random.Random, name: str, at: float, longest: int) -> Work:
    """A session that begins then."""
    steps = [Step(0, 22_000, 200, is_prompt=True)]
    for number in range(math.ceil(longest * rng.random() ** 2)):
        pause = rng.choice([900, *(rng.randrange(20, 240) for _ in range(24))])
        for turn in range(rng.randint(1, 3)):
            first = turn == 0 and number > 0
            new, made = rng.randrange(500, 4_000), rng.randrange(50, 400)
            steps.append(Step(pause if first else 15, new, made, is_prompt=first))
    return Work(name, at, steps)


class ScriptedAgent:
    """Claude Code of a user with this home folder."""

    def __init__(self, home: Path, seed: int) -> None:
        self.home, self.rng = home, random.Random(seed)
        self.sessions = home / ".claude" / "projects"
        self.settings = home / ".claude" / "settings.json"
        self.many = 0

    def work(self, since: float, days: float, sessions: int, longest: int) -> list[Work]:
        """Sessions at random times of these days, each in its file; the settings are read anew for
        each of them."""
        times = sorted(since + self.rng.random() * days * DAY for _ in range(sessions))
        return [self._run(at, longest) for at in times]

    def lifetime(self) -> int:
        """By the settings."""
        env = json.loads(self.settings.read_text()).get("env", {})
        return next((seconds for name, seconds in KEPT.items() if env.get(name) == "1"), 3600)

    def _run(self, at: float, longest: int) -> Work:
        self.many += 1
        work = draw_work(self.rng, f"s{self.many}", at, longest)
        file = self.sessions / "shop" / f"{work.name}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = self._lines(work, self.lifetime())
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return work

    def _lines(self, work: Work, lifetime: int) -> Iterator[dict[str, Any]]:
        at, above, call = work.at, None, None
        for number, (step, (read, written)) in enumerate(
            zip(work.steps, work.bill(lifetime), strict=True)
        ):
            at += step.pause
            until = work.steps[number + 1] if number + 1 < len(work.steps) else None
            result = [{"type": "tool_result", "tool_use_id": call, "content": "ok"}]
            own = {"sessionId": work.name, "cwd": str(self.home / "shop")}
            asked, answered = f"{work.name}-u{number}", f"{work.name}-a{number}"
            yield own | {
                "type": "user", "uuid": asked, "parentUuid": above, "timestamp": _stamp(at),
                "message": {"role": "user", "content": "Go on." if step.is_prompt else result},
            }  # fmt: skip
            call = None if until is None or until.is_prompt else f"toolu_{work.name}_{number}"
            use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "make"}}
            content = [{"type": "text", "text": "Done."}] if call is None else [use]
            kinds = (0, written) if lifetime > 300 else (written, 0)
            usage = {
                "input_tokens": 10, "output_tokens": step.made, "cache_read_input_tokens": read,
                "cache_creation_input_tokens": written,
                "cache_creation": dict(
                    zip(("ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"), kinds,
                        strict=True)),
            }  # fmt: skip
            yield own | {
                "type": "assistant", "uuid": answered, "parentUuid": asked,
                "timestamp": _stamp(at + 2), "requestId": f"req_{answered}",
                "message": {"id": f"msg_{answered}", "role": "assistant", "model": MODEL,
                            "content": content, "usage": usage,
                            "stop_reason": "end_turn" if call is None else "tool_use"},
            }  # fmt: skip
            above = answered


def _stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat()
