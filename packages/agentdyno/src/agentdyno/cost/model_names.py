"""Makes the many spellings of one model's name comparable, without joining different models.

Takes a name as a provider, a runner or a folder writes it, returns tuples of tokens, from the
most to the least literal. It knows no model.

`azureai/Meta-Llama-3-1-405B-Instruct-jqf`, `llama3.1:405b` and `accounts/x/models/llama-v3p1-405b`
all begin with the tokens `llama 3 1 405b`. Size and version tokens are never dropped, so
`gpt-5.4-mini` stays apart from `gpt-5-mini`.
"""

import re
from collections.abc import Iterator

LONGEST_NAME = 300
"""A model's name is short; what comes after this is not part of one."""

_DECORATIONS = """
instruct it chat base pt turbo instant versatile preview latest thinking reasoning free nitro
fast tput lite maas hf exp original reference cloud tee high medium low
gguf awq gptq mlx exl2 exl3 bnb qat quantized quant dynamic marlin
fp4 fp8 fp16 bf16 fp32 nvfp4 mxfp4 int4 int8 w4a16 w8a8 w8a16 4bit 8bit
8k 16k 32k 64k 128k 256k 1m
"""
WEIGHT_DECORATIONS = frozenset(_DECORATIONS.split())
"""Words that change a model's behaviour or its packing, but not its shape."""

_VENDOR_WORDS = """
meta mistralai openrouter openai anthropic azure azureai ollama unsloth together groq bedrock
vertex google fireworks hf open
"""
_VENDORS = frozenset(_VENDOR_WORDS.split())
_BEDROCK = re.compile(
    r"^(?:(?:us|eu|apac|jp|au|global)\.)?"
    r"(?:anthropic|meta|mistral|deepseek|openai|qwen|google|amazon|moonshot|zai)\.(?=[a-z])"
)
_BEDROCK_VERSION = re.compile(r"-v\d+:\d+$")
_SUFFIX = re.compile(r"\.(?:gguf|safetensors|bin)$")
_GGUF_QUANT = re.compile(r"[-_.:]i?q\d(?:_[0-9a-z]+)*(?=$|[-.:])")
_FULL_DATE = re.compile(r"(?<!\d)(20\d\d)[-.](\d\d)[-.](\d\d)(?!\d)")
_SHORT_DATE = re.compile(r"(?<=[-_])(0\d|1[0-2])-([0-3]\d|20\d\d)(?=$|[-_:])")
_DOT_AS_P = re.compile(r"(?<=\d)p(?=\d)")
_DATE_TOKEN = re.compile(r"\d{3,8}")
_LETTERS_THEN_DIGIT = re.compile(r"([a-z]+)(\d.*)")
_SIZE = re.compile(r"\d+(?:x\d+)?[bm]")


def name_variants(name: str, decorations: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Tokens of the name: literal, then without dates, without decorations, without either."""
    pieces = _pieces(name)
    undated = [piece for piece in pieces if not _DATE_TOKEN.fullmatch(piece)]
    for chosen_pieces in (pieces, undated):
        yield _tokens(chosen_pieces)
    for chosen_pieces in (pieces, undated):
        yield _tokens([piece for piece in chosen_pieces if piece not in decorations])


def has_size(tokens: tuple[str, ...]) -> bool:
    """True when the tokens name a number of parameters: `8b`, `8x7b`, `135m`."""
    return any(_SIZE.fullmatch(token) for token in tokens)


def only_a_nickname(tokens: tuple[str, ...]) -> bool:
    """True when tokens after a sized name can be a deployment's or a fine-tune's own name.

    A further number or size says that it is another model, and so does a distillation.
    """
    numbers = any(token.isdigit() or _SIZE.fullmatch(token) for token in tokens)
    return not numbers and "distill" not in tokens


def _pieces(name: str) -> list[str]:
    text = name[:LONGEST_NAME].strip().lower().rstrip("/").rsplit("/", 1)[-1]
    text = _BEDROCK_VERSION.sub("", _BEDROCK.sub("", _SUFFIX.sub("", text)))
    text = _FULL_DATE.sub(r"\1\2\3", _GGUF_QUANT.sub("", text))
    text = _DOT_AS_P.sub(".", _SHORT_DATE.sub(r"\1\2", text))
    pieces = [piece for piece in re.split(r"[^a-z0-9]+", text) if piece]
    while len(pieces) > 1 and pieces[0] in _VENDORS:
        pieces = pieces[1:]
    return pieces


def _tokens(pieces: list[str]) -> tuple[str, ...]:
    tokens: list[str] = []
    for piece in pieces:
        split = _LETTERS_THEN_DIGIT.fullmatch(piece)
        if split is None:
            tokens.append(piece)
            continue
        letters, digits = split.groups()
        # `v3` and `3` are the same version.
        tokens.extend([digits] if letters == "v" else [letters, digits])
    return tuple(tokens)
