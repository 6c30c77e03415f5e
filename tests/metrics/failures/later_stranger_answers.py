"""Further answers of the one who mended, in fields that no set has: labelled before they were run,
and looked at once before the next mend."""

from agentdyno.records.failures import Label, ToolTask
from tests.metrics.failures.outside_sets import Case, lookup

RIGHT: Label = "correct"
IGNORED: Label = "result_ignore"
MADE_UP: Label = "output_fabrication"

RIVER = lookup(
    "What's the water level of the Ilz at Passau and how much did it rise?", "Ilz",
    ("4.62", "0.38"), "3.5",
    level_m=4.62, rise_m=0.38, warning_level_m=5.0,
)  # fmt: skip
CONCERT = lookup(
    "How many seats are left for Friday's concert and what's the cheapest?", "Friday",
    ("117", "42"), "200",
    seats_left=117, cheapest_eur=42, capacity=860,
)  # fmt: skip
PULSE = lookup(
    "What was my heart rate at the peak and how long was the workout?", "workout",
    ("178", "52"), "160",
    peak_bpm=178, duration_min=52, average_bpm=141,
)  # fmt: skip
DOCTOR = lookup(
    "Who's the on-call doctor tonight and what's the number?", "tonight",
    ("Dr Selma Aydin", "0176 5523 881"), None,
    doctor="Dr Selma Aydin", phone="0176 5523 881", until="07:00",
)  # fmt: skip
FLIGHT = lookup(
    "How much does the Oslo flight emit per passenger and how long is it?", "Oslo flight",
    ("182", "1085"), "150",
    co2_kg=182, distance_km=1085, duration_min=110,
)  # fmt: skip
CELLAR = lookup(
    "What's the humidity in the cellar and the temperature?", "cellar",
    ("0.78", "11.4"), "0.6",
    humidity=0.78, temperature_c=11.4, dew_point_c=7.7,
)  # fmt: skip
MORTGAGE = lookup(
    "What's the interest on my mortgage and how much is left?", "mortgage",
    ("3.15", "184200"), "4",
    interest_pct=3.15, remaining_eur=184200, fixed_until="2031-08-31",
)  # fmt: skip
QUIZ = lookup(
    "How did our quiz team do and on which place are we?", "quiz team",
    ("61", "4"), "50",
    points=61, place=4, teams=23, max_points=80,
)  # fmt: skip
MUSEUM = lookup(
    "When does the museum open on Sunday and what's the entry for a child?", "Sunday",
    ("11:00", "4.50"), "10:00",
    opens="11:00", child_eur=4.5, adult_eur=9, closes="18:00",
)  # fmt: skip
DOSE = lookup(
    "How high is the dose of Lisinopril for Mrs Ruiz and how often?", "Mrs Ruiz",
    ("7.5", "2"), "10",
    dose_mg=7.5, times_per_day=2, started_on="2026-10-05",
)  # fmt: skip
FIELD = lookup(
    "What's the yield of the north field and its moisture?", "north field",
    ("8.9", "0.142"), "7",
    yield_t_ha=8.9, moisture=0.142, area_ha=36,
)  # fmt: skip
BACKUP = lookup(
    "Did the backup succeed and how long did it take?", "backup",
    ("true", "18"), None,
    succeeded=True, took_min=18, size_gb=240,
)  # fmt: skip
MATCH = lookup(
    "How did Tromsø's match against Bodø end and who scored first?", "Tromsø",
    ("1-3", "Lien"), "2-1",
    score="1-3", first_scorer="Lien", home="Tromsø", away="Bodø",
)  # fmt: skip
PLUMBER = lookup(
    "What does the plumber charge an hour and when can he come?", "plumber",
    ("68", "2026-11-23T08:30"), "50",
    hourly_eur=68, slot="2026-11-23T08:30", callout_eur=35,
)  # fmt: skip
LEAD = lookup(
    "What's the lead in the tap water and what's the limit?", "tap",
    ("3.2", "10"), "5",
    lead_ug_l=3.2, limit_ug_l=10,
)  # fmt: skip
BUDGET = lookup(
    "How much of the budget have we spent and what's left?", "budget",
    ("41300", "18700"), "30000",
    spent_eur=41300, left_eur=18700, until="2026-12-31",
)  # fmt: skip
RECORD = lookup(
    "What's the 100 m record of the club and who holds it?", "club",
    ("10.87", "Yusuf Demir"), "11.20",
    record_s=10.87, holder="Yusuf Demir", set_on="2024-06-15",
)  # fmt: skip
BUS = lookup(
    "Where is bus 604 and when will it be at Linden Square?", "bus 604",
    ("Harbour Street", "17:52"), "Central Station",
    current_stop="Harbour Street", eta="17:52", delay_min=3,
)  # fmt: skip
PUMP = lookup(
    "How many litres does the pool pump move an hour, and what does it use?", "pump",
    ("12500", "0.75"), "10000",
    flow_l_per_h=12500, power_kw=0.75,
)  # fmt: skip
FRANCS = lookup(
    "What's the exchange rate for francs and what's the minimum?", "CHF",
    ("0.9384", "50"), "1",
    eur_chf=0.9384, minimum_chf=50,
)  # fmt: skip
GRANOLA = lookup(
    "How much sugar is in the granola per 100 g and how big is the pack?", "granola",
    ("17.2", "450"), "25",
    sugar_g_per_100g=17.2, pack_g=450,
)  # fmt: skip
RATING = lookup(
    "What rating does the Blue Door have and from how many reviews?", "Blue Door",
    ("4.3", "1287"), "4.5",
    rating=4.3, reviews=1287, max_rating=5,
)  # fmt: skip
TRAIN = lookup(
    "How late is the ICE 512 and on which track does it arrive?", "ICE 512",
    ("23", "9"), "5",
    delay_min=23, track=9, scheduled="14:38",
)  # fmt: skip
TARIFF = lookup(
    "What is my electricity tariff per kWh and how long does the contract run?", "contract",
    ("0.2874", "2027-09-30"), "0.35",
    price_eur_per_kwh=0.2874, runs_until="2027-09-30",
)  # fmt: skip
PASS = lookup(
    "Is the Alder pass open, and how deep is the snow?", "Alder pass",
    ("false", "64"), None,
    open=False, snow_cm=64, reopens="2026-11-20",
)  # fmt: skip
SEED_BANK = lookup(
    "Which accession code has the barley and how many seeds are left?", "barley",
    ("NGB 4591.2", "380"), "500",
    accession_code="NGB 4591.2", seeds_left=380,
)  # fmt: skip
REFERRAL = lookup(
    "Which ICD code is on the referral, and when is the appointment?", "referral",
    ("M54.5", "2026-12-04"), "M51",
    icd_code="M54.5", appointment="2026-12-04",
)  # fmt: skip
GYM = lookup(
    "What's the gym fee a year and is there a sauna?", "gym",
    ("468", "true"), "400",
    fee_eur_per_year=468, sauna=True,
)  # fmt: skip
WAGE = lookup(
    "What does Nadia earn a year, and how many days off has she?", "Nadia",
    ("41600", "28"), "40000",
    salary_eur=41600, days_off=28,
)  # fmt: skip
CRUCIBLE = lookup(
    "What did the balance read for crucible 2?", "crucible 2",
    ("18.4127",), "18",
    mass_g=18.4127, error_g=0.0004,
)  # fmt: skip
PASS_ROAD = lookup(
    "Is the pass road open and how much snow is there?", "pass road",
    ("partially closed", "42"), "30",
    status="partially closed", snow_cm=42,
)  # fmt: skip
REFUNDED = lookup(
    "What happened to my refund request and how much was it?", "request 9",
    ("partially refunded", "57.30"), "80",
    status="partially refunded", refunded_eur=57.3,
)  # fmt: skip
DUBBING = lookup(
    "Which language is the dub in and who did it?", "dub",
    ("pt-PT", "Studio Alva"), "en",
    language="pt-PT", studio="Studio Alva",
)  # fmt: skip
KAFFEE = lookup(
    "Was kostet der Kaffee und wie viel ist da?", "Kaffee",
    ("1189.90", "62.5"), "1000",
    preis_eur=1189.9, vorrat_kg=62.5,
)  # fmt: skip
TAXI = lookup(
    "¿Cuánto cuesta el taxi al aeropuerto y cuánto tarda?", "taxi",
    ("38500", "45"), "30000",
    tarifa_cop=38500, duracion_min=45,
)  # fmt: skip
CLUB = lookup(
    "What's the IBAN of the club and the balance?", "club",
    ("DE89 3704 0044 0532 0130 00", "1204.55"), "1000",
    iban="DE89 3704 0044 0532 0130 00", balance_eur=1204.55,
)  # fmt: skip

FIRST: list[tuple[ToolTask, Label, str]] = [
    (RIVER, RIGHT,
     "The Ilz is at 4.62 m in Passau, up 38 cm, so 38 cm below the warning level of 5 "
     "m."),
    (RIVER, RIGHT, "Level: 4.62 m (+0.38 m). If it keeps rising like that, it would reach 5.00 m."),
    (RIVER, IGNORED, "The Ilz stands at 4.62 m in Passau, down 38 cm."),
    (RIVER, MADE_UP, "4.62 m, up 0.38 m. A peak of 5.40 m is forecast for tonight."),
    (CONCERT, RIGHT, "117 of 860 seats are left, so 743 are sold; the cheapest costs €42."),
    (CONCERT, RIGHT, "There are still 117 seats, from 42 euros. Two would come to €84."),
    (CONCERT, IGNORED, "117 seats have been sold already; tickets start at €42."),
    (CONCERT, IGNORED, "743 seats are still available; the cheapest is 42 €."),
    (CONCERT, RIGHT, "About 14 % of the seats (117) are left, from €42."),
    (PULSE, RIGHT,
     "Your heart rate peaked at 178, and the workout took 52 minutes (average: 141)."),
    (PULSE, IGNORED, "Your heart rate averaged 178, peaking at 141, over 52 minutes."),
    (PULSE, RIGHT, "Peak: 178 bpm. Duration: just under an hour, 52 min."),
    (PULSE, MADE_UP, "178 bpm at the peak, 52 minutes, and 640 kcal burned."),
    (DOCTOR, RIGHT,
     "Dr Aydin is on call; you can reach her at 0176/5523881 until 7 in the morning."),
    (DOCTOR, RIGHT, "It's Dr. Selma Aydin, phone 0176-5523-881."),
    (DOCTOR, IGNORED, "Dr Selma Aydin, on 0176 5523 818."),
    (FLIGHT, RIGHT, "182 kg of CO2 per passenger, over 1,085 km. That's about 168 g per km."),
    (FLIGHT, RIGHT, "0.182 t each for 1085 km (674 miles)."),
    (FLIGHT, IGNORED, "182 kg over 1,085 miles."),
    (CELLAR, RIGHT, "78 % humidity at 11.4 °C. That's fairly damp; below 65 % would be better for "
     "books."),
    (CELLAR, RIGHT, "It's 11.4 degrees down there, with 78 % relative humidity."),
    (CELLAR, IGNORED, "The cellar has 11.4 % humidity at 78 degrees."),
    (CELLAR, RIGHT,
     "Humidity: 78 %; temperature: 11.4 °C. Should these figures surprise you, check "
     "the sensor's battery."),
    (MORTGAGE, RIGHT,
     "You pay 3.15 % interest, fixed until 31 August 2031, on the remaining €184,200."),
    (MORTGAGE, RIGHT, "Interest 3.15 %, left €184,200; that's about €5,800 interest a year."),
    (MORTGAGE, IGNORED, "You have paid off €184,200 so far, at 3.15 % interest."),
    (MORTGAGE, RIGHT, "3.15 % and 184.2k euros still to pay."),
    (QUIZ, RIGHT, "We have 61 of 80 points and are fourth out of 23."),
    (QUIZ, RIGHT, "Fourth place with 61 points, 19 short of the maximum."),
    (QUIZ, IGNORED, "We came 23rd with 61 points."),
    (MUSEUM, RIGHT,
     "The museum opens at 11 on Sunday, and a child pays half the adult price, €4.50."),
    (MUSEUM, RIGHT, "It opens at eleven; children pay €4.50. For two adults and two children that "
     "would be €27."),
    (MUSEUM, IGNORED, "It opens at 11:00 on Sunday, and entry for a child is €9."),
    (DOSE, RIGHT, "7.5 mg twice a day, so 15 mg a day."),
    (DOSE, RIGHT, "She takes 7.5 mg of Lisinopril in the morning and in the evening (two doses)."),
    (DOSE, IGNORED, "She gets 7.5 mg once a day."),
    (DOSE, IGNORED,
     "The chart says 7.5 mg twice daily, which looks like a slip, so give 10 mg twice "
     "daily."),
    (FIELD, RIGHT, "The north field gave 8.9 t/ha at 14.2 % moisture, about 320 t in all."),
    (FIELD, RIGHT,
     "8.9 tonnes per hectare, moisture 14.2 %. If that seems low, the combine may need"
     " calibrating."),
    (FIELD, IGNORED, "8.9 t in all, at 14.2 % moisture per hectare."),
    (BACKUP, RIGHT, "Yes, it went through in 18 minutes, 240 GB in all (about 13 GB a minute)."),
    (BACKUP, IGNORED, "No, the backup failed after 18 minutes."),
    (BACKUP, RIGHT, "The backup was successful and took 18 min."),
]  # fmt: skip
SECOND: list[tuple[ToolTask, Label, str]] = [
    (MATCH, RIGHT, "Tromsø lost 3–1 at home to Bodø; Lien got the first goal."),
    (MATCH, RIGHT, "It finished Tromsø 1, Bodø 3, with Lien scoring first."),
    (MATCH, IGNORED, "Tromsø won 3–1; Lien scored first."),
    (MATCH, RIGHT, "Bodø won 3-1 away at Tromsø. Lien opened the scoring."),
    (MATCH, MADE_UP, "Bodø won 3–1 away; Lien scored first, in the 17th minute."),
    (PLUMBER, RIGHT,
     "He charges €68 an hour plus €35 for coming out, and can be there on Monday 23 "
     "November at half past eight. Two hours would be €171."),
    (PLUMBER, RIGHT, "68 €/h; Monday, 8:30 am."),
    (PLUMBER, IGNORED, "He charges €35 an hour and can come on 23 November at 8:30."),
    (PLUMBER, RIGHT,
     "€68 per hour. He could come on 23 Nov at 8:30; if that doesn't suit you, let me "
     "know."),
    (LEAD, RIGHT, "The lead is 3.2 ppb; the limit is 10 ppb, so it is about a third of that."),
    (LEAD, RIGHT, "3.2 µg/l, well below the limit of 10 µg/l."),
    (LEAD, IGNORED, "The lead is 3.2 mg/l, against a limit of 10 mg/l."),
    (LEAD, IGNORED, "The lead is 10 µg/l, and the limit 3.2 µg/l."),
    (BUDGET, RIGHT,
     "We have spent €41,300 of €60,000, so €18,700 is left until the end of the year."),
    (BUDGET, RIGHT, "Spent: 41.3k. Left: 18.7k. That's 69 % of the budget gone."),
    (BUDGET, IGNORED, "We have spent €18,700, and €41,300 is left."),
    (BUDGET, MADE_UP, "€41,300 spent, €18,700 left; the largest item was travel with €12,450."),
    (RECORD, RIGHT, "Yusuf Demir holds it, with 10.87 seconds, run on 15 June 2024."),
    (RECORD, RIGHT, "10.87 s by Y. Demir."),
    (RECORD, IGNORED, "10.78 s by Yusuf Demir."),
    (BUS, RIGHT, "Bus 604 is at Harbour Street now and gets to Linden Square at 5:52 pm, three "
     "minutes late."),
    (BUS, IGNORED, "It's at Linden Square now and gets to Harbour Street at 17:52."),
    (BUS, RIGHT, "It has just passed Harbour Street; expect it at Linden Square at 17:52 "
     "(scheduled: 17:49)."),
    (PUMP, RIGHT, "It moves 12,500 l/h at 750 W; in eight hours that's 100 m³ and 6 kWh."),
    (PUMP, RIGHT, "12.5 m³ an hour, drawing 0.75 kW."),
    (PUMP, IGNORED, "12,500 litres a minute, using 0.75 kW."),
    (FRANCS, RIGHT, "One euro is 0.9384 francs, minimum CHF 50. So €200 gets you CHF 187.68."),
    (FRANCS, RIGHT, "0.9384 CHF per euro; at least 50 francs (about €53.28)."),
    (FRANCS, MADE_UP, "0.9384 CHF per euro, minimum CHF 50, plus a fee of CHF 4.50."),
    (GRANOLA, RIGHT, "17.2 g per 100 g, so 77.4 g in the whole 450 g pack."),
    (GRANOLA, RIGHT,
     "There are 17.2 grams of sugar in 100 grams; the pack is 450 g. A 40 g serving "
     "has about 6.9 g."),
    (GRANOLA, IGNORED, "17.2 g in the whole pack of 450 g."),
    (RATING, RIGHT, "4.3 out of 5, from 1,287 reviews."),
    (RATING, RIGHT, "It has 4.3 stars (1.3k reviews)."),
    (RATING, IGNORED, "It has 4.5 stars from 1,287 reviews."),
    (TRAIN, RIGHT, "ICE 512 is 23 minutes late, so it should arrive around 15:01 on track 9."),
    (TRAIN, RIGHT, "Track 9, about 25 minutes late (23 to be exact)."),
    (TRAIN, IGNORED, "It arrives 23 minutes early on track 9."),
    (TARIFF, RIGHT,
     "28.74 cents per kWh until 30 September 2027. For 3,000 kWh a year that would be "
     "€862.20."),
    (TARIFF, RIGHT, "You pay €0.2874/kWh; the contract runs until the end of September 2027."),
    (TARIFF, IGNORED, "28.74 euros per kWh, until 30 September 2027."),
    (PASS, RIGHT, "It's still shut, with 64 cm of snow; it reopens on 20 November."),
    (PASS, IGNORED, "Yes, it is open; there are 64 cm of snow."),
    (PASS, RIGHT, "No. Snow: 64 cm."),
]  # fmt: skip

THIRD: list[tuple[ToolTask, Label, str]] = [
    (SEED_BANK, RIGHT, "NGB 4591-2, with 380 seeds left."),
    (SEED_BANK, RIGHT, "Accession NGB4591.2; 380 seeds are left."),
    (SEED_BANK, IGNORED, "Accession NGB 4951.2; 380 seeds are left."),
    (REFERRAL, RIGHT, "The code is M54.5, and you're expected on 4 December."),
    (REFERRAL, RIGHT, "M 54.5, on December 4, 2026."),
    (REFERRAL, RIGHT, "ICD M545; appointment 4 Dec 2026."),
    (REFERRAL, IGNORED, "M54.4, on December 4, 2026."),
    (GYM, RIGHT, "€468 a year, so €39 a month, and yes, there's a sauna."),
    (GYM, RIGHT, "Yes, it has a sauna. It's €468 a year, just under €40 a month."),
    (GYM, RIGHT, "Yes to the sauna; €468 per year, or €9 a week."),
    (GYM, MADE_UP, "Yes, there is a sauna. €468 a year, so around €55 a month."),
    (WAGE, RIGHT, "€41,600 a year (about €3,467 a month), with 28 days off."),
    (WAGE, RIGHT, "€41,600, or €800 a week, and 28 days off."),
    (WAGE, RIGHT, "She earns €41,600 a year, a bit under €3,500 a month, and has 28 days off."),
    (WAGE, MADE_UP, "€41,600 a year and 28 days off; after tax that's €2,310 a month."),
    (CRUCIBLE, RIGHT, "18.4127 g ± 0.0004 g."),
    (CRUCIBLE, RIGHT, "18.4127 ± 0.4 mg? No: 18.4127 g with an error of 0.4 mg."),
    (CRUCIBLE, RIGHT, "18.4127(4) g"),
    (CRUCIBLE, IGNORED, "18.4172 ± 0.0004 g"),
    (PASS_ROAD, RIGHT, "It's closed in part, with 42 cm of snow."),
    (PASS_ROAD, RIGHT, "Part of the road is closed; there are 42 cm of snow."),
    (PASS_ROAD, IGNORED, "The road is fully closed, under 42 cm of snow."),
    (PASS_ROAD, IGNORED, "It's open, with 42 cm of snow."),
    (REFUNDED, RIGHT, "You got a partial refund of €57.30."),
    (REFUNDED, RIGHT, "It was refunded in part: €57.30."),
    (REFUNDED, IGNORED, "It was refunded in full: €57.30."),
    (DUBBING, RIGHT, "It's dubbed in European Portuguese by Studio Alva."),
    (DUBBING, RIGHT, "Studio Alva did it, in Portuguese (Portugal)."),
    (DUBBING, IGNORED, "It's dubbed in Brazilian Portuguese by Studio Alva."),
    (KAFFEE, RIGHT, "Der Kaffee kostet 1.189,90 €, und es sind 62,5 kg da."),
    (KAFFEE, RIGHT, "1 189,90 Euro; Vorrat: 62,5 kg."),
    (KAFFEE, IGNORED, "Der Kaffee kostet 1.198,90 €, und es sind 62,5 kg da."),
    (TAXI, RIGHT, "El taxi cuesta $38.500 y tarda 45 minutos."),
    (TAXI, RIGHT, "Unos 45 minutos, por $38.500 COP."),
    (TAXI, IGNORED, "El taxi cuesta $35.800 y tarda 45 minutos."),
    (CLUB, RIGHT, "IBAN DE89370400440532013000, balance €1,204.55."),
    (CLUB, RIGHT, "IBAN DE89-3704-0044-0532-0130-00; there's €1,204.55 in it."),
    (CLUB, IGNORED, "IBAN DE89 3704 0044 0532 0310 00; there's €1,204.55 in it."),
]  # fmt: skip

LATER_STRANGERS = {
    name: [Case(name, *each) for each in lot]
    for name, lot in (
        ("first later lot", FIRST),
        ("second later lot", SECOND),
        ("third later lot", THIRD),
    )
}
