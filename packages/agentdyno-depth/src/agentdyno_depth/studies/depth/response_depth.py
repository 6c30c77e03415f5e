"""The measures of responses from what a model recorded of them: profiles or labels in.

A profile holds every layer of every token, labels hold only whether each token is deep.
"""

from collections.abc import Iterable, Sequence

from agentdyno.measures.depth import (
    Baselines,
    baselines,
    cut_layer,
    deep_thinking_ratio,
    deep_tokens,
    find_settling_depths,
    sweep,
)
from agentdyno.records import InputError
from agentdyno_depth.records.depth import Confidence, DepthLabels, DepthProfile
from agentdyno_depth.studies.depth.results import (
    DepthOptions,
    DepthResult,
    SequenceDepth,
    TokenDepth,
)


def replay_depth(profiles: Sequence[DepthProfile], options: DepthOptions) -> DepthResult:
    """The same from recorded profiles, without the model."""
    if not profiles:
        raise InputError("expected at least one profile, found none.")
    missing = [p.sequence_id for p in profiles if options.distance not in p.distances]
    if missing:
        available = ", ".join(profiles[0].distances)
        raise InputError(f"expected profiles with '{options.distance}', they hold: {available}.")
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
    """True when labels are not enough: tokens and other distances need all layers."""
    return bool(options.tokens or options.profiles or options.distance != "jsd")


def from_profile(profile: DepthProfile, options: DepthOptions) -> SequenceDepth:
    """One response's measures, from its profile."""
    distances = profile.distances[options.distance]
    ratios = sweep(distances, [(pair.g, pair.rho) for pair in options.thresholds])
    pairs = tuple((pair, ratios[pair.g, pair.rho]) for pair in options.thresholds)
    first = options.thresholds[0]
    return SequenceDepth(
        id=profile.sequence_id,
        dtr=pairs[0][1],
        baselines=baselines_of(profile.confidence),
        sweep=pairs,
        tokens=_tokens(profile, options) if options.tokens else None,
        deep=_digits(deep_tokens(distances, first.g, first.rho)),
    )


def from_labels(labels: DepthLabels) -> SequenceDepth:
    """One response's measures, from labels that were taken without its profile."""
    ratios = [deep_thinking_ratio(row) for row in labels.deep]
    return SequenceDepth(
        id=labels.sequence_id,
        dtr=ratios[0],
        baselines=baselines_of(labels.confidence),
        sweep=tuple(zip(labels.thresholds, ratios, strict=True)),
        tokens=None,
        deep=_digits(labels.deep[0]),
    )


def _digits(deep: Iterable[bool]) -> str:
    return "".join("1" if is_deep else "0" for is_deep in deep)


def baselines_of(confidence: Confidence) -> Baselines:
    """Length and confidence of one response."""
    return baselines(confidence.log_probs, confidence.entropies, confidence.self_certainties)


def _tokens(profile: DepthProfile, options: DepthOptions) -> tuple[TokenDepth, ...]:
    distances = profile.distances[options.distance]
    depths = find_settling_depths(distances, options.thresholds[0].g).tolist()
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
