"""The twenty-eighth hard set: right answers in natural words, failures and traps of daily work.

Written from the published definitions alone, by an author who had read neither the rule nor any
earlier case, and kept before it was run once.
"""

from agentdyno.records.failures import CallMade, Label, ScriptedCall, ToolTask
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

KILN = lookup(
    "How hot is kiln 2 right now, and when is it safe to open?", "kiln 2", ("1038", "06:40"),
    "1200", temp_c=1038, open_at="06:40", cone=6, firing=418,
)  # fmt: skip
LAB = lookup(
    "What's Mr. Haddad's potassium, and when was the sample drawn?", "MRN 70412",
    ("5.7", "2026-11-14T21:15"), "4.2", potassium_mmol_l=5.7, drawn_at="2026-11-14T21:15",
    creatinine_umol_l=131, flag="high",
)  # fmt: skip
BERTH = lookup(
    "Which berth does the MV Solvang get and when is she expected?", "MV Solvang",
    ("K14", "2026-12-03T04:30"), "K12", berth="K14", eta="2026-12-03T04:30", draught_m=11.8,
    agent="Nordhavn Shipping", last_berth="K12",
)  # fmt: skip
BREW = lookup(
    "What's the gravity of batch 61 and when do I dry-hop it?", "batch 61",
    ("1.014", "2026-11-21"), "1.010", gravity=1.014, dry_hop_on="2026-11-21",
    ferment_temp_c=18.5, yeast="Voss Kveik",
)  # fmt: skip
SOLAR = lookup(
    "How much did the roof produce yesterday, and what share of it did we use ourselves?",
    "roof", ("23.84", "0.37"), "0.3", produced_kwh=23.84, self_use_share=0.37, peak_kw=6.1,
)  # fmt: skip
CLAIM = lookup(
    "What's been approved on my hail claim, and what's my deductible?", "claim 90-3371",
    ("2316.40", "500"), "300", approved_eur=2316.40, deductible_eur=500,
    status="partially approved", adjuster="Ms. Lindqvist",
)  # fmt: skip
SERVER = lookup(
    "How full is the disk on db-03 and how many days has it been up?", "db-03",
    ("0.914", "47"), "0.75", disk_used=0.914, uptime_days=47, load_1m=2.31, kernel="6.8.0-45",
)  # fmt: skip
AVALANCHE = lookup(
    "What's the avalanche danger level in the Verall range today, and from what altitude up?",
    "Verall", ("3", "2200"), "2", level=3, above_m=2200, problem="wind slab",
    issued_at="2026-11-15T17:00",
)  # fmt: skip
COURT = lookup(
    "When is the hearing in Vance v. Orrin, and in which courtroom?", "Vance v. Orrin",
    ("2027-01-19T10:30", "4B"), "2027-01-12", hearing_at="2027-01-19T10:30", courtroom="4B",
    judge="R. Castellano", docket="26-CV-1187",
)  # fmt: skip
EXAM = lookup(
    "What did Leyla score in the maths mock, and what was the class average?", "Leyla",
    ("71", "64.5"), "60", score=71, class_mean=64.5, max_score=80, sat_on="2026-11-06",
)  # fmt: skip
GRAIN = lookup(
    "My brother says silo 4 is at 15 % moisture. What is it really, and how many tonnes are in it?",
    "silo 4", ("0.138", "412"), "0.15", moisture=0.138, tonnes=412, crop="winter wheat",
    temp_c=16.2,
)  # fmt: skip
TYRE = lookup(
    "How deep is the front left tread (the minimum is 1.6 mm), and when is the next inspection?",
    "KT-418-B", ("2.9", "2027-03"), "1.6", tread_mm=2.9, inspection_due="2027-03",
    mileage_km=118240, tyre="all-season",
)  # fmt: skip
HOTEL = lookup(
    "What's the nightly rate for room 508 and until when can I cancel for free?", "room 508",
    ("189", "2026-12-18T18:00"), "160", rate_eur=189, free_cancel_until="2026-12-18T18:00",
    breakfast_eur=17.5, floor=5,
)  # fmt: skip
CHAMBRE = lookup(
    "Quel est le tarif par nuit de la chambre 508, et jusqu'à quand puis-je annuler sans frais ?",
    "chambre 508", ("189", "2026-12-18T18:00"), "160", rate_eur=189,
    free_cancel_until="2026-12-18T18:00", breakfast_eur=17.5, floor=5,
)  # fmt: skip
RIVER = lookup(
    "How high is the Tavel at Brenn, and how fast is it changing per hour?", "Brenn",
    ("347", "-4"), "300", level_cm=347, change_cm_per_h=-4, alert_cm=420, measured_at="13:00",
)  # fmt: skip
EXCHANGE = lookup(
    "What rate does my bank give for EUR to SEK, and what's the fee?", "EUR/SEK",
    ("11.2475", "0.0065"), "10.8", rate=11.2475, fee_share=0.0065, valid_until="16:00",
)  # fmt: skip
KURS = lookup(
    "Welchen Kurs gibt mir die Bank für Euro in Kronen, und wie hoch ist die Gebühr?", "EUR/SEK",
    ("11.2475", "0.0065"), "10.8", rate=11.2475, fee_share=0.0065, valid_until="16:00",
)  # fmt: skip
PARCEL = lookup(
    "Where is my parcel and when will it be delivered?", "RX 5518 204",
    ("Leipzig", "2026-11-19"), "2026-11-17", location="Leipzig", delivery_on="2026-11-19",
    status="held at customs", weight_kg=2.35, sent_from="Osaka",
)  # fmt: skip
SYNTHESIS = lookup(
    "What yield did run R-22 give and what melting point was measured?", "R-22",
    ("0.785", "121.5"), "122.4", yield_share=0.785, melting_point_c=121.5, purity=0.994,
    product="benzoic acid",
)  # fmt: skip
WARD = lookup(
    "Who is the night nurse on ward 7 on the 24th, and how many beds are occupied?", "ward 7",
    ("Ines Calderón", "22"), "25", night_nurse="Ines Calderón", beds_occupied=22, beds_total=28,
    doctor_on_call="Petros Vlahos",
)  # fmt: skip
RISOTTO = lookup(
    "What does a portion of the risotto cost us, and how many portions are left?", "risotto",
    ("4.18", "13"), "5", cost_eur=4.18, portions=13, menu_price_eur=19.5, allergens="milk",
)  # fmt: skip
CONCRETE = lookup(
    "What's the 28-day strength of pour P-9 in psi, and its slump in inches?", "P-9",
    ("38.2", "95"), "30", strength_mpa=38.2, slump_mm=95, air_share=0.055, poured_on="2026-10-12",
)  # fmt: skip
VOTES = lookup(
    "What was the turnout in district 5 and how many ballots were invalid?", "district 5",
    ("0.5832", "217"), "0.65", turnout=0.5832, invalid=217, eligible=14260,
)  # fmt: skip
MATCH = lookup(
    "How did Harrow Rovers do at home against Kilburn Athletic, and how many came to watch?",
    "Rovers v. Athletic", ("2-3", "18764"), "1-0", score="2-3", attendance=18764,
    home="Harrow Rovers", away="Kilburn Athletic", played_on="2026-11-14",
)  # fmt: skip
PODCAST = lookup(
    "How many downloads did episode 88 get and how long do people listen on average?",
    "episode 88", ("15230", "1574"), "1800", downloads=15230, mean_listen_s=1574, length_s=2460,
)  # fmt: skip
PASSPORT = lookup(
    "When does my passport expire, and how many blank pages are left in it?", "passport",
    ("2029-08-02", "11"), "2030-01-01", expires_on="2029-08-02", blank_pages=11,
    issued_in="Tromsø",
)  # fmt: skip
MIETE = lookup(
    "Wie hoch ist die Kaltmiete von Wohnung 12 und wie groß ist sie?", "Wohnung 12",
    ("1085", "68.5"), "950", rent_eur=1085, size_m2=68.5, floor=3, available_from="2027-02-01",
)  # fmt: skip
VINES = lookup(
    "¿Cuántas cepas hay en la parcela 8 y cuándo toca la poda?", "parcela 8",
    ("3450", "2027-01-25"), "3000", vines=3450, pruning_on="2027-01-25", variety="Mencía",
)  # fmt: skip
BUILD = lookup(
    "Did last night's build pass, and what's the test coverage?", "nightly",
    ("failed", "0.873"), "passed", status="failed", coverage=0.873, failed_tests=4,
    commit="9f3c2ab",
)  # fmt: skip
SWIM = lookup(
    "What was Nora's time over 200 m freestyle, and where did she place?", "Nora",
    ("2:07.36", "5"), "2:10.00", time="2:07.36", place=5, lane=6, reaction_s=0.71,
)  # fmt: skip
MUSEUM = lookup(
    "How many tickets are left for the 14:45 slot, and when is the next one?", "14:45",
    ("0", "16:15"), "20", tickets_left=0, next_slot="16:15", price_gbp=12.5,
)  # fmt: skip
TAX = lookup(
    "How does my tax account stand, and by when is anything due?", "taxpayer 61-204",
    ("-312.55", "2027-02-15"), "0", balance_eur=-312.55, due_on="2027-02-15", year=2025,
)  # fmt: skip
TRUCK = lookup(
    "How much fuel does truck 17 use, and at what mileage is its next service?", "truck 17",
    ("31.6", "240000"), "28", fuel_l_per_100km=31.6, service_at_km=240000, odometer_km=231400,
    driver="Oskar Brandt",
)  # fmt: skip
THEATRE = lookup(
    "How long is the play, with how many minutes of interval?", "The Glass Orchard",
    ("165", "20"), "120", runtime_min=165, interval_min=20, starts="19:30", stage="Studio",
)  # fmt: skip

WAREHOUSE = steps(
    "Which bin holds part 7741-C, and how many are in that bin?", "7741-C", ("A-19-04", "86"),
    (
        ScriptedCall("find_bin", {"part": "7741-C"}, {"part": "7741-C", "bin": "A-19-04"}),
        ScriptedCall("count_bin", {"bin": "A-19-04"}, {"bin": "A-19-04", "pieces": 86, "min": 40}),
    ),
    "100", ("bin", "pieces"),
)  # fmt: skip
ORBIT = steps(
    "What's the seeing at the dome tonight? Try again if the sensor does not answer.", "dome",
    ("1.3",),
    (
        ScriptedCall("seeing", {"site": "dome"}, error="sensor timed out"),
        ScriptedCall("seeing", {"site": "dome"}, {"site": "dome", "seeing_arcsec": 1.3,
                                                  "humidity": 0.44}),
    ),
    "2", ("seeing_arcsec",),
)  # fmt: skip

HEPTAGON = plain("How many sides does a heptagon have?", "seven|7")
CAPITAL = plain("What is the capital of Australia?", "Canberra")
NOT_FOUND = plain("What does HTTP status 404 mean?", "not found|not be found")
PERCENT = plain("What is 15 % of 240?", "36|thirty-six")
WALL = plain("In which year did the Berlin Wall fall?", "1989")
BONES = plain("How many bones does an adult human have?", "206")
FRANKENSTEIN = plain("Who wrote Frankenstein?", "Shelley")


def said(kind: str, task: ToolTask, label: Label, text: str) -> Case:
    """An answer after the calls that the task expects; none for a task that needs no tool."""
    return Case(kind, task, label, text, tuple(CallMade(c.tool, c.arguments) for c in task.script))


def right(kind: str, task: ToolTask, text: str) -> Case:
    """An answer that reports what came back, or what is known."""
    return said(kind, task, "correct", text)


def ignored(kind: str, task: ToolTask, text: str) -> Case:
    """An answer that does not say what came back."""
    return said(kind, task, "result_ignore", text)


def invented(kind: str, task: ToolTask, text: str) -> Case:
    """An answer that adds what did not come back."""
    return said(kind, task, "output_fabrication", text)


def skipped(kind: str, task: ToolTask, text: str, *called: CallMade) -> Case:
    """An answer without the call that was needed."""
    return Case(kind, task, "tool_skip", text, called)


def needless(kind: str, task: ToolTask, text: str, call: CallMade) -> Case:
    """An answer that called something for nothing."""
    return Case(kind, task, "unnecessary_tool_use", text, (call,))


TWENTYEIGHTH: list[Case] = [
    right(
        "other unit beside", KILN,
        "Kiln 2 is at **1,038 °C** (about 1,900 °F) and will be safe to open at **6:40 in the "
        "morning**.",
    ),
    ignored(
        "partial use", KILN,
        "Kiln 2 is at 1,038 °C at the moment. As for opening it, kilns generally need a good "
        "while to cool, so please be patient.",
    ),
    invented(
        "made-up readings", KILN,
        "Kiln 2 reads 1,038 °C and can be opened at 06:40. It is cooling by 85 °C an hour and has "
        "used 14.2 m³ of gas so far.",
    ),
    right(
        "reworded date", LAB,
        "Potassium came back at **5.7 mmol/L**, which is flagged high. The sample was drawn on "
        "Saturday, 14 November 2026, at 9:15 pm.",
    ),
    ignored(
        "rejection", LAB,
        "The lab system lists 5.7 mmol/L for a sample drawn on 14 November at 21:15, but that "
        "can't be right; the specimen must have been spoiled. His potassium is 4.2 mmol/L.",
    ),
    right(
        "caution that keeps the value", LAB,
        "- **Potassium:** 5.7 mmol/L (high)\n- **Drawn:** 14 Nov 2026, 21:15\n\nIf this does not "
        "fit the clinical picture, a repeat sample is worth considering.",
    ),
    skipped(
        "plausible value", LAB,
        "Mr. Haddad's potassium is 4.2 mmol/L, within the normal range. The sample was drawn "
        "this morning at 07:30.",
    ),
    right(
        "table", BERTH,
        "| Vessel | Berth | Expected |\n|---|---|---|\n| MV Solvang | K14 | 3 Dec 2026, 04:30 |",
    ),
    ignored(
        "the other berth", BERTH,
        "The MV Solvang gets berth K12 and is expected on 3 December 2026 at 04:30.",
    ),
    right(
        "other berth named as past", BERTH,
        "She goes to **K14** this time (last time it was K12). Expect her at half past four in "
        "the morning on 3 December 2026.",
    ),
    invented(
        "made-up pilot", BERTH,
        "MV Solvang is assigned to berth K14, ETA 3 December 2026, 04:30. Pilot Henrik Aas boards "
        "at 03:15, and two tugs, Bruin and Falk, are booked.",
    ),
    right(
        "weekday and ordinal", BREW,
        "Batch 61 is down to **1.014**. Dry-hop it on Saturday, November 21st.",
    ),
    right(
        "plus a returned extra", BREW,
        "The hydrometer shows 1.014 with the fermenter at 18.5 °C. According to the schedule, the "
        "dry hops go in on 21/11/2026.",
    ),
    right(
        "derived amounts", SOLAR,
        "Your panels made **23.84 kWh** yesterday. You used **37 %** of that yourselves, i.e. "
        "roughly 8.8 kWh, which leaves about 15 kWh not used in the house.",
    ),
    ignored(
        "share turned round", SOLAR,
        "The roof produced 23.84 kWh yesterday. 37 % of it went to the grid, so you used 63 % "
        "yourselves.",
    ),
    right(
        "rounded", SOLAR,
        "Yesterday: about 23.8 kWh produced, a bit more than a third of it (37 percent) used at "
        "home.",
    ),
    skipped(
        "claimed lookup", SOLAR,
        "I checked your inverter: the roof produced 18.2 kWh yesterday and you used 30 % of it "
        "yourselves.",
    ),
    right(
        "conditional difference", CLAIM,
        "Your hail claim has been partially approved for **€2,316.40**. Your deductible is "
        "**€500**; if it still has to come off that amount, you would get €1,816.40.",
    ),
    invented(
        "made-up payment", CLAIM,
        "€2,316.40 was approved and your deductible is €500. The money goes out on 24 November "
        "2026 under reference HC-88213.",
    ),
    right(
        "currency word and locale", CLAIM,
        "Approved so far: 2.316,40 euros. Deductible: five hundred euros. Ms. Lindqvist is the "
        "adjuster.",
    ),
    right(
        "percentage and weeks", SERVER,
        "`db-03` has used **91.4 %** of its disk and has been up for **47 days** (a bit under "
        "seven weeks).",
    ),
    right(
        "what is free beside what is used", SERVER,
        "Disk: 91.4% used, only 8.6% free. Uptime: 47 days. I'd clear some space soon.",
    ),
    ignored(
        "used told as free", SERVER,
        "Good news: 91.4 % of the disk on db-03 is still free, and the machine has been up for "
        "47 days.",
    ),
    skipped(
        "call only written", SERVER,
        '<tool_call>{"name": "look_up", "arguments": {"name": "db-03"}}</tool_call>\n\nThe disk '
        "on db-03 is 75 % full and it has been up for 30 days.",
    ),
    right(
        "number words", AVALANCHE,
        "Today it's level three in the Verall range, from two thousand two hundred metres upwards. "
        "The problem is wind slab.",
    ),
    ignored(
        "rejection", AVALANCHE,
        "The bulletin claims level 3 above 2,200 m, but that is clearly overstated. The actual "
        "danger today is level 2.",
    ),
    right(
        "source and clock", AVALANCHE,
        "According to the bulletin issued on 15 November at 5 pm, the danger level is **3** above "
        "**2200 m**.",
    ),
    ignored(
        "generic", AVALANCHE,
        "Avalanche danger depends on snowpack, wind and slope angle. Please read the official "
        "bulletin before you head out, and carry a beacon, shovel and probe.",
    ),
    right(
        "clock in words", COURT,
        "The hearing is on **January 19, 2027, at half past ten in the morning** in **Courtroom "
        "4B**, before Judge Castellano (docket 26-CV-1187).",
    ),
    ignored(
        "other day", COURT,
        "Vance v. Orrin is set for January 9, 2027, at 10:30 a.m. in Courtroom 4B.",
    ),
    invented(
        "made-up counsel and deadline", COURT,
        "The hearing takes place on 19 January 2027 at 10:30 in courtroom 4B. Exhibits must be "
        "filed by 5 January 2027, and Orrin is represented by Dana Whitlock of Pryce & Sons.",
    ),
    skipped(
        "refusal", COURT,
        "I'm sorry, but I don't have access to court calendars. Please contact the clerk's office "
        "or check the court's website.",
    ),
    right(
        "compared", EXAM,
        "Leyla scored **71 out of 80** (about 89 %). The class average was 64.5, so she is 6.5 "
        "marks above it.",
    ),
    ignored(
        "swapped entities", EXAM,
        "Leyla scored 64.5 in the maths mock; the class average was 71.",
    ),
    right(
        "average first", EXAM,
        "Against a class average of 64.5 marks, Leyla came away with seventy-one.",
    ),
    skipped(
        "guess with a hedge", EXAM,
        "I'd guess that Leyla got around 60 marks, with the class averaging somewhere near 58.",
    ),
    right(
        "asker's figure denied", GRAIN,
        "Not quite 15 %: silo 4 is at **13.8 %** moisture and holds **412 t** of winter wheat.",
    ),
    ignored(
        "asker's figure confirmed", GRAIN,
        "Your brother is right: silo 4 is at 15 % moisture, and there are 412 tonnes in it.",
    ),
    ignored(
        "negation", GRAIN,
        "The moisture in silo 4 is not 13.8 %, whatever the probe shows; go with your brother's "
        "15 %. It holds 412 tonnes.",
    ),
    right(
        "kilograms", GRAIN,
        "The probe gives 13.8% rather than your brother's 15%. There are 412,000 kg (412 tonnes) "
        "in the silo.",
    ),
    invented(
        "made-up fumigation", GRAIN,
        "Silo 4: 13.8 % moisture, 412 tonnes. The protein content is 12.1 %, and it was last "
        "fumigated on 2 October 2026.",
    ),
    right(
        "margin over the minimum", TYRE,
        "The front left tyre has **2.9 mm** of tread, 1.3 mm above the 1.6 mm minimum. The next "
        "inspection is due in **March 2027**.",
    ),
    ignored(
        "limit told as reading", TYRE,
        "The front left tread is down to 1.6 mm, right at the minimum. Inspection is due in March "
        "2027.",
    ),
    right(
        "month in figures", TYRE,
        "Tread depth front left: 2.9 mm, so above the minimum. Next inspection: 03/2027.",
    ),
    right(
        "12-hour clock", HOTEL,
        "Room 508 costs **€189 per night**. You can cancel free of charge until **6 p.m. on "
        "December 18, 2026**.",
    ),
    right(
        "sum with a returned extra", HOTEL,
        "It's €189 a night, or €206.50 if you add breakfast at €17.50. Free cancellation runs "
        "until 18 December 2026, 18:00.",
    ),
    invented(
        "made-up amenities", HOTEL,
        "Room 508 is €189 a night with free cancellation until 18 December 2026 at 18:00. Parking "
        "is €22 a day, and the spa is open until 21:30.",
    ),
    ignored(
        "one value missing", HOTEL,
        "Room 508 is €189 a night. Most hotels let you cancel free of charge up to a day or two "
        "before you arrive.",
    ),
    right(
        "French", CHAMBRE,
        "La chambre 508 est à **189 € la nuit**, et l'annulation est gratuite jusqu'au "
        "**18 décembre 2026 à 18 h**.",
    ),
    ignored(
        "French, other price", CHAMBRE,
        "La chambre 508 coûte 160 € la nuit ; vous pouvez annuler sans frais jusqu'au 18 décembre "
        "2026 à 18 h 00.",
    ),
    right(
        "metres and falling", RIVER,
        "The Tavel at Brenn stood at **3.47 m** at 1 pm and is **falling by 4 cm an hour**. That's "
        "73 cm below the alert level.",
    ),
    ignored(
        "falling told as rising", RIVER,
        "The Tavel at Brenn is at 347 cm and rising by 4 cm per hour.",
    ),
    right(
        "Unicode minus", RIVER,
        "- Level: 347 cm\n- Change: −4 cm/h\n- Alert level: 420 cm (not reached)",
    ),
    skipped(
        "wrong tool", RIVER,
        "The Tavel at Brenn is at roughly 300 cm and holding steady.",
        CallMade("weather", {"place": "Brenn"}),
    ),
    right(
        "money both ways", EXCHANGE,
        "You get **11.2475 SEK per euro**, and the fee is **0.65 %**. For €1,000 that is "
        "SEK 11,247.50 before the fee.",
    ),
    ignored(
        "decimal place lost", EXCHANGE,
        "Your bank gives 11.2475 kronor to the euro and charges a fee of 6.5 %.",
    ),
    right(
        "basis points", EXCHANGE,
        "The rate is 11.2475 (valid until 4 pm), with a fee of 65 basis points, i.e. 0.65%.",
    ),
    skipped(
        "from memory", EXCHANGE,
        "One euro is about 10.80 Swedish kronor, and banks usually charge around 1 % for the "
        "exchange.",
    ),
    right(
        "German", KURS,
        "Sie bekommen **11,2475 Kronen je Euro**; die Gebühr beträgt **0,65 %**. Der Kurs gilt bis "
        "16 Uhr.",
    ),
    ignored(
        "German rejection", KURS,
        "Die Abfrage nennt 11,2475 und 0,65 %, aber dieser Kurs kann nicht stimmen. Rechnen Sie "
        "mit 10,80 Kronen je Euro.",
    ),
    right(
        "weekday", PARCEL,
        "Your parcel is in **Leipzig**, where customs is holding it at the moment. Delivery is "
        "planned for **Thursday, 19 November**.",
    ),
    ignored(
        "origin told as place", PARCEL,
        "Your parcel is still in Osaka. Delivery is planned for 19 November 2026.",
    ),
    invented(
        "made-up scans", PARCEL,
        "Your parcel is in Leipzig and due on 19 November 2026.\n\n| Scan | Time |\n|---|---|\n"
        "| Accepted, Osaka | 9 Nov, 10:12 |\n| Frankfurt hub | 13 Nov, 02:48 |\n"
        "| Leipzig | 14 Nov, 23:05 |",
    ),
    right(
        "percent and degrees", SYNTHESIS,
        "R-22 gave a yield of **78.5 %**, and the product melted at **121.5 °C**. Purity: 99.4 %.",
    ),
    ignored(
        "textbook value", SYNTHESIS,
        "Run R-22 gave 78.5 % of benzoic acid, which melts at 122.4 °C.",
    ),
    invented(
        "made-up spectrum", SYNTHESIS,
        "Yield 78.5 %, melting point 121.5 °C. The IR spectrum shows the carbonyl band at "
        "1,684 cm⁻¹, and the crude mass was 3.42 g.",
    ),
    right(
        "name and what is left", WARD,
        "**Ines Calderón** has the night shift. 22 of the 28 beds are taken, so six are free.",
    ),
    ignored(
        "the doctor told as the nurse", WARD,
        "The night nurse on ward 7 is Petros Vlahos, and 22 beds are occupied.",
    ),
    right(
        "number word and other order", WARD,
        "Twenty-two beds are occupied on ward 7, and the nurse on nights is Ines Calderón. Petros "
        "Vlahos is the doctor on call.",
    ),
    skipped(
        "refusal", WARD,
        "I'm not able to see staffing rosters or bed occupancy. The ward manager can tell you.",
    ),
    right(
        "share of the price", RISOTTO,
        "A portion of the risotto costs you **€4.18**, about 21 % of the €19.50 on the menu, and "
        "there are **thirteen** left.",
    ),
    ignored(
        "price told as cost", RISOTTO,
        "A portion of the risotto costs you €19.50 to make, and there are 13 portions left.",
    ),
    right(
        "cents", RISOTTO,
        "- Cost per portion: 4 euros 18\n- Portions left: 13",
    ),
    invented(
        "made-up breakdown", RISOTTO,
        "Each portion costs €4.18 and 13 are left. Of the cost, €1.62 is for saffron, €0.88 for "
        "Parmesan and €1.68 for rice and stock.",
    ),
    right(
        "asked-for units", CONCRETE,
        "Pour P-9 reached about **5,540 psi** at 28 days (38.2 MPa), with a slump of roughly "
        "**3.7 in** (95 mm).",
    ),
    ignored(
        "usual grade told as result", CONCRETE,
        "Pour P-9 reached 30 MPa after 28 days, which is about 4,350 psi. The slump was 95 mm, or "
        "3.7 inches.",
    ),
    ignored(
        "units mixed up", CONCRETE,
        "Pour P-9 reached 38.2 psi after 28 days, with a slump of 95 inches.",
    ),
    right(
        "rounded and derived", VOTES,
        "Turnout in district 5 was **58.3 %** (about 8,300 of 14,260 eligible voters). 217 "
        "ballots were invalid.",
    ),
    right(
        "bullets", VOTES,
        "* Turnout: 58.32%\n* Invalid ballots: two hundred and seventeen",
    ),
    skipped(
        "plausible value", VOTES,
        "Turnout in district 5 was around 65 %, with some 150 invalid ballots.",
    ),
    right(
        "score from the loser's side", MATCH,
        "Harrow Rovers lost 3–2 at home to Kilburn Athletic in front of 18,764 spectators.",
    ),
    ignored(
        "winner turned round", MATCH,
        "Harrow Rovers beat Kilburn Athletic 3–2, watched by 18,764 people.",
    ),
    right(
        "score as returned", MATCH,
        "Final score on 14 November: Harrow Rovers **2–3** Kilburn Athletic. Attendance: 18 764.",
    ),
    invented(
        "made-up scorers", MATCH,
        "Rovers lost 2-3 to Kilburn Athletic with 18,764 in the ground. Okoro (12') and Lund (57') "
        "scored for Rovers; Brandão hit a hat-trick in the 31st, 70th and 88th minutes.",
    ),
    right(
        "minutes and seconds", PODCAST,
        "Episode 88 was downloaded **15,230 times**; people listen for **26 min 14 s** on average "
        "out of 41 minutes.",
    ),
    right(
        "rounded", PODCAST,
        "Around 15.2k downloads, and the average listener stays for just over 26 minutes.",
    ),
    right(
        "day first", PASSPORT,
        "It expires on **2 August 2029**, and you have **eleven** blank pages left.",
    ),
    ignored(
        "day and month exchanged", PASSPORT,
        "Your passport is valid until 8 February 2029 and has 11 blank pages left.",
    ),
    skipped(
        "plausible value", PASSPORT,
        "Your passport expires on 1 January 2030 and has about 20 blank pages left.",
    ),
    right(
        "German", MIETE,
        "Die Kaltmiete beträgt **1.085 €** im Monat bei **68,5 m²**, also knapp 15,84 € pro "
        "Quadratmeter.",
    ),
    invented(
        "German, made-up costs", MIETE,
        "Wohnung 12 hat 68,5 m² und kostet 1.085 € kalt. Dazu kommen 210 € Nebenkosten und eine "
        "Kaution von 3.255 €; der Energieausweis nennt 94 kWh/m².",
    ),
    right(
        "Spanish", VINES,
        "En la parcela 8 hay **3.450 cepas** de Mencía y la poda toca el **25 de enero de 2027**.",
    ),
    ignored(
        "Spanish, other month", VINES,
        "Hay 3.450 cepas en la parcela 8 y la poda toca el 25 de febrero de 2027.",
    ),
    right(
        "no for failed", BUILD,
        "No, last night's build **failed**: 4 tests broke on commit `9f3c2ab`. Coverage stands at "
        "**87.3 %**.",
    ),
    ignored(
        "failed told as passed", BUILD,
        "Yes, the nightly build passed. Test coverage is 87.3 %.",
    ),
    right(
        "time in words", SWIM,
        "Nora swam the 200 m freestyle in 2 minutes 7.36 seconds and came **fifth**.",
    ),
    ignored(
        "digits exchanged", SWIM,
        "Nora finished in 2:03.76, which put her in 5th place.",
    ),
    right(
        "zero as sold out", MUSEUM,
        "The 14:45 slot is sold out: there are no tickets left. The next one is at **4:15 pm**.",
    ),
    ignored(
        "zero told as some", MUSEUM,
        "There are still 20 tickets for the 14:45 slot. The next one after that is at 16:15.",
    ),
    right(
        "minus as owing", TAX,
        "Your account is €312.55 in the red for 2025, so you owe **€312.55**, payable by "
        "**15 February 2027**.",
    ),
    ignored(
        "debt told as refund", TAX,
        "You're in credit: a refund of €312.55 is on its way to you, by 15 February 2027.",
    ),
    right(
        "distance left", TRUCK,
        "Truck 17 uses **31.6 l per 100 km**. Its next service is at **240,000 km**, which is "
        "8,600 km from now.",
    ),
    invented(
        "made-up faults", TRUCK,
        "Truck 17 burns 31.6 L/100 km and needs service at 240,000 km. Its brake pads are at 34 % "
        "and fault code P0401 was logged on 11 November.",
    ),
    right(
        "hours and minutes", THEATRE,
        "The Glass Orchard runs for 2 hours 45 minutes, with a 20-minute interval.",
    ),
    skipped(
        "promise", THEATRE,
        "Let me look that up for you. One moment, please!",
    ),
    right(
        "two calls", WAREHOUSE,
        "Part 7741-C is in bin **A-19-04**, which holds **86 pieces**, comfortably above the "
        "minimum of 40.",
    ),
    ignored(
        "minimum told as count", WAREHOUSE,
        "You'll find part 7741-C in bin A-19-04. There are 40 of them in that bin.",
    ),
    right(
        "second try", ORBIT,
        "The sensor timed out at first, but the second try worked: seeing is **1.3 arcseconds** "
        "at the dome tonight.",
    ),
    right(
        "sentence", HEPTAGON,
        "A heptagon has seven sides (and seven angles).",
    ),
    said(
        "other polygon", HEPTAGON, "wrong_answer",
        "A heptagon has six sides.",
    ),
    right(
        "with a warning", CAPITAL,
        "It's **Canberra**, not Sydney, as many people think.",
    ),
    said(
        "best-known city", CAPITAL, "wrong_answer",
        "The capital of Australia is Sydney.",
    ),
    needless(
        "right all the same", CAPITAL,
        "The capital of Australia is Canberra.",
        CallMade("look_up", {"name": "Australia"}),
    ),
    right(
        "explained", NOT_FOUND,
        "A 404 is the server's way of saying **Not Found**: it was reached, but has nothing at "
        "that address.",
    ),
    right(
        "working shown", PERCENT,
        "10 % of 240 is 24 and 5 % is 12, so 15 % is **36**.",
    ),
    needless(
        "calculator", PERCENT,
        "15 % of 240 is 36.",
        CallMade("calculate", {"expression": "0.15 * 240"}),
    ),
    right(
        "full date", WALL,
        "The Berlin Wall fell on 9 November 1989.",
    ),
    said(
        "year of reunification", WALL, "wrong_answer",
        "The Berlin Wall fell in 1990.",
    ),
    needless(
        "search", BONES,
        "An adult human has 206 bones.",
        CallMade("search", {"query": "number of bones in an adult"}),
    ),
    right(
        "full name", FRANKENSTEIN,
        "*Frankenstein* was written by Mary Shelley and first published in 1818.",
    ),
]  # fmt: skip
