"""Calls that answer a failure: a call in, the failed calls that it reacts to out.

A call of the next turn that tries again what had failed, or had found nothing, was chosen for that:
it names the same file or thing, or runs the same program. So does one that names what the failure
put in quotes: `No module named 'pytz'`, then `pip install pytz`.
"""

from collections.abc import Iterator

from agentdyno.matching.appearances import Appearances
from agentdyno.matching.distinct_tokens import argument_tokens, weight
from agentdyno.matching.failing import find_quoted, is_nothing
from agentdyno.matching.paths import paths_of

LEAST = 0.4
"""Weight of a word that two calls must share."""
WORN = 0.4
"""Share of the calls beyond which a word, such as the folder of all of them, proves nothing."""
AGAIN = "it tries again what had failed"
LOOKS_AGAIN = "it looks again for what was not found"


def find_retried_calls(index: Appearances, target: int) -> Iterator[tuple[int, str, str]]:
    """The failed calls of the turn before which the target reacts to, with what they share."""
    for source in _just_before(index, target):
        result = index.calls[source].result
        text = index.parts[result].text if result is not None else ""
        looks = index.effects[source].action == "reads"
        if (
            looks
            and _INFORMATIVE.intersection(index.effects[source].programs)
            and not is_nothing(text)
        ):
            continue  # They end with 1 where they found a difference.
        if looks and is_nothing(text):
            if index.effects[target].action == "reads":
                shared = _share(index, source, target)
                if shared is not None:
                    yield source, shared, LOOKS_AGAIN
        elif index.failed[source]:
            named = _name(index, target)
            if reported := sorted(find_quoted(text) & named - _name(index, source)):
                yield source, reported[0], "its failure named this"
            elif (shared := _share(index, source, target)) is not None:
                yield source, shared, AGAIN


def _just_before(index: Appearances, target: int) -> list[int]:
    """The calls of the nearest earlier turn that made any."""
    turn = index.calls[target].turn
    positions: list[int] = []
    for position in range(target - 1, -1, -1):
        produced = index.calls[position].turn
        if produced == turn:
            continue
        if produced < turn - 1 or (positions and produced != index.calls[positions[0]].turn):
            break
        positions.append(position)
    return positions


def _share(index: Appearances, source: int, target: int) -> str | None:
    """A file, a weighty word or a program that both name."""
    names, other = _names(index, source), _names(index, target)
    if both := sorted(names & other, key=lambda name: (-weight(name), name)):
        return both[0]
    programs = index.effects[source].programs[-1:] + index.effects[source].programs[:1]
    same = [p for p in programs if p in index.effects[target].programs and p not in _PLAIN]
    return same[0] if same else None


_INFORMATIVE = frozenset(["diff", "cmp", "git diff", "test"])
"""Programs whose exit code is their answer."""
_PLAIN = frozenset(["head", "tail", "cat", "ls", "cd", "python", "node", "bash", "echo", "sed"])
"""Programs that are run for anything."""


def _names(index: Appearances, position: int) -> set[str]:
    files = {
        p.rpartition("/")[2] for v in index.arguments[position] for p, _, _ in paths_of(v[:4_000])
    }
    often = max(3, WORN * len(index.calls))
    heavy = {
        token
        for token in _name(index, position)
        if weight(token) >= LEAST and "/" not in token and index.count(token) <= often
    }
    return {name for name in files if "." in name.strip(".")} | heavy


def _name(index: Appearances, position: int) -> set[str]:
    return {t for value in index.arguments[position] for t in argument_tokens(value[:2_000])}
