"""Depth and its baselines for texts: the model reads them, some at a time."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import structs

from agentdyno.measures.depth import Convention, cut_layer
from agentdyno.records import InputError
from agentdyno_depth.engines.chat import decode_text
from agentdyno_depth.pipelines.depth.journal import Journal
from agentdyno_depth.probes.text_files import Text, prompt_of, read_texts, response_of
from agentdyno_depth.records.depth import DepthProfile, Work
from agentdyno_depth.records.sequences import TokenSequence
from agentdyno_depth.studies.depth.response_depth import from_labels, from_profile, wants_profiles
from agentdyno_depth.studies.depth.results import DepthOptions, DepthResult, SequenceDepth

TOGETHER = 32
"""Texts that are read together; what a kill may cost."""
PICTURE_TOKENS = 500
"""Tokens of the first response that a picture may show."""

Progress = Callable[[int, int], None]
Named = list[tuple[str, Text]]


def measure_depth(
    texts: Path, options: DepthOptions, progress: Progress | None = None
) -> DepthResult:
    """Runs the model over the texts, some at a time; those that are recorded are not read again."""
    from agentdyno_depth.probes.loading import open_model

    if options.record is not None and options.profiles is not None:
        raise InputError("--record: expected no --profiles beside it: what is known is not read.")
    named, bad = read_texts(texts)
    named = named[: options.limit]
    opened = open_model(options.model, options.dtype, options.device, options.readout)
    journal = None if options.record is None else Journal(options.record, options, opened.layers)
    depths = {
        p: recorded for p, line in enumerate(named) if (recorded := _find_recorded(journal, *line))
    }
    run = _Run(opened, options)
    todo = [index for index in range(len(named)) if index not in depths]
    for start in range(0, len(todo), TOGETHER):
        some = todo[start : start + TOGETHER]
        measured = run.measure([named[index] for index in some])
        if journal is not None:
            journal.add([named[index][1] for index in some], measured)
        depths |= dict(zip(some, measured, strict=True))
        if progress:
            progress(len(depths), len(named))
    results = tuple(depths[index] for index in range(len(named)))
    return DepthResult(
        model=options.model,
        layers=opened.layers,
        cut=cut_layer(opened.layers, options.thresholds[0].rho),
        distance=options.distance,
        sequences=results,
        work=None if wants_profiles(options) else run.work,
        bad=tuple(bad),
        profiles=tuple(run.profiles) if wants_profiles(options) else None,
        by_convention=_compare_conventions(opened, results, options),
        first=_first_profile(opened, results, options),
    )


def _compare_conventions(
    opened: Any, results: Sequence[SequenceDepth], options: DepthOptions
) -> dict[Convention, list[float | None]]:
    from agentdyno_depth.probes.conventions import compare_conventions

    sequences = [row.record for row in results if row.record is not None]
    return compare_conventions(opened, sequences, options.conventions, options.thresholds[0])


def _find_recorded(journal: Journal | None, name: str, text: Text) -> SequenceDepth | None:
    return None if journal is None else journal.find(name, text)


class _Run:
    """A model at work on texts."""

    def __init__(self, opened: Any, options: DepthOptions) -> None:
        self._opened, self._options = opened, options
        self.work = Work()
        self.profiles: list[DepthProfile] = []

    def measure(self, named: Named) -> list[SequenceDepth]:
        """The measures of some texts, with the tokens that were read."""
        sequences = _sequences(self._opened, named, self._options)
        names = [name for name, _ in named]
        if wants_profiles(self._options):
            depths = self._profile(sequences, names)
        else:
            depths = self._label(sequences, names)
        return _with_texts(depths, [text for _, text in named], sequences, self._opened.tokenizer)

    def _profile(self, sequences: list[TokenSequence], names: list[str]) -> list[SequenceDepth]:
        from agentdyno_depth.probes.profiles import record_profiles

        gs = sorted({pair.g for pair in self._options.thresholds})
        distances = (self._options.distance,)
        profiles = record_profiles(self._opened, sequences, names, distances, gs)
        self.profiles += profiles
        return [from_profile(profile, self._options) for profile in profiles]

    def _label(self, sequences: list[TokenSequence], names: list[str]) -> list[SequenceDepth]:
        from agentdyno_depth.probes.profiles import label_sequences

        labelled = label_sequences(self._opened, sequences, self._options.thresholds, names)
        self.work += labelled.work
        return [from_labels(labels) for labels in labelled.labels]


def _sequences(opened: Any, named: Named, options: DepthOptions) -> list[TokenSequence]:
    """Token sequences; responses that are missing are generated together."""
    tokenizer, model = opened.tokenizer, opened.model
    prompts = [prompt_of(tokenizer, text, options.raw) for _, text in named]
    recorded = [response_of(tokenizer, model, text, options.raw) for _, text in named]
    missing = [index for index, response in enumerate(recorded) if response is None]
    names, starts = [named[p][0] for p in missing], [prompts[p][0] for p in missing]
    responses = iter(_generate(opened, names, starts, options))
    sequences = []
    for (prompt, template), response in zip(prompts, recorded, strict=True):
        if response is None:
            each_response = next(responses)
            response = each_response.response, each_response.end
        sequences.append(TokenSequence(prompt, response[0], response[1], template))
    return sequences


def _generate(
    opened: Any, names: list[str], prompts: list[tuple[int, ...]], options: DepthOptions
) -> list[TokenSequence]:
    """Each text draws by its own name, so a run that goes on draws what it would have drawn."""
    from agentdyno_depth.probes.generating import Batch, SampleKey, Sampling, uniforms

    if not prompts:
        return []
    sampling = Sampling(options.temperature, options.top_p, options.seed)
    draws = uniforms([SampleKey(name, 0) for name in names], options.seed, options.max_new_tokens)
    batch = Batch(opened, prompts, sampling, uniform=draws)
    batch.advance(options.max_new_tokens)
    return batch.sequences()


def _first_profile(
    opened: Any, results: Sequence[SequenceDepth], options: DepthOptions
) -> DepthProfile | None:
    """Of the first response that has any tokens, as many as a picture shows."""
    from agentdyno_depth.probes.profiles import record_profiles

    if not options.first_profile:
        return None
    each_response = next((item for item in results if item.record and item.record.response), None)
    if each_response is None or each_response.record is None:
        return None
    pictured = TokenSequence(
        each_response.record.prompt, each_response.record.response[:PICTURE_TOKENS]
    )
    gs = [options.thresholds[0].g]
    return record_profiles(opened, [pictured], [each_response.id], (options.distance,), gs)[0]


def _with_texts(
    depths: list[SequenceDepth], texts: list[Text], sequences: list[TokenSequence], tokenizer: Any
) -> list[SequenceDepth]:
    return [
        structs.replace(
            depth,
            record=sequence,
            correct=text.correct,
            level=text.level,
            response=decode_text(tokenizer, sequence.response) if text.response is None else None,
            ended=sequence.end is not None if text.response is None else None,
        )
        for depth, text, sequence in zip(depths, texts, sequences, strict=True)
    ]
