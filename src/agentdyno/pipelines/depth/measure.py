"""Depth and its baselines for texts: with the model, or again from recorded profiles."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agentdyno.metrics.depth import (
    baselines,
    deep_thinking_ratio,
    deep_tokens,
    settling_depths,
)
from agentdyno.pipelines.depth.texts import Text, prompt_ids, read_texts, response_ids
from agentdyno.records import InputError
from agentdyno.records.depth import (
    DepthLabels,
    DepthProfile,
    cut_layer,
)
from agentdyno.studies.depth.results import DepthOptions, DepthResult, SequenceDepth, TokenDepth


def measure_depth(texts: Path, options: DepthOptions) -> DepthResult:
    """Runs the model over the texts."""
    from agentdyno.probes.loading import open_model

    named, bad = read_texts(texts)
    named = named[: options.limit]
    opened = open_model(options.model, options.dtype, options.device, options.readout)
    sequences = _sequences(opened, named, options)
    names = [name for name, _ in named]
    first: DepthProfile | None = None
    if wants_profiles(options):
        from agentdyno.probes.profiles import record_profiles

        profiles = record_profiles(opened, sequences, names, distances=(options.distance,))
        found = [from_profile(profile, options) for profile in profiles]
        kept, work, first = tuple(profiles), None, profiles[0]
    else:
        from agentdyno.probes.profiles import label_sequences

        labelled = label_sequences(opened, sequences, options.thresholds, names)
        found = [_from_labels(labels) for labels in labelled.labels]
        kept, work = None, labelled.work
        if options.first_profile:
            first = _first_profile(opened, sequences, names)
    told = _with_texts(found, [text for _, text in named], sequences, opened.tokenizer)
    return DepthResult(
        model=options.model,
        layers=opened.layers,
        cut=cut_layer(opened.layers, options.thresholds[0].rho),
        distance=options.distance,
        sequences=told,
        work=work,
        bad=tuple(bad),
        profiles=kept,
        first=first,
    )


def replay_depth(profiles: Sequence[DepthProfile], options: DepthOptions) -> DepthResult:
    """The same from recorded profiles, without the model."""
    if not profiles:
        raise InputError("expected at least one profile, found none.")
    missing = [p.sequence_id for p in profiles if options.distance not in p.distances]
    if missing:
        known = ", ".join(profiles[0].distances)
        raise InputError(f"expected profiles with '{options.distance}', they hold: {known}.")
    return DepthResult(
        model=profiles[0].model,
        layers=profiles[0].layers,
        cut=cut_layer(profiles[0].layers, options.thresholds[0].rho),
        distance=options.distance,
        sequences=tuple(from_profile(profile, options) for profile in profiles),
        work=None,
        bad=(),
        profiles=tuple(profiles),
        first=profiles[0],
    )


def wants_profiles(options: DepthOptions) -> bool:
    """Whether labels are not enough: tokens and other distances need all layers."""
    return bool(options.tokens or options.profiles or options.distance != "jsd")


def from_profile(profile: DepthProfile, options: DepthOptions) -> SequenceDepth:
    """One response's measures, from its profile."""
    distances = profile.distances[options.distance]
    sweep = tuple(
        (pair, deep_thinking_ratio(deep_tokens(distances, pair))) for pair in options.thresholds
    )
    return SequenceDepth(
        id=profile.sequence_id,
        dtr=sweep[0][1],
        baselines=baselines(profile.confidence),
        sweep=sweep,
        tokens=_tokens(profile, options) if options.tokens else None,
    )


def _from_labels(labels: DepthLabels) -> SequenceDepth:
    ratios = [deep_thinking_ratio(row) for row in labels.deep]
    return SequenceDepth(
        id=labels.sequence_id,
        dtr=ratios[0],
        baselines=baselines(labels.confidence),
        sweep=tuple(zip(labels.thresholds, ratios, strict=True)),
        tokens=None,
    )


def _tokens(profile: DepthProfile, options: DepthOptions) -> tuple[TokenDepth, ...]:
    distances = profile.distances[options.distance]
    depths = settling_depths(distances, options.thresholds[0].g).tolist()
    cut = cut_layer(profile.layers, options.thresholds[0].rho)
    texts = profile.tokens or ("",) * len(depths)
    return tuple(
        TokenDepth(token, text, depth, depth >= cut, log_prob)
        for token, text, depth, log_prob in zip(
            profile.token_ids.tolist(),
            texts,
            depths,
            profile.confidence.log_probs.tolist(),
            strict=True,
        )
    )


def _sequences(opened: Any, named: list[tuple[str, Text]], options: DepthOptions) -> list[Any]:
    """Token sequences; responses that are missing are generated, all together."""
    from agentdyno.probes.generating import Batch, Sampling
    from agentdyno.probes.recording import TokenSequence

    tokenizer = opened.tokenizer
    prompts = [prompt_ids(tokenizer, text.prompt, options.raw) for _, text in named]
    responses = [
        None if text.response is None else response_ids(tokenizer, text.response)
        for _, text in named
    ]
    missing = [index for index, response in enumerate(responses) if response is None]
    sampling = Sampling(options.temperature, options.top_p, options.seed)
    for start in range(0, len(missing), GENERATED_TOGETHER):
        some = missing[start : start + GENERATED_TOGETHER]
        batch = Batch(opened, [prompts[index] for index in some], sampling)
        batch.advance(options.max_new_tokens)
        for index, sequence in zip(some, batch.sequences(), strict=True):
            responses[index] = sequence.response
    return [
        TokenSequence(prompt, response or ())
        for prompt, response in zip(prompts, responses, strict=True)
    ]


GENERATED_TOGETHER = 32


def _first_profile(opened: Any, sequences: list[Any], names: list[str]) -> DepthProfile:
    """Of the first response that has any tokens, as many as a picture shows."""
    from agentdyno.probes.profiles import record_profiles
    from agentdyno.probes.recording import TokenSequence

    place = next((index for index, each in enumerate(sequences) if each.response), 0)
    whole = sequences[place]
    shown = TokenSequence(whole.prompt, whole.response[:PICTURE_TOKENS])
    return record_profiles(opened, [shown], [names[place]])[0]


PICTURE_TOKENS = 120


def _with_texts(
    found: list[SequenceDepth], texts: list[Text], sequences: list[Any], tokenizer: Any
) -> tuple[SequenceDepth, ...]:
    from msgspec import structs

    return tuple(
        structs.replace(
            depth,
            correct=text.correct,
            level=text.level,
            response=tokenizer.decode(sequence.response) if text.response is None else None,
        )
        for depth, text, sequence in zip(found, texts, sequences, strict=True)
    )
