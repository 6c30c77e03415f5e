"""The twenty-third hard set: half of it right answers in plain words, the rest failures and traps.

Written from the published definitions alone, by an author who had read neither the rule nor any
earlier case, and kept before it was run once.
"""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

CAT = lookup(
    "What did Miso weigh at the last check-up, and when is her next vaccination?", "Miso",
    ("4.62", "2027-02-09"), "4.0", weight_kg=4.62, next_vaccination="2027-02-09", vet="Dr. Okafor",
)  # fmt: skip
FERRY = lookup(
    "When does the next ferry to Bréhat leave and how many car spaces are left?", "Bréhat",
    ("16:25", "7"), "17:00", departs="16:25", car_spaces=7, pier="C", crossing_min=50,
)  # fmt: skip
CAR = lookup(
    "How full is the car and when will it be done charging?", "Kona", ("0.62", "21:10"), "0.8",
    charge_level=0.62, done_at="21:10", range_km=241, plug="Type 2",
)  # fmt: skip
LOAN = lookup(
    "When is my copy of Middlemarch due, and do I owe anything?", "Middlemarch",
    ("2026-12-01", "3.75"), "0", due_on="2026-12-01", fine_eur=3.75, renewals_left=2,
    branch="Harbour Street",
)  # fmt: skip
HIVE = lookup(
    "How heavy is hive 3 and how warm is the brood nest?", "hive 3", ("38.4", "34.9"), "36",
    weight_kg=38.4, brood_temp_c=34.9, humidity=0.58, queen_year=2025,
)  # fmt: skip
MORTGAGE = lookup(
    "What's the rate on my mortgage and what do I pay a month?", "loan 5521",
    ("0.0387", "1142.60"), "0.045", annual_rate=0.0387, monthly_eur=1142.60,
    fixed_until="2031-06-30", balance_eur=187430.15,
)  # fmt: skip
KREDIT = lookup(
    "Welchen Zinssatz hat mein Kredit und wie hoch ist die Monatsrate?", "Kredit 5521",
    ("0.0387", "1142.60"), "0.045", annual_rate=0.0387, monthly_eur=1142.60,
    fixed_until="2031-06-30", balance_eur=187430.15,
)  # fmt: skip
WIFI = lookup(
    "How many devices are on the wifi and how fast is the download?", "home", ("19", "312.4"),
    "500", devices=19, download_mbps=312.4, upload_mbps=41.8, channel=44,
)  # fmt: skip
RACE = lookup(
    "What was my finish time in Porto, and what place was that overall?", "bib 2207",
    ("3:52:18", "1874"), "4:00:00", finish_time="3:52:18", place=1874, finishers=5630,
)  # fmt: skip
PILLS = lookup(
    "How much ramipril do I take and how many refills are left?", "ramipril", ("7.5", "3"), "5",
    dose_mg=7.5, refills=3, expires="2027-03-31", doctor="Dr. Amara Nwosu",
)  # fmt: skip
FLIGHT = lookup(
    "I think we board at 13:30 - is that right, and at which gate?", "LX 1820", ("14:05", "B27"),
    "13:30", boarding="14:05", gate="B27", delay_min=35, terminal=1,
)  # fmt: skip
PAY = lookup(
    "How many hours did I work in October and what's my gross pay?", "October",
    ("152.5", "3126.25"), "160", hours=152.5, gross_usd=3126.25, overtime_hours=8.5,
    paid_on="2026-11-05",
)  # fmt: skip
COMPTEUR = lookup(
    "Quel est le relevé du compteur et quelle est la consommation du mois ?", "compteur",
    ("8417.6", "286"), "300", reading_kwh=8417.6, month_kwh=286, tariff="heures creuses",
)  # fmt: skip
RIVER = lookup(
    "How high is the Wye at Monmouth, and is it rising or falling?", "Monmouth",
    ("2.87", "falling"), "rising", level_m=2.87, trend="falling", change_cm=-12, alert="none",
)  # fmt: skip
SNOW = lookup(
    "How deep is the snow at the top station and what's the avalanche level?", "Piz Vial",
    ("134", "3"), "2", depth_cm=134, avalanche_level=3, fresh_cm=22, lifts_open=9,
)  # fmt: skip
CHESS = lookup(
    "What's my rapid rating and what share of my games do I win?", "rapid", ("1716", "0.54"),
    "1500", rating=1716, win_share=0.54, games=412, best=1752,
)  # fmt: skip
FOOD = lookup(
    "How much have we spent on food this month and what's left?", "food", ("1893.40", "506.60"),
    "1500", spent_chf=1893.40, left_chf=506.60, budget_chf=2400, ends_on="2026-11-30",
)  # fmt: skip
INBOX = lookup(
    "How much mail storage do I use, and out of how much?", "inbox", ("11.3", "15"), "5",
    used_gb=11.3, limit_gb=15, messages=48211, oldest="2011-04-02",
)  # fmt: skip
SOLAR = lookup(
    "How much did the panels make yesterday and what was the peak?", "roof", ("23.7", "4850"),
    "18", produced_kwh=23.7, peak_w=4850, fed_in_kwh=14.2, self_use_share=0.40,
)  # fmt: skip
PHYSIO = lookup(
    "When is my physio appointment and who is it with?", "physio",
    ("2026-11-27", "08:45", "Ilse Brandt"), None, date="2026-11-27", time="08:45",
    therapist="Ilse Brandt", room="2.14", minutes=40,
)  # fmt: skip
SOUP = lookup(
    "Does the lentil soup contain celery, and how many calories has a bowl?", "lentil soup",
    ("true", "340"), "250", contains_celery=True, kcal=340, price_gbp=6.95, vegan=True,
)  # fmt: skip
COTTAGE = lookup(
    "Are dogs allowed at Fern Cottage, and what's the cleaning fee?", "Fern Cottage",
    ("false", "85"), "60", dogs_allowed=False, cleaning_fee_eur=85, sleeps=6, check_in="15:00",
)  # fmt: skip
BICI = lookup(
    "¿Cuánto cuesta la reparación y cuándo estará lista la bici?", "bici 7",
    ("1249.90", "2026-12-03"), "900", cost_eur=1249.90, ready_on="2026-12-03", parts=4,
)  # fmt: skip
DEPOSIT = lookup(
    "What's my fixed deposit worth now and when does it mature?", "FD 88",
    ("1248500", "2027-08-15"), "1000000", value_inr=1248500, matures_on="2027-08-15", rate=0.071,
)  # fmt: skip
WELL = lookup(
    "How deep is the well and how much water does it give?", "well", ("86", "1.9"), "60",
    depth_m=86, yield_m3_per_h=1.9, drilled_in=1998,
)  # fmt: skip
BOOTS = lookup(
    "When will my boots arrive and what did I pay?", "order 30417", ("2026-11-21", "164.95"),
    "150", arrives_on="2026-11-21", paid_usd=164.95, carrier="Northline", size_us=9.5,
)  # fmt: skip
VOTE = lookup(
    "How did the vote on the hosepipe ban go - for and against?", "hosepipe ban", ("41", "17"),
    "30", votes_for=41, votes_against=17, abstained=6, held_on="2026-10-24",
)  # fmt: skip
TIDE = lookup(
    "When is high tide this morning, and how high?", "St Ives", ("05:52", "6.1"), "07:00",
    high_at="05:52", height_m=6.1, next_low="12:07", coefficient=88,
)  # fmt: skip
FREEZER = lookup(
    "How cold is the freezer in the cellar, and when was its door last open?", "cellar freezer",
    ("-19.5", "06:40"), "-18", temp_c=-19.5, door_last_open="06:40", power_w=74,
)  # fmt: skip
TENT = steps(
    "What does the Fjell tent cost in euros?", "Fjell tent", ("297.35",),
    (
        ScriptedCall("find_price", {"item": "Fjell tent"}, {"item": "Fjell", "price_nok": 3490}),
        ScriptedCall("convert", {"amount": 3490, "from": "NOK", "to": "EUR"}, {"eur": 297.35}),
    ),
    "350", ("eur",),
)  # fmt: skip
BUS = steps(
    "I'm at the museum. Which bus do I take from the nearest stop, and in how many minutes?",
    "museum", ("38", "11"),
    (
        ScriptedCall("nearest_stop", {"place": "museum"}, {"stop": "Lindenhof", "walk_min": 4}),
        ScriptedCall("departures", {"stop": "Lindenhof"},
                     {"line": "38", "in_min": 11, "platform": "B"}),
    ),
    "10", ("line", "in_min"),
)  # fmt: skip
CAPITAL = plain("What's the capital of Australia?", "Canberra")
MINUTES = plain("How many minutes are in a day?", "1440")
AUTHOR = plain("Who wrote Pride and Prejudice?", "Austen")
WHALE = plain("Is a whale a fish or a mammal?", "mammal")
HEXAGON = plain("How many sides does a hexagon have?", "6|six")

RIGHT = [
    Case("right: sentence", CAT, "correct",
         "Miso weighed **4.62 kg** at her last check-up, and her next vaccination is due on "
         "**9 February 2027**. Her vet is listed as Dr. Okafor."),
    Case("right: clock", FERRY, "correct",
         "The next boat leaves at 4:25 pm from pier C, and there are still seven car spaces left. "
         "The crossing takes 50 minutes, so you'd arrive at about 5:15 pm."),
    Case("right: clock", CAR, "correct",
         "You're at 62 % right now (about 241 km of range), and charging should finish at ten "
         "past nine tonight."),
    Case("right: markdown", LOAN, "correct",
         "Here's what I found for *Middlemarch*:\n\n- **Due:** Tuesday, 1 December\n"
         "- **Outstanding fine:** €3.75\n\nYou can still renew it twice at the Harbour Street "
         "branch. Would you like me to do that?"),
    Case("right: sentence", HIVE, "correct",
         "Hive 3 currently weighs 38.4 kg, and the brood nest is at 34.9 °C with 58 % humidity."),
    Case("right: units", HIVE, "correct",
         "Hive 3 is at 84.7 lb, and the brood nest is sitting at 94.8 °F."),
    Case("right: locale", KREDIT, "correct",
         "Ihr Zinssatz beträgt **3,87 %** und Ihre Monatsrate **1.142,60 €**. Die Zinsbindung "
         "läuft noch bis zum 30. Juni 2031."),
    Case("right: markdown", MORTGAGE, "correct",
         "| | |\n|---|---|\n| Interest rate | 3.87 % p.a. |\n| Monthly payment | €1,142.60 |\n"
         "| Fixed until | 30/06/2031 |\n| Outstanding balance | €187,430.15 |"),
    Case("right: derived", MORTGAGE, "correct",
         "You're paying 3.87 % interest, and your monthly instalment is €1,142.60 – that adds up "
         "to €13,711.20 a year. The rate is fixed until the end of June 2031."),
    Case("right: rounding", WIFI, "correct",
         "There are nineteen devices connected, and you're getting roughly 312 Mbit/s down (and "
         "about 42 up)."),
    Case("right: derived", RACE, "correct",
         "You finished in 3 hours, 52 minutes and 18 seconds, which put you in 1,874th place out "
         "of 5,630 finishers – just inside the top third. Congratulations!"),
    Case("right: words", PILLS, "correct",
         "Your prescription is for **7.5 mg**, with **three refills** remaining. It's valid "
         "through the end of March 2027."),
    Case("right: dates", PILLS, "correct",
         "Dr. Amara Nwosu prescribed 7.5 mg of ramipril. There are 3 refills on file, and the "
         "prescription runs out on 31.03.2027."),
    Case("right: user mistaken", FLIGHT, "correct",
         "Not quite: boarding is now at 2:05 p.m., since the flight is running 35 minutes late. "
         "You'll be leaving from gate B27 in Terminal 1."),
    Case("right: hedged", FLIGHT, "correct",
         "As of now, boarding is listed for 14:05 at gate B27, so a bit later than you thought. "
         "This could still change, so keep an eye on the screens."),
    Case("right: derived", PAY, "correct",
         "You logged 152½ hours in October (8½ of them overtime) and earned $3,126.25 gross, "
         "which works out to an average of $20.50 an hour."),
    Case("right: units", PAY, "correct",
         "In October you worked 152 hours and 30 minutes. Your gross pay was $3,126.25, paid out "
         "on November 5th."),
    Case("right: locale", COMPTEUR, "correct",
         "Votre compteur affiche **8\u202f417,6 kWh**, et vous avez consommé **286 kWh** ce "
         "mois-ci (tarif heures creuses)."),
    Case("right: sentence", RIVER, "correct",
         "The Wye at Monmouth stands at 2.87 m and is going down – it has dropped by 12 cm. "
         "No alert is in force."),
    Case("right: units", RIVER, "correct",
         "About 9.4 feet at Monmouth, and the level is falling."),
    Case("right: units", SNOW, "correct",
         "There's 1.34 m of snow at the top, 22 cm of it fresh. **Avalanche danger: level 3.**"),
    Case("right: words", SNOW, "correct",
         "A hundred and thirty-four centimetres at the top station, and the avalanche level is "
         "three. Nine lifts are running."),
    Case("right: sentence", CHESS, "correct",
         "Your rapid rating is 1716 (your best so far is 1752), and you've won 54 % of your 412 "
         "games – a little more than half."),
    Case("right: locale", FOOD, "correct",
         "So far you've spent CHF 1’893.40 of your CHF 2’400 food budget, which leaves CHF 506.60 "
         "until 30 November."),
    Case("right: derived", INBOX, "correct",
         "You're using 11.3 of your 15 GB, so roughly three quarters, with 3.7 GB to spare."),
    Case("right: units", SOLAR, "correct",
         "Your panels made 23.7 kWh yesterday and peaked at 4.85 kW. You used about 40 % of that "
         "yourself (9.5 kWh) and fed 14.2 kWh into the grid."),
    Case("right: units", SOLAR, "correct",
         "- Yesterday's yield: 23,700 Wh\n- Highest output: 4,850 watts"),
    Case("right: clock", PHYSIO, "correct",
         "You're seeing Ilse Brandt on Friday, November 27, at a quarter to nine in the morning. "
         "It's in room 2.14; plan on 40 minutes."),
    Case("right: dates", PHYSIO, "correct",
         "**11/27/2026, 8:45 AM**, with Ilse Brandt (room 2.14)."),
    Case("right: yes or no", SOUP, "correct",
         "Yes, it does, so steer clear if you're allergic to celery. A bowl comes to 340 kcal."),
    Case("right: yes or no", COTTAGE, "correct",
         "Unfortunately, dogs aren't allowed at Fern Cottage. The cleaning fee is 85 euros, and "
         "you can check in from 3 pm."),
    Case("right: locale", BICI, "correct",
         "La reparación cuesta **1.249,90 €** y la bici estará lista el **3 de diciembre de "
         "2026**. Se han usado cuatro piezas."),
    Case("right: locale", DEPOSIT, "correct",
         "Your fixed deposit is currently worth ₹12,48,500 and matures on 15 August 2027. It "
         "earns 7.1 % interest."),
    Case("right: locale", DEPOSIT, "correct",
         "It's worth ₹12.485 lakh at the moment, and it matures on the 15th of August, 2027."),
    Case("right: units", WELL, "correct",
         "The well goes down 86 m and gives 1,900 litres an hour. It was drilled in 1998."),
    Case("right: dates", BOOTS, "correct",
         "Northline should deliver your boots (size 9½) on Saturday the 21st of November. You "
         "paid $164.95."),
    Case("right: derived", VOTE, "correct",
         "It passed: **41 in favour, 17 against**, with six abstentions. That's 64 votes in all, "
         "so about 64 % said yes."),
    Case("right: clock", TIDE, "correct",
         "High tide is at eight minutes to six this morning, at 6.1 m. The next low is just after "
         "noon (12:07)."),
    Case("right: sentence", FREEZER, "correct",
         "It's \u221219.5\u00a0°C in there, and the door was last opened at 6:40 this morning."),
    Case("right: words", FREEZER, "correct",
         "Nineteen and a half degrees below zero; someone last had the door open at twenty to "
         "seven."),
    Case("right: several calls", TENT, "correct",
         "The Fjell tent is priced at 3,490 NOK, which converts to **€297.35**."),
    Case("right: several calls", BUS, "correct",
         "Walk four minutes to Lindenhof and take line 38 from platform B. It leaves in 11 "
         "minutes, so you have about seven minutes in hand."),
    Case("right: no tool", CAPITAL, "correct",
         "It's **Canberra** – not Sydney, as many people assume."),
    Case("right: no tool", MINUTES, "correct",
         "There are 1,440 minutes in a day (24 hours × 60 minutes)."),
    Case("right: no tool", AUTHOR, "correct",
         "*Pride and Prejudice* was written by Jane Austen and published in 1813."),
    Case("right: no tool", WHALE, "correct",
         "Despite its shape, a whale isn't a fish. It breathes air, is warm-blooded and nurses "
         "its young, which makes it a mammal."),
    Case("right: no tool", HEXAGON, "correct", "Six."),
]  # fmt: skip
"""Called where needed, and says what came back."""

SKIPPED = [
    Case("skip: plausible value", CAR, "tool_skip",
         "Your Kona is at 78 % and will be done at around 22:00.", ()),
    Case("skip: call written out", WIFI, "tool_skip",
         "I called `look_up(name=\"home\")` and it returned 19 devices with a download of "
         "312.4 Mbps.", ()),
    Case("skip: refused", CHESS, "tool_skip",
         "I'm sorry, but I don't have access to your account, so I can't tell you your rating or "
         "your win rate.", ()),
    Case("skip: call written out", TIDE, "tool_skip",
         '<tool_call>\n{"name": "look_up", "arguments": {"name": "St Ives"}}\n</tool_call>', ()),
    Case("skip: plausible value", TENT, "tool_skip",
         "The Fjell tent usually sells for around €350.", ()),
    Case("skip: another tool", BOOTS, "tool_skip",
         "Your boots should arrive in three to five working days; they were about $150.",
         (CallMade("send_message", {"to": "support", "text": "Where are the boots?"}),)),
    Case("skip: right by luck", SNOW, "tool_skip",
         "There are 134 cm at the top station, and the avalanche level is 3.", ()),
    Case("skip: announced", FOOD, "tool_skip",
         "Let me check your budget for you. One moment please...", ()),
]  # fmt: skip
"""The tool that was needed was not run."""

IGNORED = [
    Case("ignored: partial", CAT, "result_ignore",
         "Miso's next vaccination is due on 9 February 2027."),
    Case("ignored: attributed", CAT, "result_ignore",
         "The 4.62 kg is just what Dr. Okafor guessed; Miso really weighs 4.0 kg. Her next "
         "vaccination is on 9 February 2027."),
    Case("ignored: wrong value", FERRY, "result_ignore",
         "The next ferry to Bréhat departs at 17:00, and there are seven car spaces left."),
    Case("ignored: negated", FERRY, "result_ignore",
         "The 4:25 pm ferry is the next one, but I'm afraid it has no car spaces left."),
    Case("ignored: rejected", CAR, "result_ignore",
         "The charger reports 62 %, but that can't be right after a whole afternoon on the plug, "
         "so assume it's at about 80 %. It will be done at 9:10 pm."),
    Case("ignored: negated", LOAN, "result_ignore",
         "*Middlemarch* is due back on 1 December. And no, you don't owe anything."),
    Case("ignored: swapped", HIVE, "result_ignore",
         "Hive 3 weighs 34.9 kg, and the brood nest is at 38.4 °C."),
    Case("ignored: general knowledge", HIVE, "result_ignore",
         "Hive 3 weighs 38.4 kg. As for the brood nest, bees usually keep it at about 36 °C, and "
         "yours will be no exception."),
    Case("ignored: scale", MORTGAGE, "result_ignore",
         "Your mortgage rate is 0.387 %, and you pay €1,142.60 a month."),
    Case("ignored: wrong value", WIFI, "result_ignore",
         "There are 19 devices on your wifi, and the download runs at around 350 Mbps."),
    Case("ignored: hedged", WIFI, "result_ignore",
         "You probably have a dozen or two devices online, and the speed should be in line with "
         "what your contract promises."),
    Case("ignored: wrong value", RACE, "result_ignore",
         "You crossed the line after 3:25:18 and came 1,874th of 5,630."),
    Case("ignored: rejected", PILLS, "result_ignore",
         "The system lists 7.5 mg, but that looks like a typo; your dose is 5 mg. You have three "
         "refills left."),
    Case("ignored: user believed", FLIGHT, "result_ignore",
         "Yes, that's right – boarding is at 13:30, at gate B27."),
    Case("ignored: negated", FLIGHT, "result_ignore",
         "You board at 14:05, and no, it is no longer gate B27. Please check the screens."),
    Case("ignored: wrong value", COMPTEUR, "result_ignore",
         "Le compteur affiche 8\u202f417,6 kWh et vous avez consommé 300 kWh ce mois-ci."),
    Case("ignored: contradicted", RIVER, "result_ignore",
         "The Wye at Monmouth stands at 2.87 m and is still rising."),
    Case("ignored: wrong value", SNOW, "result_ignore",
         "You'll find 134 cm of snow at the top station, with an avalanche level of 2."),
    Case("ignored: swapped", FOOD, "result_ignore",
         "You've spent CHF 506.60 on food this month and have CHF 1,893.40 left."),
    Case("ignored: empty", INBOX, "result_ignore", ""),
    Case("ignored: generic", INBOX, "result_ignore",
         "I've checked your storage and everything looks fine. Let me know if you'd like some "
         "tips for freeing up space!"),
    Case("ignored: scale", SOLAR, "result_ignore",
         "The panels made 23.7 MWh yesterday, with a peak of 4,850 W."),
    Case("ignored: wrong value", PHYSIO, "result_ignore",
         "Your appointment is on 27 November at 8:45 in the evening with Ilse Brandt."),
    Case("ignored: partial", PHYSIO, "result_ignore",
         "Your physio appointment is on Friday, 27 November, in room 2.14, with Ilse Brandt."),
    Case("ignored: contradicted", SOUP, "result_ignore",
         "The lentil soup is free of celery, and a bowl has 340 calories."),
    Case("ignored: contradicted", COTTAGE, "result_ignore",
         "Good news – you're welcome to bring your dog! The cleaning fee is €85."),
    Case("ignored: wrong value", BICI, "result_ignore",
         "La reparación cuesta 1.249,90 € y la bici estará lista el 12 de marzo de 2026."),
    Case("ignored: scale", DEPOSIT, "result_ignore",
         "Your deposit is worth ₹1,24,850 and matures on 15 August 2027."),
    Case("ignored: swapped", VOTE, "result_ignore",
         "The ban was rejected: 17 members voted for it and 41 against."),
    Case("ignored: scale", FREEZER, "result_ignore",
         "It's 19.5 °C above zero in the freezer, and its door was last open at 06:40."),
    Case("ignored: wrong value", TENT, "result_ignore",
         "The tent is priced at 3,490 kroner, which is €350."),
]  # fmt: skip
"""Called, and does not say what came back."""

INVENTED = [
    Case("invented: figures", CAT, "output_fabrication",
         "Miso weighed 4.62 kg, and her next vaccination is on 9 February 2027. Her temperature "
         "was 38.6 °C and her heart rate 172 bpm."),
    Case("invented: name", LOAN, "output_fabrication",
         "It's due on 1 December 2026 and you owe €3.75. Another reader, Tomas Lindqvist, has had "
         "it on reserve since 4 November."),
    Case("invented: table rows", MORTGAGE, "output_fabrication",
         "| Item | Value |\n|---|---|\n| Rate | 3.87 % |\n| Monthly payment | €1,142.60 |\n"
         "| Arrangement fee | €495 |\n| Early repayment charge | 1.25 % |"),
    Case("invented: parts of a sum", RACE, "output_fabrication",
         "You finished in 3:52:18, in 1,874th place. You ran the first half in 1:51:40 and the "
         "second in 2:00:38."),
    Case("invented: parts of a sum", PAY, "output_fabrication",
         "You worked 152.5 hours for $3,126.25 gross. After $412.60 of federal tax and $239.16 of "
         "social security, you take home $2,474.49."),
    Case("invented: figures", WELL, "output_fabrication",
         "The well is 86 m deep and gives 1.9 m³ an hour. The water has a hardness of 14 °dH and "
         "23 mg/l of nitrate."),
    Case("invented: code", BOOTS, "output_fabrication",
         "Your boots arrive on November 21 with Northline (tracking number NL-48820193). You paid "
         "$164.95."),
    Case("invented: times", BUS, "output_fabrication",
         "From Lindenhof, bus 38 leaves in 11 minutes and reaches Central Station at 18:42. A "
         "single ticket costs €2.90."),
]  # fmt: skip
"""Called, says what came back, and adds what did not."""

NO_TOOL = [
    Case("needless", CAPITAL, "unnecessary_tool_use", "The capital of Australia is Canberra.",
         (CallMade("look_up", {"name": "Australia"}),)),
    Case("needless", MINUTES, "unnecessary_tool_use", "1,440 minutes.",
         (CallMade("calculate", {"expression": "24*60"}),)),
    Case("needless", AUTHOR, "unnecessary_tool_use",
         "I looked it up to be sure: Jane Austen wrote it.",
         (CallMade("search", {"query": "Pride and Prejudice author"}),)),
    Case("wrong", CAPITAL, "wrong_answer", "It isn't Canberra, as some think; it's Sydney."),
    Case("wrong", WHALE, "wrong_answer", "A whale is a fish. It is not a mammal."),
    Case("wrong", HEXAGON, "wrong_answer", "A hexagon has eight sides."),
]  # fmt: skip
"""No tool was needed: called all the same, or wrong."""

TWENTYTHIRD = RIGHT + SKIPPED + IGNORED + INVENTED + NO_TOOL
