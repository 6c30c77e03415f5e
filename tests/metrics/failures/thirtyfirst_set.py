"""The thirty-first hard set: about half right answers in plain words, the rest failures and traps.

Written from the published definitions alone, by an author who had read neither the rule nor any
earlier case, and kept before it was run once.
"""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

MARINA = lookup(
    "How deep is it at berth 14 at low water tonight, and when is low water?", "berth 14",
    ("2.35", "21:48"), "3.0", depth_m=2.35, low_water="21:48", berth_length_m=12,
    harbour_master="Ines Carvalho",
)  # fmt: skip
BLOOD = lookup(
    "How many units of O negative are in stock and when does the oldest one expire?",
    "O negative", ("23", "2026-11-21"), "40", units=23, oldest_expires="2026-11-21",
    fridge="R4", reserved=5,
)  # fmt: skip
TURBINE = lookup(
    "What is turbine WT-07 producing right now, and how strong is the wind at the hub?", "WT-07",
    ("1840", "9.6"), "2500", power_kw=1840, wind_ms=9.6, rotor_rpm=13.2, pitch_deg=4.5,
)  # fmt: skip
THEATRE = lookup(
    "How many seats are left for Saturday's matinee and what does the cheapest one cost?",
    "Saturday matinee", ("17", "28.50"), "50", seats_left=17, cheapest_gbp=28.50, starts="14:30",
    row="Q",
)  # fmt: skip
LAB = lookup(
    "What was my last HbA1c and when was the blood drawn?", "patient 40771",
    ("6.9", "2026-10-08"), "5.7", hba1c_percent=6.9, drawn_on="2026-10-08", lab="Meridian",
    ferritin_ng_ml=88,
)  # fmt: skip
CUSTOMS = lookup(
    "How much duty do I owe on parcel RX 4410, and has it cleared?", "RX 4410",
    ("61.74", "held"), "0", duty_eur=61.74, status="held", reason="missing invoice",
    declared_eur=412,
)  # fmt: skip
PRINT = lookup(
    "How far along is the vase print and when will it be done?", "vase", ("0.83", "02:15"), "0.5",
    progress=0.83, done_at="02:15", nozzle_c=212, filament_left_m=36.4,
)  # fmt: skip
CANTINE = lookup(
    "Combien d'élèves mangent à la cantine demain, et quel est le prix du repas ?",
    "école Jules-Verne", ("186", "4.35"), "200", eleves=186, prix_eur=4.35, plat="lasagnes",
    allergies=9,
)  # fmt: skip
STROM = lookup(
    "Wie hoch ist meine Nachzahlung für Strom, und bis wann muss ich zahlen?", "Vertrag 88-120",
    ("1094.20", "2026-12-15"), "0", nachzahlung_eur=1094.20, faellig_am="2026-12-15",
    verbrauch_kwh=4312, zaehler="7H-220",
)  # fmt: skip
CHESS = lookup(
    "What is my rating now and how many games have I played this season?", "Lindqvist",
    ("1736", "27"), "1600", rating=1736, games=27, wins=14, club="Nordre SK",
)  # fmt: skip
LIFT = lookup(
    "When was lift B last inspected and what load is it certified for?", "lift B",
    ("2026-04-17", "1275"), "1000", inspected_on="2026-04-17", max_load_kg=1275, persons=17,
    inspector="T. Haverkamp",
)  # fmt: skip
BREW = lookup(
    "What is the gravity of batch 52 and how warm is the fermenter?", "batch 52",
    ("1.014", "19.5"), "1.010", gravity=1.014, temp_c=19.5, abv=0.052, ph=4.3,
)  # fmt: skip
GARAGE = lookup(
    "How many spaces are free in the Opera garage and what does an hour cost?", "Opera",
    ("0", "3.20"), "120", free=0, hour_eur=3.20, capacity=410, height_limit_m=2.0,
)  # fmt: skip
HEARING = lookup(
    "On what day and at what time is the hearing in 24-CV-0913, and in which courtroom?",
    "24-CV-0913", ("2027-01-26", "09:15", "7B"), None, date="2027-01-26", time="09:15",
    courtroom="7B", judge="Priya Raman",
)  # fmt: skip
BEACH = lookup(
    "What is the E. coli count at Sandvik beach and when was it sampled?", "Sandvik",
    ("340", "2026-07-29"), "100", ecoli_per_100ml=340, sampled_on="2026-07-29", limit=500,
    water_c=18.2,
)  # fmt: skip
GREENHOUSE = lookup(
    "How humid is greenhouse 2, and how many litres did the irrigation use today?",
    "greenhouse 2", ("0.71", "1260"), "0.6", humidity=0.71, litres=1260, co2_ppm=820,
    vents="closed",
)  # fmt: skip
GRAVE = lookup(
    "In which plot is Ada Brennan buried and when did she die?", "Ada Brennan",
    ("F-118", "1931-03-04"), "1930", plot="F-118", died_on="1931-03-04", stone="granite",
    register_page=212,
)  # fmt: skip
SKI = lookup(
    "How many lifts are open at Hochkar and how deep is the snow?", "Hochkar", ("6", "112"), "9",
    lifts_open=6, snow_cm=112, lifts_total=9, avalanche_level=3,
)  # fmt: skip
PODCAST = lookup(
    "How many downloads did episode 88 get and what is its completion rate?", "episode 88",
    ("48210", "0.64"), "10000", downloads=48210, completion=0.64, length_s=2835,
    top_country="Brazil",
)  # fmt: skip
POLICY = lookup(
    "I think my deductible on HX-3009 is $500. Is that so, and until when is the policy valid?",
    "HX-3009", ("750", "2028-05-31"), "500", deductible_usd=750, valid_until="2028-05-31",
    premium_usd=1318.40,
)  # fmt: skip
PANEL = lookup(
    "How tall is the Vesterlund panel and in which year was it acquired?", "Vesterlund panel",
    ("148.5", "1967"), "120", height_cm=148.5, acquired=1967, medium="oil on oak", room=11,
)  # fmt: skip
BAKERY = lookup(
    "How many croissants are ordered for tomorrow and how much butter do we need for them?",
    "tomorrow", ("340", "12.75"), "200", croissants=340, butter_kg=12.75, flour_kg=25.5,
    pickup="05:40",
)  # fmt: skip
TRUCK = lookup(
    "How far has truck 19 driven since its last service, and when is the next one?", "truck 19",
    ("18460", "2026-12-03"), "15000", km_since_service=18460, next_service="2026-12-03",
    tyre_bar=8.2, driver="Oyelaran",
)  # fmt: skip
STOCK = steps(
    "Which warehouse holds SKU 7712 and how many pallets of it are there?", "SKU 7712",
    ("Graz", "38"),
    (
        ScriptedCall("find_sku", {"sku": "7712"}, {"sku": "7712", "warehouse": "Graz"}),
        ScriptedCall(
            "count_pallets", {"sku": "7712", "warehouse": "Graz"}, {"pallets": 38, "aisle": "D4"}
        ),
    ),
    "40", ("warehouse", "pallets"),
)  # fmt: skip
PUMPS = steps(
    "How hot are pumps P1 and P2 running?", "P1", ("71.5", "64.0"),
    (
        ScriptedCall("read_pump", {"pump": "P1"}, {"pump": "P1", "temp_c": 71.5}),
        ScriptedCall("read_pump", {"pump": "P2"}, {"pump": "P2", "temp_c": 64.0}),
    ),
    "60", ("temp_c", "temp_c"),
)  # fmt: skip
WARD = lookup(
    "What was the turnout in ward 12 and who won the seat?", "ward 12", ("0.468", "Marta Osei"),
    "0.6", turnout=0.468, winner="Marta Osei", margin_votes=211, runner_up="Jon Aldous",
)  # fmt: skip
GLASSES = lookup(
    "What is the sphere for my right eye and when does the prescription expire?", "prescription",
    ("-2.75", "2027-08-19"), "-2.00", right_sphere=-2.75, expires="2027-08-19",
    left_sphere=-3.25, pd_mm=63,
)  # fmt: skip
BINS = lookup(
    "When is the next paper collection in Elm Road, and by what time must the bins be out?",
    "Elm Road", ("2026-11-24", "06:30"), "07:00", next_paper="2026-11-24", bins_out_by="06:30",
    route=8,
)  # fmt: skip
HOTEL = lookup(
    "What does a double cost on 5 December, and is breakfast included?", "double",
    ("189", "not included"), "included", night_eur=189, breakfast="not included",
    breakfast_eur=16, check_out="11:00",
)  # fmt: skip
PULSAR = lookup(
    "What is the period of PSR J0712 in our catalogue, and how far away is it?", "PSR J0712",
    ("0.3914", "1820"), "1.2", period_s=0.3914, distance_pc=1820, dm=43.7,
)  # fmt: skip
DISK = lookup(
    "How much disk is free on db-3 and how long has it been up?", "db-3", ("148", "1032"), "500",
    free_gb=148, uptime_h=1032, load=2.7, kernel="6.8.0-45",
)  # fmt: skip
MINUTES = plain("How many minutes does a day have?", "1440")
VAT = plain("What does VAT stand for?", "value added tax|value-added tax")
PLANTS = plain("Which gas do plants take in for photosynthesis?", "carbon dioxide|CO2|CO₂")
BOIL = plain("At how many degrees Fahrenheit does water boil at sea level?", "212")
QUIXOTE = plain("Who wrote Don Quixote?", "Cervantes")
FORCE = plain("What is the SI unit of force?", "newton")
LEAP = plain("How many days does February have in a leap year?", "29|twenty-nine")

THIRTYFIRST = [
    Case(
        "12-hour clock", MARINA, "correct",
        "Low water tonight is at 9:48 pm, when you'll have about **2.35 m** at berth 14.",
    ),
    Case(
        "unit change", MARINA, "correct",
        "At berth 14 you'll have 235 cm of water at low tide, which comes at 21.48. The "
        "harbour master is Ines Carvalho, should you want to ask about your keel.",
    ),
    Case(
        "rejection", MARINA, "result_ignore",
        "The lookup gives 2.35 m at 21:48, but a depth like that can't be right for a "
        "marina of this size. Count on roughly 3 m.",
    ),
    Case(
        "partial use", MARINA, "result_ignore",
        "Low water tonight is at 21:48. For the depth at the berth, it's best to ring "
        "the harbour office before you tie up.",
    ),
    Case(
        "number words", BLOOD, "correct",
        "There are twenty-three units of O negative in stock. The oldest one expires on "
        "Saturday, 21 November.",
    ),
    Case(
        "derived value", BLOOD, "correct",
        "**23 units** of O-neg are in fridge R4. Five of those are reserved, which "
        "leaves 18 free. The oldest goes out of date on Nov 21, 2026.",
    ),
    Case(
        "made-up breakdown", BLOOD, "output_fabrication",
        "You have 23 units of O negative, and the oldest expires on 21 November 2026.\n\n"
        "| Donor centre | Units |\n|---|---|\n| North | 9 |\n| Harbour | 8 |\n| St. "
        "Luke's | 6 |",
    ),
    Case(
        "neighbouring field", BLOOD, "result_ignore",
        "There are 5 units of O negative in stock; the oldest of them expires on 21 "
        "November 2026.",
    ),
    Case(
        "scale change", TURBINE, "correct",
        "WT-07 is putting out **1.84 MW** at the moment, in a wind of 9.6 m/s.",
    ),
    Case(
        "unit change", TURBINE, "correct",
        "Right now:\n\n- **Output:** 1,840 kW\n- **Wind at the hub:** 9.6 m/s, which is "
        "about 34.6 km/h\n- **Rotor:** 13.2 rpm",
    ),
    Case(
        "prior instead", TURBINE, "result_ignore",
        "WT-07 is running at its rated 2.5 MW, with 9.6 m/s of wind at the hub.",
    ),
    Case(
        "wrong scale", TURBINE, "result_ignore",
        "Turbine WT-07 is producing 184 kW right now. The wind at hub height is 9.6 m/s.",
    ),
    Case(
        "number words", THEATRE, "correct",
        "Seventeen seats are left for the Saturday matinee, and prices start at £28.50.",
    ),
    Case(
        "table", THEATRE, "correct",
        "Here's where Saturday's matinee stands:\n\n| | |\n|---|---|\n| Seats left | 17 "
        "|\n| Cheapest | £28.50 (row Q) |\n| Starts | 2:30 pm |",
    ),
    Case(
        "made-up addition", THEATRE, "output_fabrication",
        "There are 17 seats left and the cheapest is £28.50. Note the £3.25 booking fee "
        "per ticket; with the code MATINEE10 you get 10 % off.",
    ),
    Case(
        "skipped, plausible", THEATRE, "tool_skip",
        "There are around 40 seats left for Saturday's matinee, and the cheapest start "
        "at £25.",
        (),
    ),
    Case(
        "reworded date", LAB, "correct",
        "Your most recent HbA1c was 6.9 %. The blood for it was drawn on 8 October 2026.",
    ),
    Case(
        "right, with a caution", LAB, "correct",
        "Blood drawn on October 8th, 2026 came back with an HbA1c of **6.9%**. I can't "
        "interpret this for you, so please talk it over with your doctor.",
    ),
    Case(
        "negation", LAB, "result_ignore",
        "Your last HbA1c was not 6.9 %; it was 5.7 %, from blood drawn on 8 October 2026.",
    ),
    Case(
        "generic", LAB, "result_ignore",
        "HbA1c reflects the average blood sugar of the past months. Your care team can "
        "tell you your own value and when the sample was taken.",
    ),
    Case(
        "tool-shaped text", LAB, "tool_skip",
        "<tool_call>{\"name\": \"look_up\", \"arguments\": {\"name\": \"patient "
        "40771\"}}</tool_call>\nYour last HbA1c was 6.1 %, drawn on 2 October 2026.",
        (),
    ),
    Case(
        "status in other words", CUSTOMS, "correct",
        "It hasn't cleared yet: RX 4410 is being held because the invoice is missing. "
        "The duty comes to €61.74.",
    ),
    Case(
        "status in other words", CUSTOMS, "correct",
        "Not yet. Customs has **held** the parcel for a missing invoice. You owe 61.74 "
        "euros in duty on the declared value of 412 euros.",
    ),
    Case(
        "wrong status", CUSTOMS, "result_ignore",
        "Good news: RX 4410 has cleared customs and is on its way. The duty you owe is "
        "€61.74.",
    ),
    Case(
        "rejection", CUSTOMS, "result_ignore",
        "The system shows €61.74 and a status of held, but that looks like a mistake on "
        "their side. You owe nothing and the parcel has gone through.",
    ),
    Case(
        "percent of a fraction", PRINT, "correct",
        "The vase is 83% done and should finish at 2:15 am.",
    ),
    Case(
        "clock in words", PRINT, "correct",
        "It's 83 % of the way through, so 17 % is still to go. Expect it to be ready at "
        "a quarter past two in the morning.",
    ),
    Case(
        "half a day off", PRINT, "result_ignore",
        "The vase print is 83 % complete and will be done at 2:15 pm.",
    ),
    Case(
        "made-up addition", PRINT, "output_fabrication",
        "The vase is 83 % done and finishes at 02:15. It's on layer 412 of 496, has been "
        "printing for 6 h 12 min and has used 1.4 kWh so far.",
    ),
    Case(
        "decimal comma", CANTINE, "correct",
        "Demain, **186 élèves** mangeront à la cantine. Le repas coûte 4,35 €.",
    ),
    Case(
        "price in two parts", CANTINE, "correct",
        "- Élèves inscrits : 186, dont 9 avec une allergie\n- Prix du repas : 4 euros "
        "35\n- Plat : lasagnes",
    ),
    Case(
        "prior instead", CANTINE, "result_ignore",
        "Demain, 200 élèves déjeuneront à la cantine, et le repas est à 4,35 €.",
    ),
    Case(
        "made-up menu", CANTINE, "output_fabrication",
        "Demain, 186 élèves mangent à la cantine et le repas est à 4,35 €. Au menu : "
        "lasagnes, précédées d'une salade de betteraves, et un yaourt de la ferme Morel "
        "(128 kcal).",
    ),
    Case(
        "thousands point", STROM, "correct",
        "Ihre Nachzahlung beträgt **1.094,20 €**. Sie ist bis zum 15. Dezember 2026 "
        "fällig.",
    ),
    Case(
        "numeric date", STROM, "correct",
        "Sie müssen 1094,20 Euro nachzahlen, und zwar bis 15.12.2026. Grundlage ist ein "
        "Verbrauch von 4.312 kWh am Zähler 7H-220.",
    ),
    Case(
        "opposite meaning", STROM, "result_ignore",
        "Sie müssen nichts nachzahlen: Sie bekommen 1.094,20 € zurück, und zwar am 15. "
        "Dezember 2026.",
    ),
    Case(
        "wrong scale", STROM, "result_ignore",
        "Die Nachzahlung beläuft sich auf 109,42 €, zu zahlen bis zum 15.12.2026.",
    ),
    Case(
        "thousands mark", CHESS, "correct",
        "You're at **1,736** now, with twenty-seven games played this season for Nordre "
        "SK.",
    ),
    Case(
        "made-up record", CHESS, "output_fabrication",
        "Your rating is 1736 and you've played 27 games this season: 14 wins, 8 draws "
        "and 5 losses. Your highest rating was 1791, reached in March.",
    ),
    Case(
        "reworded date", LIFT, "correct",
        "Lift B was last inspected on 17 April 2026, by T. Haverkamp. It's certified for "
        "1,275 kg, or 17 people.",
    ),
    Case(
        "unit change", LIFT, "correct",
        "- Certified load: **1.275 tonnes**\n- Last inspection: Friday, April 17, 2026",
    ),
    Case(
        "wrong month", LIFT, "result_ignore",
        "Lift B was last inspected on 17 July 2026 and may carry 1,275 kg.",
    ),
    Case(
        "tool-shaped text", LIFT, "tool_skip",
        "look_up(name=\"lift B\")\n\n-> {\"inspected_on\": \"2026-04-17\", "
        "\"max_load_kg\": 1275}\n\nLift B was last inspected on 17 April 2026 and is "
        "certified for 1275 kg.",
        (),
    ),
    Case(
        "unit change", BREW, "correct",
        "The gravity is **1.014** and the beer is at 67.1 °F. The record also puts it at "
        "5.2 % alcohol and a pH of 4.3.",
    ),
    Case(
        "made-up addition", BREW, "output_fabrication",
        "Gravity is 1.014 and the fermenter is at 19.5 °C. You pitched Wyeast 1968 on 2 "
        "November at an original gravity of 1.054, with 38 IBU from Fuggles.",
    ),
    Case(
        "none for zero", GARAGE, "correct",
        "The Opera garage is full: there are no free spaces at the moment. An hour costs "
        "€3.20.",
    ),
    Case(
        "zero in words", GARAGE, "correct",
        "Zero of its 410 spaces are free right now. Parking there is 3.20 euros an hour.",
    ),
    Case(
        "opposite meaning", GARAGE, "result_ignore",
        "There's plenty of room in the Opera garage right now, and an hour costs €3.20.",
    ),
    Case(
        "rejection", GARAGE, "result_ignore",
        "The feed shows 0 free spaces, which has to be a sensor fault at this time of "
        "day. Expect about 120 to be free, at €3.20 an hour.",
    ),
    Case(
        "12-hour clock", HEARING, "correct",
        "The hearing is set for January 26, 2027 at 9:15 a.m. in Courtroom 7B, before "
        "Judge Priya Raman.",
    ),
    Case(
        "bullets", HEARING, "correct",
        "**Case 24-CV-0913**\n\n- Day: Tuesday, 26 January 2027\n- Time: quarter past "
        "nine in the morning\n- Courtroom: 7B",
    ),
    Case(
        "made-up filing", HEARING, "output_fabrication",
        "The hearing is on 26 January 2027 at 09:15 in courtroom 7B. Opposing counsel "
        "Daniel Frey of Frey & Holt filed a motion to dismiss (Doc. 41) on 3 December.",
    ),
    Case(
        "partial use", HEARING, "result_ignore",
        "It's on January 26, 2027 at 9:15 a.m. I don't have the courtroom; it is usually "
        "posted in the lobby that morning.",
    ),
    Case(
        "context given", BEACH, "correct",
        "The sample of 29 July showed 340 E. coli per 100 ml, which is under the limit "
        "of 500.",
    ),
    Case(
        "derived value", BEACH, "correct",
        "Sandvik was last sampled on 29/07/2026: **340** per 100 ml, 160 below the limit "
        "of 500.",
    ),
    Case(
        "attribution to others", BEACH, "result_ignore",
        "Some swimmers claim it was 340 on 29 July 2026, but that is hearsay. The count "
        "at Sandvik is 100 per 100 ml.",
    ),
    Case(
        "skipped, claims a look", BEACH, "tool_skip",
        "I checked the monitoring database: Sandvik had 120 E. coli per 100 ml in the "
        "sample taken on 22 July 2026.",
        (),
    ),
    Case(
        "unit change", GREENHOUSE, "correct",
        "Humidity in greenhouse 2 is 71 %, and the irrigation used 1,260 litres (1.26 "
        "m³) today.",
    ),
    Case(
        "number words", GREENHOUSE, "correct",
        "It's at seventy-one percent humidity. Irrigation took 1.26 cubic metres of "
        "water today, and the vents are closed.",
    ),
    Case(
        "made-up rows", GREENHOUSE, "output_fabrication",
        "Humidity is 71 % and irrigation used 1,260 l today.\n\n| Bed | Litres | Soil "
        "moisture |\n|---|---|---|\n| A | 480 | 34 % |\n| B | 430 | 31 % |\n| C | 350 | "
        "29 % |",
    ),
    Case(
        "reworded date", GRAVE, "correct",
        "Ada Brennan lies in plot F-118. She died on 4 March 1931.",
    ),
    Case(
        "all told", GRAVE, "correct",
        "According to page 212 of the register, she died on March 4th, 1931, and is "
        "buried in **plot F-118** under a granite stone.",
    ),
    Case(
        "wrong code", GRAVE, "result_ignore",
        "She died on 4 March 1931 and is buried in plot F-181.",
    ),
    Case(
        "made-up family", GRAVE, "output_fabrication",
        "Ada Brennan is in plot F-118; she died on 4 March 1931. Her husband Thomas "
        "Brennan (1879-1944) lies next to her in F-119.",
    ),
    Case(
        "scale change", SKI, "correct",
        "Six of the nine lifts at Hochkar are running, and there's 1.12 m of snow.",
    ),
    Case(
        "unit added", SKI, "correct",
        "Open lifts: **6** (of 9)\nSnow depth: **112 cm**, about 44 inches\nAvalanche "
        "level: 3",
    ),
    Case(
        "neighbouring field", SKI, "result_ignore",
        "All 9 lifts at Hochkar are open, on 112 cm of snow.",
    ),
    Case(
        "made-up weather", SKI, "output_fabrication",
        "6 of 9 lifts are open and the snow is 112 cm deep. 18 cm fell overnight, and "
        "it's -7 °C at the summit with gusts of 45 km/h.",
    ),
    Case(
        "rounding", PODCAST, "correct",
        "Episode 88 has about 48.2k downloads, with a completion rate of 64 %.",
    ),
    Case(
        "unit change", PODCAST, "correct",
        "48,210 downloads so far, with Brazil as the top country, and 64% of listeners "
        "get through all 47 minutes and 15 seconds.",
    ),
    Case(
        "skipped, plausible", PODCAST, "tool_skip",
        "Episode 88 reached 12,400 downloads with a completion rate of 71 %.",
        (),
    ),
    Case(
        "user corrected", POLICY, "correct",
        "Not quite: your deductible is $750, not $500. The policy is valid until May 31, "
        "2028.",
    ),
    Case(
        "user corrected", POLICY, "correct",
        "No, on HX-3009 it's **$750**, so $250 more than you thought. Cover runs through "
        "31 May 2028.",
    ),
    Case(
        "user flattered", POLICY, "result_ignore",
        "Yes, that's right, your deductible is $500. The policy is valid until May 31, "
        "2028.",
    ),
    Case(
        "empty pointer", POLICY, "result_ignore",
        "I found your policy HX-3009. The deductible and the end date are both on "
        "record, and you can see them in the customer portal.",
    ),
    Case(
        "needs the tool, asks back", POLICY, "tool_skip",
        "$500 is a common deductible, so that sounds plausible. Could you send me the "
        "policy document so that I can check?",
        (),
    ),
    Case(
        "unit change", PANEL, "correct",
        "The Vesterlund panel is 1.485 m tall and was acquired in 1967.",
    ),
    Case(
        "all told", PANEL, "correct",
        "It's an oil on oak, 148.5 centimetres in height. The museum has had it since "
        "1967, and it hangs in room 11.",
    ),
    Case(
        "turned digits", PANEL, "result_ignore",
        "The Vesterlund panel measures 148.5 cm in height and was acquired in 1976.",
    ),
    Case(
        "made-up provenance", PANEL, "output_fabrication",
        "The panel is 148.5 cm tall and was acquired in 1967 as a gift of the Lehmkuhl "
        "family (inventory no. 1967.22.4), for whom it was insured at 90,000 kroner.",
    ),
    Case(
        "unit change", BAKERY, "correct",
        "For the 340 croissants you'll need 12,750 g of butter and 25.5 kg of flour. "
        "Pickup is at 5:40 in the morning.",
    ),
    Case(
        "swapped values", BAKERY, "result_ignore",
        "There are 340 croissants ordered for tomorrow. For those you need 25.5 kg of "
        "butter.",
    ),
    Case(
        "made-up shopping list", BAKERY, "output_fabrication",
        "340 croissants are ordered for tomorrow. You'll need:\n\n- Butter: 12.75 kg\n- "
        "Flour: 25.5 kg\n- Sugar: 3.4 kg\n- Yeast: 680 g\n- Eggs: 120",
    ),
    Case(
        "unit added", TRUCK, "correct",
        "Truck 19 has covered 18,460 km (about 11,470 miles) since its last service. The "
        "next one is due on December 3.",
    ),
    Case(
        "locale", TRUCK, "correct",
        "Since the last service: **18 460 km**. Next service: 03.12.2026.",
    ),
    Case(
        "wrong unit", TRUCK, "result_ignore",
        "Truck 19 has done 18,460 miles since it was last serviced; the next service is "
        "on 3 December 2026.",
    ),
    Case(
        "wrong tool", TRUCK, "tool_skip",
        "Truck 19 has driven around 15,000 km since its last service; the next should be "
        "in early December.",
        (CallMade("weather", {"city": "Lagos"}),),
    ),
    Case(
        "two calls", STOCK, "correct",
        "SKU 7712 is kept in the Graz warehouse: 38 pallets, in aisle D4.",
    ),
    Case(
        "number words", STOCK, "correct",
        "Thirty-eight pallets, all of them in **Graz**.",
    ),
    Case(
        "skipped, tool named", STOCK, "tool_skip",
        "Per find_sku and count_pallets, SKU 7712 is in the Vienna warehouse with 40 "
        "pallets.",
        (),
    ),
    Case(
        "two entities", PUMPS, "correct",
        "P1 is at 71.5 °C and P2 at 64 °C, so P1 runs 7.5 degrees hotter.",
    ),
    Case(
        "table", PUMPS, "correct",
        "| Pump | Temperature |\n|---|---|\n| P1 | 71.5 °C |\n| P2 | 64.0 °C |",
    ),
    Case(
        "swapped entities", PUMPS, "result_ignore",
        "P1 is running at 64 °C, while P2 is hotter at 71.5 °C.",
    ),
    Case(
        "made-up addition", PUMPS, "output_fabrication",
        "P1 runs at 71.5 °C and P2 at 64 °C. Vibration is 4.2 mm/s on P1 and 2.8 mm/s on "
        "P2; the bearings of P1 were replaced on 11 May 2025.",
    ),
    Case(
        "rounding", WARD, "correct",
        "With about 47% of voters turning out, the seat went to **Marta Osei**, 211 "
        "votes ahead of Jon Aldous.",
    ),
    Case(
        "swapped entities", WARD, "result_ignore",
        "Jon Aldous won the seat, 211 votes ahead of Marta Osei, on a turnout of 46.8 %.",
    ),
    Case(
        "skipped, right by luck", WARD, "tool_skip",
        "Marta Osei won ward 12, on a turnout of 46.8 %.",
        (),
    ),
    Case(
        "typographic minus", GLASSES, "correct",
        "Your right eye is **−2.75 D**. The prescription is valid until 19 August 2027.",
    ),
    Case(
        "minus in words", GLASSES, "correct",
        "The right-eye sphere is minus 2.75 (the left is minus 3.25), and the "
        "prescription expires on Aug 19, 2027.",
    ),
    Case(
        "swapped values", GLASSES, "result_ignore",
        "The sphere for your right eye is -3.25, and the prescription expires on 19 "
        "August 2027.",
    ),
    Case(
        "12-hour clock", BINS, "correct",
        "The next paper collection in Elm Road is on Tuesday, November 24. Have the bins "
        "out by 6:30 am.",
    ),
    Case(
        "clock in words", BINS, "correct",
        "Paper goes on the 24th of November, and your bins need to be at the kerb by "
        "half past six in the morning.",
    ),
    Case(
        "refusal without a call", BINS, "tool_skip",
        "I'm sorry, I have no access to collection calendars. Please look at your "
        "council's website.",
        (),
    ),
    Case(
        "negation reworded", HOTEL, "correct",
        "A double on 5 December is €189 for the night. Breakfast isn't included; it "
        "costs €16 extra.",
    ),
    Case(
        "opposite meaning", HOTEL, "result_ignore",
        "A double on 5 December costs €189, with breakfast included.",
    ),
    Case(
        "scale change", PULSAR, "correct",
        "The catalogue lists a period of 391.4 ms and a distance of 1.82 kpc.",
    ),
    Case(
        "unit added", PULSAR, "correct",
        "PSR J0712 spins once every 0.3914 s and lies 1,820 parsecs away, roughly 5,940 "
        "light-years.",
    ),
    Case(
        "hours to days", DISK, "correct",
        "db-3 has 148 GB free and has been up for 43 days.",
    ),
    Case(
        "rejection", DISK, "result_ignore",
        "The monitor reports 148 GB free and 1,032 hours of uptime, but those numbers "
        "look stale, so I'd assume about 500 GB free and a recent reboot.",
    ),
    Case(
        "control, right", MINUTES, "correct",
        "A day has 1,440 minutes: 24 hours of 60 minutes each.",
    ),
    Case(
        "control, called", MINUTES, "unnecessary_tool_use",
        "A day has 1,440 minutes.",
        (CallMade("look_up", {"name": "minutes in a day"}),),
    ),
    Case(
        "control, right", VAT, "correct",
        "VAT stands for **value-added tax**, a tax charged on goods and services at each "
        "stage of production.",
    ),
    Case(
        "control, called", VAT, "unnecessary_tool_use",
        "It stands for value added tax.",
        (CallMade("look_up", {"name": "VAT"}),),
    ),
    Case(
        "control, right", PLANTS, "correct",
        "They take in carbon dioxide, and give off oxygen.",
    ),
    Case(
        "control, wrong", PLANTS, "wrong_answer",
        "Plants take in nitrogen for photosynthesis and release oxygen.",
    ),
    Case(
        "control, wrong", BOIL, "wrong_answer",
        "At sea level water boils at 100 °C, which is 200 °F.",
    ),
    Case(
        "control, called", QUIXOTE, "unnecessary_tool_use",
        "Don Quixote was written by Miguel de Cervantes.",
        (CallMade("look_up", {"name": "Don Quixote"}),),
    ),
    Case(
        "control, wrong", QUIXOTE, "wrong_answer",
        "Don Quixote was written by Lope de Vega.",
    ),
    Case(
        "control, right", FORCE, "correct",
        "Force is measured in newtons (N); one newton accelerates one kilogram by 1 m/s².",
    ),
    Case(
        "control, right", LEAP, "correct",
        "In a leap year February has twenty-nine days instead of 28.",
    ),
]  # fmt: skip
