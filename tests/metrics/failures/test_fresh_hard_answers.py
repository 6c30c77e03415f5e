"""The own rule against a seventh hard set, written and kept before it was run once.

It was written after the rule had been rebuilt to read clauses; its kinds are those that people
asked for: rejections, reworded dates, locales, units, partial use.
"""

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


def test_fresh_hard_answers_are_labelled_as_by_hand_in_95_of_100() -> None:
    wrong = mislabelled(SEVENTH)
    assert len(wrong) <= 0.05 * len(SEVENTH), wrong
