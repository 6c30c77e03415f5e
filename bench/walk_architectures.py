"""Counts models by building them, and writes the counts that the core ships.

    python bench/walk_architectures.py          the table of counts against the published figures
    python bench/walk_architectures.py --write  the core's walked_architectures.toml as well
    python bench/walk_architectures.py --check  every type that the core reads without building it,
                                                built at the library's default shape: both agree

Needs transformers. Nothing is downloaded: models are built without weights.
"""

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.cost.config_reader import ConfigReader
from agentdyno.cost.hf_config import UNDERSTOOD, architecture_from_config
from agentdyno.cost.registry import LISTED
from agentdyno.cost.shape import Architecture
from agentdyno.records import InputError
from agentdyno_depth.engines.smollm2 import require_depth
from agentdyno_depth.probes.architecture_walk import walk_architecture

HERE = Path(__file__).resolve().parent
MODELS = HERE / "architectures" / "models.toml"
SHIPPED = HERE.parent / "packages/agentdyno/src/agentdyno/cost/data/walked_architectures.toml"
AGREE = 0.005
"""The most that parameters read and parameters built may differ: norms and biases."""


def main() -> int:
    """Prints, writes or checks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.check:
        return check_understood()
    models = tomllib.loads(MODELS.read_text(encoding="utf-8"))
    shapes = walk_models(models)
    if given.write:
        listed = {row.name for row in LISTED}
        new = {name: shape for name, shape in shapes.items() if name not in listed}
        rows = [write_row(name, shape, models[name]) for name, shape in new.items()]
        SHIPPED.write_text(HEADER + "\n".join(rows), encoding="utf-8")
    return 0


def walk_models(models: dict[str, Any]) -> dict[str, Architecture]:
    """The shape of each model; a refusal is printed."""
    shapes = {}
    print(f"{'model':26}{'total':>9}{'publ.':>9}{'active':>8}{'publ.':>8}  layers  full  cache")
    for name, model in models.items():
        try:
            shape = walk_architecture(ConfigReader(model["config"], name))
        except InputError as error:
            print(f"{name:26}refused: {error}")
            continue
        shapes[name] = shape
        print(
            f"{name:26}{(shape.total_params or 0) / 1e9:9.2f}{model['total']:9.2f}"
            f"{shape.active_params / 1e9:8.2f}{model.get('active') or float('nan'):8.2f}"
            f"{shape.layers:8}{shape.full_attention_layers:6}{shape.kv_bytes_per_token:9,.0f}",
            flush=True,
        )
    return shapes


HEADER = """\
# Shapes counted by building each model without weights. Do not edit:
# `bench/walk_architectures.py --write` writes this from `bench/architectures/models.toml`.

"""


def write_row(name: str, shape: Architecture, model: dict[str, Any]) -> str:
    """One table of the core's registry."""
    published = shape.published_active_params or shape.active_params
    embedding = shape.vocabulary * shape.hidden_size
    counted = round((published - shape.active_params) / embedding)
    # The numbers are those of 16 bits; what a file is quantized to is not the shape's.
    left_out = {"name", "active_params", "aliases", "paper_rows", "published_active_params",
                "precision"}  # fmt: skip
    values = {
        key: value
        for key, value in msgspec.to_builtins(shape).items()
        if key not in left_out and value not in (None, False, 0)
    }
    if "aliases" in model:
        values["aliases"] = model["aliases"]
    values |= {
        "full_attention_layers": shape.full_attention_layers,
        "full_numbers": shape.full_numbers,
        "published_active_params": published,
        "embeddings_counted": counted,
        "source": "config.json; counted on the model as transformers builds it",
    }
    lines = [f"{key} = {_literal(value)}" for key, value in values.items()]
    return "\n".join([f'["{name}"]', *lines, ""])


def _literal(value: Any) -> str:
    return msgspec.json.encode(value).decode()


# What the library's default shape of these leaves out, and every published file states.
_COMPLETED = {
    "ministral": {"head_dim": 128},
    "nemotron": {"head_dim": 128, "num_key_value_heads": 8},
}


def check_understood() -> int:
    """Compare what is read from numbers with the model itself, type by type."""
    transformers = require_depth()
    different = 0
    for kind in sorted(UNDERSTOOD):
        named = {"kimi_k2": "deepseek_v3"}.get(kind, kind)
        config = transformers.AutoConfig.for_model(named)
        text = {
            **config.get_text_config().to_dict(),
            "model_type": kind,
            **_COMPLETED.get(kind, {}),
        }
        try:
            read, built = (
                architecture_from_config(text),
                walk_architecture(ConfigReader(text, kind)),
            )
            found = _compare(read, built)
        except InputError as error:
            found = [str(error)]
        different += bool(found)
        print(f"{kind:14}{'; '.join(found) or 'agrees'}", flush=True)
    return 1 if different else 0


def _compare(read: Architecture, built: Architecture) -> list[str]:
    pairs = {
        "active": (read.active_params, built.active_params, AGREE),
        "total": (read.total_params or 0.0, built.total_params or 0.0, AGREE),
        "growing": (read.growing_numbers, built.growing_numbers, 0.0),
        "windowed": (read.windowed_numbers, built.windowed_numbers, 0.0),
        "window": (read.window_tokens, built.window_tokens, 0.0),
        "chunked": (read.chunked, built.chunked, 0.0),
        "attention": (read.attention_flops, built.attention_flops, 0.0),
        "layers": (read.layers, built.layers, 0.0),
        "full layers": (read.full_attention_layers, built.full_attention_layers, 0.0),
        "state": (read.state_bytes, built.state_bytes, 0.0),
    }
    return [
        f"{name} {one:.6g} read, {two:.6g} built"
        for name, (one, two, most) in pairs.items()
        if abs(one - two) > most * abs(two)
    ]


if __name__ == "__main__":
    sys.exit(main())
