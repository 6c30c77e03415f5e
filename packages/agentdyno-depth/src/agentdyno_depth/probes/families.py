"""Where a model keeps what a depth probe needs: its layers, its final norm, its way to logits.

Takes a Hugging Face causal model, returns its `Family` and its `Readout`. The parts are found by
watching the model compute a few tokens (`model_walk`), so a new family needs no adapter; what was
found must give the model's own logits, or it is refused. A model whose way to logits is another one
can be declared by hand.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_depth.probes.model_walk import TOKENS, walk_model
from agentdyno_depth.probes.readout import Readout

TOLERANCE = {torch.float32: 1e-3, torch.float16: 0.02, torch.bfloat16: 0.05}
"""The most that logits read out and the model's own may differ, as a share of their spread."""
KEYS = ("decoder", "layers", "norm", "scale", "soft_cap")
# What a config calls the factor of its logits, and how it enters.
_SCALES: dict[str, Callable[[float], float]] = {
    "logit_scale": lambda factor: factor,
    "lm_head_multiplier": lambda factor: factor,
    "logits_scaling": lambda divisor: 1.0 / divisor,
}


class Family(Struct, frozen=True):
    """The parts of one model."""

    decoder: Any
    """The module that turns token ids into states; it computes no logits."""
    layers: Sequence[Any]
    """The layers in order; what each puts out is a state."""
    norm: Any
    """The final norm."""
    scale: float = 1.0
    """What logits are multiplied with."""
    soft_cap: float | None = None
    """The cap that logits approach; None when there is none."""
    in_pieces: bool = True
    """Whether a sequence may go through in pieces: a layer with a running state, as the library
    writes it, goes on from its cache by single tokens alone."""

    def readout(self, model: Any) -> Readout:
        """The model's way from a state to logits."""
        unembedding = model.get_output_embeddings()
        bias = getattr(unembedding, "bias", None)
        return Readout(
            norm=self.norm,
            weight=unembedding.weight.detach(),
            bias=None if bias is None else bias.detach(),
            scale=self.scale,
            soft_cap=self.soft_cap,
        )


def family_of(model: Any, declaration: str | None = None) -> Family:
    """The parts as the user declares them, or as the model shows them."""
    if declaration is not None:
        return parse_declaration(model, declaration)
    try:
        walk = walk_model(model)
    except (InputError, RuntimeError, TypeError, ValueError, AttributeError) as error:
        raise _refuse(model, f"{type(error).__name__}: {error}") from None
    config = model.config.get_text_config()
    has_state = walk.other_states or any(hasattr(c, "recurrent_states") for c in walk.caches)
    family = Family(
        decoder=walk.decoder,
        layers=list(walk.layers),
        norm=walk.norm,
        scale=_find_scale(config),
        soft_cap=getattr(config, "final_logit_softcapping", None),
        in_pieces=not has_state,
    )
    _check(model, family)
    return family


def _find_scale(config: Any) -> float:
    scales = {name: getattr(config, name, None) for name in _SCALES}
    return next((_SCALES[name](float(value)) for name, value in scales.items() if value), 1.0)


def _check(model: Any, family: Family) -> None:
    """Refuse parts that do not give the model's own logits."""
    readout, outputs = family.readout(model), []

    def keep(module: Any, inputs: Any, output: Any) -> None:
        outputs.append(output if isinstance(output, torch.Tensor) else output[0])

    vocabulary = readout.weight.shape[0]
    ids = torch.arange(1, 1 + TOKENS, device=readout.weight.device).remainder(vocabulary)
    handle = family.layers[-1].register_forward_hook(keep)
    try:
        with torch.no_grad():
            expected = model(input_ids=ids[None]).logits.float()
    finally:
        handle.remove()
    ours = readout.logits(readout.normalize(outputs[-1]))
    if ours.shape != expected.shape:
        raise _refuse(model, f"logits of shape {tuple(ours.shape)}, not {tuple(expected.shape)}")
    spread = float(expected.std()) or 1.0
    error = float((ours - expected).abs().max()) / spread
    if not error <= TOLERANCE.get(readout.weight.dtype, 0.05):
        raise _refuse(model, f"other logits than the model's own, apart by {error:.3g} of a spread")


def _refuse(model: Any, problem: str) -> InputError:
    kind = str(getattr(model.config, "model_type", "unknown"))
    return InputError(
        f"No adapter for models of type '{kind}': expected layers, a final norm and an unembedding "
        f"that give the model's logits, found {problem}.\n"
        "Declare the family with --readout 'decoder=model,layers=model.layers,norm=model.norm,"
        "scale=1,soft_cap=none': the module that turns tokens into states, where its layers and "
        "its final norm are, and what happens to logits."
    )


def parse_declaration(model: Any, text: str) -> Family:
    """A family from `decoder=model,layers=model.layers,norm=model.norm,scale=1,soft_cap=none`."""
    pairs = dict(pair.split("=", 1) for pair in text.split(",") if "=" in pair)
    if set(pairs) - set(KEYS) or not {"decoder", "norm"} <= set(pairs):
        raise InputError(
            "--readout: expected decoder=PATH,norm=PATH and perhaps layers=PATH (DECODER.layers "
            f"unless given), scale=NUMBER,soft_cap=NUMBER, found '{text}'."
        )
    cap = pairs.get("soft_cap", "none")
    try:
        scale, soft_cap = float(pairs.get("scale", "1")), None if cap == "none" else float(cap)
    except ValueError:
        raise InputError(
            f"--readout: expected numbers for scale and soft_cap, got '{text}'."
        ) from None
    layers = pairs.get("layers") or f"{pairs['decoder']}.layers"
    return Family(
        decoder=_attribute(model, pairs["decoder"]),
        layers=_attribute(model, layers),
        norm=_attribute(model, pairs["norm"]),
        scale=scale,
        soft_cap=soft_cap,
    )


def _attribute(model: Any, path: str) -> Any:
    module = model
    for name in path.split("."):
        if not hasattr(module, name):
            children = ", ".join(child for child, _ in module.named_children()) or "no modules"
            raise InputError(
                f"--readout: expected a module at '{path}', found no '{name}'; "
                f"there are: {children}."
            )
        module = getattr(module, name)
    return module
