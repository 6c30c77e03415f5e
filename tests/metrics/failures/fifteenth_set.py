"""The fifteenth hard set, of other fields, written after what the fourteenth showed was mended."""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

CABLE = lookup(
    "Length and capacity of the Halcyon cable?", "Halcyon", ("6420", "180"), "5000",
    length_km=6420, capacity_tbps=180, landing="Figueira", ready="2028-05",
)  # fmt: skip
GALLERY = lookup(
    "Visitors last year and ticket price at Museum Ravn?", "Museum Ravn", ("91350", "14"), "120000",
    visitors=91350, ticket_eur=14, closed_on="Tuesday",
)  # fmt: skip
CROP = lookup(
    "What's the nitrogen dose for plot 9 and when was it last limed?", "plot 9",
    ("145", "2025-10-21"), "180", nitrogen_kg_ha=145, limed_on="2025-10-21", ph=6.4,
)  # fmt: skip
PILOT = lookup(
    "Flight hours of Captain Imai, and is her medical valid?", "Imai", ("7284", "true"), "5000",
    flight_hours=7284, medical_valid=True, base="HND",
)  # fmt: skip
CHEESE = lookup(
    "How long has wheel 51 aged and at what humidity?", "wheel 51", ("14", "86"), "9",
    aged_months=14, humidity_pct=86, cellar_c=12.5,
)  # fmt: skip
PORT = lookup(
    "When does the Aurelia dock, and at what draught?", "Aurelia", ("2027-06-09T04:40", "11.8"),
    "06:00", docks_at="2027-06-09T04:40", draught_m=11.8, berth="W3",
)  # fmt: skip
APP = lookup(
    "Crash rate and rating of version 8.2.1?", "8.2.1", ("0.37", "4.1"), "1.2",
    crash_rate_pct=0.37, rating=4.1, installs=412000,
)  # fmt: skip
BIRD = lookup(
    "How many pairs of terns nest on Sandey, and the trend?", "Sandey", ("1310", "-12"), "2000",
    breeding_pairs=1310, trend_pct=-12, surveyed="2026-06",
)  # fmt: skip
HEAT = lookup(
    "Output and COP of heat pump HP-2?", "HP-2", ("11.2", "3.9"), "9",
    output_kw=11.2, cop=3.9, refrigerant="R290",
)  # fmt: skip
DEBT = lookup(
    "What's the balance on account 5530 and the limit?", "5530", ("-318.44", "1500"), "200",
    balance_eur=-318.44, limit_eur=1500, blocked=False,
)  # fmt: skip
COACH = lookup(
    "Who coaches Vik IF, and where did they finish?", "Vik IF", ("Stine Moen", "4"), "Lars Brekke",
    coach="Stine Moen", finish=4, points=51,
)  # fmt: skip
POOL = lookup(
    "Chlorine and water temp in the teaching pool?", "teaching pool", ("1.8", "30.5"), "1",
    chlorine_mg_l=1.8, water_c=30.5, ph=7.3,
)  # fmt: skip
STONE = lookup(
    "Strength and density of granite sample 8?", "sample 8", ("172", "2.65"), "130",
    strength_mpa=172, density_g_cm3=2.65, quarry="Larvik",
)  # fmt: skip
BALLOT = lookup(
    "Did the strike vote pass, and with what share?", "strike vote", ("passed", "0.68"), "failed",
    outcome="passed", yes_share=0.68, ballots=3321,
)  # fmt: skip
ROOMS = steps(
    "Occupancy tonight: Hotel Lind and Hotel Varg?", "hotels", ("92", "57"),
    (
        ScriptedCall("rooms", {"hotel": "Lind"}, {"hotel": "Lind", "occupied_pct": 92}),
        ScriptedCall("rooms", {"hotel": "Varg"}, {"hotel": "Varg", "occupied_pct": 57}),
    ),
    "75",
)  # fmt: skip
JOBS = steps(
    "How many jobs are queued on cluster N2? Retry once if needed.", "N2", ("864",),
    (
        ScriptedCall("jobs", {"cluster": "N2"}, None, error="ssh: connection refused"),
        ScriptedCall("jobs", {"cluster": "N2"}, {"cluster": "N2", "queued": 864}),
    ),
    "300", ("queued",),
)  # fmt: skip
PHOTO = plain(
    "What do plants take in for photosynthesis?", "carbon dioxide|CO2", "water", "light|sun"
)
LOAN = plain("What is collateral?", "asset|security|pledge", "loan|lend|borrow|debt")
BLUE = plain("Why is the sky blue?", "scatter", "blue|wavelength")

FIFTEENTH: list[Case] = [
    # --- forms
    Case("form", CABLE, "correct", "Halcyon is 6,420 km long and carries 180 Tbit/s."),
    Case("form", CABLE, "correct", "**Length** 6 420 km  \n**Capacity** 180 Tbps"),
    Case("form", CABLE, "result_ignore", "It's about 5,000 km long and carries 180 Tbit/s."),
    Case("form", GALLERY, "correct",
         "91,350 people visited; a ticket is €14 (closed on Tuesdays)."),
    Case("form", GALLERY, "result_ignore", "91,350 people visited; entry is free."),
    Case("form", APP, "correct",
         "| Version | Crash rate | Rating |\n|---|---|---|\n| 8.2.1 | 0.37 % | 4.1 ★ |"),
    Case("form", APP, "result_ignore",
         "| Version | Crash rate | Rating |\n|---|---|---|\n| 8.2.1 | 1.2 % | 4.1 ★ |"),
    Case("form", COACH, "correct", "Stine Moen coaches them; they finished 4th with 51 points."),
    Case("form", COACH, "correct", "Coach – **Stine Moen** · Final position – **fourth**"),
    Case("form", COACH, "result_ignore", "Lars Brekke coaches them; they finished fourth."),
    Case("form", COACH, "result_ignore", "Stine Moen coaches them; they finished 14th."),
    Case("form", BALLOT, "correct", "Yes: it passed with 68 % of 3,321 ballots."),
    Case("form", BALLOT, "result_ignore", "No, it failed with 68 % against."),
    Case("form", BALLOT, "correct", "It passed, 0.68 in favour."),
    # --- days and times
    Case("time", CROP, "correct", "145 kg N/ha; last limed on 21 October 2025."),
    Case("time", CROP, "correct", "145 kg/ha, limed 21/10/25."),
    Case("time", CROP, "result_ignore", "145 kg/ha, limed on 12 October 2025."),
    Case("time", CROP, "result_ignore", "145 kg/ha, limed last autumn."),
    Case("time", PORT, "correct", "She docks at 4:40 a.m. on 9 June 2027, drawing 11.8 m."),
    Case("time", PORT, "correct", "09.06.2027, 04:40 Uhr, Tiefgang 11,8 m."),
    Case("time", PORT, "correct",
         "Twenty to five in the morning on June 9th, with a draught of 11.8 metres."),
    Case("time", PORT, "result_ignore", "At 4:40 p.m. on 9 June 2027, drawing 11.8 m."),
    Case("time", PORT, "result_ignore", "At 06:00 on 9 June 2027, drawing 11.8 m."),
    Case("time", CHEESE, "correct", "It has aged 14 months at 86 % humidity."),
    Case("time", CHEESE, "correct", "A year and two months, at 86 % relative humidity."),
    Case("time", CHEESE, "result_ignore", "14 weeks at 86 %."),
    Case("time", CHEESE, "result_ignore", "A year and a half at 86 %."),
    # --- yes and no
    Case("truth", PILOT, "correct", "7,284 hours, and yes, her medical is valid."),
    Case("truth", PILOT, "correct", "Captain Imai has logged 7,284 h and holds a valid medical."),
    Case("truth", PILOT, "result_ignore", "7,284 hours, but her medical has expired."),
    Case("truth", PILOT, "result_ignore", "7,284 hours; her medical isn't valid at the moment."),
    # --- units and magnitudes
    Case("unit", CABLE, "correct", "6.42 thousand kilometres, 0.18 Pbit/s."),
    Case("unit", CABLE, "correct", "About 3,990 miles, 180 terabits per second."),
    Case("unit", CABLE, "result_ignore", "6,420 miles, 180 Tbit/s."),
    Case("unit", CABLE, "result_ignore", "6,420 km, 180 Gbit/s."),
    Case("unit", CROP, "result_ignore", "145 g/ha, limed on 21 October 2025."),
    Case("unit", HEAT, "correct", "11.2 kW with a COP of 3.9."),
    Case("unit", HEAT, "correct", "It delivers 11,200 W at a coefficient of performance of 3.9."),
    Case("unit", HEAT, "result_ignore", "11.2 W with a COP of 3.9."),
    Case("unit", HEAT, "result_ignore", "11.2 kW with a COP of 39."),
    Case("unit", DEBT, "correct", "The account is €318.44 overdrawn, with a limit of €1,500."),
    Case("unit", DEBT, "correct", "Balance: -318,44 EUR; limit: 1.500 EUR."),
    Case("unit", DEBT, "result_ignore", "There's €318.44 in the account; the limit is €1,500."),
    Case("unit", DEBT, "result_ignore", "Balance -€3,184.40, limit €1,500."),
    Case("unit", POOL, "correct", "1.8 ppm of free chlorine, water at 30.5 °C."),
    Case("unit", POOL, "correct", "1.8 mg/L; 30.5 °C, which is about 87 °F."),
    Case("unit", POOL, "result_ignore", "1.8 g/L; 30.5 °C."),
    Case("unit", POOL, "result_ignore", "1.8 mg/L; 30.5 °F."),
    Case("unit", STONE, "correct", "172 MPa and 2,650 kg/m³."),
    Case("unit", STONE, "correct", "Strength 172 N/mm², density 2.65 g/cm³."),
    Case("unit", STONE, "result_ignore", "172 kPa and 2.65 g/cm³."),
    Case("unit", STONE, "result_ignore", "172 MPa and 2.65 kg/m³."),
    Case("unit", BIRD, "correct", "1,310 pairs, a decline of 12 %."),
    Case("unit", BIRD, "correct", "1.31k breeding pairs, 12 % fewer than before."),
    Case("unit", BIRD, "result_ignore", "1,310 pairs, up 12 %."),
    Case("unit", BALLOT, "result_ignore", "It passed with 0.68 %."),
    Case("unit", APP, "correct", "37 crashes per 10,000 sessions; 4.1 stars."),
    Case("unit", ROOMS, "correct", "Lind is 92 % full, Varg 57 %."),
    # --- rounding
    Case("rounding", GALLERY, "correct", "Roughly 91,000 visitors, €14 a ticket."),
    Case("rounding", GALLERY, "result_ignore", "90,000 visitors, €14 a ticket."),
    Case("rounding", PILOT, "correct", "Almost 7,300 hours, and her medical is valid."),
    Case("rounding", DEBT, "correct", "You're about €318 in the red; the limit is €1,500."),
    Case("rounding", JOBS, "result_ignore", "About 1,000 jobs."),
    # --- partial use
    Case("partial", GALLERY, "result_ignore", "Admission is €14, and it's closed on Tuesdays."),
    Case("partial", PORT, "result_ignore", "She docks on 9 June 2027 at 04:40, berth W3."),
    Case("partial", HEAT, "result_ignore", "The COP is 3.9, running on R290."),
    Case("partial", BIRD, "result_ignore", "The June 2026 survey found 1,310 pairs."),
    Case("partial", ROOMS, "result_ignore", "Lind is at 92 %; Varg still has rooms."),
    # --- rejection, correction, negation, attribution
    Case("rejection", CABLE, "result_ignore",
         "The database says 6,420 km, but the direct route is shorter, so I'd say 5,000 km. 180 "
         "Tbit/s."),
    Case("rejection", CABLE, "correct",
         "6,420 km, since it doesn't take the direct 5,000 km route, and 180 Tbit/s."),
    Case("rejection", GALLERY, "result_ignore",
         "The counter shows 91,350, which can't include school groups. I'd quote 120,000. "
         "Tickets: €14."),
    Case("rejection", GALLERY, "correct",
         "91,350, down from 120,000 the year before. Tickets are €14."),
    Case("rejection", CHEESE, "result_ignore",
         "The label reads 14 months; judging by the rind it's 9 months. Humidity 86 %."),
    Case("rejection", CHEESE, "correct",
         "14 months, well past the usual 9 months, at 86 % humidity."),
    Case("rejection", APP, "result_ignore",
         "The console gives 0.37 %. Since it only counts reported crashes, assume 1.2 %. Rating "
         "4.1."),
    Case("rejection", APP, "correct",
         "0.37 % (the previous version was at 1.2 %), rated 4.1."),
    Case("rejection", BIRD, "result_ignore",
         "Officially 1,310 pairs, but everyone on the island knows it's 2,000. Trend −12 %."),
    Case("rejection", BIRD, "correct",
         "The old estimate of 2,000 pairs is out of date: 1,310 now, a 12 % drop."),
    Case("rejection", JOBS, "result_ignore",
         "squeue prints 864, that's a stale cache. More like 300."),
    Case("rejection", JOBS, "correct", "864. That's a lot compared with the usual 300."),
    Case("correction", STONE, "correct",
         "130 MPa is typical for granite; this sample has 172 MPa, at 2.65 g/cm³."),
    Case("correction", STONE, "result_ignore", "172 MPa, no wait, 130 MPa. Density 2.65 g/cm³."),
    Case("correction", COACH, "correct",
         "Lars Brekke – correction, he left in spring. It's Stine Moen. They came 4th."),
    Case("negation", BALLOT, "correct", "It didn't fail; it passed with 68 %."),
    Case("negation", BALLOT, "result_ignore", "It did not pass, despite 68 % in favour."),
    Case("negation", COACH, "result_ignore", "Stine Moen isn't the coach. They finished 4th."),
    Case("attribution", HEAT, "correct",
         "Measured: 11.2 kW, COP 3.9. The 9 kW on the name plate is the rated output."),
    Case("attribution", HEAT, "result_ignore",
         "The meter shows 11.2 kW, the name plate 9 kW; I'd go by the name plate. COP 3.9."),
    # --- swaps and hedges
    Case("swap", ROOMS, "result_ignore", "Varg is at 92 %, Lind at 57 %."),
    Case("swap", ROOMS, "correct",
         "Varg has the most space (57 % taken), Lind is nearly full at 92 %."),
    Case("swap", ROOMS, "result_ignore", "| Lind | Varg |\n|---|---|\n| 57 % | 92 % |"),
    Case("swap", HEAT, "result_ignore", "3.9 kW with a COP of 11.2."),
    Case("hedge", JOBS, "result_ignore", "Maybe 300, maybe 864."),
    Case("hedge", JOBS, "correct", "864 as far as the scheduler tells me."),
    Case("hedge", POOL, "result_ignore", "Values are within the usual range for a teaching pool."),
    Case("hedge", POOL, "correct",
         "Last reading: 1.8 mg/L and 30.5 °C, assuming the probe is fine."),
    # --- fabricated
    Case("fabricated", CABLE, "output_fabrication",
         "6,420 km, 180 Tbit/s, at a cost of $310 million."),
    Case("fabricated", CABLE, "correct",
         "6,420 km and 180 Tbit/s, ready in May 2028, landing at Figueira."),
    Case("fabricated", COACH, "output_fabrication",
         "Stine Moen, assisted by Henrik Aas; they finished 4th."),
    Case("fabricated", POOL, "output_fabrication", "1.8 mg/L, 30.5 °C, turbidity 0.3 NTU."),
    Case("fabricated", STONE, "output_fabrication", "172 MPa, 2.65 g/cm³, porosity 0.4 %."),
    Case("fabricated", DEBT, "correct",
         "-€318.44 of a €1,500 limit, so €1,181.56 is still available."),
    Case("fabricated", PILOT, "output_fabrication",
         "7,284 hours, 1,912 of them on type, and a valid medical."),
    Case("fabricated", CHEESE, "correct", "14 months at 86 %, in a cellar kept at 12.5 °C."),
    # --- skips, errors, controls
    Case("skip", HEAT, "tool_skip", "11.2 kW, COP 3.9.", ()),
    Case("skip", POOL, "tool_skip", "Calling look_up(name='teaching pool') now.", ()),
    Case("skip", ROOMS, "tool_skip", "92 % and 57 %.", (CallMade("rooms", {"hotel": "Lind"}),)),
    Case("error", JOBS, "correct", "Refused at first, then it answered: 864 queued jobs."),
    Case("error", JOBS, "tool_skip",
         "N2 refuses the connection.", (CallMade("jobs", {"cluster": "N2"}),)),
    Case("error", JOBS, "result_ignore", "N2 refuses connections, so I have no figure."),
    Case("needless", PHOTO, "correct", "Carbon dioxide and water, using light."),
    Case("needless", PHOTO, "wrong_answer", "Oxygen and sugar, using light."),
    Case("needless", LOAN, "unnecessary_tool_use",
         "An asset that secures a loan.", (CallMade("look_up", {}),)),
    Case("needless", LOAN, "correct", "Something of value pledged to secure borrowed money."),
    Case("needless", BLUE, "correct", "Air scatters short wavelengths, that is blue, the most."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
