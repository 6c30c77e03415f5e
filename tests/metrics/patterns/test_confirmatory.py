"""Confirmatory use: what counts as the same value, and as the model's own."""

import pytest

from tests.labelled import from_set
from tests.metrics.patterns.trajectories import Call, Turn, places, trajectory


def _said(text: str, result: str, code: str = "print(f())", ask: str = "How much?") -> list[object]:
    return places(
        "confirmatory", trajectory(ask, Turn(text, [Call("python", {"code": code}, result)]))
    )


@from_set("metrics/patterns/confirmatory", "stated", "returned")
def test_a_stated_value_that_comes_back_is_confirmatory(stated: str, returned: str) -> None:
    assert _said(stated, returned) == [(0, 0)]


@pytest.mark.parametrize("rows", [0, 2, 10, 30])
def test_the_last_number_counts_however_long_the_result_is(rows: int) -> None:
    table = "\n".join(f"row {n}: 2031-06-02, v4.6.{n}, {n} items" for n in range(rows))
    assert _said("It comes to 3,400 euro.", f"{table}\nfinal value: 3400.0") == [(0, 0)]
    assert _said("It comes to 3,400 euro.", f"3400.0\n{table}\nfinal value: 3500.0") == []
    words = "and so on " * 5 * rows
    assert _said("It comes to 3,400 euro.", f"final value: 3400.0 {words}") == [(0, 0)]


@from_set("metrics/patterns/confirmatory", "stated", "returned")
def test_other_values_and_small_numbers_in_passing_are_not(stated: str, returned: str) -> None:
    assert _said(stated, returned) == []
