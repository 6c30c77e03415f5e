"""Ledgers of the world of facts, and judges by script, for the tests of judging."""

import asyncio
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records.ledger import DERIVED
from agentdyno.records.utility import ROLLOUTS
from agentdyno.records.verdicts import VERDICTS
from agentdyno_bench.shared.judges.asking import Answer, Message
from agentdyno_bench.shared.judges.forms import Form
from agentdyno_bench.utility.facts import TOOLS, World
from agentdyno_bench.utility.facts.traces import attempt_all, write_attempts

DERIVED.setdefault("verdicts", VERDICTS)
DERIVED.setdefault("rollouts", ROLLOUTS)

USEFUL = '{"label": "positive", "confidence": 0.9, "rationale": "a fact"}'
USELESS = '{"label": "non_positive", "confidence": 0.8, "rationale": "no fact"}'


def facts_ledger(
    folder: Path, tasks: int = 6, variants: dict[str, tuple[str, ...]] | None = None
) -> Path:
    """Attempts at the same tasks under every variant, measured."""
    for name, suite in (variants or {"default": TOOLS}).items():
        world = World(suite)
        write_attempts(
            folder / "traces" / f"{name}.jsonl", name, attempt_all(tasks, 7, world), world
        )
    measure([folder / "traces"], folder / "ledger", MeasureOptions(workers=1, costs_only=True))
    return folder / "ledger"


class ScriptedAsk:
    """A judge that reads the evidence as a simple person would."""

    settings = ""

    def __init__(
        self,
        reply: Callable[[Sequence[Message]], str] | None = None,
        name: str = "scripted",
        seconds: float = 0.0,
        paid: Path | None = None,
        output_tokens: int = 50,
    ) -> None:
        self.name = name
        self.asked = self.closed = 0
        self._reply = reply or by_entry
        self._seconds = seconds
        self._paid = paid
        self._output_tokens = output_tokens

    async def ask(self, conversation: tuple[Message, ...], form: Form) -> Answer:
        self.asked += 1
        if self._paid is not None:
            self._note(conversation)
        if self._seconds:
            await asyncio.sleep(self._seconds)
        return Answer(self._reply(conversation), 1000, self._output_tokens)

    async def close(self) -> None:
        self.closed += 1

    def _note(self, conversation: tuple[Message, ...]) -> None:
        """One line for every question that was sent, in one write."""
        import hashlib

        name = hashlib.sha256(repr(conversation).encode()).hexdigest()
        handle = os.open(self._paid, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, f"{name}\n".encode())
        os.close(handle)


def by_entry(conversation: Sequence[Message]) -> str:
    """Useful when the result of the call is an entry."""
    after = conversation[1].text.split("THE CALL, AND THE STATE AFTER IT")[1]
    result = after.split("this result:")[-1].split("BEFORE THE CALL")[0]
    return USEFUL if '"Entry:' in result else USELESS


def judge_utility(
    ledger: Path,
    models: Sequence[Any],
    options: Any = None,
    announce: Any = None,
) -> Any:
    """Asks every model about every call of the ledger."""
    from agentdyno_bench.shared.judging import JudgeOptions, judge_ledger
    from agentdyno_bench.utility.utility_kind import UtilityKind

    options = options or JudgeOptions()
    kind = UtilityKind(options.framing, options.rules)
    return judge_ledger(ledger, kind, list(models), options, announce=announce)


def judge_slowly(ledger: Path, paid: Path, seconds: float, asking: Any) -> None:
    """A judging run for a process of its own; says when the first question goes out."""
    from agentdyno_bench.shared.judges.questions import AskOptions
    from agentdyno_bench.shared.judging import JudgeOptions

    options = JudgeOptions(ask=AskOptions(concurrency=4))
    judges = [ScriptedAsk(seconds=seconds, paid=paid)]
    judge_utility(ledger, judges, options, announce=lambda _: asking.set())


def chat(
    task_id: str,
    question: str,
    answer: str,
    calls: Sequence[tuple[str, str, str]] = (),
    **fields: Any,
) -> dict[str, Any]:
    """One attempt as a chat log has it: calls are tool, arguments and result."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": question}]
    for number, (tool, arguments, result) in enumerate(calls):
        function = {"name": tool, "arguments": arguments}
        asked = {"id": f"c{number}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": "", "tool_calls": [asked]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
    messages.append({"role": "assistant", "content": answer})
    return {"model": "m", "benchmark": "b", "task_id": task_id, "messages": messages} | fields


def chat_ledger(folder: Path, *chats: dict[str, Any]) -> Path:
    (folder / "traces").mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(one) + "\n" for one in chats)
    (folder / "traces" / "chats.jsonl").write_text(lines, encoding="utf-8")
    measure([folder / "traces"], folder / "ledger", MeasureOptions(workers=1, costs_only=True))
    return folder / "ledger"
