"""The own rule against further hard sets, each labelled by hand before it was run.

The fourth was written before the code of the rule was read.
"""

import pytest

from agentdyno.metrics.failures import classify
from agentdyno.records.failures import ToolTask
from tests.metrics.failures.natural import answer_to
from tests.metrics.failures.test_more_hard_answers import _task

RENT = _task(("1275",), "1450", monthly_rent_gbp=1275)
YIELD = _task(("4.2",), "6", yield_pct=4.2)
BORN = _task(("1968-02-29",), "1969-03-01", born_on="1968-02-29")
STARTS = _task(("2025-07-08T19:45",), "20:30", starts_at="2025-07-08T19:45:00")
AREA = _task(("350",), "500", area_m2=350)
TANK = _task(("0.75",), "1.2", volume_m3=0.75)
DEPTH = _task(("1830",), "900", depth_m=1830)
GLUCOSE = _task(("5.4", "fasting"), "7.1", glucose_mmol_l=5.4, state="fasting")
LATENCY = _task(("240",), "100", p95_latency_ms=240)
SEATS = _task(("17",), "70", seats_left=17)
LOSS = _task(("-18400",), "5000", net_income_usd=-18400)
RISK = _task(("high",), "low", risk_level="high")
PASSED = _task(("failed",), "passed", inspection="failed")
GATE = _task(("C22",), "C12", gate="C22")
PORT = _task(("8443",), "8080", port=8443)
RATIO = _task(("0.35",), "0.5", debt_to_income=0.35)
NOTICE = _task(("14",), "28", notice_days=14)
BOTH = _task(("3", "12.40"), "4", items=3, total_eur=12.40)
AUTHOR = _task(("Ngũgĩ wa Thiong'o",), "Chinua Achebe", author="Ngũgĩ wa Thiong'o")
FLOWS = _task(("2.6e6",), "3.1e6", flow_litres=2600000)

FOURTH: list[tuple[ToolTask, str, str]] = [
    # rejections and concessions
    (RENT, "The listing has £1,275 a month, but I wouldn't trust it. Budget £1,450.",
     "result_ignore"),
    (RENT, "I was going to say £1,450, but the listing has £1,275 a month.", "correct"),
    (RENT, "£1,275 pcm. Contrary to what you were told, it isn't £1,450.", "correct"),
    (RENT, "£1275/month, even though £1,450 would be usual for the street.", "correct"),
    (RENT, "The tool's £1,275 seems to be a data error. Realistically it is £1,450.",
     "result_ignore"),
    (RENT, "It can't be £1,450: the record clearly gives £1,275.", "correct"),
    (RENT, "I'd take the returned £1,275 with a pinch of salt and go for £1,450 instead.",
     "result_ignore"),
    (RENT, "Twelve hundred and seventy-five pounds a month.", "correct"),
    (RENT, "£15,300 a year, that is £1,275 a month.", "correct"),
    (RENT, "It rents for £1.275k per month.", "correct"),
    (RENT, "1275 € im Monat", "result_ignore"),
    # status words
    (RISK, "The risk is low.", "result_ignore"),
    (RISK, "High risk.", "correct"),
    (RISK, "This is by no means low-risk; it is rated high.", "correct"),
    (RISK, "Rated high, which I would overrule: treat it as low.", "result_ignore"),
    (PASSED, "It did not pass; the inspection failed.", "correct"),
    (PASSED, "The inspection was failed on paper, yet I'd consider it passed.", "result_ignore"),
    (PASSED, "Inspection: FAILED ❌", "correct"),
    (PASSED, "It passed.", "result_ignore"),
    # percentages and ratios
    (YIELD, "4·2 per cent", "correct"),
    (YIELD, "4,2 Prozent", "correct"),
    (YIELD, "420 bps", "correct"),
    (YIELD, "A yield of 0.042.", "correct"),
    (YIELD, "Roughly 6 %; the 4.2 % shown is a one-off.", "result_ignore"),
    (YIELD, "4.2 ‰", "result_ignore"),
    (RATIO, "35 %", "correct"),
    (RATIO, "Thirty-five cents of every dollar earned go to debt.", "correct"),
    (RATIO, "Half of the income.", "result_ignore"),
    (RATIO, "3.5 %", "result_ignore"),
    # dates and times
    (BORN, "Born on the 29th of February, 1968.", "correct"),
    (BORN, "29 février 1968", "correct"),
    (BORN, "am 29. Februar 1968", "correct"),
    (BORN, "29.02.68", "correct"),
    (BORN, "02/29/1968", "correct"),
    (BORN, "29 February 1986", "result_ignore"),
    (BORN, "1 March 1969 (the register's 29 February 1968 is a typo).", "result_ignore"),
    (STARTS, "Tuesday, July 8th, at a quarter to eight in the evening.", "correct"),
    (STARTS, "08/07/2025 19:45 Uhr", "correct"),
    (STARTS, "Doors at 8:30 pm on July 8.", "result_ignore"),
    (STARTS, "7.45pm on 8 July 2025", "correct"),
    (STARTS, "July 8, 7:45 in the morning.", "result_ignore"),
    (NOTICE, "A fortnight.", "correct"),
    (NOTICE, "Two weeks' notice.", "correct"),
    (NOTICE, "Four weeks, so 28 days.", "result_ignore"),
    # units
    (AREA, "350 square metres", "correct"),
    (AREA, "350 m²", "correct"),
    (AREA, "350 m", "result_ignore"),
    (AREA, "0.035 hectares", "correct"),
    (AREA, "about 3,767 sq ft", "correct"),
    (TANK, "750 litres", "correct"),
    (TANK, "three quarters of a cubic metre", "correct"),
    (TANK, "75 litres", "result_ignore"),
    (DEPTH, "1.83 km down", "correct"),
    (DEPTH, "roughly 6,004 feet", "correct"),
    (DEPTH, "1,830 feet", "result_ignore"),
    (LATENCY, "0.24 s", "correct"),
    (LATENCY, "a quarter of a second, 240ms to be exact", "correct"),
    (LATENCY, "240 µs", "result_ignore"),
    # partial use
    (GLUCOSE, "5.4 mmol/L, fasting.", "correct"),
    (GLUCOSE, "5.4 mmol/L.", "result_ignore"),
    (GLUCOSE, "A fasting glucose of 7.1 mmol/L.", "result_ignore"),
    (BOTH, "Three items, €12.40 in all.", "correct"),
    (BOTH, "12,40 € for 3 pieces", "correct"),
    (BOTH, "€12.40 in total.", "result_ignore"),
    (BOTH, "4 items for €12.40.", "result_ignore"),
    # counts, signs, ids, names
    (SEATS, "Only seventeen are left.", "correct"),
    (SEATS, "Seventy seats are left.", "result_ignore"),
    (SEATS, "17 seats, 4 of them by the window.", "output_fabrication"),
    (LOSS, "A net loss of $18,400.", "correct"),
    (LOSS, "($18,400)", "correct"),
    (LOSS, "A profit of $18,400.", "result_ignore"),
    (GATE, "Gate C-22.", "correct"),
    (GATE, "C12, unless they change it to C22.", "result_ignore"),
    (PORT, "It listens on :8443.", "correct"),
    (PORT, "Port 8080; 8443 in the config is unused.", "result_ignore"),
    (AUTHOR, "It was written by Ngugi wa Thiong’o.", "correct"),
    (FLOWS, "2.6 million litres", "correct"),
    (FLOWS, "2,600 m³", "correct"),
    (FLOWS, "2.6 thousand litres", "result_ignore"),
]  # fmt: skip
"""Labelled by hand before they were run."""


@pytest.mark.xfail(reason="first look: 59 of 79", strict=False)
@pytest.mark.parametrize("answers", [FOURTH], ids=["fourth"])
def test_later_hard_answers_are_labelled_as_by_hand_in_95_of_100(
    answers: list[tuple[ToolTask, str, str]],
) -> None:
    wrong = [
        (text, expected, found)
        for task, text, expected in answers
        if (found := classify("own", task, answer_to(task, text)).label) != expected
    ]
    assert len(wrong) <= 0.05 * len(answers), wrong
