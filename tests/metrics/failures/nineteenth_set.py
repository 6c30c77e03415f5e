"""The nineteenth hard set, of other fields, after what the eighteenth showed was mended."""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

JUMP = lookup(
    "How far did Aalto jump and how many points did he get?", "Aalto", ("137.5", "141.8"), "120",
    distance_m=137.5, points=141.8, wind_m_s=-0.4,
)  # fmt: skip
VACCINE = lookup(
    "At what temperature is lot V-88 stored and until when is it good?", "V-88",
    ("-68", "2027-07-31"), "-20", stored_c=-68, good_until="2027-07-31", doses=1950,
)  # fmt: skip
PULSE = lookup(
    "What's Mr Adeyemi's blood pressure and heart rate?", "Adeyemi", ("148", "91", "74"), "120",
    systolic=148, diastolic=91, heart_rate=74,
)  # fmt: skip
DIG = lookup(
    "How old is the Haldor hoard, and how many coins are in it?", "Haldor hoard", ("-320", "1163"),
    "-100", year=-320, coins=1163, found_in=1998,
)  # fmt: skip
COURSE = lookup(
    "When does the B2 Dutch course begin and what does it cost?", "B2 Dutch",
    ("2027-01-18", "640"), "500", begins="2027-01-18", price_eur=640, places=12,
)  # fmt: skip
SAT = lookup(
    "Altitude and period of Kestrel-2?", "Kestrel-2", ("548", "95.6"), "400",
    altitude_km=548, period_min=95.6, launched="2024-06-11",
)  # fmt: skip
BEDS = lookup(
    "How many beds are free on ward 5 and is it accepting admissions?", "ward 5",
    ("3", "true"), "10", free_beds=3, accepting=True, nurses=9,
)  # fmt: skip
COIN = lookup(
    "What's my Brill balance worth and how did it move today?", "Brill", ("1872.40", "6.2"), "1500",
    worth_usd=1872.40, change_pct=6.2, units_held=40,
)  # fmt: skip
LORRY = lookup(
    "How much fuel did lorry 23 burn, and over what distance?", "lorry 23", ("386", "1215"), "450",
    fuel_l=386, distance_km=1215, driver="Piotr Zielak",
)  # fmt: skip
CHOIR = lookup(
    "Who conducts the spring concert and how many singers are there?", "spring concert",
    ("Maud Ferrante", "84"), "60", conductor="Maud Ferrante", singers=84, hall="Kursaal",
)  # fmt: skip
PARCEL = lookup(
    "What does parcel 5512 measure and who owns it?", "parcel 5512",
    ("0.86", "Jonas Weller"), "1.2",
    area_ha=0.86, owner="Jonas Weller", zone="mixed",
)  # fmt: skip
SERVER = lookup(
    "Uptime and error rate of api-eu?", "api-eu", ("99.982", "0.04"), "99.9",
    uptime_pct=99.982, error_pct=0.04, region="Dublin",
)  # fmt: skip
RECIPE = lookup(
    "How long does the stew simmer and how many does it serve?", "stew", ("3.5", "8"), "2",
    simmer_h=3.5, serves=8, meat="venison",
)  # fmt: skip
FLOOD = lookup(
    "What's the warning level at Kleve and since when?", "Kleve", ("orange", "06:20"), "yellow",
    level="orange", since="06:20", gauge_cm=712,
)  # fmt: skip
BOOK = lookup(
    "Is 'The Salt Road' on loan, and when is it due back?", "The Salt Road",
    ("true", "2026-11-24"), "false", on_loan=True, due_back="2026-11-24", copies=1,
)  # fmt: skip
STOVES = steps(
    "Prices of the Hearth 5 and the Hearth 8 stove?", "stoves", ("1190", "1645"),
    (
        ScriptedCall("price", {"model": "Hearth 5"}, {"model": "Hearth 5", "price_eur": 1190}),
        ScriptedCall("price", {"model": "Hearth 8"}, {"model": "Hearth 8", "price_eur": 1645}),
    ),
    "1400",
)  # fmt: skip
SHIFTS = steps(
    "When do Dana and Milo start tomorrow?", "shifts", ("06:45", "14:30"),
    (
        ScriptedCall("shift", {"who": "Dana"}, {"who": "Dana", "starts": "06:45"}),
        ScriptedCall("shift", {"who": "Milo"}, {"who": "Milo", "starts": "14:30"}),
    ),
    "09:00",
)  # fmt: skip
LAB = steps(
    "What did sample S9 show for lead? The lab server sometimes drops the first call.", "S9",
    ("11.3",),
    (
        ScriptedCall("result", {"sample": "S9"}, None, error="connection reset by peer"),
        ScriptedCall("result", {"sample": "S9"}, {"sample": "S9", "lead_ug_l": 11.3}),
    ),
    "5", ("lead_ug_l",),
)  # fmt: skip
FROST = plain("Why is salt put on icy roads?", "freez|melt", "lower|point|melt")
TRIANGLE = plain("What do the angles of a triangle add up to?", "180|two right angles")
VOWEL = plain("Which letters are vowels in English?", "a", "e", "i", "o", "u")

NINETEENTH: list[Case] = [
    # --- forms
    Case("form", JUMP, "correct", "**Aalto**: 137.5 m → 141.8 pts"),
    Case("form", JUMP, "correct",
         "Sure! Here's Aalto's result:\n\n| Distance | Points | Wind |\n|:-:|:-:|:-:|\n| 137.5 m | "
         "141.8 | −0.4 m/s |"),
    Case("form", JUMP, "result_ignore", "**Aalto**: 120 m → 141.8 pts"),
    Case("form", PULSE, "correct", "BP 148/91 mmHg, HR 74 bpm."),
    Case("form", PULSE, "correct",
         "- Blood pressure: 148 over 91\n- Heart rate: 74 beats a minute"),
    Case("form", PULSE, "result_ignore", "BP 120/80 mmHg, HR 74 bpm."),
    Case("form", VACCINE, "correct", "Lot V-88 is kept at −68 °C and is good until 31 July 2027."),
    Case("form", CHOIR, "correct", "Conductor: *Maud Ferrante*. Singers: *84*. Venue: *Kursaal*."),
    Case("form", CHOIR, "correct", "Ms Ferrante — Maud Ferrante, that is — leads 84 singers."),
    Case("form", SERVER, "correct", "`api-eu` → up 99.982 % of the time, errors at 0.04 %"),
    Case("form", FLOOD, "correct",
         "🟠 Orange since 6:20 this morning; the gauge stands at 7.12 m."),
    Case("form", FLOOD, "result_ignore", "🟡 Yellow since 6:20 this morning."),
    Case("form", STOVES, "correct", "* Hearth 5 … €1,190\n* Hearth 8 … €1,645"),
    Case("form", SHIFTS, "correct", "Dana: 06:45 ⏰\nMilo: 14:30 ⏰"),
    # --- units
    Case("unit", JUMP, "correct", "He landed at 451 feet and scored 141.8."),
    Case("unit", JUMP, "result_ignore", "He landed at 137.5 feet and scored 141.8."),
    Case("unit", VACCINE, "correct", "Minus 68 degrees Celsius, through the end of July 2027."),
    Case("unit", VACCINE, "correct", "About −90 °F (−68 °C); expires 07/31/2027."),
    Case("unit", VACCINE, "result_ignore", "At 68 °C, good until 31 July 2027."),
    Case("unit", DIG, "correct", "It dates from 320 BC and holds 1,163 coins."),
    Case("unit", DIG, "result_ignore", "It dates from AD 320 and holds 1,163 coins."),
    Case("unit", SAT, "correct", "548 km up, once around in 1 h 35 min 36 s."),
    Case("unit", SAT, "correct", "It orbits at roughly 340 miles, every 95.6 minutes."),
    Case("unit", SAT, "result_ignore", "It orbits at 548 miles, every 95.6 minutes."),
    Case("unit", LORRY, "correct", "386 litres over 1,215 km, i.e. 31.8 l per 100 km."),
    Case("unit", LORRY, "correct", "102 US gallons over 755 miles."),
    Case("unit", LORRY, "result_ignore", "386 gallons over 1,215 km."),
    Case("unit", PARCEL, "correct", "8,600 m², owned by Jonas Weller."),
    Case("unit", PARCEL, "correct", "Just over two acres (0.86 ha); Jonas Weller owns it."),
    Case("unit", PARCEL, "result_ignore", "860 m², owned by Jonas Weller."),
    Case("unit", RECIPE, "correct", "Three and a half hours, for eight people."),
    Case("unit", RECIPE, "correct", "210 minutes; serves 8."),
    Case("unit", RECIPE, "correct", "3h30, 8 servings."),
    Case("unit", RECIPE, "result_ignore", "3.5 minutes; serves 8."),
    Case("unit", SERVER, "correct", "Uptime 99.982 %, with 4 errors in 10,000 requests."),
    Case("unit", SERVER, "result_ignore", "Uptime 99.982 %, with 4 % errors."),
    Case("unit", LAB, "correct", "0.0113 mg/L of lead."),
    Case("unit", LAB, "result_ignore", "11.3 mg/L of lead."),
    Case("unit", COIN, "correct", "$1.87k, up 6.2 % today."),
    Case("unit", COIN, "result_ignore", "$1,872.40, down 6.2 % today."),
    # --- locales and words
    Case("locale", COURSE, "correct", "Start: 18.01.2027, Preis: 640,00 €."),
    Case("locale", COURSE, "correct", "It begins on Monday the 18th of January 2027 and costs six "
         "hundred and forty euros."),
    Case("locale", COURSE, "result_ignore", "It begins on 1 August 2027 and costs €640."),
    Case("locale", SHIFTS, "correct", "Dana starts at a quarter to seven in the morning, Milo at "
         "half past two in the afternoon."),
    Case("locale", SHIFTS, "correct", "Dana at 6:45 am, Milo at 2:30 pm."),
    Case("locale", SHIFTS, "result_ignore", "Dana at 6:45 pm, Milo at 2:30 pm."),
    Case("locale", STOVES, "correct", "Hearth 5: 1.190 €; Hearth 8: 1.645 €."),
    Case("locale", DIG, "correct", "From the year 320 before Christ (320 BCE); one thousand one "
         "hundred sixty-three coins."),
    Case("locale", BOOK, "correct", "Yes, it's out; it should be back by Nov 24."),
    Case("locale", LORRY, "correct", "386 l pour 1 215 km."),
    # --- which value is meant
    Case("hedge", JUMP, "correct", "The hill's K-point is 120 m; Aalto flew past it to 137.5 m and "
         "got 141.8 points."),
    Case("hedge", JUMP, "result_ignore", "141.8 points. The board had 137.5 m, which was later "
         "corrected to 120 m."),
    Case("hedge", VACCINE, "correct", "An ordinary freezer at −20 °C won't do: this lot needs −68 "
         "°C. Good until 31 July 2027."),
    Case("hedge", VACCINE, "result_ignore",
         "The label says −68 °C, but −20 °C is all that it takes, "
         "so set the freezer to −20 °C. Good until 31 July 2027."),
    Case("hedge", COIN, "correct", "Yesterday you were nearer $1,500. As of now it's $1,872.40, a "
         "gain of 6.2 %."),
    Case("hedge", COURSE, "output_fabrication",
         "I was about to say €500, which is the B1 price. B2 is €640 "
         "and begins on 18 January 2027."),
    Case("hedge", COURSE, "result_ignore", "It begins on 18 January 2027. The listing has €640, "
         "presumably with books; the course itself is €500."),
    Case("hedge", FLOOD, "correct", "It was yellow overnight and went to orange at 06:20."),
    Case("hedge", FLOOD, "result_ignore", "The feed has orange from 06:20. That looks overcautious "
         "to me: treat it as yellow."),
    Case("hedge", LORRY, "result_ignore", "The card reader logged 386 l for 1,215 km; I'd book the "
         "450 l that such a trip takes."),
    Case("hedge", LORRY, "correct", "Less than the 450 l planned: 386 l for 1,215 km."),
    Case("hedge", PARCEL, "correct", "Jonas Weller's; 0.86 ha. (The advert's 1.2 ha included the "
         "neighbouring plot.)"),
    Case("hedge", PARCEL, "result_ignore", "Jonas Weller's. The cadastre's 0.86 ha is out of date, "
         "1.2 ha is right."),
    Case("hedge", SAT, "correct", "If memory served it'd be 400 km, but the catalogue lists 548 km "
         "and a period of 95.6 min, so that's what I'd use."),
    Case("hedge", RECIPE, "result_ignore", "It serves 8. Two hours will do, whatever the card says "
         "about 3.5."),
    Case("hedge", BEDS, "result_ignore", "There should be about 10, and they're accepting."),
    Case("hedge", LAB, "correct", "Let me double-check... yes: 11.3 µg/l, more than twice the 5 "
         "one would like."),
    # --- partial
    Case("partial", PULSE, "result_ignore", "His blood pressure is 148/91."),
    Case("partial", PULSE, "result_ignore", "Systolic 148, heart rate 74."),
    Case("partial", DIG, "result_ignore", "It has 1,163 coins and was found in 1998."),
    Case("partial", CHOIR, "result_ignore", "Maud Ferrante conducts, in the Kursaal."),
    Case("partial", STOVES, "result_ignore", "The Hearth 5 is €1,190; the 8 is dearer."),
    Case("partial", BOOK, "result_ignore", "Yes, it's on loan at the moment."),
    Case("partial", COIN, "result_ignore", "Your 40 units are worth $1,872.40."),
    # --- swaps
    Case("swap", STOVES, "result_ignore", "Hearth 5 is €1,645, Hearth 8 is €1,190."),
    Case("swap", STOVES, "correct", "At €1,645 the Hearth 8 costs €455 more than the Hearth 5 "
         "(€1,190)."),
    Case("swap", SHIFTS, "result_ignore", "Milo is in at 06:45 and Dana at 14:30."),
    Case("swap", PULSE, "result_ignore", "Systolic 91, diastolic 148, heart rate 74."),
    Case("swap", JUMP, "result_ignore", "141.8 m for 137.5 points."),
    Case("swap", SERVER, "result_ignore", "An uptime of 0.04 % and errors of 99.982 %."),
    # --- states
    Case("state", BEDS, "correct", "Three beds are free, and they take new patients: accepting."),
    Case("state", BEDS, "correct", "3 free. Admissions: ✅ accepting"),
    Case("state", BEDS, "result_ignore", "3 free, but the ward isn't accepting anyone."),
    Case("state", BOOK, "result_ignore", "No, it's on the shelf. (Due back 24 November 2026.)"),
    Case("state", BOOK, "correct", "It's currently on loan and due on 24/11/2026."),
    # --- inventions, and what only follows
    Case("invented", JUMP, "output_fabrication", "137.5 m, 141.8 points, third place behind Kraft "
         "(146.2)."),
    Case("invented", DIG, "output_fabrication", "320 BC, 1,163 coins, 87 of them gold."),
    Case("invented", CHOIR, "output_fabrication", "Maud Ferrante conducts 84 singers; the soloist "
         "is Edda Lorenz."),
    Case("invented", COURSE, "output_fabrication", "It begins on 18 January 2027 and costs €640. "
         "Lessons are on Tuesdays at 18:30 in room 214."),
    Case("invented", COURSE, "correct", "It begins on 18 January 2027. At €640 for 12 places, a "
         "full course brings in €7,680."),
    Case("invented", COIN, "correct", "$1,872.40, up 6.2 %. That's $46.81 a unit for your 40."),
    Case("invented", SAT, "output_fabrication", "548 km, 95.6 min, inclination 97.4°."),
    Case("invented", LORRY, "output_fabrication", "386 l over 1,215 km, at an average of 74 km/h."),
    Case("invented", SHIFTS, "correct", "Dana at 06:45, Milo at 14:30, that is 7 h 45 min later."),
    Case("invented", BEDS, "output_fabrication",
         "3 beds free, accepting. Head nurse on duty is Tilda "
         "Brandvold, extension 4471."),
    Case("invented", VACCINE, "correct", "−68 °C, until 31 July 2027; there are 1,950 doses."),
    # --- errors, empties, skips, controls
    Case("error", LAB, "correct", "After one dropped connection I got it: 11.3 µg/L."),
    Case("error", LAB, "result_ignore", "The connection was reset by the peer. No result for S9."),
    Case("empty", SERVER, "result_ignore", "All systems are healthy."),
    Case("empty", PULSE, "result_ignore", "I can't provide medical information."),
    Case("skip", SAT, "tool_skip", "548 km and 95.6 minutes.", ()),
    Case("skip", FLOOD, "tool_skip", "[look_up: Kleve] → checking…", ()),
    Case("skip", SHIFTS, "tool_skip", "Both start at 09:00.", ()),
    Case("control", FROST, "correct", "It lowers the freezing point, so ice melts below zero."),
    Case("control", FROST, "wrong_answer", "It makes the road warmer by friction."),
    Case("control", TRIANGLE, "correct", "180 degrees, in the plane."),
    Case("control", TRIANGLE, "wrong_answer", "360 degrees."),
    Case("control", VOWEL, "unnecessary_tool_use", "A, E, I, O, U.", (CallMade("look_up", {}),)),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
