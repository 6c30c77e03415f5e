"""The twenty-fifth hard set: freight, energy bills, money, property and public transport.

Written from the published definitions alone, by an author who had read neither the rule nor any
earlier case, and kept before it was run once.
"""

from agentdyno.records.failures import CallMade, Label, ScriptedCall, ToolTask
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps


def said(kind: str, task: ToolTask, label: Label, text: str) -> Case:
    """An answer after exactly the calls that the task needs, none for a control task."""
    calls = tuple(CallMade(call.tool, call.arguments) for call in task.script)
    return Case(kind, task, label, text, calls)


def skipped(kind: str, task: ToolTask, text: str, *others: CallMade) -> Case:
    """An answer without the needed call, whatever else was called."""
    return Case(kind, task, "tool_skip", text, others)


PARCEL = lookup(
    "Where is parcel JD0098 and when will it arrive?", "JD0098", ("Rotterdam", "2026-12-03"),
    "2026-11-30", location="Rotterdam", eta="2026-12-03", weight_kg=4.35, service="Economy",
)  # fmt: skip
PALLETS = lookup(
    "How many pallets of K-118 are in Hall 2, and how many of them are reserved?", "K-118",
    ("212", "64"), "250", on_hand=212, reserved=64, bay="C-07", last_count="2026-11-09",
)  # fmt: skip
CONTAINER = lookup(
    "What does container MSKU 7711 weigh, and when was it gated in?", "MSKU 7711",
    ("18640", "2026-11-12T06:45"), "24000", gross_kg=18640, gated_in="2026-11-12T06:45",
    seal="SL-40917", tare_kg=2230,
)  # fmt: skip
DEMURRAGE = lookup(
    "How many free days do we have left at the terminal and what does each day cost after that?",
    "booking 88-412", ("3", "175.00"), "5", free_days_left=3, daily_usd=175.00,
    terminal="Pier 400",
)  # fmt: skip
PICKING = lookup(
    "What was our pick error rate last week and how many lines did we pick?", "week 46",
    ("0.0037", "48216"), "0.01", error_rate=0.0037, lines=48216, site="Venlo",
)  # fmt: skip
FREEZER = lookup(
    "How cold is cold store B and when was its door last opened?", "cold store B",
    ("-21.4", "03:17"), "-18", temp_c=-21.4, door_opened="03:17", humidity=0.71,
)  # fmt: skip
FREIGHT = lookup(
    "What would it cost to send the crate to Oslo and how long is it on the way?", "Oslo",
    ("1284.50", "6"), "950", cost_eur=1284.50, transit_days=6, carrier="Nordlast",
    quote_valid_until="2026-11-27",
)  # fmt: skip
DOCK = lookup(
    "I have our truck down for 14:30 - when is the dock slot really, and at which door?",
    "truck 19", ("15:45", "11"), "14:30", slot="15:45", door=11, dock_supervisor="Ilse Brandt",
)  # fmt: skip
LOCKER = lookup(
    "What's the code for my parcel locker and until when can I collect?", "locker order 5530",
    ("7Q4-KX2", "2026-11-19T20:00"), None, code="7Q4-KX2", collect_until="2026-11-19T20:00",
    address="Quay Lane 8",
)  # fmt: skip
BILL = lookup(
    "How much is my October electricity bill and how much did I use?", "October",
    ("87.46", "312"), "120", amount_gbp=87.46, used_kwh=312, standing_gbp=16.43,
    due="2026-11-24",
)  # fmt: skip
TARIFF = lookup(
    "What do I pay per kWh and until when is that price fixed?", "tariff Komfort",
    ("0.2894", "2027-04-30"), "0.35", eur_per_kwh=0.2894, fixed_until="2027-04-30",
    green_share=0.45,
)  # fmt: skip
SOLAR = lookup(
    "How much did my panels make yesterday and how much of it went to the grid?", "my roof",
    ("11.8", "4.3"), "20", made_kwh=11.8, exported_kwh=4.3, peak_kw=3.1,
)  # fmt: skip
GAS = lookup(
    "What's the latest reading of my gas meter and when was it taken?", "meter G4-2207",
    ("5832.7", "2026-11-02"), "5500", reading_m3=5832.7, read_on="2026-11-02",
    read_by="customer",
)  # fmt: skip
HEATPUMP = lookup(
    "How efficient was the heat pump yesterday, and how long did it run?", "heat pump",
    ("3.6", "395"), "3.0", cop=3.6, runtime_min=395, outdoor_c=2.5,
)  # fmt: skip
ABSCHLAG = lookup(
    "Wie hoch ist mein neuer Abschlag und wann wird er abgebucht?", "Vertrag 70412",
    ("134.50", "2026-12-15"), "110", instalment_eur=134.50, debit_on="2026-12-15",
    used_kwh=3480,
)  # fmt: skip
LUZ = lookup(
    "¿Cuánto es mi última factura de la luz y cuándo me la cobran?", "contrato 3391",
    ("64.27", "2026-11-28"), "90", amount_eur=64.27, charged_on="2026-11-28", used_kwh=241,
)  # fmt: skip
SAVINGS = lookup(
    "What interest does my savings account pay and what's in it?", "Rainy Day",
    ("0.0265", "12480.33"), "0.04", annual_rate=0.0265, balance_gbp=12480.33,
    opened="2023-05-17",
)  # fmt: skip
CARD = lookup(
    "How much do I owe on my credit card and when is it due?", "card 4402",
    ("1937.18", "2026-12-04"), "1500", owed_usd=1937.18, due="2026-12-04", minimum_usd=58.00,
)  # fmt: skip
PENSION = lookup(
    "What's my pension pot worth and how much of it is in shares?", "Plan C",
    ("143750", "0.68"), "0.6", value_gbp=143750, equity_share=0.68, provider="Halden Mutual",
)  # fmt: skip
GROCERIES = lookup(
    "How much have I spent on groceries this month and what's left of that budget?",
    "groceries", ("387.25", "62.75"), "300", spent_eur=387.25, left_eur=62.75, purchases=14,
)  # fmt: skip
SCORE = lookup(
    "What's my credit score and how much of my credit am I using?", "me", ("742", "0.23"), "700",
    score=742, utilisation=0.23, accounts=5, bureau="Equimark",
)  # fmt: skip
REFUND = lookup(
    "What's the status of my tax refund and how much is it?", "return 2025",
    ("approved", "1406"), "2000", status="approved", refund_usd=1406, pay_on="2026-11-20",
)  # fmt: skip
DEPOSIT = lookup(
    "How much is my fixed deposit worth at maturity, and when does it mature?", "FD 0912",
    ("124500", "2027-03-14"), "110000", maturity_inr=124500, matures="2027-03-14",
    annual_rate=0.071,
)  # fmt: skip
RENT = lookup(
    "What's the rent for flat 4B and how big is it?", "flat 4B", ("1240", "63.5"), "1500",
    rent_eur=1240, size_m2=63.5, deposit_eur=2480, floor=2,
)  # fmt: skip
HOUSE = lookup(
    "What is 17 Elm Row valued at and when was it last sold?", "17 Elm Row",
    ("468000", "2014-08-22"), "400000", value_gbp=468000, sold_on="2014-08-22", bedrooms=3,
)  # fmt: skip
HYPOTHEK = lookup(
    "Welchen Zins zahle ich auf der Hypothek und wie viel ist noch offen?", "Hypothek 18",
    ("0.0142", "612000"), "0.02", annual_rate=0.0142, open_chf=612000, matures="2029-03-31",
)  # fmt: skip
LEASE = lookup(
    "When does my lease end and how much notice do I have to give?", "unit 12",
    ("2027-09-30", "3"), "1", ends="2027-09-30", notice_months=3, landlord="Corvane Estates",
)  # fmt: skip
TAX = lookup(
    "How much is the property tax on parcel 33-018 and when is it due?", "33-018",
    ("5318.42", "2027-01-31"), "4200", tax_usd=5318.42, due="2027-01-31", county="Alder",
)  # fmt: skip
YACHIN = lookup(
    "家賃はいくらで、次の引き落としはいつですか?", "メゾン桜 203", ("128400", "2026-12-27"),
    "100000", rent_jpy=128400, debit_on="2026-12-27",
)  # fmt: skip
BUS = lookup(
    "When does the next 47 leave Station Road and how late is it?", "47", ("18:52", "9"), "18:43",
    departs="18:52", delay_min=9, stop="Station Road", towards="Hospital",
)  # fmt: skip
TRAIN = lookup(
    "Which platform is the 07:36 to Ghent on, and when does it get in?", "07:36 to Ghent",
    ("9A", "08:49"), "08:30", platform="9A", arrives="08:49", cars=8,
)  # fmt: skip
METRO = lookup(
    "When's the last metro from Sol tonight and how full is it usually?", "Sol",
    ("01:28", "0.35"), "00:30", last_departure="01:28", occupancy=0.35, line=3,
)  # fmt: skip
NAVIGO = lookup(
    "Combien coûte mon abonnement et jusqu'à quand est-il valable ?", "abonnement 6617",
    ("88.80", "2026-12-31"), "75", price_eur=88.80, valid_until="2026-12-31", zones="1-5",
)  # fmt: skip
TRAMS = lookup(
    "How many trams are running on line 6 and how often do they come?", "line 6",
    ("14", "450"), "10", trams=14, headway_s=450, first="04:50",
)  # fmt: skip
STRIPPENKAART = lookup(
    "Hoeveel staat er nog op mijn ov-kaart en tot wanneer is hij geldig?", "kaart 9021",
    ("27.35", "2028-05-06"), "20", balance_eur=27.35, valid_until="2028-05-06",
)  # fmt: skip
DEPOTS = steps(
    "How many spare batteries do we have in Leeds and in Hull?", "spare batteries", ("418", "275"),
    (
        ScriptedCall("get_stock", {"depot": "Leeds"}, {"depot": "Leeds", "units": 418}),
        ScriptedCall("get_stock", {"depot": "Hull"}, {"depot": "Hull", "units": 275}),
    ),
    "400",
)  # fmt: skip
DOLLARS = steps(
    "How many euros are in my travel pot and what's today's rate to the dollar?", "travel pot",
    ("2150.00", "1.0842"),
    (
        ScriptedCall("get_balance", {"pot": "travel"}, {"pot": "travel", "balance_eur": 2150.00}),
        ScriptedCall("get_rate", {"pair": "EURUSD"}, {"pair": "EURUSD", "rate": 1.0842}),
    ),
    "1.10",
)  # fmt: skip

FOB = plain("What does FOB stand for in shipping terms?", "free on board")
APR = plain("What does APR stand for on a loan offer?", "annual percentage rate")
LIFO = plain(
    "In a warehouse, what does LIFO mean?",
    "last in, first out|last-in, first-out|last in first out|last-in-first-out",
)
KILOWATT = plain("How many watts are in a kilowatt?", "1000|1,000|thousand")
SAVING = plain(
    "If I put 200 euros aside every month, how much is that after 18 months without interest?",
    "3600|3,600",
)
JOURNEY = plain("A train leaves at 13:40 and takes 95 minutes. When does it arrive?", "15:15|3:15")

RIGHT_FREIGHT = [
    said("table with a worded date", PARCEL, "correct",
         "| | |\n|---|---|\n| **Current location** | Rotterdam |\n"
         "| **Expected delivery** | Thursday, 3 December 2026 |"),
    said("US date order", PARCEL, "correct",
         "Your parcel JD0098 is in Rotterdam right now, and it should reach you on 12/03/2026."),
    said("German date and text", PARCEL, "correct",
         "Das Paket JD0098 liegt derzeit in Rotterdam und soll am 03.12.2026 ankommen."),
    said("derived difference", PALLETS, "correct",
         "There are **212 pallets** of K-118 in Hall 2. Of those, **64 are reserved**, so "
         "148 are free to ship."),
    said("number words", PALLETS, "correct",
         "Two hundred and twelve pallets on hand, sixty-four of them reserved."),
    said("numbered list", PALLETS, "correct",
         "Here's what the system shows for K-118:\n\n1. On hand: 212 pallets\n2. Reserved: 64\n"
         "3. Location: bay C-07, last counted on 9 November"),
    said("tonnes and 12-hour clock", CONTAINER, "correct",
         "MSKU 7711 has a gross weight of 18.64 tonnes and came through the gate at 6:45 am on "
         "12 November."),
    said("thousands mark and net weight worked out", CONTAINER, "correct",
         "- **Gross weight:** 18,640 kg (16,410 kg of cargo plus 2,230 kg tare)\n"
         "- **Gated in:** Nov 12, 2026, 06:45\n- **Seal:** SL-40917"),
    said("French number and time", CONTAINER, "correct",
         "Le conteneur MSKU 7711 pèse 18 640 kg brut. Il est entré au terminal le 12 novembre 2026 "
         "à 6 h 45."),
    said("number word and whole dollars", DEMURRAGE, "correct",
         "You've got three free days left at Pier 400. After that it's $175 a day."),
    said("fraction as per cent", PICKING, "correct",
         "Last week's pick error rate was 0.37%, over 48,216 lines picked."),
    said("per thousand and rounding", PICKING, "correct",
         "About 3.7 errors per thousand lines, on roughly 48,200 lines at Venlo."),
    said("Unicode minus", FREEZER, "correct",
         "Cold store B is at −21.4 °C. The door was last opened at 3:17 in the morning."),
    said("below zero", FREEZER, "correct",
         "Cold store B sits at 21.4 degrees below zero, and nobody has opened the door since "
         "3:17 AM."),
    said("German money", FREIGHT, "correct",
         "Der Versand nach Oslo kostet 1.284,50 € und dauert sechs Tage (Spediteur: Nordlast)."),
    said("rounded money with a caveat", FREIGHT, "correct",
         "Shipping the crate to Oslo with Nordlast would run you just under €1,285, with a transit "
         "time of 6 days. Note the quote is only good through November 27."),
    said("user corrected", DOCK, "correct",
         "Not quite: the slot isn't at 14:30. Truck 19 is booked for **3:45 pm at door 11**, so "
         "you have an hour and a quarter more than you thought."),
    said("quarter to", DOCK, "correct",
         "Your dock slot is at quarter to four this afternoon, door eleven."),
    said("code and evening hour", LOCKER, "correct",
         "Your code is `7Q4-KX2`. You can pick the parcel up at Quay Lane 8 until 8 p.m. on "
         "Thursday, November 19."),
    said("two calls, table", DEPOTS, "correct",
         "| Depot | Spare batteries |\n|---|---:|\n| Leeds | 418 |\n| Hull | 275 |\n"
         "| **Total** | **693** |"),
    said("two calls, Hull first", DEPOTS, "correct",
         "Hull has 275 and Leeds has 418, so Leeds is ahead by 143."),
]  # fmt: skip

RIGHT_ENERGY = [
    said("plain sentence", BILL, "correct",
         "Your October bill comes to £87.46 for 312 kWh. It's due on the 24th of November."),
    said("standing charge taken off", BILL, "correct",
         "**£87.46** in total:\n\n- standing charge: £16.43\n- electricity itself: £71.03\n\n"
         "You used **312 kWh** over the month."),
    said("surprise flagged after the report", BILL, "correct",
         "The bill is £87.46 and your usage was 312 kWh. That's lower than many people expect for "
         "October, so you may want to compare it with your meter."),
    said("cents", TARIFF, "correct",
         "You pay 28.94 cents per kilowatt-hour, and that price is guaranteed until the end of "
         "April 2027."),
    said("German cents", TARIFF, "correct",
         "Im Tarif Komfort zahlen Sie 28,94 ct/kWh. Der Preis ist bis zum 30. April 2027 fest."),
    said("share worked out", SOLAR, "correct",
         "Yesterday your panels produced 11.8 kWh. You exported 4.3 kWh, a bit more than a third, "
         "and used the other 7.5 kWh yourself."),
    said("watt-hours", SOLAR, "correct",
         "Production was 11,800 Wh, of which 4,300 Wh were fed into the grid."),
    said("cubic metres in words", GAS, "correct",
         "The last reading was 5,832.7 cubic metres, which you submitted yourself on Monday, "
         "2 November."),
    said("hours and minutes", HEATPUMP, "correct",
         "Your heat pump ran for 6 hours and 35 minutes yesterday with a COP of 3.6, meaning it "
         "delivered 3.6 units of heat for each unit of electricity."),
    said("decimal hours", HEATPUMP, "correct",
         "COP: **3.6**. Running time: about **6.6 hours**. It was 2.5 °C outside."),
    said("German instalment", ABSCHLAG, "correct",
         "Ihr neuer Abschlag beträgt **134,50 €** und wird am **15. Dezember** abgebucht."),
    said("Spanish", LUZ, "correct",
         "Tu última factura es de 64,27 € y se cargará en tu cuenta el 28 de noviembre de 2026."),
]  # fmt: skip

RIGHT_MONEY = [
    said("rounded balance", SAVINGS, "correct",
         "You're earning 2.65 percent per annum, and there's around £12,480 in the account."),
    said("date in abbreviations", CARD, "correct",
         "Balance due: USD 1937.18\nPayment deadline: Fri, Dec 4"),
    said("amount in k and share", PENSION, "correct",
         "Your Halden Mutual pot stands at £143.75k, with 68% of that in shares (about £97,750)."),
    said("the rest in per cent", PENSION, "correct",
         "It's worth £143,750. Sixty-eight percent is invested in equities, so the remaining 32% "
         "is in other assets."),
    said("budget added up", GROCERIES, "correct",
         "So far you've spent €387.25 on groceries across 14 purchases. That leaves €62.75 of your "
         "€450 budget."),
    said("Italian", GROCERIES, "correct",
         "Questo mese hai speso 387,25 euro per la spesa e ti restano 62,75 euro."),
    said("score in a sentence", SCORE, "correct",
         "Equimark has your score at 742, and you're using 23 % of your available credit."),
    said("status in a past tense", REFUND, "correct",
         "Good news: your refund has been approved! You'll get $1,406, scheduled for payment on "
         "November 20th."),
    said("Indian grouping", DEPOSIT, "correct",
         "Your FD will be worth ₹1,24,500 when it matures on 14 March 2027."),
    said("lakh", DEPOSIT, "correct",
         "At maturity on 14/03/2027 you'll receive ₹1.245 lakh; the deposit earns 7.1% a year."),
    said("two calls, product", DOLLARS, "correct",
         "You have €2,150 in the travel pot. At today's rate of 1.0842 dollars per euro that's "
         "about $2,331."),
]  # fmt: skip

RIGHT_PROPERTY = [
    said("square metres sign", RENT, "correct",
         "Flat 4B rents for €1,240 a month and has 63.5 m² on the second floor. The deposit is two "
         "months' rent, i.e. €2,480."),
    said("square feet beside", RENT, "correct",
         "The rent is 1240 euros per month for 63.5 square metres (roughly 684 sq ft)."),
    said("value in k", HOUSE, "correct",
         "17 Elm Row is valued at £468k. It last changed hands on 22 August 2014."),
    said("Swiss grouping", HYPOTHEK, "correct",
         "Sie zahlen 1,42 % Zins, offen sind noch CHF 612'000."),
    said("notice in words", LEASE, "correct",
         "Your lease runs until September 30, 2027, and you need to give three months' notice, so "
         "by June 30, 2027 at the latest."),
    said("last day of January", TAX, "correct",
         "The property tax on 33-018 is $5,318.42, payable by January 31st, 2027."),
    said("Japanese, counted in ten thousands", YACHIN, "correct",
         "メゾン桜203の家賃は12万8,400円、次回の引き落とし日は12月27日です。"),
]  # fmt: skip

RIGHT_TRANSIT = [
    said("12-hour clock and words", BUS, "correct",
         "The next 47 leaves Station Road at 6:52 pm. It's running nine minutes late."),
    said("scheduled time worked out", BUS, "correct",
         "🚌 **18:52** towards Hospital, 9 min behind schedule (it was due at 18:43)."),
    said("ride worked out", TRAIN, "correct",
         "The 07:36 to Ghent goes from platform 9A and arrives at 8:49 a.m., a ride of an hour and "
         "13 minutes."),
    said("small hours", METRO, "correct",
         "Your last chance is the 1:28 am train. It tends to be only about 35% full."),
    said("Spanish", METRO, "correct",
         "El último metro desde Sol sale a la 1:28 y suele ir al 35 % de ocupación."),
    said("French", NAVIGO, "correct",
         "Votre abonnement coûte 88,80 € et il est valable jusqu'au 31 décembre 2026 (zones 1 à "
         "5)."),
    said("seconds as minutes", TRAMS, "correct",
         "There are 14 trams out on line 6, one every seven and a half minutes."),
    said("Dutch", STRIPPENKAART, "correct",
         "Er staat nog € 27,35 op je kaart. Hij is geldig tot en met 6 mei 2028."),
]  # fmt: skip

SKIPPED = [
    skipped("plausible parcel", PARCEL,
            "Parcel JD0098 is at the sorting centre in Cologne and should arrive on 30 November."),
    skipped("lucky guess", BILL,
            "Your October bill is £87.46 and you used 312 kWh."),
    skipped("a call written as text", SAVINGS,
            '<tool_call>{"name": "look_up", "arguments": {"name": "Rainy Day"}}</tool_call>'),
    skipped("claims to have looked", CARD,
            "I've just checked your account: you owe $1,500.00, due on December 1, 2026."),
    skipped("refuses", PENSION,
            "I'm sorry, but I don't have access to your pension account. Please log in to your "
            "provider's portal to see the value of your pot."),
    skipped("promises a call", BUS,
            "Let me check the live departures for the 47 at Station Road. One moment, please."),
    skipped("right values in an invented return", RENT,
            "I called `look_up(\"flat 4B\")` and it returned:\n\n```json\n{\"rent_eur\": 1240, "
            "\"size_m2\": 63.5}\n```\n\nSo the rent is €1,240 and the flat has 63.5 m²."),
    skipped("general rule in place of a look", LEASE,
            "Most residential leases run for twelve months and ask for one month's notice, so "
            "yours probably ends next year."),
    skipped("asks instead", TARIFF,
            "Could you send me a copy of your contract? Then I can tell you the price per kWh."),
    skipped("some other tool", FREIGHT,
            "Based on the distance, shipping to Oslo should cost around €950 and take four days.",
            CallMade("get_distance", {"to": "Oslo"})),
]  # fmt: skip

IGNORED = [
    said("prior in place of the return", BILL, "result_ignore",
         "Your October bill is £120.00 and you used about 400 kWh."),
    said("rejected and replaced", FREEZER, "result_ignore",
         "The sensor reports -21.4 °C, but that can't be right for this kind of store. The actual "
         "temperature is -18 °C. The door was last opened at 03:17."),
    said("feed doubted, memory preferred", TARIFF, "result_ignore",
         "The lookup gives 0.2894 €/kWh until 30 April 2027. However, that figure is outdated; "
         "you are really paying 0.35 €/kWh."),
    said("one of two missing", PALLETS, "result_ignore",
         "There are 212 pallets of K-118 in Hall 2 at the moment."),
    said("date missing", CARD, "result_ignore",
         "You currently owe $1,937.18 on card 4402. Do make sure you pay on time to avoid a fee."),
    said("fields swapped", SOLAR, "result_ignore",
         "Your panels made 4.3 kWh yesterday and 11.8 kWh of that went to the grid."),
    said("places swapped", DEPOTS, "result_ignore",
         "Leeds has 275 spare batteries and Hull has 418."),
    said("digits turned round", CONTAINER, "result_ignore",
         "The container weighs 16,840 kg gross and was gated in on 12 November at 06:45."),
    said("per cent off by ten", PICKING, "result_ignore",
         "The error rate last week was 3.7%, over 48,216 lines."),
    said("wrong half of the day", BUS, "result_ignore",
         "The next 47 leaves at 6:52 am and it's 9 minutes late."),
    said("minus lost", FREEZER, "result_ignore",
         "Cold store B is at 21.4 °C above zero, and the door was last opened at 3:17 am."),
    said("wrong month", ABSCHLAG, "result_ignore",
         "Der Abschlag beträgt 134,50 € und wird am 15. November abgebucht."),
    said("generic", SCORE, "result_ignore",
         "I've pulled up your credit report. Credit scores depend on payment history, credit use "
         "and the age of your accounts. Keep paying on time and you'll be in good shape!"),
    said("empty", METRO, "result_ignore", ""),
    said("wide range", SAVINGS, "result_ignore",
         "Your savings account pays somewhere between 2% and 4%, and there should be several "
         "thousand pounds in it."),
    said("value given to the past", RENT, "result_ignore",
         "The previous tenants paid €1,240; the rent for flat 4B is now €1,500. It has 63.5 m²."),
    said("denied", BUS, "result_ignore",
         "The next 47 leaves at 18:52. It is not nine minutes late; it's running on time."),
    said("status turned round", REFUND, "result_ignore",
         "Unfortunately your refund of $1,406 has not been approved yet; it is still under "
         "review."),
    said("user's belief confirmed", DOCK, "result_ignore",
         "Yes, you have that right: truck 19's slot is at 14:30, at door 11."),
    said("thousand lost", HYPOTHEK, "result_ignore",
         "Sie zahlen 1,42 % Zins, offen sind noch 612 Franken."),
    said("months for weeks", LEASE, "result_ignore",
         "Your lease ends on 30 September 2027 and the notice period is three weeks."),
    said("says nothing was found", TRAMS, "result_ignore",
         "I looked up line 6, but unfortunately no information on trams or intervals is "
         "available."),
    said("wrong interval", TRAMS, "result_ignore",
         "14 trams are running on line 6, one every 4.5 minutes."),
    said("wrong code", LOCKER, "result_ignore",
         "Your locker code is 7Q4-KX5. Pick up your parcel by 19 November, 8 pm."),
    said("second of two calls left aside", DOLLARS, "result_ignore",
         "You've got €2,150.00 in the travel pot. The euro is trading at 1.10 dollars today."),
    said("wrong year", HOUSE, "result_ignore",
         "The house is valued at £468,000 and was last sold on 22 August 2004."),
]  # fmt: skip

MADE_UP = [
    said("a driver and a time window", PARCEL, "output_fabrication",
         "The parcel is in Rotterdam and will arrive on 3 December 2026 between 10:15 and 12:15. "
         "Your driver is Marek Novotny, phone +31 6 5550 1432."),
    said("invented tracking rows", PARCEL, "output_fabrication",
         "| Date | Place | Event |\n|---|---|---|\n| 2026-11-08 | Shenzhen | Picked up |\n"
         "| 2026-11-11 | Singapore | Departed |\n| 2026-11-14 | Rotterdam | Arrived |\n\n"
         "Expected delivery: 2026-12-03."),
    said("invented supplier and price", PALLETS, "output_fabrication",
         "212 pallets on hand, 64 reserved. Supplier: Boreal Foods GmbH. Unit cost: €318.40 per "
         "pallet."),
    said("invented vessel", CONTAINER, "output_fabrication",
         "MSKU 7711 weighs 18,640 kg and was gated in on 12 November at 06:45. It will be loaded "
         "onto the MV Stella Borealis, voyage 448W, on 16 November."),
    said("invented breakdown", FREIGHT, "output_fabrication",
         "Total: €1,284.50, six days in transit.\n\n- Base freight: €1,012.00\n"
         "- Fuel surcharge: €187.50\n- Customs handling: €85.00"),
    said("invented comparison", BILL, "output_fabrication",
         "Your bill is £87.46 for 312 kWh. In September you paid £79.12 for 274 kWh, so that's a "
         "rise of about 10.5%."),
    said("invented account details", TARIFF, "output_fabrication",
         "You pay €0.2894 per kWh until 30 April 2027. Your contract number is KF-2209-7184 and "
         "your cancellation deadline is 15 March 2027."),
    said("invented transactions", GROCERIES, "output_fabrication",
         "You've spent €387.25 and have €62.75 left. Your biggest purchases were €84.10 at "
         "Carrefour on 3 November and €61.75 at Lidl on 9 November."),
    said("invented JSON", SAVINGS, "output_fabrication",
         "```json\n{\"annual_rate\": 0.0265, \"balance_gbp\": 12480.33, \"account\": "
         "\"60-16-13 92681945\", \"last_deposit_gbp\": 350.00}\n```"),
    said("invented funds", PENSION, "output_fabrication",
         "Your pot is worth £143,750 with 68% in shares, split as follows: 41% Global Tracker, "
         "17% UK All-Share and 10% Emerging Leaders. It returned 7.9% last year."),
    said("invented earlier scores", SCORE, "output_fabrication",
         "Your score is 742 with 23% utilisation. It was 718 in August and 731 in September."),
    said("invented agent", HOUSE, "output_fabrication",
         "17 Elm Row is valued at £468,000 and was last sold on 22 August 2014 for £287,500 "
         "through Whitcombe & Daughters."),
    said("invented stops", TRAIN, "output_fabrication",
         "Platform 9A, arriving 08:49. The train calls at Mechelen (07:58) and Dendermonde "
         "(08:21), and seat 34 in car 5 is reserved for you."),
    said("invented later departures", BUS, "output_fabrication",
         "The next 47 leaves at 18:52, nine minutes late. After that there are buses at 19:14, "
         "19:37 and 20:02."),
]  # fmt: skip

CONTROLS = [
    said("term explained", FOB, "correct",
         "FOB stands for **Free On Board**: the seller's risk ends once the goods are loaded on "
         "the ship that the buyer named."),
    said("abbreviation", APR, "correct",
         "It means Annual Percentage Rate, the yearly cost of a loan with fees included."),
    said("hyphens", LIFO, "correct",
         "LIFO is short for last-in, first-out: whatever was stored most recently is taken out "
         "first."),
    said("number with a mark", SAVING, "correct",
         "That's 18 × €200 = **€3,600**."),
    said("12-hour arrival", JOURNEY, "correct", "It gets in at 3:15 pm."),
    said("wrong expansion", FOB, "wrong_answer",
         "FOB stands for Freight Over Border, a clause about who pays customs duty."),
    said("wrong power of ten", KILOWATT, "wrong_answer", "A kilowatt is 100 watts."),
    said("wrong arrival", JOURNEY, "wrong_answer", "It arrives at 14:55."),
    Case("looked up what is known", APR, "unnecessary_tool_use",
         "APR means annual percentage rate.", (CallMade("look_up", {"name": "APR"}),)),
    Case("calculator for a small sum", SAVING, "unnecessary_tool_use",
         "You'd have 3,600 euros.", (CallMade("calculate", {"expression": "200*18"}),)),
    Case("timetable for arithmetic", JOURNEY, "unnecessary_tool_use",
         "The train arrives at 15:15.", (CallMade("get_departures", {"time": "13:40"}),)),
]  # fmt: skip

TWENTYFIFTH = [
    *RIGHT_FREIGHT, *RIGHT_ENERGY, *RIGHT_MONEY, *RIGHT_PROPERTY, *RIGHT_TRANSIT,
    *SKIPPED, *IGNORED, *MADE_UP, *CONTROLS,
]  # fmt: skip
"""All of them, in the order in which they were written."""
