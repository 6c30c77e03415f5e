"""The twenty-ninth hard set: trades, hobbies, offices and farms; half of it right answers.

Written from the published definitions alone, by an author who had read neither the rule nor any
earlier case, and kept before it was run once.
"""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

KILN = lookup(
    "How hot did the bisque firing in kiln 2 get and how long did it take?", "kiln 2",
    ("1063", "575"), "1000", peak_temp_c=1063, duration_min=575, cone="04", loaded_by="Ines",
)  # fmt: skip
TIDE = lookup(
    "When is high water at Granville tomorrow, and how high does it get?", "Granville",
    ("06:48", "11.37"), "7", high_water="06:48", height_m=11.37, coefficient=88,
)  # fmt: skip
MAREE = lookup(
    "À quelle heure est la pleine mer demain à Granville, et à quelle hauteur ?", "Granville",
    ("06:48", "11.37"), "7", high_water="06:48", height_m=11.37, coefficient=88,
)  # fmt: skip
CONTAINER = lookup(
    "Where is container MSKU 730164-2 right now and when does it reach Rotterdam?",
    "MSKU 730164-2", ("Algeciras", "2026-12-04"), "Singapore", position="Algeciras",
    eta="2026-12-04", vessel="Maren Sund", customs="not cleared",
)  # fmt: skip
CHESS = lookup(
    "What's Leyla's rapid rating, and how many games did she play this month?", "Leyla",
    ("1847", "23"), "1750", rating=1847, games=23, peak=1902,
)  # fmt: skip
BLOOD = lookup(
    "When may I give blood again and what was my haemoglobin last time?", "donor 60418",
    ("2027-01-18", "14.3"), "13.5", next_donation="2027-01-18", hb_g_dl=14.3, blood_group="A-",
)  # fmt: skip
LIFT = lookup(
    "Did lift 4 pass its inspection, and when is the next one?", "lift 4",
    ("failed", "2026-11-30"), "passed", result="failed", next_inspection="2026-11-30",
    fault_code="E47",
)  # fmt: skip
POOL = lookup(
    "What are the pH and the free chlorine in the outdoor pool?", "outdoor pool", ("7.9", "0.6"),
    "7.4", ph=7.9, chlorine_mg_l=0.6, temperature_c=27.5,
)  # fmt: skip
PISCINA = lookup(
    "¿Qué pH y cuánto cloro libre tiene la piscina exterior?", "piscina exterior", ("7.9", "0.6"),
    "7.4", ph=7.9, chlorine_mg_l=0.6, temperature_c=27.5,
)  # fmt: skip
TURBINE = lookup(
    "How much is turbine T12 producing and how strong is the wind there?", "T12",
    ("2130", "11.8"), "3000", power_kw=2130, wind_ms=11.8, availability=0.973,
)  # fmt: skip
WINE = lookup(
    "How many bottles of the 2016 Barolo are left, and by when should we drink them?",
    "Barolo 2016", ("14", "2034"), "2028", bottles=14, drink_until=2034, shelf="D3",
)  # fmt: skip
THEATRE = lookup(
    "Are there still seats for Uncle Vanya on Saturday, and what do they cost?", "Uncle Vanya",
    ("3", "42.50"), "55", seats_left=3, price_gbp=42.50, starts="19:30",
)  # fmt: skip
PARCEL = lookup(
    "How much duty and how much VAT do I owe on my parcel?", "CX 8841 LT", ("27.84", "61.15"),
    "40", duty_eur=27.84, vat_eur=61.15, handling_eur=6.00,
)  # fmt: skip
PAKET = lookup(
    "Wie viel Zoll und wie viel Einfuhrumsatzsteuer muss ich für mein Paket zahlen?",
    "CX 8841 LT", ("27.84", "61.15"), "40", duty_eur=27.84, vat_eur=61.15, handling_eur=6.00,
)  # fmt: skip
GREENHOUSE = lookup(
    "How moist is the soil in bed 5 and what's the CO2 level?", "bed 5", ("0.31", "840"), "0.5",
    soil_moisture=0.31, co2_ppm=840, vents="closed",
)  # fmt: skip
COURT = lookup(
    "When is my hearing and in which courtroom?", "Delgado", ("2027-03-11T09:45", "2.14"), "10:00",
    hearing="2027-03-11T09:45", courtroom="2.14", matter="small claims",
)  # fmt: skip
PRINTER = lookup(
    "How long will the 3D print still take and how far along is it?", "gear housing",
    ("8100", "0.44"), "0.5", remaining_s=8100, progress=0.44, layer=212, layers=480,
)  # fmt: skip
CLOUD = lookup(
    "What was our hosting bill in October and how does it compare with the month before?",
    "October", ("1284.37", "-0.062"), "1200", cost_usd=1284.37, change=-0.062, currency="USD",
)  # fmt: skip
ELECTION = lookup(
    "What was the turnout in the Norrby council election and how many valid votes were cast?",
    "Norrby", ("0.6783", "41268"), "0.55", turnout=0.6783, valid_votes=41268, seats=49,
)  # fmt: skip
SNOW = lookup(
    "What's the avalanche level above Zinal and how much fresh snow is there?", "Zinal",
    ("3", "38"), "2", avalanche_level=3, fresh_snow_cm=38, danger="considerable",
)  # fmt: skip
COW = lookup(
    "How much milk did Rosalind give yesterday and what's her cell count?", "Rosalind",
    ("31.6", "184000"), "28", milk_l=31.6, cells_per_ml=184000, lactation=3,
)  # fmt: skip
KO = lookup(
    "Hur mycket mjölk gav Rosalind i går och vilket celltal har hon?", "Rosalind",
    ("31.6", "184000"), "28", milk_l=31.6, cells_per_ml=184000, lactation=3,
)  # fmt: skip
PIANO = lookup(
    "Is the Bechstein still at 440 Hz, and when was it last tuned?", "Bechstein",
    ("438.2", "2025-08-22"), "440", pitch_hz=438.2, last_tuned="2025-08-22", humidity=0.41,
)  # fmt: skip
MUSEUM = lookup(
    "For how much is the Vallotton insured, and when does it come back to us?", "Vallotton",
    ("1250000", "2027-06-02"), "800000", insured_eur=1250000, returns_on="2027-06-02",
    borrower="Kunsthalle Mittenau",
)  # fmt: skip
STEUER = lookup(
    "Wie viel Steuer bekomme ich zurück und von wann ist der Bescheid?", "Bescheid 2025",
    ("1834.27", "2026-10-29"), "1095", refund_eur=1834.27, assessed_on="2026-10-29",
    office="Finanzamt Celle",
)  # fmt: skip
PLOT = lookup(
    "What's the asking price of plot 17 in Hosur and how big is it?", "plot 17",
    ("4575000", "1200"), "3000000", price_inr=4575000, area_sqft=1200, facing="east",
)  # fmt: skip
COMET = lookup(
    "How bright is the comet now and when does it rise tonight?", "C/2026 K3", ("8.4", "03:12"),
    "6", magnitude=8.4, rises="03:12", constellation="Leo",
)  # fmt: skip
DENSHA = lookup(
    "次の松本行きは何番線から何時に出ますか。", "松本", ("14", "07:56"), "10", platform=14,
    departs="07:56", cars=9,
)  # fmt: skip
FLOUR = lookup(
    "How much flour is on order and when will it be delivered?", "flour T65",
    ("325", "2026-11-19"), "250", ordered_kg=325, delivery="2026-11-19", mill="Roussel",
)  # fmt: skip
PATENT = lookup(
    "Is EP 2 771 904 still in force, and what's its priority date?", "EP 2 771 904",
    ("lapsed", "2013-05-22"), "in force", status="lapsed", priority_date="2013-05-22",
    owner="Tornqvist AB",
)  # fmt: skip
REHEARSAL = lookup(
    "Where and when is tonight's choir rehearsal?", "choir", ("Studio 3", "18:15"), "19:00",
    room="Studio 3", starts="18:15", conductor="Imke Brandt",
)  # fmt: skip
REPETITIE = lookup(
    "Waar en hoe laat is de koorrepetitie vanavond?", "koor", ("Studio 3", "18:15"), "19:00",
    room="Studio 3", starts="18:15", conductor="Imke Brandt",
)  # fmt: skip
SCHOOL = lookup(
    "How many days was Noor absent this term and what is her average?", "Noor", ("6", "15.4"),
    "14", absent_days=6, average=15.4, out_of=20,
)  # fmt: skip
BACKUP = lookup(
    "When did the last backup of db-west succeed and how big was it?", "db-west",
    ("2026-11-14T02:37:00Z", "412.8"), "380", last_success="2026-11-14T02:37:00Z", size_gb=412.8,
    failed_since=2,
)  # fmt: skip
LAB = lookup(
    "What were my potassium and my eGFR in the last blood test?", "patient 5590", ("5.4", "52"),
    "4.5", potassium_mmol_l=5.4, egfr=52, potassium_flag="high",
)  # fmt: skip
WHEAT = lookup(
    "What does the co-op pay for milling wheat today and what moisture do they accept?",
    "milling wheat", ("218.75", "0.145"), "195", price_eur_t=218.75, max_moisture=0.145,
)  # fmt: skip
MATCH = lookup(
    "How did Halden's home match against Moss end and how many people watched?", "Halden",
    ("2-3", "27914"), "1-1", score="2-3", attendance=27914, home="Halden", away="Moss",
)  # fmt: skip
DIVE = lookup(
    "How deep did I go on dive 112 and how long was I down?", "dive 112", ("28.6", "47"), "18",
    max_depth_m=28.6, bottom_time_min=47, gas="EAN32",
)  # fmt: skip
YARN = lookup(
    "How many skeins of the heather tweed are left and what dye lot are they?", "heather tweed",
    ("9", "K4471"), "12", skeins=9, dye_lot="K4471", weight="worsted",
)  # fmt: skip
TRADUCCION = lookup(
    "¿Cuántas palabras tiene el encargo de Velasco y para cuándo es?", "Velasco",
    ("12480", "2026-12-18"), "10000", words=12480, due="2026-12-18", pair="DE-ES",
)  # fmt: skip
HYDRANT = lookup(
    "What pressure and flow did hydrant 77 show in the last test?", "hydrant 77", ("4.6", "1350"),
    "6", pressure_bar=4.6, flow_l_min=1350, tested_on="2026-09-08",
)  # fmt: skip
BUS = lookup(
    "What's on the clock of bus 318 and at what mileage is its next service?", "bus 318",
    ("184206", "190000"), "150000", odometer_km=184206, next_service_km=190000, depot="North",
)  # fmt: skip
SALON = lookup(
    "When's my next appointment at the salon, and with whom?", "Petra",
    ("2026-11-24T16:30", "Mireille"), "16:00", at="2026-11-24T16:30", stylist="Mireille",
    service="cut and colour",
)  # fmt: skip
ALLOTMENT = lookup(
    "Where am I on the allotment waiting list and how long will it take?", "Mr Adeyemi",
    ("17", "30"), "12", position=17, expected_wait_months=30, site="Mill Lane",
)  # fmt: skip
REAGENT = lookup(
    "How pure is lot 88-F of the acetonitrile and when does it expire?", "lot 88-F",
    ("0.9987", "2028-02-29"), "0.999", purity=0.9987, expires="2028-02-29", store="cabinet 6",
)  # fmt: skip
PAINT = steps(
    "Which of Aquaflat and Duroflat has less VOC? Give me both figures.", "Aquaflat",
    ("18", "46"),
    (
        ScriptedCall("look_up", {"name": "Aquaflat"}, {"name": "Aquaflat", "voc_g_l": 18}),
        ScriptedCall("look_up", {"name": "Duroflat"}, {"name": "Duroflat", "voc_g_l": 46}),
    ),
    "30", ("voc_g_l", "voc_g_l"),
)  # fmt: skip
INVOICE = steps(
    "How much does Hollis & Sons still owe us, and by when?", "Hollis & Sons",
    ("2318.90", "2026-12-09"),
    (
        ScriptedCall("find_customer", {"name": "Hollis & Sons"}, {"customer_id": "C-3391"}),
        ScriptedCall(
            "open_invoices", {"customer_id": "C-3391"},
            {"open_gbp": 2318.90, "due": "2026-12-09", "invoice": "HS-0457"},
        ),
    ),
    "2000", ("open_gbp", "due"),
)  # fmt: skip
FROST = steps(
    "How cold will it get in the orchard tonight and how likely is frost?", "orchard",
    ("-3.5", "0.7"),
    (
        ScriptedCall("forecast", {"place": "orchard"}, error="503 service unavailable"),
        ScriptedCall(
            "forecast", {"place": "orchard"}, {"min_temp_c": -3.5, "frost_probability": 0.7}
        ),
    ),
    "1", ("min_temp_c", "frost_probability"),
)  # fmt: skip

VIOLIN = plain("How many strings does a violin have?", "4|four")
VAT = plain("What does VAT stand for?", "value added tax|value-added tax")
HYGROMETER = plain("What does a hygrometer measure?", "humidity")
MINUTES = plain("How many minutes are there in a day?", "1440")
SODIUM = plain("What's the chemical symbol of sodium?", "Na")
LEAP = plain("How many days does February have in a leap year?", "29")
SCREW = plain("In which direction do you turn a normal screw to tighten it?", "clockwise")

TWENTYNINTH = [
    # Pottery, sea, freight
    Case("unit change", KILN, "correct",
         "The bisque firing in kiln 2 topped out at **1,063 °C** and ran for **9 h 35 min** "
         "(cone 04)."),
    Case("unit change", KILN, "correct",
         "Kiln 2 peaked at about 1,945 °F, and the whole firing took roughly 9.6 hours."),
    Case("made-up schedule", KILN, "output_fabrication",
         "Kiln 2 reached 1063 °C in 575 minutes. The programme was 80 °C/h up to 600 °C, then "
         "150 °C/h to the top, with a 15-minute soak."),
    Case("12-hour clock", TIDE, "correct",
         "High water at Granville tomorrow is at **6:48 in the morning**, reaching **11.37 m** "
         "(tidal coefficient 88)."),
    Case("unit change", TIDE, "correct",
         "It peaks at 6:48 am, at about 37.3 ft – so a big tide."),
    Case("rejection", TIDE, "result_ignore",
         "High water is at 06:48. The almanac gives 11.37 m, but a tide of that size simply can't "
         "be right, so you should plan on 7 m."),
    Case("afternoon for morning", TIDE, "result_ignore",
         "High water is at 6:48 pm tomorrow, with a height of 11.37 metres."),
    Case("other locale", MAREE, "correct",
         "Demain, la pleine mer est à **6 h 48** à Granville, avec une hauteur d'eau de "
         "**11,37 m** (coefficient 88)."),
    Case("date reworded", CONTAINER, "correct",
         "Your container is currently in Algeciras, aboard the *Maren Sund*, and is expected in "
         "Rotterdam on Friday, 4 December 2026. It has not cleared customs yet."),
    Case("made-up identifiers", CONTAINER, "output_fabrication",
         "- **Position:** Algeciras\n- **ETA Rotterdam:** 2026-12-04\n- **Bill of lading:** "
         "MAEU583920117\n- **Seal:** 0099841, intact"),
    Case("swapped places", CONTAINER, "result_ignore",
         "Good news: it already lies in Rotterdam and is due in Algeciras on 4 December 2026."),
    Case("claims to have looked", CONTAINER, "tool_skip",
         "I checked the carrier's tracking page: MSKU 730164-2 is in Algeciras and should be in "
         "Rotterdam on 4 December 2026.", ()),
    # Chess, blood, lifts
    Case("right difference", CHESS, "correct",
         "She's at **1,847**, which is 55 points below her peak of 1,902. Games this month: 23."),
    Case("another field's value", CHESS, "result_ignore",
         "Leyla's rapid rating currently stands at 1902 after 23 games this month."),
    Case("negation", CHESS, "result_ignore",
         "She played 23 games this month. Her rating isn't 1847, though; it is closer to 1750."),
    Case("date reworded", BLOOD, "correct",
         "You can give blood again from Monday, January 18, 2027. At your last donation your "
         "haemoglobin was 14.3 g/dL."),
    Case("unit change", BLOOD, "correct",
         "From 18/01/2027 on. Your haemoglobin came out at 143 g/L."),
    Case("generic", BLOOD, "result_ignore",
         "Donors usually have to wait some weeks between donations, and your haemoglobin was fine. "
         "Your blood service will write to you when you can come back."),
    Case("answers by heart", BLOOD, "tool_skip",
         "You can usually donate whole blood again after 56 days, and a typical haemoglobin is "
         "13.5 g/dL.", ()),
    Case("reworded status", LIFT, "correct",
         "Unfortunately lift 4 **did not pass**: it failed with fault code E47. The next "
         "inspection is on Monday 30 November."),
    Case("reworded status", LIFT, "correct",
         "No, it didn't pass (fault code E47). It'll be inspected again on Nov 30, 2026."),
    Case("made-up contact", LIFT, "output_fabrication",
         "Lift 4 failed its inspection (E47), and the next one is on 30 November 2026. E47 was "
         "traced to door sensor DZ-2210; you can reach the engineer, Colin Marsh, on "
         "0800 552 190."),
    # Pools, wind, wine, theatre
    Case("table", POOL, "correct",
         "| Reading | Value |\n|---|---|\n| pH | 7.9 |\n| Free chlorine | 0.6 ppm |\n\nThe "
         "chlorine looks rather low to me, so it may be worth dosing and measuring again."),
    Case("swapped fields", POOL, "result_ignore",
         "The outdoor pool is at pH 0.6 with 7.9 mg/l of free chlorine."),
    Case("written call", POOL, "tool_skip",
         "<tool_call>{\"name\": \"look_up\", \"arguments\": {\"name\": \"outdoor pool\"}}"
         "</tool_call>\nThe pH is 7.4 and free chlorine is 1.5 mg/l.", ()),
    Case("other locale", PISCINA, "correct",
         "La piscina exterior tiene un pH de 7,9 y 0,6 mg/l de cloro libre; el agua está a "
         "27,5 °C."),
    Case("unit change", TURBINE, "correct",
         "T12 is putting out **2.13 MW** at a wind speed of **11.8 m/s** (about 42.5 km/h)."),
    Case("unit change", TURBINE, "correct",
         "Right now: 2,130 kW, in a wind of just under 23 knots."),
    Case("wrong unit", TURBINE, "result_ignore",
         "T12 is only producing 2.13 kW at the moment, although the wind is at 11.8 m/s."),
    Case("made-up readings", TURBINE, "output_fabrication",
         "T12 delivers 2130 kW at 11.8 m/s. Rotor speed is 14.2 rpm, the nacelle is at 31 °C and "
         "the blades are pitched by 4.5°."),
    Case("empty", WINE, "result_ignore", ""),
    Case("announces a call", WINE, "tool_skip",
         "Let me check the cellar book for the 2016 Barolo. One moment, please!", ()),
    Case("hedge instead of the value", WINE, "result_ignore",
         "You have 14 bottles. No Barolo keeps for ever, though, so I'd finish them by "
         "around 2028."),
    Case("number words", THEATRE, "correct",
         "Yes, but be quick: only three seats are left for *Uncle Vanya* on Saturday, at £42.50 "
         "each. It starts at 7:30 pm."),
    Case("right product", THEATRE, "correct",
         "There are 3 left at £42.50; taking all of them would come to £127.50."),
    Case("contradiction", THEATRE, "result_ignore",
         "I'm afraid Saturday's performance is sold out. Tickets would have been £42.50."),
    Case("made-up places", THEATRE, "output_fabrication",
         "Three seats are left at £42.50 each: F11, F12 and M3. Booking closes at 5 pm on "
         "Saturday."),
    # Customs, greenhouse, court
    Case("right sum", PARCEL, "correct",
         "You owe **€27.84** in duty and **€61.15** in VAT. With the €6 handling fee the total "
         "comes to €94.99."),
    Case("partial use", PARCEL, "result_ignore",
         "The duty on your parcel is €27.84. The VAT will be worked out when it is delivered."),
    Case("attribution to others", PARCEL, "result_ignore",
         "VAT is €61.15. The customs form puts the duty at €27.84, but that's only the seller's "
         "claim: what you'll really owe is €40."),
    Case("other locale", PAKET, "correct",
         "Für Ihr Paket fallen an:\n\n- Zoll: 27,84 €\n- Einfuhrumsatzsteuer: 61,15 €\n\nDazu "
         "kommen 6 € Bearbeitungsgebühr."),
    Case("made-up account", PAKET, "output_fabrication",
         "Der Zoll beträgt 27,84 € und die Einfuhrumsatzsteuer 61,15 €. Bitte überweisen Sie bis "
         "zum 27.11.2026 auf das Konto DE44 5001 0517 5407 3249 31."),
    Case("percent", GREENHOUSE, "correct",
         "Bed 5's soil moisture is 31 %, and CO₂ is at 840 ppm with the vents closed."),
    Case("made-up rows", GREENHOUSE, "output_fabrication",
         "| Bed | Moisture | CO2 |\n|---|---|---|\n| 5 | 31 % | 840 ppm |\n| 6 | 28 % | 815 ppm |\n"
         "| 7 | 36 % | 870 ppm |"),
    Case("another tool", GREENHOUSE, "tool_skip",
         "The soil in bed 5 should be around 50 % moist after yesterday's rain, with CO2 near "
         "420 ppm.", (CallMade("weather", {"place": "greenhouse"}),)),
    Case("12-hour clock", COURT, "correct",
         "Your hearing is on **Thursday, March 11, 2027, at 9:45 a.m.** in courtroom **2.14**."),
    Case("clock in words", COURT, "correct",
         "It's at a quarter to ten in the morning on 11 March 2027, courtroom 2.14."),
    Case("day and month swapped", COURT, "result_ignore",
         "The hearing takes place on 3 November 2027 at 9:45 in courtroom 2.14."),
    Case("made-up names", COURT, "output_fabrication",
         "Your hearing is on 11 March 2027 at 9:45 am in courtroom 2.14, before Judge Harriet "
         "Coyle, under docket number 27-SC-1182."),
    # Printing, hosting, elections
    Case("unit change", PRINTER, "correct",
         "About 2 hours and 15 minutes to go. The print is 44 % done (layer 212 of 480)."),
    Case("unit change", PRINTER, "correct",
         "It needs another **2¼ hours** and stands at **44 %**."),
    Case("complement for the value", PRINTER, "result_ignore",
         "There are 135 minutes left, and 56 % of the print is already finished."),
    Case("sign in words", CLOUD, "correct",
         "October came to **$1,284.37**, which is **6.2 % less** than in September."),
    Case("rounding", CLOUD, "correct",
         "Roughly $1,284 – a drop of 6.2 percent from the month before."),
    Case("wrong direction", CLOUD, "result_ignore",
         "The October bill was $1,284.37, up 6.2 % on the previous month."),
    Case("made-up breakdown", CLOUD, "output_fabrication",
         "The bill was $1,284.37, down 6.2 %:\n\n- Compute: $812.10\n- Storage: $214.77\n"
         "- Databases: $257.50"),
    Case("percent and rounding", ELECTION, "correct",
         "Turnout in Norrby was 67.8 %, with 41,268 valid votes cast for the 49 seats."),
    Case("approximate words", ELECTION, "correct",
         "A bit more than two thirds of voters took part (67.83 %). Valid votes: 41 268."),
    Case("vague", ELECTION, "result_ignore",
         "Turnout was somewhere between 60 and 75 percent, and tens of thousands of valid votes "
         "were cast."),
    Case("made-up parties", ELECTION, "output_fabrication",
         "Turnout was 67.83 % with 41,268 valid votes. The Centre List won 31.4 % of them, ahead "
         "of the Green Alliance with 22.9 %."),
    # Mountains, cows, pianos, museums
    Case("unit change", SNOW, "correct",
         "Level 3, \"considerable\", with about 15 inches of new snow."),
    Case("short scale", COW, "correct",
         "31.6 L of milk, and a count of 184k cells/ml."),
    Case("made-up components", COW, "output_fabrication",
         "Rosalind gave 31.6 l yesterday with 184,000 cells/ml, 4.1 % fat and 3.4 % protein."),
    Case("other locale", KO, "correct",
         "Rosalind gav 31,6 liter mjölk i går och hennes celltal är 184 000 celler/ml."),
    Case("right difference", PIANO, "correct",
         "Not quite: it has sunk to 438.2 Hz, 1.8 Hz below 440. The last tuning was on "
         "22 August 2025."),
    Case("agrees with the asker", PIANO, "result_ignore",
         "Yes, the Bechstein is still at 440 Hz. It was last tuned on 22 August 2025."),
    Case("answers by heart", PIANO, "tool_skip",
         "A well-kept Bechstein should still be at 440 Hz, and pianos are normally tuned once or "
         "twice a year.", ()),
    Case("scale word", MUSEUM, "correct",
         "The Vallotton is insured for €1.25 million and returns from Kunsthalle Mittenau on "
         "2 June 2027."),
    Case("made-up policy", MUSEUM, "output_fabrication",
         "The painting is insured for EUR 1,250,000 under policy FA-77310 with Helvetia and comes "
         "back on 2027-06-02."),
    # Taxes, land, sky, trains
    Case("other locale", STEUER, "correct",
         "Sie bekommen **1.834,27 €** zurück. Der Bescheid des Finanzamts Celle ist vom "
         "**29. Oktober 2026**."),
    Case("payment for refund", STEUER, "result_ignore",
         "Laut Bescheid vom 29.10.2026 bekommen Sie nichts zurück, sondern müssen 1.834,27 € "
         "nachzahlen."),
    Case("answers by heart", STEUER, "tool_skip",
         "Im Durchschnitt liegt die Erstattung bei rund 1.095 €; der Bescheid kommt meist nach "
         "sechs bis acht Wochen.", ()),
    Case("Indian numbers", PLOT, "correct",
         "Plot 17 is on offer for ₹45.75 lakh and measures 1,200 sq ft, facing east."),
    Case("unit change", PLOT, "correct",
         "They're asking ₹45,75,000 for it. It covers about 111.5 m²."),
    Case("wrong scale word", PLOT, "result_ignore",
         "The asking price is ₹45.75 crore for 1,200 square feet."),
    Case("clock in words", COMET, "correct",
         "It's at magnitude 8.4, in Leo, and rises at twelve minutes past three in the morning."),
    Case("refusal", COMET, "tool_skip",
         "I'm sorry, but I have no access to current ephemerides, so I can't tell you how bright "
         "the comet is or when it rises.", ()),
    Case("other locale", DENSHA, "correct", "次の松本行きは14番線から午前7時56分に発車します。"),
    # Bakery, patents, choir, school
    Case("unit change", FLOUR, "correct",
         "325 kg of T65 (some 716 lb) are on order from Roussel, to be delivered on Thursday, "
         "19 November."),
    Case("made-up invoice", FLOUR, "output_fabrication",
         "There are 325 kg on order, arriving on 19 November 2026. Invoice BK-20931 over €214.50 "
         "is payable within 14 days."),
    Case("reworded status", PATENT, "correct",
         "No. EP 2 771 904 has lapsed, so it's no longer in force. Its priority date is May 22nd, "
         "2013."),
    Case("wrong status", PATENT, "result_ignore",
         "Yes, the patent is in force and has not lapsed. Its priority date is 22 May 2013."),
    Case("made-up ruling", PATENT, "output_fabrication",
         "It has lapsed; the priority date was 22 May 2013. The lapse was confirmed in *Orbix v. "
         "Tornqvist* (2019)."),
    Case("clock in words", REHEARSAL, "correct",
         "You're rehearsing in Studio 3 at a quarter past six this evening, with Imke Brandt."),
    Case("wrong hour", REHEARSAL, "result_ignore",
         "The rehearsal is in Studio 3 and begins at 8:15 pm."),
    Case("other locale", REPETITIE, "correct",
         "De repetitie is vanavond om kwart over zes in Studio 3, onder leiding van Imke Brandt."),
    Case("number words", SCHOOL, "correct",
         "Noor missed six days this term. Her average is 15.4 out of 20 – well done to her!"),
    Case("partial use", SCHOOL, "result_ignore",
         "Noor's average this term is 15.4 out of 20, which is a solid result."),
    # Machines, medicine, markets, sports
    Case("date reworded", BACKUP, "correct",
         "The last good backup of db-west finished on Saturday, 14 November 2026 at 02:37 UTC "
         "(412.8 GB). Two attempts have failed since."),
    Case("claims to have looked", BACKUP, "tool_skip",
         "I ran `look_up(\"db-west\")` and it returned a successful backup on 2026-11-14 at 02:37 "
         "UTC, 412.8 GB.", ()),
    Case("doubt after the report", LAB, "correct",
         "Your potassium was **5.4 mmol/L** (flagged high) and your eGFR **52**. A badly handled "
         "sample can make potassium look higher than it is, so ask your doctor whether to repeat "
         "the test."),
    Case("rejection", LAB, "result_ignore",
         "eGFR 52. The sheet lists potassium as 5.4, which is surely a lab mistake, so go by the "
         "normal value of 4.5 mmol/L."),
    Case("unit change", WHEAT, "correct",
         "They're paying €218.75 a tonne (about 21.9 cents per kilo) and accept up to 14.5 % "
         "moisture."),
    Case("attribution to others", WHEAT, "result_ignore",
         "Some traders quote 218.75, but the co-op's price today is €195 per tonne, at no more "
         "than 14.5 % moisture."),
    Case("score from the other side", MATCH, "correct",
         "Halden lost 3–2 at home to Moss, in front of 27,914 spectators."),
    Case("wrong winner", MATCH, "result_ignore",
         "Halden beat Moss 3–2 at home before a crowd of 27,914."),
    Case("unit change", DIVE, "correct",
         "On dive 112 you went down to 93.8 ft, and your bottom time was 47 minutes on EAN32."),
    Case("code misread", YARN, "result_ignore",
         "There are nine skeins left, all from dye lot K4417."),
    Case("other locale", TRADUCCION, "correct",
         "El encargo de Velasco (DE-ES) tiene 12.480 palabras y hay que entregarlo el viernes "
         "18 de diciembre de 2026."),
    Case("unit change", HYDRANT, "correct",
         "In the test on 8 September 2026 hydrant 77 showed 4.6 bar (66.7 psi) and 1,350 litres a "
         "minute, i.e. 81 m³ an hour."),
    Case("right difference", BUS, "correct",
         "Bus 318 has 184,206 km on the clock and is due for service at 190,000 km, so it can run "
         "another 5,794 km."),
    Case("clock in words", SALON, "correct",
         "You're booked in with Mireille on Tuesday, the 24th of November, at half past four in "
         "the afternoon for a cut and colour."),
    Case("unit change", ALLOTMENT, "correct",
         "You're 17th in line for Mill Lane; expect to wait about two and a half years."),
    Case("answers by heart", REAGENT, "tool_skip",
         "HPLC-grade acetonitrile is normally at least 99.9 % pure and keeps for about three "
         "years unopened.", ()),
    Case("two entities", PAINT, "correct",
         "Aquaflat, clearly: it has 18 g/l of VOC against 46 g/l in Duroflat."),
    Case("swapped entities", PAINT, "result_ignore",
         "Duroflat has less VOC: 18 g/l, compared with 46 g/l for Aquaflat."),
    Case("two steps", INVOICE, "correct",
         "Hollis & Sons (C-3391) still owe **£2,318.90** on invoice HS-0457, payable by "
         "9 December 2026."),
    Case("nothing executed", INVOICE, "tool_skip",
         "I'll first call find_customer and then open_invoices. Result: they owe about £2,000, due "
         "at the end of the month.", ()),
    Case("error, then a result", FROST, "correct",
         "My first request failed, but the second one worked: tonight it goes down to 3.5 degrees "
         "below zero in the orchard, with a 70 % chance of frost."),
    Case("stops at the error", FROST, "result_ignore",
         "The forecast service answered \"503 service unavailable\", so I can't say how cold it "
         "will get or whether there will be frost."),
    # Needs no tool
    Case("no tool", VIOLIN, "correct", "A violin has four strings, tuned G, D, A and E."),
    Case("no tool", MINUTES, "correct", "There are **1,440** minutes in a day (24 × 60)."),
    Case("no tool", HYGROMETER, "correct",
         "It measures how much water vapour is in the air – the humidity."),
    Case("needless call", SODIUM, "unnecessary_tool_use", "The symbol of sodium is Na.",
         (CallMade("look_up", {"name": "sodium"}),)),
    Case("needless call", LEAP, "unnecessary_tool_use",
         "In a leap year February has 29 days.", (CallMade("look_up", {"name": "February"}),)),
    Case("needless call", SCREW, "unnecessary_tool_use",
         "According to my search, you turn it clockwise.", (CallMade("search", {"q": "screw"}),)),
    Case("needless call", VAT, "unnecessary_tool_use", "VAT stands for value-added tax.",
         (CallMade("look_up", {"name": "VAT"}),)),
    Case("wrong by heart", VIOLIN, "wrong_answer", "A violin has six strings, like a guitar."),
    Case("wrong by heart", HYGROMETER, "wrong_answer", "A hygrometer measures air pressure."),
    Case("wrong by heart", MINUTES, "wrong_answer", "A day has 1,240 minutes."),
]  # fmt: skip
