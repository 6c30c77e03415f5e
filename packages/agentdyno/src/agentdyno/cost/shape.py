"""The shape of a language model, as far as its cost of decoding is concerned.

Takes the dimensions of a model, returns how many cached numbers one decoded token reads for each
token of its context. It knows nothing of hardware, of names or of files.

A layer of full attention reads two vectors (key and value) of `kv_heads * head_dim` numbers per
context token; with multi-head latent attention one vector of `latent_dim + rope_dim` serves both.
Source: the PTE paper, section 3.3, with the real attention width instead of `d_model * kv / q`.
Worked: Qwen3-32B reads 2 * 64 layers * 8 heads * 128 = 131,072 numbers per context token.
"""

import math

from msgspec import Struct

from agentdyno.cost.quantization import FULL, Precision
from agentdyno.measures.gamma import (
    count_latent_numbers,
    count_numbers,
    count_numbers_by_width,
)

BYTES_PER_NUMBER = 2
"""The cache is taken to hold 16-bit numbers, as in the paper."""


class StandIn(Struct, frozen=True):
    """Values of a proxy, taken as a median over real models instead of from dimensions."""

    members: tuple[str, ...]
    """The models the medians were taken over."""
    growing_numbers: float
    """Median of what they read per context token and active parameter, times the proxy's own."""
    windowed_numbers: float
    """The same for what they read up to a window."""
    paper_numbers: float
    """The same by the paper's formula."""


class Architecture(Struct, frozen=True, forbid_unknown_fields=True):
    """One model's shape. Layers neither full nor windowed keep a state of fixed size, or none."""

    name: str
    """How the registry and the command line call it: lower case, `qwen3-32b`."""
    family: str
    """The line of models it belongs to: `qwen3`, `deepseek-v3`; from a config, its `model_type`."""
    layers: int
    """Transformer layers, of every kind."""
    full_attention_layers: int
    """Layers that read the whole context for each decoded token."""
    hidden_size: int
    """Width of the residual stream, `d_model`."""
    query_heads: int
    """Attention heads of the queries."""
    kv_heads: int
    """Heads of keys and values; fewer than `query_heads` with grouped queries."""
    head_dim: int
    """Width of one head; not always `hidden_size / query_heads`."""
    active_params: float
    """Parameters that one prefilled token is multiplied with: neither the input embedding, which is
    a lookup, nor the output head, which is computed for sampled tokens alone. One convention."""
    source: str
    """Where the figures come from, and how the active parameters were counted."""
    window_layers: int = 0
    """Layers that read at most `window_tokens`: sliding, chunked or top-k attention."""
    window_tokens: int = 0
    """The most those layers read; 0 when there are none."""
    chunked: bool = False
    """True when the window starts anew every `window_tokens`, as in Llama 4, instead of sliding."""
    full_numbers: int | None = None
    """Cached numbers of one token over all layers that read the whole context, where the layers
    differ in width; None: they are alike, and the dimensions give it."""
    window_numbers: int | None = None
    """The same over the layers with a window."""
    kept_numbers: int | None = None
    """Numbers that memory keeps of each token for good, where that is not what is read: top-k
    attention keeps all and reads few, layers that share a cache read it and keep nothing."""
    kept_window_numbers: int | None = None
    """The same of each token inside the window."""
    full_pair_flops: float | None = None
    """FLOPs of a prefilled token and one that it attends to, over all layers that look at the whole
    context, where the dimensions do not give it: heads of several widths, keys that pick tokens."""
    window_pair_flops: float | None = None
    """The same over the layers with a window."""
    state_bytes: int = 0
    """Bytes of the state that layers without a cache (state-space, linear attention) keep of one
    sequence, however long it is."""
    latent_dim: int | None = None
    """Width of the compressed key-value vector; None without multi-head latent attention."""
    rope_dim: int | None = None
    """Width of the rotary key beside it; None without multi-head latent attention."""
    index_dim: int = 0
    """Width of the key by which each layer picks the tokens it reads; 0 if it reads all."""
    published_active_params: float | None = None
    """Active parameters as the publisher or the paper prints them, embeddings in or out; None: not
    known. The paper's own gammas come from these."""
    embeddings_counted: int = 0
    """How many of its two embeddings the published figure counts."""
    total_params: float | None = None
    """All parameters; None when unknown."""
    vocabulary: int = 0
    """Tokens of the output head, read for every sampled token; 0 when unknown."""
    tied_embeddings: bool = False
    """True when the output head is the input embedding: then the parameters count it once."""
    experts: int = 0
    """Routed experts of a layer; 0 without a mixture."""
    experts_per_token: int = 0
    """How many of them one token uses."""
    aliases: tuple[str, ...] = ()
    """Other names of the same shape, as providers and runners write them."""
    paper_rows: tuple[str, ...] = ()
    """The rows of the PTE paper's Table 3 that are this model."""
    paper_head_ratio: str | None = None
    """The architecture factor as printed there; wrong for Qwen2.5-32B. Shown, never used."""
    paper_gamma: float | None = None
    """The gamma as printed there. Shown and tested against, never used."""
    precision: Precision = FULL
    """Bits of its weights and of its cache, for GPU-seconds and memory; PTE counts 16 bits."""
    stand_in: StandIn | None = None
    """Set on a proxy alone: its medians replace what the dimensions would give."""

    @property
    def mixture_of_experts(self) -> bool:
        """True when far fewer parameters are active than there are."""
        return self.total_params is not None and self.active_params < 0.6 * self.total_params

    @property
    def head_params(self) -> float:
        """Parameters of the output head: a step multiplies with them where it samples a token."""
        return float(self.vocabulary * self.hidden_size)

    @property
    def routed_params(self) -> float:
        """Parameters of all routed experts; 0 without a mixture or without its figures."""
        if not self.experts or self.total_params is None:
            return 0.0
        embeddings = self.head_params * (1 if self.tied_embeddings else 2)
        idle = max(self.total_params - embeddings - self.active_params, 0.0)
        return idle / (1 - self.experts_per_token / self.experts)

    def step_bytes(self, tokens: float) -> float:
        """Bytes of the weights that a step over this many tokens must load: experts are hit at
        random. Worked: GPT-OSS-120B, 36 layers of experts in 4.25 bits: 64 GB in a large step,
        where 16 bits would be 233."""
        always_loaded, routed = self._touched(tokens)
        bits = always_loaded * self.precision.weights + routed * self.precision.expert_bits
        return bits / 8 + self.head_params * BYTES_PER_NUMBER

    def _touched(self, tokens: float) -> tuple[float, float]:
        """Parameters of a step outside the routed experts, and inside them; the head apart."""
        routed = self.routed_params
        if not routed:
            return self.active_params, 0.0
        share: float = self.experts_per_token / self.experts
        missed: float = (1 - share) ** tokens
        return self.active_params - routed * share, routed * (1 - missed)

    @property
    def weight_bytes(self) -> float:
        """All weights in memory, both embeddings included."""
        copies = 1 if self.tied_embeddings else 2
        always_loaded, routed = self._touched(math.inf)
        is_described = (
            self.total_params is None or self.routed_params or not self.mixture_of_experts
        )
        if not is_described and self.total_params is not None:
            # A mixture whose experts are not described: all of its parameters lie in memory.
            always_loaded = self.total_params - self.head_params * copies
        bits = always_loaded * self.precision.weights + routed * self.precision.expert_bits
        return bits / 8 + self.head_params * copies * BYTES_PER_NUMBER

    def cache_split(self, gpus: int) -> int:
        """Over how many of the cards one token's cache is divided; the others hold copies."""
        return 1 if self.latent_dim is not None else min(gpus, self.kv_heads)

    @property
    def cache_number_bytes(self) -> float:
        """Bytes of one cached number."""
        return self.precision.cache / 8

    @property
    def cache_groups(self) -> int:
        """Groups of layers whose cache an engine keeps apart: layers of one kind, all groups of
        the size of the rarer kind. Worked: 5 full layers and 29 with a window make 1 + 6."""
        full, windowed = self.full_attention_layers, self.window_layers
        if not full or not windowed:
            return 1
        rarer = min(full, windowed)
        return -(-full // rarer) + -(-windowed // rarer)

    @property
    def attention_flops(self) -> float:
        """FLOPs of one layer for one pair of a prefilled token and a token it attends to. With a
        latent cache each head's key is wider than its value, by the rotary part."""
        return 2.0 * self.query_heads * (2 * self.head_dim + (self.rope_dim or 0))

    @property
    def full_attention_flops(self) -> float:
        """FLOPs of one pair over all layers that look at the whole context."""
        if self.full_pair_flops is not None:
            return self.full_pair_flops
        return self.attention_flops * self.full_attention_layers

    @property
    def window_attention_flops(self) -> float:
        """The same over the layers with a window."""
        if self.window_pair_flops is not None:
            return self.window_pair_flops
        return self.attention_flops * self.window_layers

    @property
    def numbers_per_layer(self) -> int:
        """Cached numbers of one token in one attention layer."""
        if self.latent_dim is not None:
            return count_latent_numbers(1, self.latent_dim, self.rope_dim or 0)
        return count_numbers_by_width(1, self.kv_heads, self.head_dim)

    @property
    def growing_numbers(self) -> float:
        """Cached numbers read per decoded token for each token of context, without limit."""
        if self.stand_in is not None:
            return self.stand_in.growing_numbers
        if self.full_numbers is not None:
            return self.full_numbers
        return self.full_attention_layers * self.numbers_per_layer + self.layers * self.index_dim

    @property
    def windowed_numbers(self) -> float:
        """The same for the layers with a window: for each token of context inside the window."""
        if self.stand_in is not None:
            return self.stand_in.windowed_numbers
        if self.window_numbers is not None:
            return self.window_numbers
        return self.window_layers * self.numbers_per_layer

    @property
    def kept_growing_numbers(self) -> float:
        """Numbers by which memory fills with each token, without limit. Worked: DeepSeek V3.2 reads
        2,048 tokens and keeps all: 61 layers of 576 and a key of 128 are 42,944 numbers."""
        return self.growing_numbers if self.kept_numbers is None else self.kept_numbers

    @property
    def kept_windowed_numbers(self) -> float:
        """The same for each token inside the window."""
        window_numbers = self.kept_window_numbers
        return self.windowed_numbers if window_numbers is None else window_numbers

    @property
    def state_numbers(self) -> float:
        """Numbers that a decoded token moves for layers with a state: each is read and written."""
        return 2 * self.state_bytes / BYTES_PER_NUMBER

    def count_window_reads(self, context: float) -> float:
        """Tokens of a context that a layer with a window reads. Worked, chunks of 8,192: at 10,000
        tokens a chunked layer reads 1,808, a sliding one 8,192."""
        if self.chunked and self.window_tokens:
            return context % self.window_tokens
        return min(context, self.window_tokens)

    @property
    def paper_numbers(self) -> float:
        """The paper's count: every layer in full, and `d_model * kv / q` as the width."""
        if self.stand_in is not None:
            return self.stand_in.paper_numbers
        if self.latent_dim is not None:
            return self.layers * self.numbers_per_layer
        return count_numbers(self.layers, self.hidden_size, self.kv_heads, self.query_heads)

    @property
    def kv_bytes_per_token(self) -> float:
        """Bytes by which the cache that is read grows with each further token of context."""
        return BYTES_PER_NUMBER * self.growing_numbers
