"""Reads who sells a model out of the name that a trace has for it. It knows no price.

Takes a name as a provider, a gateway or a framework writes it; returns the seller and the name that
the seller has for the model, or None where a name says that no list price holds: a model that runs
on one's own machine, or at a host whose prices are not in the data.

`azure/gpt-4o`, `bedrock:us.anthropic.claude-opus-4-5-v1:0`, `openrouter/x-ai/grok-4`,
`accounts/fireworks/models/glm-4p6` and `ft:gpt-4o-mini-2024-07-18:org::id` say who sells them.
`gpt-4o` and `models/gemini-2.5-pro` do not: their makers do.
"""

import re

from msgspec import Struct

from agentdyno.cost.model_names import LONGEST_NAME

REGIONAL, GLOBAL = "aws", "aws-global"
"""Bedrock has a price for an endpoint in a region, and another for one that may be anywhere."""

MAKERS = {
    "anthropic": "anthropic",
    "openai": "openai",
    "google": "google gemini googleai google_genai google-gla google-genai",
    "x-ai": "x-ai xai",
    "mistral": "mistral mistralai",
    "deepseek": "deepseek",
    "cohere": "cohere cohere_chat",
    "moonshotai": "moonshotai moonshot",
    "zai": "zai z-ai",
    "minimax": "minimax",
    "perplexity": "perplexity",
    "zhipuai": "zhipuai zhipu bigmodel",
    "alibaba": "alibaba dashscope",
    "cursor": "cursor",
    "meta": "meta",
}
"""Who makes the models that it sells, and what it is called in names. Their own price is taken
where a name does not say who sold a call, in this order."""

HOSTS = {
    "azure": "azure azureai azure_ai azure-openai azure_openai azure-ai",
    REGIONAL: "aws amazon bedrock amazon-bedrock amazon_bedrock bedrock_converse converse",
    "google": "vertex vertex_ai vertexai google-vertex google_vertex vertex_ai_beta publishers",
    "openrouter": "openrouter",
    "groq": "groq",
    "together": "together together_ai togetherai together-ai",
    "fireworks": "fireworks fireworks_ai fireworks-ai",
    "cerebras": "cerebras",
    "cloudflare": "@cf cloudflare workers-ai",
    "databricks": "databricks",
    "novita": "novita novita-ai",
    "github-copilot": "github_copilot github-copilot copilot",
    "baseten": "baseten",
    "ovhcloud": "ovhcloud",
    "arcee": "arcee arcee-ai",
    "avian": "avian",
    "doubleword": "doubleword",
    "modal": "modal",
    "quicksilverpro": "quicksilverpro",
}
"""Who sells models of others; in a name with a maker besides, the host is who is paid."""

_UNLISTED = """
ollama ollama_chat vllm hosted_vllm sglang tgi lmstudio lm_studio llamacpp llama_cpp llama-cpp
llama-cpp-python llamafile local localhost hf transformers mlx mockllm none nnsight transformer_lens
deepinfra replicate anyscale nebius sambanova hyperbolic sagemaker nvidia_nim nim watsonx snowflake
lepton_ai nscale siliconflow volcengine predibase tunedmodels custom
"""
UNLISTED = frozenset(_UNLISTED.split())
"""Prefixes of models that run on one's own machine, or where no price in the data holds."""

_HUGGING_FACE = """
deepseek-ai meta-llama qwen zai-org nvidia microsoft unsloth thebloke bartowski lmstudio-community
mlx-community minimaxai nousresearch huggingfacetb tiiuae ibm-granite allenai 01-ai redhatai
"""
HUGGING_FACE = frozenset(_HUGGING_FACE.split())
"""Who publishes weights: without a host before them, no one says who ran these."""

_HOSTS = {alias: seller for seller, names in HOSTS.items() for alias in names.split()}
_MAKERS = {alias: seller for seller, names in MAKERS.items() for alias in names.split()}
_SELLERS = _MAKERS | _HOSTS

_REGIONS = r"us|us-gov|eu|apac|jp|au|in|ca|global|regional"
_REGION = re.compile(rf"^(?:{_REGIONS})\.")
_BEDROCK_VERSION = re.compile(r"-v\d+(?::\d+)?$")
_BEDROCK = re.compile(
    rf"^(?:(?P<region>{_REGIONS})\.)?(?:anthropic|meta|mistral|deepseek"
    r"|openai|qwen|google|amazon|moonshot|zai|cohere|ai21|nvidia|writer|minimax)\.(?=[a-z])"
)
_LONG_CONTEXT = re.compile(r"\[1m\]$")
_EFFORT = re.compile(r"(?<=[a-z0-9])-(?:minimal|low|medium|high|xhigh)$")
_REASONING = re.compile(r"^(?:o\d|gpt-[5-9]|codex)")
_WEIGHTS = re.compile(r"\.(?:gguf|safetensors|bin)$|[-_.:]i?q\d_[0-9a-z_]+$|:latest$")


class SoldModel(Struct, frozen=True):
    """A model as its seller knows it."""

    seller: str | None
    """The provider in the data; None when the name does not say one."""
    name: str
    """The seller's own name of it, in small letters."""
    vendor: str | None = None
    """The vendor before the name, where a seller has models of several vendors."""


def parse_model_name(name: str) -> SoldModel | None:
    """The seller of a model and the name it is sold under; None where no list price can hold."""
    text = _LONG_CONTEXT.sub("", name[:LONGEST_NAME].strip().lower().rstrip("/"))
    *before, last = _split_seller(text).split("/")
    if UNLISTED & set(before) or _WEIGHTS.search(last) or _is_own_account(before):
        return None
    if last.startswith("ft:"):
        return SoldModel("openai", ":".join(last.split(":")[:2]))
    if _REASONING.match(last):
        last = _EFFORT.sub("", last)
    seller = _seller_of(before, last)
    if not _is_host(seller) and _are_weights(before, name):
        return None
    name_there = strip_bedrock(last) if seller in (REGIONAL, GLOBAL) else last
    return SoldModel(seller, name_there, before[-1] if before else None)


def strip_bedrock(name: str) -> str:
    """A name at Bedrock without its region and its version, `-v1:0`."""
    return _BEDROCK_VERSION.sub("", _REGION.sub("", name))


def is_seller(prefix: str) -> bool:
    """True when a part of a name says who sold a model, or nothing about it."""
    return prefix in _SELLERS or prefix == "models"


def maker_named(prefix: str | None) -> str | None:
    """The maker that a part of a name stands for."""
    return _MAKERS.get(prefix or "")


def _split_seller(text: str) -> str:
    """`openai:gpt-4o` is `openai/gpt-4o`; `llama3.1:8b` stays what it is."""
    head, colon, tail = text.partition(":")
    is_prefix = head in _SELLERS or head in UNLISTED
    return f"{head}/{tail}" if colon and tail and is_prefix else text


def _is_own_account(before: list[str]) -> bool:
    """`accounts/me/models/x` is a deployment of one's own at Fireworks, whatever it is called."""
    index = before.index("accounts") + 1 if "accounts" in before else 0
    return bool(index) and before[index : index + 1] != ["fireworks"]


def _is_host(seller: str | None) -> bool:
    return seller is not None and (seller not in MAKERS or seller == "google")


def _are_weights(before: list[str], name: str) -> bool:
    """A name of the Hugging Face hub; two makers have the same one there and in their own API,
    where it is written in small letters."""
    shared = bool({"moonshotai", "mistralai"} & set(before))
    last = name.strip().rpartition("/")[2]
    return bool(HUGGING_FACE & set(before)) or (shared and last != last.lower())


def _seller_of(before: list[str], last: str) -> str | None:
    hosts = [_HOSTS[piece] for piece in before if piece in _HOSTS]
    bedrock = _BEDROCK.match(last)
    if bedrock and (not hosts or hosts[0] == REGIONAL):
        return GLOBAL if bedrock["region"] == "global" else REGIONAL
    if "huggingface" in before[:-1]:
        return f"huggingface_{before[before.index('huggingface') + 1]}"
    if hosts:
        return hosts[0]
    if before and last.endswith(":free"):
        return "openrouter"
    return next((_SELLERS[piece] for piece in before if piece in _SELLERS), None)
