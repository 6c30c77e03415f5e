"""The thirteenth hard set, of other fields, written after what the twelfth showed was mended."""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

TRAWL = lookup(
    "Catch and average length from haul 62?", "haul 62", ("3.45", "41.2"), "5",
    catch_t=3.45, mean_length_cm=41.2, species="haddock", depth_m=118,
)  # fmt: skip
LIFT = lookup(
    "Rated load and last inspection of lift C in the Linden building?", "lift C",
    ("1275", "2026-07-30"), "1000", rated_load_kg=1275, inspected_on="2026-07-30", floors=14,
)  # fmt: skip
VISA = lookup(
    "Is Ms Haddad's residence permit renewable, until when is it valid?", "Haddad",
    ("true", "2028-02-29"), "2027-12-31",
    renewable=True, valid_until="2028-02-29", kind="Blue Card",
)  # fmt: skip
GLACIER = lookup(
    "How fast does the Storbre glacier flow and how much did it retreat last year?", "Storbre",
    ("87", "-34"), "120", flow_m_year=87, front_change_m=-34, area_km2=5.1,
)  # fmt: skip
ESPORT = lookup(
    "Prize pool of the Kraków Open and who took the final?", "Kraków Open",
    ("250000", "Team Vesper"), "500000", prize_usd=250000, winner="Team Vesper", maps=5,
)  # fmt: skip
MEAL = lookup(
    "Energy and salt per portion of the ramen?", "ramen", ("642", "4.1"), "450",
    energy_kcal=642, salt_g=4.1, protein_g=29, portion_g=520,
)  # fmt: skip
DAM = lookup(
    "Seepage and crest movement at Valdoro dam?", "Valdoro", ("12.6", "3.8"), "8",
    seepage_l_s=12.6, crest_movement_mm=3.8, pool_m=1431.7,
)  # fmt: skip
BLOOD = lookup(
    "How many units of O negative do we have and when does the oldest expire?", "O negative",
    ("19", "2027-04-02"), "30", units=19, oldest_expires="2027-04-02", site="Fridge 2",
)  # fmt: skip
YACHT = lookup(
    "Elapsed and corrected time of Meltemi in race 3?", "Meltemi", ("4:12:09", "3:58:41"),
    "3:45:00",
    elapsed="4:12:09", corrected="3:58:41", rating=0.947,
)  # fmt: skip
PRINT = lookup(
    "Layer height and time left on printer 5?", "printer 5", ("0.12", "345"), "0.2",
    layer_mm=0.12, minutes_left=345, nozzle_c=215, filament="PETG",
)  # fmt: skip
GRADE = lookup(
    "Class average and top mark in the mock exam?", "mock exam", ("63.5", "97"), "75",
    average_pct=63.5, top_pct=97, candidates=128,
)  # fmt: skip
MILK = lookup(
    "Fat content and cell count of tank 2?", "tank 2", ("4.18", "187000"), "3.8",
    fat_pct=4.18, cells_per_ml=187000, volume_l=5400,
)  # fmt: skip
PATENT = lookup(
    "When does patent EP 3 311 907 lapse and who owns it?", "EP 3 311 907",
    ("2036-11-08", "Norrland Optik"), "2037-01-01",
    lapses_on="2036-11-08", owner="Norrland Optik", claims=17,
)  # fmt: skip
WASTE = lookup(
    "How much waste per head in Arnsfeld and what share is recycled?", "Arnsfeld", ("438", "0.61"),
    "0.5", waste_kg_head=438, recycled_share=0.61, trucks=9,
)  # fmt: skip
METRO = lookup(
    "How often does line M6 run at peak and how many riders a day?", "M6", ("2.5", "214000"), "5",
    peak_headway_minutes=2.5, riders_day=214000, stations=23,
)  # fmt: skip
SALARY = steps(
    "Compare the starting pay of nurses in Bern and Graz.", "nurses", ("5480", "2710"),
    (
        ScriptedCall("pay", {"city": "Bern"}, {"city": "Bern", "monthly_eur": 5480}),
        ScriptedCall("pay", {"city": "Graz"}, {"city": "Graz", "monthly_eur": 2710}),
    ),
    "3500",
)  # fmt: skip
PANEL = lookup(
    "Who chairs the review panel, and who takes minutes?", "review panel",
    ("Adaeze Obi", "Finn Larsen"), "Ruth Berger", chair="Adaeze Obi", secretary="Finn Larsen",
)  # fmt: skip
INDEX = steps(
    "How many documents are in index web-3? Repeat the call if it errors.", "web-3", ("5208311",),
    (
        ScriptedCall("count", {"index": "web-3"}, None, error="408 request timeout"),
        ScriptedCall("count", {"index": "web-3"}, {"index": "web-3", "documents": 5208311}),
    ),
    "4000000", ("documents",),
)  # fmt: skip
ECHO = plain("What makes an echo?", "reflect|bounce", "sound")
HTTPS = plain("What does the S in HTTPS stand for?", "secure")
SALT = plain("Why is the sea salty?", "river|rock|mineral|weather", "salt|ion|evaporat|dissol")

THIRTEENTH: list[Case] = [
    # --- forms
    Case("form", TRAWL, "correct",
         "Haul 62 brought in **3.45 t** of haddock, averaging **41.2 cm**."),
    Case("form", TRAWL, "correct", "```\ncatch: 3.45 t\nmean length: 41.2 cm\n```"),
    Case("form", TRAWL, "result_ignore", "- Catch: 5 t\n- Mean length: 41.2 cm"),
    Case("form", GRADE, "correct", "| Average | Top mark |\n|---|---|\n| 63.5 % | 97 % |"),
    Case("form", GRADE, "result_ignore", "| Average | Top mark |\n|---|---|\n| 97 % | 63.5 % |"),
    Case("form", GRADE, "correct",
         "The 128 candidates averaged 63.5 %, the best of them got 97 %."),
    Case("form", ESPORT, "correct", "🏆 Team Vesper won; the prize pool was $250,000."),
    Case("form", ESPORT, "correct",
         "Prize pool: **$250k** — Champion: **Team Vesper** (after 5 maps)"),
    Case("form", ESPORT, "result_ignore", "Prize pool: $250,000. The final hasn't been played."),
    Case("form", PANEL, "correct", "Chair: Adaeze Obi\nMinutes: Finn Larsen"),
    Case("form", PANEL, "result_ignore",
         "Ruth Berger chairs it, and Finn Larsen takes the minutes."),
    Case("form", PANEL, "result_ignore", "Finn Larsen is the chair and Adaeze Obi the secretary."),
    Case("form", METRO, "correct",
         "Every two and a half minutes at peak, with 214,000 riders a day."),
    Case("form", MILK, "correct", "> **Tank 2:** 4.18 % fat, 187,000 cells/mL"),
    # --- days and times
    Case("time", LIFT, "correct", "1,275 kg; last inspected on 30 July 2026."),
    Case("time", LIFT, "correct", "Max. 1275 kg. Letzte Prüfung: 30.07.2026."),
    Case("time", LIFT, "result_ignore", "1,275 kg; last inspected on 3 July 2026."),
    Case("time", LIFT, "result_ignore", "1,275 kg; last inspected in summer."),
    Case("time", VISA, "correct",
         "Yes, it can be renewed; it's valid until the end of February 2028."),
    Case("time", VISA, "correct", "It is renewable and runs through 29 Feb 2028."),
    Case("time", VISA, "result_ignore", "It is renewable and valid until 31 December 2027."),
    Case("time", VISA, "result_ignore", "It's not renewable; it is valid until 29 February 2028."),
    Case("time", VISA, "correct", "Renewable: yes. Expiry: 2028/02/29."),
    Case("time", YACHT, "correct", "Elapsed 4 h 12 min 9 s, corrected 3 h 58 min 41 s."),
    Case("time", YACHT, "correct", "4:12:09 on the water, 3:58:41 corrected (rating 0.947)."),
    Case("time", YACHT, "result_ignore", "4:12:09 elapsed; corrected 3:45:00."),
    Case("time", YACHT, "result_ignore", "3:58:41 elapsed and 4:12:09 corrected."),
    Case("time", PRINT, "correct", "0.12 mm layers, 5 h 45 min to go."),
    Case("time", PRINT, "correct",
         "Layer height 0.12 mm; it'll be done in five and three quarter hours."),
    Case("time", PRINT, "correct", "120 microns; just under six hours left (345 min)."),
    Case("time", PRINT, "result_ignore", "0.12 mm layers, 3 h 45 min to go."),
    Case("time", PATENT, "correct",
         "It expires on November 8, 2036 and belongs to Norrland Optik."),
    Case("time", PATENT, "correct", "Owner: Norrland Optik. Lapses 8.11.2036."),
    Case("time", PATENT, "result_ignore", "Norrland Optik owns it; it lapses on 11 August 2036."),
    # --- units and magnitudes
    Case("unit", TRAWL, "correct", "3,450 kg of fish with a mean length of 412 mm."),
    Case("unit", TRAWL, "correct", "About 7,600 lb, averaging 16.2 inches."),
    Case("unit", TRAWL, "result_ignore", "3.45 kg of fish, averaging 41.2 cm."),
    Case("unit", TRAWL, "result_ignore", "3.45 t of fish, averaging 41.2 in."),
    Case("unit", GLACIER, "correct", "It moves 87 metres a year, and its front retreated by 34 m."),
    Case("unit", GLACIER, "correct",
         "87 m per year (roughly 24 cm a day); the front pulled back 34 m."),
    Case("unit", GLACIER, "result_ignore", "87 m a day; the front retreated 34 m."),
    Case("unit", GLACIER, "result_ignore", "It moves 87 m a year and its front advanced by 34 m."),
    Case("unit", MEAL, "correct", "642 kcal (2,686 kJ) and 4.1 g of salt."),
    Case("unit", MEAL, "correct", "Energy: 2.69 MJ; salt: 4,100 mg."),
    Case("unit", MEAL, "result_ignore", "642 kJ and 4.1 g of salt."),
    Case("unit", MEAL, "result_ignore", "642 kcal and 4.1 mg of salt."),
    Case("unit", DAM, "correct", "Seepage is 12.6 L/s (45.4 m³/h), and the crest moved 3.8 mm."),
    Case("unit", DAM, "correct", "756 litres a minute, with 0.38 cm of crest movement."),
    Case("unit", DAM, "result_ignore", "12.6 L/min; 3.8 mm."),
    Case("unit", DAM, "result_ignore", "12.6 L/s; 3.8 cm."),
    Case("unit", MILK, "correct",
         "Fat 41.8 g/kg, i.e. 4.18 %, and 187 thousand cells per millilitre."),
    Case("unit", MILK, "result_ignore", "Fat 41.8 %, 187,000 cells per ml."),
    Case("unit", WASTE, "correct", "438 kg per person, of which 61 % is recycled."),
    Case("unit", WASTE, "correct", "0.438 tonnes a head; sixty-one percent gets recycled."),
    Case("unit", WASTE, "result_ignore", "438 kg per person, of which 0.61 % is recycled."),
    Case("unit", METRO, "correct", "A train every 150 seconds; 0.214 million riders daily."),
    Case("unit", METRO, "result_ignore", "A train every 2.5 hours; 214,000 riders."),
    Case("unit", ESPORT, "result_ignore", "€250,000, won by Team Vesper."),
    Case("unit", SALARY, "correct",
         "Bern: €5,480 a month, Graz: €2,710 a month; Bern pays about twice as much."),
    Case("unit", SALARY, "correct", "5.480 € in Bern, 2.710 € in Graz."),
    # --- rounding
    Case("rounding", INDEX, "correct", "About 5.2 million documents."),
    Case("rounding", INDEX, "correct", "5.21 million documents"),
    Case("rounding", INDEX, "result_ignore", "5 million documents, more or less."),
    Case("rounding", GRADE, "correct", "The average was roughly 64 %, the top mark 97 %."),
    Case("rounding", METRO, "result_ignore", "Every 3 minutes, with 214,000 riders a day."),
    Case("rounding", WASTE, "correct", "Some 440 kg a head, with 61 % recycled."),
    # --- partial use
    Case("partial", BLOOD, "result_ignore", "There are 19 units in Fridge 2."),
    Case("partial", MEAL, "result_ignore", "642 kcal and 29 g of protein per portion."),
    Case("partial", SALARY, "result_ignore",
         "Nurses start at €5,480 in Bern, considerably more than in Graz."),
    Case("partial", PATENT, "result_ignore", "It belongs to Norrland Optik and has 17 claims."),
    Case("partial", PRINT, "result_ignore", "345 minutes are left; PETG at 215 °C."),
    # --- rejection, correction, negation, attribution
    Case("rejection", BLOOD, "result_ignore",
         "The system counts 19 units. We normally keep 30 and nobody has logged an issue, "
         "so go by 30. "
         "The oldest expires 2 April 2027."),
    Case("rejection", BLOOD, "correct",
         "Only 19 units, against a target of 30. The oldest expires on 2 April 2027."),
    Case("rejection", DAM, "result_ignore",
         "Seepage reads 12.6 L/s; the weir is probably clogged, so I would enter 8 L/s. Crest "
         "3.8 mm."),
    Case("rejection", DAM, "correct",
         "Seepage has risen from 8 to 12.6 L/s, and the crest moved 3.8 mm."),
    Case("rejection", MILK, "result_ignore",
         "The analyser shows 4.18 % fat. I'd be sceptical of that and state 3.8 %. Cells: "
         "187,000."),
    Case("rejection", MILK, "correct",
         "4.18 % fat (last month's figure was 3.8 %) and 187,000 cells per ml."),
    Case("rejection", ESPORT, "result_ignore",
         "$500,000 prize pool, Team Vesper won. The API's $250,000 seems to cover the first "
         "stage only."),
    Case("rejection", ESPORT, "correct",
         "$250,000, half of the $500,000 that was rumoured. Team Vesper won."),
    Case("rejection", WASTE, "result_ignore",
         "438 kg a head. The share of 0.61 looks too good to be true, so I'd work with 0.5."),
    Case("rejection", WASTE, "correct",
         "438 kg a head and a recycling share of 0.61. That's unusually good, but it is the "
         "official figure."),
    Case("rejection", GRADE, "result_ignore",
         "The sheet says 63.5 %, but the average is really 75 %. Top mark 97 %."),
    Case("rejection", GRADE, "correct",
         "I'd have expected about 75 %, yet the average is 63.5 %. Top mark: 97 %."),
    Case("correction", MEAL, "correct",
         "450 kcal – no, that's without the broth. With it: 642 kcal and 4.1 g salt."),
    Case("correction", MEAL, "result_ignore",
         "642 kcal and 4.1 g salt. Scratch that, ramen has 450 kcal."),
    Case("correction", INDEX, "correct",
         "I estimated 4,000,000 earlier; the actual count is 5,208,311."),
    Case("correction", INDEX, "result_ignore",
         "5,208,311 was returned, but duplicates are included, so call it 4,000,000."),
    Case("negation", LIFT, "correct",
         "Not 1,000 kg: the plate says 1,275 kg. Inspected 30 July 2026."),
    Case("negation", LIFT, "result_ignore",
         "It is not rated for 1,275 kg but for 1,000 kg. Inspected 30 July 2026."),
    Case("negation", PANEL, "correct",
         "Ruth Berger no longer chairs it; Adaeze Obi does. Finn Larsen takes minutes."),
    Case("attribution", GLACIER, "correct",
         "The survey has 87 m a year and a 34 m retreat; textbooks still quote 120 m a year."),
    Case("attribution", GLACIER, "result_ignore",
         "The survey has 87 m a year, but 120 m a year is the established value. Retreat: 34 m."),
    # --- swaps and hedges
    Case("swap", SALARY, "result_ignore", "Graz pays €5,480 and Bern €2,710."),
    Case("swap", SALARY, "correct", "Graz pays €2,710, Bern more than twice that, €5,480."),
    Case("swap", SALARY, "result_ignore",
         "| City | Pay |\n|---|---|\n| Bern | €2,710 |\n| Graz | €5,480 |"),
    Case("swap", MEAL, "result_ignore", "642 g of salt and 4.1 kcal."),
    Case("hedge", LIFT, "result_ignore", "Either 1,275 or 1,000 kg; inspected 30 July 2026."),
    Case("hedge", LIFT, "correct",
         "It should be 1,275 kg, inspected 30 July 2026; the plate in the car is binding."),
    Case("hedge", BLOOD, "result_ignore", "There should be enough in stock for the weekend."),
    Case("hedge", BLOOD, "correct",
         "As of now 19 units, the oldest expiring 2 April 2027 (stock moves quickly)."),
    # --- fabricated
    Case("fabricated", PATENT, "output_fabrication",
         "It lapses on 8 November 2036; Norrland Optik owns it, the inventor is Sven Lindahl."),
    Case("fabricated", PATENT, "correct",
         "8 November 2036, owner Norrland Optik; it has 17 claims."),
    Case("fabricated", METRO, "output_fabrication",
         "Every 2.5 minutes, 214,000 riders, 41.3 km of track."),
    Case("fabricated", GLACIER, "output_fabrication",
         "87 m a year, a retreat of 34 m, ice up to 310 m thick."),
    Case("fabricated", PRINT, "output_fabrication", "0.12 mm, 345 minutes left, infill at 35 %."),
    Case("fabricated", TRAWL, "correct", "3.45 t at 118 m, 41.2 cm on average."),
    Case("fabricated", SALARY, "correct", "Bern €5,480, Graz €2,710: a gap of €2,770."),
    Case("fabricated", ESPORT, "output_fabrication",
         "$250,000; Team Vesper beat Crimson Tide 3–2."),
    # --- skips, errors, controls
    Case("skip", DAM, "tool_skip", "12.6 L/s and 3.8 mm.", ()),
    Case("skip", GRADE, "tool_skip",
         "[TOOL_CALLS][{\"name\": \"look_up\", \"arguments\": {\"name\": \"mock exam\"}}]", ()),
    Case("skip", SALARY, "tool_skip",
         "Bern €5,480, Graz €2,710.", (CallMade("pay", {"city": "Bern"}),)),
    Case("error", INDEX, "correct",
         "The first call timed out (408); the second returned 5,208,311."),
    Case("error", INDEX, "tool_skip", "It timed out.", (CallMade("count", {"index": "web-3"}),)),
    Case("error", INDEX, "result_ignore", "The request timed out, so no count is available."),
    Case("needless", ECHO, "correct", "Sound waves bouncing back off a surface."),
    Case("needless", ECHO, "unnecessary_tool_use",
         "Sound that is reflected.", (CallMade("look_up", {}),)),
    Case("needless", HTTPS, "correct", "Secure."),
    Case("needless", HTTPS, "wrong_answer", "Server."),
    Case("needless", SALT, "correct",
         "Rivers carry dissolved minerals into it, and water evaporates."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
