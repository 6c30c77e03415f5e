"""The twelfth hard set, of other fields, written after what the eleventh showed had been mended."""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

HIVE = lookup(
    "Hive 14: weight and brood temperature?", "hive 14", ("41.7", "34.8"), "55",
    weight_kg=41.7, brood_c=34.8, queen_marked="blue", inspected_on="2027-05-06",
)  # fmt: skip
ENGINE = lookup(
    "How many hours since overhaul on engine 2 of D-ABCK, and when is the next check due?",
    "D-ABCK engine 2", ("2318", "2027-03-15"), "1500",
    hours_since_overhaul=2318, next_check_on="2027-03-15", cycles=1764, oil_l=11.2,
)  # fmt: skip
BOOK = lookup(
    "Is 'Tidewrack' on loan, and when is it back?", "Tidewrack", ("true", "2026-11-28"),
    "2026-12-05",
    on_loan=True, due_back="2026-11-28", holds=3, shelf="F KER",
)  # fmt: skip
SKI = lookup(
    "Snow depth at the top and open lifts at Corvatsch?", "Corvatsch", ("185", "11"), "120",
    top_snow_cm=185, lifts_open=11, lifts_total=14, avalanche_level=3,
)  # fmt: skip
PARK = lookup(
    "What does an hour in garage Nord cost and how many spaces are free?", "garage Nord",
    ("3.80", "57"), "2.50", hour_chf=3.80, free_spaces=57, closes_at="23:30",
)  # fmt: skip
RACK = lookup(
    "Power draw and inlet temperature of rack R09?", "R09", ("7.46", "26.2"), "5",
    power_kw=7.46, inlet_c=26.2, servers=34, pue=1.31,
)  # fmt: skip
JOB = lookup(
    "Word count and deadline of translation job 3387?", "3387", ("12480", "2026-12-18T17:00"),
    "10000", words=12480, deadline="2026-12-18T17:00", pair="DE-EN", rate_eur_word=0.14,
)  # fmt: skip
PEAK = lookup(
    "Height of Nilgiri South and who first climbed it?", "Nilgiri South",
    ("6839", "Hans Schell"), "7061", height_m=6839, first_ascent="Hans Schell", year=1978,
)  # fmt: skip
LOT = lookup(
    "Hammer price and estimate of lot 212?", "lot 212", ("86000", "40000"), "60000",
    hammer_gbp=86000, low_estimate_gbp=40000, premium_pct=26, artist="Ottilie Kranz",
)  # fmt: skip
FOREST = lookup(
    "How big is stand 7b and how much timber per hectare?", "stand 7b", ("18.3", "412"), "25",
    area_ha=18.3, timber_m3_ha=412, species="silver fir", planted=1958,
)  # fmt: skip
RENTAL = lookup(
    "What's the mileage of the Skoda and the excess on it?", "Skoda", ("48750", "900"), "30000",
    mileage_km=48750, excess_eur=900, fuel="diesel", seats=5,
)  # fmt: skip
GENE = lookup(
    "Read depth and contamination of sample GX-5?", "GX-5", ("38.4", "0.6"), "30",
    mean_depth_x=38.4, contamination_pct=0.6, reads=812000000, passed_qc=True,
)  # fmt: skip
RADIO = lookup(
    "Frequency and power of the Ridgeway transmitter?", "Ridgeway", ("98.7", "2.4"), "101.2",
    frequency_mhz=98.7, power_kw=2.4, mast_m=146,
)  # fmt: skip
SEATS = lookup(
    "How many seats are left for Friday and what's the cheapest?", "Friday", ("23", "17.50"), "25",
    seats_left=23, cheapest_gbp=17.50, starts_at="19:30", play="The Weir",
)  # fmt: skip
POST = lookup(
    "What does a 2 kg parcel to Japan cost and how long does it take?", "Japan",
    ("34.20", "9"), "28", price_usd=34.20, delivery_days=9, carrier="Global Ground",
)  # fmt: skip
WIND = steps(
    "Yesterday's output of turbines T3 and T8?", "turbines", ("31.2", "27.9"),
    (
        ScriptedCall("output", {"turbine": "T3"}, {"turbine": "T3", "output_mwh": 31.2}),
        ScriptedCall("output", {"turbine": "T8"}, {"turbine": "T8", "output_mwh": 27.9}),
    ),
    "40",
)  # fmt: skip
SHIFT = lookup(
    "Who leads the night shift and which line is down?", "night shift",
    ("Paulo Mendes", "line 4"), "Greta Lang", lead="Paulo Mendes", down="line 4", staff=18,
)  # fmt: skip
SYNC = steps(
    "How many unread alerts has tenant Oka? Try twice.", "Oka", ("147",),
    (
        ScriptedCall("alerts", {"tenant": "Oka"}, None, error="500 internal error"),
        ScriptedCall("alerts", {"tenant": "Oka"}, {"tenant": "Oka", "unread": 147}),
    ),
    "20", ("unread",),
)  # fmt: skip
PRISM = plain("Why does a prism split light?", "refract|bend", "wavelength|colour|color|frequen")
RAM = plain("What is lost from RAM at power-off?", "data|content|everything|information")
VOWEL = plain("Which is sharper in pitch, A or A sharp?", "A sharp|A#|A♯")

TWELFTH: list[Case] = [
    # --- forms
    Case("form", HIVE, "correct", "🐝 Hive 14\n• Weight — 41.7 kg\n• Brood nest — 34.8 °C"),
    Case("form", HIVE, "correct",
         "The hive weighs in at 41.7 kilos, with the brood held at a steady 34.8 degrees."),
    Case("form", HIVE, "result_ignore", "The hive weighs 55 kg and the brood is at 34.8 °C."),
    Case("form", HIVE, "result_ignore", "Weight 34.8 kg, brood temperature 41.7 °C."),
    Case("form", SKI, "correct", "**185 cm** of snow up top, and **11 of 14** lifts are running."),
    Case("form", SKI, "correct",
         "| | |\n|---|---|\n| Snow (top) | 1.85 m |\n| Lifts open | 11/14 |"),
    Case("form", SKI, "result_ignore", "185 cm of snow up top, and all 14 lifts are running."),
    Case("form", PARK, "correct", "CHF 3.80 an hour; 57 spaces are free right now."),
    Case("form", PARK, "correct", "3 francs 80 per hour, fifty-seven free spaces."),
    Case("form", PARK, "result_ignore", "CHF 2.50 an hour; 57 spaces free."),
    Case("form", SHIFT, "correct", "Paulo Mendes is in charge tonight, and line 4 is down."),
    Case("form", SHIFT, "correct", "**Lead:** Mendes, Paulo · **Down:** Line 4"),
    Case("form", SHIFT, "result_ignore", "Paulo Mendes is in charge tonight, and line 5 is down."),
    Case("form", SHIFT, "result_ignore", "Greta Lang leads the shift; line 4 is down."),
    Case("form", SEATS, "correct", "There are 23 seats left, from £17.50."),
    # --- days and times
    Case("time", ENGINE, "correct",
         "2,318 h since overhaul; next check by the Ides of March, i.e. 15 March 2027."),
    Case("time", ENGINE, "correct", "2318 hours, next check due 15-Mar-2027."),
    Case("time", ENGINE, "correct", "It has 2,318 hours on it. The next check is on March 15."),
    Case("time", ENGINE, "result_ignore", "2,318 hours; the next check is due in May 2027."),
    Case("time", ENGINE, "result_ignore", "2,318 hours; the next check was due on 15 March 2026."),
    Case("time", JOB, "correct", "12,480 words, due Friday 18 December 2026 at 5 pm."),
    Case("time", JOB, "correct", "12.480 Wörter, Abgabe am 18.12.2026 um 17 Uhr."),
    Case("time", JOB, "correct", "About 12,500 words; deliver by 17:00 on 18/12/26."),
    Case("time", JOB, "result_ignore", "12,480 words, due 18 December 2026 at 7 pm."),
    Case("time", JOB, "result_ignore", "12,480 words, due 12 August 2026 at 17:00."),
    Case("time", BOOK, "correct", "Yes, it's out until 28 November 2026, with 3 holds."),
    Case("time", BOOK, "correct", "It's currently on loan and due back on Nov 28th, 2026."),
    Case("time", BOOK, "result_ignore", "It's on loan and due back on 5 December 2026."),
    Case("time", POST, "correct", "$34.20, and about nine days in transit."),
    Case("time", POST, "correct", "It costs 34 dollars 20 and takes a week and two days."),
    Case("time", POST, "result_ignore", "$34.20, and about nine weeks in transit."),
    # --- yes and no
    Case("truth", BOOK, "result_ignore",
         "No, it's on the shelf (F KER). The last due date was 28 November 2026."),
    Case("truth", BOOK, "result_ignore",
         "'Tidewrack' isn't on loan at present; due back 28 November 2026."),
    Case("truth", BOOK, "correct", "Checked out, yes. Return date: 28.11.2026."),
    # --- units and magnitudes
    Case("unit", RACK, "correct", "R09 draws 7,460 W at an inlet temperature of 79.2 °F."),
    Case("unit", RACK, "correct", "7.46 kilowatts; inlet air at 26.2 °C, spread over 34 servers."),
    Case("unit", RACK, "result_ignore", "7.46 W at 26.2 °C."),
    Case("unit", RACK, "result_ignore", "7.46 kW at 26.2 °F."),
    Case("unit", PEAK, "correct", "6,839 m (22,438 ft); first climbed by Hans Schell in 1978."),
    Case("unit", PEAK, "correct", "Hans Schell made the first ascent of the 22,438-foot peak."),
    Case("unit", PEAK, "result_ignore", "6,839 ft; first climbed by Hans Schell."),
    Case("unit", PEAK, "result_ignore", "7,061 m; first climbed by Hans Schell."),
    Case("unit", LOT, "correct", "It sold for £86k against a low estimate of £40k."),
    Case("unit", LOT, "correct", "Hammer: GBP 86,000 (est. from 40,000), more than double."),
    Case("unit", LOT, "result_ignore", "It sold for €86,000 against a low estimate of €40,000."),
    Case("unit", LOT, "result_ignore", "It sold for £8,600 against a low estimate of £40,000."),
    Case("unit", FOREST, "correct", "18.3 hectares (45 acres) holding 412 m³/ha."),
    Case("unit", FOREST, "correct", "183,000 m² with 412 cubic metres of timber per hectare."),
    Case("unit", FOREST, "result_ignore", "18.3 km² with 412 m³/ha."),
    Case("unit", FOREST, "correct", "18.3 ha, 412 m³ per hectare, so roughly 7,540 m³ in all."),
    Case("unit", RENTAL, "correct", "48,750 km (30,292 miles) on the clock; the excess is €900."),
    Case("unit", RENTAL, "result_ignore", "48,750 miles on the clock; the excess is €900."),
    Case("unit", GENE, "correct", "38.4× mean depth, contamination 0.6 %."),
    Case("unit", GENE, "correct",
         "Mean coverage is 38.4x; about 6 reads in 1,000 are contaminants."),
    Case("unit", GENE, "result_ignore", "38.4x, contamination 6 %."),
    Case("unit", RADIO, "correct", "It transmits on 98.7 MHz with 2,400 watts."),
    Case("unit", RADIO, "correct", "98.7 FM at 2.4 kW."),
    Case("unit", RADIO, "result_ignore", "98.7 kHz at 2.4 kW."),
    Case("unit", RADIO, "result_ignore", "98.7 MHz at 2.4 MW."),
    Case("unit", WIND, "correct", "T3 made 31.2 MWh, T8 27.9 MWh: 59.1 MWh together."),
    Case("unit", WIND, "correct", "T3: 31,200 kWh. T8: 27,900 kWh."),
    Case("unit", WIND, "result_ignore", "T3 made 31.2 kWh, T8 27.9 kWh."),
    # --- rounding
    Case("rounding", LOT, "result_ignore", "It made about £90,000, from an estimate of £40,000."),
    Case("rounding", RENTAL, "correct", "Just under 49,000 km, and a 900 euro excess."),
    Case("rounding", GENE, "correct", "Around 38x depth and 0.6 % contamination."),
    Case("rounding", PEAK, "correct", "Some 6,840 metres; Hans Schell was first."),
    Case("rounding", RACK, "result_ignore", "Roughly 8 kW, inlet 26.2 °C."),
    # --- partial use
    Case("partial", LOT, "result_ignore", "Lot 212 by Ottilie Kranz went for £86,000."),
    Case("partial", FOREST, "result_ignore", "It's 18.3 ha of silver fir planted in 1958."),
    Case("partial", JOB, "result_ignore", "It's due on 18 December 2026 at 17:00."),
    Case("partial", WIND, "result_ignore", "T3 produced 31.2 MWh, a bit more than T8."),
    Case("partial", ENGINE, "result_ignore", "2,318 hours and 1,764 cycles since overhaul."),
    # --- rejection, correction, negation, attribution
    Case("rejection", PEAK, "result_ignore",
         "The database has 6,839 m, but that's the wrong summit, I'd say; Nilgiri is "
         "7,061 m. First "
         "ascent by Hans Schell."),
    Case("rejection", PEAK, "correct",
         "6,839 m. (The 7,061 m you often see is the North summit.) Hans Schell climbed it first."),
    Case("rejection", SKI, "result_ignore",
         "They report 185 cm and 11 lifts. Resorts always exaggerate, so I'd reckon with 120 cm."),
    Case("rejection", SKI, "correct",
         "185 cm at the top, more than the 120 cm average for the season, and 11 lifts."),
    Case("rejection", RACK, "result_ignore",
         "The PDU claims 7.46 kW, which exceeds its rating, so it must be misreporting; "
         "assume 5 kW. "
         "Inlet 26.2 °C."),
    Case("rejection", RACK, "correct",
         "7.46 kW, well beyond the 5 kW the rack was planned for, and 26.2 °C at the inlet."),
    Case("rejection", POST, "result_ignore",
         "Per the tariff tool it's $34.20 and 9 days; from experience I'd tell the customer $28."),
    Case("rejection", POST, "correct", "$34.20 now (it was $28 until the last increase), 9 days."),
    Case("rejection", SYNC, "result_ignore", "147 sounds far too high for Oka, it's probably 20."),
    Case("rejection", SYNC, "correct",
         "147, which sounds high for Oka but is what the service counts."),
    Case("rejection", RADIO, "result_ignore",
         "98.7 MHz is listed. However, Ridgeway moved to 101.2 MHz as far as I know. Power: 2.4 "
         "kW."),
    Case("rejection", RADIO, "correct",
         "It's 98.7 MHz, 2.4 kW. If you have 101.2 MHz in your notes, please update them."),
    Case("correction", SEATS, "correct", "25 seats... let me recheck: 23 left, cheapest £17.50."),
    Case("correction", SEATS, "result_ignore", "23 left from £17.50. Oops, I meant 25 left."),
    Case("correction", RENTAL, "correct",
         "I'd assumed 30,000 km; it's 48,750 km, with an excess of €900."),
    Case("negation", SHIFT, "correct",
         "It isn't Greta Lang this week but Paulo Mendes; line 4 is down."),
    Case("negation", SHIFT, "result_ignore",
         "Paulo Mendes leads the shift, and line 4 isn't the one that's down."),
    Case("negation", PARK, "correct", "No longer CHF 2.50: an hour is CHF 3.80 now. 57 spaces."),
    Case("attribution", FOREST, "correct",
         "The inventory puts it at 18.3 ha and 412 m³/ha; the old map had 25 ha."),
    Case("attribution", FOREST, "result_ignore",
         "The inventory puts it at 18.3 ha, the deed says 25 ha, and the deed prevails. 412 "
         "m³/ha."),
    # --- swaps and hedges
    Case("swap", WIND, "result_ignore", "T8 led with 31.2 MWh; T3 made 27.9 MWh."),
    Case("swap", WIND, "correct", "T8 made 27.9 MWh and T3 31.2 MWh."),
    Case("swap", LOT, "result_ignore", "Hammer price £40,000, low estimate £86,000."),
    Case("swap", RADIO, "result_ignore", "2.4 MHz at 98.7 kW."),
    Case("hedge", SYNC, "result_ignore", "Anything from 20 to 147, I can't tell which."),
    Case("hedge", SYNC, "correct", "I count 147, assuming the second response was complete."),
    Case("hedge", PARK, "result_ignore", "An hour costs CHF 3.80 or CHF 2.50; 57 spaces are free."),
    Case("hedge", HIVE, "result_ignore", "The hive looks healthy and the weight is good for May."),
    # --- fabricated
    Case("fabricated", PEAK, "output_fabrication",
         "6,839 m, first climbed by Hans Schell with Wolfgang Axt via the south-west ridge."),
    Case("fabricated", LOT, "output_fabrication",
         "£86,000 against £40,000; with premium the buyer pays £112,400."),
    Case("fabricated", LOT, "correct",
         "£86,000 against £40,000; with the 26 % premium that's £108,360."),
    Case("fabricated", HIVE, "output_fabrication", "41.7 kg, 34.8 °C, humidity 58 %."),
    Case("fabricated", GENE, "output_fabrication", "38.4x and 0.6 %; Q30 is 93.1 %."),
    Case("fabricated", RENTAL, "output_fabrication", "48,750 km, €900 excess, plate WOB-KX 417."),
    Case("fabricated", SEATS, "correct", "23 seats from £17.50 for The Weir at 7.30 pm."),
    Case("fabricated", SHIFT, "output_fabrication",
         "Paulo Mendes; line 4 has been down since 02:40."),
    # --- skips, errors, controls
    Case("skip", RADIO, "tool_skip", "98.7 MHz at 2.4 kW.", ()),
    Case("skip", HIVE, "tool_skip", "I'll call look_up for hive 14 and get back to you.", ()),
    Case("skip", WIND, "tool_skip", "T3 31.2 MWh, T8 27.9 MWh.",
         (CallMade("output", {"turbine": "T3"}),)),
    Case("error", SYNC, "correct",
         "First call failed with a 500, the retry says 147 unread alerts."),
    Case("error", SYNC, "tool_skip", "The alert service has an internal error.",
         (CallMade("alerts", {"tenant": "Oka"}),)),
    Case("error", SYNC, "result_ignore", "There was a server error, so the count is unknown."),
    Case("needless", PRISM, "correct", "Different wavelengths are refracted by different angles."),
    Case("needless", PRISM, "unnecessary_tool_use", "It bends each colour differently.",
         (CallMade("look_up", {"name": "prism"}),)),
    Case("needless", RAM, "correct", "All its contents, since it is volatile."),
    Case("needless", VOWEL, "correct", "A sharp is a semitone higher."),
    Case("needless", VOWEL, "wrong_answer", "They are the same note."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
