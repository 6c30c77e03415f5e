"""`agentdyno/smollm2-agent`: a small model that calls tools, in this process, offline.

The embedded SmolLM2 with a low-rank adapter that `agentdyno train` made; it lies beside this file
when the package ships one. `-M adapter=FOLDER` takes another adapter, `-M weights=FOLDER` any local
Hugging Face model or adapter, `-M weights=smollm2` the model without any. Tools are offered as
signatures and calls are JSON lines (`engines.dialect`), which is what adapters are trained on.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig
from inspect_ai.tool import ToolInfo

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.models.replies import WrittenCall
from agentdyno_depth.engines.adapters import is_adapter, merge_adapter
from agentdyno_depth.engines.chat import ChatMessage as PlainMessage
from agentdyno_depth.engines.chat import ChatTool
from agentdyno_depth.engines.dialect import offer_tools, read_turn, write_call, write_results
from agentdyno_depth.engines.smollm2 import NAME as BASE
from agentdyno_depth.engines.smollm2 import load_smollm2, quiet, require_depth
from agentdyno_train.models.batcher import Batcher
from agentdyno_train.models.smollm2 import LOADING, SmolLM2API
from agentdyno_train.models.tool_prompt import chat_of, tools_of

NAME = "smollm2-agent"
PACKAGED = Path(__file__).parent / "data" / NAME
"""Where the adapter lies when the package ships one."""


class AgentAPI(SmolLM2API):
    """The provider."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        dtype: str = "float32",
        weights: str | None = None,
        adapter: str | None = None,
    ) -> None:
        super().__init__(model_name, base_url, api_key, config, dtype)
        self._weights = choose_weights(weights, adapter)

    def _batcher(self) -> Batcher:
        with LOADING:
            return _load(*self._weights, self._dtype)

    def _window(self) -> int:
        return int(self._batcher().window)

    def _prompt(
        self, input: Sequence[ChatMessage], tools: Sequence[ToolInfo]
    ) -> tuple[list[PlainMessage], list[ChatTool]]:
        return agent_chat(chat_of(input), tools_of(tools)), []

    def _read(self, text: str, turn: int) -> tuple[str, list[WrittenCall], str]:
        return read_agent(text, turn)


def choose_weights(model: str | None, adapter: str | None) -> tuple[str | None, str | None]:
    """The model's folder (None: the embedded one) and the adapter's (None: none)."""
    if model == BASE:
        return None, adapter
    for name, folder in (("weights", model), ("adapter", adapter)):
        if folder is not None and not Path(folder).is_dir():
            raise InputError(
                f"-M {name}={printable(folder)}: expected a folder of weights, found none."
            )
    if adapter is not None and not is_adapter(Path(adapter)):
        raise InputError(f"-M adapter={printable(adapter)}: expected adapter_config.json in it.")
    if model is not None:
        if is_adapter(Path(model)):
            return None, model
        return model, adapter
    if adapter is None and not is_adapter(PACKAGED):
        raise InputError(
            f"agentdyno/{NAME}: expected the adapter that the package ships, found none. Make one "
            "with `agentdyno train --stage sft --out training` and pass it: "
            "-M adapter=training/adapter."
        )
    return None, adapter or str(PACKAGED)


@lru_cache(maxsize=2)
def _load(model: str | None, adapter: str | None, dtype: str) -> Batcher:
    import torch

    kind = getattr(torch, dtype)
    opened, tokenizer = load_smollm2(kind) if model is None else _folder(model, kind)
    if adapter is not None:
        merge_adapter(opened, Path(adapter))
    return Batcher(opened, tokenizer)


def _folder(folder: str, dtype: Any) -> tuple[Any, Any]:
    transformers = require_depth()
    try:
        with quiet(transformers):
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model = transformers.AutoModelForCausalLM.from_pretrained(
                folder, dtype=dtype, local_files_only=True
            )
    except (OSError, ValueError) as error:
        raise InputError(
            f"-M weights={printable(folder)}: expected a Hugging Face model and its tokenizer, "
            f"found {printable(str(error), 200)}."
        ) from None
    tokenizer.padding_side = "left"
    return model.eval(), tokenizer


def agent_chat(messages: Sequence[PlainMessage], tools: Sequence[ChatTool]) -> list[PlainMessage]:
    """A chat as the agent reads it: tools in the system message, results of a turn together."""
    system = [message.text for message in messages if message.role == "system"]
    chat = (
        [PlainMessage("system", offer_tools("\n\n".join(system), tools))] if system or tools else []
    )
    results: list[str] = []
    for message in messages:
        if message.role == "tool":
            results.append(message.text)
            continue
        if results:
            chat.append(write_results(results))
            results = []
        if message.role != "system":
            chat.append(PlainMessage(message.role, _write_message(message)))
    return [*chat, write_results(results)] if results else chat


def _write_message(message: PlainMessage) -> str:
    if message.written is not None:
        return message.written
    calls = [write_call(call.name, _arguments(call.arguments)) for call in message.calls]
    return "\n".join([*([message.text] if message.text else []), *calls])


def _arguments(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {}


def read_agent(text: str, turn: int) -> tuple[str, list[WrittenCall], str]:
    """The text besides, calls and thought; what cannot be read is a call with a problem."""
    read = read_turn(text)
    sound = [(tool, json.dumps(args, ensure_ascii=False), None) for tool, args in read.calls]
    odd = [("", "", problem) for problem in read.problems]
    calls = [
        WrittenCall(f"call_{turn}_{number}", tool, args, problem)
        for number, (tool, args, problem) in enumerate([*sound, *odd])
    ]
    return read.answer, calls, read.thought
