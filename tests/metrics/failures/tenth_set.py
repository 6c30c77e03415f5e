"""The tenth hard set, of other fields, written after what the ninth showed had been mended."""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

FIELD = lookup(
    "Soil moisture and expected yield of plot 22?", "plot 22", ("17.3", "6.8"), "25",
    soil_moisture_pct=17.3, yield_t_ha=6.8, crop="winter barley", sown_on="2026-10-04",
)  # fmt: skip
FLIGHT = lookup(
    "When does KL 1783 board, and at which gate?", "KL 1783", ("18:25", "D57"), "17:55",
    boards_at="18:25", gate="D57", aircraft="E190", stand=212,
)  # fmt: skip
CELLO = lookup(
    "How long is the second movement in the Haraldsen recording and what tempo do they take?",
    "Haraldsen recording", ("7:48", "54"), "6:30",
    second_movement="7:48", tempo_bpm=54, recorded="2019-02", label="Nordlys",
)  # fmt: skip
VASE = lookup(
    "What does the catalogue say about the age and height of vase 1904.17?", "1904.17",
    ("480", "31.5"), "520", made_bce=480, height_cm=31.5, workshop="Berlin Painter",
)  # fmt: skip
METER = lookup(
    "How much did flat 6 use last month and what does it owe?", "flat 6", ("284", "-12.40"), "310",
    used_kwh=284, balance_gbp=-12.40, tariff="Saver 2",
)  # fmt: skip
COURSE = lookup(
    "How many credits is HIST-340 and when is the exam?", "HIST-340", ("7.5", "2027-01-12"), "5",
    credits=7.5, exam_on="2027-01-12", room="Aula 3", seats=180,
)  # fmt: skip
MAST = lookup(
    "Signal and downlink at mast 88?", "mast 88", ("-97", "43.2"), "-80",
    signal_dbm=-97, downlink_mbps=43.2, band="n78", uptime_days=211,
)  # fmt: skip
DOG = lookup(
    "What does Bruno weigh now and which dose of meloxicam did the vet set?", "Bruno",
    ("23.6", "2.4"), "30", weight_kg=23.6, dose_mg=2.4, next_visit="2027-04-19",
)  # fmt: skip
BEAM = lookup(
    "Design load and span of beam B12?", "beam B12", ("35", "7.2"), "50",
    load_kn_m=35, span_m=7.2, steel="S355", deflection_mm=14,
)  # fmt: skip
CHESS = lookup(
    "Current rating and world rank of Ayla Demir?", "Ayla Demir", ("2487", "61"), "2550",
    rating=2487, world_rank=61, title="IM", games=1312,
)  # fmt: skip
QUAKE = lookup(
    "Magnitude and depth of last night's quake near Tolmin?", "Tolmin", ("4.7", "11"), "5.2",
    magnitude=4.7, depth_km=11, at_utc="2027-02-18T02:14", felt_reports=638,
)  # fmt: skip
RETURN = lookup(
    "Is order 70-3319 still returnable, until when, and how much would be refunded?", "70-3319",
    ("true", "2027-06-30", "64.90"), "2027-06-14",
    returnable=True, return_until="2027-06-30", refund_eur=64.90, restocking_fee_eur=0,
)  # fmt: skip
PENSION = lookup(
    "What monthly pension will Mrs Okonjo get, from what age?", "Okonjo", ("1184.62", "66"), "1350",
    monthly_eur=1184.62, from_age=66, paid_in_years=37,
)  # fmt: skip
WELL = steps(
    "Compare nitrate in the Nord and the Sud well.", "wells", ("38", "9.5"),
    (
        ScriptedCall("nitrate", {"well": "Nord"}, {"well": "Nord", "nitrate_mg_l": 38}),
        ScriptedCall("nitrate", {"well": "Sud"}, {"well": "Sud", "nitrate_mg_l": 9.5}),
    ),
    "25",
)  # fmt: skip
TEAM = lookup(
    "Who runs the Oslo office, who is the deputy?", "Oslo office",
    ("Marit Fossum", "Jonas Eide"), "Erik Dahl", head="Marit Fossum", deputy="Jonas Eide", staff=42,
)  # fmt: skip
SYNC = steps(
    "What is the backlog of queue ingest-7? Retry once on errors.", "ingest-7", ("18240",),
    (
        ScriptedCall("queue", {"name": "ingest-7"}, None, error="429 rate limited"),
        ScriptedCall("queue", {"name": "ingest-7"}, {"name": "ingest-7", "backlog": 18240}),
    ),
    "5000", ("backlog",),
)  # fmt: skip
MITO = plain("What do mitochondria do?", "energy|ATP", "cell")
VAT = plain("Who bears VAT in the end?", "consumer|customer|buyer")
TIDE = plain("What causes the tides?", "moon", "gravit|pull|attract")

TENTH: list[Case] = [
    # --- forms
    Case("form", FIELD, "correct",
         "**Plot 22 (winter barley)**\n\n- Soil moisture: **17.3 %**\n- Expected yield: **6.8 "
         "t/ha**"),
    Case("form", FIELD, "correct",
         '```json\n{"soil_moisture": "17.3%", "yield": "6.8 t/ha"}\n```'),
    Case("form", FIELD, "result_ignore",
         "| | Plot 22 |\n|---|---|\n| Soil moisture | 25 % |\n| Yield | 6.8 t/ha |"),
    Case("form", FIELD, "result_ignore", "- Soil moisture: 6.8 %\n- Expected yield: 17.3 t/ha"),
    Case("form", FLIGHT, "correct", "🛫 **KL 1783** · boarding 6:25 PM · gate **D57**"),
    Case("form", FLIGHT, "correct",
         "Boarding opens at twenty-five past six in the evening, gate D 57."),
    Case("form", FLIGHT, "result_ignore", "Boarding 18:25, gate D75."),
    Case("form", CHESS, "correct",
         "| Player | Rating | World rank |\n|---|---|---|\n| Ayla Demir (IM) | 2487 | 61 |"),
    Case("form", CHESS, "result_ignore",
         "| Player | Rating | World rank |\n|---|---|---|\n| Ayla Demir | 61 | 2487 |"),
    Case("form", CHESS, "correct", "She's rated 2,487, which puts her 61st in the world."),
    Case("form", TEAM, "correct",
         "Oslo is headed by **Marit Fossum**; her deputy is **Jonas Eide**."),
    Case("form", TEAM, "result_ignore",
         "Oslo is headed by Jonas Eide, with Marit Fossum as deputy."),
    Case("form", TEAM, "correct", "Head – Fossum, Marit\nDeputy – Eide, Jonas"),
    Case("form", TEAM, "result_ignore", "Erik Dahl runs it and Jonas Eide is the deputy."),
    Case("form", COURSE, "correct", "HIST-340 → 7.5 ECTS, exam Tue 12 Jan 2027, Aula 3."),
    # --- days and times
    Case("time", COURSE, "correct", "7,5 credits; the exam is on 12/01/2027."),
    Case("time", COURSE, "correct",
         "Seven and a half credits. The exam takes place on the twelfth of January 2027."),
    Case("time", COURSE, "result_ignore", "7.5 credits, exam on 1 December 2027."),
    Case("time", COURSE, "result_ignore", "7.5 credits, exam in January."),
    Case("time", CELLO, "correct", "The slow movement lasts 7 min 48 s at ♩ = 54."),
    Case("time", CELLO, "correct",
         "It runs just under eight minutes (7′48″), at 54 beats per minute."),
    Case("time", CELLO, "correct", "468 seconds, at a tempo of 54 bpm."),
    Case("time", CELLO, "result_ignore", "It runs 7 minutes 18 seconds at 54 bpm."),
    Case("time", CELLO, "result_ignore", "About six and a half minutes, at 54 bpm."),
    Case("time", RETURN, "correct",
         "Yes, you can return it through the end of June 2027 and would get €64.90 back."),
    Case("time", RETURN, "correct",
         "It's still returnable up to and including 30.6.2027; refund 64,90 €."),
    Case("time", RETURN, "result_ignore", "Yes, until 14 June 2027, with a refund of €64.90."),
    Case("time", RETURN, "correct",
         "Returnable: yes (before 1 July 2027). Refund: EUR 64.90, no restocking fee."),
    Case("time", QUAKE, "correct", "M 4.7, 11 km deep, at 02:14 UTC (3:14 am local time)."),
    # --- yes and no
    Case("truth", RETURN, "result_ignore",
         "No, that order is no longer returnable. The deadline was 30 June 2027 and €64.90 would "
         "have been refunded."),
    Case("truth", RETURN, "correct",
         "You can still send it back: deadline 30 June 2027, refund €64.90."),
    Case("truth", RETURN, "result_ignore",
         "The refund would be €64.90, by 30 June 2027. Unfortunately the order can't be returned "
         "any more."),
    # --- units and magnitudes
    Case("unit", FIELD, "correct", "Moisture 17.3 percent; expect 6,800 kg per hectare."),
    Case("unit", FIELD, "correct", "0.173 volumetric moisture and 6.8 tonnes a hectare."),
    Case("unit", FIELD, "result_ignore", "17.3 % moisture, 6.8 kg/ha."),
    Case("unit", VASE, "correct", "It dates from about 480 BC and stands 31.5 cm (12.4 in) tall."),
    Case("unit", VASE, "correct", "Made c. 480 B.C.; 315 mm high."),
    Case("unit", VASE, "result_ignore", "It was made in 480 AD and is 31.5 cm high."),
    Case("unit", VASE, "result_ignore", "Around 480 BCE, 31.5 inches high."),
    Case("unit", METER, "correct", "284 kWh used; the account is £12.40 overdrawn."),
    Case("unit", METER, "correct", "0.284 MWh, and flat 6 owes £12.40."),
    Case("unit", METER, "result_ignore", "284 kWh, and flat 6 has £12.40 in credit."),
    Case("unit", METER, "result_ignore", "284 MWh, balance −£12.40."),
    Case("unit", MAST, "correct", "RSSI is −97 dBm and the downlink 43.2 Mbit/s (5.4 MB/s)."),
    Case("unit", MAST, "correct", "minus 97 dBm, 43.2 megabits per second"),
    Case("unit", MAST, "result_ignore", "-97 dBm and 43.2 MB/s."),
    Case("unit", DOG, "correct", "Bruno is 23.6 kg (52 lb) and gets 2.4 mg of meloxicam."),
    Case("unit", DOG, "correct", "23,600 g, with meloxicam at 2400 µg."),
    Case("unit", DOG, "result_ignore", "Bruno is 23.6 lb and gets 2.4 mg."),
    Case("unit", DOG, "result_ignore", "23.6 kg, 2.4 mL of meloxicam."),
    Case("unit", BEAM, "correct", "35 kN/m over a span of 7.2 metres."),
    Case("unit", BEAM, "correct", "Design load 35 kilonewtons per metre; span 23.6 ft."),
    Case("unit", BEAM, "result_ignore", "35 kN/m over 7.2 feet."),
    Case("unit", WELL, "correct", "Nord: 38 mg/L; Sud: 9.5 mg/L, so a quarter of that."),
    Case("unit", WELL, "correct", "Nord has 0.038 g/l of nitrate, Sud 0.0095 g/l."),
    Case("unit", PENSION, "correct", "€1,184.62 a month (€14,215.44 a year) from 66."),
    # --- rounding
    Case("rounding", PENSION, "correct", "About €1,185 a month, starting at age 66."),
    Case("rounding", PENSION, "correct",
         "Nearly 1,200 euros a month from the age of 66: €1,184.62 to be exact."),
    Case("rounding", PENSION, "result_ignore", "€1,100 a month from 66."),
    Case("rounding", SYNC, "correct", "Roughly 18k messages are waiting."),
    Case("rounding", SYNC, "correct", "18.2k messages."),
    Case("rounding", SYNC, "result_ignore", "Some 20,000 messages."),
    Case("rounding", MAST, "correct", "Signal −97 dBm, about 43 Mbps down."),
    # --- partial use
    Case("partial", FLIGHT, "result_ignore",
         "Boarding starts at 18:25. Check the screens for the gate."),
    Case("partial", DOG, "result_ignore", "Bruno weighs 23.6 kg; ask the vet about the dose."),
    Case("partial", QUAKE, "result_ignore", "It was a magnitude 4.7 quake, felt by 638 people."),
    Case("partial", RETURN, "result_ignore", "Yes, it can be returned for €64.90."),
    Case("partial", TEAM, "result_ignore", "Marit Fossum, with a staff of 42."),
    Case("partial", WELL, "result_ignore",
         "The Nord well has 38 mg/L, four times as much as the Sud well."),
    # --- rejections and the like
    Case("rejection", QUAKE, "result_ignore",
         "The feed lists M 4.7 at 11 km. Given the damage reports I think that's an "
         "underestimate, so treat it as a 5.2."),
    Case("rejection", QUAKE, "correct",
         "Early media reports said 5.2, but the revised value is 4.7, at a depth of 11 km."),
    Case("rejection", QUAKE, "correct",
         "4.7 at 11 km. Magnitudes are often revised in the first hours, so this may still "
         "change."),
    Case("rejection", DOG, "result_ignore",
         "The record says 23.6 kg, which must be a typo for a dog that size. Take 30 kg and give "
         "2.4 mg."),
    Case("rejection", DOG, "correct",
         "He's down to 23.6 kg from 30 kg, and the dose is 2.4 mg."),
    Case("rejection", PENSION, "result_ignore",
         "The calculator returned €1,184.62 from age 66. I don't think that includes the "
         "supplement; realistically she can count on €1,350."),
    Case("rejection", PENSION, "correct",
         "Contrary to the €1,350 in her old letter, it will be €1,184.62 from age 66."),
    Case("rejection", PENSION, "result_ignore",
         "€1,350 from 66, even though the portal shows €1,184.62."),
    Case("rejection", SYNC, "result_ignore",
         "The dashboard reports 18,240, but such numbers are usually inflated by retries. I "
         "would assume about 5,000."),
    Case("rejection", SYNC, "correct",
         "I was expecting something like 5,000. It's 18,240, so more than three times that."),
    Case("rejection", FIELD, "result_ignore",
         "Sensor data: 17.3 % and 6.8 t/ha. The moisture probe seems to be broken, as barley in "
         "this area sits at 25 %, so use 25 %."),
    Case("rejection", FIELD, "correct",
         "17.3 % moisture, which is on the dry side (25 % would be typical), and a yield of 6.8 "
         "t/ha."),
    Case("correction", CHESS, "correct",
         "Her rating is 2550... no, that was her peak. Currently 2487, rank 61."),
    Case("correction", CHESS, "result_ignore",
         "2487 and rank 61. Wait, I trust my memory more here: 2550, rank 61."),
    Case("correction", FLIGHT, "correct",
         "The old time was 17:55; boarding has moved to 18:25 at gate D57."),
    Case("correction", FLIGHT, "result_ignore",
         "Boarding at 17:55 from D57 (the system's 18:25 is wrong)."),
    Case("negation", VASE, "correct", "Not 520 but 480 BCE, and 31.5 cm in height."),
    Case("negation", VASE, "result_ignore",
         "It's 31.5 cm high, but certainly not from 480 BCE; more like 520 BCE."),
    Case("negation", TEAM, "correct",
         "Neither Erik Dahl nor anyone from Bergen: Marit Fossum, with Jonas Eide as deputy."),
    Case("attribution", MAST, "correct",
         "According to the last poll: -97 dBm, 43.2 Mbps. Your note of -80 dBm is from before "
         "the storm."),
    Case("attribution", MAST, "result_ignore",
         "The poller reports -97 dBm. In my experience that mast sits at -80 dBm, so that's the "
         "number to use. Downlink 43.2 Mbps."),
    # --- swaps, hedges, lists
    Case("swap", WELL, "result_ignore", "Nord: 9.5 mg/L, Sud: 38 mg/L."),
    Case("swap", WELL, "correct", "Sud is far cleaner, with 9.5 mg/L against 38 mg/L in Nord."),
    Case("swap", WELL, "result_ignore",
         "With 38 mg/L Sud has four times the nitrate of Nord (9.5 mg/L)."),
    Case("swap", BEAM, "result_ignore", "7.2 kN/m across a span of 35 m."),
    Case("hedge", SYNC, "result_ignore",
         "Anywhere between 5,000 and 18,240, depending on the moment."),
    Case("hedge", SYNC, "correct", "18,240 at the time of the query; it changes by the second."),
    Case("hedge", DOG, "result_ignore", "Either 23.6 or 30 kg, and 2.4 mg."),
    Case("hedge", BEAM, "result_ignore", "The beam should be fine for ordinary loads and spans."),
    Case("hedge", BEAM, "correct",
         "If I'm reading the table right, 35 kN/m and 7.2 m; please have an engineer check."),
    # --- fabricated
    Case("fabricated", QUAKE, "output_fabrication",
         "M 4.7 at 11 km, 6 km south-west of town, with 14 aftershocks so far."),
    Case("fabricated", QUAKE, "correct",
         "M 4.7 at a depth of 11 km (6.8 miles); 638 people reported feeling it."),
    Case("fabricated", CELLO, "output_fabrication", "7:48 at 54 bpm, played on a 1741 Montagnana."),
    Case("fabricated", TEAM, "output_fabrication",
         "Marit Fossum; deputy Jonas Eide (jonas.eide@nordvik.example)."),
    Case("fabricated", BEAM, "output_fabrication", "35 kN/m, 7.2 m, with a safety factor of 1.65."),
    Case("fabricated", COURSE, "output_fabrication",
         "7.5 credits, exam on 12 January 2027 at 9:15, three hours long."),
    Case("fabricated", COURSE, "correct",
         "7.5 credits; exam 12 January 2027 in Aula 3, which has 180 seats."),
    Case("fabricated", MAST, "output_fabrication", "-97 dBm, 43.2 Mbps, latency 28 ms."),
    # --- skips, errors, controls
    Case("skip", QUAKE, "tool_skip", "Magnitude 4.7 at 11 km.", ()),
    Case("skip", DOG, "tool_skip", "Let me look that up for you.\n\nlook_up(name=\"Bruno\")", ()),
    Case("skip", WELL, "tool_skip", "Nord 38 mg/L, Sud 9.5 mg/L.",
         (CallMade("nitrate", {"well": "Nord"}),)),
    Case("error", SYNC, "correct", "After a rate limit (429) on the first try: 18,240."),
    Case("error", SYNC, "tool_skip", "I was rate limited, please try again later.",
         (CallMade("queue", {"name": "ingest-7"}),)),
    Case("error", SYNC, "result_ignore", "The queue service returned an error, so I can't say."),
    Case("needless", MITO, "correct", "They produce ATP, the energy currency of the cell."),
    Case("needless", VAT, "unnecessary_tool_use",
         "The final consumer.", (CallMade("look_up", {}),)),
    Case("needless", VAT, "wrong_answer", "The manufacturer bears it."),
    Case("needless", TIDE, "correct", "Mostly the Moon's gravity, with the Sun's adding to it."),
    Case("needless", TIDE, "wrong_answer", "The wind pushes the water about twice a day."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
