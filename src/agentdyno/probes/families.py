"""Where each family of models keeps what a depth probe needs.

Enters a Hugging Face causal model, leave its layers and its `Readout`. A new family is a sibling
class that overrides what differs from Llama's layout; nothing else changes. A model of an unknown
family can be declared by hand (`Declared`).
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from agentdyno.probes.readout import Readout
from agentdyno.records import InputError


class Family:
    """Llama's layout: `model.layers`, `model.norm`, an unembedding without bias, plain logits."""

    model_types: ClassVar[tuple[str, ...]] = ()
    """The `model_type` of the configurations it fits."""

    def decoder(self, model: Any) -> Any:
        """The part that turns token ids into states; it computes no logits."""
        return model.model

    def layers(self, model: Any) -> Sequence[Any]:
        """The transformer layers in order; what each puts out is a state."""
        layers: Sequence[Any] = self.decoder(model).layers
        return layers

    def norm(self, model: Any) -> Any:
        """The final norm."""
        return self.decoder(model).norm

    def scale(self, config: Any) -> float:
        """What logits are multiplied with."""
        return 1.0

    def soft_cap(self, config: Any) -> float | None:
        """The cap that logits approach; None when there is none."""
        return None

    def readout(self, model: Any) -> Readout:
        """The model's way from a state to logits."""
        unembedding = model.get_output_embeddings()
        config = model.config.get_text_config()
        return Readout(
            norm=self.norm(model),
            weight=unembedding.weight.detach(),
            bias=None if unembedding.bias is None else unembedding.bias.detach(),
            scale=self.scale(config),
            soft_cap=self.soft_cap(config),
        )


class Llama(Family):
    """Llama and what shares its layout: SmolLM2, the DeepSeek-R1 distillations, Olmo, Phi."""

    model_types = ("llama", "olmo", "olmo2", "olmo3", "phi3", "smollm3", "seed_oss")


class Mistral(Family):
    """Mistral, Ministral and Mixtral."""

    model_types = ("mistral", "ministral", "mixtral")


class Qwen(Family):
    """Qwen 2 and 3, dense and with experts."""

    model_types = ("qwen2", "qwen2_moe", "qwen3", "qwen3_moe")


class GptOss(Family):
    """GPT-OSS."""

    model_types = ("gpt_oss",)


class DeepSeek(Family):
    """DeepSeek with latent attention."""

    model_types = ("deepseek_v2", "deepseek_v3")


class Gemma(Family):
    """Gemma 1, 2 and 3 as text models; the second caps its logits."""

    model_types: ClassVar[tuple[str, ...]] = ("gemma", "gemma2", "gemma3_text")

    def soft_cap(self, config: Any) -> float | None:
        cap: float | None = getattr(config, "final_logit_softcapping", None)
        return cap


class Gemma3WithVision(Gemma):
    """Gemma 3 with its vision tower, of which only the language model is probed."""

    model_types = ("gemma3",)

    def decoder(self, model: Any) -> Any:
        return model.model.language_model


class GptNeoX(Family):
    """GPT-NeoX and Pythia."""

    model_types = ("gpt_neox",)

    def decoder(self, model: Any) -> Any:
        return model.gpt_neox

    def norm(self, model: Any) -> Any:
        return self.decoder(model).final_layer_norm


class Cohere(Family):
    """Command R: logits are multiplied."""

    model_types = ("cohere", "cohere2")

    def scale(self, config: Any) -> float:
        return float(config.logit_scale)


class Granite(Family):
    """Granite: logits are divided."""

    model_types = ("granite", "granitemoe")

    def scale(self, config: Any) -> float:
        return 1.0 / float(config.logits_scaling)


class Declared(Family):
    """A family the user declares: where its layers and its norm are, what happens to logits."""

    def __init__(
        self, decoder: str, norm: str, scale: float = 1.0, soft_cap: float | None = None
    ) -> None:
        self._decoder, self._norm, self._scale, self._soft_cap = decoder, norm, scale, soft_cap

    def decoder(self, model: Any) -> Any:
        return _attribute(model, self._decoder)

    def norm(self, model: Any) -> Any:
        return _attribute(model, self._norm)

    def scale(self, config: Any) -> float:
        return self._scale

    def soft_cap(self, config: Any) -> float | None:
        return self._soft_cap


FAMILIES: tuple[Family, ...] = (
    Llama(),
    Mistral(),
    Qwen(),
    GptOss(),
    DeepSeek(),
    Gemma(),
    Gemma3WithVision(),
    GptNeoX(),
    Cohere(),
    Granite(),
)


def family_of(model: Any, declaration: str | None = None) -> Family:
    """The adapter that fits the model, or the one that the user declares."""
    if declaration is not None:
        return declared(declaration)
    model_type = str(getattr(model.config, "model_type", "unknown"))
    for family in FAMILIES:
        if model_type in family.model_types:
            return family
    known = ", ".join(name for family in FAMILIES for name in family.model_types)
    raise InputError(
        f"No adapter for models of type '{model_type}'. Known: {known}.\n"
        "Declare the family with --readout 'decoder=model,norm=model.norm,scale=1,soft_cap=none': "
        "the module that holds the layers, its final norm, and what happens to logits."
    )


def declared(text: str) -> Declared:
    """A family from `decoder=model,norm=model.norm,scale=1,soft_cap=none`."""
    pairs = dict(pair.split("=", 1) for pair in text.split(",") if "=" in pair)
    unknown = set(pairs) - {"decoder", "norm", "scale", "soft_cap"}
    if unknown or not {"decoder", "norm"} <= set(pairs):
        raise InputError(
            f"--readout: expected decoder=PATH,norm=PATH and perhaps scale=NUMBER,"
            f"soft_cap=NUMBER, found '{text}'."
        )
    cap = pairs.get("soft_cap", "none")
    try:
        return Declared(
            pairs["decoder"],
            pairs["norm"],
            float(pairs.get("scale", "1")),
            None if cap == "none" else float(cap),
        )
    except ValueError:
        raise InputError(
            f"--readout: expected numbers for scale and soft_cap, got '{text}'."
        ) from None


def _attribute(model: Any, path: str) -> Any:
    found = model
    for name in path.split("."):
        if not hasattr(found, name):
            children = ", ".join(child for child, _ in found.named_children()) or "no modules"
            raise InputError(
                f"--readout: expected a module at '{path}', found no '{name}'; "
                f"there are: {children}."
            )
        found = getattr(found, name)
    return found
