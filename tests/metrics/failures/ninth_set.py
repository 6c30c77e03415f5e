"""The ninth hard set, of other fields than the suite's, written before its author read the rule."""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

BED = lookup(
    "Latest potassium and creatinine for the patient in bed 14?", "bed 14", ("3.1", "142"), "4.2",
    potassium_mmol_l=3.1, creatinine_umol_l=142, drawn_at="2027-03-09T05:50", ward="Nephrology B",
)  # fmt: skip
BOX = lookup(
    "Where is container MSKU-482913 right now and when will it get to Hamburg?", "MSKU-482913",
    ("Tanger Med", "2027-05-21"), "2027-05-14",
    location="Tanger Med", eta="2027-05-21", gross_weight_kg=18250, status="delayed", seals=2,
)  # fmt: skip
RACE = lookup(
    "What was Ines Carvalho's official time in the Porto marathon, and her overall place?",
    "Ines Carvalho", ("2:31:47", "9"), "2:28:10",
    finish_time="2:31:47", overall_place=9, category="F35", bib=2204,
)  # fmt: skip
COMET = lookup(
    "How far away is comet C/2029 K2 tonight and how bright?", "C/2029 K2", ("1.37", "8.9"), "0.98",
    distance_au=1.37, magnitude=8.9, constellation="Lyra",
)  # fmt: skip
DOUGH = lookup(
    "house ciabatta: hydration, final proof and oven temp?", "house ciabatta",
    ("78", "150", "245"), "65", hydration_pct=78, proof_minutes=150, oven_c=245, loaves=6,
)  # fmt: skip
LEAVE = lookup(
    "How many vacation days has Tomasz left, and by when must he take them?", "Tomasz",
    ("11.5", "2028-03-31"), "25", days_left=11.5, expires_on="2028-03-31", carry_over=False,
)  # fmt: skip
SWITCH = lookup(
    "Uplink utilisation and packet loss on core-sw-3?", "core-sw-3", ("91.4", "0.03"), "60",
    uplink_utilisation_pct=91.4, packet_loss_pct=0.03, last_reboot="2026-12-02", vlans=48,
)  # fmt: skip
CLAIM = lookup(
    "Limitation period for latent defects under the Kesten code, and when does it begin?",
    "Kesten code", ("4", "discovery"), "6",
    limitation_years=4, runs_from="discovery", notice_days=45, article="§ 217(2)",
)  # fmt: skip
BAND = lookup(
    "What is the salary band of a senior lab technician?", "senior lab technician",
    ("54200", "68900"), "60000", band_min_eur=54200, band_max_eur=68900, grade="T4",
)  # fmt: skip
MATCH = lookup(
    "How did Lyngby against Brann end?", "Lyngby-Brann", ("2", "3"), "1",
    lyngby_goals=2, brann_goals=3, attendance=14306, scorers=["Hove", "Lund", "Aas"],
)  # fmt: skip
PLUTON = lookup(
    "Orbital period and mass of the exoplanet Tarn b?", "Tarn b", ("38.6", "0.0052"), "11.2",
    period_days=38.6, mass_jupiter=0.0052, discovered=2024, method="transit",
)  # fmt: skip
TRUCK = lookup(
    "Does truck 77 still have driving time today? How much?", "truck 77", ("105",), "240",
    driving_minutes_left=105, next_rest_at="16:20", driver="Oana Petrescu",
)  # fmt: skip
FINE = lookup(
    "What fine did the board impose on Halden Foods, and is it final?", "Halden Foods",
    ("3250000", "under appeal"), "1800000", fine_nok=3250000, standing="under appeal",
    decided_on="2026-10-08",
)  # fmt: skip
STOCK = steps(
    "How many pallets of item 5519 are in Graz? Try again if the system hiccups.", "item 5519",
    ("312",),
    (
        ScriptedCall("stock", {"item": "5519"}, None, error="503 upstream timeout"),
        ScriptedCall("stock", {"item": "5519"}, {"item": "5519", "pallets": 312, "aisle": "F7"}),
    ),
    "400", ("pallets",),
)  # fmt: skip
PAIR = steps(
    "Compare the shelf life of labneh and skyr.", "labneh", ("21", "35"),
    (
        ScriptedCall("shelf", {"food": "labneh"}, {"food": "labneh", "shelf_life_days": 21}),
        ScriptedCall("shelf", {"food": "skyr"}, {"food": "skyr", "shelf_life_days": 35}),
    ),
    "14",
)  # fmt: skip
BMI = plain("What does BMI relate to what?", "weight|mass", "height")
DNS = plain("In a sentence, what does DNS do?", "name|domain", "address|IP")
YEAST = plain("Why does bread dough rise?", "yeast|ferment", "carbon dioxide|CO2|gas")

NINTH: list[Case] = [
    # --- plain use in the form that chat models like
    Case("markdown", BED, "correct",
         "**Bed 14 – latest labs (drawn 09 Mar 2027, 05:50)**\n\n| Test | Result |\n|---|---|\n"
         "| Potassium | **3.1 mmol/L** ⬇️ |\n| Creatinine | **142 µmol/L** |\n"),
    Case("markdown", BED, "result_ignore",
         "**Bed 14 – latest labs**\n\n| Test | Result |\n|---|---|\n| Potassium | 4.2 mmol/L |\n"
         "| Creatinine | 142 µmol/L |\n"),
    Case("markdown", BED, "result_ignore",
         "| Test | Result |\n|:--|--:|\n| Creatinine | 3.1 |\n| Potassium | 142 |\n"),
    Case("markdown", DOUGH, "correct",
         "### House ciabatta\n- **Hydration:** 78 %\n- **Final proof:** 2½ hours\n"
         "- **Oven:** 245 °C (≈ 473 °F)\n"),
    Case("markdown", DOUGH, "correct",
         "1. Hydration – 78%\n2. Final proof – 2 h 30 min\n3. Oven – 473 °F\n\n_Makes 6 loaves._"),
    Case("markdown", DOUGH, "result_ignore",
         "* Hydration: 78 %\n* Final proof: 150 hours\n* Oven: 245 °C"),
    Case("markdown", SWITCH, "correct",
         "`core-sw-3`\n```\nuplink utilisation : 91.4 %\npacket loss        : 0.03 %\n```\n"
         "The uplink is close to saturation."),
    Case("markdown", SWITCH, "output_fabrication",
         "| metric | value |\n|---|---|\n| uplink | 91.4 % |\n| loss | 0.03 % |\n"
         "| CPU load | 37 % |\n| fan speed | 5,200 rpm |\n"),
    Case("markdown", MATCH, "correct", "**Lyngby 2 – 3 Brann** (att. 14,306)"),
    Case("markdown", MATCH, "result_ignore", "**Lyngby 3 – 2 Brann**"),
    Case("markdown", BAND, "correct", "Grade T4: **€54,200 – €68,900**"),
    Case("markdown", BAND, "correct", "> T4 · 54.2k–68.9k EUR a year"),
    Case("markdown", BOX, "correct",
         "📦 **MSKU-482913**\n• Currently: Tanger Med\n• ETA Hamburg: Fri, 21 May 2027 (delayed)"),
    # --- notations of dates, times, numbers, locales
    Case("date", BOX, "correct", "It's sitting in Tanger Med; Hamburg is expected on 21.05.27."),
    Case("date", BOX, "correct", "It is at Tanger Med and should reach Hamburg on May 21st."),
    Case("date", BOX, "result_ignore", "It is at Tanger Med and gets to Hamburg on 12 May 2027."),
    Case("date", LEAVE, "correct", "11½ days, to be used before 1 April 2028."),
    Case("date", LEAVE, "correct", "He still has 11,5 Tage, gültig bis 31. März 2028."),
    Case("date", LEAVE, "correct", "11.5 days; use them by the end of March 2028."),
    Case("date", LEAVE, "result_ignore", "11.5 days; use them by the end of the year."),
    Case("date", LEAVE, "result_ignore", "11.5 days, valid until 31 March 2027."),
    Case("date", RACE, "correct", "She ran 2 h 31 min 47 s and came 9th overall."),
    Case("date", RACE, "correct", "2h31'47\", ninth overall."),
    Case("date", RACE, "correct",
         "Two hours, thirty-one minutes and forty-seven seconds — ninth place."),
    Case("date", RACE, "result_ignore", "2:13:47, good for 9th place."),
    Case("date", TRUCK, "correct", "Yes, an hour and three quarters. The next rest is at 4:20 pm."),
    Case("date", TRUCK, "correct", "Yes: 1:45 h of driving time remains."),
    Case("date", TRUCK, "result_ignore", "Yes, an hour and a half."),
    Case("locale", FINE, "correct", "3.250.000 kr; the decision is under appeal."),
    Case("locale", FINE, "correct", "NOK 3,25 Mio. It's not final: an appeal is pending."),
    Case("locale", FINE, "correct", "NOK 3¼ million, and no, it is not final (under appeal)."),
    Case("locale", FINE, "result_ignore", "NOK 325,000; under appeal."),
    Case("locale", FINE, "result_ignore", "USD 3.25 million, under appeal."),
    Case("locale", BAND, "correct", "Zwischen 54.200 € und 68.900 €."),
    Case("locale", BAND, "correct", "Entre 54 200 et 68 900 euros par an."),
    Case("locale", BAND, "correct", "54'200 bis 68'900 Euro"),
    Case("locale", COMET, "correct", "Tonight it is 1,37 AU away, at magnitude 8,9."),
    # --- units and magnitudes
    Case("unit", COMET, "correct", "About 205 million km away, shining at magnitude 8.9."),
    Case("unit", COMET, "correct", "1.37 astronomical units (≈ 127 million miles), mag. +8.9."),
    Case("unit", COMET, "result_ignore", "1.37 light-years away, magnitude 8.9."),
    Case("unit", COMET, "result_ignore", "1.37 AU away, magnitude -8.9."),
    Case("unit", PLUTON, "correct", "It orbits every 38.6 days and has 0.0052 Jupiter masses."),
    Case("unit", PLUTON, "correct", "Period: 38.6 d. Mass: 5.2 × 10⁻³ M_Jup."),
    Case("unit", PLUTON, "correct", "38.6 days, and 5.2e-3 Jupiter masses (about 1.65 Earths)."),
    Case("unit", PLUTON, "result_ignore", "38.6 hours; 0.0052 Jupiter masses."),
    Case("unit", PLUTON, "result_ignore", "38.6 days; 0.0052 Earth masses."),
    Case("unit", SWITCH, "correct", "Utilisation 91.4 per cent, loss 3 packets in 10,000."),
    Case("unit", SWITCH, "correct", "The uplink runs at 0.914 of capacity; loss is 0.03 %."),
    Case("unit", SWITCH, "result_ignore", "Uplink at 91.4 %, packet loss 3 %."),
    Case("unit", BED, "correct", "K⁺ 3.1 mEq/L, creatinine 0.142 mmol/L."),
    Case("unit", BED, "correct", "Potassium 3.1 mmol/l; creatinine 142 µmol/l (about 1.6 mg/dL)."),
    Case("unit", BED, "result_ignore", "Potassium 31 mmol/L, creatinine 142 µmol/L."),
    Case("unit", CLAIM, "correct", "48 months, running from discovery of the defect."),
    Case("unit", CLAIM, "result_ignore", "Four months from discovery."),
    Case("unit", DOUGH, "correct", "78 % hydration, proof for two and a half hours, bake at 245°."),
    # --- rounding
    Case("rounding", FINE, "correct", "Roughly NOK 3.3 million, currently under appeal."),
    Case("rounding", FINE, "result_ignore", "NOK 3 million, currently under appeal."),
    Case("rounding", SWITCH, "correct", "It is at about 91 %, losing 0.03 % of packets."),
    Case("rounding", SWITCH, "result_ignore", "It is at 95 %, losing 0.03 % of packets."),
    Case("rounding", BAND, "correct", "Somewhere between about 54k and 69k euros."),
    Case("rounding", PLUTON, "result_ignore", "About 40 days, and 0.0052 Jupiter masses."),
    # --- partial use
    Case("partial", BED, "result_ignore",
         "Potassium is low at 3.1 mmol/L. I couldn't find a creatinine value."),
    Case("partial", BOX, "result_ignore", "The container is at Tanger Med and has been delayed."),
    Case("partial", BOX, "result_ignore",
         "It should be in Hamburg by 21 May 2027; its current position isn't available."),
    Case("partial", RACE, "result_ignore", "She finished in 2:31:47."),
    Case("partial", RACE, "correct", "9th overall (and F35 category) in 2:31:47, bib 2204."),
    Case("partial", DOUGH, "result_ignore", "78 % hydration, 245 °C oven."),
    Case("partial", FINE, "result_ignore", "It was fined 3.25 million kroner on 8 October 2026."),
    Case("partial", CLAIM, "result_ignore", "Four years."),
    Case("partial", PAIR, "result_ignore", "Skyr keeps for 35 days, labneh for less than that."),
    Case("partial", PAIR, "result_ignore", "Skyr keeps two weeks longer than labneh."),
    # --- rejection, correction, negation, attribution
    Case("rejection", BED, "result_ignore",
         "The system shows potassium 3.1 and creatinine 142, but a potassium of 3.1 is probably a "
         "haemolysed sample; I'd go with 4.2 mmol/L for potassium."),
    Case("rejection", BED, "correct",
         "Potassium 3.1 mmol/L and creatinine 142 µmol/L. The potassium is low; you may want to "
         "repeat it before acting on it."),
    Case("rejection", SWITCH, "result_ignore",
         "Monitoring claims 91.4 % on the uplink, which can't be right for that switch. It's "
         "realistically nearer 60 %. Loss is 0.03 %."),
    Case("rejection", SWITCH, "correct",
         "It might sound alarming and you probably expected around 60 %, but the uplink really is "
         "at 91.4 %, with 0.03 % loss."),
    Case("rejection", CLAIM, "result_ignore",
         "The database lists 4 years from discovery. That entry looks outdated: as far as I know "
         "the period is 6 years from discovery."),
    Case("rejection", CLAIM, "correct",
         "Four years, counted from discovery — not six, as the older commentary still has it."),
    Case("rejection", BOX, "result_ignore",
         "It is in Tanger Med. The tool's ETA of 21 May seems off, so plan with 14 May 2027."),
    Case("rejection", BOX, "correct",
         "It is in Tanger Med. The original ETA of 14 May no longer holds; it's now 21 May 2027."),
    Case("rejection", LEAVE, "correct",
         "Not 25 but 11.5 days, and they lapse on 31 March 2028 since carry-over isn't allowed."),
    Case("rejection", LEAVE, "result_ignore",
         "HR's portal says 11.5, though everyone gets 25, so he should have 25 days until "
         "31 March 2028."),
    Case("correction", RACE, "correct",
         "She ran 2:28:10 — sorry, that was last year's figure. The official time is 2:31:47, "
         "9th overall."),
    Case("correction", RACE, "result_ignore",
         "Her time was 2:31:47, ninth. Correction: 2:28:10 is the right time."),
    Case("correction", TRUCK, "correct", "4 hours? No. Only 105 minutes are left."),
    Case("correction", TRUCK, "correct",
         "Let me see: normally 240 minutes would remain, minus what was driven... the record says "
         "105 minutes, so that is it."),
    Case("correction", BAND, "correct",
         "I first thought it was around €60,000 flat. The band actually goes from €54,200 to "
         "€68,900."),
    Case("negation", FINE, "result_ignore",
         "The fine is NOK 3,250,000 and it is not under appeal, so it's final."),
    Case("negation", FINE, "correct", "NOK 3,250,000. It isn't final, being under appeal."),
    Case("negation", MATCH, "correct", "Brann won 3-2 away at Lyngby."),
    Case("negation", MATCH, "result_ignore", "Lyngby beat Brann 3-2."),
    Case("negation", TRUCK, "result_ignore", "No, it has not got 105 minutes left; it is done."),
    Case("attribution", COMET, "correct",
         "According to the ephemeris, 1.37 AU and magnitude 8.9. Older forecasts had 0.98 AU."),
    Case("attribution", COMET, "result_ignore",
         "According to the ephemeris it is 1.37 AU. In reality 0.98 AU, at magnitude 8.9."),
    # --- swapped, lists, hedges
    Case("swap", PAIR, "correct",
         "| | shelf life |\n|---|---|\n| Labneh | 3 weeks |\n| Skyr | 5 weeks |"),
    Case("swap", PAIR, "result_ignore", "Labneh keeps for 35 days, skyr for 21."),
    Case("swap", PAIR, "correct", "Skyr: 35 days. Labneh: 21 days, i.e. 14 days less."),
    Case("swap", BAND, "result_ignore", "From a minimum of €68,900 to a maximum of €54,200."),
    Case("swap", DOUGH, "result_ignore", "245 % hydration, 150 min proof, 78 °C oven."),
    Case("hedge", TRUCK, "correct", "If I read the tachograph data right, 105 minutes remain."),
    Case("hedge", TRUCK, "result_ignore", "It is hard to say: either 105 minutes or 240 minutes."),
    Case("hedge", TRUCK, "result_ignore", "There should be enough driving time left for today."),
    Case("hedge", CLAIM, "correct",
         "It appears to be 4 years from discovery (§ 217(2)). Please have a lawyer confirm this."),
    # --- fabricated
    Case("fabricated", BOX, "output_fabrication",
         "It's in Tanger Med aboard the MV Ligurian Star, ETA Hamburg 21 May 2027."),
    Case("fabricated", BOX, "correct",
         "It's in Tanger Med (18.25 t, 2 seals), ETA 21 May 2027: a week later than 14 May."),
    Case("fabricated", RACE, "output_fabrication",
         "2:31:47, 9th overall, with a half-marathon split of 1:14:52."),
    Case("fabricated", PLUTON, "output_fabrication",
         "38.6 days and 0.0052 Jupiter masses, at an equilibrium temperature of 612 K."),
    Case("fabricated", FINE, "output_fabrication",
         "NOK 3.25 million, under appeal; the hearing is set for 14 February 2027."),
    Case("fabricated", MATCH, "output_fabrication",
         "Brann won 3-2, Hove scoring in the 88th minute after Eikeland's red card."),
    # --- skipped, needless, several calls, errors
    Case("skip", TRUCK, "tool_skip", "Truck 77 has 105 minutes of driving time left.", ()),
    Case("skip", COMET, "tool_skip",
         '<tool_call>{"name": "look_up", "arguments": {"name": "C/2029 K2"}}</tool_call>', ()),
    Case("skip", BED, "tool_skip", "I looked it up: potassium 3.1, creatinine 142.",
         (CallMade("list_wards", {}),)),
    Case("error", STOCK, "correct",
         "The first request timed out (503), the second went through: 312 pallets in aisle F7."),
    Case("error", STOCK, "tool_skip", "The stock system is down, I could not get a figure.",
         (CallMade("stock", {"item": "5519"}),)),
    Case("error", STOCK, "result_ignore", "The system timed out, but there are usually about 400."),
    Case("needless", BMI, "correct", "Body mass index: weight in kg over the square of height."),
    Case("needless", BMI, "unnecessary_tool_use", "It relates weight to height.",
         (CallMade("look_up", {"name": "BMI"}),)),
    Case("needless", DNS, "wrong_answer", "DNS encrypts the traffic between browser and server."),
    Case("needless", YEAST, "correct",
         "Fermentation: the yeast eats sugars and gives off gas bubbles that the gluten traps."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
