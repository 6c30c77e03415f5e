"""Puts a meter together from what the user chose: engines, prices and token counters."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from agentdyno.cost.engines import Engines, MeterOptions
from agentdyno.cost.metering import Meter
from agentdyno.cost.token_calibration import calibration_of
from agentdyno.intake.counting import Counter
from agentdyno.intake.vocabularies import Vocabulary, load_tokenizer, vocabulary_of
from agentdyno.records import InputError


@lru_cache(maxsize=4)
def build_meter(options: MeterOptions) -> Meter:
    """The meter; raises an `InputError` when a name or a file is wrong."""
    counters = _Counters(options.tokenizer)
    return Meter(
        engine=Engines(options).of,
        count=counters.count,
        count_source=lambda model: counters.vocabulary(model).source,
        cache=options.cache,
        exact=options.count == "exact",
        # A user's own vocabulary is the model's: there is nothing to correct.
        calibrate=calibration_of if options.tokenizer is None else lambda model: None,
    )


class _Counters:
    """Counters by vocabulary; a vocabulary is loaded when the first text needs it."""

    def __init__(self, tokenizer: str | None) -> None:
        self._forced = _from_file(tokenizer) if tokenizer else None
        self._known: dict[str, Counter] = {}

    def vocabulary(self, model: str | None) -> Vocabulary:
        return self._forced or vocabulary_of(model)

    def count(self, model: str | None, texts: Sequence[str]) -> list[int]:
        vocabulary = self.vocabulary(model)
        counter = self._known.get(vocabulary.name)
        if counter is None:
            counter = self._known[vocabulary.name] = Counter(vocabulary)
        return counter.count(texts)


def _from_file(tokenizer: str) -> Vocabulary:
    """A user's vocabulary, loaded at once so that a wrong file is said before the work starts."""
    if not tokenizer.endswith(".json") or not Path(tokenizer).is_file():
        raise InputError(f"{tokenizer}: expected a file tokenizer.json, found none.")
    load_tokenizer(tokenizer)
    return Vocabulary(tokenizer, "counted")
