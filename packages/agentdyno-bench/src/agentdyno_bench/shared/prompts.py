"""Texts in place of our prompts: `--prompt NAME=FILE` in, texts by name out.

A paper's own wording is not ours to ship; whoever has it can use it. The text is part of a run's
settings, so that a run with another one is never continued.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.judges.asking import answer_schema
from agentdyno_bench.shared.judges.forms import Prompt

LONGEST = 200_000
Prompts = dict[str, tuple[str, ...]]


def read_prompts(options: Sequence[str], known: Collection[str]) -> Prompts:
    """The texts by name; `judge` may come several times, one text for each framing."""
    prompts: Prompts = {}
    for option in options:
        name, equals, file = option.partition("=")
        if not equals or name not in known:
            raise InputError(
                f"expected --prompt NAME=FILE with one of {', '.join(known)}, found "
                f"{printable(option, 120)!r}."
            )
        if name in prompts and name != "judge":
            raise InputError(f"--prompt {name}=FILE: expected it once, found it twice.")
        prompts[name] = (*prompts.get(name, ()), _read(Path(file)))
    return prompts


def first_prompts(prompts: Prompts) -> dict[str, str]:
    """One text for each name."""
    return {name: texts[0] for name, texts in prompts.items()}


def _read(file: Path) -> str:
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "text that is not UTF-8"
        raise InputError(f"--prompt {file}: expected a text, found {reason}.") from None
    if not text.strip() or len(text) > LONGEST:
        size = f"{len(text):,} characters"
        raise InputError(f"--prompt {file}: expected 1 to {LONGEST:,} characters, found {size}.")
    return text.strip()


def fill(template: str, values: dict[str, str]) -> str:
    """The template with `{name}` replaced; values without a place in it are put behind it."""
    missing = [name for name in values if f"{{{name}}}" not in template]
    behind = "".join(f"\n\n{name}:\n{values[name]}" for name in missing)
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value)
    return template + behind


def replace_instructions(prompt: Prompt, text: str) -> Prompt:
    """The same question under other instructions; the form of the reply stays ours."""
    schema: Any = answer_schema(prompt.form)
    reply = f"Reply with one JSON object of this schema:\n{msgspec.json.encode(schema).decode()}"
    return structs.replace(prompt, system=f"{text}\n\n{reply}")
