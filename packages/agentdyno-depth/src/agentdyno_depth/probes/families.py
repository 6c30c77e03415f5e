"""Where each family of models keeps what a depth probe needs.

Takes a Hugging Face causal model, returns its layers and its `Readout`. A new family is a sibling
class that overrides what differs from Llama's layout; nothing else changes. A model of an unknown
family can be declared by hand (`Declared`).
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from agentdyno.records import InputError
from agentdyno_depth.probes.readout import Readout


class Family:
    """Llama's layout: `model.layers`, `model.norm`, an unembedding without bias, plain logits."""

    model_types: ClassVar[tuple[str, ...]] = ()
    """The `model_type` of the configurations it fits."""
    in_pieces: ClassVar[bool] = True
    """Whether a sequence may go through in pieces: a layer with a running state, as the library
    writes it, goes on from its cache by single tokens alone."""

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
    """Llama and what shares its layout: SmolLM2, the DeepSeek-R1 distillations, Olmo, Phi 3 and 4,
    StarCoder 2, GLM 4, Nemotron, EXAONE 4."""

    model_types = (
        "llama", "olmo", "olmo2", "olmo3", "phi3", "phimoe", "smollm3", "seed_oss", "starcoder2",
        "glm", "glm4", "glm4_moe", "nemotron", "exaone4", "exaone_moe",
    )  # fmt: skip


class Mistral(Family):
    """Mistral, Ministral and Mixtral."""

    model_types = ("mistral", "ministral", "mixtral")


class Qwen(Family):
    """Qwen 2 and 3, dense and with experts."""

    model_types = ("qwen2", "qwen2_moe", "qwen3", "qwen3_moe")


class QwenNext(Family):
    """Qwen 3 with linear attention in most layers."""

    model_types = ("qwen3_next",)
    in_pieces = False


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


class Llama4(Family):
    """Llama 4: its text model, alone or inside the one with vision."""

    model_types = ("llama4_text", "llama4")

    def decoder(self, model: Any) -> Any:
        return getattr(model, "language_model", model).model


class Phi(Family):
    """Phi 1 to 2: the norm has another name, the unembedding a bias."""

    model_types = ("phi",)

    def norm(self, model: Any) -> Any:
        return self.decoder(model).final_layernorm


class Gpt2(Family):
    """GPT-2, and Falcon, which keeps its names."""

    model_types = ("gpt2", "falcon")

    def decoder(self, model: Any) -> Any:
        return model.transformer

    def layers(self, model: Any) -> Sequence[Any]:
        layers: Sequence[Any] = self.decoder(model).h
        return layers

    def norm(self, model: Any) -> Any:
        return self.decoder(model).ln_f


class NemotronH(Family):
    """Nemotron with state-space layers: a layer is one mixer, and each counts."""

    model_types = ("nemotron_h",)
    in_pieces = False

    def norm(self, model: Any) -> Any:
        return self.decoder(model).norm_f


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
        self,
        decoder: str,
        norm: str,
        layers: str | None = None,
        scale: float = 1.0,
        soft_cap: float | None = None,
    ) -> None:
        self._decoder, self._norm, self._scale, self._soft_cap = decoder, norm, scale, soft_cap
        self._layers = layers or f"{decoder}.layers"

    def decoder(self, model: Any) -> Any:
        return _attribute(model, self._decoder)

    def layers(self, model: Any) -> Sequence[Any]:
        found: Sequence[Any] = _attribute(model, self._layers)
        return found

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
    QwenNext(),
    GptOss(),
    DeepSeek(),
    Gemma(),
    Gemma3WithVision(),
    Llama4(),
    Phi(),
    Gpt2(),
    NemotronH(),
    GptNeoX(),
    Cohere(),
    Granite(),
)


def family_of(model: Any, declaration: str | None = None) -> Family:
    """The adapter that fits the model, or the one that the user declares."""
    if declaration is not None:
        return parse_declaration(declaration)
    model_type = str(getattr(model.config, "model_type", "unknown"))
    for family in FAMILIES:
        if model_type in family.model_types:
            return family
    known = ", ".join(name for family in FAMILIES for name in family.model_types)
    raise InputError(
        f"No adapter for models of type '{model_type}'. Known: {known}.\n"
        "Declare the family with --readout 'decoder=model,layers=model.layers,norm=model.norm,"
        "scale=1,soft_cap=none': the module that turns tokens into states, where its layers and "
        "its final norm are, and what happens to logits."
    )


KEYS = ("decoder", "layers", "norm", "scale", "soft_cap")


def parse_declaration(text: str) -> Declared:
    """A family from `decoder=model,layers=model.layers,norm=model.norm,scale=1,soft_cap=none`."""
    pairs = dict(pair.split("=", 1) for pair in text.split(",") if "=" in pair)
    if set(pairs) - set(KEYS) or not {"decoder", "norm"} <= set(pairs):
        raise InputError(
            "--readout: expected decoder=PATH,norm=PATH and perhaps layers=PATH (DECODER.layers "
            f"unless given), scale=NUMBER,soft_cap=NUMBER, found '{text}'."
        )
    cap = pairs.get("soft_cap", "none")
    try:
        return Declared(
            pairs["decoder"],
            pairs["norm"],
            pairs.get("layers"),
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
