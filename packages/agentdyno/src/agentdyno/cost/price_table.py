"""The models of one seller by every name that is theirs, and by none that only looks alike.

Takes tariffs with their names, finds one by a name as users write it: a date, `latest` and the like
may follow, any other word, version or size may not. It knows no seller.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator

from agentdyno.cost.model_names import name_variants
from agentdyno.cost.prices import Tariff

Tokens = tuple[str, ...]

SAME_PRICE = frozenset({"latest", "beta"})
"""Words at the end of a name that do not change the price. `preview` may, and so may `turbo`."""
SAME_PRICE_OF_CLAUDE = SAME_PRICE | {"thinking"}
"""Elsewhere a model that thinks can be another one, at another price."""
SAME_PRICE_OF_STEM = SAME_PRICE | {"preview", "exp", "experimental"}
"""Suffixes allowed where a list itself gives only the beginning of a name."""

_DATE = re.compile(r"\d{3,8}")


class PriceTable:
    def __init__(self) -> None:
        self.tariffs: list[Tariff] = []
        self._exact: dict[str, Tariff] = {}
        self._names: dict[Tokens, list[Tariff]] = defaultdict(list)
        self._stems: dict[Tokens, list[Tariff]] = defaultdict(list)
        self._undated: dict[Tokens, list[Tariff]] = defaultdict(list)

    def add(self, tariff: Tariff, names: Collection[str], stems: Collection[str] = ()) -> None:
        """Lists a model; the first that claims a name keeps it."""
        self.tariffs.append(tariff)
        for name in names:
            self._exact.setdefault(name.lower(), tariff)
        for name in (*names, *stems):
            tokens = tokenize_name(name)
            self._names[tokens].append(tariff)
            self._undated[cut_end(tokens, frozenset())].append(tariff)
        for stem in stems:
            self._stems[tokenize_name(stem)].append(tariff)

    def find(self, name: str) -> Tariff | None:
        """The model of that name; None where none has it, or several at different prices."""
        exact = self._exact.get(name.lower())
        return exact or next(filter(None, self._look_up(tokenize_name(name))), None)

    def _look_up(self, tokens: Tokens) -> Iterator[Tariff | None]:
        """From the whole name to the shortest beginning of it that can mean the same model."""
        words = SAME_PRICE_OF_CLAUDE if tokens[:1] == ("claude",) else SAME_PRICE
        for short in _shorten(tokens, words):
            # A date may be dropped where all dates of a model cost the same.
            if not _has_date(tokens[len(short) :]) or _only(self._undated.get(short, [])):
                yield _only(self._names.get(short, []))
        for short in _shorten(tokens, words | SAME_PRICE_OF_STEM):
            yield _only(self._stems.get(short, []))


def tokenize_name(name: str) -> Tokens:
    """The tokens of a name; `claude-3-5-haiku` and `claude-haiku-3-5` have the same."""
    tokens = next(name_variants(name, frozenset()))
    version = next((i for i, token in enumerate(tokens[1:], 1) if not token.isdigit()), 0)
    if tokens[:1] != ("claude",) or version < 2:
        return tokens
    family, *suffix = tokens[version:]
    follows_version = bool(suffix) and suffix[0].isdigit() and not _DATE.fullmatch(suffix[0])
    return tokens if follows_version else ("claude", family, *tokens[1:version], *suffix)


def cut_end(tokens: Tokens, words: frozenset[str]) -> Tokens:
    """The tokens without dates, and without these words, at their end."""
    *_, shortest = _shorten(tokens, words)
    return shortest


def _shorten(tokens: Tokens, words: frozenset[str]) -> Iterator[Tokens]:
    yield tokens
    while len(tokens) > 1 and (tokens[-1] in words or _DATE.fullmatch(tokens[-1])):
        tokens = tokens[:-1]
        yield tokens


def _has_date(tokens: Tokens) -> bool:
    return any(map(_DATE.fullmatch, tokens))


def _only(tariffs: list[Tariff]) -> Tariff | None:
    """The tariff, where all of them have the same terms."""
    same = tariffs and all(tariff.terms == tariffs[0].terms for tariff in tariffs)
    return tariffs[0] if same else None
