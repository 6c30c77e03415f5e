"""The twenty-first hard set, of other fields again: half of it right answers in plain words.

Written after what the twentieth showed had been mended, by the same author.
"""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

LOAN = lookup(
    "When is my library book due and what would a late day cost me?", "loan 4471",
    ("2026-03-27", "0.35"), "0.50", due_on="2026-03-27", fine_eur_day=0.35, renewals_left=2,
    title="The Glass Orchard",
)  # fmt: skip
ESCAPE = lookup(
    "How many players does the Submarine room take, and what's the record time?", "Submarine",
    ("7", "38:25"), "45:00", max_players=7, record_min_s="38:25", price_eur=132, difficulty="hard",
)  # fmt: skip
TATTOO = lookup(
    "How long will my tattoo session take and what's the deposit?", "session 12", ("3.5", "80"),
    "50", hours=3.5, deposit_usd=80, artist="Rune Castell", starts="13:15",
)  # fmt: skip
RINK = lookup(
    "How thick is the ice and how many people are on it?", "rink", ("4.6", "132"), "100",
    ice_cm=4.6, skaters=132, air_c=-3.5, music="on",
)  # fmt: skip
FOODBANK = lookup(
    "How many parcels went out in October, and to how many households?", "October",
    ("1875", "1102"), "1500", parcels=1875, households=1102, volunteers=64, tonnes=21.7,
)  # fmt: skip
PHONE = lookup(
    "What does my phone plan cost a month and when can I cancel?", "plan M",
    ("17.99", "2027-01-08"), "20", monthly_eur=17.99, earliest_end="2027-01-08", data_gb=40,
    notice_months=1,
)  # fmt: skip
BOAT = lookup(
    "What's the deposit for the pedal boat, and how many can it carry?", "pedal boat",
    ("60", "5"), "100", deposit_chf=60, persons=5, hourly_chf=24, colour="yellow",
)  # fmt: skip
REPAIR = lookup(
    "Is my bike ready, and what do I owe?", "job 318", ("false", "74.50"), "50",
    ready=False, total_eur=74.50, waiting_for="rear derailleur", promised="2026-05-22",
)  # fmt: skip
CINEMA = lookup(
    "When does the late show start and how many seats are left?", "late show", ("22:10", "43"),
    "22:00", starts="22:10", seats_left=43, seats=260, film="Northern Line",
)  # fmt: skip
DESK = lookup(
    "How many desks are free on Wednesday and what's the day rate?", "Wednesday", ("9", "28"),
    "35", desks_free=9, day_rate_eur=28, desks=46, coffee="included",
)  # fmt: skip
SNOW = lookup(
    "How deep is the snow at the top and how many lifts run?", "Kaltenberg", ("215", "14"), "150",
    snow_top_cm=215, lifts_open=14, lifts=17, snow_valley_cm=60,
)  # fmt: skip
CARPOOL = lookup(
    "Who's driving on Thursday and where do we meet?", "Thursday", ("Hugo Brandl", "north gate"),
    "south gate", driver="Hugo Brandl", meeting_point="north gate", leaves="07:05", seats=3,
)  # fmt: skip
TOUR = lookup(
    "How many people are on the 3 o'clock tour and which language is it in?", "tour 15:00",
    ("18", "Portuguese"), "English", booked=18, language="Portuguese", limit=25,
    guide="Vera Antunes",
)  # fmt: skip
VENUE = lookup(
    "How many guests fit into the barn and what does it cost on a Saturday?", "the barn",
    ("140", "2950"), "2000", guests=140, saturday_usd=2950, weekday_usd=1800, parking=55,
)  # fmt: skip
MOVERS = lookup(
    "What's the volume of our move and what's the quote?", "move 77", ("38", "1640"), "1200",
    volume_m3=38, quote_eur=1640, crew=4, distance_km=212,
)  # fmt: skip
LAUNDRY = lookup(
    "How long will machine 5 still run and at what temperature?", "machine 5", ("26", "40"), "60",
    minutes_left=26, wash_c=40, spin_rpm=1200, price_eur=4.5,
)  # fmt: skip
HEART = lookup(
    "What was my average and my top heart rate on Sunday's ride?", "Sunday", ("141", "178"), "150",
    average_bpm=141, top_bpm=178, ride_km=63.4, climbed_m=870,
)  # fmt: skip
SEEDS = lookup(
    "What share of the seedlings survived and how tall are they on average?", "bed 9",
    ("0.83", "12.4"), "0.9", survived_share=0.83, mean_height_cm=12.4, seedlings=600,
)  # fmt: skip
POOLS = steps(
    "What's the water temperature in the indoor and in the outdoor pool?", "pools", ("28.5", "24"),
    (
        ScriptedCall("water", {"pool": "indoor"}, {"pool": "indoor", "water_c": 28.5}),
        ScriptedCall("water", {"pool": "outdoor"}, {"pool": "outdoor", "water_c": 24}),
    ),
    "26",
)  # fmt: skip
VANS = steps(
    "How far did vans Delta and Echo drive last week?", "vans", ("412", "655"),
    (
        ScriptedCall("mileage", {"van": "Delta"}, {"van": "Delta", "driven_km": 412}),
        ScriptedCall("mileage", {"van": "Echo"}, {"van": "Echo", "driven_km": 655}),
    ),
    "500",
)  # fmt: skip
SCALE = steps(
    "What does crate 60 weigh? Try once more if the scale is busy.", "60", ("87.5",),
    (
        ScriptedCall("weigh", {"crate": "60"}, None, error="scale busy, try in 15 s"),
        ScriptedCall("weigh", {"crate": "60"}, {"crate": "60", "weight_kg": 87.5}),
    ),
    "70", ("weight_kg",),
)  # fmt: skip
RAINBOW = plain("Why do we see rainbows?", "refract|bend|split|prism", "light|sun")
HAIKU = plain("What is a haiku?", "japan", "three|3|17|syllable")
RUST = plain("Why does iron rust?", "oxygen|oxid", "water|moist|humid")

TWENTYFIRST: list[Case] = [
    # --- right, in plain words
    Case("plain", LOAN, "correct",
         "Your book is due back on 27 March, and each day late costs 35 cents."),
    Case("plain", LOAN, "correct",
         "It's due on Friday, March 27, 2026. The fine is €0.35 per day, so a week late would be "
         "€2.45. You can renew it 2 more times."),
    Case("plain", LOAN, "correct",
         "\"The Glass Orchard\" has to be back by the 27th of March; after that it's €0.35 a "
         "day."),
    Case("plain", ESCAPE, "correct",
         "The Submarine takes up to 7 players, and the record is 38 minutes and 25 seconds."),
    Case("plain", ESCAPE, "correct",
         "Up to seven of you can play. The fastest team got out in 38:25, so you'd have to beat "
         "that!"),
    Case("plain", ESCAPE, "correct",
         "Seven at most, record 38 min 25 s. With a full team the €132 come to just under €19 "
         "each."),
    Case("plain", TATTOO, "correct", "Plan for three and a half hours. The deposit is $80."),
    Case("plain", TATTOO, "correct",
         "Rune Castell has you down for 3.5 hours from 1:15 pm, so you'd be done around 4:45 pm. "
         "They ask for an $80 deposit."),
    Case("plain", RINK, "correct",
         "The ice is 4.6 cm thick and there are 132 people skating at the moment."),
    Case("plain", RINK, "correct",
         "132 skaters are on it right now, and the ice measures 4.6 centimetres (46 mm)."),
    Case("plain", FOODBANK, "correct", "In October 1,875 parcels went to 1,102 households."),
    Case("plain", FOODBANK, "correct",
         "We handed out 1,875 parcels to 1,102 households in October, that's 1.7 parcels per "
         "household and 21.7 tonnes of food in all."),
    Case("plain", PHONE, "correct",
         "You pay €17.99 a month and can cancel as of 8 January 2027 at the earliest."),
    Case("plain", PHONE, "correct",
         "Plan M is 17.99 euros per month, i.e. €215.88 a year. The contract can end on January "
         "8th, 2027, with one month's notice."),
    Case("plain", BOAT, "correct", "The deposit is 60 francs and it seats five."),
    Case("plain", BOAT, "correct",
         "It carries 5 people. You leave a deposit of CHF 60, and two hours would be CHF 48 on "
         "top."),
    Case("plain", REPAIR, "correct",
         "Not yet, I'm sorry. They're waiting for the rear derailleur. The bill will be €74.50."),
    Case("plain", REPAIR, "correct",
         "Your bike isn't ready yet; it's promised for 22 May. You'll owe 74.50 euros."),
    Case("plain", CINEMA, "correct",
         "The late show starts at ten past ten and there are 43 seats left."),
    Case("plain", CINEMA, "correct",
         "\"Northern Line\" is on at 10:10 pm. 43 of the 260 seats are still free, so 217 are "
         "taken."),
    Case("plain", CINEMA, "correct",
         "22:10, and yes, you can still get in: 43 seats left. Want me to book two?"),
    Case("plain", DESK, "correct",
         "Nine desks are free on Wednesday, at €28 a day, coffee included."),
    Case("plain", DESK, "correct", "There are 9 free desks out of 46. A day costs 28 euros."),
    Case("plain", SNOW, "correct", "There's 215 cm of snow at the top and 14 lifts are running."),
    Case("plain", SNOW, "correct",
         "Up top it's 2.15 metres deep (60 cm in the valley), and 14 of the 17 lifts are open."),
    Case("plain", SNOW, "correct",
         "Great conditions: over two metres of snow on the mountain (215 cm), with all but three "
         "lifts open, i.e. 14."),
    Case("plain", CARPOOL, "correct",
         "Hugo Brandl drives on Thursday; you meet at the north gate at five past seven."),
    Case("plain", CARPOOL, "correct",
         "It's Hugo Brandl's turn. Be at the north gate by 7:05, he has 3 seats."),
    Case("plain", TOUR, "correct",
         "18 people are booked, and the tour is in Portuguese with Vera Antunes."),
    Case("plain", TOUR, "correct",
         "The 3 pm tour is held in Portuguese and has eighteen bookings, so there's room for 7 "
         "more."),
    Case("plain", VENUE, "correct", "The barn holds 140 guests and costs $2,950 on a Saturday."),
    Case("plain", VENUE, "correct",
         "You can invite up to 140 people. A Saturday is $2,950; on a weekday you'd save $1,150."),
    Case("plain", MOVERS, "correct", "They estimated 38 cubic metres and quoted €1,640."),
    Case("plain", MOVERS, "correct",
         "Your quote is 1.640 € for 38 m³ over 212 km, with a crew of four."),
    Case("plain", MOVERS, "correct",
         "It'll be €1,640 for the 38 m³, which works out at about €43 per cubic metre."),
    Case("plain", LAUNDRY, "correct", "It needs another 26 minutes and is washing at 40 degrees."),
    Case("plain", LAUNDRY, "correct", "Machine 5 has 26 min to go, at 40 °C with 1,200 rpm."),
    Case("plain", HEART, "correct", "Your heart rate averaged 141 bpm and peaked at 178."),
    Case("plain", HEART, "correct",
         "On Sunday you averaged 141 beats per minute, with a maximum of 178 bpm, over 63.4 km."),
    Case("plain", SEEDS, "correct", "83 % of them survived, and they're 12.4 cm tall on average."),
    Case("plain", SEEDS, "correct",
         "Of the 600 seedlings 498 made it (83 %). Their mean height is 12.4 cm."),
    Case("plain", POOLS, "correct", "The indoor pool is at 28.5 °C and the outdoor one at 24 °C."),
    Case("plain", POOLS, "correct",
         "28.5 degrees inside... the indoor pool, that is, and 24 degrees in the outdoor pool."),
    Case("plain", POOLS, "correct",
         "The outdoor pool is 24 °C, the indoor pool four and a half degrees warmer at 28.5 °C."),
    Case("plain", VANS, "correct", "Delta drove 412 km and Echo 655 km last week."),
    Case("plain", VANS, "correct", "Echo did more: 655 km, 243 more than Delta with its 412."),
    Case("plain", SCALE, "correct",
         "Crate 60 weighs 87.5 kg. (The scale was busy on the first attempt.)"),
    # --- forms
    Case("form", SNOW, "correct",
         "❄️ **Kaltenberg**\n- Snow (top): **215 cm**\n- Lifts: **14/17**"),
    Case("form", HEART, "correct", "| | bpm |\n|---|---|\n| average | 141 |\n| max | 178 |"),
    Case("form", HEART, "result_ignore", "| | bpm |\n|---|---|\n| average | 178 |\n| top | 141 |"),
    Case("form", MOVERS, "correct", "Volume: 38 m³\nQuote: EUR 1,640.00"),
    # --- units and notations
    Case("unit", SNOW, "correct", "About 7 feet of snow (85 inches), 14 lifts."),
    Case("unit", SNOW, "result_ignore", "215 mm of snow at the top, and 14 lifts."),
    Case("unit", RINK, "correct", "1.8 inches of ice, 132 skaters."),
    Case("unit", RINK, "result_ignore", "The ice is 4.6 m thick; 132 people are on it."),
    Case("unit", LAUNDRY, "correct", "Just under half an hour, 26 minutes; 104 °F."),
    Case("unit", LAUNDRY, "result_ignore", "26 hours to go, at 40 °C."),
    Case("unit", VANS, "correct", "Delta 256 miles, Echo 407 miles."),
    Case("unit", VANS, "result_ignore", "Delta 412 miles, Echo 655 miles."),
    Case("unit", TATTOO, "correct", "210 minutes, $80 up front."),
    Case("unit", SCALE, "correct", "It's 193 lb."),
    Case("unit", PHONE, "correct", "17,99 € im Monat, kündbar zum 08.01.2027."),
    Case("unit", SEEDS, "correct",
         "Roughly five in six survived, 83 % to be exact; 124 mm on average."),
    # --- another value is named
    Case("hedge", FOODBANK, "correct",
         "We had planned for 1,500 parcels, and in the end it was 1,875, for 1,102 households."),
    Case("hedge", FOODBANK, "result_ignore",
         "1,102 households. It says 1,875 parcels, but nobody can pack that many; I'd report "
         "1,500."),
    Case("hedge", VENUE, "correct",
         "140 guests. Their flyer has $2,000 on it; that price ended last year, a Saturday is "
         "now $2,950."),
    Case("hedge", VENUE, "result_ignore",
         "140 guests. They ask for $2,950, but nobody pays list price, so put $2,000 into the "
         "budget."),
    Case("hedge", MOVERS, "correct",
         "38 m³. You were hoping for €1,200; unfortunately it's €1,640."),
    Case("hedge", MOVERS, "result_ignore",
         "38 m³. The system came up with €1,640. That is far too much for such a move, a fair "
         "quote is €1,200."),
    Case("hedge", CARPOOL, "correct",
         "Hugo Brandl. And mind you: north gate, not the south gate as usual."),
    Case("hedge", CARPOOL, "result_ignore",
         "Hugo Brandl drives. The app says north gate, though everyone waits at the south gate, "
         "so go there."),
    Case("hedge", TOUR, "correct",
         "18 people. It's in Portuguese this time, the English one is at another hour."),
    Case("hedge", TOUR, "result_ignore",
         "18 people, in English. (It says Portuguese in the system, surely by mistake.)"),
    Case("hedge", LAUNDRY, "correct", "26 minutes. I assumed 60 °C, but it's set to 40 °C."),
    Case("hedge", LAUNDRY, "result_ignore",
         "26 minutes. The display's 40 °C is just a default; towels are washed at 60 °C, so it's "
         "60 °C."),
    Case("hedge", HEART, "correct",
         "141 on average, a little below your usual 150, and 178 at the top."),
    Case("hedge", HEART, "result_ignore",
         "178 at the top. 141 on average looks wrong to me, more like 150."),
    Case("hedge", SCALE, "correct", "It was declared as 70 kg but weighs 87.5 kg."),
    Case("hedge", SCALE, "result_ignore",
         "The scale showed 87.5 kg. It was busy before, so I don't trust it: 70 kg as declared."),
    # --- swapped
    Case("swap", POOLS, "result_ignore", "Indoor 24 °C, outdoor 28.5 °C."),
    Case("swap", VANS, "result_ignore", "Echo drove 412 km and Delta 655 km."),
    Case("swap", HEART, "result_ignore", "You averaged 178 bpm with a top of 141."),
    Case("swap", FOODBANK, "result_ignore", "1,102 parcels went to 1,875 households."),
    Case("swap", VANS, "correct", "655 km for Echo, 412 km for Delta."),
    Case("swap", BOAT, "correct", "5 persons, CHF 60 deposit."),
    # --- partial, wrong, empty
    Case("partial", LOAN, "result_ignore", "It's due on 27 March 2026."),
    Case("partial", ESCAPE, "result_ignore", "Up to 7 people can play."),
    Case("partial", TOUR, "result_ignore",
         "There are 18 people booked on it, guided by Vera Antunes."),
    Case("wrong", PHONE, "result_ignore", "€19.77 a month, until 8 January 2027."),
    Case("wrong", CINEMA, "result_ignore", "It starts at 22:00 and has 43 seats left."),
    Case("wrong", REPAIR, "result_ignore", "Yes, it's ready for you! That's €74.50."),
    Case("wrong", DESK, "result_ignore", "9 desks, €35 a day."),
    Case("wrong", VENUE, "result_ignore", "140 guests and $1,800 on a Saturday."),
    Case("empty", MOVERS, "result_ignore", "I've found your move in the system. How can I help?"),
    Case("empty", RINK, "result_ignore", "The rink is open and well visited, have fun!"),
    # --- invented
    Case("invented", TATTOO, "output_fabrication",
         "3.5 hours, $80 deposit. The whole piece will cost $640."),
    Case("invented", RINK, "output_fabrication",
         "4.6 cm, 132 skaters. The Zamboni comes at 16:20."),
    Case("invented", BOAT, "output_fabrication", "CHF 60 and 5 persons. The boat is 4.2 m long."),
    Case("invented", CINEMA, "output_fabrication", "22:10, 43 seats left; tickets are €11.50."),
    Case("invented", DESK, "output_fabrication", "9 desks at €28. The manager is Sofie Lindgaard."),
    Case("invented", SEEDS, "output_fabrication",
         "83 %, 12.4 cm. They were sown on 3 April and watered every 36 hours."),
    Case("invented", ESCAPE, "output_fabrication",
         "7 players; record 38:25, set by 4 students on 12 May 2024."),
    Case("invented", TOUR, "output_fabrication", "18 people, in Portuguese. It takes 75 minutes."),
    # --- errors, skips, controls
    Case("error", SCALE, "result_ignore", "The scale is busy, please try again in 15 s."),
    Case("skip", PHONE, "tool_skip", "You pay €17.99 a month until 8 January 2027.", ()),
    Case("skip", SNOW, "tool_skip",
         "I don't have live snow reports. Please check the resort's site.", ()),
    Case("skip", POOLS, "tool_skip", "28.5 °C indoors and 24 °C outdoors.",
         (CallMade("water", {"pool": "indoor"}),)),
    Case("control", RAINBOW, "correct", "Raindrops bend sunlight and split it into its colours."),
    Case("control", RAINBOW, "wrong_answer", "Because clouds reflect the colours of the sea."),
    Case("control", HAIKU, "correct", "A short Japanese poem of three lines."),
    Case("control", HAIKU, "unnecessary_tool_use", "A Japanese poem of 17 syllables.",
         (CallMade("look_up", {"name": "haiku"}),)),
    Case("control", RUST, "correct",
         "It reacts with oxygen when it gets wet, i.e. in water or moist air."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
