"""What choosing among n samples costs, in generated tokens.

    Cons@n, Mean@n, Long@n          sum of all lengths
    Think@n, Self-Certainty@n,      sum of the kept lengths + prefix * rejected
      and any rank of a prefix
    Short@n                         sum of the kept lengths + longest kept length * rejected

Source: the deep-thinking paper, section 4. It multiplies the overheads by the number of kept
samples, which at its 50 % is the number of rejected ones; these are what was generated in vain,
so they are counted here for any share. A rejected sample that had ended before the prefix is
charged the whole prefix, as there; `count_generated` counts what it really wrote. Knows nothing of
answers.

Worked: lengths 80, 200, 120, 40 with the first and the last kept after a prefix of 50:
80 + 40 + 2 * 50 = 220, half of the 440 of decoding everything.
"""

from collections.abc import Sequence


def full_cost(lengths: Sequence[int]) -> int:
    """Every sample decoded to its end."""
    return sum(lengths)


def prefix_cost(lengths: Sequence[int], selected: Sequence[int], prefix: int | None) -> int:
    """The kept samples, and a prefix of each rejected one; without a prefix, everything."""
    if prefix is None:
        return full_cost(lengths)
    return _sum_lengths(lengths, selected) + prefix * (len(lengths) - len(selected))


def short_cost(lengths: Sequence[int], selected: Sequence[int]) -> int:
    """The kept samples, and the others until the last of these has ended."""
    longest = max(lengths[place] for place in selected)
    return _sum_lengths(lengths, selected) + longest * (len(lengths) - len(selected))


def count_generated(lengths: Sequence[int], selected: Sequence[int], stop: int | None) -> int:
    """What is really written when rejected samples stop after so many tokens, or never."""
    if stop is None:
        return full_cost(lengths)
    chosen = set(selected)
    return sum(
        length if place in chosen else min(length, stop) for place, length in enumerate(lengths)
    )


def change(cost: float, full: float) -> float:
    """Cost over the full cost, minus 1: -0.49 is 49 % less."""
    return cost / full - 1


def _sum_lengths(lengths: Sequence[int], selected: Sequence[int]) -> int:
    return sum(lengths[place] for place in selected)
