"""Tools that do the same work: the words of their results in, groups of tools out.

Two tools do the same work when, in the trajectories that called both, the results of one mostly
repeat words that the other's results had too:

    overlap = mean over shared trajectories of |A ∩ B| / min(|A|, |B|)

Words that every tool brings (in more than half of all results) say nothing and are left out. The
measure sees words only: two tools that say the same in other words are not found.

Worked: A brings {oslo, 7, rain}, B brings {oslo, 7}: overlap 2/2 = 1.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations

from agentdyno.matching.distinct_tokens import tokens

MIN_SHARED = 3
"""Trajectories that called both, at least."""
SAME_FROM = 0.6
"""Overlap from which two tools are said to do the same work."""
COMMON_FROM = 0.5
"""Words in more than this share of all results are no information."""
LONGEST_READ = 20_000

ToolWords = dict[str, dict[str, frozenset[str]]]
"""Words of all results, by tool and by trajectory."""


def words_of(text: str) -> frozenset[str]:
    """Words of four letters and more, and numbers: the information in a result."""
    words = tokens(text[:LONGEST_READ])
    return frozenset(token for token in words if len(token) > 3 or token[0].isdigit())


def collect_words(results: Iterable[tuple[str, str, str]]) -> ToolWords:
    """(tool, trajectory, text) of every result, summed up without the common words."""
    by_tool: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    counts: Counter[str] = Counter()
    many = 0
    for tool, trajectory, text in results:
        words = words_of(text)
        by_tool[tool][trajectory] |= words
        counts.update(words)
        many += 1
    common = {word for word, times in counts.items() if times > max(COMMON_FROM * many, 1)}
    return {
        tool: {trajectory: frozenset(words - common) for trajectory, words in inside.items()}
        for tool, inside in by_tool.items()
    }


def overlap(first: dict[str, frozenset[str]], second: dict[str, frozenset[str]]) -> float | None:
    """How far two tools repeat each other; None when too few trajectories called both."""
    shared = [t for t in first if first[t] and second.get(t)]
    if len(shared) < MIN_SHARED:
        return None
    parts = [len(first[t] & second[t]) / min(len(first[t]), len(second[t])) for t in shared]
    return sum(parts) / len(parts)


def same_work(words: ToolWords) -> dict[str, tuple[str, ...]]:
    """For every tool, the others that do the same work."""
    partners: dict[str, set[str]] = defaultdict(set)
    for a, b in combinations(sorted(words), 2):
        shared = overlap(words[a], words[b])
        if shared is not None and shared >= SAME_FROM:
            partners[a].add(b)
            partners[b].add(a)
    return {tool: tuple(sorted(names)) for tool, names in partners.items()}
