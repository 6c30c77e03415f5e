"""Scores of responses that another program wrote, by reading their tokens with a local model.

Takes chats and what was served, returns token sequences and scores: of prefixes, of the whole, and
of the thinking and the answer apart. Token ids that the server gave are taken where they are the
scoring model's own; else the texts are written as that model writes them. Scores are exact where
the scoring model is the one that is served, and an approximation by a proxy where it is not.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from agentdyno_depth.engines.chat import (
    chat_ids,
    decode_text,
    end_tokens,
    first_ids,
    has_template,
    template_name,
    text_ids,
)
from agentdyno_depth.engines.thinking import (
    Chat,
    SplitText,
    opens_thinking,
    split_thinking,
    tokenize_thinking,
)
from agentdyno_depth.probes.loading import OpenModel
from agentdyno_depth.probes.profiles import label_sequences
from agentdyno_depth.probes.served import Served
from agentdyno_depth.records.depth import PAPER, Confidence, Thresholds
from agentdyno_depth.records.sequences import IDS, TokenSequence
from agentdyno_depth.records.thinking import PrefixScores


class Scored(Struct, frozen=True):
    """One response with its scores."""

    split: SplitText
    """Thinking and answer as texts."""
    sequence: TokenSequence
    """Prompt and response in tokens."""
    scores: tuple[PrefixScores, ...]
    """By prefix, as asked for."""
    thinking: PrefixScores | None
    """Of the thinking alone; None without any."""
    answer: PrefixScores | None
    """Of what came after it; None without any thinking."""


def score_served(
    opened: OpenModel,
    chat: Chat,
    served: Sequence[Served],
    prefixes: Sequence[int | None],
    thresholds: Thresholds = PAPER,
) -> list[Scored]:
    """The scores of responses to one chat."""
    read = [tokenize_served(opened, chat, each) for each in served]
    labelled = label_sequences(opened, [sequence for _, sequence, _ in read], [thresholds])
    return [
        _score(*parts, labels.deep[0], labels.confidence, prefixes)
        for parts, labels in zip(read, labelled.labels, strict=True)
    ]


def tokenize_served(
    opened: OpenModel, chat: Chat, served: Served
) -> tuple[SplitText, TokenSequence, int]:
    """A response's parts and tokens, and how many of the first are thinking."""
    tokenizer = opened.tokenizer
    templated = has_template(tokenizer)
    split = _split_served(served, templated and opens_thinking(tokenizer, chat))
    ids, thinking = tokenize_thinking(tokenizer, chat if templated else None, split, served.ended)
    prompt, template = _prompt(opened, chat), IDS
    if templated:
        template = template_name(tokenizer)
    if _own_ids(opened, served) and served.ids and served.prompt_ids:
        thinking = _move_boundary(opened, served.ids, ids, thinking)
        prompt, ids, template = served.prompt_ids, served.ids, IDS
    ends = end_tokens(tokenizer, opened.model)
    end = ids[-1] if ids and ids[-1] in ends else None
    return split, TokenSequence(prompt, ids, end, template), thinking


def _split_served(served: Served, opened: bool) -> SplitText:
    if served.thinking:
        return SplitText(served.thinking.strip("\n"), served.text.lstrip("\n"))
    return split_thinking(served.text, opened)


def _prompt(opened: OpenModel, chat: Chat) -> tuple[int, ...]:
    if has_template(opened.tokenizer):
        return chat_ids(opened.tokenizer, *chat)
    text = "".join(f"{message.text}\n\n" for message in chat[0])
    return text_ids(opened.tokenizer, text, start=True) or first_ids(opened.tokenizer)


def _own_ids(opened: OpenModel, served: Served) -> bool:
    """Whether the server's ids spell its text to the scoring model too."""
    if not served.ids or not served.prompt_ids:
        return False
    if max(*served.ids, *served.prompt_ids) >= opened.readout.vocabulary:
        return False
    return served.text.strip() in decode_text(opened.tokenizer, served.ids)


def _move_boundary(
    opened: OpenModel, given: Sequence[int], rendered_ids: Sequence[int], thinking: int
) -> int:
    """Where the thinking ends in the server's ids: as many letters follow as in those made here."""
    if not thinking:
        return 0
    letters = len(decode_text(opened.tokenizer, rendered_ids[thinking:]).strip())
    for place in range(len(given), -1, -1):
        if len(decode_text(opened.tokenizer, given[place:]).strip()) >= letters:
            return place
    return 0


def _score(
    split: SplitText,
    sequence: TokenSequence,
    thinking: int,
    deep: npt.NDArray[np.bool_],
    confidence: Confidence,
    prefixes: Sequence[int | None],
) -> Scored:
    full = len(sequence.response)
    return Scored(
        split=split,
        sequence=sequence,
        scores=tuple(_scores(deep, confidence, p, 0, full if p is None else p) for p in prefixes),
        thinking=_scores(deep, confidence, None, 0, thinking) if thinking else None,
        answer=_scores(deep, confidence, None, thinking, full) if thinking else None,
    )


def _scores(
    deep: npt.NDArray[np.bool_], confidence: Confidence, prefix: int | None, begin: int, end: int
) -> PrefixScores:
    tokens = len(deep[begin:end])
    if not tokens:
        return PrefixScores(prefix, 0, None, None, None, None)
    return PrefixScores(
        prefix=prefix,
        tokens=tokens,
        dtr=float(deep[begin:end].mean()),
        mean_log_prob=_mean(confidence.log_probs[begin:end]),
        entropy=_mean(confidence.entropies[begin:end]),
        self_certainty=_mean(confidence.self_certainties[begin:end]),
    )


def _mean(values: npt.NDArray[np.float32]) -> float:
    return float(values.astype(np.float64).mean())
