"""Generates agent traces in the shape of OpenAI chat JSONL, as large as a measurement needs.

Texts are made of words with natural lengths, results are JSON or listings with newlines and
quotes, so that a JSON decoder and a tokenizer have the work that real traces give them.
"""

import json
import math
import random
from pathlib import Path

WORDS = (
    "the of and to in is that for it as was with be by on not he his but at are this have from or "
    "had an they which one you were all her she there would their we him been has when who will no "
    "more if out so up said what its about than into them can only other time new some could these "
    "order refund customer account flight invoice shipping database connection timeout request "
    "response parameter configuration deployment repository function variable exception warning "
    "retrieve analyse compute transaction balance reservation passenger schedule availability"
).split()
TOOLS = ("search_orders", "get_customer", "run_sql", "read_file", "send_mail", "list_flights",
         "book_flight", "get_invoice", "calculate", "fetch_page", "update_ticket")  # fmt: skip


def write_chat_jsonl(
    path: Path, size_bytes: int, *, usage: bool, seed: int = 7, repeat_texts: bool = False
) -> int:
    """Writes trajectories of about twelve turns until the file is that large; returns how many."""
    rng = random.Random(seed)
    tools = [_tool(rng, name) for name in TOOLS]
    system = _prose(rng, 3000)
    written = count = 0
    pool = [_one(rng, tools, system, usage, i) for i in range(400)]
    with path.open("w", encoding="utf-8") as file:
        while written < size_bytes:
            # A tokenizer's cache must not see the same text twice, or it would be measured instead.
            record = pool[count % 400] if repeat_texts else _one(rng, tools, system, usage, count)
            line = json.dumps(record | {"task_id": f"task-{count % 500}"}) + "\n"
            file.write(line)
            written += len(line)
            count += 1
    return count


def _one(rng: random.Random, tools: list[dict], system: str, usage: bool, index: int) -> dict:
    messages: list[dict] = [
        {"role": "system", "content": system},
        {"role": "user", "content": _prose(rng, rng.randint(80, 700))},
    ]
    context = 3400
    for turn in range(rng.randint(8, 16)):
        call_id = f"call_{index}_{turn}"
        content = _prose(rng, rng.randint(0, 600)) if rng.random() < 0.6 else None
        arguments = json.dumps({"query": _prose(rng, rng.randint(20, 160)), "limit": turn})
        result = _result(rng)
        decoded = 30 + len(content or "") // 4
        message = {
            "role": "assistant",
            "content": content,
            "tool_calls": [
                {
                    "id": call_id,
                    "type": "function",
                    "function": {"name": rng.choice(TOOLS), "arguments": arguments},
                }
            ],
        }
        if usage:
            message["usage"] = _usage(context, decoded)
        messages += [message, {"role": "tool", "tool_call_id": call_id, "content": result}]
        context += decoded + len(result) // 4
    final = {"role": "assistant", "content": _prose(rng, rng.randint(200, 900))}
    if usage:
        final["usage"] = _usage(context, len(final["content"]) // 4)
    messages.append(final)
    return {"model": "gpt-4.1", "benchmark": "bench", "correct": rng.random() < 0.6,
            "messages": messages, "tools": tools}  # fmt: skip


def _usage(prompt: int, completion: int) -> dict:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": prompt // 2},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }


def _prose(rng: random.Random, size: int) -> str:
    words: list[str] = []
    length = 0
    while length < size:
        word = rng.choice(WORDS)
        if rng.random() < 0.03:
            word = f"{rng.randint(1, 99999)}"
        words.append(word + (".\n" if rng.random() < 0.02 else ""))
        length += len(word) + 1
    return " ".join(words)


def _result(rng: random.Random) -> str:
    if rng.random() < 0.5:
        return _prose(rng, rng.randint(100, 4000))
    rows = [
        {"id": rng.randint(10**5, 10**6), "name": rng.choice(WORDS), "note": _prose(rng, 60)}
        for _ in range(rng.randint(1, 20))
    ]
    return json.dumps({"rows": rows, "count": len(rows)}, indent=1)


def _tool(rng: random.Random, name: str) -> dict:
    properties = {
        key: {"type": "string", "description": _prose(rng, 60)}
        for key in ("query", "limit", "sort")
    }
    parameters = {"type": "object", "properties": properties, "required": ["query"]}
    return {
        "type": "function",
        "function": {"name": name, "description": _prose(rng, 140), "parameters": parameters},
    }


def write_short_chats(
    path: Path,
    count: int,
    *,
    turns: int = 4,
    tools: int = 8,
    many_files: bool = False,
    seed: int = 7,
    characters: int = 245,
) -> None:
    """Trajectories of so many turns with short texts, three attempts at each task, of four
    settings: for what is read from a ledger, where texts weigh nothing. One file, or one each.
    Half of the results are longer than `characters`, some much longer."""
    rng = random.Random(seed)
    pool = [_short(rng, turns, tools, characters) for _ in range(200)]
    path.parent.mkdir(parents=True, exist_ok=True)
    if many_files:
        path.mkdir(exist_ok=True)
        for index in range(count):
            (path / f"{index}.jsonl").write_text(_attempt(rng, pool, index), encoding="utf-8")
        return
    with path.open("w", encoding="utf-8") as file:
        file.writelines(_attempt(rng, pool, index) for index in range(count))


def _attempt(rng: random.Random, pool: list[dict], index: int) -> str:
    setting = index % 4
    record = pool[rng.randrange(len(pool))] | {
        "task_id": f"task-{index // 12}",
        "model": ("gpt-4.1", "qwen3-32b")[setting % 2],
        "variant": ("full", "lean")[setting // 2],
        "correct": rng.random() < 0.6,
    }
    return json.dumps(record) + "\n"


def _short(rng: random.Random, turns: int, tools: int, characters: int) -> dict:
    names = [f"tool_{number}" for number in range(tools)]
    offered = [
        {"type": "function", "function": {"name": name, "description": _prose(rng, 20)}}
        for name in names
    ]
    messages: list[dict] = [
        {"role": "system", "content": _prose(rng, 60)},
        {"role": "user", "content": _prose(rng, 60)},
    ]
    context = 200 + 15 * tools
    for turn in range(turns):
        size = int(rng.lognormvariate(math.log(characters), 1.2))
        arguments = json.dumps({"query": _prose(rng, 20), "page": turn})
        function = {"name": rng.choice(names), "arguments": arguments}
        call = {"id": f"call_{turn}", "type": "function", "function": function}
        messages += [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [call],
                "usage": _usage(context, 30),
            },
            {"role": "tool", "tool_call_id": f"call_{turn}", "content": _prose(rng, size)},
        ]
        context += 30 + size // 4
    messages.append({"role": "assistant", "content": "done", "usage": _usage(context, 20)})
    return {"benchmark": "bench", "messages": messages, "tools": offered}
