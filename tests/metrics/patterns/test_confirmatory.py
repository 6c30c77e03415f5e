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


def test_a_value_that_the_user_gave_is_not_the_models_own() -> None:
    assert _said("We need 3400.", "3400", ask="Is it 3,400?") == []


def test_a_value_in_the_arguments_must_be_stated_as_a_result() -> None:
    assert _said("We try n = 1000 cases.", "1000", code="n = 1000\nprint(n)") == []
    assert _said("The total is 1000.", "1000", code="assert f() == 1000\nprint(f())") == [(0, 0)]


def test_a_value_from_an_earlier_result_is_not_the_models_own() -> None:
    given = trajectory(
        "How much?",
        Turn("", [Call("get_price", {}, '{"price": 512.5}')]),
        Turn("The price is 512.5.", [Call("python", {"code": "print(p)"}, "512.5")]),
    )
    assert places("confirmatory", given) == []


def test_a_look_up_counts_only_when_it_returns_the_value_alone() -> None:
    text = "The balance should be 731.20."
    alone = trajectory("?", Turn(text, [Call("get_balance", {}, "731.20 EUR")]))
    among = trajectory("?", Turn(text, [Call("get_account", {}, '{"id": 4, "left": 731.20}')]))
    assert places("confirmatory", alone) == [(0, 0)]
    assert places("confirmatory", among) == []
