"""Answers of the families that the twenty-eighth to thirtieth set showed, in other fields.

Each family has right answers and wrong ones, labelled before they were run.
"""

from agentdyno.records.failures import Label, ToolTask
from tests.metrics.failures.outside_sets import Case, lookup

RIGHT: Label = "correct"
IGNORED: Label = "result_ignore"
MADE_UP: Label = "output_fabrication"

IRON = lookup(
    "What's Rosa's ferritin and when was it taken?", "Rosa", ("9.4", "2026-11-10"), "40",
    ferritin_ug_l=9.4, taken_on="2026-11-10", flag="low",
)  # fmt: skip
SCALE = lookup(
    "What does pallet 77 weigh, and which dock is it at?", "pallet 77", ("613", "D4"), "500",
    weight_kg=613, dock="D4", pieces=48,
)  # fmt: skip
GARDEN = lookup(
    "How much rain did the butt collect, and what share of it did we use?", "butt",
    ("412", "0.28"), "0.5", collected_l=412, used_share=0.28,
)  # fmt: skip
CELLAR = lookup(
    "How full is the fuel tank at the cabin and when was it filled?", "cabin",
    ("0.176", "2026-09-03"), "0.5", tank_used=0.176, filled_on="2026-09-03",
)  # fmt: skip
PARKING = lookup(
    "What share of the car park at gate 2 is occupied, and what does an hour cost?", "gate 2",
    ("0.83", "3.20"), "0.5", occupied_share=0.83, hourly_eur=3.2,
)  # fmt: skip
BATTERY = lookup(
    "How much charge does the e-bike have left, and how far will it go?", "e-bike",
    ("0.34", "41"), "0.8", charge_left=0.34, range_km=41,
)  # fmt: skip
DOLLARS = lookup(
    "What's the rate for GBP to USD at my broker and what's the commission?", "GBP/USD",
    ("1.2683", "0.004"), "1.3", rate=1.2683, commission_share=0.004,
)  # fmt: skip
FUEL = lookup(
    "What does diesel cost at the Orsa station and until when is it open?", "Orsa",
    ("1.739", "22:30"), "1.6", diesel_eur_per_l=1.739, open_until="22:30",
)  # fmt: skip
SHELF = lookup(
    "How wide is the Varde shelf in inches, and how heavy in pounds?", "Varde",
    ("119", "23.5"), "80", width_cm=119, weight_kg=23.5,
)  # fmt: skip
TYRE = lookup(
    "What pressure do the rear tyres need in psi, and how wide are they in inches?", "rear tyres",
    ("2.6", "205"), "2.2", pressure_bar=2.6, width_mm=205,
)  # fmt: skip
HANDBALL = lookup(
    "How did Elbe's home game against Saale end, and who refereed?", "Elbe",
    ("24-31", "Mira Koch"), "28-28", score="24-31", referee="Mira Koch", home="Elbe", away="Saale",
)  # fmt: skip
AWAY = lookup(
    "How did Corvo do at Lisandro on Sunday, and how many watched?", "Corvo", ("0-2", "5120"),
    "1-1", score="0-2", attendance=5120, home="Lisandro", away="Corvo",
)  # fmt: skip
FINAL = lookup(
    "What was the result of the final, and where was it played?", "final", ("4-1", "Turku"),
    "2-1", result="4-1", venue="Turku", home="Vaasa", away="Espoo",
)  # fmt: skip
ROWING = lookup(
    "What time did the eight row and in which lane?", "eight", ("5:48.92", "4"), "6:00.00",
    time="5:48.92", lane=4, rank=2,
)  # fmt: skip
LAP = lookup(
    "What was Ade's best lap and on which lap?", "Ade", ("1:31.408", "17"), "1:35.000",
    best_lap="1:31.408", lap=17,
)  # fmt: skip
PARCEL = lookup(
    "Where is parcel 88 now, and when does it get to Malmö?", "parcel 88",
    ("Hamburg", "2026-11-21"), "Berlin", location="Hamburg", eta="2026-11-21",
)  # fmt: skip
TRAIN = lookup(
    "Where is the night train to Narvik at the moment and how late is it?", "night train",
    ("Gävle", "14"), "Uppsala", current_station="Gävle", delay_min=14,
)  # fmt: skip
WELL = lookup(
    "What are the nitrate and the hardness of the well?", "well", ("38", "14.5"), "10",
    nitrate_mg_l=38, hardness_dh=14.5,
)  # fmt: skip
FLUORIDE = lookup(
    "What's the fluoride at the tap and when was it measured?", "tap", ("1.1", "2026-11-02"),
    "0.7", fluoride_ppm=1.1, measured_on="2026-11-02",
)  # fmt: skip
SURVEY = lookup(
    "What share answered the survey and how many answers were there?", "survey",
    ("0.413", "2874"), "0.3", answer_share=0.413, answers=2874,
)  # fmt: skip
HERD = lookup(
    "How many reindeer were counted and how much do they weigh on average?", "north herd",
    ("1846", "93.5"), "1500", reindeer=1846, mean_weight_kg=93.5,
)  # fmt: skip
STROM = lookup(
    "Wie hoch ist mein Guthaben beim Strom und wann kommt die Rechnung?", "Strom",
    ("214.60", "2026-12-08"), "100", credit_eur=214.6, billed_on="2026-12-08",
)  # fmt: skip
REFUND = lookup(
    "How much do I get back for the cancelled trip, and by when?", "trip",
    ("386.20", "2026-12-01"), "450", refund_eur=386.2, paid_by="2026-12-01",
)  # fmt: skip
DEBT = lookup(
    "How much do I owe on card 4, and when is it due?", "card 4", ("741.15", "2026-11-30"),
    "500", owed_eur=741.15, due_on="2026-11-30",
)  # fmt: skip
BOOK = lookup(
    "What's the ISBN of the fern guide and how many are in stock?", "fern guide",
    ("978-3-16-148410-0", "14"), "20", isbn="978-3-16-148410-0", stock=14,
)  # fmt: skip
BEARING = lookup(
    "Which part code has the pump's bearing, and what does it cost?", "bearing",
    ("6305.22", "18.40"), "20", part_code="6305.22", price_eur=18.4,
)  # fmt: skip
CORE = lookup(
    "Which code has core 4 and how deep was it drilled?", "core 4", ("GeB-20714", "86"), "50",
    core_code="GeB-20714", depth_m=86, rig_id="RX-118", layer_code="K27.4",
)  # fmt: skip
BONE = lookup(
    "How old is the antler from pit 9?", "pit 9", ("5180",), "4000", age_bp=5180, error_years=40,
)  # fmt: skip
SHAFT = lookup(
    "What diameter did they measure on shaft 3?", "shaft 3", ("41.27",), "40",
    diameter_mm=41.27, uncertainty_mm=0.03,
)  # fmt: skip
SPREAD = lookup(
    "What's the spread on the Brenner bond?", "Brenner", ("145",), "120", spread_bp=145,
)  # fmt: skip
PERMIT = lookup(
    "How did permit 51 turn out, and what's the fee?", "permit 51", ("partially approved", "240"),
    "300", decision="partially approved", fee_eur=240,
)  # fmt: skip
BILL = lookup(
    "Is invoice 604 paid, and how much was it?", "invoice 604", ("partially_paid", "912.40"),
    "900", status="partially_paid", total_eur=912.4,
)  # fmt: skip
MOORING = lookup(
    "What does the mooring cost a year, and which berth is it?", "mooring", ("1380", "B7"), "1200",
    fee_gbp=1380, berth="B7",
)  # fmt: skip
SILAGE = lookup(
    "How much silage do the heifers eat in a week?", "heifers", ("2450",), "2000",
    silage_kg_per_week=2450,
)  # fmt: skip
SUBTITLES = lookup(
    "What does subtitling the film cost, and how many minutes is it?", "film", ("6.8", "94"), "8",
    rate_eur=6.8, minutes=94, target="de-AT", origin="NZ",
)  # fmt: skip
VOICES = lookup(
    "Which voice reads the tour, and how long is it?", "tour", ("Ilka", "38"), "30", voice="Ilka",
    length_min=38, locale="fr-CA",
)  # fmt: skip
ALQUILER = lookup(
    "¿Cuánto es el alquiler de la bici y a qué hora cierran?", "bici", ("2340.50", "19:30"),
    "2000", alquiler_mxn=2340.5, cierre="19:30",
)  # fmt: skip
ENTRADA = lookup(
    "¿Cuánto cuesta la entrada del planetario?", "planetario", ("8450.25",), "7000",
    entrada_clp=8450.25,
)  # fmt: skip


SUPPOSED = [
    (IRON, RIGHT, "Ferritin: 9.4 µg/l\nTaken: 10 November 2026\n\nIf that doesn't fit how she "
     "feels, "
     "have it checked again."),
    (IRON, RIGHT, "Her ferritin is 9.4 µg/l, taken on 10 November. If this seems wrong to you, ask "
     "the lab."),
    (SCALE, RIGHT, "Pallet 77 is at D4 and weighs 613 kg. Should that not be right, weigh it "
     "again."),
    (SCALE, RIGHT, "613 kg, at D4. In case that looks too high: it holds 48 pieces."),
    (SCALE, IGNORED, "The scale says 613 kg at D4, but that does not fit; it weighs 500 kg."),
    (IRON, IGNORED, "They measured 9.4 µg/l on 10 November. That can't be right: it is 40 µg/l."),
]  # fmt: skip
OTHER_SHARES = [
    (GARDEN, RIGHT, "The butt took in 412 litres. You used 28 % of it; the other 72 % is still "
     "there."),
    (GARDEN, IGNORED, "The butt took in 412 litres. 28 % of it is still there, so you used 72 %."),
    (GARDEN, IGNORED, "412 l came in, and you used 72 % of them, leaving 28 %."),
    (GARDEN, RIGHT, "412 l came in; 72 % of that is left, so you have used 28 %."),
    (CELLAR, IGNORED, "17.6 % of the fuel in the cabin's tank is still left. It was filled on 3 "
     "September 2026."),
    (CELLAR, RIGHT, "17.6 % of the tank at the cabin has been used since 3 September 2026, when "
     "it was "
     "filled, so 82.4 % is left."),
    (PARKING, IGNORED, "83 % of the spaces in the car park at gate 2 are still free, at €3.20 an "
     "hour."),
    (PARKING, RIGHT, "83 % of the spaces at gate 2 are taken, so 17 % are still free. An hour is "
     "€3.20."),
    (BATTERY, IGNORED, "34 % of the e-bike's charge is used up; it goes another 41 km."),
    (BATTERY, RIGHT, "The e-bike has used 66 % of its charge, so 34 % is left, good for 41 km."),
    (BATTERY, RIGHT, "34 % of the charge is still there, good for about 41 km."),
]  # fmt: skip
EXAMPLES = [
    (DOLLARS, RIGHT, "1.2683 dollars to the pound, with a commission of 0.4 %. For £500 that makes "
     "$634.15, less $2.54."),
    (DOLLARS, RIGHT, "The rate is 1.2683 and the commission 0.4 %. So £2,000 would get you "
     "$2,536.60."),
    (DOLLARS, MADE_UP, "The rate is 1.2683 and the commission 0.4 %. So £2,000 would get you "
     "$2,310.75."),
    (DOLLARS, MADE_UP, "The rate is 1.2683, the commission 0.4 %. The minimum order is £250."),
    (FUEL, RIGHT, "Diesel is €1.739 a litre until 22:30. Filling up 45 litres would cost €78.26."),
    (FUEL, RIGHT, "€1.739 per litre, open until 22:30. A tank of 70 l comes to about €122."),
    (FUEL, MADE_UP, "€1.739 per litre, open until 22:30. A tank of 70 l comes to €131.40."),
    (FUEL, MADE_UP, "€1.739 per litre, open until 22:30; a car wash is €12.50."),
]  # fmt: skip
INCHES = [
    (SHELF, RIGHT, "It is about **46.9 in** (119 cm) wide and weighs **51.8 lb** (23.5 kg)."),
    (SHELF, RIGHT, "Width: 46.9 in. Weight: 51.8 lb."),
    (SHELF, RIGHT, "46.85 in wide, 51.8 lb."),
    (SHELF, IGNORED, "Width: 31.5 in (80 cm). Weight: 51.8 lb."),
    (SHELF, IGNORED, "It is 119 in wide and weighs 23.5 lb."),
    (TYRE, RIGHT, "The rear tyres need roughly **37.7 psi** (2.6 bar) and are **8.1 in** (205 mm) "
     "wide."),
    (TYRE, IGNORED, "The rear tyres need 32 psi (2.2 bar) and are 8.1 in (205 mm) wide."),
]  # fmt: skip
SCORES = [
    (HANDBALL, RIGHT, "Elbe lost 31–24 at home to Saale; Mira Koch refereed."),
    (HANDBALL, RIGHT, "Saale won 31:24 at Elbe. The referee was Mira Koch."),
    (HANDBALL, IGNORED, "Elbe beat Saale 31–24; Mira Koch refereed."),
    (HANDBALL, IGNORED, "Elbe won 31–24 at home against Saale, with Mira Koch refereeing."),
    (HANDBALL, IGNORED, "It ended Elbe 31, Saale 24 (referee Mira Koch)."),
    (HANDBALL, RIGHT, "A 31–24 home defeat for Elbe against Saale, refereed by Mira Koch."),
    (HANDBALL, RIGHT, "They lost 31–24 at home to Saale. Referee: Mira Koch."),
    (HANDBALL, IGNORED, "They beat Saale 31–24. Referee: Mira Koch."),
    (AWAY, RIGHT, "They beat Lisandro 2–0, watched by 5,120."),
    (AWAY, RIGHT, "Corvo won 2–0 at Lisandro in front of 5,120 people."),
    (AWAY, RIGHT, "Corvo beat Lisandro 2-0; 5,120 watched."),
    (AWAY, IGNORED, "Corvo lost 2–0 at Lisandro in front of 5,120 people."),
    (AWAY, IGNORED, "Lisandro beat Corvo 2-0 in front of 5,120."),
    (FINAL, RIGHT, "Vaasa won 4–1 against Espoo, in Turku."),
    (FINAL, RIGHT, "Espoo lost the final 4–1 to Vaasa in Turku."),
    (FINAL, IGNORED, "Espoo won the final 4–1 against Vaasa, in Turku."),
]  # fmt: skip
HUNDREDTHS = [
    (ROWING, RIGHT, "The eight took 5 minutes 48.92 seconds, in lane 4."),
    (ROWING, RIGHT, "Lane 4, 5 min 48.92 s, which was the second-best time."),
    (ROWING, RIGHT, "5 minutes and 48.92 seconds in lane four."),
    (ROWING, IGNORED, "The eight took 5 minutes 49.82 seconds, in lane 4."),
    (ROWING, IGNORED, "The eight took 5 minutes 58.92 seconds, in lane 4."),
    (LAP, RIGHT, "Ade's best was lap 17, in 1 minute 31.408 seconds."),
    (LAP, RIGHT, "Lap 17: 1m31.408s."),
    (LAP, IGNORED, "Ade's best was lap 17, in 1 minute 34.108 seconds."),
]  # fmt: skip
WHEREABOUTS = [
    (PARCEL, RIGHT, "It is in Hamburg now and should get to Malmö on 21 November."),
    (PARCEL, RIGHT, "Parcel 88 gets to Malmö on 21 November; it has reached Hamburg so far."),
    (PARCEL, RIGHT, "It left Hamburg for Malmö, where it is due on November 21."),
    (PARCEL, IGNORED, "It is in Malmö now and should get to Hamburg on 21 November."),
    (PARCEL, IGNORED, "The parcel is already in Malmö and arrives in Hamburg on 21 November 2026."),
    (TRAIN, RIGHT, "The train to Narvik is at Gävle, 14 minutes late."),
    (TRAIN, IGNORED, "It's at Narvik at the moment, 14 minutes late, on its way to Gävle."),
]  # fmt: skip
PER_LITRE = [
    (WELL, RIGHT, "Nitrate 38 ppm, hardness 14.5 °dH."),
    (WELL, RIGHT, "| Nitrate | 38 ppm |\n| Hardness | 14.5 °dH |"),
    (WELL, RIGHT, "The nitrate is 38 mg/l, below the limit in the rules, and the hardness 14.5 "
     "°dH."),
    (WELL, IGNORED, "Nitrate 38 ppb, hardness 14.5 °dH."),
    (WELL, IGNORED, "Nitrate 83 ppm, hardness 14.5 °dH."),
    (FLUORIDE, RIGHT, "1.1 mg/l on 2 November 2026."),
    (FLUORIDE, IGNORED, "0.7 mg/l on 2 November 2026."),
]  # fmt: skip
VAGUE = [
    (SURVEY, IGNORED, "Somewhere between 35 and 50 percent answered, thousands of people in all."),
    (SURVEY, IGNORED, "From 30 to 45 % answered the survey, with a few thousand answers."),
    (SURVEY, RIGHT, "41.3 %, so between 40 and 45 percent; there were 2,874 answers."),
    (HERD, IGNORED, "Between 1,500 and 2,500 reindeer, at 80 to 110 kg each."),
    (HERD, RIGHT, "1,846 reindeer, 93.5 kg each on average."),
]  # fmt: skip
WAYS_OF_MONEY = [
    (STROM, RIGHT, "Sie haben ein Guthaben von 214,60 €; die Rechnung kommt am 8. Dezember 2026."),
    (STROM, IGNORED, "Sie müssen 214,60 € nachzahlen; die Rechnung kommt am 8. Dezember 2026."),
    (REFUND, RIGHT, "You get €386.20 back, by 1 December 2026."),
    (REFUND, RIGHT, "They have to pay you back €386.20 by 1 December 2026."),
    (REFUND, RIGHT, "€386.20 of what you paid comes back to you by 1 December."),
    (REFUND, IGNORED, "You still owe €386.20 for the trip, to be paid by 1 December 2026."),
    (REFUND, IGNORED, "You get nothing back and have to pay €386.20 more by 1 December 2026."),
    (DEBT, RIGHT, "You owe €741.15 on card 4, due on 30 November."),
    (DEBT, RIGHT, "€741.15 has to be paid by 30 November."),
    (DEBT, IGNORED, "Card 4 is in credit: you get €741.15 back on 30 November."),
    (DEBT, IGNORED, "A refund of €741.15 is coming to you on 30 November."),
]  # fmt: skip

IDS = [
    (BOOK, RIGHT, "ISBN 9783161484100, with 14 in stock."),
    (BOOK, RIGHT, "ISBN 978 3 16 148410 0; there are 14 copies."),
    (BOOK, IGNORED, "ISBN 978-3-16-184410-0; there are 14 copies."),
    (BEARING, RIGHT, "It's part 6305 22, at €18.40."),
    (BEARING, RIGHT, "Part code 6305-22; it costs 18,40 €."),
    (BEARING, IGNORED, "It's part 6305 29, at €18.40."),
    (BEARING, IGNORED, "It's part 6305, at €22.00."),
    (CORE, RIGHT, "Core 4 is GeB 20714, drilled to 86 m."),
    (CORE, RIGHT, "Core 4 (GeB20714) goes down 86 m; it was drilled by rig RX 118."),
    (CORE, IGNORED, "Core 4 is GeB 20741, drilled to 86 m."),
    (CORE, RIGHT, "Core 4 is GeB-20714, drilled to 86 m in layer K 27.4."),
    (CORE, MADE_UP, "Core 4 is GeB-20714, drilled to 86 m in layer K 24.7."),
    (CORE, MADE_UP, "Core 4 is GeB-20714, drilled to 86 m by rig KT 552."),
]  # fmt: skip
UNCERTAIN = [
    (BONE, RIGHT, "The antler is 5180 ± 40 BP."),
    (BONE, RIGHT, "5,180 years BP, give or take 40."),
    (BONE, RIGHT, "It was dated to 5180±40 years before present."),
    (BONE, IGNORED, "The antler is 5810 ± 40 BP."),
    (BONE, MADE_UP, "The antler is 5180 ± 65 BP."),
    (SHAFT, RIGHT, "41.27 ± 0.03 mm."),
    (SHAFT, RIGHT, "Shaft 3 measures 41.27 mm (±0.03)."),
    (SHAFT, RIGHT, "41.27 mm, plus or minus 0.03 mm."),
    (SHAFT, MADE_UP, "41.27 ± 0.08 mm."),
    (SPREAD, RIGHT, "The spread is 145 bp, or 1.45 %."),
    (SPREAD, RIGHT, "145 BP."),
    (SPREAD, IGNORED, "The spread is 14.5 bp."),
]  # fmt: skip
IN_PART = [
    (PERMIT, RIGHT, "Permit 51 was approved in part; the fee is €240."),
    (PERMIT, RIGHT, "They approved part of it, and it costs €240."),
    (PERMIT, RIGHT, "It got partial approval. Fee: 240 euros."),
    (PERMIT, IGNORED, "Permit 51 was approved in full; the fee is €240."),
    (PERMIT, IGNORED, "It was approved, and the fee is €240."),
    (BILL, RIGHT, "Invoice 604, of €912.40, has been paid in part."),
    (BILL, RIGHT, "It's partly paid; the total was €912.40."),
    (BILL, IGNORED, "Invoice 604, of €912.40, has been paid in full."),
]  # fmt: skip
OF_A_PERIOD = [
    (MOORING, RIGHT, "Berth B7, £1,380 a year, so £115 a month."),
    (MOORING, RIGHT, "£1,380 a year for berth B7, which is a bit under £27 a week."),
    (MOORING, RIGHT, "B7 costs £1,380 per year, a little under £4 a day."),
    (MOORING, MADE_UP, "Berth B7, £1,380 a year, so roughly £160 a month."),
    (MOORING, MADE_UP, "Berth B7, £1,380 a year, a little over £8 a day."),
    (SILAGE, RIGHT, "2,450 kg a week, so 350 kg a day."),
    (SILAGE, MADE_UP, "2,450 kg a week, so about 480 kg a day."),
]  # fmt: skip
LOCALES = [
    (SUBTITLES, RIGHT, "94 minutes into Austrian German, at €6.80 a minute."),
    (SUBTITLES, RIGHT, "€6.80 a minute for 94 minutes; the film comes from New Zealand."),
    (SUBTITLES, RIGHT, "It costs 680 cents (EUR) per minute, for 94 minutes."),
    (SUBTITLES, MADE_UP, "94 minutes into Brazilian Portuguese, at €6.80 a minute."),
    (SUBTITLES, MADE_UP, "€6.80 a minute for 94 minutes; the film comes from South Korea."),
    (VOICES, RIGHT, "Ilka reads it in Canadian French; it takes 38 minutes."),
    (VOICES, MADE_UP, "Ilka reads it in Swiss German; it takes 38 minutes."),
]  # fmt: skip
PESOS = [
    (ALQUILER, RIGHT, "El alquiler es de $2.340,50 y cierran a las 19:30."),
    (ALQUILER, RIGHT, "Son $2,340.50; cierran a las 19:30."),
    (ALQUILER, IGNORED, "Son $2.430,50; cierran a las 19:30."),
    (ALQUILER, IGNORED, "Son 2.340,50 euros; cierran a las 19:30."),
    (ENTRADA, RIGHT, "La entrada cuesta $8.450,25."),
    (ENTRADA, RIGHT, "La entrada cuesta 8.450,25 pesos."),
    (ENTRADA, IGNORED, "La entrada cuesta US$8.450,25."),
]  # fmt: skip

FAMILIES: dict[str, list[tuple[ToolTask, Label, str]]] = {
    "what is only supposed": SUPPOSED,
    "shares of the rest": OTHER_SHARES,
    "worked examples": EXAMPLES,
    "inches": INCHES,
    "scores from either side": SCORES,
    "hundredths in words": HUNDREDTHS,
    "here and there": WHEREABOUTS,
    "parts per million": PER_LITRE,
    "ranges around the value": VAGUE,
    "owed or owing": WAYS_OF_MONEY,
    "ids with other marks": IDS,
    "values with their uncertainty": UNCERTAIN,
    "states in part": IN_PART,
    "shares of a period": OF_A_PERIOD,
    "languages and countries of codes": LOCALES,
    "pesos with a dollar's sign": PESOS,
}

LATER_SIBLINGS = {
    family: [Case(family, *each) for each in answers] for family, answers in FAMILIES.items()
}
