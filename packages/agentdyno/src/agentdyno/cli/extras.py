"""Which extra a missing package comes with: a module's name in, a sentence with its command out."""

EXTRAS = {
    "bench": (
        "anyio", "bm25s", "httpcore", "inspect_ai", "math_verify", "mcp", "mcp_types", "openai",
        "tenacity", "tzdata", "uvicorn",
    ),
    "charts": ("vl_convert",),
    "depth": ("gguf", "httpx", "torch", "transformers", "triton"),
    "scale": ("fsspec", "ray"),
    "train": ("datasets", "peft", "trl"),
}  # fmt: skip
"""Modules by the extra that installs them, those included that come with another package."""


def install_hint(module: str) -> str | None:
    """What to install for a module that is missing; None when no extra has it."""
    top = module.partition(".")[0]
    extra = next((name for name, modules in EXTRAS.items() if top in modules), None)
    if extra is None:
        return None
    return (
        f"expected the package {top.replace('_', '-')}, which this needs, found none. "
        f"Install it: pip install 'agentdyno[{extra}]'"
    )
