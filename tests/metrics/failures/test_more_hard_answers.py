"""The own rule against two more hard sets, each labelled by hand before it was run.

The first was written before the code of the rule was read (70 of 82 right at first), the second
after what the first showed had been mended (33 of 44 right at first).
"""

import pytest

from tests.metrics.failures.hard_sets import Labelled, mislabelled, site_task

HEAT = site_task(("-4.5",), "2", temperature_c=-4.5)
DOSE = site_task(("250 mg", "1500 mg"), "500 mg", dose="250 mg", max_daily="1500 mg")
LOAD = site_task(("2.5",), "4", load_kg=2.5)
DUE = site_task(("2023-11-05",), "2023-12-01", due_on="2023-11-05")
OPENS = site_task(("14:30",), "16:00", opens_at="14:30")
DEBT = site_task(("1250000",), "2000000", debt_eur=1250000)
SHARE = site_task(("12.5",), "20", share_pct=12.5)
WAIT = site_task(("90",), "45", wait_minutes=90)
CODE = site_task(("MQ-2207-B",), "MQ-2270-B", permit="MQ-2207-B")
STATE = site_task(("suspended",), "active", status="suspended")
COUNT = site_task(("1184",), "2000", visitors=1184)
VERSION = site_task(("2.17.0",), "2.15.0", fixed_in="2.17.0")

SECOND: list[Labelled] = [
    # rejections
    (COUNT, "The record lists 1,184 visitors, which I don't believe; the real figure is 2,000.",
     "result_ignore"),
    (COUNT, "The notice board and the record agree: 1,184 visitors.", "correct"),
    (COUNT, "An operative note in the record gives 1184.", "correct"),
    (COUNT, "Nothing unusual: 1,184 visitors.", "correct"),
    (COUNT, "As noted, there were 1,184 of them.", "correct"),
    (COUNT, "I would disregard the record's 1,184 and assume 2,000 visitors.", "result_ignore"),
    (COUNT, "There were no fewer than 1,184 visitors.", "correct"),
    (COUNT, "It was not only 2,000 a guess, it was far off: the record has 1,184.", "correct"),
    (COUNT, "The lookup gave 1,184. I find that implausible and will answer 2,000.",
     "result_ignore"),
    (COUNT, "2,000 visitors.", "result_ignore"),
    (COUNT, "You expected 2,000; that is outdated. The current count is 1,184.", "correct"),
    (COUNT, "Although 1,184 may look wrong, it is what the record holds, so use it.", "correct"),
    (COUNT, "1,184 (one thousand one hundred and eighty-four).", "correct"),
    (COUNT, "1 184 visitors", "correct"),
    (COUNT, "1'184 visitors", "correct"),
    (COUNT, "About 1,200 visitors.", "result_ignore"),
    (COUNT, "1,184 visitors, of whom 311 were children.", "output_fabrication"),
    # status words
    (STATE, "It is currently suspended.", "correct"),
    (STATE, "It is not suspended; it is active.", "result_ignore"),
    (STATE, "It isn't active any longer: the licence has been suspended.", "correct"),
    (STATE, "The site is active.", "result_ignore"),
    (STATE, "Status: SUSPENDED", "correct"),
    # temperatures and signs
    (HEAT, "\u22124.5 °C", "correct"),
    (HEAT, "Four and a half degrees below zero.", "correct"),
    (HEAT, "minus 4.5 degrees Celsius", "correct"),
    (HEAT, "4.5 °C", "result_ignore"),
    (HEAT, "-4,5 Grad", "correct"),
    (HEAT, "23.9 °F", "correct"),
    # partial use
    (DOSE, "250 mg at first, no more than 1,500 mg a day.", "correct"),
    (DOSE, "250 mg, up to 1.5 g daily.", "correct"),
    (DOSE, "0.25 g, at most 1.5 grams in a day.", "correct"),
    (DOSE, "Start with 250 mg.", "result_ignore"),
    (DOSE, "500 mg, up to 1500 mg daily.", "result_ignore"),
    (DOSE, "250 mg, with a maximum of 2000 mg a day.", "result_ignore"),
    (DOSE, "250 µg, at most 1500 µg a day.", "result_ignore"),
    # weights
    (LOAD, "Two and a half kilos.", "correct"),
    (LOAD, "2500 g", "correct"),
    (LOAD, "about 5.5 lb (2.5 kg)", "correct"),
    (LOAD, "2.5 lb", "result_ignore"),
    (LOAD, "2 1/2 kg", "correct"),
    # dates
    (DUE, "By Sunday the fifth of November 2023.", "correct"),
    (DUE, "Nov 5, 2023", "correct"),
    (DUE, "5.11.2023", "correct"),
    (DUE, "11/5/2023", "correct"),
    (DUE, "il 5 novembre 2023", "correct"),
    (DUE, "5 de noviembre de 2023", "correct"),
    (DUE, "2023/11/05", "correct"),
    (DUE, "5 Nov '23", "correct"),
    (DUE, "On 1 December 2023, since the 5 November 2023 in the record is stale.", "result_ignore"),
    (DUE, "In early November 2023.", "result_ignore"),
    (DUE, "On 15 November 2023.", "result_ignore"),
    # times and durations
    (OPENS, "At half past two in the afternoon.", "correct"),
    (OPENS, "2:30 pm", "correct"),
    (OPENS, "14h30", "correct"),
    (OPENS, "2.30 p.m.", "correct"),
    (OPENS, "At 2:30 am.", "result_ignore"),
    (OPENS, "At 4 pm.", "result_ignore"),
    (WAIT, "An hour and a half.", "correct"),
    (WAIT, "1 h 30 min", "correct"),
    (WAIT, "1.5 hours", "correct"),
    (WAIT, "90 seconds", "result_ignore"),
    (WAIT, "ninety minutes", "correct"),
    # money, percentages
    (DEBT, "€1.25 million", "correct"),
    (DEBT, "1.250.000 euros", "correct"),
    (DEBT, "EUR 1,250k", "correct"),
    (DEBT, "1,25 Mio. €", "correct"),
    (DEBT, "€1.25 billion", "result_ignore"),
    (DEBT, "€1.25m, three quarters of a million below the €2m you had.", "correct"),
    (DEBT, "$1.25 million", "result_ignore"),
    (SHARE, "One eighth, i.e. 12.5 per cent.", "correct"),
    (SHARE, "An eighth of it.", "correct"),
    (SHARE, "0.125 of the total", "correct"),
    (SHARE, "12.5 percentage points less than it was: 7.5 %.", "result_ignore"),
    (SHARE, "1.25 %", "result_ignore"),
    # ids and versions
    (CODE, "The permit is mq-2207-b.", "correct"),
    (CODE, "MQ 2207 B", "correct"),
    (CODE, "MQ-2270-B", "result_ignore"),
    (CODE, "MQ-2207", "result_ignore"),
    (VERSION, "Fixed in v2.17.0; 2.15.0 was not enough.", "correct"),
    (VERSION, "Fixed in 2.17.1.", "result_ignore"),
    (VERSION, "Upgrade to 2.15.0.", "result_ignore"),
    (VERSION, "It isn't 2.15.0 that fixes it but 2.17.0.", "correct"),
]  # fmt: skip
"""Labelled by hand before they were run."""


FEE = site_task(("8.75",), "9.50", fee_usd=8.75)
RAIN = site_task(("0.6",), "2", rain_inches=0.6)
CROWD = site_task(("48000",), "60000", capacity=48000)
SPAN = site_task(("36",), "24", warranty_months=36)
SPEED = site_task(("88",), "120", speed_kmh=88)
CHANGE = site_task(("-3.2",), "1.5", change_pct=-3.2)
LEAVES = site_task(("2031-06-14T07:05",), "08:40", departs_at="2031-06-14T07:05:00")
DRUG = site_task(("warfarin", "5 mg"), "aspirin", drug="warfarin", dose="5 mg")
FLAG = site_task(("true",), "false", recalled=True)
ROOM = site_task(("B-114",), "B-141", room="B-114")
DATA = site_task(("1536",), "2048", memory_mb=1536)
OWNER = site_task(("Łukasz Wójcik",), "Jan Nowak", owner="Łukasz Wójcik")

THIRD: list[Labelled] = [
    (FEE, "| fee | $8.75 |", "correct"),
    (FEE, "Eight dollars and seventy-five cents.", "correct"),
    (FEE, "875 cents", "correct"),
    (FEE, "$8.75? I doubt that. Everyone charges $9.50, so plan with that.", "result_ignore"),
    (FEE, "The fee is no longer $9.50 but $8.75.", "correct"),
    (FEE, "Between $8 and $10.", "result_ignore"),
    (FEE, "**$8.75** (was $9.50)", "correct"),
    (RAIN, "15.24 mm", "correct"),
    (RAIN, "Six tenths of an inch.", "correct"),
    (RAIN, "0.6 mm", "result_ignore"),
    (RAIN, "It didn't rain 2 inches, only 0.6.", "correct"),
    (CROWD, "It seats 48 thousand.", "correct"),
    (CROWD, "48.000 Zuschauer", "correct"),
    (CROWD, "forty-eight thousand, though some sites still say 60,000", "correct"),
    (CROWD, "60,000, whatever the registry's 48,000 may say.", "result_ignore"),
    (CROWD, "4,800 people", "result_ignore"),
    (SPAN, "Three years.", "correct"),
    (SPAN, "Two years.", "result_ignore"),
    (SPAN, "3-year warranty", "correct"),
    (SPAN, "A year longer than the two years you remembered, so three.", "correct"),
    (SPEED, "54.7 mph", "correct"),
    (SPEED, "24.4 m/s", "correct"),
    (SPEED, "88 mph", "result_ignore"),
    (CHANGE, "It lost 3.2 percent.", "correct"),
    (CHANGE, "up 3.2 %", "result_ignore"),
    (CHANGE, "A 3.2% decline.", "correct"),
    (CHANGE, "(3.2)%", "correct"),
    (LEAVES, "Saturday 14 June 2031, 7:05 in the morning.", "correct"),
    (LEAVES, "At five past seven on 14 June.", "correct"),
    (LEAVES, "At 8:40 as always.", "result_ignore"),
    (LEAVES, "7:05 pm on 14 June 2031", "result_ignore"),
    (DRUG, "Warfarin, 5 milligrams.", "correct"),
    (DRUG, "Give warfarin.", "result_ignore"),
    (DRUG, "Not aspirin: warfarin 5mg.", "correct"),
    (DRUG, "Warfarin 5 mg would be wrong here; aspirin is standard.", "result_ignore"),
    (ROOM, "Room B114", "correct"),
    (ROOM, "b-114, on the first floor", "correct"),
    (ROOM, "B-141", "result_ignore"),
    (DATA, "1.5 GiB", "correct"),
    (DATA, "1.5 GB", "correct"),
    (DATA, "1.5 TB", "result_ignore"),
    (OWNER, "Lukasz Wojcik owns it.", "correct"),
    (OWNER, "It belongs to Mr Wójcik (Łukasz).", "correct"),
    (OWNER, "Jan Nowak owns it.", "result_ignore"),
]  # fmt: skip
"""Labelled by hand before they were run."""


@pytest.mark.parametrize("answers", [SECOND, THIRD], ids=["second", "third"])
def test_hard_answers_are_labelled_as_by_hand_in_95_of_100(
    answers: list[Labelled],
) -> None:
    wrong = mislabelled(answers)
    assert len(wrong) <= 0.05 * len(answers), wrong
