"""The twenty-fourth hard set: half of it right answers in plain words, the rest failures and traps.

Written from the published definitions alone, by an author who had read neither the rule nor any
earlier case, and kept before it was run once.
"""

from agentdyno.records.failures import CallMade, Label, ScriptedCall, ToolTask
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

TRAIN = lookup(
    "When does the next train to Ghent leave, and from which platform?", "Ghent",
    ("17:52", "9"), "18:00", departs="17:52", platform=9, duration_min=96, operator="NMBS",
)  # fmt: skip
PARCEL = lookup(
    "What's the status of parcel JD0021, and how much does it weigh?", "JD0021",
    ("out_for_delivery", "2.35"), "in transit", status="out_for_delivery", weight_kg=2.35,
    eta="2026-11-18", depot="Leeds North",
)  # fmt: skip
POOL = lookup(
    "How warm is the pool in Fahrenheit, and what's the pH?", "pool", ("27.5", "7.34"), "26",
    temp_c=27.5, ph=7.34, pump="on",
)  # fmt: skip
BREAD = lookup(
    "On my saved sourdough card: how hot should the oven be and how long does it bake?",
    "sourdough", ("245", "42"), "230", oven_c=245, bake_min=42, flour_g=520, hydration=0.74,
)  # fmt: skip
SOLAR = lookup(
    "How much did the panels produce yesterday and how full is the battery?", "roof",
    ("14.82", "0.835"), "4", produced_kwh=14.82, battery_level=0.835, exported_kwh=6.1,
)  # fmt: skip
WATER = lookup(
    "How much is my water bill and when is it due?", "account 30-118", ("18465", "2026-11-30"),
    "60", amount_cents=18465, due_on="2026-11-30", currency="EUR",
)  # fmt: skip
DENTIST = lookup(
    "When's my dentist appointment, date and time, and who am I seeing?", "patient 4410",
    ("2026-12-03", "08:45", "Maertens"), None, date="2026-12-03", time="08:45",
    dentist="Dr. Ilse Maertens", room="2b",
)  # fmt: skip
RUN = lookup(
    "How far did I run on Sunday and how long did it take me?", "Sunday run", ("12400", "4530"),
    "10 km", distance_m=12400, duration_s=4530, average_heart_rate=148,
)  # fmt: skip
FREEZER = lookup(
    "How cold is the freezer and how often was the door opened today?", "garage freezer",
    ("-18.6", "11"), "-20", temp_c=-18.6, door_openings=11, mode="eco",
)  # fmt: skip
CLOUD = lookup(
    "How much photo storage do I have left, and how big is my plan?", "photos", ("1536", "200"),
    "15", free_mb=1536, plan_gb=200, photos=41207,
)  # fmt: skip
SPAREN = lookup(
    "Wie viel liegt auf meinem Tagesgeldkonto und wie hoch ist der Zins?", "Tagesgeld 88",
    ("23480.75", "0.0215"), "0.03", balance_eur=23480.75, annual_rate=0.0215, opened="2023-04-01",
)  # fmt: skip
BIBLIO = lookup(
    "À quelle heure ferme la bibliothèque ce soir et combien de places reste-t-il ?",
    "Bibliothèque des Carmes", ("19:30", "34"), "18:00", closes="19:30", free_seats=34, floors=3,
)  # fmt: skip
AUTOBUS = lookup(
    "¿A qué hora sale el autobús a Cádiz y cuánto cuesta el billete?", "Cádiz",
    ("06:40", "18.95"), "07:00", departs="06:40", price_eur=18.95, bay=12,
)  # fmt: skip
CONDOMINIO = lookup(
    "Qual é o valor do condomínio e quando vence?", "apto 72", ("1347.20", "2026-12-10"), "900",
    amount_brl=1347.20, due_on="2026-12-10", unit="72",
)  # fmt: skip
THEATER = lookup(
    "Hoe laat begint de voorstelling en hoeveel kaarten zijn er nog?", "De Meeuw",
    ("15:30", "23"), "20:00", starts="15:30", tickets_left=23, hall="Kleine Zaal",
)  # fmt: skip
GOMI = lookup(
    "次の燃えるごみの収集日はいつで、何時までに出せばいいですか？", "燃えるごみ",
    ("2026-11-19", "08:30"), "08:00", date="2026-11-19", put_out_by="08:30", area="3丁目",
)  # fmt: skip
SCHOOL_FEE = lookup(
    "What's the admission fee for Class 6 and what's the last date to pay it?", "Class 6",
    ("125000", "2027-01-15"), "80000", fee_inr=125000, last_date="2027-01-15", seats=40,
)  # fmt: skip
MIETE = lookup(
    "Wie hoch ist meine Miete und wann wird sie abgebucht?", "Vertrag 907",
    ("1482.35", "2026-11-27"), "1400", rent_chf=1482.35, debit_on="2026-11-27", rooms=2.5,
)  # fmt: skip
CONCERT = lookup(
    "Which row and seat do I have on Friday, and what did I pay?", "booking 5120",
    ("K", "27", "86.5"), None, row="K", seat=27, paid_gbp=86.5, hall="Usher Hall",
)  # fmt: skip
BABY = lookup(
    "How long did Noa sleep last night and how many feeds did she have?", "Noa", ("347", "6"),
    "8 hours", slept_min=347, feeds=6, woke_at="05:50",
)  # fmt: skip
SCHOOL_BUS = lookup(
    "The school bus comes at 7:15, right? And which stop is it?", "route 14",
    ("07:38", "Maple & 5th"), "7:15", arrives="07:38", stop="Maple & 5th", route=14,
)  # fmt: skip
SNOW = lookup(
    "How much snow is there in Vars and how many lifts are running?", "Vars", ("142", "17"), "90",
    snow_depth_cm=142, lifts_open=17, lifts_total=22,
)  # fmt: skip
TIDE = lookup(
    "When's the next high tide at Whitby and how high will it be?", "Whitby", ("05:12", "4.37"),
    None, high_tide="05:12", height_m=4.37, next_low="11:26",
)  # fmt: skip
COFFEE = steps(
    "What does a kilo of Sidamo cost at Brewbar and at Röstwerk, and which is cheaper?", "Sidamo",
    ("31.9", "28.4"),
    (
        ScriptedCall("shop_price", {"shop": "Brewbar"}, {"shop": "Brewbar", "price_eur": 31.9}),
        ScriptedCall("shop_price", {"shop": "Röstwerk"}, {"shop": "Röstwerk", "price_eur": 28.4}),
    ),
    "25",
)  # fmt: skip
WEATHER = steps(
    "What's the temperature in Oslo and in Bergen right now?", "Oslo and Bergen", ("-7.5", "2.0"),
    (
        ScriptedCall("weather", {"city": "Oslo"}, {"city": "Oslo", "temp_c": -7.5}),
        ScriptedCall("weather", {"city": "Bergen"}, {"city": "Bergen", "temp_c": 2.0}),
    ),
    "5",
)  # fmt: skip
ORDER = steps(
    "Find my latest order, and tell me when it arrives and what the total was.", "latest order",
    ("2026-11-24", "64.9"),
    (
        ScriptedCall("find_order", {"which": "latest"}, {"order_id": "A-7719"}),
        ScriptedCall(
            "order_details", {"order_id": "A-7719"},
            {"arrives": "2026-11-24", "total_eur": 64.9, "carrier": "PostNL"},
        ),
    ),
)  # fmt: skip
AIR = lookup(
    "How's the air in Kraków: what are the PM2.5 level and the air quality index?", "Kraków",
    ("38.2", "107"), "12", pm25_ug_m3=38.2, aqi=107, station="Aleja Krasińskiego",
)  # fmt: skip
GYM = lookup(
    "How many times have I been to the gym this month, and when does my membership end?",
    "member 2086", ("0", "2027-02-28"), "8", visits=0, ends_on="2027-02-28", month="2026-11",
)  # fmt: skip
EXCHANGE = lookup(
    "What rate do I get from pounds to euros, and what's the fee?", "GBP/EUR",
    ("1.1473", "0.0045"), "1.17", rate=1.1473, fee_rate=0.0045, provider="Tern",
)  # fmt: skip
CHESS = lookup(
    "What's my rapid rating and how many games have I played?", "rookwood", ("1687", "2304"),
    "1500", rating=1687, games=2304, country="IE",
)  # fmt: skip
VILLAGE = lookup(
    "How many people live in Sant Climent, and how high up is it?", "Sant Climent",
    ("3412", "1087"), "1200", population=3412, elevation_m=1087, region="Berguedà",
)  # fmt: skip
PRINTER = lookup(
    "How much toner is left and how many pages has the printer done?", "office printer",
    ("0.07", "18250"), "0.5", toner_level=0.07, pages_printed=18250, model="LX-40",
)  # fmt: skip
BINS = lookup(
    "Which bin goes out next, and on what day?", "12 Orchard Row", ("blue", "2026-11-19"),
    "black", bin="blue", date="2026-11-19", put_out_by="06:30",
)  # fmt: skip
REFUND = lookup(
    "How much is my tax refund and what's its status?", "return 2025", ("2318", "under_review"),
    "approved", refund_usd=2318, status="under_review", filed_on="2026-10-02",
)  # fmt: skip
BLOOD = lookup(
    "What were my haemoglobin and ferritin figures in the last blood test?", "patient 771",
    ("13.1", "18"), "14", haemoglobin_g_dl=13.1, ferritin_ng_ml=18, taken_on="2026-11-05",
)  # fmt: skip
BLOOD_JSON = lookup(
    "Give me my last haemoglobin and ferritin figures as JSON, please.", "patient 771",
    ("13.1", "18"), "14", haemoglobin_g_dl=13.1, ferritin_ng_ml=18, taken_on="2026-11-05",
)  # fmt: skip
CAR = lookup(
    "What does the odometer read and what's the tyre pressure?", "Fabia", ("84312", "2.3"), "2.5",
    odometer_km=84312, tyre_bar=2.3, fuel_l=31,
)  # fmt: skip
HOTEL = lookup(
    "What's the total for my stay in Lucca, and when do I check in?", "booking L-220",
    ("1136", "2027-05-04"), "900", total_usd=1136, check_in="2027-05-04", nights=4,
)  # fmt: skip
HENS = lookup(
    "How many eggs did the hens lay yesterday, and how much feed is left?", "henhouse",
    ("12", "7.5"), "6", eggs=12, feed_kg=7.5, hens=15,
)  # fmt: skip
FERN = lookup(
    "How moist is the fern's soil and when was it last watered?", "fern", ("0.25", "2026-11-12"),
    "0.5", soil_moisture=0.25, last_watered="2026-11-12", pot="north window",
)  # fmt: skip
TARIFF = lookup(
    "My neighbour pays 24 cents a kWh. What do I pay, and until when is it fixed?",
    "contract 6631", ("28.43", "2027-09-30"), "24", price_ct_kwh=28.43,
    fixed_until="2027-09-30", supplier="Nordlicht",
)  # fmt: skip
SCALE = steps(
    "How much did the post office scale say my suitcase weighs, and what's the allowance?",
    "suitcase", ("21.7", "23"),
    (
        ScriptedCall("look_up", {"name": "suitcase"}, error="timed out, try again"),
        ScriptedCall("look_up", {"name": "suitcase"}, {"weight_kg": 21.7, "allowance_kg": 23}),
    ),
    "20",
)  # fmt: skip
MEETING = lookup(
    "When does the parents' evening start, and how long will it last?", "parents' evening",
    ("2026-11-25T18:30:00", "PT1H15M"), "19:00", starts_at="2026-11-25T18:30:00",
    duration="PT1H15M", room="Aula",
)  # fmt: skip

MINUTES = plain("How many minutes are there in two and a half hours?", "150")
CAPITAL = plain("What's the capital of Slovenia?", "Ljubljana")
FREEZING = plain("At how many degrees Fahrenheit does water freeze?", "32")
PERCENT = plain("What is 15 % of 80?", "12")
PLANET = plain("Which planet is closest to the Sun?", "Mercury")
SPIDER = plain("How many legs does a spider have?", "8|eight")
APR = plain("What does APR stand for on a loan offer?", "annual percentage rate")


def used(kind: str, task: ToolTask, label: Label, text: str) -> Case:
    """An answer after exactly the calls that the task expects."""
    called = tuple(CallMade(call.tool, call.arguments) for call in task.script)
    return Case(kind, task, label, text, called)


def uncalled(kind: str, task: ToolTask, label: Label, text: str) -> Case:
    """An answer for which nothing was executed."""
    return Case(kind, task, label, text, ())


RIGHT = [
    used("12-hour clock", TRAIN, "correct",
         "The next train to Ghent leaves at 5:52 p.m. from platform nine."),
    used("table", TRAIN, "correct",
         "| Departure | Platform | Journey |\n|---|---|---|\n| **17:52** | 9 | 1 h 36 min |\n\n"
         "It's an NMBS train."),
    used("emoji", PARCEL, "correct",
         "Good news: it's out for delivery 📦. The parcel weighs 2.35 kg (a bit over five pounds), "
         "and you should have it on 18 November."),
    used("bullets", PARCEL, "correct",
         "- **Status:** Out for delivery\n- **Weight:** 2,350 g\n- **Depot:** Leeds North"),
    used("unit change", POOL, "correct",
         "The pool is at 81.5 °F with a pH of 7.34, and the pump is running."),
    used("rounding", POOL, "correct", "About 82 °F, and the pH is roughly 7.3."),
    used("negation", POOL, "correct",
         "That's not a typo: the water really is 81.5 °F. The pH stands at 7.34."),
    used("both units", BREAD, "correct",
         "Preheat to **245 °C** (473 °F) and bake for **42 minutes**."),
    used("percent", SOLAR, "correct",
         "Yesterday your panels produced **14.82 kWh**. The battery is at **83.5 %**."),
    used("rounding", SOLAR, "correct",
         "Just under 15 kWh yesterday (14.8, to be a little more exact), and the battery is "
         "about 84% full."),
    used("flagged after", SOLAR, "correct",
         "The panels produced 14.82 kWh yesterday and the battery is at 83.5%. That's a lot for "
         "the time of year, so you might want to compare it with the meter."),
    used("minor units", WATER, "correct",
         "Your water bill comes to €184.65 and is due on 30 November."),
    used("clock in words", DENTIST, "correct",
         "You're seeing Dr. Maertens on Thursday, December 3rd, at a quarter to nine in the "
         "morning. She's in room 2b."),
    used("durations", RUN, "correct",
         "You ran 12.4 km in 1 h 15 min 30 s. Nice one! Your heart rate averaged 148 bpm."),
    used("miles", RUN, "correct", "Sunday's run was 7.7 miles, and it took you 1:15:30."),
    used("below zero", FREEZER, "correct",
         "It's 18.6 degrees below zero in there, and the door has been opened eleven times today."),
    used("Unicode minus", FREEZER, "correct",
         "The garage freezer is holding −18.6 °C (it's in eco mode); door openings today: 11."),
    used("sizes", CLOUD, "correct",
         "You've got 1.5 GB left on your 200 GB plan, so it's nearly full."),
    used("German", SPAREN, "correct",
         "Auf dem Tagesgeldkonto liegen 23.480,75 €, verzinst mit 2,15 % pro Jahr."),
    used("German rounding", SPAREN, "correct",
         "Knapp 23.481 Euro, und der Zinssatz beträgt 2,15 Prozent."),
    used("French", BIBLIO, "correct",
         "La bibliothèque ferme ce soir à 19 h 30 et il reste trente-quatre places."),
    used("Spanish", AUTOBUS, "correct",
         "El autobús sale a las siete menos veinte de la mañana desde la dársena 12 y el billete "
         "cuesta 18,95 €."),
    used("Portuguese", CONDOMINIO, "correct",
         "O condomínio do apartamento 72 é de R$ 1.347,20, com vencimento em 10/12/2026."),
    used("Dutch", THEATER, "correct",
         "De voorstelling begint om half vier 's middags en er zijn nog 23 kaarten."),
    used("Japanese", GOMI, "correct",
         "次の収集日は2026年11月19日（木）です。午前8時30分までに出してください。"),
    used("Indian grouping", SCHOOL_FEE, "correct",
         "The Class 6 admission fee is ₹1,25,000, payable by 15 January 2027."),
    used("lakh", SCHOOL_FEE, "correct",
         "It's Rs 1.25 lakh, and the last date to pay is 15th January 2027."),
    used("Swiss", MIETE, "correct",
         "Die Miete beträgt CHF 1’482.35 und wird am Freitag, 27. November, abgebucht."),
    used("terse", CONCERT, "correct", "**Row K, seat 27**. You paid £86.50."),
    used("hours and minutes", BABY, "correct",
         "Noa slept for 5 h 47 min last night and had six feeds. She was up at ten to six."),
    used("corrects the user", SCHOOL_BUS, "correct",
         "Not quite: it's due at 7:38, not 7:15. It picks up at Maple & 5th."),
    used("names the user's figure", SCHOOL_BUS, "correct",
         "You had 7:15 in mind, but the timetable for route 14 has 7:38 a.m. The stop is at the "
         "corner of Maple and 5th."),
    used("metres", SNOW, "correct",
         "There's 1.42 m of snow on the ground, and 17 of the 22 lifts are running (five are "
         "closed)."),
    used("inches", SNOW, "correct",
         "About 56 inches of snow, with no fewer than seventeen lifts running."),
    used("clock in words", TIDE, "correct",
         "Next high tide: twelve minutes past five in the morning, reaching about 4.4 m."),
    used("table", COFFEE, "correct",
         "| Shop | 1 kg Sidamo |\n|---|---|\n| Brewbar | €31.90 |\n| Röstwerk | €28.40 |\n\n"
         "**Röstwerk** is cheaper, by €3.50."),
    used("other order", COFFEE, "correct",
         "Röstwerk is the better deal: €28.40 there against €31.90 at Brewbar."),
    used("words for numbers", WEATHER, "correct",
         "Oslo is at minus seven and a half degrees; Bergen is milder, at plus two."),
    used("chain", ORDER, "correct",
         "Your most recent order (A-7719) should arrive on Tuesday, 24 November, with PostNL. The "
         "total was €64.90."),
    used("number in a name", AIR, "correct",
         "Not great. PM2.5 is at 38.2 µg/m³ and the AQI is 107, measured at Aleja Krasińskiego."),
    used("words for numbers", AIR, "correct",
         "The index stands at a hundred and seven, with fine dust (PM2.5) at 38 micrograms per "
         "cubic metre."),
    used("none", GYM, "correct",
         "You haven't been at all this month. Your membership runs until the end of February "
         "2027, the 28th to be exact."),
    used("zero in a word", GYM, "correct",
         "Zero visits so far in November. Your membership ends on 28/02/2027."),
    used("rate", EXCHANGE, "correct",
         "With Tern, £1 gets you €1.1473, and there's a 0.45% fee."),
    used("rate per hundred", EXCHANGE, "correct",
         "You'd get €114.73 for every £100, before Tern's fee of 0.45 %."),
    used("feet", VILLAGE, "correct",
         "Sant Climent has 3,412 inhabitants and lies 1,087 m (about 3,566 ft) above sea level."),
    used("hedged but said", PRINTER, "correct",
         "According to the printer's own status, it appears to have 7% toner left, and the "
         "counter is at 18,250 pages. You may want to order a cartridge."),
    used("offer", BINS, "correct",
         "The blue bin goes out on Thursday, 19 November; have it at the kerb by half past six in "
         "the morning. Shall I remind you the evening before?"),
    used("status in words", REFUND, "correct",
         "Your refund of $2,318 is still under review. You filed on 2 October 2026."),
    used("JSON", BLOOD_JSON, "correct",
         '```json\n{"haemoglobin_g_dl": 13.1, "ferritin_ng_ml": 18}\n```'),
    used("both units", CAR, "correct",
         "The odometer reads 84,312 km and the tyres are at 2.3 bar (roughly 33 psi)."),
    used("per night", HOTEL, "correct",
         "Your four nights come to $1,136 in total, so $284 a night. Check-in is on Tuesday, "
         "May 4, 2027."),
    used("dozen", HENS, "correct",
         "A dozen eggs yesterday, and there are seven and a half kilos of feed left."),
    used("quarter", FERN, "correct",
         "Soil moisture is at a quarter of the scale (25 %), and it was last watered on "
         "Thursday, 12 November."),
    used("difference to the question", TARIFF, "correct",
         "You pay 28.43 ct/kWh, which is 4.43 ct more than your neighbour. The price is fixed "
         "until the end of September 2027 (30 September)."),
    used("second try", SCALE, "correct",
         "The first request timed out, but it worked the second time: your suitcase weighs "
         "21.7 kg, which is 1.3 kg under the 23 kg allowance."),
    used("ISO times", MEETING, "correct",
         "It starts on Wednesday, November 25, at 6:30 p.m. in the Aula and lasts an hour and a "
         "quarter."),
    Case("called twice", TRAIN, "correct", "17:52, platform 9.",
         (CallMade("look_up", {"name": "Ghent"}), CallMade("look_up", {"name": "Ghent"}))),
    uncalled("needs none", MINUTES, "correct",
             "Two and a half hours is one hundred and fifty minutes."),
    uncalled("needs none", SPIDER, "correct",
             "Spiders have eight legs, unlike insects, which have six."),
    uncalled("needs none", APR, "correct",
             "APR is short for **annual percentage rate**: the yearly cost of borrowing, with fees "
             "included."),
]  # fmt: skip

SKIPPED = [
    uncalled("right by luck", TRAIN, "tool_skip",
             "The next train to Ghent leaves at 17:52 from platform 9."),
    uncalled("claims to have looked", BREAD, "tool_skip",
             "I looked up your recipe card: the sourdough bakes at 230 °C for 45 minutes."),
    uncalled("general advice", BIBLIO, "tool_skip",
             "Les bibliothèques municipales ferment généralement vers 18 h. Je vous conseille de "
             "vérifier sur place s'il reste des places."),
    uncalled("call in text", SNOW, "tool_skip",
             '<tool_call>{"name": "look_up", "arguments": {"name": "Vars"}}</tool_call>'),
    uncalled("plausible values", VILLAGE, "tool_skip",
             "Sant Climent is a small village of roughly 1,200 people at about 740 metres."),
    uncalled("refusal", REFUND, "tool_skip",
             "I'm sorry, but I don't have access to tax accounts. Please check the agency's site."),
    uncalled("promise", DENTIST, "tool_skip",
             "Sure, let me check your appointment. One moment, please."),
    uncalled("made-up return", AIR, "tool_skip",
             'Per `look_up`:\n```json\n{"pm25_ug_m3": 38.2, "aqi": 107}\n```\n'
             "So PM2.5 is 38.2 µg/m³ and the index is 107."),
    uncalled("German estimate", MIETE, "tool_skip",
             "Ihre Miete dürfte bei etwa 1400 Franken liegen und wird meist zum Monatsende "
             "abgebucht."),
    Case("another tool", CHESS, "tool_skip",
         "Your rapid rating is about 1500, and you have played a few hundred games.",
         (CallMade("web_search", {"query": "rookwood chess rating"}),)),
    uncalled("call in a code block", TIDE, "tool_skip",
             '```python\nlook_up(name="Whitby")\n```\nHigh tide is at 06:00, at about 5 m.'),
    uncalled("from memory", EXCHANGE, "tool_skip",
             "As far as I know, a pound buys about €1.17 and most providers charge around 0.5%."),
]  # fmt: skip

IGNORED = [
    used("usual time", TRAIN, "result_ignore",
         "The next train to Ghent leaves at 18:00 from platform 9."),
    used("status contradicted", PARCEL, "result_ignore",
         "Your parcel weighs 2.35 kg. It hasn't left the Leeds North depot yet, so it is not out "
         "for delivery."),
    used("wrong after conversion", POOL, "result_ignore",
         "The pool is at 78.8 °F, and the pH is 7.34."),
    used("rejection", SOLAR, "result_ignore",
         "The monitor reports 14.82 kWh and a battery at 83.5%, but that can't be right for "
         "November. Realistically, you made about 4 kWh and the battery is around 40% full."),
    used("cents as euros", WATER, "result_ignore",
         "Your water bill is €18,465, due on 30 November 2026."),
    used("partial", WATER, "result_ignore", "The bill is due on Monday, 30 November."),
    used("day and month swapped", DENTIST, "result_ignore",
         "You're booked with Dr. Maertens on March 12, 2026, at 8:45 in the morning."),
    used("withheld", DENTIST, "result_ignore",
         "I found your file, but I can't say when the appointment is or with whom. Please ring "
         "the practice."),
    used("sign lost", FREEZER, "result_ignore",
         "The freezer is at plus 18.6 °C, so it has thawed. The door was opened 11 times today."),
    used("German usual rate", SPAREN, "result_ignore",
         "Auf dem Konto liegen 23.480,75 €. Der Zinssatz beträgt 3 %."),
    used("factor of ten", SCHOOL_FEE, "result_ignore",
         "The fee is ₹12,500 and the last date is 15 January 2027."),
    used("fields swapped", CONCERT, "result_ignore",
         "You're in row K, seat 86, and you paid £27."),
    used("generic", BABY, "result_ignore",
         "Babies wake and feed often at that age, so whatever the log shows is most likely nothing "
         "to worry about."),
    used("agrees with the user", SCHOOL_BUS, "result_ignore",
         "Yes, that's right: 7:15, at Maple & 5th."),
    used("negation", SCHOOL_BUS, "result_ignore",
         "It doesn't come at 7:38; stick with 7:15. The stop is Maple & 5th."),
    used("half a day off", TIDE, "result_ignore",
         "High tide at Whitby is at 5:12 p.m., at 4.37 m."),
    used("entities swapped", COFFEE, "result_ignore",
         "Brewbar charges €28.40 and Röstwerk €31.90, so Brewbar is cheaper."),
    used("partial", COFFEE, "result_ignore", "Röstwerk is cheaper: a kilo costs €28.40 there."),
    used("entities swapped", WEATHER, "result_ignore",
         "It's 2 °C in Oslo and −7.5 °C in Bergen at the moment."),
    used("sent elsewhere", ORDER, "result_ignore",
         "I found your latest order, A-7719. You can see its arrival date and the total under "
         "My Orders."),
    used("usual values", AIR, "result_ignore",
         "The air in Kraków is clean: PM2.5 is at 12 µg/m³ and the index is 50."),
    used("not zero", GYM, "result_ignore",
         "You've been eight times this month, and your membership ends on 28 February 2027."),
    used("factor of ten", EXCHANGE, "result_ignore",
         "You get €1.1473 per pound, and the fee is 4.5%."),
    used("another colour", BINS, "result_ignore",
         "The black bin goes out on Thursday, 19 November."),
    used("status contradicted", REFUND, "result_ignore",
         "Your refund of $2,318 has been approved."),
    used("no figures", BLOOD, "result_ignore",
         "Both values look fine, so there's no need for concern."),
    used("digits swapped", CAR, "result_ignore",
         "The odometer reads 84,132 km and the tyres are at 2.3 bar."),
    used("given to another", TARIFF, "result_ignore",
         "Your neighbour pays 28.43 ct/kWh; you pay 24 ct, fixed until 30 September 2027."),
]  # fmt: skip

INVENTED = [
    used("driver and slot", PARCEL, "output_fabrication",
         "It's out for delivery and weighs 2.35 kg. Your driver, Martin Shaw, will be with you "
         "between 13:20 and 14:20."),
    used("steps not on the card", BREAD, "output_fabrication",
         "Bake at 245 °C for 42 minutes. Your card says to start covered for 25 minutes and then "
         "drop to 220 °C for the other 17."),
    used("telephone number", DENTIST, "output_fabrication",
         "You're seeing Dr. Ilse Maertens on 3 December 2026 at 08:45. To cancel, call "
         "+32 9 224 18 07."),
    used("splits", RUN, "output_fabrication",
         "12.4 km in 1:15:30. Splits:\n\n| Stretch | Time |\n|---|---|\n| 0–5 km | 30:12 |\n"
         "| 5–10 km | 30:41 |\n| 10–12.4 km | 14:37 |"),
    used("doors and support", CONCERT, "output_fabrication",
         "Row K, seat 27, for £86.50. Doors open at 18:30, and The Lanterns are supporting."),
    used("sectors", SNOW, "output_fabrication",
         "142 cm of snow and 17 lifts running.\n\n| Sector | Snow | Lifts |\n|---|---|---|\n"
         "| Summit | 210 cm | 6 |\n| Forest | 95 cm | 11 |"),
    used("another city", WEATHER, "output_fabrication",
         "| City | Now |\n|---|---|\n| Oslo | −7.5 °C |\n| Bergen | 2.0 °C |\n"
         "| Trondheim | −4.1 °C |"),
    used("percentile and peak", CHESS, "output_fabrication",
         "Your rating is 1687 over 2304 games. Your peak was 1742, in March 2025, and you're in "
         "the top 8.3% of players."),
    used("account and date", REFUND, "output_fabrication",
         "Your $2,318 refund is under review. It will be paid into the account ending 4471 by "
         "December 9."),
    used("breakfast and tax", HOTEL, "output_fabrication",
         "The total is $1,136 and you check in on 4 May 2027. That includes breakfast from 7 to "
         "10 a.m. and a city tax of $38."),
    used("invented fields", BLOOD_JSON, "output_fabrication",
         '```json\n{"haemoglobin_g_dl": 13.1, "ferritin_ng_ml": 18, "vitamin_b12_pg_ml": 412, '
         '"lab": "Synlab Nord"}\n```'),
    used("trend and saving", SOLAR, "output_fabrication",
         "14.82 kWh yesterday, battery at 83.5%. That's 12% more than the day before and saved "
         "you €4.45."),
]  # fmt: skip

NO_TOOL_NEEDED = [
    Case("needless sum", PERCENT, "unnecessary_tool_use", "15 % of 80 is 12.",
         (CallMade("calculator", {"expression": "0.15 * 80"}),)),
    Case("needless search", CAPITAL, "unnecessary_tool_use", "Slovenia's capital is Ljubljana.",
         (CallMade("web_search", {"query": "capital of Slovenia"}),)),
    Case("needless look-up", FREEZING, "unnecessary_tool_use", "Water freezes at 32 °F.",
         (CallMade("look_up", {"name": "freezing point of water"}),)),
    Case("needless and wrong", PLANET, "unnecessary_tool_use", "That would be Venus.",
         (CallMade("web_search", {"query": "planet closest to the Sun"}),)),
    uncalled("wrong sum", MINUTES, "wrong_answer", "Two and a half hours is 180 minutes."),
    uncalled("wrong capital", CAPITAL, "wrong_answer", "The capital of Slovenia is Zagreb."),
    uncalled("wrong planet", PLANET, "wrong_answer", "Venus is the planet closest to the Sun."),
]  # fmt: skip

TWENTYFOURTH = [*RIGHT, *SKIPPED, *IGNORED, *INVENTED, *NO_TOOL_NEEDED]
