"""Near misses of what is read as swapped, as a rate, as a length and as what something is counted
by: each right answer has a wrong one beside it."""

import pytest

from agentdyno.records.failures import Label, ScriptedCall, ToolTask
from tests.metrics.failures.outside_sets import Case, label_by_rule, lookup, plain, steps

RENT = steps(
    "What does a day's bike hire cost at Velora and at Spoke, and which is cheaper?", "bike hire",
    ("17.5", "21.9"),
    (
        ScriptedCall("hire_price", {"shop": "Velora"}, {"shop": "Velora", "price_eur": 17.5}),
        ScriptedCall("hire_price", {"shop": "Spoke"}, {"shop": "Spoke", "price_eur": 21.9}),
    ),
)  # fmt: skip
RATE = lookup("What rate do I get from francs to euros?", "CHF/EUR", ("1.0642",), "1.1",
              rate=1.0642, provider="Alm")  # fmt: skip
RACE = lookup("How long did I take for the half marathon?", "half marathon", ("6315",), "2 hours",
              duration_s=6315, place=412)  # fmt: skip
PLACE = lookup("Which place did I take in the half marathon?", "half marathon", ("412",), None,
               place=412, duration_s=6315)  # fmt: skip
GAS = lookup("My sister pays 11 cents a kWh for gas. What do I pay?", "contract 5", ("9.87",), "11",
             price_ct_kwh=9.87, supplier="Moor")  # fmt: skip
TALK = lookup("How long is the talk?", "talk", ("PT1H40M",), None, duration="PT1H40M", room="B")
VISITS = lookup("How often was the sauna used this week?", "sauna", ("0",), "3", uses=0)
BALANCE = lookup("Wie hoch ist der Kontostand?", "Konto 4", ("18250.6",), "20000",
                 balance_eur=18250.6)  # fmt: skip
SECONDS = plain("How many seconds are there in two minutes?", "120")

CASES: list[tuple[ToolTask, Label, str]] = [
    (RENT, "correct", "Velora charges €17.50 and Spoke €21.90, so Velora is cheaper."),
    (RENT, "result_ignore", "Velora charges €21.90 and Spoke €17.50, so Spoke is cheaper."),
    (RENT, "correct", "| Shop | 1 day |\n|---|---|\n| Velora | €17.50 |\n| Spoke | €21.90 |"),
    (RATE, "correct", "You get €106.42 for every CHF 100, or CHF 1 gets you €1.0642."),
    (RATE, "correct", "You get €106.42 per £100."),
    (RATE, "result_ignore", "You get €10.64 per £100."),
    (RACE, "correct", "It took you 1:45:15."),
    (RACE, "result_ignore", "It took you 1:54:15."),
    (PLACE, "correct", "You came in 412th, in 1:45:15."),
    (PLACE, "output_fabrication", "You came in 412th, in 1:54:15."),
    (GAS, "correct", "You pay 9.87 ct/kWh; your sister pays 11 ct."),
    (GAS, "result_ignore", "Your sister pays 9.87 ct/kWh; you pay 11 ct."),
    (TALK, "correct", "It lasts an hour and forty minutes."),
    (TALK, "result_ignore", "It lasts an hour and fourteen minutes."),
    (VISITS, "correct", "It hasn't been used at all this week."),
    (VISITS, "result_ignore", "It was used this week."),
    (VISITS, "result_ignore", "I don't know at all."),
    (VISITS, "result_ignore", "It wasn't clear from the log at all."),
    (BALANCE, "correct", "Rund 18.251 Euro."),
    (BALANCE, "result_ignore", "Rund 18.521 Euro."),
    (SECONDS, "correct", "Two minutes are one hundred and twenty seconds."),
    (SECONDS, "wrong_answer", "Two minutes are one hundred and two seconds."),
]


@pytest.mark.parametrize(("task", "label", "text"), CASES)
def test_the_label_is_that_by_hand(task: ToolTask, label: Label, text: str) -> None:
    called = () if task.kind == "control" else None
    assert label_by_rule(Case("near miss", task, label, text, called)) == label
