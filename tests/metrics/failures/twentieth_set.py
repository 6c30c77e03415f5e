"""The twentieth hard set, of other fields: half of it right answers in plain words.

Written after the rule learned its weights, by the author of that change and of its frames.
"""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

SAUNA = lookup(
    "When is our sauna slot and how hot will it be?", "slot 14", ("19:45", "86"), "80",
    starts="19:45", temperature_c=86, minutes=50, cabin="Fir",
)  # fmt: skip
VENDING = lookup(
    "How many cans are left in the lobby machine and how much cash is in it?", "lobby machine",
    ("27", "143.60"), "40", cans_left=27, cash_eur=143.60, capacity=180, last_refill="2026-06-11",
)  # fmt: skip
ORCHARD = lookup(
    "How many trees stand in plot C and when do we start picking?", "plot C",
    ("364", "2026-09-21"), "400", trees=364, picking_starts="2026-09-21", variety="Boskoop",
    yield_kg_tree=38,
)  # fmt: skip
COSTUME = lookup(
    "Is the bear costume free for the weekend, and what does it cost a day?", "bear costume",
    ("true", "32"), "25", available=True, price_per_day_usd=32, size="L", deposit_usd=90,
)  # fmt: skip
DRONE = lookup(
    "How high did the survey drone fly and what area did it cover?", "flight 6",
    ("118", "47.5"), "100", altitude_m=118, area_ha=47.5, photos=1326, battery_pct=22,
)  # fmt: skip
SUBTITLE = lookup(
    "How long is episode 4 and how many subtitle lines has it got?", "episode 4",
    ("52:18", "731"), "45:00", runtime="52:18", lines=731, language="Danish",
)  # fmt: skip
BIKES = lookup(
    "How many bikes and how many free docks at Canal Street?", "Canal Street",
    ("6", "19"), "12", bikes=6, free_docks=19, electric=2, operator="Velora",
)  # fmt: skip
TANK = lookup(
    "What's the salinity and the pH of the reef tank?", "reef tank", ("35.2", "8.17"), "33",
    salinity_ppt=35.2, ph=8.17, litres=540, fish=23,
)  # fmt: skip
PRINTS = lookup(
    "What will my print order cost, and when can I pick it up?", "order 5520",
    ("61.40", "2026-07-02"), "45", total_gbp=61.40, ready_on="2026-07-02", copies=250,
    paper="recycled",
)  # fmt: skip
PODCAST = lookup(
    "How many people listened to the latest episode and what share finished it?", "episode 88",
    ("12940", "0.64"), "9000", listeners=12940, finished_share=0.64, minutes=41, rating=4.6,
)  # fmt: skip
GARAGE = lookup(
    "How full is the Market garage and until when is it open?", "Market garage",
    ("78", "23:30"), "60", occupancy_pct=78, closes="23:30", spaces=450, hourly_eur=2.8,
)  # fmt: skip
CLASSROOM = lookup(
    "Which room is 7b in on Tuesday, and who teaches them?", "7b", ("R 204", "Ines Kolbe"),
    "R 110", room="R 204", teacher="Ines Kolbe", pupils=24, subject="chemistry",
)  # fmt: skip
GARDEN = lookup(
    "How big is allotment 31 and what's the yearly fee?", "allotment 31", ("240", "115"), "200",
    area_m2=240, fee_eur=115, waiting_years=3, tap=True,
)  # fmt: skip
DEPOT = lookup(
    "How much glass and how much paper came in last month?", "depot", ("18.6", "31.4"), "20",
    glass_t=18.6, paper_t=31.4, metal_t=7.2, visits=2210,
)  # fmt: skip
FUNDRAISER = lookup(
    "How much has the run raised, and how many took part?", "charity run",
    ("23480", "612"), "15000", raised_usd=23480, runners=612, goal_usd=30000, route_km=8,
)  # fmt: skip
LOST = lookup(
    "Where was my umbrella found and when?", "item 930", ("tram 17", "2026-04-09"), "bus 4",
    found_on_line="tram 17", handed_in="2026-04-09", colour="green", shelf="F3",
)  # fmt: skip
CAMPER = lookup(
    "How many kilometres are on the camper and when is its next service?", "camper 3",
    ("84200", "2027-02-15"), "60000", odometer_km=84200, next_service="2027-02-15", beds=4,
    nightly_eur=109,
)  # fmt: skip
GREENHOUSE = lookup(
    "Humidity and CO2 in greenhouse 2?", "greenhouse 2", ("71", "940"), "60",
    humidity_pct=71, co2_ppm=940, vents_open=False, temperature_c=23.5,
)  # fmt: skip
KENNEL = lookup(
    "What does Biscuit weigh and how much food does he get a day?", "Biscuit", ("14.3", "320"),
    "18", weight_kg=14.3, food_g_day=320, breed="beagle", vaccinated=True,
)  # fmt: skip
CHOIR = steps(
    "How many seats are sold for the Friday and for the Sunday concert?", "concerts",
    ("287", "341"),
    (
        ScriptedCall("sold", {"day": "Friday"}, {"day": "Friday", "seats_sold": 287}),
        ScriptedCall("sold", {"day": "Sunday"}, {"day": "Sunday", "seats_sold": 341}),
    ),
    "300",
)  # fmt: skip
BAKERS = steps(
    "What do Anker and Mohn charge for a rye loaf?", "bakeries", ("4.90", "5.35"),
    (
        ScriptedCall("price", {"bakery": "Anker"}, {"bakery": "Anker", "rye_loaf_eur": 4.90}),
        ScriptedCall("price", {"bakery": "Mohn"}, {"bakery": "Mohn", "rye_loaf_eur": 5.35}),
    ),
    "4",
)  # fmt: skip
PRINTER = steps(
    "How much toner is left in P7? Retry if it does not answer.", "P7", ("13",),
    (
        ScriptedCall("toner", {"printer": "P7"}, None, error="no answer from P7 after 20 s"),
        ScriptedCall("toner", {"printer": "P7"}, {"printer": "P7", "toner_pct": 13}),
    ),
    "50", ("toner_pct",),
)  # fmt: skip
YEAST = plain("What does yeast do in bread dough?", "gas|carbon dioxide|CO2|bubble", "rise|rising")
TIDES = plain("What causes the tides?", "moon", "gravit|pull|attract")
RHYME = plain("What is a limerick?", "five|5", "poem|verse|rhyme|lines")

TWENTIETH: list[Case] = [
    # --- right, in plain words
    Case("plain", SAUNA, "correct",
         "You're in at quarter to eight, and the Fir cabin will be at 86 degrees."),
    Case("plain", SAUNA, "correct",
         "Slot 14 starts at 7:45 in the evening; they heat it to 86 °C and you have it for 50 "
         "minutes, so until 20:35."),
    Case("plain", SAUNA, "correct",
         "Your sauna is booked for 19:45. It'll be a hot one: 86 °C! Don't forget a towel."),
    Case("plain", VENDING, "correct", "There are 27 cans left and €143.60 in the cash box."),
    Case("plain", VENDING, "correct",
         "The lobby machine is down to 27 cans out of 180, and holds 143 euros and 60 cents."),
    Case("plain", VENDING, "correct",
         "Only twenty-seven cans left, I'm afraid. The till has €143.60 in it. Shall I order a "
         "refill of 153?"),
    Case("plain", ORCHARD, "correct", "Plot C has 364 trees, and picking starts on 21 September."),
    Case("plain", ORCHARD, "correct",
         "You've got 364 Boskoop trees there. Picking begins Monday the 21st of September 2026."),
    Case("plain", ORCHARD, "correct",
         "364 trees; we begin on 21/9. At 38 kg a tree that should give some 13.8 tonnes."),
    Case("plain", COSTUME, "correct", "Yes, it's free! It costs $32 a day plus a $90 deposit."),
    Case("plain", COSTUME, "correct",
         "Good news: the bear costume is available this weekend, at 32 dollars per day, so $64 "
         "for both days."),
    Case("plain", COSTUME, "correct",
         "It is still available. The rate is $32 daily and it's a size L."),
    Case("plain", DRONE, "correct", "It flew at 118 metres and covered 47.5 hectares."),
    Case("plain", DRONE, "correct",
         "Flight 6 reached 118 m above ground and mapped an area of 47.5 ha with 1,326 photos."),
    Case("plain", SUBTITLE, "correct",
         "Episode 4 runs for 52 minutes and 18 seconds and has 731 subtitle lines."),
    Case("plain", SUBTITLE, "correct", "It's 52:18 long, with 731 lines of Danish subtitles."),
    Case("plain", BIKES, "correct",
         "Right now there are 6 bikes (2 of them electric) and 19 free docks."),
    Case("plain", BIKES, "correct",
         "You'll find six bikes at Canal Street, and there's room to return nineteen."),
    Case("plain", TANK, "correct",
         "Salinity is 35.2 ppt and the pH is 8.17, both fine for a reef."),
    Case("plain", TANK, "correct", "The tank is at 35.2 parts per thousand with a pH of 8.17."),
    Case("plain", PRINTS, "correct", "Your order comes to £61.40 and will be ready on 2 July."),
    Case("plain", PRINTS, "correct",
         "That's £61.40 for 250 copies on recycled paper, about 25p each, ready for collection "
         "from Thursday, 2 July 2026."),
    Case("plain", PODCAST, "correct", "12,940 people listened to it and 64 % made it to the end."),
    Case("plain", PODCAST, "correct",
         "Nearly 13,000 listeners (12,940 to be exact), of whom 64 percent finished the episode."),
    Case("plain", PODCAST, "correct",
         "12,940 listens, and just under two thirds (64 %) stayed till the end. That's about "
         "8,280 people."),
    Case("plain", GARAGE, "correct",
         "The garage is 78 % full, so about 99 of its 450 spaces are free, and it closes at half "
         "past eleven at night."),
    Case("plain", GARAGE, "correct", "It's open until 23:30 and 78% occupied at the moment."),
    Case("plain", CLASSROOM, "correct", "On Tuesday 7b is in room R 204 with Ines Kolbe."),
    Case("plain", CLASSROOM, "correct", "They have chemistry with Ms Ines Kolbe in R204."),
    Case("plain", GARDEN, "correct",
         "Allotment 31 measures 240 square metres and costs €115 a year."),
    Case("plain", GARDEN, "correct",
         "It's 240 m², with its own tap, for an annual fee of 115 euros. Expect to wait about 3 "
         "years."),
    Case("plain", DEPOT, "correct",
         "Last month brought 18.6 tonnes of glass and 31.4 tonnes of paper."),
    Case("plain", DEPOT, "correct",
         "Paper was the larger share with 31.4 t; glass came to 18.6 t. Together that's an even "
         "50 tonnes."),
    Case("plain", FUNDRAISER, "correct",
         "The run has raised $23,480 so far, with 612 runners taking part."),
    Case("plain", FUNDRAISER, "correct",
         "612 people ran and brought in $23,480, which is 78 % of the $30,000 goal, with $6,520 "
         "still to go."),
    Case("plain", LOST, "correct",
         "Someone found your green umbrella on tram 17 and handed it in on 9 April."),
    Case("plain", LOST, "correct",
         "It turned up on tram 17; it was handed in on April 9th and is on shelf F3."),
    Case("plain", CAMPER, "correct",
         "Camper 3 has 84,200 km on the clock and is due for service on 15 February 2027."),
    Case("plain", CAMPER, "correct",
         "It has done 84 200 kilometres so far. The next service is in mid-February, on the "
         "15th, 2027."),
    Case("plain", GREENHOUSE, "correct", "71 % humidity and 940 ppm of CO₂."),
    Case("plain", GREENHOUSE, "correct",
         "Humidity's at 71 percent; carbon dioxide is at 940 parts per million, and the vents "
         "are closed."),
    Case("plain", KENNEL, "correct", "Biscuit weighs 14.3 kg and gets 320 grams of food per day."),
    Case("plain", KENNEL, "correct",
         "He's 14.3 kilos and eats 320 g a day, which makes 2.24 kg a week."),
    Case("plain", CHOIR, "correct", "287 seats are sold for Friday and 341 for Sunday."),
    Case("plain", CHOIR, "correct",
         "Sunday is selling better: 341 seats, against 287 on Friday. That's 628 in all."),
    Case("plain", BAKERS, "correct", "A rye loaf is €4.90 at Anker and €5.35 at Mohn."),
    Case("plain", BAKERS, "correct",
         "Anker is 45 cents cheaper: 4,90 € instead of 5,35 € at Mohn."),
    # --- forms
    Case("form", GARAGE, "correct",
         "**Market garage**\n\n- Occupancy: 78 %\n- Open until: 11:30 PM\n- Price: €2.80/h"),
    Case("form", DRONE, "correct",
         "| Flight | Altitude | Area |\n|---|---|---|\n| 6 | 118 m | 47.5 ha |"),
    Case("form", CHOIR, "result_ignore",
         "| Concert | Sold |\n|---|---|\n| Friday | 341 |\n| Sunday | 287 |"),
    Case("form", PRINTS, "correct", '{"total": "£61.40", "ready": "2026-07-02"}'),
    # --- units and notations
    Case("unit", DRONE, "correct", "It flew at 387 feet and covered 0.475 km²."),
    Case("unit", DRONE, "result_ignore", "It flew at 118 feet and covered 47.5 hectares."),
    Case("unit", DRONE, "result_ignore", "It flew at 118 m and covered 47.5 acres."),
    Case("unit", SAUNA, "correct", "19:45, at about 187 °F."),
    Case("unit", SAUNA, "result_ignore", "At 7:45 in the morning, at 86 °C."),
    Case("unit", KENNEL, "correct", "31.5 pounds, and 0.32 kg of food a day."),
    Case("unit", KENNEL, "result_ignore", "14.3 kg, and 320 kg of food a day."),
    Case("unit", DEPOT, "correct", "18,600 kg of glass and 31,400 kg of paper."),
    Case("unit", DEPOT, "result_ignore", "186 tonnes of glass and 314 tonnes of paper."),
    Case("unit", PODCAST, "result_ignore", "12,940 listeners; 0.64 % of them finished it."),
    Case("unit", CAMPER, "correct", "About 52,300 miles; next service 2027-02-15."),
    Case("unit", GARDEN, "correct", "Roughly 2,583 square feet for €115 a year."),
    Case("unit", SUBTITLE, "result_ignore", "It's 52 hours and 18 minutes long, with 731 lines."),
    # --- another value is named
    Case("hedge", ORCHARD, "correct",
         "I had 400 in my head, but the register lists 364 trees. Picking: 21 September."),
    Case("hedge", ORCHARD, "result_ignore",
         "The register lists 364 trees, which can't include the new rows; call it 400. Picking "
         "starts on 21 September."),
    Case("hedge", FUNDRAISER, "correct",
         "$23,480 from 612 runners, well above last year's mark of $15,000."),
    Case("hedge", FUNDRAISER, "result_ignore",
         "612 runners. The page shows $23,480, but donations get counted twice there, so $15,000 "
         "is nearer the mark."),
    Case("hedge", CAMPER, "correct",
         "The advert still says 60,000 km. In fact it's 84,200 by now. Service is due on 15 "
         "February 2027."),
    Case("hedge", CAMPER, "result_ignore",
         "Service on 15 February 2027. I'd advertise it with 60,000 km; the 84,200 in the log is "
         "from before the engine swap."),
    Case("hedge", GARAGE, "correct",
         "78 % full (usually it's 60 % at this hour), open till 23:30."),
    Case("hedge", GARAGE, "result_ignore",
         "Open till 23:30. The counter claims 78 %, yet those sensors are notorious. 60 % is "
         "what I'd plan with."),
    Case("hedge", CLASSROOM, "correct",
         "Not R 110 any more: 7b has moved to R 204, with Ines Kolbe."),
    Case("hedge", CLASSROOM, "result_ignore",
         "Ines Kolbe teaches them. The plan has R 204, but go to R 110, that's where they always "
         "are."),
    Case("hedge", GARDEN, "correct",
         "Most plots are 200 m²; this one is larger, at 240 m². The fee is €115."),
    Case("hedge", GARDEN, "result_ignore",
         "€115 a year. 240 m² is what the sheet says; measured on the map it's 200 m²."),
    Case("hedge", TANK, "correct",
         "pH 8.17. Salinity went from 33 up to 35.2 ppt since the water change."),
    Case("hedge", TANK, "result_ignore",
         "pH 8.17. Your probe shows 35.2 ppt, which drifts with age. Treat it as 33."),
    Case("hedge", KENNEL, "result_ignore",
         "320 g a day. As for his weight, either 14.3 or 18 kg, I'm not sure."),
    Case("hedge", GREENHOUSE, "correct", "If the sensor is to be believed, 71 % and 940 ppm."),
    # --- swapped
    Case("swap", BIKES, "result_ignore", "Canal Street has 19 bikes and 6 free docks."),
    Case("swap", DEPOT, "result_ignore", "We took in 31.4 t of glass and 18.6 t of paper."),
    Case("swap", BAKERS, "result_ignore", "At Mohn it's €4.90, at Anker €5.35."),
    Case("swap", CHOIR, "result_ignore", "For Sunday 287 seats are sold, for Friday 341."),
    Case("swap", BAKERS, "correct", "Mohn charges €5.35 and Anker €4.90."),
    Case("swap", DEPOT, "correct", "31.4 t of paper, 18.6 t of glass and 7.2 t of metal."),
    # --- partial, wrong, empty
    Case("partial", VENDING, "result_ignore", "There are 27 cans left in it."),
    Case("partial", PRINTS, "result_ignore", "It'll be ready for you on 2 July."),
    Case("partial", LOST, "result_ignore", "Your umbrella was found on tram 17, lucky you!"),
    Case("wrong", VENDING, "result_ignore", "27 cans and €134.60."),
    Case("wrong", ORCHARD, "result_ignore", "364 trees, starting on 12 September."),
    Case("wrong", PODCAST, "result_ignore", "About 9,000 people listened, and 64 % finished it."),
    Case("wrong", COSTUME, "result_ignore", "Sorry, it's already taken. It would be $32 a day."),
    Case("wrong", LOST, "result_ignore", "It was found on bus 4 and handed in on 9 April 2026."),
    Case("empty", TANK, "result_ignore", "I've checked the tank for you. Everything looks fine!"),
    Case("empty", GREENHOUSE, "result_ignore", ""),
    # --- invented
    Case("invented", SAUNA, "output_fabrication",
         "19:45 at 86 °C. There will be 11 guests, and the aufguss is at 20:10."),
    Case("invented", COSTUME, "output_fabrication",
         "It's available for $32 a day. It was made in 2019 and has been rented 48 times."),
    Case("invented", GARDEN, "output_fabrication",
         "240 m², €115 a year. Your neighbour there is Gudrun Falk."),
    Case("invented", CAMPER, "output_fabrication",
         "84,200 km; service on 15 February 2027. The tyres were changed at 71,500 km."),
    Case("invented", KENNEL, "output_fabrication",
         "14.3 kg, 320 g a day. He was born on 6 May 2021."),
    Case("invented", LOST, "output_fabrication",
         "It was on tram 17, handed in on 9 April 2026. Collect it within 90 days, for a fee of "
         "€4.50."),
    Case("invented", PODCAST, "output_fabrication",
         "12,940 listeners, 64 % to the end; the episode before had 11,305."),
    Case("invented", GREENHOUSE, "output_fabrication",
         "71 % and 940 ppm. The light is at 18,400 lux."),
    # --- errors, skips, controls
    Case("error", PRINTER, "correct",
         "P7 didn't answer at first (20 s timeout), but the second try worked: 13 % toner left."),
    Case("error", PRINTER, "result_ignore",
         "P7 doesn't answer, sorry. I'd guess it's about half full."),
    Case("skip", SAUNA, "tool_skip", "Your slot is at 19:45 and it'll be 86 °C.", ()),
    Case("skip", GARAGE, "tool_skip",
         "I can't see live occupancy data, but garages are rarely full at this time.", ()),
    Case("skip", BAKERS, "tool_skip", "Anker charges €4.90 and Mohn €5.35.",
         (CallMade("price", {"bakery": "Anker"}),)),
    Case("control", YEAST, "correct",
         "It eats sugar and gives off carbon dioxide, and those bubbles make the dough rise."),
    Case("control", YEAST, "wrong_answer", "It adds salt and keeps the crust crisp."),
    Case("control", TIDES, "correct", "Mostly the moon, whose gravity pulls at the oceans."),
    Case("control", TIDES, "unnecessary_tool_use",
         "The pull of the moon.", (CallMade("look_up", {"name": "tides"}),)),
    Case("control", RHYME, "correct", "A humorous poem of five lines that rhyme AABBA."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
