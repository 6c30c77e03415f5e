"""The bundled questions: their answers worked out again, by brute force where that is possible."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from agentdyno_bench.pte import tools
from agentdyno_bench.pte.tir.benchmarks import BENCHMARKS
from agentdyno_bench.pte.tir.loading import load_problems


def in_lowest_terms(good: int, all_: int) -> int:
    chance = Fraction(good, all_)
    return chance.numerator + chance.denominator


def is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


def linear(first: int, second: int, a: int, b: int, count: int) -> int:
    """The term number `count` of x(k+2) = a x(k+1) + b x(k)."""
    x, y = first, second
    for _ in range(count - 1):
        x, y = y, a * y + b * x
    return x


def tilings(width: int) -> int:
    """Columns closed by an upright domino, by two lying ones, or by a square."""
    return 1 if width in (0, 1) else tilings(width - 1) + 2 * tilings(width - 2)


ROWS = range(1, 61)
BANANA = {p for p in itertools.permutations("BANANA") if "AA" not in "".join(p)}

MATH: list[Callable[[], object]] = [
    lambda: 14 * 18 - 37,
    lambda: math.gcd(252, 198),
    lambda: Fraction(72 * 3 // 8, 72 - 9),
    lambda: next(x for x in range(-99, 99) if 3 * x - 7 == 2 * (x + 4)),
    lambda: (lambda f: f(f(2)))(lambda x: 2 * x * x - 5 * x + 1),
    lambda: sum(x for x in range(-99, 99) if abs(2 * x - 9) == x + 3),
    lambda: "x^3-8",
    lambda: 7**100 % 13,
    lambda: sum(n % 6 == 0 and n % 4 != 0 for n in range(1, 1000)),
    lambda: next(n for n in itertools.count(1) if not is_prime(n * n + n + 41)),
    lambda: Fraction(sum(a * b % 6 == 0 for a in range(1, 7) for b in range(1, 7)), 36),
    lambda: len(BANANA),
    lambda: Fraction(9 * 40, 9 + 40 + math.isqrt(9**2 + 40**2)),
    lambda: "54\\sqrt{3}",
    lambda: Fraction(11, 5),
    lambda: "\\left(4,\\frac{3\\pi}{2}\\right)",
    lambda: 48 + 57 - 29,
    lambda: 24 * 15,
    lambda: Fraction(3, 4) * 60,
    lambda: (12 * 60 + 15) - (9 * 60 + 40),
    lambda: Fraction(20, 100) * 85,
    lambda: next(x for x in range(99) if x + 13 == 41),
    lambda: (lambda a, b: 3 * a - 2 * b)(7, 4),
    lambda: 8 + 5 + 8 + 5,
    lambda: 180 - 35 - 80,
    lambda: sum(map(is_prime, range(11, 30))),
    lambda: Fraction(sum(face > 4 for face in range(1, 7)), 6),
    lambda: 100 % 7,
    lambda: 40 * Fraction(110, 100) * Fraction(75, 100),
    lambda: next(x for x in range(99) if Fraction(12 + 15 + 20 + 24 + x, 5) == 18),
    lambda: Fraction(2, 3) + Fraction(3, 5),
    lambda: Fraction(17 - 5, 4 - 1),
    lambda: next(x for x in range(99) if 2 * x + (x - 2) == 13),
    lambda: math.lcm(12, 18),
    lambda: len(list(itertools.combinations(range(9), 2))),
    lambda: "25\\pi",
    lambda: 1,
    lambda: sum(n for n in range(1, 61) if n % 4 == 0),
    lambda: sum(x * x for x in range(99) if x * x - 9 * x + 14 == 0),
    lambda: sum(len(set(str(n))) == 3 for n in range(100, 1000)),
    lambda: math.isqrt(13**2 - 5**2) - math.isqrt(13**2 - 12**2),
    lambda: sum(n * n < 50 for n in range(-99, 99)),
    lambda: Fraction(
        sum(min(p) >= 5 for p in itertools.permutations(range(11), 2)), math.perm(11, 2)
    ),
    lambda: 3**50 % 100,
    lambda: sum(a + b < 11 for a in range(1, 11) for b in range(1, 11)),
    lambda: math.comb(5, 3) * 2**3,
    lambda: "25\\pi-50",
    lambda: len({s for a in range(1, 15) for b in range(1, 15) if (s := a * a + b * b) <= 200}),
    lambda: "17+13\\sqrt{2}",
    lambda: Fraction(
        sum("".join(t).find("HH") == 4 for t in itertools.product("HT", repeat=6)), 64
    ),
]
AIME_2024: list[Callable[[], int]] = [
    lambda: sum((a * a + b * b) % 25 == 0 for a in ROWS for b in ROWS),
    lambda: sum(n for n in range(1, 2025) if set(str(n)) <= set("13579")) % 1000,
    lambda: sum(
        all(abs(x - y) != 1 for x, y in itertools.pairwise(p))
        for p in itertools.permutations(range(7))
    ),
    lambda: sum(n % math.isqrt(n) == 0 for n in range(1, 1001)),
    lambda: in_lowest_terms(
        sum("HHH" not in "".join(t) for t in itertools.product("HT", repeat=10)), 2**10
    ),
    lambda: sum(
        sum(s) % 2 == 0 and not any(13 - x in s for x in s)
        for r in range(13)
        for s in itertools.combinations(range(1, 13), r)
    ),
    lambda: next(n for n in range(1, 999) if sum(n % d == 0 for d in range(1, n + 1)) == 24),
    lambda: linear(1, 3, 3, -1, 40) % 1000,
    lambda: len({(a, b) for a in range(1, 21) for b in range(1, 21) if a <= b and a + b > 20}),
    lambda: sum(
        all(0 < g[k] + g[k + 1] + g[k + 3] + g[k + 4] < 4 for k in (0, 1, 3, 4))
        for g in itertools.product((0, 1), repeat=9)
    ),
    lambda: sum(n for n in range(1, 200) if (n * n + 5) % (n + 5) == 0),
    lambda: math.comb(40, 20) % 1000,
]
AIME_2025: list[Callable[[], int]] = [
    lambda: sum(n for n in range(10, 100) if n % 10 and n % ((n // 10) * (n % 10)) == 0),
    lambda: sum(
        max(a, b, 60 - a - b) < 30 for a in range(1, 59) for b in range(1, 60) if a + b < 60
    ),
    lambda: sum(
        {len(list(g)) % 2 for _, g in itertools.groupby(t)} == {parity}
        for t in itertools.product("01", repeat=6)
        for parity in (0, 1)
    ),
    lambda: sum(n.bit_count() for n in range(1, 256)) % 1000,
    lambda: sum((2**n + n * n) % 5 == 0 for n in range(1, 501)),
    lambda: in_lowest_terms(
        sum(t[2] - t[1] == t[1] - t[0] for t in itertools.combinations(range(20), 3)),
        math.comb(20, 3),
    ),
    lambda: sum(x * x + y * y < 200 for x in range(-20, 21) for y in range(-20, 21)),
    lambda: max(
        n
        for n in range(11, 1000, 11)
        if (zeros := sum(n // 5**k for k in (1, 2, 3, 4))) and zeros % 7 == 0
    ),
    lambda: tilings(12) % 1000,
    lambda: sum(a + b for a in range(1, 400) for b in range(1, 400) if (a + 3) * (b + 5) == 400),
    lambda: sum(k**k for k in range(1, 101)) % 1000,
    # Choose the k values that map to themselves; the others map onto these.
    lambda: sum(math.comb(5, k) * k ** (5 - k) for k in range(1, 6)),
]
WEBINSTRUCT: dict[str, Callable[[], float]] = {
    "1": lambda: 24 * 6 / 2,
    "2": lambda: 3.0e8 / 100e6,
    "3": lambda: 5.85 / 58.5 / 0.25,
    "5": lambda: 2000 * 1.05**3,
    "6": lambda: (92 - 80) / 80 * 100,
    "8": lambda: 2 * (3 * 4 - 1 * 1) - 1 * (1 * 4 - 1 * 0),
    "11": lambda: 2 * 0.4 * 0.6,
    "12": lambda: 10 / math.sqrt(25),
    "14": lambda: 6**4,
    "15": lambda: math.floor(math.log2(1000)) + 1,
}


def answers(name: str) -> list[str]:
    return [problem.answer for problem in load_problems(BENCHMARKS[name], "mini")]


@pytest.mark.parametrize("name", ["aime_2024", "aime_2025"])
def test_contest_answers_hold(name: str) -> None:
    worked = {"aime_2024": AIME_2024, "aime_2025": AIME_2025}[name]
    assert [int(a) for a in answers(name)] == [work() for work in worked]
    assert all(0 <= int(a) <= 999 for a in answers(name))


def test_mathematical_answers_hold() -> None:
    def written(value: object) -> str:
        if isinstance(value, Fraction) and value.denominator > 1:
            return f"\\frac{{{value.numerator}}}{{{value.denominator}}}"
        return str(value)

    assert answers("math_500") == [written(work()) for work in MATH]


def test_the_hexagon_the_point_and_the_product_hold() -> None:
    """The three that are not rational, by numbers."""
    assert 54 * math.sqrt(3) == pytest.approx(6 * (math.sqrt(3) / 4) * 6**2)
    assert 4 * math.cos(3 * math.pi / 2) == pytest.approx(0)
    assert 4 * math.sin(3 * math.pi / 2) == pytest.approx(-4)
    assert all((x - 2) * (x * x + 2 * x + 4) == x**3 - 8 for x in range(-9, 10))


def test_the_circles_and_the_sines_hold() -> None:
    """The four others that are not counted out, by numbers."""
    assert math.pi * (10 / 2) ** 2 == pytest.approx(25 * math.pi)
    side = 10 / math.sqrt(2)
    assert math.pi * 5**2 - side**2 == pytest.approx(25 * math.pi - 50)
    assert math.sin(math.radians(30)) + math.cos(math.radians(60)) == pytest.approx(1)
    around = [2 * math.pi * k / 100_000 for k in range(100_000)]
    largest = max(5 + 13 * math.cos(t) + 12 + 13 * math.sin(t) for t in around)
    assert largest == pytest.approx(17 + 13 * math.sqrt(2))


def test_the_roots_sum_holds() -> None:
    """1/r + 1/s + 1/t for the roots of x^3 - 6x^2 + 11x - 5, by numbers."""
    assert sum(1 / np.roots([1, -6, 11, -5])).real == pytest.approx(11 / 5)


def test_mixed_answers_hold() -> None:
    problems = {p.id: p for p in load_problems(BENCHMARKS["webinstruct"], "mini")}
    for name, work in WEBINSTRUCT.items():
        assert float(problems[name].answer.rstrip("%")) == pytest.approx(work()), name


def test_facts_can_be_found_offline() -> None:
    """Every answer stands in the corpus that search and visit have without a network."""
    folder = Path(tools.__file__).parent / "corpus" / "documents"
    texts = " ".join(file.read_text("utf-8") for file in folder.glob("*.md"))
    known = " ".join(texts.replace(",", "").split())
    wanted = [answer.removeprefix("The ").replace(",", "") for answer in answers("simpleqa")]
    assert [answer for answer in wanted if answer not in known] == []


@pytest.mark.parametrize("name", list(BENCHMARKS))
def test_every_set_is_small_complete_and_of_the_right_shape(name: str) -> None:
    problems = load_problems(BENCHMARKS[name], "mini")
    assert len(problems) == 50 if name == "math_500" else 12 <= len(problems) <= 20
    assert len({p.question for p in problems}) == len({p.id for p in problems}) == len(problems)
    if BENCHMARKS[name].level and not name.startswith("aime"):
        assert all(p.level for p in problems)
