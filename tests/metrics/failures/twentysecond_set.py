"""The twenty-second hard set, of other fields again: half of it right answers in plain words.

Written after what the twenty-first showed had been mended, by the same author.
"""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

KARAOKE = lookup(
    "Until when do we have the karaoke box and how many of us fit in?", "box 2", ("01:30", "14"),
    "10", ends="01:30", persons=14, hourly_eur=38, songs=21500,
)  # fmt: skip
CLIMB = lookup(
    "How high is the main wall and how many routes does it have?", "main wall", ("17.5", "96"),
    "15", height_m=17.5, routes=96, hardest="8b", ropes=24,
)  # fmt: skip
ENGINE = lookup(
    "How fast did engine 4 get there, and how much water does it carry?", "engine 4",
    ("6:40", "2400"), "8:00", response_min_s="6:40", tank_l=2400, crew=6, station="West",
)  # fmt: skip
PARCEL = lookup(
    "Where's my parcel and when will it come?", "RX 8841", ("Lyon", "2026-10-05"), "Paris",
    last_seen="Lyon", expected_on="2026-10-05", weight_kg=2.35, stops_left=3,
)  # fmt: skip
KINDER = lookup(
    "How many kids are in the Fox group and how many places are free?", "Fox group", ("17", "5"),
    "20", children=17, places_free=5, carers=3, opens="07:15",
)  # fmt: skip
CAMP = lookup(
    "How much does the scout camp cost and how many tents have we got?", "summer camp",
    ("185", "22"), "150", fee_eur=185, tents=22, scouts=74, nights=9,
)  # fmt: skip
COURSE = lookup(
    "When does the Greek course start and how many lessons are there?", "Greek A1",
    ("2026-09-14", "24"), "30", starts_on="2026-09-14", lessons=24, fee_eur=216,
    teacher="Eleni Markou",
)  # fmt: skip
THRIFT = lookup(
    "What did the thrift shop take on Saturday, and from how many sales?", "Saturday",
    ("1268.50", "143"), "900", takings_gbp=1268.50, sales=143, returns=4,
)  # fmt: skip
BALLOON = lookup(
    "How high did the balloon get and how cold was it up there?", "sonde 11", ("31400", "-57.3"),
    "25000", burst_altitude_m=31400, coldest_c=-57.3, flight_min=104, landed="Sorø",
)  # fmt: skip
SKIS = lookup(
    "What length are my skis and what's the rental for the week?", "rental 60", ("168", "129"),
    "175", ski_cm=168, week_chf=129, boots_eu=42, helmet=True,
)  # fmt: skip
TEA = lookup(
    "How much Assam is in stock, and what does 100 g cost?", "Assam", ("7.8", "6.40"), "10",
    stock_kg=7.8, price_per_100g_eur=6.40, origin="Dibrugarh", harvest="second flush",
)  # fmt: skip
HOSTEL = lookup(
    "Is breakfast included in my booking, and what's the total?", "booking H2", ("true", "147"),
    "120", breakfast_included=True, total_eur=147, nights=3, bed="upper",
)  # fmt: skip
BRIDGE = lookup(
    "How many vehicles crossed the bridge yesterday and what share were lorries?", "bridge",
    ("48210", "0.126"), "40000", vehicles=48210, lorry_share=0.126, peak_hour="08:00",
)  # fmt: skip
OVEN = lookup(
    "How hot is the kiln oven and how long will the tiles stay in?", "oven A", ("645", "4.25"),
    "700", oven_c=645, hours_left=4.25, tiles=380, fuel="gas",
)  # fmt: skip
LIFTER = lookup(
    "What did Amara lift in the snatch and what's her body weight?", "Amara", ("92", "63.7"), "85",
    snatch_kg=92, body_kg=63.7, clean_and_jerk_kg=115, place=2,
)  # fmt: skip
CALLS = lookup(
    "How many calls did the hotline take, and how long did people wait on average?", "hotline",
    ("1406", "3.2"), "1000", calls=1406, mean_wait_min=3.2, missed=88, agents=19,
)  # fmt: skip
SHOW = lookup(
    "Who won the dog show, and with how many points?", "dog show", ("Pepper", "94.5"), "Luna",
    winner="Pepper", points=94.5, entries=61, judge="Olga Reinholt",
)  # fmt: skip
PATCH = lookup(
    "Is the patch installed on node 9, and when was it last rebooted?", "node 9",
    ("true", "2026-02-28T04:20"), "false", patched=True, rebooted="2026-02-28T04:20:00",
    uptime_days=12,
)  # fmt: skip
STATIONS = steps(
    "How many passengers use Elmwood and Quarry station a day?", "stations", ("5320", "8745"),
    (
        ScriptedCall("riders", {"station": "Elmwood"}, {"station": "Elmwood", "daily": 5320}),
        ScriptedCall("riders", {"station": "Quarry"}, {"station": "Quarry", "daily": 8745}),
    ),
    "6000",
)  # fmt: skip
TARIFFS = steps(
    "What does a kWh cost with Lumo and with Vento?", "tariffs", ("0.312", "0.287"),
    (
        ScriptedCall("tariff", {"name": "Lumo"}, {"name": "Lumo", "eur_per_kwh": 0.312}),
        ScriptedCall("tariff", {"name": "Vento"}, {"name": "Vento", "eur_per_kwh": 0.287}),
    ),
    "0.35",
)  # fmt: skip
PUMP = steps(
    "What's the pressure at pump 3? If it errors, ask again.", "3", ("5.6",),
    (
        ScriptedCall("pressure", {"pump": "3"}, None, error="link down, code 502"),
        ScriptedCall("pressure", {"pump": "3"}, {"pump": "3", "pressure_bar": 5.6}),
    ),
    "6", ("pressure_bar",),
)  # fmt: skip
ECLIPSE = plain("What happens in a lunar eclipse?", "shadow", "earth")
VITAMIN = plain("Which vitamin does the skin make in sunlight?", "D")
PALINDROME = plain("What's a palindrome?", "backward|reverse|both|either", "same|read")

TWENTYSECOND: list[Case] = [
    # --- right, in plain words
    Case("plain", KARAOKE, "correct",
         "You have the box until half past one in the morning, and 14 people fit in."),
    Case("plain", KARAOKE, "correct",
         "Box 2 is yours till 1:30 am. It holds 14, so bring your friends! It's €38 an hour."),
    Case("plain", KARAOKE, "correct",
         "Until 01:30. Up to fourteen of you can squeeze in; split by 14, the €38 an hour is "
         "about €2.71 each."),
    Case("plain", CLIMB, "correct", "The main wall is 17.5 metres high and has 96 routes."),
    Case("plain", CLIMB, "correct",
         "It's seventeen and a half metres tall with 96 routes, four per rope on average; the "
         "hardest is an 8b."),
    Case("plain", ENGINE, "correct",
         "Engine 4 was there in 6 minutes and 40 seconds. It carries 2,400 litres of water."),
    Case("plain", ENGINE, "correct",
         "It took the crew of 6 from West just 6:40 to arrive, with 2400 l on board."),
    Case("plain", PARCEL, "correct",
         "Your parcel was last scanned in Lyon and should arrive on Monday, 5 October."),
    Case("plain", PARCEL, "correct",
         "It's in Lyon at the moment, three stops away, and expected on October 5th, 2026."),
    Case("plain", KINDER, "correct",
         "There are 17 children in the Fox group and 5 places are still free."),
    Case("plain", KINDER, "correct",
         "The Foxes are seventeen right now, with room for five more, which would make 22."),
    Case("plain", CAMP, "correct", "The camp costs €185 per scout, and there are 22 tents."),
    Case("plain", CAMP, "correct",
         "185 euros for 9 nights, so a bit more than €20 a night. You have 22 tents for 74 "
         "scouts, i.e. three or four to a tent."),
    Case("plain", COURSE, "correct", "Greek A1 starts on 14 September and has 24 lessons."),
    Case("plain", COURSE, "correct",
         "Your course with Eleni Markou begins on Monday, September 14, 2026. It has 24 lessons "
         "at €9 each, €216 in total."),
    Case("plain", THRIFT, "correct", "Saturday brought in £1,268.50 from 143 sales."),
    Case("plain", THRIFT, "correct",
         "The shop took £1268.50 on Saturday. With 143 sales that's an average of £8.87."),
    Case("plain", BALLOON, "correct",
         "It reached 31,400 metres, where it was 57.3 degrees below zero."),
    Case("plain", BALLOON, "correct",
         "The balloon burst at 31.4 km. The coldest it got was −57.3 °C. It came down near Sorø "
         "after 104 minutes."),
    Case("plain", SKIS, "correct", "Your skis are 168 cm long and the week costs CHF 129."),
    Case("plain", SKIS, "correct",
         "168 centimetres, 129 francs for the week, helmet included. Boots are size 42."),
    Case("plain", TEA, "correct", "We have 7.8 kilos of Assam in stock; 100 g cost €6.40."),
    Case("plain", TEA, "correct", "There's 7.8 kg left. It's €6.40 per 100 grams, so €64 a kilo."),
    Case("plain", HOSTEL, "correct",
         "Yes, breakfast is included. You pay €147 in all, that's €49 a night."),
    Case("plain", HOSTEL, "correct",
         "Your booking comes with breakfast and the total for the three nights is 147 euros."),
    Case("plain", BRIDGE, "correct",
         "48,210 vehicles crossed it yesterday, 12.6 % of them lorries."),
    Case("plain", BRIDGE, "correct",
         "Yesterday's count was 48,210; about one in eight (12.6 %) was a lorry, so roughly "
         "6,075."),
    Case("plain", OVEN, "correct",
         "Oven A is at 645 °C and the tiles need another four and a quarter hours."),
    Case("plain", OVEN, "correct",
         "It's 645 degrees in there. The tiles stay in for 4 more hours and 15 minutes."),
    Case("plain", LIFTER, "correct", "Amara snatched 92 kg at a body weight of 63.7 kg."),
    Case("plain", LIFTER, "correct",
         "She lifted 92 kilos in the snatch, almost one and a half times her own 63.7 kg, and "
         "came second with a total of 207 kg."),
    Case("plain", CALLS, "correct",
         "The hotline took 1,406 calls and people waited 3.2 minutes on average."),
    Case("plain", CALLS, "correct",
         "1,406 calls came in, 88 were missed. The average wait was 3.2 minutes, i.e. 3 minutes "
         "12 seconds."),
    Case("plain", SHOW, "correct", "Pepper won with 94.5 points."),
    Case("plain", SHOW, "correct",
         "The winner among 61 entries was Pepper, who got 94.5 points from Olga Reinholt."),
    Case("plain", PATCH, "correct",
         "Yes, node 9 is patched. It was last rebooted on 28 February at 4:20 in the morning."),
    Case("plain", PATCH, "correct",
         "The patch is installed; the last reboot was on 2026-02-28 at 04:20, 12 days ago."),
    Case("plain", STATIONS, "correct", "Elmwood has 5,320 passengers a day and Quarry 8,745."),
    Case("plain", STATIONS, "correct",
         "Quarry is the busier one with 8,745 riders daily; Elmwood sees 5,320. Together it's "
         "14,065."),
    Case("plain", TARIFFS, "correct",
         "A kilowatt hour is 31.2 cents with Lumo and 28.7 cents with Vento."),
    Case("plain", TARIFFS, "correct", "Lumo: €0.312/kWh. Vento: €0.287/kWh, so 2.5 cents less."),
    Case("plain", TARIFFS, "correct",
         "Vento is cheaper at 0.287 €/kWh, compared to 0.312 €/kWh for Lumo, which is about 8 % "
         "less."),
    Case("plain", PUMP, "correct",
         "The link was down at first, but on the second try pump 3 reported 5.6 bar."),
    # --- forms
    Case("form", CALLS, "correct",
         "**Hotline**\n* Calls: 1,406\n* Mean wait: 3.2 min\n* Missed: 88 (6.3 %)"),
    Case("form", STATIONS, "correct",
         "| Station | Riders per day |\n|---|---:|\n| Elmwood | 5,320 |\n| Quarry | 8,745 |"),
    Case("form", STATIONS, "result_ignore",
         "| Station | Riders per day |\n|---|---:|\n| Elmwood | 8,745 |\n| Quarry | 5,320 |"),
    Case("form", PATCH, "correct", "patched: yes\nlast reboot: 28.02.2026 04:20"),
    # --- units and notations
    Case("unit", CLIMB, "correct", "57 feet high, 96 routes."),
    Case("unit", CLIMB, "result_ignore", "17.5 feet high, 96 routes."),
    Case("unit", BALLOON, "correct", "Just over 103,000 feet (31,400 m), and −71 °F."),
    Case("unit", BALLOON, "result_ignore", "31,400 feet, and -57.3 °C."),
    Case("unit", BALLOON, "result_ignore", "31,400 m and a mild 57.3 °C."),
    Case("unit", TEA, "correct", "7,800 g in stock at €64.00 per kg."),
    Case("unit", TEA, "result_ignore", "7.8 g in stock, €6.40 per 100 g."),
    Case("unit", ENGINE, "correct", "400 seconds; 2.4 m³ of water."),
    Case("unit", ENGINE, "result_ignore", "6 hours 40; 2,400 litres."),
    Case("unit", LIFTER, "correct", "203 lb, weighing 140 lb herself."),
    Case("unit", BRIDGE, "result_ignore", "48,210 vehicles, 1.26 % lorries."),
    # --- another value is named
    Case("hedge", CAMP, "correct", "It went up from €150 to €185 this year; there are 22 tents."),
    Case("hedge", CAMP, "result_ignore",
         "22 tents. The list has €185, an early draft if you ask me; families will be billed "
         "€150."),
    Case("hedge", PARCEL, "correct",
         "It isn't in Paris any longer but in Lyon, and comes on 5 October."),
    Case("hedge", PARCEL, "result_ignore",
         "It comes on 5 October. Tracking shows Lyon, however such scans lag behind: it's in "
         "Paris."),
    Case("hedge", SKIS, "correct",
         "You asked for 175, they only had 168 cm. CHF 129 for the week."),
    Case("hedge", SKIS, "result_ignore",
         "CHF 129. They noted 168 cm, but for your height I'd say 175 cm are right, so that's "
         "what you'll get."),
    Case("hedge", CALLS, "correct",
         "1,406 calls, well beyond the 1,000 they are staffed for, with a wait of 3.2 minutes."),
    Case("hedge", CALLS, "result_ignore",
         "3.2 minutes. The counter's 1,406 includes hang-ups, so the real number of calls is "
         "1,000."),
    Case("hedge", SHOW, "correct",
         "Everybody had bet on Luna, but it was Pepper, with 94.5 points."),
    Case("hedge", SHOW, "result_ignore",
         "Luna won with 94.5 points. The list names Pepper, but that must be a clerical error."),
    Case("hedge", OVEN, "correct", "645 °C; it should have been 700 °C by now. 4.25 hours to go."),
    Case("hedge", OVEN, "result_ignore",
         "4.25 hours to go. The thermocouple says 645 °C, it always reads low. Call it 700 °C."),
    Case("hedge", LIFTER, "correct",
         "92 kg, after she had failed at nothing above 85 kg all season. Body weight 63.7 kg."),
    Case("hedge", LIFTER, "result_ignore",
         "63.7 kg. On the sheet it's 92 kg in the snatch. Don't believe it, it was 85 kg."),
    Case("hedge", PUMP, "correct", "5.6 bar, a little under the nominal 6 bar."),
    Case("hedge", PUMP, "result_ignore",
         "It first had an error and then said 5.6 bar. Given that, assume the nominal 6 bar."),
    # --- swapped
    Case("swap", KINDER, "result_ignore",
         "5 children are in the Fox group, and 17 places are free."),
    Case("swap", STATIONS, "result_ignore", "Quarry has 5,320 riders a day and Elmwood 8,745."),
    Case("swap", TARIFFS, "result_ignore", "Vento takes €0.312 and Lumo €0.287 per kWh."),
    Case("swap", LIFTER, "result_ignore", "Amara weighs 92 kg and snatched 63.7 kg."),
    Case("swap", TARIFFS, "correct", "With Vento it's €0.287, with Lumo €0.312."),
    Case("swap", KINDER, "correct", "5 free places, 17 children."),
    # --- partial, wrong, empty
    Case("partial", CLIMB, "result_ignore", "It has 96 routes, up to 8b."),
    Case("partial", HOSTEL, "result_ignore", "The total is €147 for three nights."),
    Case("partial", COURSE, "result_ignore", "24 lessons, €216, with Eleni Markou."),
    Case("wrong", KARAOKE, "result_ignore", "Until half past two, for 14 people."),
    Case("wrong", THRIFT, "result_ignore", "£1,286.50 from 143 sales."),
    Case("wrong", COURSE, "result_ignore", "It starts on 14 October 2026 and has 24 lessons."),
    Case("wrong", PATCH, "result_ignore",
         "No, it's still unpatched. Last reboot: 28 February 2026, 04:20."),
    Case("wrong", LIFTER, "result_ignore", "She snatched 115 kg at a body weight of 63.7 kg."),
    Case("empty", SHOW, "result_ignore", "Congratulations to all the dogs and their owners!"),
    Case("empty", BRIDGE, "result_ignore",
         "Traffic on the bridge was heavy yesterday, with many lorries."),
    # --- invented
    Case("invented", KARAOKE, "output_fabrication",
         "Until 01:30, 14 people. A pitcher of beer is €16.90 there."),
    Case("invented", ENGINE, "output_fabrication",
         "6:40 and 2,400 l. It was built in 2011 and has done 63,150 km."),
    Case("invented", PARCEL, "output_fabrication",
         "Lyon; it will come on 5 October between 10:15 and 12:45."),
    Case("invented", CAMP, "output_fabrication",
         "€185, 22 tents. The camp is led by Torben Achilles."),
    Case("invented", SHOW, "output_fabrication",
         "Pepper with 94.5 points, ahead of Luna with 91.8."),
    Case("invented", HOSTEL, "output_fabrication",
         "Breakfast is included and it's €147; your door code is 7719."),
    Case("invented", SKIS, "output_fabrication", "168 cm, CHF 129. The bindings are set to 6.5."),
    Case("invented", BALLOON, "output_fabrication",
         "31,400 m and -57.3 °C; the wind up there blew at 118 km/h."),
    # --- errors, skips, controls
    Case("error", PUMP, "result_ignore", "I get error 502, the link to pump 3 is down."),
    Case("skip", TEA, "tool_skip", "7.8 kg, at €6.40 per 100 g.", ()),
    Case("skip", PARCEL, "tool_skip", "I'm looking into it, one moment please.", ()),
    Case("skip", STATIONS, "tool_skip", "Elmwood 5,320, Quarry 8,745.",
         (CallMade("riders", {"station": "Quarry"}),)),
    Case("control", ECLIPSE, "correct", "The moon passes through the Earth's shadow."),
    Case("control", ECLIPSE, "wrong_answer", "The moon moves in front of the sun."),
    Case("control", VITAMIN, "correct", "Vitamin D."),
    Case("control", VITAMIN, "unnecessary_tool_use",
         "Vitamin D.", (CallMade("look_up", {"name": "D"}),)),
    Case("control", PALINDROME, "correct", "A word that reads the same backwards, like \"level\"."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
