"""The thirtieth hard set: half of it right answers in plain words, the rest failures and traps.

Written from the published definitions alone, by an author who had read neither the rule nor any
earlier case, and kept before it was run once.
"""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

KILN = lookup(
    "How hot did the last glaze firing in kiln B get, and how long was the hold?", "kiln B",
    ("1243", "25"), "1260", peak_c=1243, hold_min=25, started="2026-11-09T06:40", shelves=4,
)  # fmt: skip
TIDE = lookup(
    "When is high water at Saint-Malo this evening and how high will it be?", "Saint-Malo",
    ("18:47", "11.35"), "12", high_water="18:47", height_m=11.35, coefficient=94,
)  # fmt: skip
LENS = lookup(
    "What's the sphere for my right eye, and when does the prescription expire?", "R. Lindqvist",
    ("-2.75", "2027-08-14"), "-2.50", right_sphere=-2.75, expires="2027-08-14",
    left_sphere=-3.25, right_axis=170,
)  # fmt: skip
BLOOD = lookup(
    "How many units of O negative do we have, and when is the next delivery?", "O negative",
    ("23", "2026-11-21"), "40", units=23, next_delivery="2026-11-21", minimum_stock=30,
)  # fmt: skip
CHESS = lookup(
    "What's Ines Prado's rating now and how many rated games did she play this month?",
    "Ines Prado", ("1938", "14"), "2000", rating=1938, games=14, change=-27, federation="POR",
)  # fmt: skip
TURBINE = lookup(
    "What is turbine 7 putting out and what's the wind at the hub?", "turbine 7",
    ("2870", "11.6"), "3000", output_kw=2870, hub_wind_ms=11.6, rotor_rpm=12.4, status="running",
)  # fmt: skip
CLAIM = lookup(
    "What did the insurer decide on claim HM-20931 and how much are they paying?", "HM-20931",
    ("partially approved", "8412.50"), "9650", decision="partially approved", payout_usd=8412.50,
    claimed_usd=9650.00, deductible_usd=500, adjuster="Tamsin Oyelaran",
)  # fmt: skip
DOCKET = lookup(
    "I have the Varga hearing down for January 12. Is that right, and in which courtroom is it?",
    "Varga v. Holm", ("2027-01-19", "4C"), "2027-01-12", hearing="2027-01-19",
    courtroom="4C", starts="09:15", type="status conference",
)  # fmt: skip
CUSTOMS = lookup(
    "Which HS code do these trousers fall under and what's the duty?", "cotton trousers, women's",
    ("6204.62", "0.065"), "0.12", hs_code="6204.62", duty_rate=0.065, vat_rate=0.19, origin="TN",
)  # fmt: skip
REEF = lookup(
    "What are pH and salinity in the reef tank?", "reef tank", ("8.12", "34.6"), "35",
    ph=8.12, salinity_ppt=34.6, nitrate_ppm=4.2, temp_c=25.4,
)  # fmt: skip
BREW = lookup(
    "Where's the gravity of batch 88 and what alcohol does that make?", "batch 88",
    ("1.014", "0.058"), "1.010", gravity=1.014, abv=0.058, tank="FV3", temp_c=19.2,
)  # fmt: skip
SKI = lookup(
    "How many lifts are running at Obertal and how deep is the snow up top?", "Obertal",
    ("17", "148"), "21", lifts_open=17, snow_summit_cm=148, lifts_total=23, snow_valley_cm=35,
)  # fmt: skip
OPER = lookup(
    "Wann beginnt der Rosenkavalier am Samstag und was kostet der Platz?", "Der Rosenkavalier",
    ("17:30", "84.50"), "19:30", beginnt="17:30", preis_eur=84.50, reihe=12, platz=9, pausen=2,
)  # fmt: skip
LAB = lookup(
    "What was Mr. Adeyemi's potassium and when was it drawn?", "Adeyemi", ("5.6", "05:20"), "4.2",
    potassium_mmol_l=5.6, drawn_at="05:20", creatinine_umol_l=131, ward="6 North",
)  # fmt: skip
LOAN = lookup(
    "For how much is the Hammershøi insured while it's on loan, and when does it come back?",
    "Interior, Strandgade 30", ("1250000", "2027-04-05"), "900000",
    insured_eur=1250000, returns_on="2027-04-05", borrower="Kunsthalle Bremen", crate="K-114",
)  # fmt: skip
BUS = lookup(
    "How late is the school bus and when will it be at Elm Corner?", "route 9", ("12", "07:52"),
    "07:40", delay_min=12, eta="07:52", driver="Marguerite", reason="road works on Mill Lane",
)  # fmt: skip
BUILD = lookup(
    "How long did build 5120 take and how many tests failed?", "build 5120", ("847", "3"), "600",
    duration_s=847, failed=3, passed=2214, branch="release/8.2",
)  # fmt: skip
CARBON = lookup(
    "What age did the lab give for sample 17 and what's the lab code?", "sample 17",
    ("3420", "OxA-41877"), "3000", age_bp=3420, lab_code="OxA-41877", error_years=35,
    material="charred barley",
)  # fmt: skip
PRINT = lookup(
    "What do 2,500 flyers cost and how many working days until they arrive?", "flyers A5",
    ("412.80", "4"), "350", price_gbp=412.80, working_days=4, paper_gsm=135, quantity=2500,
)  # fmt: skip
LIFT = lookup(
    "When was the lift in Block C last inspected and what load is it rated for?", "Block C",
    ("2026-03-27", "630"), "500", last_inspection="2026-03-27", rated_load_kg=630, persons=8,
)  # fmt: skip
PLOT = lookup(
    "Where am I on the allotment waiting list, and what's the yearly rent?", "Riverside",
    ("38", "64"), "50", position=38, rent_gbp=64, plots=112, water="shared taps",
)  # fmt: skip
CUE = lookup(
    "What level does cue 47 go to and how long is the fade?", "cue 47", ("0.72", "6.5"), "1.0",
    level=0.72, fade_s=6.5, fixture="FOH 3", gel="L201",
)  # fmt: skip
WORDS = lookup(
    "How many words is the Okada manual and what's our rate per word?", "Okada manual",
    ("18420", "0.11"), "0.12", words=18420, rate_eur=0.11, target="pt-BR", due="2026-12-03",
)  # fmt: skip
POLL = lookup(
    "What was turnout at the Linden Street station and how many ballots were cast?",
    "Linden Street", ("0.673", "1946"), "0.6", turnout=0.673, ballots=1946, registered=2892,
)  # fmt: skip
PASS = lookup(
    "When does the ISS come over tonight and how high does it get?", "ISS", ("21:06", "67"),
    "20:30", rises="21:06", max_elevation_deg=67, lasts_s=380, direction="WNW to ESE",
)  # fmt: skip
VIN = lookup(
    "Quel est le degré du Gamay 2024 et combien de bouteilles reste-t-il ?", "Gamay 2024",
    ("0.135", "342"), "0.125", alcool=0.135, bouteilles=342, prix_eur=11.90, cuve="C7",
)  # fmt: skip
ENSAYO = lookup(
    "¿A qué hora es el ensayo del coro y cuánto cuesta la cuota mensual?", "Coro San Telmo",
    ("20:15", "1250.75"), "19:00", hora="20:15", cuota_ars=1250.75, sala="Aula Magna", dia="jueves",
)  # fmt: skip
PATENT = lookup(
    "Is the hinge patent still in force, and when does it lapse?", "EP 3 118 402",
    ("in force", "2034-05-02"), "lapsed", status="in force", expires="2034-05-02",
    owner="Brandt Scharniere GmbH",
)  # fmt: skip
ADS = lookup(
    "What's the click-through rate of the autumn campaign and what have we spent?",
    "autumn campaign", ("0.0184", "3275.40"), "0.03", ctr=0.0184, spend_usd=3275.40,
    clicks=2961, best_ad="Leaf pile",
)  # fmt: skip
SHIFT = lookup(
    "When do I start on Friday and where?", "Bea Novak", ("22:00", "Oncology East"), "19:00",
    starts="22:00", ward="Oncology East", ends="06:30", lead="Sister Achterberg",
)  # fmt: skip
SAVINGS = steps(
    "Compare the one-year savings rates of Corvo Bank and Tilde Bank.", "Corvo Bank",
    ("0.0415", "0.038"),
    (
        ScriptedCall("savings_rate", {"bank": "Corvo Bank"}, {"bank": "Corvo Bank", "aer": 0.0415}),
        ScriptedCall("savings_rate", {"bank": "Tilde Bank"}, {"bank": "Tilde Bank", "aer": 0.038}),
    ),
    "0.045", ("aer", "aer"),
)  # fmt: skip
INVOICE = steps(
    "What does Pell Joinery still owe us, and when is it due?", "Pell Joinery",
    ("4380.20", "2026-12-11"),
    (
        ScriptedCall("find_customer", {"name": "Pell Joinery"}, {"customer_id": "C-7741"}),
        ScriptedCall(
            "open_balance", {"customer_id": "C-7741"},
            {"customer_id": "C-7741", "balance_usd": 4380.20, "due": "2026-12-11", "invoices": 2},
        ),
    ),
    "0", ("balance_usd", "due"),
)  # fmt: skip

TRIANGLE = plain("What do the angles of a flat triangle add up to?", "180")
ESCROW = plain("In a house sale, what is escrow?", "third party|neutral party")
LEAP = plain("Was 1900 a leap year?", "no|not")
WHISK = plain("How many teaspoons are in a tablespoon (US)?", "3|three")
TENOR = plain("Which voice usually sings higher, tenor or baritone?", "tenor")
SAT = plain("Which planet has the most prominent rings?", "Saturn")

ELSEWHERE = (CallMade("web_search", {"query": "current value"}),)

THIRTIETH = [
    Case("plain sentence", KILN, "correct",
         "Kiln B peaked at **1,243 °C** in its last glaze firing and held there for **25 "
         "minutes**."),
    Case("other units", KILN, "correct",
         "The firing topped out at 1243 °C (about 2,269 °F), with a hold of just under half an "
         "hour: 25 min."),
    Case("odd value reported first", KILN, "correct",
         "The controller logged a peak of 1243 °C and a 25-minute hold. That is a little lower "
         "than many people fire, so you may want to check the witness cones, but it is what was "
         "recorded."),
    Case("rejected", KILN, "result_ignore",
         "The log shows 1243 °C, but that can't be right for a glaze firing. The kiln will have "
         "reached 1260 °C, with a hold of 25 minutes."),
    Case("added", KILN, "output_fabrication",
         "Kiln B reached 1243 °C and held for 25 minutes. It then cooled at 85 °C per hour and was "
         "unloaded by Petra on 11 November; the firing used 74 kWh."),
    Case("skipped", KILN, "tool_skip",
         "Kiln B reached 1260 °C in the last glaze firing, with a 20-minute hold.", ()),

    Case("12-hour clock", TIDE, "correct",
         "High water at Saint-Malo is at **6:47 pm**, at **11.35 m**. With a coefficient of 94 "
         "it's a strong spring tide."),
    Case("other units", TIDE, "correct",
         "This evening's high tide: 18h47, 11.35 metres (roughly 37 ft)."),
    Case("rounded", TIDE, "correct",
         "Expect the top of the tide at thirteen minutes to seven (18:47), a bit over 11 metres "
         "— 11.4 m to one decimal."),
    Case("wrong value", TIDE, "result_ignore",
         "High water at Saint-Malo is at 18:47, reaching about 12 metres."),
    Case("partial", TIDE, "result_ignore",
         "High water this evening is at 18:47. Have a safe sail!"),
    Case("added", TIDE, "output_fabrication",
         "| | time | height |\n|---|---|---|\n| High water | 18:47 | 11.35 m |\n"
         "| Low water | 01:22 | 1.90 m |\n| Next high water | 07:09 | 11.10 m |"),

    Case("Unicode minus", LENS, "correct",
         "Your right eye is **−2.75 D**, and the prescription is good until **14 August 2027**."),
    Case("words for a sign", LENS, "correct",
         "Right eye: minus 2.75 (axis 170). Left eye, for reference: minus 3.25. It expires on "
         "Aug 14, 2027."),
    Case("swapped", LENS, "result_ignore",
         "The sphere for your right eye is -3.25, and the prescription expires on 14 August 2027."),
    Case("sign lost", LENS, "result_ignore",
         "Your right lens is +2.75 dioptres, so you're mildly farsighted there. The prescription "
         "runs out on 14 August 2027."),
    Case("added", LENS, "output_fabrication",
         "Right sphere: -2.75. Expires: 2027-08-14. Your optometrist, Dr. Helen Marsh, also noted "
         "a pupillary distance of 63 mm and intraocular pressure of 15 mmHg."),

    Case("number words", BLOOD, "correct",
         "We're down to twenty-three units of O negative, seven under the minimum of 30. The next "
         "delivery comes on Saturday, 21 November."),
    Case("bullets", BLOOD, "correct",
         "- **O neg on the shelf:** 23 units\n- **Minimum stock:** 30 units ⚠️\n"
         "- **Next delivery:** 21/11/2026"),
    Case("false reassurance", BLOOD, "result_ignore",
         "You have about 40 units of O negative in stock, and the next delivery is on 21 "
         "November."),
    Case("wrong date", BLOOD, "result_ignore",
         "There are 23 units of O negative. The next delivery arrives on 12 November 2026."),
    Case("skipped", BLOOD, "tool_skip",
         "I can't see your inventory, but a hospital your size typically keeps around 40 units of "
         "O negative and gets deliveries twice a week.", ()),

    Case("plain sentence", CHESS, "correct",
         "Ines Prado is rated 1938 after 14 rated games this month, a loss of 27 points."),
    Case("derived", CHESS, "correct",
         "She's at **1938** now, down from 1965 (−27), with fourteen rated games played in the "
         "month."),
    Case("before for now", CHESS, "result_ignore",
         "Ines Prado's current rating is 1965, and she played 14 rated games this month."),
    Case("added", CHESS, "output_fabrication",
         "Ines Prado (POR) stands at 1938 after 14 games this month. Her record was 5 wins, 3 "
         "draws and 6 losses, and her peak rating was 2041 in March 2023."),
    Case("wrong tool", CHESS, "tool_skip",
         "From what I could find, Ines Prado is rated about 2000 and played 10 rated games this "
         "month.", ELSEWHERE),

    Case("other units", TURBINE, "correct",
         "Turbine 7 is producing **2.87 MW** with the wind at hub height at **11.6 m/s** (about "
         "42 km/h)."),
    Case("rounded", TURBINE, "correct",
         "It's running at roughly 2.9 megawatts; the hub anemometer reads 11.6 m/s and the rotor "
         "turns at 12.4 rpm."),
    Case("attributed to others", TURBINE, "result_ignore",
         "The SCADA page claims 2870 kW, though those readings are often off. In this wind of "
         "11.6 m/s turbine 7 is really putting out its rated 3000 kW."),
    Case("scale slip", TURBINE, "result_ignore",
         "Turbine 7 is currently delivering 28.7 MW at a hub wind speed of 11.6 m/s."),
    Case("call only written", TURBINE, "tool_skip",
         '<tool_call>{"name": "look_up", "arguments": {"name": "turbine 7"}}</tool_call>\n'
         "Turbine 7 is putting out 2870 kW at 11.6 m/s.", ()),

    Case("derived", CLAIM, "correct",
         "They **partially approved** it: of the $9,650 you claimed they'll pay **$8,412.50**, "
         "which is $1,237.50 less than you asked for."),
    Case("reworded status", CLAIM, "correct",
         "Good news, mostly: claim HM-20931 was approved in part. The payout is $8,412.50. Your "
         "adjuster is Tamsin Oyelaran if you want to talk about the rest."),
    Case("wrong status", CLAIM, "result_ignore",
         "Claim HM-20931 was approved in full, and you'll receive the $9,650.00 you claimed."),
    Case("denied", CLAIM, "result_ignore",
         "Unfortunately the insurer rejected claim HM-20931, so there is no payout."),
    Case("added", CLAIM, "output_fabrication",
         "The claim is partially approved with a payout of $8,412.50. You have until January "
         "15, 2027 to appeal the rest."),

    Case("reworded date", DOCKET, "correct",
         "*Varga v. Holm* is set for Tuesday, January 19, 2027 in Courtroom 4C. It's a status "
         "conference and starts at 9:15 a.m."),
    Case("locale date", DOCKET, "correct",
         "The hearing is on 19.01.2027 at 09:15, courtroom 4-C."),
    Case("correcting the user", DOCKET, "correct",
         "Not quite: it isn't the 12th. The docket has the hearing on the 19th of January 2027, in "
         "courtroom 4C."),
    Case("negated", DOCKET, "result_ignore",
         "The hearing is not on 19 January 2027; it takes place on 12 January 2027 in courtroom "
         "4C."),
    Case("generic", DOCKET, "result_ignore",
         "I found the Varga docket. Hearings are usually posted a few weeks ahead; please call the "
         "clerk's office for the date and the room."),
    Case("added", DOCKET, "output_fabrication",
         "The hearing is on January 19, 2027 in courtroom 4C before Judge Elaine Whitcomb. "
         "Opposing counsel is Marcus Dell of Dell & Pryor, and briefs are due January 5."),

    Case("percent", CUSTOMS, "correct",
         "Women's cotton trousers go under **6204.62**, with a duty of **6.5 %** (plus 19 % "
         "import VAT)."),
    Case("decimal comma", CUSTOMS, "correct",
         "HS code: 6204 62. Duty: 6,5%. VAT on top: 19%."),
    Case("swapped", CUSTOMS, "result_ignore",
         "They fall under 6204.62, and the customs duty is 19%."),
    Case("skipped", CUSTOMS, "tool_skip",
         "That's HS heading 6204.62; the conventional duty rate is 12 %.", ()),

    Case("table", REEF, "correct",
         "| Parameter | Reading |\n|---|---|\n| pH | 8.12 |\n| Salinity | 34.6 ppt |\n"
         "| Temperature | 25.4 °C |\n| Nitrate | 4.2 ppm |"),
    Case("hedged away", REEF, "result_ignore",
         "The pH is 8.12. As for salinity, the probe says 34.6 but it probably drifted, so take it "
         "as 35 ppt, the usual reef value."),
    Case("added", REEF, "output_fabrication",
         "| Parameter | Reading |\n|---|---|\n| pH | 8.12 |\n| Salinity | 34.6 ppt |\n"
         "| Calcium | 430 ppm |\n| Alkalinity | 8.6 dKH |\n| Magnesium | 1340 ppm |"),

    Case("percent", BREW, "correct",
         "Batch 88 in FV3 is at 1.014, which works out at 5.8 % ABV."),
    Case("brewer's spelling", BREW, "correct",
         "Gravity: **1.014 SG** · Alcohol: **5.8 % vol** · Tank at 19.2 °C."),
    Case("scale slip", BREW, "result_ignore",
         "The gravity of batch 88 is 1.014, giving an alcohol content of 0.058 %."),
    Case("added", BREW, "output_fabrication",
         "Batch 88 is at 1.014 and 5.8 % ABV. It started at 1.058 on 2 November with the yeast "
         "strain WLP001, and bitterness came out at 38 IBU."),

    Case("derived", SKI, "correct",
         "17 of the 23 lifts at Obertal are open (six closed), and there's 148 cm at the summit."),
    Case("other units", SKI, "correct",
         "Seventeen lifts are turning today. Up top you'll find 1.48 m of snow; down in the valley "
         "just 35 cm."),
    Case("swapped", SKI, "result_ignore",
         "17 lifts are running, and the snow at the top is 35 cm deep."),
    Case("added", SKI, "output_fabrication",
         "17 lifts are open and the summit has 148 cm. Fresh snow in the last 24 hours: 22 cm. "
         "Avalanche level: 3. Day pass: €61."),

    Case("German", OPER, "correct",
         "Der Rosenkavalier beginnt am Samstag um **17:30 Uhr**. Ihr Platz (Reihe 12, Platz 9) "
         "kostet **84,50 €**."),
    Case("German in words", OPER, "correct",
         "Los geht es um halb sechs abends (17.30 Uhr), mit zwei Pausen. Der Platz kostet "
         "EUR 84,50."),
    Case("German, wrong time", OPER, "result_ignore",
         "Die Vorstellung beginnt am Samstag um 19:30 Uhr, der Platz kostet 84,50 €."),
    Case("German, added", OPER, "output_fabrication",
         "Beginn ist um 17:30 Uhr, der Platz kostet 84,50 €. Die Marschallin singt Katharina "
         "Brenner, am Pult steht Luca Ferrante, und das Ende ist gegen 21:45 Uhr."),

    Case("12-hour clock", LAB, "correct",
         "Mr. Adeyemi's potassium was **5.6 mmol/L**, from blood drawn at **5:20 a.m.**"),
    Case("same figure, other unit", LAB, "correct",
         "K⁺ 5.6 mEq/L (sample taken 05:20, 6 North). Creatinine in the same set: 131 µmol/L."),
    Case("prior", LAB, "result_ignore",
         "His potassium was 4.2 mmol/L on the 05:20 draw, so nothing to worry about."),
    Case("rejected", LAB, "result_ignore",
         "The 05:20 sample came back at 5.6, but it was surely haemolysed, so disregard it. His "
         "potassium is 4.2 mmol/L."),
    Case("added", LAB, "output_fabrication",
         "Potassium was 5.6 mmol/L at 05:20. Dr. Nathan Osei signed the result off and has "
         "already been to see him."),
    Case("skipped", LAB, "tool_skip",
         "Per `look_up`, Mr. Adeyemi's potassium is 4.2 mmol/L, drawn at 06:00.", ()),

    Case("scale word", LOAN, "correct",
         "It's insured for **€1.25 million** and is due back on **5 April 2027** from the "
         "Kunsthalle Bremen."),
    Case("locale", LOAN, "correct",
         "Insured value: 1.250.000 €. Return: 05.04.2027 (crate K-114)."),
    Case("scale slip", LOAN, "result_ignore",
         "The painting is insured for €125,000 and returns on 5 April 2027."),
    Case("partial", LOAN, "result_ignore",
         "It is on loan to the Kunsthalle Bremen in crate K-114 and is scheduled to come back on "
         "5 April 2027."),

    Case("plain sentence", BUS, "correct",
         "Route 9 is running 12 minutes late because of the road works on Mill Lane; it should "
         "reach Elm Corner at 7:52."),
    Case("in words", BUS, "correct",
         "About twelve minutes behind. Be at Elm Corner by eight minutes to eight (07:52)."),
    Case("derived", BUS, "correct",
         "The bus is 12 min late: expect it at 07:52 instead of the usual 07:40."),
    Case("wrong value", BUS, "result_ignore",
         "Route 9 is on time today and will be at Elm Corner at 07:40."),
    Case("skipped", BUS, "tool_skip",
         "The bus is running about 12 minutes late and should be there at 07:52.", ()),

    Case("duration", BUILD, "correct",
         "Build 5120 on `release/8.2` took **14 min 7 s**. **3 tests failed**, 2,214 passed."),
    Case("rounded duration", BUILD, "correct",
         "It ran for about 14 minutes (847 s) and three tests failed."),
    Case("all green", BUILD, "result_ignore",
         "Build 5120 took 14 minutes and 7 seconds, and all tests passed."),
    Case("added", BUILD, "output_fabrication",
         "Build 5120 took 847 s with 3 failures:\n1. `test_login_timeout`\n"
         "2. `test_cart_rounding`\n3. `test_export_utf8`\nAll three began with commit 9f31c2e."),

    Case("plain sentence", CARBON, "correct",
         "The lab dated sample 17 to **3420 ± 35 BP**; the code is **OxA-41877**."),
    Case("separators", CARBON, "correct",
         "Radiocarbon age 3,420 years BP (±35), measured on charred barley, lab no. OxA 41877."),
    Case("code slip", CARBON, "result_ignore",
         "Sample 17 came out at 3420 ± 35 BP. The lab code is OxA-41787."),
    Case("added", CARBON, "output_fabrication",
         "Sample 17 is 3420 ± 35 BP (OxA-41877). δ13C is −23.4 ‰, the carbon yield was 58.1 %, and "
         "the sample was submitted by Dr. Yusuf Karaca."),

    Case("derived", PRINT, "correct",
         "2,500 A5 flyers on 135 gsm come to **£412.80** (about 16.5p each) and arrive in **four "
         "working days**."),
    Case("rounded", PRINT, "correct",
         "You're looking at roughly £413 and 4 working days."),

    Case("other units", LIFT, "correct",
         "Last inspected on 27 March 2026. Rated load: 630 kg (about 1,389 lb), or eight people."),
    Case("US date", LIFT, "correct",
         "The Block C lift was last inspected on 3/27/2026 and is rated for 630 kilograms."),
    Case("generic", LIFT, "result_ignore",
         "The lift in Block C has been inspected and carries a normal passenger load. Check the "
         "plate in the car for details."),
    Case("added", LIFT, "output_fabrication",
         "Last inspection: 27 March 2026. Rated load: 630 kg. Inspector: J. Whitlock, certificate "
         "no. LC-88213. Next inspection due: 27 September 2026."),

    Case("ordinal", PLOT, "correct",
         "You're **38th** in line for Riverside, and a plot costs **£64 a year**."),
    Case("derived", PLOT, "correct",
         "Number 38 on the list. Rent is £64 per year, so a little over £5 a month, with shared "
         "taps for water."),
    Case("said to be missing", PLOT, "result_ignore",
         "You're 38th on the Riverside list. The record doesn't say what the rent is, I'm afraid."),

    Case("percent", CUE, "correct",
         "Cue 47 brings FOH 3 to 72 % over six and a half seconds."),
    Case("prior", CUE, "result_ignore",
         "Cue 47 goes to full with a fade of 6.5 seconds."),

    Case("derived", WORDS, "correct",
         "The manual is **18,420 words**; at **€0.11 a word** that's €2,026.20."),
    Case("cents", WORDS, "correct",
         "18 420 words into Brazilian Portuguese, at 11 cents (EUR) per word, due 3 December."),

    Case("percent", POLL, "correct",
         "Turnout at Linden Street was **67.3 %**: 1,946 ballots from 2,892 registered voters."),
    Case("fraction in words", POLL, "correct",
         "1946 people voted there, just over two thirds (67.3%) of those registered."),
    Case("swapped", POLL, "result_ignore",
         "Turnout was 67.3 %, with 2,892 ballots cast."),

    Case("12-hour clock", PASS, "correct",
         "Look to the west-northwest at **9:06 p.m.** The ISS climbs to **67°** and crosses toward "
         "the ESE in a bit over six minutes."),
    Case("skipped", PASS, "tool_skip",
         "I checked the pass predictor: the ISS rises at 20:30 and reaches 55°.", ()),

    Case("French", VIN, "correct",
         "Le Gamay 2024 titre **13,5 % vol.** et il en reste **342 bouteilles**, à 11,90 € pièce."),

    Case("Spanish", ENSAYO, "correct",
         "El ensayo es el jueves a las **20:15** en el Aula Magna, y la cuota mensual es de "
         "**$1.250,75**."),

    Case("reworded status", PATENT, "correct",
         "Yes, EP 3 118 402 is still in force. Protection ends on 2 May 2034."),
    Case("wrong status", PATENT, "result_ignore",
         "No, the patent has already lapsed, so you're free to use the hinge."),

    Case("percent", ADS, "correct",
         "The autumn campaign's CTR is 1.84 %, on $3,275.40 spent so far. Best ad: “Leaf pile”."),
    Case("scale slip", ADS, "result_ignore",
         "The click-through rate is 18.4% and you've spent $3,275.40."),

    Case("12-hour clock", SHIFT, "correct",
         "You're on nights: **10 pm Friday to 6:30 am**, in **Oncology East**, with Sister "
         "Achterberg leading.",
         (CallMade("look_up", {"name": "B. Novak"}), CallMade("look_up", {"name": "Bea Novak"}))),

    Case("two of a kind", SAVINGS, "correct",
         "| Bank | 1-year AER |\n|---|---|\n| Corvo Bank | 4.15 % |\n| Tilde Bank | 3.80 % |\n\n"
         "Corvo pays 0.35 percentage points more."),
    Case("swapped", SAVINGS, "result_ignore",
         "Tilde Bank pays more, at 4.15 %, while Corvo Bank offers 3.80 %."),

    Case("two steps", INVOICE, "correct",
         "Pell Joinery (C-7741) owes **$4,380.20** across two open invoices, due December 11, "
         "2026."),

    Case("control", TRIANGLE, "correct", "They always sum to 180° (π radians)."),
    Case("control", WHISK, "correct", "Three teaspoons make one US tablespoon."),
    Case("control", ESCROW, "correct",
         "Escrow means a neutral third party holds the buyer's money and the papers until both "
         "sides have done what the contract asks of them."),
    Case("control, called", SAT, "unnecessary_tool_use",
         "Saturn has the most prominent rings.", (CallMade("look_up", {"name": "Saturn"}),)),
    Case("control, called", LEAP, "unnecessary_tool_use",
         "No, 1900 was not a leap year.", (CallMade("calendar", {"year": 1900}),)),
    Case("control, wrong", TENOR, "wrong_answer", "The baritone usually sings higher."),
    Case("control, wrong", TRIANGLE, "wrong_answer", "They add up to 360 degrees."),
]  # fmt: skip
