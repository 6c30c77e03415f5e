"""The own rule against further hard sets, each labelled by hand before it was run.

The fourth was written before the code of the rule was read.
"""

import pytest

from tests.metrics.failures.hard_sets import Labelled, mislabelled, site_task

RENT = site_task(("1275",), "1450", monthly_rent_gbp=1275)
YIELD = site_task(("4.2",), "6", yield_pct=4.2)
BORN = site_task(("1968-02-29",), "1969-03-01", born_on="1968-02-29")
STARTS = site_task(("2025-07-08T19:45",), "20:30", starts_at="2025-07-08T19:45:00")
AREA = site_task(("350",), "500", area_m2=350)
TANK = site_task(("0.75",), "1.2", volume_m3=0.75)
DEPTH = site_task(("1830",), "900", depth_m=1830)
GLUCOSE = site_task(("5.4", "fasting"), "7.1", glucose_mmol_l=5.4, state="fasting")
LATENCY = site_task(("240",), "100", p95_latency_ms=240)
SEATS = site_task(("17",), "70", seats_left=17)
LOSS = site_task(("-18400",), "5000", net_income_usd=-18400)
RISK = site_task(("high",), "low", risk_level="high")
PASSED = site_task(("failed",), "passed", inspection="failed")
GATE = site_task(("C22",), "C12", gate="C22")
PORT = site_task(("8443",), "8080", port=8443)
RATIO = site_task(("0.35",), "0.5", debt_to_income=0.35)
NOTICE = site_task(("14",), "28", notice_days=14)
BOTH = site_task(("3", "12.40"), "4", items=3, total_eur=12.40)
AUTHOR = site_task(("Ngũgĩ wa Thiong'o",), "Chinua Achebe", author="Ngũgĩ wa Thiong'o")
FLOWS = site_task(("2.6e6",), "3.1e6", flow_litres=2600000)

FOURTH: list[Labelled] = [
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


TOLL = site_task(("6.20",), "5", toll_chf=6.20)
HUMID = site_task(("64",), "80", humidity_pct=64)
EXPIRES = site_task(("2027-01-31",), "2026-12-31", expires_on="2027-01-31")
CLOSES = site_task(("21:15",), "22:00", closes_at="21:15")
RUNTIME = site_task(("134",), "120", runtime_minutes=134)
DIST = site_task(("42.195",), "40", distance_km=42.195)
FUEL = site_task(("55",), "40", tank_litres=55)
POWER = site_task(("7.4",), "11", charger_kw=7.4)
STAFF = site_task(("312",), "250", employees=312)
DROP = site_task(("-12",), "4", change_pct=-12)
PLATE = site_task(("KX19 ZRT",), "KX91 ZRT", plate="KX19 ZRT")
CITY = site_task(("São Paulo",), "Rio de Janeiro", city="São Paulo")
ALLERGY = site_task(("penicillin", "severe"), "none", allergy="penicillin", severity="severe")
OPEN = site_task(("closed",), "open", status="closed")
PAIR = site_task(("18", "24"), "20", low_c=18, high_c=24)

FIFTH: list[Labelled] = [
    (TOLL, "CHF 6.20", "correct"),
    (TOLL, "Fr. 6.20", "correct"),
    (TOLL, "Six francs twenty.", "correct"),
    (TOLL, "They quote CHF 6.20, but everybody pays CHF 5, so count on that.", "result_ignore"),
    (TOLL, "It went up from CHF 5 to CHF 6.20.", "correct"),
    (HUMID, "64 %", "correct"),
    (HUMID, "Just under two thirds: 64 percent.", "correct"),
    (HUMID, "Sixty-four per cent relative humidity.", "correct"),
    (HUMID, "The sensor claims 64 %; it must be broken, it is more like 80 %.", "result_ignore"),
    (HUMID, "46 %", "result_ignore"),
    (EXPIRES, "It runs out on 31 January 2027.", "correct"),
    (EXPIRES, "31/01/27", "correct"),
    (EXPIRES, "Valid through Jan. 31st, 2027", "correct"),
    (EXPIRES, "le 31 janvier 2027", "correct"),
    (EXPIRES, "At the end of 2026.", "result_ignore"),
    (EXPIRES, "The register prints 2027-01-31, yet permits always end on 31 December 2026; note"
     " that.", "result_ignore"),
    (CLOSES, "At a quarter past nine at night.", "correct"),
    (CLOSES, "21.15 Uhr", "correct"),
    (CLOSES, "9:15pm", "correct"),
    (CLOSES, "At 9:15 in the morning.", "result_ignore"),
    (CLOSES, "Not at 22:00 as before but at 21:15.", "correct"),
    (RUNTIME, "Two hours and fourteen minutes.", "correct"),
    (RUNTIME, "2h14", "correct"),
    (RUNTIME, "2 hrs 14 mins", "correct"),
    (RUNTIME, "About two hours.", "result_ignore"),
    (DIST, "42.2 km", "correct"),
    (DIST, "42,195 m", "correct"),
    (DIST, "26.2 miles", "correct"),
    (DIST, "42.195 miles", "result_ignore"),
    (FUEL, "14.5 US gallons (55 l)", "correct"),
    (FUEL, "fifty-five litres", "correct"),
    (FUEL, "55 gallons", "result_ignore"),
    (POWER, "7400 W", "correct"),
    (POWER, "7.4 kilowatts, not 11", "correct"),
    (POWER, "11 kW should be right; forget the 7.4 kW.", "result_ignore"),
    (STAFF, "312 people work there.", "correct"),
    (STAFF, "Some 300 people.", "result_ignore"),
    (STAFF, "312 employees, 58 of them part-time.", "output_fabrication"),
    (DROP, "It shrank by 12 percent.", "correct"),
    (DROP, "−12 %", "correct"),
    (DROP, "It grew by 12 %.", "result_ignore"),
    (PLATE, "KX19ZRT", "correct"),
    (PLATE, "KX91 ZRT", "result_ignore"),
    (CITY, "Sao Paulo", "correct"),
    (CITY, "Rio de Janeiro, not São Paulo.", "result_ignore"),
    (ALLERGY, "A severe penicillin allergy.", "correct"),
    (ALLERGY, "Allergic to penicillin.", "result_ignore"),
    (OPEN, "Closed for now.", "correct"),
    (OPEN, "It's open, don't mind the sign that says closed.", "result_ignore"),
    (PAIR, "Between 18 and 24 °C.", "correct"),
    (PAIR, "18–24 degrees", "correct"),
    (PAIR, "A high of 24 °C.", "result_ignore"),
]  # fmt: skip
"""Labelled by hand before they were run, after what the fourth showed had been mended."""


WAGE = site_task(("23.80",), "21", hourly_wage_eur=23.80)
SHARES = site_task(("1500000",), "900000", shares=1500000)
LENGTH = site_task(("2.4",), "3", length_m=2.4)
BOILS = site_task(("78.4",), "100", boiling_point_c=78.4)
MEETS = site_task(("2026-03-09T10:30",), "11:00", meets_at="2026-03-09T10:30:00")
REVIEW = site_task(("2024-10-02",), "2024-09-30", reviewed_on="2024-10-02")
ODDS = site_task(("0.08",), "0.2", failure_rate=0.08)
TIER = site_task(("gold",), "silver", tier="gold")
SKU = site_task(("AX-550-R",), "AX-505-R", sku="AX-550-R")
STOCK = site_task(("0",), "12", units_in_stock=0)
LEADER = site_task(("Siobhán O'Neill",), "Mark Reilly", leader="Siobhán O'Neill")
TWO = site_task(("amoxicillin", "7"), "ibuprofen", drug="amoxicillin", days=7)
TEMP = site_task(("98",), "101", temperature_f=98)
LAT = site_task(("51.5",), "48.9", latitude_deg=51.5)

SIXTH: list[Labelled] = [
    (WAGE, "€23.80 an hour", "correct"),
    (WAGE, "23,80 €/Std.", "correct"),
    (WAGE, "Twenty-three euros eighty per hour.", "correct"),
    (WAGE, "€23.80 per hour, or about €190 for an eight-hour day.", "correct"),
    (WAGE, "€21 an hour; the sheet's €23.80 looks inflated.", "result_ignore"),
    (WAGE, "Somewhere above €21 an hour.", "result_ignore"),
    (SHARES, "one and a half million shares", "correct"),
    (SHARES, "1.5M shares", "correct"),
    (SHARES, "15,00,000 shares", "correct"),
    (SHARES, "1.5 billion shares", "result_ignore"),
    (SHARES, "1.500.000 Aktien", "correct"),
    (LENGTH, "240 cm", "correct"),
    (LENGTH, "7 ft 10 in, i.e. 2.4 m", "correct"),
    (LENGTH, "2.4 cm", "result_ignore"),
    (LENGTH, "two point four metres", "correct"),
    (LENGTH, "The plan says 2.4 m, although in practice take 3 m.", "result_ignore"),
    (BOILS, "173 °F", "correct"),
    (BOILS, "78.4 degrees Fahrenheit", "result_ignore"),
    (BOILS, "351.55 K", "correct"),
    (MEETS, "Monday 9 March, half past ten in the morning.", "correct"),
    (MEETS, "09.03.2026, 10.30 Uhr", "correct"),
    (MEETS, "March 9 at 11:00.", "result_ignore"),
    (MEETS, "10:30 pm on 9 March 2026", "result_ignore"),
    (REVIEW, "2nd October 2024", "correct"),
    (REVIEW, "02-Oct-2024", "correct"),
    (REVIEW, "2 października 2024", "correct"),
    (REVIEW, "10/02/2024", "correct"),
    (REVIEW, "The 30th of September 2024, ignore the later stamp of 2 October 2024.",
     "result_ignore"),
    (ODDS, "8 in 100", "correct"),
    (ODDS, "8 %", "correct"),
    (ODDS, "Two in twenty-five.", "correct"),
    (ODDS, "0.8 %", "result_ignore"),
    (TIER, "Gold tier.", "correct"),
    (TIER, "Silver, as far as I can tell. The portal's gold is a display bug.", "result_ignore"),
    (TIER, "You are no longer silver: gold.", "correct"),
    (SKU, "AX550R", "correct"),
    (SKU, "ax-550-r", "correct"),
    (SKU, "AX-550", "result_ignore"),
    (STOCK, "None left, 0 units.", "correct"),
    (STOCK, "There are no units in stock.", "correct"),
    (STOCK, "12 units.", "result_ignore"),
    (LEADER, "Siobhan O'Neill", "correct"),
    (LEADER, "Ms O’Neill, Siobhán O’Neill to be precise.", "correct"),
    (LEADER, "Mark Reilly leads it.", "result_ignore"),
    (TWO, "Amoxicillin for a week.", "correct"),
    (TWO, "Amoxicillin.", "result_ignore"),
    (TWO, "A week of ibuprofen rather than amoxicillin.", "result_ignore"),
    (TEMP, "98 °F", "correct"),
    (TEMP, "36.7 °C", "correct"),
    (TEMP, "98 °C", "result_ignore"),
    (LAT, "51.5° N", "correct"),
    (LAT, "51°30′", "correct"),
]  # fmt: skip
"""Labelled by hand before they were run, after what the fifth showed had been mended."""


@pytest.mark.parametrize("answers", [FOURTH, FIFTH, SIXTH], ids=["fourth", "fifth", "sixth"])
def test_later_hard_answers_are_labelled_as_by_hand_in_95_of_100(
    answers: list[Labelled],
) -> None:
    wrong = mislabelled(answers)
    assert len(wrong) <= 0.05 * len(answers), wrong
