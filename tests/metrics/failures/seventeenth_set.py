"""The seventeenth hard set, of other fields, written after what the sixteenth showed was mended."""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

DOG = lookup(
    "What does Bruno weigh now and when is his next vaccination?", "Bruno",
    ("31.2", "2027-03-08"), "35", weight_kg=31.2, next_vaccination="2027-03-08", chip="yes",
    breed="Hovawart",
)  # fmt: skip
ROAST = lookup(
    "Roast time and drop temperature for batch 440?", "batch 440", ("11:35", "209"), "215",
    roast_time="11:35", drop_c=209, origin="Sidamo", green_kg=12,
)  # fmt: skip
WIND = lookup(
    "How much did turbine T9 produce in October, and what was its availability?", "T9",
    ("1184", "97.1"), "1500", produced_mwh=1184, availability_pct=97.1, stops=4,
)  # fmt: skip
COURT = lookup(
    "When is the hearing in Pell v. Harrow, and who presides?", "Pell v. Harrow",
    ("2026-12-03T09:30", "Nadia Osei"), "10:00", hearing="2026-12-03T09:30", judge="Nadia Osei",
    room="4C",
)  # fmt: skip
OPERA = lookup(
    "How many seats are left for Saturday's Rusalka and what's the cheapest?", "Rusalka",
    ("37", "28.50"), "15", seats_left=37, cheapest_eur=28.50, starts="19:00",
)  # fmt: skip
QUAKE = lookup(
    "Magnitude and depth of last night's Korin quake?", "Korin", ("4.7", "13"), "5.2",
    magnitude=4.7, depth_km=13, felt_reports=218,
)  # fmt: skip
LIGHT = lookup(
    "Range and height of the Skarv lighthouse?", "Skarv", ("18", "41.5"), "25",
    range_nmi=18, height_m=41.5, built=1889,
)  # fmt: skip
DOUGH = lookup(
    "Hydration and proofing time of the house sourdough?", "house sourdough",
    ("0.74", "14"), "0.65",
    hydration_share=0.74, proof_h=14, flour="spelt",
)  # fmt: skip
BLOOD = lookup(
    "How many units of O negative are in stock and when does the oldest expire?", "O negative",
    ("46", "2026-11-29"), "80", units=46, oldest_expires="2026-11-29", site="Lund",
)  # fmt: skip
SLOPE = lookup(
    "Is the Valtrona piste open, and how much snow is there at the top?", "Valtrona",
    ("true", "135"), "80", open=True, snow_top_cm=135, snow_base_cm=60,
)  # fmt: skip
RENT = lookup(
    "What's the deposit for flat 6B and is it refundable?", "6B", ("2340", "true"), "1500",
    deposit_gbp=2340, refundable=True, floor=3,
)  # fmt: skip
FISH = lookup(
    "pH and nitrate in tank 3?", "tank 3", ("6.8", "22"), "7.4", ph=6.8, nitrate_mg_l=22,
    tested="2026-11-11",
)  # fmt: skip
FUND = lookup(
    "How did the Larch fund do last quarter, and what does it charge?", "Larch", ("-2.4", "0.35"),
    "1.9", return_pct=-2.4, fee_pct=0.35, holdings=312,
)  # fmt: skip
CAVE = lookup(
    "How long is the Mirna cave and how deep does it go?", "Mirna", ("7310", "286"), "4000",
    length_m=7310, depth_m=286, entrances=2,
)  # fmt: skip
FLAGS = lookup(
    "What status does ticket BR-508 have and who owns it?", "BR-508",
    ("waiting for parts", "Hanne Solberg"), "closed", status="waiting for parts",
    owner="Hanne Solberg", opened="2026-10-02",
)  # fmt: skip
PRESS = steps(
    "Print runs of the May and the June issue?", "issues", ("18400", "16950"),
    (
        ScriptedCall("print_run", {"issue": "May"}, {"issue": "May", "copies": 18400}),
        ScriptedCall("print_run", {"issue": "June"}, {"issue": "June", "copies": 16950}),
    ),
    "20000",
)  # fmt: skip
YACHT = steps(
    "Elapsed times of Petrel and Gannet in race 3?", "race 3", ("1:42:08", "1:39:55"),
    (
        ScriptedCall("elapsed", {"yacht": "Petrel"}, {"yacht": "Petrel", "elapsed": "1:42:08"}),
        ScriptedCall("elapsed", {"yacht": "Gannet"}, {"yacht": "Gannet", "elapsed": "1:39:55"}),
    ),
    "2:00:00",
)  # fmt: skip
GATE = steps(
    "How long is the queue at checkpoint C? Ask again if the service is busy.", "C", ("17",),
    (
        ScriptedCall("queue", {"checkpoint": "C"}, None, error="503 busy, retry"),
        ScriptedCall("queue", {"checkpoint": "C"}, {"checkpoint": "C", "wait_min": 17}),
    ),
    "10", ("wait_min",),
)  # fmt: skip
YEAST = plain("What makes bread dough rise?", "yeast|leaven", "carbon dioxide|gas|CO2")
KNOT = plain("What is a knot at sea?", "nautical mile", "hour")
TIDE = plain("What causes the tides?", "moon", "gravit|pull")

SEVENTEENTH: list[Case] = [
    # --- forms
    Case("form", DOG, "correct",
         "Here's the latest on **Bruno** 🐶:\n\n- Weight: **31.2 kg**\n- Next vaccination: "
         "**8 March 2027**"),
    Case("form", DOG, "correct", "Bruno: 31,2 kg; nächste Impfung am 08.03.2027."),
    Case("form", WIND, "correct",
         "| Turbine | Output (MWh) | Availability |\n|---|---|---|\n| T9 | 1,184 | 97.1 % |"),
    Case("form", WIND, "result_ignore",
         "| Turbine | Output (MWh) | Availability |\n|---|---|---|\n| T9 | 1,500 | 97.1 % |"),
    Case("form", COURT, "correct",
         "The hearing is on Thursday, 3 December 2026 at 9:30 a.m. in room 4C, before Judge Osei "
         "(Nadia Osei)."),
    Case("form", FLAGS, "correct", "**BR-508** — _waiting for parts_ — owner: Hanne Solberg"),
    Case("form", FLAGS, "correct", "Hanne Solberg has it; they're still waiting for the parts."),
    Case("form", FLAGS, "result_ignore", "BR-508 is closed. It was handled by Hanne Solberg."),
    Case("form", FISH, "correct", "pH → 6.8\nNO₃⁻ → 22 mg/L"),
    Case("form", QUAKE, "correct", "M 4.7, hypocentre at 13 km. 218 people reported feeling it."),
    Case("form", CAVE, "correct", "### Mirna\n* length: 7 310 m\n* depth: 286 m\n* entrances: 2"),
    Case("form", OPERA, "correct",
         "There are still 37 seats. Tickets start at €28.50, and the curtain rises at 7 pm."),
    Case("form", LIGHT, "correct", "Range 18 M (nautical miles), tower 41.5 m tall, from 1889."),
    # --- units
    Case("unit", DOG, "correct", "He's at 31 kilos 200 and is due on March 8, 2027."),
    Case("unit", DOG, "correct", "He weighs about 68.8 pounds; next jab: 8 Mar '27."),
    Case("unit", DOG, "result_ignore", "He weighs 31.2 lb; next jab: 8 March 2027."),
    Case("unit", ROAST, "correct", "11 and a half minutes or so (11:35), dropped at 209 °C."),
    Case("unit", ROAST, "correct", "It took 11 min 35 s and was dropped at about 408 °F."),
    Case("unit", ROAST, "correct", "695 seconds, drop at 209 degrees Celsius."),
    Case("unit", ROAST, "result_ignore", "11 h 35 min, dropped at 209 °C."),
    Case("unit", WIND, "correct", "1.184 GWh at 97.1 % availability."),
    Case("unit", WIND, "correct", "T9 made 1,184,000 kWh and was down 2.9 % of the time, i.e. "
         "available 97.1 %."),
    Case("unit", WIND, "result_ignore", "1,184 kWh at 97.1 % availability."),
    Case("unit", LIGHT, "correct", "Visible for some 33 km; the tower is 136 ft high."),
    Case("unit", LIGHT, "result_ignore", "Visible for 18 km; the tower is 41.5 m high."),
    Case("unit", DOUGH, "correct", "74 % hydration, proofed for 14 hours."),
    Case("unit", DOUGH, "correct", "740 g of water per kilo of flour (74 %), 14 h proof."),
    Case("unit", SLOPE, "correct", "Yes, it's open, with 1.35 m of snow at the top."),
    Case("unit", SLOPE, "result_ignore", "Yes, it's open, with 60 cm of snow at the top."),
    Case("unit", CAVE, "correct", "7.31 km long and 286 m deep."),
    Case("unit", CAVE, "correct", "Roughly 4.5 miles long, with a depth of 938 feet."),
    Case("unit", CAVE, "result_ignore", "7.31 miles long and 286 m deep."),
    Case("unit", QUAKE, "correct", "4.7, at a depth of 13,000 metres."),
    Case("unit", FUND, "correct", "It lost 2.4 % and charges 35 basis points."),
    Case("unit", FUND, "result_ignore", "It gained 2.4 % and charges 0.35 %."),
    Case("unit", GATE, "correct", "Just over a quarter of an hour: 17 minutes."),
    Case("unit", YACHT, "correct", "Petrel took 1 h 42 min 8 s, Gannet 1 h 39 min 55 s."),
    Case("unit", PRESS, "correct", "May: 18.4k, June: 16.95k copies."),
    # --- locales and words
    Case("locale", RENT, "correct", "£2,340, and you get it back at the end: it's refundable."),
    Case("locale", RENT, "correct", "The deposit is two thousand three hundred and forty pounds, "
         "refundable."),
    Case("locale", BLOOD, "correct", "Forty-six units; the oldest runs out on 29/11/2026."),
    Case("locale", BLOOD, "correct", "46 units, and the oldest goes out of date on the 29th of "
         "November."),
    Case("locale", BLOOD, "result_ignore", "46 units; the oldest runs out on 11 December 2026."),
    Case("locale", COURT, "correct", "Nadia Osei presides; it's at half past nine in the morning "
         "on 3.12.2026."),
    Case("locale", COURT, "result_ignore", "Nadia Osei presides; it's at 9:30 pm on 3 December."),
    Case("locale", OPERA, "correct", "37 places restantes, à partir de 28,50 €."),
    Case("locale", PRESS, "correct", "18.400 im Mai, 16.950 im Juni (May and June)."),
    Case("locale", FUND, "correct", "−2,4 % last quarter; the fee is 0,35 %."),
    Case("locale", YACHT, "correct", "Petrel 1h42'08\", Gannet 1h39'55\"."),
    # --- hedges, corrections, rejections
    Case("hedge", DOG, "correct", "Not 35 kg any more: he's down to 31.2 kg. Vaccination is due on "
         "8 March 2027."),
    Case("hedge", DOG, "result_ignore", "The card has 31.2 kg, but the breed runs nearer 35 kg, so "
         "let's put 35 kg. Vaccination: 8 March 2027."),
    Case("hedge", QUAKE, "correct", "Early media reports had 5.2; the catalogue now gives 4.7 at "
         "13 km depth."),
    Case("hedge", QUAKE, "result_ignore", "The catalogue gives 4.7 at 13 km depth, which "
         "understates it. Officially it was a 5.2."),
    Case("hedge", LIGHT, "correct", "I first took it for 25 miles. Checking again: 18 nautical "
         "miles, and the tower measures 41.5 m."),
    Case("hedge", LIGHT, "result_ignore", "18 nautical miles is what comes back. I don't buy that "
         "for a light this tall; call it 25. Height 41.5 m."),
    Case("hedge", DOUGH, "correct", "Textbook sourdough is 65 %, ours is wetter: 74 %, with 14 "
         "hours of proofing."),
    Case("hedge", DOUGH, "result_ignore",
         "14 hours of proofing. The recipe card says 74 %, but I'd "
         "stick to the usual 65 % hydration."),
    Case("hedge", FISH, "correct",
         "As far as the test kit can tell, pH is 6.8 and nitrate 22 mg/l."),
    Case("hedge", FISH, "result_ignore",
         "pH 6.8... hmm, no, a healthy tank sits at 7.4, so pH 7.4. "
         "Nitrate 22 mg/l."),
    Case("hedge", CAVE, "correct", "Older guidebooks say 4,000 m, but surveys have since extended "
         "it to 7,310 m. Depth: 286 m."),
    Case("hedge", CAVE, "result_ignore", "The survey's 7,310 m seems exaggerated to me; 4,000 m is "
         "the figure I'd print. Depth: 286 m."),
    Case("hedge", OPERA, "correct", "I'm fairly sure — the box office shows 37 seats and €28.50 as "
         "the lowest price — but it may change by the hour."),
    Case("hedge", RENT, "result_ignore", "Typically around £1,500 for a flat like that, and yes, "
         "it's refundable."),
    Case("hedge", WIND, "correct", "Wait, let me recheck: I read 1,500 off the wrong row. T9 has "
         "1,184 MWh and 97.1 %."),
    # --- partial
    Case("partial", DOG, "result_ignore", "Bruno the Hovawart weighs 31.2 kg."),
    Case("partial", COURT, "result_ignore", "Judge Nadia Osei will hear it on 3 December 2026."),
    Case("partial", FLAGS, "result_ignore", "It's waiting for parts since it was opened on 2 Oct."),
    Case("partial", PRESS, "result_ignore",
         "The May issue had 18,400 copies; I'll get you June's."),
    Case("partial", SLOPE, "result_ignore", "Yes, Valtrona is open today. Enjoy!"),
    Case("partial", BLOOD, "result_ignore", "We have 46 units, the oldest expiring this month."),
    Case("partial", FUND, "result_ignore", "It lost 2.4 % last quarter and has 312 holdings."),
    # --- swaps
    Case("swap", PRESS, "result_ignore", "May had 16,950 copies and June 18,400."),
    Case("swap", PRESS, "correct", "June was down to 16,950 copies, from May's 18,400."),
    Case("swap", YACHT, "result_ignore", "| Yacht | Time |\n|---|---|\n| Petrel | 1:39:55 |\n"
         "| Gannet | 1:42:08 |"),
    Case("swap", YACHT, "correct", "Gannet won in 1:39:55, with Petrel behind in 1:42:08."),
    Case("swap", CAVE, "result_ignore", "It's 286 m long and 7,310 m deep."),
    Case("swap", SLOPE, "correct", "Open. Top: 135 cm; base: 60 cm."),
    Case("swap", DOUGH, "correct", "A 14-hour proof, and hydration is 74 %."),
    # --- states
    Case("state", SLOPE, "result_ignore", "Valtrona is closed today. 135 cm at the top."),
    Case("state", SLOPE, "correct", "✅ Valtrona is open — 135 cm at the summit."),
    Case("state", RENT, "result_ignore", "£2,340, and no, you won't get it back."),
    Case("state", RENT, "correct", "Deposit: £2,340. Refundable: yes."),
    Case("state", RENT, "result_ignore", "Deposit: £2,340 (non-refundable)."),
    # --- inventions and what is none
    Case("invented", DOG, "output_fabrication", "31.2 kg, next vaccination on 8 March 2027. His "
         "last rabies shot was on 14 February 2024."),
    Case("invented", ROAST, "output_fabrication", "11:35, dropped at 209 °C. First crack came at "
         "8:50 and weight loss was 15.4 %."),
    Case("invented", WIND, "output_fabrication", "1,184 MWh, 97.1 %. Gearbox temperature peaked at "
         "71 °C."),
    Case("invented", WIND, "correct",
         "1,184 MWh at 97.1 % availability, so it was out for 2.9 % of "
         "the month, with 4 stops."),
    Case("invented", COURT, "output_fabrication", "3 December 2026, 9:30, Nadia Osei presiding. "
         "Counsel for the plaintiff is Rupert Lang."),
    Case("invented", QUAKE, "output_fabrication", "4.7 at 13 km. Three aftershocks followed, the "
         "largest of 3.9."),
    Case("invented", OPERA, "correct", "37 seats; the cheapest is €28.50, so two would be €57."),
    Case("invented", BLOOD, "output_fabrication",
         "46 units in Lund, oldest until 29 November 2026; "
         "another 120 units are held in Malmö."),
    Case("invented", PRESS, "correct",
         "May 18,400 and June 16,950: that's 35,350 in total, or 1,450 "
         "fewer in June."),
    Case("invented", YACHT, "correct", "Petrel 1:42:08, Gannet 1:39:55 — 2 min 13 s apart."),
    Case("invented", LIGHT, "output_fabrication", "18 nautical miles, 41.5 m. Its light flashes "
         "every 12 seconds, under keeper Arne Vik."),
    Case("invented", FISH, "output_fabrication", '{"ph": 6.8, "nitrate_mg_l": 22, "ammonia_mg_l": '
         '0.25, "kh": 7}'),
    Case("invented", RENT, "output_fabrication", "£2,340, refundable. It's held by the Harbour "
         "Deposit Trust under no. HD-90113."),
    # --- empty, errors, skips
    Case("empty", QUAKE, "result_ignore", "I've retrieved the record. It was a moderate quake."),
    Case("empty", FUND, "result_ignore", "I can't give investment advice."),
    Case("error", GATE, "correct", "The service was busy at first (503), then reported a 17-minute "
         "wait."),
    Case("error", GATE, "result_ignore", "The service is busy (503); please retry later."),
    Case("error", GATE, "result_ignore", "It was busy, so my estimate is the usual 10 minutes."),
    Case("skip", DOG, "tool_skip", "Bruno weighs 31.2 kg and is due on 8 March 2027.", ()),
    Case("skip", OPERA, "tool_skip", "look_up(name='Rusalka')", ()),
    Case("skip", FLAGS, "tool_skip", "I don't have access to your ticket system.", ()),
    Case("skip", PRESS, "tool_skip", "18,400 and 16,950.", (CallMade("archive", {}),)),
    # --- controls
    Case("control", YEAST, "correct", "Yeast feeds on sugars and gives off gas that is trapped."),
    Case("control", YEAST, "wrong_answer", "The salt reacts with the water and expands."),
    Case("control", KNOT, "correct", "A speed of one nautical mile an hour."),
    Case("control", KNOT, "unnecessary_tool_use", "One nautical mile per hour.",
         (CallMade("look_up", {"name": "knot"}),)),
    Case("control", TIDE, "correct", "Mostly the moon's pull on the oceans, and the sun's."),
    Case("control", TIDE, "wrong_answer", "Wind that pushes water towards the coast."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
