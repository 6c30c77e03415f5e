"""Depth of responses as values: what may be chosen, each token, each response, all of them."""

from pathlib import Path

from msgspec import Struct

from agentdyno.measures.depth import Baselines, Convention
from agentdyno.records import BadRecord
from agentdyno_depth.records.depth import PAPER, DepthProfile, Distance, Thresholds, Work
from agentdyno_depth.records.sequences import TokenSequence


class DepthOptions(Struct, frozen=True):
    """Options of `depth`."""

    model: str = "smollm2"
    """`smollm2`, a GGUF file, a folder or a name."""
    thresholds: tuple[Thresholds, ...] = (PAPER,)
    """The first is reported as `dtr`, all of them as `sweep`."""
    distance: Distance = "jsd"
    """How far a layer is from the last one."""
    conventions: tuple[Convention, ...] = ()
    """Conventions that are compared with ours."""
    tokens: bool = False
    """Whether each token's settling depth is returned."""
    profiles: Path | None = None
    """Where to keep the profiles; None keeps none."""
    first_profile: bool = False
    """Whether the first response's profile is returned: a picture needs it."""
    limit: int | None = None
    """Only so many of the texts, from the start; None for all."""
    raw: bool = False
    """Prompts are taken as they are, without the chat template."""
    max_new_tokens: int = 256
    """How much is generated for prompts without a response."""
    temperature: float = 1.0
    """What logits are divided by while generating."""
    top_p: float = 1.0
    """Tokens that are drawn from while generating have this probability together."""
    seed: int = 0
    """Start of the random numbers while generating."""
    dtype: str | None = None
    """Type of the weights; None for float32 on a CPU, and as stored on a GPU."""
    device: str | None = None
    """cpu or cuda; None takes a GPU where there is one."""
    record: Path | None = None
    """Where to write each response as it is done, to go on from; None writes nothing."""
    readout: str | None = None
    """A family that is declared by hand; None goes by the model's type."""


class TokenDepth(Struct, frozen=True):
    """One generated token."""

    token_id: int
    """Its number in the vocabulary."""
    token: str
    settling_depth: int
    """The first layer that is within g of the last one."""
    deep: bool
    """Whether that is a deep layer."""
    log_prob: float
    """Natural logarithm of its probability."""


class SequenceDepth(Struct, frozen=True):
    """One response."""

    id: str
    """Name of the line in the input file."""
    dtr: float | None
    """Share of deep tokens under the first thresholds; None for a response without tokens."""
    baselines: Baselines
    """Length and confidence of the response."""
    sweep: tuple[tuple[Thresholds, float | None], ...]
    """The ratio under each pair of thresholds."""
    tokens: tuple[TokenDepth, ...] | None
    """Every token, where that was asked for."""
    record: TokenSequence | None = None
    """The tokens that were read, and how the prompt was made; None for recorded profiles."""
    response: str | None = None
    """The text without special tokens, where it was generated now."""
    ended: bool | None = None
    """Whether an end token closed it, where it was generated now."""
    correct: bool | None = None
    """Whether the answer is right, where the input says so."""
    level: str | None = None
    """Its reasoning level, where the input says so."""
    deep: str | None = None
    """A digit for each token: 1 where it is deep under the first thresholds."""


class DepthResult(Struct, frozen=True):
    """All responses."""

    model: str
    """As the user named it."""
    layers: int
    cut: int
    """The first deep layer under the first thresholds."""
    distance: Distance
    """The distance that was used."""
    sequences: tuple[SequenceDepth, ...]
    """The responses, in the order of the lines."""
    work: Work | None
    """What the labels cost; None where whole profiles were computed."""
    bad: tuple[BadRecord, ...]
    """Lines that could not be read."""
    profiles: tuple[DepthProfile, ...] | None = None
    """The whole profiles, where they were computed."""
    by_convention: dict[Convention, list[float | None]] = {}
    """The ratio of every response under other conventions."""
    first: DepthProfile | None = None
    """The first response's, where it was requested or computed anyway; of its first tokens only,
    where the others' were not computed."""
