"""The eleventh hard set, of other fields, written after what the tenth showed had been mended."""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

HYDRANT = lookup(
    "Flow and static pressure of hydrant H-614?", "H-614", ("1850", "4.2"), "1200",
    flow_l_min=1850, static_pressure_bar=4.2, last_test="2026-09-17", main_mm=150,
)  # fmt: skip
NOVEL = lookup(
    "How many copies of The Salt Ledger have sold, and what royalty does the author get?",
    "The Salt Ledger", ("13760", "8.5"), "20000",
    copies_sold=13760, royalty_pct=8.5, published="2025-11", publisher="Kestrel & Vane",
)  # fmt: skip
TAX = lookup(
    "When is the VAT return for Brandt GmbH due and how much is payable?", "Brandt GmbH",
    ("2027-02-10", "18432.75"), "2027-01-31",
    due_on="2027-02-10", payable_eur=18432.75, period="2026-Q4", filed=False,
)  # fmt: skip
STAGE = lookup(
    "How long is stage 9, how much climbing, and who won it?", "stage 9",
    ("187.4", "3960", "Luca Ferretti"), "200",
    distance_km=187.4, climbing_m=3960, winner="Luca Ferretti", time_gap_s=14,
)  # fmt: skip
TOOTH = lookup(
    "Which tooth needs the crown for Mr Albrecht, and what's his share?", "Albrecht",
    ("36", "412.30"), "26", tooth=36, patient_share_eur=412.30, insurer_share_eur=287.70,
)  # fmt: skip
BREW = lookup(
    "Original gravity and fermentation temp of batch 31?", "batch 31", ("1.062", "18.5"), "1.050",
    original_gravity=1.062, fermentation_c=18.5, yeast="Kveik Voss", volume_l=420,
)  # fmt: skip
STORM = lookup(
    "Top gust and rain total at Skagen yesterday?", "Skagen", ("31.4", "22.6"), "25",
    max_gust_m_s=31.4, rain_mm=22.6, pressure_hpa=968, warning="orange",
)  # fmt: skip
PROBE = lookup(
    "Signal delay to the Hesper probe and its speed?", "Hesper", ("2520", "14.7"), "1800",
    one_way_delay_s=2520, speed_km_s=14.7, power_w=212,
)  # fmt: skip
TRAIN = lookup(
    "Is ICE 577 late, and what platform?", "ICE 577", ("27", "9"), "0",
    delay_minutes=27, platform=9, reason="signal failure",
)  # fmt: skip
RHINO = lookup(
    "How heavy is Tamu and when is the calf due?", "Tamu", ("1940", "2027-08-25"), "2300",
    weight_kg=1940, calf_due="2027-08-25", keeper="Siri Holm",
)  # fmt: skip
VOTE = lookup(
    "Turnout and result of the Hallstatt referendum?", "Hallstatt", ("58.3", "rejected"),
    "accepted",
    turnout_pct=58.3, outcome="rejected", yes_votes=211, no_votes=264,
)  # fmt: skip
CLAIM = lookup(
    "What did we pay on claim 20-771 and is it closed?", "20-771", ("9640", "false"), "12000",
    paid_usd=9640, closed=False, adjuster="Tom Reyes", opened_on="2026-03-02",
)  # fmt: skip
LENS = lookup(
    "Weight and closest focus of the Orio 85?", "Orio 85", ("595", "0.82"), "700",
    weight_g=595, min_focus_m=0.82, filter_mm=72, price_jpy=148000,
)  # fmt: skip
FILM = lookup(
    "Budget and running time of Cold Harbour Road?", "Cold Harbour Road", ("4.6", "127"), "7",
    budget_musd=4.6, running_minutes=127, director="Ife Balogun", released="2026-10-02",
)  # fmt: skip
BUOY = steps(
    "Water temperature at buoys K5 and M2?", "buoys", ("7.9", "11.3"),
    (
        ScriptedCall("buoy", {"id": "K5"}, {"id": "K5", "water_c": 7.9}),
        ScriptedCall("buoy", {"id": "M2"}, {"id": "M2", "water_c": 11.3}),
    ),
    "15",
)  # fmt: skip
LIST = lookup(
    "Which allergens are declared for the lentil stew?", "lentil stew",
    ("celery", "mustard", "sesame"), "gluten", first="celery", second="mustard", third="sesame",
)  # fmt: skip
BATCH = steps(
    "How many parcels does depot Ulm have? Retry if it fails.", "Ulm", ("6215",),
    (
        ScriptedCall("depot", {"site": "Ulm"}, None, error="connection reset by peer"),
        ScriptedCall("depot", {"site": "Ulm"}, {"site": "Ulm", "parcels": 6215, "shifts": 3}),
    ),
    "4000", ("parcels",),
)  # fmt: skip
OSMOSIS = plain("What moves in osmosis, and through what?", "water|solvent", "membrane")
CPU = plain("What does a cache do for a CPU?", "fast|quick|speed|latency", "memory|data")
LEAP = plain("Why do we have leap years?", "orbit|solar year|Earth", "365|quarter|calendar")

ELEVENTH: list[Case] = [
    # --- forms
    Case("form", HYDRANT, "correct",
         "**Hydrant H-614**\n\n| Parameter | Value |\n|:--|--:|\n| Flow | 1,850 L/min |\n"
         "| Static pressure | 4.2 bar |\n\n*Last tested 17 Sep 2026.*"),
    Case("form", HYDRANT, "result_ignore",
         "| Parameter | Value |\n|:--|--:|\n| Flow | 1,200 L/min |\n| Static pressure | 4.2 bar |"),
    Case("form", NOVEL, "correct", "So far **13,760** copies; the royalty is **8.5 %** of net."),
    Case("form", NOVEL, "correct",
         "Here's what the record shows:\n\n1. **Copies sold:** 13 760\n2. **Royalty:** 8,5 %"),
    Case("form", STAGE, "correct",
         "Stage 9 covers 187.4 km with 3,960 m of climbing; Luca Ferretti won it by 14 seconds."),
    Case("form", STAGE, "correct",
         "- Length: 187.4 km (116.4 mi)\n- Elevation gain: 3960 m\n- Winner: 🏆 Ferretti, Luca"),
    Case("form", STAGE, "result_ignore",
         "187.4 km and 3,960 m of climbing. The winner isn't listed."),
    Case("form", LIST, "correct", "Declared allergens: celery, mustard and sesame."),
    Case("form", LIST, "result_ignore", "It contains celery and mustard."),
    Case("form", LIST, "result_ignore", "Celery, mustard and gluten."),
    Case("form", LIST, "correct", "* Celery ✔\n* Mustard ✔\n* Sesame ✔\n\nGluten is not declared."),
    Case("form", TRAIN, "correct",
         "Yes – ICE 577 is running **27 min late** (signal failure); platform 9."),
    Case("form", TRAIN, "result_ignore", "No, ICE 577 is on time from platform 9."),
    Case("form", VOTE, "correct", "Turnout: 58.3 %. The proposal was rejected, 264 to 211."),
    Case("form", VOTE, "result_ignore", "Turnout: 58.3 %. The proposal was accepted, 264 to 211."),
    # --- days, months, quarters, times
    Case("time", TAX, "correct",
         "It's due on 10 February 2027, with €18,432.75 to pay for Q4 2026."),
    Case("time", TAX, "correct", "Fällig am 10.02.2027, zu zahlen sind 18.432,75 €."),
    Case("time", TAX, "correct", "Due 2/10/2027; amount payable EUR 18,432.75."),
    Case("time", TAX, "result_ignore", "Due 31 January 2027; amount payable €18,432.75."),
    Case("time", TAX, "result_ignore", "Due on 2 October 2027; €18,432.75."),
    Case("time", RHINO, "correct",
         "Tamu weighs 1.94 tonnes and the calf is expected on 25 August 2027."),
    Case("time", RHINO, "correct", "1,940 kg; due date Aug. 25, 2027 (a Wednesday)."),
    Case("time", RHINO, "result_ignore",
         "1,940 kg; the calf is due towards the end of next summer."),
    Case("time", FILM, "correct", "It cost $4.6 million and runs 2 hours and 7 minutes."),
    Case("time", FILM, "correct", "Budget US$4.6m, running time 2:07 h."),
    Case("time", FILM, "result_ignore", "Budget $4.6 million, running time 1 h 27 min."),
    Case("time", PROBE, "correct", "A signal takes 42 minutes one way; the probe does 14.7 km/s."),
    Case("time", PROBE, "correct", "0.7 hours (42 min) one way, at 14.7 kilometres per second."),
    Case("time", PROBE, "result_ignore",
         "A signal takes 25 minutes one way; the probe does 14.7 km/s."),
    Case("time", TRAIN, "correct",
         "Just under half an hour late, 27 minutes to be precise, on platform 9."),
    # --- yes and no
    Case("truth", CLAIM, "correct", "We've paid $9,640 so far and the claim is still open."),
    Case("truth", CLAIM, "correct", "$9,640. It has not been closed yet."),
    Case("truth", CLAIM, "result_ignore", "$9,640, and the claim is closed."),
    Case("truth", CLAIM, "correct",
         "No, claim 20-771 isn't closed; payments to date total 9,640 dollars."),
    # --- units and magnitudes
    Case("unit", HYDRANT, "correct", "1.85 m³ a minute at 420 kPa."),
    Case("unit", HYDRANT, "correct", "It delivers about 489 US gallons per minute at 61 psi."),
    Case("unit", HYDRANT, "result_ignore", "1,850 L/s at 4.2 bar."),
    Case("unit", HYDRANT, "result_ignore", "1,850 L/min at 42 bar."),
    Case("unit", STORM, "correct", "Gusts peaked at 31.4 m/s (113 km/h) and 22.6 mm of rain fell."),
    Case("unit", STORM, "correct", "The top gust was 113 km/h; rainfall came to 2.26 cm."),
    Case("unit", STORM, "correct", "61 knots at most, and 22.6 litres per square metre of rain."),
    Case("unit", STORM, "result_ignore", "31.4 km/h gusts and 22.6 mm of rain."),
    Case("unit", STORM, "result_ignore", "31.4 m/s and 226 mm of rain."),
    Case("unit", PROBE, "correct", "2,520 s; 14.7 km/s, i.e. some 52,900 km/h."),
    Case("unit", PROBE, "result_ignore", "2,520 s; 14.7 km/h."),
    Case("unit", LENS, "correct", "It weighs 0.595 kg and focuses down to 82 cm."),
    Case("unit", LENS, "correct", "595 g (21 oz), minimum focus distance 0.82 m / 2.7 ft."),
    Case("unit", LENS, "result_ignore", "595 g, focusing down to 0.82 ft."),
    Case("unit", BREW, "correct", "OG 1.062, fermented at 18.5 °C (65.3 °F)."),
    Case("unit", BREW, "correct", "Original gravity 1062, pitched at 65.3 °F."),
    Case("unit", BREW, "result_ignore", "OG 1.062, fermented at 18.5 °F."),
    Case("unit", FILM, "result_ignore", "A budget of $4.6 billion and 127 minutes."),
    Case("unit", FILM, "correct", "4,600,000 dollars and 127 minutes."),
    Case("unit", TOOTH, "correct", "Tooth 36; his share is 412,30 Euro."),
    Case("unit", TOOTH, "result_ignore", "Tooth 36; his share is $412.30."),
    Case("unit", BUOY, "correct", "K5: 7.9 °C, M2: 11.3 °C (46.2 and 52.3 °F)."),
    # --- rounding
    Case("rounding", NOVEL, "correct", "Nearly 14,000 copies (13,760 exactly), at 8.5 %."),
    Case("rounding", NOVEL, "correct", "Approximately 13,800 copies, royalty 8.5 %."),
    Case("rounding", NOVEL, "result_ignore", "13,000 copies, royalty 8.5 %."),
    Case("rounding", TAX, "correct", "10 Feb 2027, roughly €18.4k."),
    Case("rounding", RHINO, "correct", "About 1.9 t; calf due 25 August 2027."),
    Case("rounding", VOTE, "result_ignore", "Turnout was 60 %; the motion was rejected."),
    # --- partial use
    Case("partial", TOOTH, "result_ignore",
         "He'll have to pay €412.30 himself, the insurer €287.70."),
    Case("partial", BREW, "result_ignore", "It was fermented at 18.5 °C with Kveik Voss."),
    Case("partial", CLAIM, "result_ignore", "The claim is still open, handled by Tom Reyes."),
    Case("partial", BUOY, "result_ignore", "K5 shows 7.9 °C; M2 is a few degrees warmer."),
    Case("partial", FILM, "result_ignore", "It runs 127 minutes; the budget was modest."),
    # --- rejection, correction, negation, attribution
    Case("rejection", BREW, "result_ignore",
         "The log has 1.062, but that's way above style, so it was most likely 1.050. Fermentation "
         "at 18.5 °C."),
    Case("rejection", BREW, "correct",
         "OG 1.062 — stronger than the 1.050 in the recipe — and 18.5 °C in the fermenter."),
    Case("rejection", RHINO, "result_ignore",
         "The scale says 1,940 kg. For an adult female that is not credible; put down 2,300 kg. "
         "Calf due 25 August 2027."),
    Case("rejection", RHINO, "correct",
         "1,940 kg (a healthy cow would be nearer 2,300 kg) and the calf is due 25 August 2027."),
    Case("rejection", CLAIM, "result_ignore",
         "The file lists $9,640 paid; I believe the final amount was $12,000. It's not closed."),
    Case("rejection", CLAIM, "correct",
         "You quoted $12,000, but we paid $9,640, and the claim hasn't been closed."),
    Case("rejection", STORM, "result_ignore",
         "Although the station logged 31.4 m/s, I'd use 25 m/s as the peak gust. Rain: 22.6 mm."),
    Case("rejection", STORM, "correct",
         "The forecast of 25 m/s was exceeded: gusts reached 31.4 m/s, with 22.6 mm of rain."),
    Case("rejection", NOVEL, "result_ignore",
         "Sales stand at 20,000 copies and the royalty is 8.5 %. (The tool returned 13,760, which "
         "is surely incomplete.)"),
    Case("rejection", NOVEL, "correct",
         "The publisher's press release spoke of 20,000. The actual figure is 13,760, at 8.5 %."),
    Case("rejection", BATCH, "result_ignore",
         "The depot API says 6,215 but I don't trust it. Assume 4,000."),
    Case("rejection", BATCH, "correct",
         "6,215 parcels, well above the 4,000 or so on a normal day."),
    Case("correction", TOOTH, "correct", "Tooth 26 – no, sorry: 36. His share is €412.30."),
    Case("correction", TOOTH, "result_ignore",
         "The plan says 36, but it's the upper one, so 26. Share €412.30."),
    Case("correction", LENS, "correct",
         "I remembered 700 g; the data sheet says 595 g. Closest focus is 0.82 m."),
    Case("correction", LENS, "result_ignore", "595 g and 0.82 m. Actually, make that 700 g."),
    Case("negation", VOTE, "correct",
         "With 58.3 % turnout it wasn't accepted; voters rejected it."),
    Case("negation", VOTE, "result_ignore", "With 58.3 % turnout it was not rejected; it passed."),
    Case("negation", FILM, "correct", "Not $7 million: it was made for $4.6 million. 127 minutes."),
    Case("attribution", PROBE, "correct",
         "Mission control gives 2,520 s and 14.7 km/s; the 1,800 s in older articles dates from "
         "launch."),
    Case("attribution", PROBE, "result_ignore",
         "The tool gives 2,520 s. I'd stick with the widely cited 1,800 s. Speed: 14.7 km/s."),
    # --- swaps and hedges
    Case("swap", BUOY, "result_ignore", "K5 is at 11.3 °C and M2 at 7.9 °C."),
    Case("swap", BUOY, "correct", "M2 is the warmer one at 11.3 °C; K5 has 7.9 °C."),
    Case("swap", STORM, "result_ignore", "Gusts of 22.6 m/s and 31.4 mm of rain."),
    Case("swap", LENS, "result_ignore", "It weighs 0.82 kg and focuses from 595 cm."),
    Case("hedge", BATCH, "result_ignore", "It's either 6,215 or 4,000 parcels."),
    Case("hedge", BATCH, "correct",
         "The depot reports 6,215 parcels (three shifts), give or take late arrivals."),
    Case("hedge", TAX, "correct",
         "From what I can see, 10 February 2027 and €18,432.75. Do check with your adviser."),
    Case("hedge", TAX, "result_ignore",
         "It is due some time in February; the amount depends on your filing."),
    # --- fabricated
    Case("fabricated", FILM, "output_fabrication",
         "Budget $4.6 million, 127 minutes, worldwide gross $31.2 million."),
    Case("fabricated", STAGE, "output_fabrication",
         "187.4 km, 3,960 m, won by Luca Ferretti ahead of Pieter van Hoof."),
    Case("fabricated", STAGE, "correct", "187.4 km, 3,960 m; Luca Ferretti won, 14 s clear."),
    Case("fabricated", RHINO, "output_fabrication",
         "1,940 kg, calf due 25 August 2027, her third since 2019."),
    Case("fabricated", TRAIN, "output_fabrication",
         "27 minutes late, platform 9, now expected at 14:52."),
    Case("fabricated", HYDRANT, "output_fabrication",
         "1,850 L/min, 4.2 bar, residual pressure 2.9 bar."),
    Case("fabricated", TOOTH, "correct", "Tooth 36; he pays €412.30 of the €700.00 in total."),
    Case("fabricated", LENS, "output_fabrication", "595 g, 0.82 m, 11 elements in 9 groups."),
    # --- skips, errors, controls
    Case("skip", VOTE, "tool_skip", "Turnout was 58.3 % and it was rejected.", ()),
    Case("skip", LENS, "tool_skip", '{"name": "look_up", "arguments": {"name": "Orio 85"}}', ()),
    Case("skip", BUOY, "tool_skip", "K5 7.9 °C, M2 11.3 °C.", (CallMade("buoy", {"id": "K5"}),)),
    Case("error", BATCH, "correct",
         "Second attempt worked after a connection reset: 6,215 parcels."),
    Case("error", BATCH, "tool_skip", "The connection was reset, so I don't have a number.",
         (CallMade("depot", {"site": "Ulm"}),)),
    Case("error", BATCH, "result_ignore", "Sorry, the depot system isn't reachable right now."),
    Case("needless", OSMOSIS, "correct",
         "Solvent, usually water, through a semipermeable membrane."),
    Case("needless", OSMOSIS, "unnecessary_tool_use", "Water through a membrane.",
         (CallMade("look_up", {"name": "osmosis"}),)),
    Case("needless", CPU, "correct", "It keeps recently used data close by, which cuts latency."),
    Case("needless", LEAP, "correct",
         "Earth's orbit takes about 365¼ days, so the calendar adds a day."),
    Case("needless", LEAP, "wrong_answer", "It is an old Roman superstition."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
