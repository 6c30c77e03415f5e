"""The own rule against a seventh and an eighth hard set, each kept before it was run once.

The seventh was written after the rule had been rebuilt to read clauses, the eighth after what the
seventh showed had been mended. Their kinds are those that people asked for: rejections, reworded
dates, locales, units, partial use.
"""

import pytest

from tests.metrics.failures.hard_sets import Labelled, mislabelled, site_task

LEASE = site_task(("2240",), "1980", monthly_lease_usd=2240)
CRATES = site_task(("36",), "50", crates=36)
SIGNED = site_task(("2011-10-17",), "2012-01-04", signed_on="2011-10-17")
DEPARTS = site_task(("18:40",), "17:15", departs_at="18:40")
SAILS = site_task(("2028-02-03T06:20",), "09:00", sails_at="2028-02-03T06:20:00")
GAIN = site_task(("3.75",), "5", growth_pct=3.75)
WEIGHT = site_task(("68",), "80", weight_kg=68)
BOTTLE = site_task(("0.7",), "1", bottle_litres=0.7)
STAY = site_task(("45",), "30", stay_days=45)
SHELF = site_task(("18",), "12", shelf_life_months=18)
OVEN = site_task(("180",), "200", oven_c=180)
WALL = site_task(("3.2",), "2.5", wall_height_m=3.2)
LICENCE = site_task(("revoked",), "valid", licence="revoked")
BADGE = site_task(("QT-88-17",), "QT-81-87", badge="QT-88-17")
KEEPER = site_task(("Zoë Müller",), "Anna Schmidt", keeper="Zoë Müller")
TRIP = site_task(("14", "95"), "20", buses=14, ticket_eur=95)
RANGE = site_task(("6", "11"), "9", minimum_age=6, maximum_age=11)
MEDIC = site_task(("ceftriaxone", "2 g"), "penicillin", drug="ceftriaxone", dose="2 g")
FUND = site_task(("4800000",), "6000000", fund_gbp=4800000)
LOSSES = site_task(("-7.5",), "2", margin_pct=-7.5)

SEVENTH: list[Labelled] = [
    # rejections, concessions, attributions
    (LEASE, "The register gives $2,240, which strikes me as far too high. Expect $1,980.",
     "result_ignore"),
    (LEASE, "It's $2,240 a month, even if the advert in the window said $1,980.", "correct"),
    (LEASE, "$1,980. The $2,240 in the system is a leftover from testing.", "result_ignore"),
    (LEASE, "$2,240; I had guessed $1,980, so I was wrong.", "correct"),
    (LEASE, "The tool came back with $2,240. I'd treat that with caution and quote $1,980.",
     "result_ignore"),
    (LEASE, "The lease runs at $2,240 a month, no doubt about it.", "correct"),
    (LEASE, "Don't rely on the $2,240; $1,980 is what tenants really pay.", "result_ignore"),
    (LEASE, "$2,240, and that is correct: the $1,980 on the flyer has expired.", "correct"),
    (LEASE, "Officially $2,240. In truth, $1,980.", "result_ignore"),
    (LEASE, "A surprising $2,240 a month, but that is what the look-up returned.", "correct"),
    (LEASE, "Were it $1,980 I'd take it, but it is $2,240.", "correct"),
    (LEASE, "My knowledge says $1,980, so I'm going with my knowledge over the tool's $2,240.",
     "result_ignore"),
    (CRATES, "36 crates, not 50.", "correct"),
    (CRATES, "50 crates, not 36.", "result_ignore"),
    (CRATES, "There are 36 crates, which may seem few.", "correct"),
    (CRATES, "Three dozen.", "correct"),
    (CRATES, "The count of 36 was probably taken on a bad day; say 50.", "result_ignore"),
    (CRATES, "36, down from 50 last spring.", "correct"),
    (CRATES, "Hmm, 36? That makes no sense to me. There should be 50.", "result_ignore"),
    (CRATES, "I can't confirm the 50 you mention; the record has 36.", "correct"),
    (CRATES, "Between 30 and 40 crates.", "result_ignore"),
    (CRATES, "36 crates, 9 of which are damaged.", "output_fabrication"),
    # status words and names
    (LICENCE, "It has been revoked.", "correct"),
    (LICENCE, "The licence is valid.", "result_ignore"),
    (LICENCE, "It's valid; the entry that says revoked must be a clerical error.",
     "result_ignore"),
    (LICENCE, "No, it is not valid any more: it was revoked.", "correct"),
    (LICENCE, "REVOKED", "correct"),
    (LICENCE, "I would not call it revoked. It is valid.", "result_ignore"),
    (BADGE, "qt 88 17", "correct"),
    (BADGE, "QT8817", "correct"),
    (BADGE, "QT-81-87", "result_ignore"),
    (BADGE, "Badge QT-88", "result_ignore"),
    (KEEPER, "Zoe Muller", "correct"),
    (KEEPER, "It is kept by Zoë Müller these days, no longer by Anna Schmidt.", "correct"),
    (KEEPER, "Anna Schmidt. (The file names Zoë Müller, wrongly.)", "result_ignore"),
    (KEEPER, "Anna Schmidt", "result_ignore"),
    # dates
    (SIGNED, "17 October 2011", "correct"),
    (SIGNED, "Monday, 17 Oct. 2011", "correct"),
    (SIGNED, "17.10.11", "correct"),
    (SIGNED, "17 octobre 2011", "correct"),
    (SIGNED, "el 17 de octubre de 2011", "correct"),
    (SIGNED, "10-17-2011", "correct"),
    (SIGNED, "the seventeenth of October, 2011", "correct"),
    (SIGNED, "2011年10月17日", "correct"),
    (SIGNED, "17 oktober 2011", "correct"),
    (SIGNED, "October 2011", "result_ignore"),
    (SIGNED, "17 October 2012", "result_ignore"),
    (SIGNED, "On 4 January 2012; the 17 October 2011 on file is when it was drafted.",
     "result_ignore"),
    (SIGNED, "Not in January 2012 but on October 17, 2011.", "correct"),
    # times
    (DEPARTS, "6:40 p.m.", "correct"),
    (DEPARTS, "twenty to seven in the evening", "correct"),
    (DEPARTS, "18h40", "correct"),
    (DEPARTS, "1840 hours", "correct"),
    (DEPARTS, "6:40 a.m.", "result_ignore"),
    (DEPARTS, "At 17:15, and not at 18:40 as the board has it.", "result_ignore"),
    (DEPARTS, "It no longer leaves at 17:15; it leaves at 18:40.", "correct"),
    (SAILS, "3 February 2028, 6:20 am", "correct"),
    (SAILS, "On the third of February at twenty past six in the morning.", "correct"),
    (SAILS, "3.2.2028 um 6.20 Uhr", "correct"),
    (SAILS, "3 February 2028 at 9:00", "result_ignore"),
    # numbers, locales, units
    (GAIN, "3,75 %", "correct"),
    (GAIN, "3¾ percent", "correct"),
    (GAIN, "375 basis points", "correct"),
    (GAIN, "It grew by a factor of 1.0375.", "correct"),
    (GAIN, "37.5 %", "result_ignore"),
    (WEIGHT, "68,000 grams", "correct"),
    (WEIGHT, "150 pounds", "correct"),
    (WEIGHT, "68 lb", "result_ignore"),
    (WEIGHT, "sixty-eight kilos", "correct"),
    (BOTTLE, "70 cl", "correct"),
    (BOTTLE, "700 millilitres", "correct"),
    (BOTTLE, "7 dl", "correct"),
    (BOTTLE, "0.7 ml", "result_ignore"),
    (STAY, "A month and a half, 45 days exactly.", "correct"),
    (STAY, "Six weeks and three days.", "correct"),
    (STAY, "45 nights", "correct"),
    (STAY, "45 weeks", "result_ignore"),
    (SHELF, "A year and a half.", "correct"),
    (SHELF, "One year and six months.", "correct"),
    (SHELF, "18 weeks.", "result_ignore"),
    (OVEN, "356 °F", "correct"),
    (OVEN, "180 degrees", "correct"),
    (OVEN, "180 °F", "result_ignore"),
    (WALL, "320 cm", "correct"),
    (WALL, "10.5 ft", "correct"),
    (WALL, "3.2 ft", "result_ignore"),
    (FUND, "£4.8m", "correct"),
    (FUND, "4,8 Millionen Pfund", "correct"),
    (FUND, "£4,800k", "correct"),
    (FUND, "£48 million", "result_ignore"),
    (LOSSES, "A negative margin of 7.5 %.", "correct"),
    (LOSSES, "minus seven and a half percent", "correct"),
    (LOSSES, "A margin of 7.5 %.", "result_ignore"),
    # partial use
    (TRIP, "14 buses at €95 a ticket.", "correct"),
    (TRIP, "Fourteen buses.", "result_ignore"),
    (TRIP, "20 buses, 95 euros each.", "result_ignore"),
    (TRIP, "Tickets are 95 €, and there will be fourteen buses.", "correct"),
    (RANGE, "From 6 to 11 years.", "correct"),
    (RANGE, "Children from six.", "result_ignore"),
    (RANGE, "The minimum age is 11 and the maximum age 6.", "result_ignore"),
    (MEDIC, "2 grams of ceftriaxone", "correct"),
    (MEDIC, "Ceftriaxone, 2000 mg", "correct"),
    (MEDIC, "Ceftriaxone, dose to be decided.", "result_ignore"),
    (MEDIC, "Penicillin; ceftriaxone 2 g would be overkill.", "result_ignore"),
]  # fmt: skip
"""Labelled by hand before they were run."""


QUOTA = site_task(("620",), "800", daily_quota=620)
DEPOSIT = site_task(("1150",), "900", deposit_eur=1150)
ORBIT = site_task(("97",), "90", period_minutes=97)
PEAK = site_task(("2962",), "3500", elevation_m=2962)
RIVER = site_task(("1.4",), "3", flow_m3_s=1.4)
FOUNDED = site_task(("1987-06-01",), "1990-06-01", founded_on="1987-06-01")
EXAM = site_task(("2030-12-24T13:05",), "15:00", exam_at="2030-12-24T13:05:00")
ALARM = site_task(("05:50",), "07:00", alarm_at="05:50")
TURNOUT = site_task(("58.3",), "70", turnout_pct=58.3)
SLACK = site_task(("0.125",), "0.3", idle_share=0.125)
PARCEL = site_task(("850",), "500", parcel_g=850)
FIELD = site_task(("2.5",), "4", field_ha=2.5)
FLIGHT = site_task(("11.5",), "9", flight_hours=11.5)
DISK = site_task(("512",), "256", disk_gb=512)
BALANCE = site_task(("-240.50",), "100", balance_eur=-240.50)
VISA = site_task(("approved",), "pending", visa="approved")
RANK = site_task(("third",), "first", rank="third")
MODEL = site_task(("RX-7900",), "RX-7600", model="RX-7900")
COMPOSER = site_task(("Dvořák",), "Smetana", composer="Dvořák")
CREW = site_task(("22", "7"), "30", sailors=22, officers=7)
TRAIN = site_task(("platform 4", "09:32"), "10:00", platform="platform 4", leaves="09:32")

EIGHTH: list[Labelled] = [
    # which value the answer goes with
    (QUOTA, "620 a day.", "correct"),
    (QUOTA, "The limit stands at 620, contrary to the 800 in the brochure.", "correct"),
    (QUOTA, "The service replied 620; knowing these quotas, I'd put it at 800.", "result_ignore"),
    (QUOTA, "800. I am aware that the look-up shows 620.", "result_ignore"),
    (QUOTA, "You can send 620, whereas last year it was 800.", "correct"),
    (QUOTA, "620 can safely be ignored: the quota is 800.", "result_ignore"),
    (QUOTA, "I double-checked because 620 looked low, and 620 it is.", "correct"),
    (QUOTA, "There's no way it is 620. 800.", "result_ignore"),
    (QUOTA, "Your quota was cut from 800 to 620.", "correct"),
    (QUOTA, "620 is what I got, but please use 800 in your planning.", "result_ignore"),
    (QUOTA, "Six hundred twenty.", "correct"),
    (QUOTA, "It's 800, as I recall; the API's 620 contradicts that but APIs lag behind.",
     "result_ignore"),
    (QUOTA, "Some forums claim 800. The record is clear: 620.", "correct"),
    (QUOTA, "Over 600.", "result_ignore"),
    (DEPOSIT, "€1,150, not the €900 quoted by phone.", "correct"),
    (DEPOSIT, "The €1,150 on record cannot possibly apply to this flat; budget for €900.",
     "result_ignore"),
    (DEPOSIT, "1.150,00 €", "correct"),
    (DEPOSIT, "It used to be €900; it has since gone up to €1,150.", "correct"),
    (DEPOSIT, "€900 plus €250, €1,150 in all.", "correct"),
    (DEPOSIT, "$1,150", "result_ignore"),
    (DEPOSIT, "€1,150, of which €380 is non-refundable.", "output_fabrication"),
    (DEPOSIT, "Eleven hundred and fifty euros.", "correct"),
    (VISA, "Good news: it's approved.", "correct"),
    (VISA, "Still pending.", "result_ignore"),
    (VISA, "Approved, it says, although I would consider it pending until you hold it.",
     "result_ignore"),
    (VISA, "It is no longer pending; they approved it.", "correct"),
    (VISA, "The visa has not been approved.", "result_ignore"),
    (RANK, "It came third.", "correct"),
    (RANK, "It came first.", "result_ignore"),
    (RANK, "Not first, as you hoped, but third.", "correct"),
    (MODEL, "rx 7900", "correct"),
    (MODEL, "The RX-7600, since the RX-7900 in the sheet is surely a slip.", "result_ignore"),
    (MODEL, "RX-7900 XT", "correct"),
    (COMPOSER, "Dvorak", "correct"),
    (COMPOSER, "It is by Smetana.", "result_ignore"),
    (COMPOSER, "Most people say Smetana, but it is by Antonín Dvořák.", "correct"),
    # dates and times
    (FOUNDED, "1 June 1987", "correct"),
    (FOUNDED, "June 1st, 1987", "correct"),
    (FOUNDED, "the first of June nineteen eighty-seven", "correct"),
    (FOUNDED, "1987. június 1.", "correct"),
    (FOUNDED, "1. kesäkuuta 1987", "correct"),
    (FOUNDED, "1/6/87", "correct"),
    (FOUNDED, "01 JUN 1987", "correct"),
    (FOUNDED, "In June of 1987.", "result_ignore"),
    (FOUNDED, "6 January 1987", "result_ignore"),
    (FOUNDED, "1 June 1990 (1987 is when the idea was born).", "result_ignore"),
    (EXAM, "Christmas Eve 2030 at five past one in the afternoon.", "correct"),
    (EXAM, "24.12.2030, 13:05", "correct"),
    (EXAM, "Dec 24, 1:05 PM", "correct"),
    (EXAM, "24 December 2030, 3 pm", "result_ignore"),
    (EXAM, "24 December at 1:05 at night", "result_ignore"),
    (ALARM, "ten to six in the morning", "correct"),
    (ALARM, "5.50 a.m.", "correct"),
    (ALARM, "5h50", "correct"),
    (ALARM, "5:50 in the afternoon", "result_ignore"),
    (ALARM, "Seven o'clock.", "result_ignore"),
    # numbers and units
    (TURNOUT, "58,3 %", "correct"),
    (TURNOUT, "58.3 out of every 100 voters", "correct"),
    (TURNOUT, "0.583", "correct"),
    (TURNOUT, "A little over 58 percent: 58.3.", "correct"),
    (TURNOUT, "85.3 %", "result_ignore"),
    (SLACK, "One eighth of the time.", "correct"),
    (SLACK, "12.5 %", "correct"),
    (SLACK, "1 in 8", "correct"),
    (SLACK, "1.25 %", "result_ignore"),
    (PARCEL, "0.85 kg", "correct"),
    (PARCEL, "30 ounces", "correct"),
    (PARCEL, "850 kg", "result_ignore"),
    (PARCEL, "eight hundred and fifty grams", "correct"),
    (FIELD, "25,000 m²", "correct"),
    (FIELD, "6.18 acres", "correct"),
    (FIELD, "2.5 acres", "result_ignore"),
    (FLIGHT, "eleven and a half hours", "correct"),
    (FLIGHT, "11 h 30", "correct"),
    (FLIGHT, "690 minutes", "correct"),
    (FLIGHT, "11.5 minutes", "result_ignore"),
    (ORBIT, "1 hour 37 minutes", "correct"),
    (ORBIT, "an hour and thirty-seven minutes", "correct"),
    (ORBIT, "About an hour and a half.", "result_ignore"),
    (PEAK, "2.962 m", "correct"),
    (PEAK, "9,718 ft", "correct"),
    (PEAK, "2,962 ft", "result_ignore"),
    (RIVER, "1,400 litres per second", "correct"),
    (RIVER, "1.4 cubic metres a second", "correct"),
    (DISK, "Half a terabyte (512 GB).", "correct"),
    (DISK, "512 MB", "result_ignore"),
    (BALANCE, "You are €240.50 in the red.", "correct"),
    (BALANCE, "-240,50 €", "correct"),
    (BALANCE, "A credit of €240.50.", "result_ignore"),
    (BALANCE, "You owe 240.50 euros.", "correct"),
    # partial use
    (CREW, "22 sailors and 7 officers.", "correct"),
    (CREW, "Twenty-two sailors, seven officers.", "correct"),
    (CREW, "22 sailors; I have no figure for the officers.", "result_ignore"),
    (CREW, "7 sailors and 22 officers.", "result_ignore"),
    (CREW, "30 sailors and 7 officers.", "result_ignore"),
    (TRAIN, "Platform 4, 9:32 am.", "correct"),
    (TRAIN, "At 9:32.", "result_ignore"),
    (TRAIN, "From platform 4 at 10:00.", "result_ignore"),
]  # fmt: skip
"""Labelled by hand before they were run."""


@pytest.mark.parametrize("answers", [SEVENTH, EIGHTH], ids=["seventh", "eighth"])
def test_fresh_hard_answers_are_labelled_as_by_hand_in_95_of_100(
    answers: list[Labelled],
) -> None:
    wrong = mislabelled(answers)
    assert len(wrong) <= 0.05 * len(answers), wrong
