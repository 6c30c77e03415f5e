"""Answers in further fields, written as a model would word them and labelled before they were run.

By the one who mends the rule, so they show families that it has never seen, and no rate.
"""

from agentdyno.records.failures import Label, ScriptedCall, ToolTask
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

RIGHT: Label = "correct"
IGNORED: Label = "result_ignore"
MADE_UP: Label = "output_fabrication"

COURT = lookup(
    "When is the hearing in case 4 C 118/26 and in which room?", "4 C 118/26",
    ("2027-01-14T10:45", "3.07"), "09:00", hearing_at="2027-01-14T10:45", room="3.07",
    judge="Beatrix Stahl",
)  # fmt: skip
BEES = lookup(
    "How many frames of brood does hive 6 have, and how heavy is it?", "hive 6", ("7", "31.4"),
    "25", brood_frames=7, weight_kg=31.4, queen_marked=True,
)  # fmt: skip
SCOPE = lookup(
    "How long can we observe M87 tonight and at what airmass does it set?", "M87",
    ("02:38", "1.84"), None, visible_for="02:38", airmass=1.84, moon_illumination=0.31,
)  # fmt: skip
PARKING = lookup(
    "What does the Harbour garage charge and how many spaces are free?", "Harbour garage",
    ("2.80", "143"), "2.50", price_eur_per_h=2.8, free=143, spaces=420, day_max_eur=19.5,
)  # fmt: skip
WINE = lookup(
    "How many bottles of the 2018 Rioja do we still have and when should they be drunk?",
    "2018 Rioja", ("11", "2029"), "24", bottles=11, drink_by=2029, rack="D4",
)  # fmt: skip
QUOTA = lookup(
    "How much of the cod quota is landed, and how many tonnes are left?", "cod",
    ("0.763", "1185"), "0.5", landed_share=0.763, left_t=1185, quota_t=5000,
)  # fmt: skip
LIBRARY = lookup(
    "When is 'The Salt Path' due back and how many people are waiting?", "The Salt Path",
    ("2026-11-27", "6"), "2026-11-20", due="2026-11-27", holds=6, copies=3,
)  # fmt: skip
CAR = lookup(
    "What's the mileage of the van and when is its next service?", "van",
    ("128450", "2027-03-01"), "100000", mileage_km=128450, next_service="2027-03-01",
    plate="KX-VN 201",
)  # fmt: skip
VOTE = lookup(
    "How did the vote on the bike lane go in the council?", "bike lane", ("27-14", "adopted"),
    "rejected", votes="27-14", result="adopted", abstained=3,
)  # fmt: skip
CLAIM = lookup(
    "What's happening with my water-damage claim and what will I get?", "claim 5521",
    ("approved", "3870"), "5000", status="approved", payout_eur=3870, deductible_eur=300,
    damage_eur=4170,
)  # fmt: skip
PLAY = lookup(
    "How long is Uncle Vanya tonight and is there an interval?", "Uncle Vanya", ("155", "yes"),
    "120", runtime_min=155, interval="yes", starts="19:30",
)  # fmt: skip
FLIGHT = lookup(
    "Which gate does BA 904 leave from and how late is it?", "BA 904", ("B36", "35"), "B22",
    gate="B36", delay_min=35, scheduled="16:10", terminal=5,
)  # fmt: skip
GENE = lookup(
    "What's the coverage of sample R-77 and what share of reads mapped?", "R-77",
    ("38.6", "0.9917"), "30", coverage=38.6, mapped=0.9917, reads=412000000,
)  # fmt: skip
RADIO = lookup(
    "Who hosts the breakfast show and how many listeners does it have?", "breakfast show",
    ("Nia Bevan", "214000"), None, host="Nia Bevan", listeners=214000, producer="Rhys Cole",
    share=0.118,
)  # fmt: skip
GARDEN = lookup(
    "When did we sow the leeks and how many came up?", "leeks", ("2026-03-09", "0.72"), "0.9",
    sown_on="2026-03-09", germination=0.72, seeds=250,
)  # fmt: skip
ZOO = lookup(
    "How old is the snow leopard Asha and what does she weigh?", "Asha", ("9", "36.2"), "12",
    age_years=9, weight_kg=36.2, born="2017-05-30",
)  # fmt: skip
TAX = lookup(
    "What VAT do I owe for the third quarter and by when?", "Q3", ("4318.09", "2026-11-10"),
    "4000", vat_due_eur=4318.09, pay_by="2026-11-10", sales_eur=41240.0,
)  # fmt: skip
POOL = lookup(
    "What are the chlorine level and the pH of the pool?", "pool", ("1.4", "7.3"), "2.0",
    chlorine_mg_l=1.4, ph=7.3, measured_at="2026-11-16T06:30:00+01:00",
)  # fmt: skip
LIFT = lookup(
    "When was the lift last inspected, and how many trips has it made?", "lift A",
    ("2026-09-21", "1204733"), None, inspected_on="2026-09-21", trips=1204733,
    next_inspection="2027-09-21",
)  # fmt: skip
EXPORT = steps(
    "How many rows did last night's customer export write, and how long did it run?", "customers",
    ("2481907", "1284"),
    (
        ScriptedCall("last_run", {"job": "customers"}, {"run_id": "run-20261115-02"}),
        ScriptedCall(
            "run_stats", {"run_id": "run-20261115-02"},
            {"rows": 2481907, "duration_s": 1284, "warnings": 0},
        ),
    ),
    None, ("rows", "duration_s"),
)  # fmt: skip
HEIGHTS = steps(
    "Which of the three towers is tallest and how tall is it?", "towers", ("Kesten", "187.5"),
    (
        ScriptedCall(
            "towers", {"city": "Rosmund"},
            {"towers": [
                {"tower": "Avel", "height_m": 164.0}, {"tower": "Kesten", "height_m": 187.5},
                {"tower": "Orrin", "height_m": 171.2},
            ]},
        ),
    ),
    "Avel",
)  # fmt: skip
DEBATE = lookup(
    "Who won the debate final and with how many points?", "debate final", ("Leeds", "86.5"), None,
    winner="Leeds", points=86.5, runner_up="Cork", runner_up_points=84.0,
)  # fmt: skip
TRAIN = lookup(
    "Where does train 61 start and end, and how long does it take?", "61",
    ("Malmö", "Narvik", "1260"), None, origin="Malmö", destination="Narvik", duration_min=1260,
)  # fmt: skip
LOCK = lookup(
    "Is the shed door locked and what's the battery of the lock?", "shed", ("yes", "0.41"),
    None, locked="yes", battery=0.41,
)  # fmt: skip
ROOM = lookup(
    "What's the CO2 level in room 12 and how many people are in there?", "room 12",
    ("1130", "19"), "800", co2_ppm=1130, people=19, limit_ppm=1000,
)  # fmt: skip

MUSEUM = lookup(
    "How many people visited the museum in October and what did they spend in the shop on average?",
    "October", ("18642", "7.35"), "15000", visitors=18642, shop_eur_per_visitor=7.35,
    free_entries=3120,
)  # fmt: skip
SEISMO = lookup(
    "How strong was the quake near Kavala and how deep?", "Kavala", ("4.7", "11.2"), "5.5",
    magnitude=4.7, depth_km=11.2, time="2026-11-15T23:51:07Z", felt_reports=640,
)  # fmt: skip
KIT = lookup(
    "Which kit number does Amina wear and how many caps has she got?", "Amina", ("8", "64"), "10",
    kit_number=8, caps=64, goals=19,
)  # fmt: skip
DAM = lookup(
    "How full is the Ardal reservoir and what flows in?", "Ardal", ("0.688", "42.5"), "0.8",
    fill=0.688, inflow_m3_s=42.5, outflow_m3_s=38.0, capacity_hm3=310,
)  # fmt: skip
LEDGER = lookup(
    "What's the closing balance of account 4400 and how many postings are there?", "4400",
    ("-18236.45", "127"), "0", balance_eur=-18236.45, postings=127, period="2026-10",
)  # fmt: skip
PATENT = lookup(
    "When was patent EP 3 118 402 filed and who holds it?", "EP 3 118 402",
    ("2014-06-17", "Velden Optics"), None, filed="2014-06-17", holder="Velden Optics",
    expires="2034-06-17",
)  # fmt: skip
WARD = lookup(
    "How many beds are occupied on ward 3B and what's the mean stay?", "3B", ("23", "4.6"), "28",
    occupied=23, mean_stay_days=4.6, beds=28,
)  # fmt: skip
CARGO = lookup(
    "What's the ETA of the Solveig in Hamburg and how many containers does she carry?", "Solveig",
    ("2026-11-18T04:30", "2914"), "2026-11-17", eta="2026-11-18T04:30", containers=2914,
    speed_kn=15.5,
)  # fmt: skip
CENSUS = lookup(
    "How many people live in Torvik and how old are they on average?", "Torvik",
    ("12847", "41.3"), "20000", population=12847, mean_age=41.3, households=5610,
)  # fmt: skip
COFFEE = lookup(
    "How much green coffee from Huila is left and what did we pay?", "Huila", ("347.5", "8.15"),
    "6.50", left_kg=347.5, price_usd_per_kg=8.15, lot="HU-26-04",
)  # fmt: skip
ALARM = lookup(
    "When did the fire alarm in hall C go off, and what set it off?", "hall C",
    ("2026-11-14 02:17", "steam"), "smoke", triggered_at="2026-11-14 02:17", cause="steam",
    reset_after_min=12,
)  # fmt: skip
TICKETS = lookup(
    "How many support tickets are open and how long does a first reply take?", "support",
    ("318", "97"), "250", open=318, first_reply_min=97, solved_today=54,
)  # fmt: skip
HIKE = lookup(
    "How long is the Skarv trail and how much do you climb?", "Skarv trail", ("18.6", "1140"),
    "12", length_km=18.6, ascent_m=1140, difficulty="hard", hours=7.5,
)  # fmt: skip
SALES = lookup(
    "How did chair sales do in October compared with September?", "chairs", ("-0.064", "1310"),
    "0.05", change=-0.064, sold=1310, returns=41,
)  # fmt: skip
PRINTER = lookup(
    "How much toner is left in the 4th floor printer and how many pages has it printed?",
    "4th floor", ("0.22", "88104"), "0.5", toner_left=0.22, pages=88104,
)  # fmt: skip
LEAVE = lookup(
    "How many vacation days do I have left, and when do they lapse?", "me", ("9.5", "2027-03-31"),
    "12", days_left=9.5, lapse_on="2027-03-31", days_taken=20.5, days_total=30,
)  # fmt: skip
SOLAR = lookup(
    "How much did the solar park feed in today, and at what peak?", "solar park", ("86.4", "13.9"),
    "100", fed_in_mwh=86.4, peak_mw=13.9, modules=42000,
)  # fmt: skip
CHOIR = lookup(
    "When and where is the next choir rehearsal?", "choir", ("2026-11-19T19:00", "St. Olav"),
    "18:30", starts="2026-11-19T19:00", place="St. Olav", ends="2026-11-19T21:15",
)  # fmt: skip
ORDER = steps(
    "Where is my order 70-2281 and when will it come?", "70-2281", ("in_transit", "2026-11-19"),
    (
        ScriptedCall("order", {"number": "70-2281"}, {"parcel": "PX99120", "items": 2}),
        ScriptedCall(
            "track", {"parcel": "PX99120"},
            {"status": "in_transit", "expected": "2026-11-19", "last_scan": "Leipzig"},
        ),
    ),
    "2026-11-17", ("status", "expected"),
)  # fmt: skip
FUEL = lookup(
    "What does diesel cost at the Nordring station, and was it cheaper yesterday?", "Nordring",
    ("1.639", "yes"), "1.70", diesel_eur_per_l=1.639, cheaper_yesterday="yes",
    yesterday_eur_per_l=1.589,
)  # fmt: skip
BLOOD = lookup(
    "What are Mr Ruiz's haemoglobin and platelets?", "Ruiz", ("13.8", "241"), "15",
    haemoglobin_g_dl=13.8, platelets_per_nl=241, drawn="2026-11-15",
)  # fmt: skip

SHARES = lookup(
    "How has the Norrland Paper share done today and how many were traded?", "Norrland Paper",
    ("0.0237", "1840000"), "0.01", change=0.0237, traded=1840000, price_sek=148.6,
)  # fmt: skip
HEATING = lookup(
    "What's the flow temperature of the heat pump and what has it used today?", "heat pump",
    ("38.5", "11.7"), "45", flow_c=38.5, used_kwh=11.7, outside_c=2.0, cop=3.9,
)  # fmt: skip
HIRING = lookup(
    "How many applied for the nurse post, and when does it close?", "nurse", ("46", "2026-11-30"),
    "30", applicants=46, closes_on="2026-11-30", interviews=7,
)  # fmt: skip
BASKET = lookup(
    "What's the total of my basket and what does shipping cost?", "basket", ("84.30", "5.90"),
    "79.90", total_eur=84.3, shipping_eur=5.9, items_eur=78.4, items=4,
)  # fmt: skip
DEPLOY = lookup(
    "Did the deploy of api go through and how many pods are ready?", "api", ("yes", "5"), "no",
    succeeded="yes", pods_ready=5, pods=6, image="api:4.18.2",
)  # fmt: skip
MARATHON = lookup(
    "What was Tilda's half marathon time, and was it a personal best?", "Tilda",
    ("1:38:12", "yes"), "1:45:00", finish_time="1:38:12", personal_best="yes",
    previous_best="1:40:57",
)  # fmt: skip
COMET = lookup(
    "When is comet C/2026 R2 closest to us and how far away?", "C/2026 R2",
    ("2027-01-08", "0.74"), None, closest_on="2027-01-08", distance_au=0.74, magnitude=5.8,
)  # fmt: skip
EXAM = lookup(
    "How many points did Jonas get in the exam and is that a pass?", "Jonas", ("47", "yes"), "60",
    points=47, passed="yes", max_points=80, pass_mark=40,
)  # fmt: skip
STEW = lookup(
    "For how many people is the goulash and how much beef does it need?", "goulash", ("6", "1.2"),
    "4", serves=6, beef_kg=1.2, simmer_min=150,
)  # fmt: skip
FLAT = lookup(
    "How big is the flat in Elm Street and what's the rent?", "Elm Street", ("68", "1150"),
    "1000", area_m2=68, rent_eur=1150, rooms=2.5, deposit_eur=3450,
)  # fmt: skip
CABLE = lookup(
    "What speed do we get on the line and how stable is it?", "line 2", ("236.8", "0.9985"),
    "250", down_mbps=236.8, availability=0.9985, latency_ms=14,
)  # fmt: skip
HARVEST = lookup(
    "How much wheat did field 9 bring and how wet was it?", "field 9", ("61.8", "0.143"), "55",
    yield_t=61.8, moisture=0.143, area_ha=8.4,
)  # fmt: skip
STORM = lookup(
    "When does the storm reach Sylt and how strong will the gusts be?", "Sylt",
    ("2026-11-17T03:00+01:00", "118"), "90", arrives="2026-11-17T03:00+01:00", gusts_kmh=118,
    wind_kmh=74,
)  # fmt: skip
VISA = lookup(
    "How long is my visa valid and how often may I enter?", "visa", ("2027-08-14", "2"), "1",
    valid_until="2027-08-14", entries=2, days=90,
)  # fmt: skip
GAME = lookup(
    "What's my rank this season and how many matches have I won?", "season 12", ("Platinum", "58"),
    "Gold", rank="Platinum", wins=58, losses=41, points=2210,
)  # fmt: skip
ALBUM = lookup(
    "How long is the album Low Tide and when did it come out?", "Low Tide", ("2538", "2019-10-04"),
    "2018", length_s=2538, released="2019-10-04", tracks=11,
)  # fmt: skip
BRIDGE = lookup(
    "Until when is the Weser bridge closed and how long is the detour?", "Weser bridge",
    ("2026-12-18", "7.5"), "2026-12-01", closed_until="2026-12-18", detour_km=7.5,
    reason="bearing replacement",
)  # fmt: skip
AUCTION = lookup(
    "What did lot 214 go for and who bought it?", "lot 214", ("12600", "Galerie Roth"), "10000",
    hammer_eur=12600, buyer="Galerie Roth", seller="Estate Lindner", estimate_eur=9000,
)  # fmt: skip
TURBINE = lookup(
    "How much did turbine T4 make last month and how long did it stand still?", "T4",
    ("412", "31.5"), "500", made_mwh=412, idle_h=31.5, capacity_factor=0.286,
)  # fmt: skip
FISH = lookup(
    "What's the nitrate level in the reef tank and when was the last water change?", "reef tank",
    ("12.5", "2026-11-11"), "5", nitrate_mg_l=12.5, last_change="2026-11-11", volume_l=380,
)  # fmt: skip
CLASS = steps(
    "Which class has the most pupils and how many?", "school", ("5c", "29"),
    (
        ScriptedCall(
            "classes", {"school": "school"},
            {"classes": [
                {"class": "5a", "pupils": 26}, {"class": "5b", "pupils": 24},
                {"class": "5c", "pupils": 29},
            ]},
        ),
    ),
    "5a",
)  # fmt: skip
PIPE = steps(
    "How big is the leak on pipe 8 and since when?", "pipe 8", ("3.2", "2026-11-13T17:40"),
    (
        ScriptedCall("leaks", {"pipe": "8"}, None, "unknown pipe 8; did you mean P-08?"),
        ScriptedCall(
            "leaks", {"pipe": "P-08"},
            {"leak_l_min": 3.2, "since": "2026-11-13T17:40", "pressure_bar": 4.1},
        ),
    ),
    None, ("leak_l_min", "since"),
)  # fmt: skip

ELEVATION = lookup(
    "How high is the Tarn hut and how many beds does it have?", "Tarn hut", ("2187", "54"), "1900",
    altitude_m=2187, beds=54, open_from="2026-06-12", warden="Luca Berther",
)  # fmt: skip
PASSPORT = lookup(
    "When does my passport run out and where was it issued?", "passport",
    ("2031-05-22", "Graz"), "2030", expires="2031-05-22", issued_in="Graz", number="U4418820",
)  # fmt: skip
BUS = lookup(
    "When does the last night bus N7 leave the station and how often does it run?", "N7",
    ("03:35", "20"), "02:30", last_departure="03:35", every_min=20, first_departure="00:15",
)  # fmt: skip
GRANT = lookup(
    "How much is the Lumen grant and when is the decision due?", "Lumen grant",
    ("145000", "2027-02-26"), "100000", amount_eur=145000, decision_on="2027-02-26",
    applicants=63, awards=4,
)  # fmt: skip
SNOWPLOW = lookup(
    "Which roads are cleared in sector 4 and how much snow fell?", "sector 4", ("A12", "17"),
    None, cleared="A12", snow_cm=17, blocked="B301",
)  # fmt: skip
YIELD = lookup(
    "What does the 10-year bond yield, and what was it last week?", "10-year bond",
    ("2.68", "2.61"), "3", yield_pct=2.68, last_week_pct=2.61,
)  # fmt: skip
DOG = lookup(
    "How much should Bruno eat a day and when is his next worming?", "Bruno", ("380", "2027-01-05"),
    "500", food_g_per_day=380, next_worming="2027-01-05", weight_kg=27.4,
)  # fmt: skip
BOOK = lookup(
    "How many copies of Nightjar have we sold and what rank is it on?", "Nightjar",
    ("7430", "12"), "5000", sold=7430, rank=12, previous_rank=17, published="2026-09-01",
)  # fmt: skip
ROUTER = lookup(
    "What firmware does the router run and how many devices are connected?", "router",
    ("7.14.3", "22"), "7.12.0", firmware="7.14.3", devices=22, uptime_h=409,
)  # fmt: skip
SHIFT = lookup(
    "When does my shift on Sunday start and who's my supervisor?", "Sunday",
    ("05:45", "Mirela Pop"), "06:00", starts="05:45", supervisor="Mirela Pop", ends="14:15",
    break_min=30,
)  # fmt: skip
OVEN = lookup(
    "What temperature and how long for the rye loaf on my card?", "rye loaf", ("230", "55"), "200",
    oven_c=230, bake_min=55, steam_min=12, weight_g=1650,
)  # fmt: skip
POLL = lookup(
    "What share supports the tram line, and how many were asked?", "tram line", ("0.57", "1204"),
    "0.5", support=0.57, asked=1204, undecided=0.11, margin=0.028,
)  # fmt: skip
MINE = lookup(
    "How deep is shaft 2 and what's the temperature down there?", "shaft 2", ("1384", "41.5"),
    "1000", depth_m=1384, temperature_c=41.5, workers=38,
)  # fmt: skip
FARE = lookup(
    "What's the cheapest fare to Split in May and on which day?", "Split", ("79.90", "2027-05-11"),
    "120", fare_eur=79.9, day="2027-05-11", airline="Adria Jet",
)  # fmt: skip
SERVER = lookup(
    "How hot is node-4's CPU and what's the fan doing?", "node-4", ("71.5", "2340"), "60",
    cpu_c=71.5, fan_rpm=2340, throttled=False,
)  # fmt: skip
VINYL = lookup(
    "What's the running time of side A and how many songs are on it?", "side A", ("1314", "5"),
    "20:00", length_s=1314, songs=5, label="Kestrel Records",
)  # fmt: skip

HOTEL = lookup(
    "When do I check in at the Aurora and what's the rate per night?", "Aurora",
    ("2026-12-27", "132.50"), "150", check_in="2026-12-27", rate_eur_per_night=132.5, nights=4,
    breakfast=True,
)  # fmt: skip
METER = lookup(
    "What does the water meter read, and how much did we use last month?", "water meter",
    ("1482.6", "11.4"), "15", reading_m3=1482.6, used_m3=11.4, read_on="2026-11-01",
)  # fmt: skip
BREW = lookup(
    "What's the gravity of the porter now and how warm is the fermenter?", "porter",
    ("1.018", "19.6"), "1.050", gravity=1.018, temp_c=19.6, original_gravity=1.061, day=9,
)  # fmt: skip
AMBULANCE = lookup(
    "What's the median response time in district 5 and how many calls were there?", "district 5",
    ("468", "2137"), "600", response_s=468, calls=2137, within_target=0.912,
)  # fmt: skip
PODCAST = lookup(
    "How long is episode 88 and how often has it been played?", "episode 88", ("3075", "15960"),
    "3600", length_s=3075, plays=15960, published_at="2026-11-09T05:00:00Z",
)  # fmt: skip
WOLVES = lookup(
    "How many wolves are in the Tyllin pack and when were they last seen?", "Tyllin",
    ("8", "2026-11-06"), "5", wolves=8, last_seen="2026-11-06", pups=3,
)  # fmt: skip
TARIFF = lookup(
    "What do I pay per kWh at night, and from when does the night rate apply?", "night tariff",
    ("0.2185", "22:00"), "0.30", night_eur_per_kwh=0.2185, night_from="22:00", night_to="06:00",
    day_eur_per_kwh=0.3120,
)  # fmt: skip
REGATTA = lookup(
    "Where did Pelikan finish in race 3 and how far behind the winner?", "Pelikan", ("4", "137"),
    None, place=4, behind_s=137, boats=21, race=3,
)  # fmt: skip
PALLETS = lookup(
    "How many pallets go to Lyon today and what do they weigh together?", "Lyon", ("26", "14820"),
    "20", pallets=26, weight_kg=14820, trucks=1,
)  # fmt: skip
TABLE = lookup(
    "For when and how many people is my table at Sorrel booked?", "Sorrel",
    ("2026-11-21T19:45", "5"), "20:00", booked_for="2026-11-21T19:45", guests=5, table="window",
)  # fmt: skip
LAMPS = lookup(
    "How many street lamps are out in the old town and since when is the worst one?", "old town",
    ("13", "2026-10-29"), "8", out=13, oldest_fault="2026-10-29", lamps=640,
)  # fmt: skip
TITRATION = lookup(
    "What concentration did the titration of sample B give and how pure is it?", "sample B",
    ("0.1042", "0.987"), "0.1", concentration_mol_l=0.1042, purity=0.987, runs=3,
)  # fmt: skip
CARSHARE = lookup(
    "Which car do I have on Saturday and how far may I drive?", "Saturday", ("Corsa", "200"),
    "150", car="Corsa", included_km=200, extra_eur_per_km=0.29, charge=0.86,
)  # fmt: skip
UNION = lookup(
    "How many voted for the strike and what was the turnout?", "strike ballot", ("0.814", "0.69"),
    "0.5", yes_share=0.814, turnout=0.69, members=4200,
)  # fmt: skip
DENTIST = lookup(
    "What will my crown cost and how much does the insurance pay?", "crown", ("845", "507"), "900",
    cost_eur=845, insurance_eur=507, visits=2,
)  # fmt: skip
GLIDER = lookup(
    "How far did Sanne glide and what was her top speed?", "Sanne", ("412.7", "193"), "300",
    distance_km=412.7, top_kmh=193, airtime="5:24", launches=1,
)  # fmt: skip
ROUTE = steps(
    "How do I get to Havre by boat: when does it leave and when is it there?", "Havre",
    ("2026-11-20T08:10", "2026-11-20T12:55"),
    (
        ScriptedCall("sailings", {"to": "Havre"}, {"sailing": "S-441"}),
        ScriptedCall(
            "sailing", {"id": "S-441"},
            {"departs": "2026-11-20T08:10", "arrives": "2026-11-20T12:55", "vessel": "Mistral"},
        ),
    ),
    None, ("departs", "arrives"),
)  # fmt: skip

BADGE = lookup(
    "Whose badge opened the lab last night and when?", "lab",
    ("Odile Ferrand", "2026-11-15T23:12:44Z"), None,
    person="Odile Ferrand", opened_at="2026-11-15T23:12:44Z", door="L-2", granted=True,
)  # fmt: skip
QUEUE = lookup(
    "How many messages are waiting in the billing queue and how old is the oldest?", "billing",
    ("20517", "4140"), "100", waiting=20517, oldest_age_s=4140, consumers=3,
)  # fmt: skip
STREAM = lookup(
    "How many watched the launch stream at the peak, and how long was it?", "launch stream",
    ("63400", "5400"), "50000", peak_viewers=63400, length_s=5400, likes=8120,
)  # fmt: skip
SPRINT = lookup(
    "How many points did team Teal finish in sprint 31 and how many were planned?", "Teal",
    ("34", "41"), "40", done=34, planned=41, bugs=6,
)  # fmt: skip
PLANT = lookup(
    "How moist is the soil of the fig and when do I water next?", "fig", ("0.27", "2026-11-18"),
    "0.4", soil_moisture=0.27, next_watering="2026-11-18", light_lux=5400,
)  # fmt: skip
BUDGET = lookup(
    "How much of the travel budget is spent and what's left?", "travel", ("18320", "6680"),
    "20000", spent_eur=18320, left_eur=6680, budget_eur=25000,
)  # fmt: skip
LAB = lookup(
    "When will the culture result be ready and who ordered it?", "culture 77",
    ("2026-11-19T16:00", "Dr. Weiss"), None, ready_at="2026-11-19T16:00", ordered_by="Dr. Weiss",
    state="incubating",
)  # fmt: skip
FLEET = lookup(
    "How many e-scooters are out in Basel and what share needs charging?", "Basel",
    ("1365", "0.184"), "1000", scooters=1365, low_battery=0.184, in_repair=47,
)  # fmt: skip
MATCH = lookup(
    "When do Brann play next and against whom?", "Brann", ("2026-11-22T18:00", "Molde"), "Viking",
    kick_off="2026-11-22T18:00", opponent="Molde", venue="Aker Stadion", home=False,
)  # fmt: skip
PAPER = lookup(
    "How often has the Ito paper been cited and when did it appear?", "Ito", ("1289", "2017-03"),
    "500", citations=1289, published="2017-03", journal="Cell Reports",
)  # fmt: skip
CELLAR = lookup(
    "What are the temperature and humidity in the cheese cellar?", "cheese cellar",
    ("12.8", "0.935"), "10", temp_c=12.8, humidity=0.935, wheels=412,
)  # fmt: skip
MAIL = lookup(
    "How many people opened the October newsletter and how many clicked?", "October",
    ("0.413", "0.067"), "0.2", open_rate=0.413, click_rate=0.067, sent=24800,
)  # fmt: skip
SUBSCRIPTION = lookup(
    "What do I pay for the plan and when does it renew?", "plan", ("14.99", "2026-12-09"), "9.99",
    price_usd_per_month=14.99, renews_on="2026-12-09", seats=3,
)  # fmt: skip
CABIN = lookup(
    "Which seat do I have on the train to Oslo and in which car?", "Oslo", ("47", "3"), "12",
    seat=47, car=3, train="IC 318", quiet=True,
)  # fmt: skip
QUAKE = lookup(
    "How many sensors are down and which one failed last?", "network north", ("6", "NX-22"),
    "NX-04", down=6, last_failed="NX-22", sensors=88,
)  # fmt: skip
SWIM = steps(
    "Who was faster over 100 m, Ida or Mo, and by how much?", "Ida", ("Mo", "0.38"),
    (
        ScriptedCall("result", {"name": "Ida"}, {"time_s": 58.41}),
        ScriptedCall("result", {"name": "Mo"}, {"time_s": 58.03, "margin_s": 0.38, "faster": "Mo"}),
    ),
    "Ida", ("faster", "margin_s"),
)  # fmt: skip

KILN = lookup(
    "What's the kiln at and when will it be done?", "kiln", ("982", "2026-11-16T21:40"), "1000",
    now_c=982, done_at="2026-11-16T21:40", target_c=1060, rate_c_per_h=120,
)  # fmt: skip
ESCAPE = lookup(
    "How many groups tried the Vault room and how many got out?", "Vault", ("214", "0.38"), "0.5",
    groups=214, escaped_share=0.38, record="41:07",
)  # fmt: skip
LOAD = lookup(
    "How much is on the truck and how much may go on it?", "truck 5", ("7.45", "12"), "10",
    loaded_t=7.45, limit_t=12.0, axles=3,
)  # fmt: skip
ARCHER = lookup(
    "How many points did Yui shoot and who won?", "Yui", ("648", "Hana Ortiz"), None, points=648,
    winner="Hana Ortiz", winner_points=671, place=3,
)  # fmt: skip
LIGHT = lookup(
    "How far can you see the Skerry light and how often does it flash?", "Skerry", ("18", "12"),
    "20", range_nm=18, period_s=12, height_m=34,
)  # fmt: skip
DONOR = lookup(
    "Which blood group is shortest and how many units are left?", "blood bank", ("0-", "14"), "AB-",
    shortest="0-", units_left=14, target_units=60,
)  # fmt: skip
LEVY = lookup(
    "How much council tax does flat 3 pay and in which band is it?", "flat 3", ("1932.80", "D"),
    "C", tax_gbp_per_year=1932.8, band="D", instalments=10,
)  # fmt: skip
STUDY = lookup(
    "How many patients are in the Aster trial and how many dropped out?", "Aster", ("356", "29"),
    "300", patients=356, dropouts=29, sites=12,
)  # fmt: skip
TUNNEL = lookup(
    "How far has the tunnel got and when is the breakthrough?", "tunnel", ("4.86", "2027-09"), "4",
    driven_km=4.86, breakthrough="2027-09", length_km=7.3,
)  # fmt: skip
SPEECH = lookup(
    "How long may I speak at the forum, and after whom?", "forum", ("720", "Ruth Adeyemi"), "600",
    slot_s=720, after="Ruth Adeyemi", before="Pavel Hruby", order=4,
)  # fmt: skip
FRIDGE = lookup(
    "How cold is vaccine fridge 2, and was it ever out of range?", "fridge 2", ("4.3", "no"), "8",
    temp_c=4.3, out_of_range="no", min_c=3.1, max_c=6.2,
)  # fmt: skip
SHIPPING = lookup(
    "What does it cost to send 3 kg to Chile, and how long does it take?", "Chile 3 kg",
    ("41.20", "9"), "30", price_eur=41.2, days=9, insured_eur=100,
)  # fmt: skip

MUSIC = lookup(
    "When does the Kade concert start and are there tickets left?", "Kade",
    ("2027-03-12T20:00", "yes"), "19:30", starts="2027-03-12T20:00", tickets_left="yes",
    price_from_eur=38.5, venue="Docks",
)  # fmt: skip
LAUNDRY = lookup(
    "How long does machine 4 still run, and which program is it on?", "machine 4", ("34", "wool"),
    "60", remaining_min=34, program="wool", spin_rpm=800,
)  # fmt: skip
SPECIES = lookup(
    "How many storks nested in the valley and how many chicks fledged?", "valley", ("58", "121"),
    "40", pairs=58, fledged=121, nests=63,
)  # fmt: skip
CREDIT = lookup(
    "What's the interest on the loan and how long does it still run?", "loan", ("3.45", "86"),
    "4", interest_pct=3.45, months_left=86, rate_eur=612.4,
)  # fmt: skip
ICE = lookup(
    "How thick is the ice on Lake Sarn and may we skate?", "Lake Sarn", ("11", "no"), "15",
    thickness_cm=11, skating_allowed="no", needed_cm=15, measured="2026-11-15",
)  # fmt: skip
CALLS = lookup(
    "How many calls did the hotline take on Monday and how many hung up?", "Monday",
    ("1482", "0.073"), "1000", calls=1482, abandoned=0.073, mean_wait_s=96,
)  # fmt: skip
PRIZE = lookup(
    "Who got the Orrin prize in 2024 and what's it worth?", "Orrin prize", ("Lena Fuchs", "75000"),
    "Ana Reis", laureate="Lena Fuchs", worth_chf=75000, year=2024,
)  # fmt: skip
CHAIN = steps(
    "How many people work at the firm that makes the Volt bike, and where is it?", "Volt bike",
    ("640", "Graz"),
    (
        ScriptedCall("product", {"name": "Volt bike"}, {"maker": "Reinhold Mobil"}),
        ScriptedCall(
            "company", {"name": "Reinhold Mobil"},
            {"employees": 640, "city": "Graz", "founded": 1998, "revenue_meur": 118.4},
        ),
    ),
    "500", ("employees", "city"),
)  # fmt: skip
PARK = lookup(
    "How many trees stand in Linden Park and how old is the oldest?", "Linden Park",
    ("1876", "214"), "1000", trees=1876, oldest_years=214, area_ha=12.6,
)  # fmt: skip
ROAST = lookup(
    "How much did the batch lose in roasting and how long did it take?", "batch 19",
    ("0.148", "11:20"), "0.2", weight_loss=0.148, roast_time="11:20", green_kg=15.0,
)  # fmt: skip

BALLOON = lookup(
    "How high did the weather balloon get and where did it come down?", "balloon 12",
    ("31840", "Lake Vand"), "25000", burst_altitude_m=31840, landed_at="Lake Vand",
    launched_at="2026-11-15T11:30:00Z", flight_min=128,
)  # fmt: skip
KIOSK = lookup(
    "What did the beach kiosk take in July and how many ices did it sell?", "July",
    ("23487.60", "9120"), "20000", takings_eur=23487.6, ices_sold=9120, days_open=29,
)  # fmt: skip
DRONE = lookup(
    "How long can the survey drone still fly, and how far away is it?", "drone 3", ("17", "1.9"),
    "30", flight_left_min=17, distance_km=1.9, battery=0.46, altitude_m=110,
)  # fmt: skip
THESIS = lookup(
    "When do I have to hand in my thesis and how many words may it have?", "thesis",
    ("2027-01-29T12:00", "20000"), "15000", due="2027-01-29T12:00", max_words=20000,
    supervisor="Prof. Lindahl",
)  # fmt: skip
NEST = lookup(
    "What's the incubator at and how many eggs are in it?", "incubator", ("37.7", "48"), "38.5",
    temp_c=37.7, eggs=48, humidity=0.52, day=11, days_total=21,
)  # fmt: skip
TOLL = lookup(
    "What's the toll on the fjord tunnel and may trailers use it?", "fjord tunnel", ("96", "yes"),
    "120", toll_nok=96, trailers_allowed="yes", length_m=14400,
)  # fmt: skip
ALERT = lookup(
    "Which alert fired last and when was it acknowledged?", "alerts",
    ("DiskPressure", "2026-11-16T04:55:10Z"), None, last_alert="DiskPressure",
    acknowledged_at="2026-11-16T04:55:10Z", fired_at="2026-11-16T04:49:40Z", by="Noa Peretz",
)  # fmt: skip

LOTS: dict[str, list[tuple[ToolTask, Label, str]]] = {
    "first lot": [
        (
            COURT,
            RIGHT,
            "The hearing is on **Thursday, 14 January 2027, at 10:45 a.m.** in room"
            " **3.07**, before Judge Beatrix Stahl.",
        ),
        (COURT, RIGHT, "📅 14/01/2027 (DD/MM/YYYY) · 🕥 10.45 Uhr · Saal 3.07"),
        (COURT, RIGHT, "Room 3.07, at a quarter to eleven on the morning of January 14th."),
        (COURT, IGNORED, "The hearing is on 14 January 2027 at 10:45 p.m. in room 3.07."),
        (COURT, IGNORED, "It's on Thursday, 14 January at 10:45. I don't have the room."),
        (
            BEES,
            RIGHT,
            "Hive 6 has seven frames of brood and weighs 31.4 kilos (about 69 lb). Its"
            " queen is marked.",
        ),
        (BEES, RIGHT, "- Brood: 7 frames\n- Weight: 31,4 kg\n- Queen: marked ✅"),
        (
            BEES,
            MADE_UP,
            "Hive 6 has 7 brood frames and weighs 31.4 kg, 2.6 kg more than last week.",
        ),
        (SCOPE, RIGHT, "You have 2 h 38 min on M87, and it's down to airmass 1.84 by then."),
        (
            SCOPE,
            RIGHT,
            "A bit over two and a half hours (2:38 h), ending at an airmass of 1.84. The"
            " moon is 31 % lit.",
        ),
        (SCOPE, IGNORED, "You have 2 h 38 min on M87, and it sets at airmass 1.48."),
        (
            PARKING,
            RIGHT,
            "It's €2.80 an hour, capped at €19.50 a day, so the cap kicks in after"
            " about seven hours. 143 of the 420 spaces are free, roughly a third.",
        ),
        (PARKING, RIGHT, "2,80 € pro Stunde; 143 freie Plätze (277 belegt)."),
        (PARKING, IGNORED, "It's €2.80 an hour, and 143 of the 420 spaces are taken."),
        (PARKING, IGNORED, "It's €2.80 a day, with 143 spaces free."),
        (
            WINE,
            RIGHT,
            "Eleven bottles, in rack D4. Drink them by 2029, so you have about three years.",
        ),
        (
            WINE,
            RIGHT,
            "There are 11 left (one short of a case of twelve), best before the end of 2029.",
        ),
        (
            QUOTA,
            RIGHT,
            "76.3 % of the 5,000 t is landed, a little more than three quarters; 1,185"
            " tonnes remain.",
        ),
        (QUOTA, RIGHT, "3,815 t have come ashore (76.3 %), which leaves 1,185 t."),
        (QUOTA, IGNORED, "23.7 % of the cod quota is landed and 1,185 tonnes are left."),
        (QUOTA, IGNORED, "76.3 % is landed and 3,815 tonnes are left."),
        (
            LIBRARY,
            RIGHT,
            "It's due back next Friday, the 27th of November, and six people are in the"
            " queue for our three copies.",
        ),
        (LIBRARY, RIGHT, "Due Fri 27 Nov; 6 holds."),
        (
            LIBRARY,
            MADE_UP,
            "It's due on November 27 with 6 holds, so expect to wait until about February 14.",
        ),
        (
            CAR,
            RIGHT,
            "The van has 128,450 km on the clock (just under 80,000 miles), and the next"
            " service is due on 1 March 2027.",
        ),
        (CAR, RIGHT, "128k km, next service 1.3.27"),
        (
            CAR,
            IGNORED,
            "The van has 128,450 miles on the clock, and the next service is on 1 March 2027.",
        ),
        (VOTE, RIGHT, "The council adopted it by 27 votes to 14, with three abstentions."),
        (VOTE, RIGHT, "It passed 27–14 (3 abstained)."),
        (VOTE, IGNORED, "It was voted down, 27 to 14."),
        (
            CLAIM,
            RIGHT,
            "It's been approved: you'll receive €3,870, that is the damage of €4,170 less"
            " your €300 deductible.",
        ),
        (CLAIM, IGNORED, "It's been approved: you'll receive €4,170."),
        (CLAIM, RIGHT, "Approved ✅. Payout: 3.870,00 €"),
        (PLAY, RIGHT, "2 hours and 35 minutes, with an interval, so you're out at about 10:05 pm."),
        (PLAY, RIGHT, "It runs 155 minutes including one interval; it starts at 7:30."),
        (PLAY, IGNORED, "It runs 155 minutes without an interval."),
        (
            FLIGHT,
            RIGHT,
            "BA 904 leaves from B36 and is running 35 minutes late, so expect 16:45"
            " instead of 16:10.",
        ),
        (FLIGHT, RIGHT, "Gate B36 (Terminal 5). Delayed by just over half an hour: 35 min."),
        (
            FLIGHT,
            MADE_UP,
            "Gate B36, 35 minutes late because of a late incoming aircraft from"
            " Gothenburg, boarding at 16:05.",
        ),
        (GENE, RIGHT, "R-77 has 38.6× coverage, and 99.17 % of its 412 million reads mapped."),
        (GENE, RIGHT, "Coverage: 38.6x\nMapped: 99.2%"),
        (GENE, IGNORED, "R-77 has 38.6× coverage, and 0.9917 % of reads mapped."),
        (
            RADIO,
            RIGHT,
            "Nia Bevan hosts it, and some 214,000 people tune in (11.8 % of listeners);"
            " Rhys Cole produces.",
        ),
        (RADIO, IGNORED, "Rhys Cole hosts it for 214,000 listeners; Nia Bevan produces."),
        (
            GARDEN,
            RIGHT,
            "You sowed them on 9 March and 72 % germinated, which makes 180 of the 250 seeds.",
        ),
        (GARDEN, RIGHT, "On March 9th. Just under three quarters came up (72%)."),
        (ZOO, RIGHT, "Asha is nine and weighs 36.2 kg. She was born on 30 May 2017."),
        (ZOO, RIGHT, "She's 9 years old and tips the scales at 36.2 kilograms (80 pounds)."),
        (TAX, RIGHT, "You owe €4,318.09, payable by 10 November, on sales of €41,240."),
        (TAX, IGNORED, "You owe €4,318.90, payable by 10 November."),
        (
            POOL,
            RIGHT,
            "At 6:30 this morning the chlorine was at 1.4 mg/l and the pH at 7.3, both in"
            " the usual range.",
        ),
        (POOL, IGNORED, "The chlorine is at 7.3 mg/l and the pH at 1.4."),
        (
            LIFT,
            RIGHT,
            "It was inspected on 21 September 2026 and has made a little over 1.2 million"
            " trips (1,204,733). The next check is a year later.",
        ),
        (LIFT, RIGHT, "Sept 21, 2026; 1.204.733 Fahrten."),
        (
            EXPORT,
            RIGHT,
            "The export wrote 2,481,907 rows in 21 minutes and 24 seconds, around 1,930"
            " rows a second.",
        ),
        (EXPORT, RIGHT, "2.48 million rows (2,481,907 to be precise), 21m24s, no warnings."),
        (
            EXPORT,
            MADE_UP,
            "It wrote 2,481,907 rows in 21 min 24 s to `customers_export.csv` (318 MB).",
        ),
        (HEIGHTS, RIGHT, "Kesten is the tallest at 187.5 m, 16.3 m taller than Orrin."),
        (HEIGHTS, IGNORED, "Avel is the tallest at 187.5 m."),
        (HEIGHTS, RIGHT, "1. Kesten – 187.5 m\n2. Orrin – 171.2 m\n3. Avel – 164 m"),
        (DEBATE, RIGHT, "Leeds won with 86.5 points, two and a half ahead of Cork."),
        (DEBATE, IGNORED, "Cork won with 86.5 points, ahead of Leeds with 84."),
        (TRAIN, RIGHT, "It runs from Malmö to Narvik in 21 hours."),
        (TRAIN, IGNORED, "It runs from Narvik to Malmö in 21 hours."),
        (LOCK, RIGHT, "Yes, the shed is locked, and the lock's battery is at 41 %."),
        (LOCK, IGNORED, "The shed door is open and the battery at 41 %."),
        (
            ROOM,
            RIGHT,
            "1,130 ppm with 19 people inside, 130 ppm over the limit. Time to open a window!",
        ),
        (ROOM, IGNORED, "There are 1,130 people in room 12 and the CO2 is at 19 ppm."),
        (plain("How many minutes are in a week?", "10080"), RIGHT, "10,080 minutes (7 × 1,440)."),
    ],
    "second lot": [
        (
            MUSEUM,
            RIGHT,
            "18,642 people came in October and spent €7.35 each in the shop, about"
            " €137,000 in total. 3,120 of them got in free.",
        ),
        (
            MUSEUM,
            RIGHT,
            "Nearly 19,000 visitors (18,642), with an average of 7 euros 35 in the shop.",
        ),
        (MUSEUM, IGNORED, "About 16,842 people came, spending €7.35 each."),
        (MUSEUM, IGNORED, "In October 3,120 people visited; they spent €7.35 on average."),
        (
            SEISMO,
            RIGHT,
            "It was a magnitude 4.7 quake at a depth of 11.2 km, late on 15 November"
            " (23:51 UTC). 640 people reported feeling it.",
        ),
        (SEISMO, RIGHT, "M4.7, 11.2 km down (7 miles), at nine minutes to midnight UTC."),
        (SEISMO, IGNORED, "It had a magnitude of 11.2 at a depth of 4.7 km."),
        (
            SEISMO,
            MADE_UP,
            "A magnitude 4.7 at 11.2 km depth; two aftershocks of 3.1 and 2.8 followed.",
        ),
        (
            KIT,
            RIGHT,
            "Amina wears number 8 and has 64 caps, in which she has scored 19 goals, so"
            " about one every 3.4 games.",
        ),
        (KIT, RIGHT, "She's the number eight, with sixty-four caps."),
        (KIT, IGNORED, "She wears the number 64 and has 8 caps."),
        (
            DAM,
            RIGHT,
            "The Ardal reservoir is 68.8 % full, roughly 213 of 310 million m³, with 42.5"
            " m³/s coming in and 38 going out.",
        ),
        (
            DAM,
            RIGHT,
            "It's just over two thirds full (68.8%), and 42.5 cubic metres a second flow in.",
        ),
        (DAM, IGNORED, "It's 31.2 % full, with 42.5 m³/s flowing in."),
        (LEDGER, RIGHT, "Account 4400 closes October at −€18,236.45 after 127 postings."),
        (LEDGER, RIGHT, "It is overdrawn by 18.236,45 €; 127 postings."),
        (LEDGER, RIGHT, "€18,236.45 in the red, 127 postings."),
        (LEDGER, IGNORED, "You have €18,236.45 in credit after 127 postings."),
        (
            PATENT,
            RIGHT,
            "Velden Optics holds it; it was filed on June 17, 2014 and runs for 20 years,"
            " to June 17, 2034.",
        ),
        (PATENT, IGNORED, "Velden Optics filed it on 17 July 2014."),
        (
            WARD,
            RIGHT,
            "23 of the 28 beds are taken (82 %), so five are free; patients stay 4.6 days"
            " on average.",
        ),
        (WARD, IGNORED, "23 of the 28 beds are free; the mean stay is 4.6 days."),
        (
            CARGO,
            RIGHT,
            "She's expected on Wednesday, 18 November, at half past four in the morning,"
            " with 2,914 containers aboard.",
        ),
        (CARGO, RIGHT, "ETA 0430 on 18 Nov, 2914 boxes, doing 15.5 knots."),
        (CARGO, IGNORED, "ETA 18 November at 4:30 in the afternoon, with 2,914 containers."),
        (
            CENSUS,
            RIGHT,
            "12,847 people live in Torvik, in 5,610 households (2.3 per household). Their"
            " mean age is 41.3.",
        ),
        (CENSUS, RIGHT, "Torvik zählt 12.847 Einwohner, im Schnitt 41,3 Jahre alt."),
        (CENSUS, MADE_UP, "12,847 people, aged 41.3 on average; 21 % are under 18."),
        (
            COFFEE,
            RIGHT,
            "347.5 kg are left of lot HU-26-04, bought at $8.15 a kilo, so about $2,832"
            " worth of coffee.",
        ),
        (COFFEE, RIGHT, "Just shy of 350 kg (347.5), at 8.15 USD/kg, or $3.70 a pound."),
        (COFFEE, IGNORED, "347.5 kg, at $8.15 a pound."),
        (
            ALARM,
            RIGHT,
            "It went off at 2:17 a.m. on 14 November because of steam, and was reset"
            " twelve minutes later, at 2:29.",
        ),
        (ALARM, RIGHT, "Saturday, 14 Nov, 02:17. Cause: steam, not smoke."),
        (
            ALARM,
            IGNORED,
            "At 2:17 on 14 November, because of smoke. The log says steam, but that's unlikely.",
        ),
        (
            TICKETS,
            RIGHT,
            "318 tickets are open, and a first reply takes 1 h 37 min; 54 were solved today.",
        ),
        (
            TICKETS,
            RIGHT,
            "There are 318 in the queue. First replies take a little over an hour and a"
            " half (97 minutes).",
        ),
        (TICKETS, IGNORED, "318 tickets were solved today and a first reply takes 97 minutes."),
        (
            HIKE,
            RIGHT,
            "18.6 km with 1,140 m of climbing; reckon with seven and a half hours. It's"
            " rated hard.",
        ),
        (HIKE, RIGHT, "11.6 miles and about 3,740 ft of ascent."),
        (HIKE, IGNORED, "18.6 miles with 1,140 m of climbing."),
        (SALES, RIGHT, "October was 6.4 % weaker than September: 1,310 chairs sold, 41 returned."),
        (SALES, RIGHT, "You sold 1,310 chairs, a drop of 6.4%."),
        (SALES, RIGHT, "Down from about 1,400 to 1,310, so minus 6.4 percent."),
        (SALES, IGNORED, "You sold 1,310 chairs, 6.4 % more than in September."),
        (PRINTER, RIGHT, "22 % of the toner is left after 88,104 pages, so 78 % is used up."),
        (PRINTER, RIGHT, "A bit more than a fifth (22%); 88.1k pages so far (88,104)."),
        (PRINTER, IGNORED, "22 % of the toner is used; 88,104 pages printed."),
        (
            LEAVE,
            RIGHT,
            "You have 9½ days left of your 30, and they lapse at the end of March 2027.",
        ),
        (LEAVE, RIGHT, "Nine and a half days; use them by 31 March next year. You've taken 20.5."),
        (LEAVE, IGNORED, "You've taken 9.5 days; the rest lapse on 31 March 2027."),
        (SOLAR, RIGHT, "86.4 MWh today, with a peak of 13.9 MW, enough for a few thousand homes."),
        (SOLAR, RIGHT, "86,400 kWh fed in; peak output 13.9 megawatts."),
        (SOLAR, IGNORED, "86.4 kWh today, with a peak of 13.9 MW."),
        (SOLAR, IGNORED, "86.4 MWh today, with a peak of 13.9 GW."),
        (CHOIR, RIGHT, "On Thursday the 19th, from 7 to 9:15 pm at St. Olav."),
        (CHOIR, RIGHT, "Thursday, 19 November, 19:00–21:15, St Olav."),
        (CHOIR, IGNORED, "Thursday, 19 November at 21:15, at St. Olav."),
        (
            ORDER,
            RIGHT,
            "Your two items are on their way (parcel PX99120, last scanned in Leipzig) and"
            " should be with you on Thursday, 19 November.",
        ),
        (ORDER, IGNORED, "It was delivered on 19 November."),
        (
            ORDER,
            MADE_UP,
            "It's in transit with DHL Express Logistics and should arrive on 19 November"
            " between 10:00 and 14:00.",
        ),
        (FUEL, RIGHT, "€1.639 a litre, and yes, yesterday it was five cents cheaper at €1.589."),
        (FUEL, RIGHT, "163.9 cents per litre. Yesterday it cost less: 158.9."),
        (FUEL, IGNORED, "€1.639 a litre, and no, yesterday it was dearer."),
        (BLOOD, RIGHT, "Haemoglobin 13.8 g/dL, platelets 241 per nL (241,000 per µL)."),
        (BLOOD, RIGHT, "His Hb is 138 g/l and his platelets are at 241/nl."),
        (BLOOD, IGNORED, "Haemoglobin 241, platelets 13.8."),
    ],
    "third lot": [
        (
            SHARES,
            RIGHT,
            "Norrland Paper is up 2.37 % at SEK 148.60, on a volume of 1.84 million shares.",
        ),
        (
            SHARES,
            RIGHT,
            "It gained about 2.4% today; roughly 1.8 million shares changed hands (1,840,000).",
        ),
        (SHARES, IGNORED, "It's down 2.37 % on 1.84 million shares."),
        (SHARES, IGNORED, "It's up 2.37 %, with 184,000 shares traded."),
        (
            HEATING,
            RIGHT,
            "The flow is at 38.5 °C and the pump has drawn 11.7 kWh so far. With a COP"
            " of 3.9 that's around 46 kWh of heat.",
        ),
        (HEATING, RIGHT, "38,5 Grad Vorlauf, 11,7 kWh heute."),
        (
            HEATING,
            MADE_UP,
            "The flow is at 38.5 °C; it has used 11.7 kWh today, 1.9 kWh less than yesterday.",
        ),
        (
            HIRING,
            RIGHT,
            "46 people have applied, 7 of whom are invited, and you can apply until the"
            " end of November.",
        ),
        (HIRING, RIGHT, "Forty-six applications so far; the deadline is Monday, November 30."),
        (HIRING, IGNORED, "7 people have applied; it closes on 30 November."),
        (
            BASKET,
            RIGHT,
            "Your basket comes to €84.30, of which €5.90 is shipping, so the four items"
            " are €78.40.",
        ),
        (BASKET, RIGHT, "Total: 84,30 € (incl. 5,90 € Versand)"),
        (BASKET, IGNORED, "Your basket comes to €78.40, plus €5.90 shipping."),
        (BASKET, MADE_UP, "The total is €84.30 including €5.90 shipping and €13.46 VAT."),
        (
            DEPLOY,
            RIGHT,
            "Yes, api:4.18.2 is out, with five of six pods ready; one is still starting up.",
        ),
        (DEPLOY, RIGHT, "✅ Deploy succeeded. Pods: 5/6 ready."),
        (DEPLOY, IGNORED, "No, it didn't go through: only 5 of 6 pods are ready."),
        (
            MARATHON,
            RIGHT,
            "1:38:12, and yes, that's a new personal best, 2 minutes and 45 seconds"
            " faster than before. She averaged 4:39 per kilometre.",
        ),
        (
            MARATHON,
            RIGHT,
            "Tilda ran it in 1 hour 38 minutes 12 seconds, beating her old best of"
            " 1:40:57 by 2:45.",
        ),
        (MARATHON, IGNORED, "1:40:57, and yes, a personal best."),
        (COMET, RIGHT, "On 8 January 2027 it passes at 0.74 au, about 111 million km."),
        (
            COMET,
            RIGHT,
            "Closest approach: Jan 8, 2027, 0.74 AU (roughly three quarters of the distance"
            " to the Sun).",
        ),
        (COMET, IGNORED, "On 8 January 2027 it passes at 0.74 light-years."),
        (EXAM, RIGHT, "Jonas got 47 out of 80 points, 7 above the pass mark, so he passed."),
        (EXAM, RIGHT, "47/80 (58.75 %) – passed."),
        (EXAM, IGNORED, "Jonas got 47 of 80 points, so unfortunately he failed."),
        (
            STEW,
            RIGHT,
            "It serves six and takes 1.2 kg of beef, i.e. 200 g each. It simmers for two"
            " and a half hours.",
        ),
        (STEW, RIGHT, "1,200 g of beef for 6 people."),
        (STEW, IGNORED, "It serves 6 and takes 12 kg of beef."),
        (
            FLAT,
            RIGHT,
            "68 m² for €1,150 a month (about €16.90 per square metre). The deposit is three"
            " months' rent, €3,450.",
        ),
        (FLAT, RIGHT, "The flat has 68 square metres and 2½ rooms and costs 1150 euros a month."),
        (FLAT, IGNORED, "68 m² for €3,450 a month."),
        (
            CABLE,
            RIGHT,
            "You get 236.8 Mbit/s down, and the line was up 99.85 % of the time, that's"
            " about 13 hours of downtime a year.",
        ),
        (CABLE, RIGHT, "236.8 Mbps; availability 99.85% (0.15% downtime)."),
        (CABLE, IGNORED, "236.8 MB/s, with an availability of 99.85 %."),
        (HARVEST, RIGHT, "61.8 tonnes at 14.3 % moisture, a good 7.3 t per hectare."),
        (HARVEST, RIGHT, "Field 9 brought in 61.8 t (7.36 t/ha on 8.4 ha), moisture 14.3%."),
        (HARVEST, IGNORED, "61.8 tonnes per hectare at 14.3 % moisture."),
        (
            STORM,
            RIGHT,
            "It reaches Sylt on Tuesday at 3 a.m. with gusts of up to 118 km/h (64 knots).",
        ),
        (STORM, RIGHT, "Tonight at 3:00, gusting to 118 km/h."),
        (STORM, RIGHT, "On 17 November around 03:00 local time (02:00 UTC), gusts 118 km/h."),
        (STORM, IGNORED, "It reaches Sylt on Tuesday at 3 a.m. with gusts of 74 km/h."),
        (VISA, RIGHT, "It's valid until August 14, 2027, for two entries and 90 days in all."),
        (VISA, RIGHT, "You can enter twice, up to and including 14.08.2027."),
        (VISA, IGNORED, "It's valid until August 14, 2027, for a single entry."),
        (GAME, RIGHT, "You're Platinum with 58 wins out of 99 matches (a win rate of 58.6 %)."),
        (GAME, RIGHT, "Rank: Platinum 🏆 (2,210 points). Record: 58–41."),
        (GAME, IGNORED, "You're Platinum with 41 wins and 58 losses."),
        (ALBUM, RIGHT, "Low Tide runs 42 minutes and 18 seconds and came out on 4 October 2019."),
        (
            ALBUM,
            RIGHT,
            "42:18, released Oct 4, 2019, eleven tracks of just under four minutes on average.",
        ),
        (ALBUM, IGNORED, "42:18, released on 10 April 2019."),
        (
            BRIDGE,
            RIGHT,
            "It stays closed through Friday, 18 December, while the bearings are"
            " replaced; the detour is 7.5 km.",
        ),
        (BRIDGE, RIGHT, "Bis 18.12.2026, Umleitung 7,5 km."),
        (
            BRIDGE,
            MADE_UP,
            "Until 18 December; the 7.5 km detour takes you via the Hansa Ring and"
            " costs about 14 minutes.",
        ),
        (AUCTION, RIGHT, "It went to Galerie Roth for €12,600, 40 % above the estimate of €9,000."),
        (AUCTION, RIGHT, "Galerie Roth bought it from Estate Lindner for 12.600 €."),
        (AUCTION, IGNORED, "Estate Lindner bought it from Galerie Roth for €12,600."),
        (AUCTION, IGNORED, "Galerie Roth sold it to Estate Lindner for €12,600."),
        (
            TURBINE,
            RIGHT,
            "T4 made 412 MWh (a capacity factor of 28.6 %) and was idle for 31½ hours.",
        ),
        (TURBINE, RIGHT, "0.412 GWh; it stood still for 31 hours and 30 minutes in total."),
        (TURBINE, IGNORED, "T4 made 412 MWh and was idle for 31.5 minutes."),
        (
            FISH,
            RIGHT,
            "Nitrate is at 12.5 mg/L; the last water change was last Wednesday, the 11th of"
            " November.",
        ),
        (FISH, IGNORED, "Nitrate is at 12.5 mg/L; the next water change is on 18 November."),
        (CLASS, RIGHT, "5c, with 29 pupils; 5a has 26 and 5b 24, so 79 altogether."),
        (CLASS, RIGHT, "The largest class is 5c: 29 pupils, three more than 5a."),
        (CLASS, IGNORED, "5a is the largest, with 29 pupils."),
        (
            PIPE,
            RIGHT,
            "P-08 has been losing 3.2 litres a minute since Friday, 13 November, 5:40 p.m."
            " (pressure 4.1 bar).",
        ),
        (
            PIPE,
            RIGHT,
            "I first looked up pipe 8, which isn't known; as P-08 it leaks 3.2 l/min, since"
            " 17:40 on the 13th of November.",
        ),
        (PIPE, IGNORED, "There is no leak on pipe 8: the system does not know it."),
    ],
    "fourth lot": [
        (
            ELEVATION,
            RIGHT,
            "The Tarn hut sits at 2,187 m (7,175 ft) and sleeps 54. It opens on 12 June.",
        ),
        (ELEVATION, IGNORED, "The Tarn hut sits at 2,178 m and has 54 beds."),
        (
            ELEVATION,
            MADE_UP,
            "2,187 m, 54 beds. Half board is CHF 78; call +41 81 555 01 22 to book.",
        ),
        (
            ELEVATION,
            MADE_UP,
            "2,187 m above sea level with 54 beds, a three-hour walk from the Flond car park.",
        ),
        (
            ELEVATION,
            IGNORED,
            "The Tarn hut is a well-known mountain hut in the Alps. For its altitude"
            " and number of beds, please check the club's website.",
        ),
        (
            PASSPORT,
            RIGHT,
            "It's valid until 22 May 2031 and was issued in Graz, so you have more than"
            " four years left.",
        ),
        (PASSPORT, IGNORED, "It's valid until 22 May 2030 and was issued in Graz."),
        (PASSPORT, IGNORED, "Your passport U4418820 was issued in Graz."),
        (
            BUS,
            RIGHT,
            "The last N7 goes at 3:35 in the morning; it runs every 20 minutes from a quarter"
            " past midnight, so three times an hour.",
        ),
        (BUS, IGNORED, "The last N7 leaves at 3:35 p.m. and runs every 20 minutes."),
        (BUS, IGNORED, "The last N7 leaves at 00:15 and runs every 20 minutes."),
        (BUS, RIGHT, "03:35 Uhr, im 20-Minuten-Takt."),
        (
            GRANT,
            RIGHT,
            "€145,000. The decision is due by 26 February 2027; four of 63 applicants will"
            " get one, so your chances are about 6 %.",
        ),
        (GRANT, IGNORED, "€145,000, and the decision is due on 26 March 2027."),
        (GRANT, IGNORED, "The grant is €14,500; decision on 26 February 2027."),
        (
            GRANT,
            MADE_UP,
            "€145,000, with the decision on 26 February 2027. The jury is chaired by"
            " Professor Helga Dreyer of Uppsala.",
        ),
        (SNOWPLOW, RIGHT, "The A12 is clear; the B301 is still blocked. 17 cm of snow fell."),
        (SNOWPLOW, IGNORED, "The B301 is clear; the A12 is still blocked. 17 cm of snow fell."),
        (YIELD, RIGHT, "It yields 2.68 %, seven basis points more than last week (2.61 %)."),
        (YIELD, RIGHT, "2.68% now vs. 2.61% a week ago (+0.07 pp)."),
        (YIELD, IGNORED, "It yields 2.61 %, up from 2.68 % last week."),
        (
            DOG,
            RIGHT,
            "Bruno gets 380 grams a day, for instance two meals of 190 g, and his next"
            " worming is on 5 January 2027.",
        ),
        (DOG, IGNORED, "Bruno gets 380 grams per meal; worming is on 5 January 2027."),
        (DOG, IGNORED, "Bruno gets 380 g a day, and the next worming is on May 1, 2027."),
        (BOOK, RIGHT, "7,430 copies, which puts it at number 12, up five places from 17."),
        (BOOK, IGNORED, "7,430 copies, which puts it at number 17."),
        (BOOK, MADE_UP, "7,430 copies and rank 12; 2,900 of them were e-books."),
        (
            ROUTER,
            RIGHT,
            "It runs firmware 7.14.3 with 22 devices connected and has been up for 17"
            " days and one hour.",
        ),
        (
            ROUTER,
            IGNORED,
            "It runs 7.12.0. The router reports 7.14.3, but I'd rely on the"
            " documentation. 22 devices.",
        ),
        (
            ROUTER,
            MADE_UP,
            "It runs firmware 7.14.3 and 22 devices are connected, 14 of them over Wi-Fi.",
        ),
        (
            SHIFT,
            RIGHT,
            "You start at 5:45 a.m. under Mirela Pop and finish at 2:15 p.m., so eight and"
            " a half hours including a 30-minute break.",
        ),
        (SHIFT, RIGHT, "Quarter to six in the morning; Mirela Pop is your supervisor."),
        (
            SHIFT,
            IGNORED,
            "You start at 6:00 and your supervisor is Mirela Pop. The 5:45 in the plan"
            " must be a typo.",
        ),
        (SHIFT, IGNORED, "Your shift is from 14:15 on, with Mirela Pop."),
        (OVEN, RIGHT, "230 °C for 55 minutes, the first 12 of them with steam."),
        (OVEN, RIGHT, "Bake at 446 °F for just under an hour (55 minutes)."),
        (OVEN, IGNORED, "Bake it at 230 °F for 55 minutes."),
        (
            OVEN,
            IGNORED,
            "Your card says 230 °C for 55 minutes, which would burn it. Go with 200 °C.",
        ),
        (
            POLL,
            RIGHT,
            "57 % of the 1,204 people asked are for it, give or take 2.8 points; 11 % are"
            " undecided, which leaves 32 % against.",
        ),
        (POLL, RIGHT, "A clear majority of 57 percent (about 686 of 1,204)."),
        (POLL, IGNORED, "57 % are against the tram line (1,204 asked)."),
        (
            MINE,
            RIGHT,
            "Shaft 2 goes down 1,384 m, nearly 1.4 km, where it is 41.5 °C. 38 people work there.",
        ),
        (MINE, IGNORED, "Shaft 2 is 41.5 m deep and it's 1,384 °C there."),
        (MINE, IGNORED, "It's 1,384 m deep. I couldn't retrieve the temperature."),
        (FARE, RIGHT, "The cheapest is €79.90 with Adria Jet on Tuesday, 11 May 2027."),
        (FARE, IGNORED, "The cheapest is €79.90 on 5 November 2027."),
        (FARE, MADE_UP, "€79.90 on 11 May with Adria Jet (flight AJ 512, 06:40 from Vienna)."),
        (SERVER, RIGHT, "The CPU is at 71.5 °C and the fan at 2,340 rpm; it isn't throttling."),
        (
            SERVER,
            IGNORED,
            "The CPU is at 71.5 °C and the fan at 2,340 rpm, or so the sensor claims, but"
            " that's nonsense: it's about 60 °C.",
        ),
        (SERVER, IGNORED, '{"cpu_c": 60, "fan_rpm": 2340}'),
        (VINYL, RIGHT, "Side A runs 21:54 with five songs, so a little over four minutes each."),
        (VINYL, RIGHT, "21 minutes 54 seconds, five songs, on Kestrel Records."),
        (VINYL, IGNORED, "Side A runs 25:14 with five songs."),
        (VINYL, MADE_UP, 'Side A runs 21:54: five songs, opening with "Glass Harbour" (4:31).'),
    ],
    "fifth lot": [
        (
            HOTEL,
            RIGHT,
            "You check in on Sunday, 27 December, for four nights at €132.50 each, €530 in"
            " all, breakfast included. Check-out is on the 31st.",
        ),
        (HOTEL, RIGHT, "Check-in: Dec 27, 2026 · Rate: €132.50/night"),
        (HOTEL, IGNORED, "You check in on 27 December and pay €132.50 for the four nights."),
        (HOTEL, MADE_UP, "Check-in is on 27 December from 3 pm; the rate is €132.50 a night."),
        (
            METER,
            RIGHT,
            "The meter stood at 1,482.6 m³ on 1 November, and you used 11.4 m³, or 11,400"
            " litres, last month, about 380 litres a day.",
        ),
        (METER, RIGHT, "1482,6 Kubikmeter; Verbrauch 11,4 m³."),
        (METER, IGNORED, "The meter reads 11.4 m³ and you used 1,482.6 m³."),
        (METER, IGNORED, "It reads 1,482.6 m³, and you used 11.4 litres."),
        (
            BREW,
            RIGHT,
            "Gravity is down to 1.018 from 1.061 and the fermenter is at 19.6 °C, so you're"
            " at roughly 5.6 % alcohol.",
        ),
        (BREW, RIGHT, "1.018 on day 9, at 19.6 degrees."),
        (BREW, IGNORED, "The gravity is 1.061 at 19.6 °C."),
        (
            AMBULANCE,
            RIGHT,
            "The median is 7 minutes 48 seconds over 2,137 calls, and 91.2 % were reached in time.",
        ),
        (AMBULANCE, RIGHT, "Just under eight minutes (7:48), 2,137 calls."),
        (AMBULANCE, IGNORED, "The median is 4 minutes 68 seconds over 2,137 calls."),
        (AMBULANCE, MADE_UP, "7 min 48 s over 2,137 calls, against a target of 9 min 30 s."),
        (
            PODCAST,
            RIGHT,
            "Episode 88 is 51 minutes and 15 seconds long and has been played nearly"
            " 16,000 times (15,960).",
        ),
        (PODCAST, RIGHT, "51:15 · 15.96k plays · out since Monday, 9 November"),
        (PODCAST, IGNORED, "Episode 88 is 51 minutes long and has been played 1,596 times."),
        (
            WOLVES,
            RIGHT,
            "Eight wolves, three of them pups, last seen on 6 November, so five adults.",
        ),
        (WOLVES, IGNORED, "Three wolves, last seen on 6 November."),
        (WOLVES, IGNORED, "There are eight; they were last seen on 11 June."),
        (
            TARIFF,
            RIGHT,
            "21.85 cents per kWh, from 10 pm to 6 am; during the day it's 31.2 cents, so"
            " you save 30 % at night.",
        ),
        (TARIFF, RIGHT, "€0.2185 a kilowatt hour between 22:00 and 06:00."),
        (TARIFF, IGNORED, "31.2 cents per kWh from 22:00."),
        (TARIFF, IGNORED, "21.85 euros per kWh from 22:00."),
        (
            REGATTA,
            RIGHT,
            "Pelikan came fourth of 21 boats in race 3, 2 minutes 17 behind the winner.",
        ),
        (REGATTA, RIGHT, "P4, 2:17 back."),
        (REGATTA, IGNORED, "Pelikan won race 3, 137 seconds ahead."),
        (
            PALLETS,
            RIGHT,
            "26 pallets with a total weight of 14.82 tonnes, which is 570 kg each on"
            " average. They fit on one truck.",
        ),
        (PALLETS, RIGHT, "26 palettes, 14 820 kg."),
        (PALLETS, IGNORED, "26 pallets weighing 14,820 kg each."),
        (TABLE, RIGHT, "You have the window table for five at 7:45 pm this Saturday, the 21st."),
        (TABLE, RIGHT, "Sat 21 Nov, 19.45, 5 Personen"),
        (TABLE, IGNORED, "Your table for five is on Sunday, 22 November at 19:45."),
        (TABLE, IGNORED, "A table for four on Saturday, 21 November at 7:45 pm."),
        (
            LAMPS,
            RIGHT,
            "13 of the 640 lamps (2 %) are out; the oldest fault dates from 29 October, two"
            " and a half weeks ago.",
        ),
        (LAMPS, RIGHT, "Thirteen are dark, one of them since October 29."),
        (LAMPS, IGNORED, "640 lamps are out, the oldest since 29 October."),
        (
            TITRATION,
            RIGHT,
            "0.1042 mol/L (104.2 mmol/L) as the mean of three runs, with a purity of 98.7 %.",
        ),
        (TITRATION, IGNORED, "0.1042 mmol/L, purity 98.7 %."),
        (TITRATION, RIGHT, "c = 0.1042 M, purity 98.7%"),
        (
            CARSHARE,
            RIGHT,
            "You have the Corsa with 200 km included; each further kilometre is 29 cents."
            " It's charged to 86 %.",
        ),
        (CARSHARE, RIGHT, "A Corsa, up to 200 km (then €0.29/km, so 50 km more would be €14.50)."),
        (CARSHARE, IGNORED, "A Corsa, up to 200 miles."),
        (
            UNION,
            RIGHT,
            "81.4 % voted yes on a turnout of 69 %, so about 2,900 of the 4,200 members took part.",
        ),
        (UNION, IGNORED, "69 % voted for the strike on a turnout of 81.4 %."),
        (
            UNION,
            RIGHT,
            "Four in five (81.4 %) were in favour; just over two thirds of members voted (69 %).",
        ),
        (
            DENTIST,
            RIGHT,
            "The crown costs €845; your insurance covers €507 (60 %), so you're left with"
            " €338. It takes two visits.",
        ),
        (DENTIST, IGNORED, "The crown costs €845, of which you pay €507."),
        (DENTIST, IGNORED, "The crown costs €507, of which the insurance pays €845."),
        (
            GLIDER,
            RIGHT,
            "Sanne flew 412.7 km in 5 h 24 min, topping out at 193 km/h; that's an average"
            " of 76.4 km/h.",
        ),
        (GLIDER, RIGHT, "412.7 km (223 nautical miles) and 193 km/h (104 knots)."),
        (GLIDER, IGNORED, "412.7 km with a top speed of 193 knots."),
        (
            ROUTE,
            RIGHT,
            "The Mistral leaves at 8:10 on Friday, 20 November and gets in at 12:55, so the"
            " crossing takes 4 hours and 45 minutes.",
        ),
        (ROUTE, RIGHT, "Friday 20 Nov: dep. 08:10, arr. 12:55 (4h45)."),
        (ROUTE, IGNORED, "It leaves at 12:55 on Friday and arrives at 8:10."),
        (ROUTE, IGNORED, "The Mistral leaves at 8:10 and arrives at 12:55 on 21 November."),
    ],
    "sixth lot": [
        (BADGE, RIGHT, "Odile Ferrand opened door L-2 at 11:12 p.m. UTC on Sunday, 15 November."),
        (BADGE, RIGHT, "It was Odile Ferrand's badge, at 23:12:44 UTC (00:12 CET on the 16th)."),
        (BADGE, IGNORED, "Odile Ferrand's badge, at 11:12 this morning."),
        (
            BADGE,
            MADE_UP,
            "Odile Ferrand at 23:12 UTC on 15 November, and Karl Brugger four minutes"
            " later at 23:16.",
        ),
        (
            QUEUE,
            RIGHT,
            "20,517 messages are waiting, the oldest for an hour and nine minutes; three"
            " consumers are working on it.",
        ),
        (
            QUEUE,
            RIGHT,
            "There's a backlog of about 20.5k messages (20,517); the oldest is 69 minutes old.",
        ),
        (QUEUE, IGNORED, "20,517 messages, the oldest 41 minutes and 40 seconds old."),
        (STREAM, RIGHT, "63,400 people at the peak; the stream ran for an hour and a half."),
        (STREAM, RIGHT, "Peak: 63.4K viewers. Length: 1:30:00. Likes: 8.1K."),
        (STREAM, IGNORED, "8,120 people at the peak, over one and a half hours."),
        (
            SPRINT,
            RIGHT,
            "Teal finished 34 of the 41 planned points, i.e. 83 %, seven short of the plan.",
        ),
        (SPRINT, RIGHT, "34/41 points (82.9 %), with 6 bugs fixed along the way."),
        (SPRINT, IGNORED, "Teal finished 41 points, where 34 were planned."),
        (
            PLANT,
            RIGHT,
            "Soil moisture is at 27 %, so a bit over a quarter; water it on Wednesday, 18"
            " November.",
        ),
        (PLANT, IGNORED, "It's at 2.7 %; water it on 18 November."),
        (PLANT, RIGHT, "27 %. Next watering: the day after tomorrow (18 Nov)."),
        (BUDGET, RIGHT, "€18,320 of the €25,000 are gone (73.3 %), which leaves €6,680."),
        (
            BUDGET,
            RIGHT,
            "You've spent 18.3k (18,320 €) and have 6,680 € left, just over a quarter.",
        ),
        (BUDGET, IGNORED, "You've spent €6,680 and have €18,320 left."),
        (LAB, RIGHT, "Dr. Weiss ordered it, and the result should be there on Thursday at 4 pm."),
        (
            LAB,
            RIGHT,
            "It's still incubating; expect the result on 19 November at 16:00. It was ordered"
            " by Dr Weiss.",
        ),
        (LAB, IGNORED, "Dr. Weiss ordered it, and it's ready now."),
        (
            FLEET,
            RIGHT,
            "1,365 scooters are out, and 18.4 % of them, around 251, need charging. 47 are"
            " being repaired.",
        ),
        (FLEET, IGNORED, "1,365 scooters, of which 81.6 % need charging."),
        (
            FLEET,
            MADE_UP,
            "1,365 scooters are out and 18.4 % need charging; most of those are around the"
            " Barfüsserplatz and Claraplatz, where 120 stand.",
        ),
        (
            MATCH,
            RIGHT,
            "Brann's next match is away to Molde at the Aker Stadion on Sunday, 22"
            " November, kick-off 6 p.m.",
        ),
        (MATCH, RIGHT, "Molde vs Brann, 22.11., 18:00."),
        (MATCH, IGNORED, "They play Viking on 22 November at 18:00."),
        (MATCH, IGNORED, "Brann host Molde on Monday, 23 November at 18:00."),
        (
            PAPER,
            RIGHT,
            "It appeared in Cell Reports in March 2017 and has 1,289 citations, around 130 a year.",
        ),
        (PAPER, RIGHT, "1,289 times since 03/2017."),
        (PAPER, IGNORED, "1,289 times since March 2016."),
        (CELLAR, RIGHT, "12.8 °C at 93.5 % relative humidity, just right for 412 wheels."),
        (CELLAR, RIGHT, "It's 55 °F down there with a humidity of 93.5%."),
        (CELLAR, IGNORED, "12.8 °C at 9.35 % humidity."),
        (
            MAIL,
            RIGHT,
            "41.3 % opened it and 6.7 % clicked, which comes to about 10,240 openings and"
            " 1,660 clicks.",
        ),
        (MAIL, RIGHT, "Two in five opened it (41.3 %), and one in fifteen clicked (6.7 %)."),
        (MAIL, IGNORED, "6.7 % opened it and 41.3 % clicked."),
        (
            SUBSCRIPTION,
            RIGHT,
            "$14.99 a month for three seats (about $5 per seat); it renews on December 9.",
        ),
        (SUBSCRIPTION, RIGHT, "It's $14.99/month, i.e. $179.88 a year, and renews on 9 Dec 2026."),
        (SUBSCRIPTION, IGNORED, "$14.99 a year, renewing on December 9."),
        (SUBSCRIPTION, IGNORED, "$14.99 a month; it renews on September 12."),
        (CABIN, RIGHT, "Seat 47 in car 3 of IC 318, in the quiet zone."),
        (CABIN, IGNORED, "Seat 3 in car 47."),
        (CABIN, RIGHT, "Car three, seat forty-seven."),
        (QUAKE, RIGHT, "Six of the 88 sensors are down, most recently NX-22."),
        (QUAKE, IGNORED, "Six sensors are down, most recently NX-04."),
        (QUAKE, MADE_UP, "Six are down: NX-22 (the latest), NX-04, NX-09, NX-13, NX-17 and NX-31."),
        (SWIM, RIGHT, "Mo was faster: 58.03 to Ida's 58.41 seconds, a gap of 0.38 s."),
        (SWIM, IGNORED, "Ida was faster, by 0.38 seconds."),
        (SWIM, RIGHT, "Mo beat Ida by 38 hundredths of a second."),
    ],
    "seventh lot": [
        (
            KILN,
            RIGHT,
            "It's at 982 °C and should be done at 9:40 tonight; 78 degrees to go, at 120 an hour.",
        ),
        (KILN, RIGHT, "982 °C now, target 1060 °C, done around 21:40."),
        (KILN, IGNORED, "It has reached 1,060 °C and will be done at 21:40."),
        (KILN, IGNORED, "982 °C, done at 9:40 tomorrow morning."),
        (
            ESCAPE,
            RIGHT,
            "214 groups have tried it and 38 % got out, which is about 81. The record is 41"
            " minutes and 7 seconds.",
        ),
        (ESCAPE, RIGHT, "Of 214 groups, nearly four in ten escaped (38 %)."),
        (ESCAPE, IGNORED, "214 groups have tried it; 38 got out."),
        (ESCAPE, IGNORED, "214 groups have tried it; 62 % got out."),
        (LOAD, RIGHT, "7.45 t are on it and 12 t are allowed, so there's room for another 4.55 t."),
        (LOAD, RIGHT, "7,450 kg of 12,000 kg, i.e. 62 % of the limit."),
        (LOAD, IGNORED, "12 t are on it, and 7.45 t are allowed."),
        (ARCHER, RIGHT, "Yui shot 648 points and came third, 23 behind the winner Hana Ortiz."),
        (ARCHER, IGNORED, "Yui won with 648 points, ahead of Hana Ortiz."),
        (ARCHER, IGNORED, "Yui shot 671 points; Hana Ortiz won."),
        (
            LIGHT,
            RIGHT,
            "It can be seen from 18 nautical miles (33 km) and flashes every 12 seconds,"
            " five times a minute.",
        ),
        (LIGHT, IGNORED, "It can be seen from 18 km and flashes every 12 seconds."),
        (LIGHT, IGNORED, "It can be seen from 18 nautical miles and flashes 12 times a second."),
        (
            DONOR,
            RIGHT,
            "0 negative is shortest: only 14 units are left, 46 below the target of 60.",
        ),
        (DONOR, RIGHT, "0−, with 14 units."),
        (DONOR, IGNORED, "AB-, with 14 units left."),
        (
            LEVY,
            RIGHT,
            "Flat 3 is in band D and pays £1,932.80 a year, in ten instalments of £193.28.",
        ),
        (LEVY, RIGHT, "Band D, £1,932.80 per year (about £161 a month)."),
        (LEVY, IGNORED, "Band D, £1,932.80 a month."),
        (
            STUDY,
            RIGHT,
            "356 patients at twelve sites, 29 of whom dropped out (8.1 %), so 327 remain.",
        ),
        (STUDY, IGNORED, "29 patients, of whom 356 dropped out."),
        (STUDY, MADE_UP, "356 patients, 29 dropouts; the mean age is 58 and 44 % are women."),
        (
            TUNNEL,
            RIGHT,
            "4.86 of 7.3 km are driven, exactly two thirds (66.6 %), and the breakthrough"
            " is planned for September 2027.",
        ),
        (TUNNEL, RIGHT, "4,860 m so far, 2.44 km to go; breakthrough in September next year."),
        (TUNNEL, IGNORED, "2.44 km are driven; the breakthrough is planned for September 2027."),
        (TUNNEL, IGNORED, "4.86 km, with the breakthrough in the autumn of 2028."),
        (
            SPEECH,
            RIGHT,
            "You have twelve minutes and speak fourth, after Ruth Adeyemi and before Pavel Hruby.",
        ),
        (SPEECH, RIGHT, "12 min, right after Ruth Adeyemi."),
        (SPEECH, IGNORED, "Twelve minutes, after Pavel Hruby and before Ruth Adeyemi."),
        (SPEECH, IGNORED, "You have 720 minutes, after Ruth Adeyemi."),
        (FRIDGE, RIGHT, "It's at 4.3 °C and has always been in range (between 3.1 and 6.2 °C)."),
        (FRIDGE, RIGHT, "4.3 degrees; no, it never left the range."),
        (FRIDGE, IGNORED, "4.3 °C, and yes, it was out of range once."),
        (SHIPPING, RIGHT, "€41.20, insured up to €100, and about nine days."),
        (SHIPPING, RIGHT, "It costs 41 euros 20 and takes just over a week (9 days)."),
        (SHIPPING, IGNORED, "€41.20 per kilo, and nine days."),
        (SHIPPING, MADE_UP, "€41.20 and 9 days; express would be €88.50 and 3 days."),
    ],
    "eighth lot": [
        (
            MUSIC,
            RIGHT,
            "It starts at 8 p.m. on Friday, 12 March 2027 at Docks, and yes, tickets are"
            " still available, from €38.50.",
        ),
        (MUSIC, RIGHT, "12 March, 20:00. There are still some tickets left."),
        (MUSIC, IGNORED, "It starts at 8 p.m. on 12 March 2027, but it's sold out."),
        (MUSIC, IGNORED, "It starts at 7:30 p.m. on 12 March; tickets are available."),
        (LAUNDRY, RIGHT, "Machine 4 has 34 minutes to go on the wool program."),
        (LAUNDRY, RIGHT, "A bit more than half an hour (34 min), program: wool, 800 rpm."),
        (LAUNDRY, IGNORED, "It has been running for 34 minutes, on the wool program."),
        (
            LAUNDRY,
            MADE_UP,
            "34 minutes left on wool; machine 2 is free and machine 7 has 12 minutes left.",
        ),
        (SPECIES, RIGHT, "58 pairs nested and 121 chicks fledged, just over two per pair."),
        (SPECIES, RIGHT, "121 young storks left 58 of the 63 nests, about 2.1 each."),
        (SPECIES, IGNORED, "121 pairs nested and 58 chicks fledged."),
        (
            CREDIT,
            RIGHT,
            "3.45 % a year, and it runs for another seven years and two months at €612.40 a month.",
        ),
        (CREDIT, RIGHT, "3,45 % Zinsen, noch 86 Monate."),
        (CREDIT, IGNORED, "3.45 % a month, for another 86 months."),
        (CREDIT, IGNORED, "3.45 %, for another 86 years."),
        (ICE, RIGHT, "It's 11 cm thick, 4 cm short of what's needed, so no skating yet."),
        (ICE, RIGHT, "Only 11 centimetres as of yesterday; 15 are needed, so you mustn't skate."),
        (ICE, IGNORED, "It's 11 cm thick, so you can skate."),
        (
            CALLS,
            RIGHT,
            "1,482 calls came in and 7.3 % of callers hung up, around 108 people. The mean"
            " wait was a minute and 36 seconds.",
        ),
        (CALLS, IGNORED, "1,482 calls, of which 73 % hung up."),
        (CALLS, RIGHT, "1.482 Anrufe, 7,3 % Abbrecher."),
        (CALLS, IGNORED, "1,482 callers hung up."),
        (PRIZE, RIGHT, "Lena Fuchs won it in 2024; it comes with CHF 75,000."),
        (PRIZE, IGNORED, "Ana Reis won it, ahead of Lena Fuchs; it comes with CHF 75,000."),
        (PRIZE, IGNORED, "Lena Fuchs; it's worth €75,000."),
        (CHAIN, RIGHT, "The Volt bike is made by Reinhold Mobil in Graz, which has 640 employees."),
        (
            CHAIN,
            RIGHT,
            "640 people, in Graz. The firm was founded in 1998 and turns over €118.4"
            " million, about €185,000 per head.",
        ),
        (CHAIN, IGNORED, "Reinhold Mobil, in Vienna, employs 640 people."),
        (
            PARK,
            RIGHT,
            "1,876 trees on 12.6 hectares (149 per hectare); the oldest is 214 years old.",
        ),
        (
            PARK,
            RIGHT,
            "There are 1876 trees. The oldest has stood there for 214 years, so since about 1812.",
        ),
        (PARK, IGNORED, "The park was laid out in 1876 and its oldest tree is 214 years old."),
        (ROAST, RIGHT, "It lost 14.8 % (2.2 kg of the 15 kg) in 11 minutes 20."),
        (ROAST, RIGHT, "11:20 min, with a weight loss of 14.8%, so 12.8 kg came out."),
        (ROAST, IGNORED, "It lost 14.8 kg in 11 minutes and 20 seconds."),
    ],
    "ninth lot": [
        (
            COURT,
            RIGHT,
            "Here's what I found for case **4 C 118/26**:\n\n- **Date:** Thursday, January"
            " 14, 2027\n- **Time:** 10:45 (please be there a little early)\n- **Room:** 3.07\n-"
            " **Presiding:** Beatrix Stahl",
        ),
        (
            PARKING,
            RIGHT,
            "| | |\n|---|---|\n| Price | €2.80/h (max. €19.50/day) |\n| Free spaces |"
            " 143 of 420 (34 %) |",
        ),
        (
            QUOTA,
            RIGHT,
            "So far **76.3%** of the cod quota has been landed. That's 3,815 of 5,000 t,"
            " leaving **1,185 tonnes** for the rest of the season.",
        ),
        (
            CLAIM,
            RIGHT,
            "Good news: your claim was approved. After the €300 deductible you'll be paid"
            " **€3,870** for damage assessed at €4,170.",
        ),
        (
            FLIGHT,
            RIGHT,
            "BA 904 now departs from **gate B36** in Terminal 5. It's delayed by **35"
            " minutes**, so the new departure time is about 4:45 PM.",
        ),
        (
            EXPORT,
            RIGHT,
            "The last run (`run-20261115-02`) wrote **2,481,907** rows in **1,284 s** (21"
            " min 24 s) with zero warnings.",
        ),
        (
            HEIGHTS,
            RIGHT,
            "| Tower | Height |\n|---|---|\n| **Kesten** | **187.5 m** |\n| Orrin | 171.2"
            " m |\n| Avel | 164 m |\n\nKesten is the tallest, by 16.3 m.",
        ),
        (
            DAM,
            RIGHT,
            "Ardal is at **68.8 %** of capacity. Inflow is **42.5 m³/s**, outflow 38 m³/s, so"
            " it's filling by 4.5 m³/s.",
        ),
        (LEDGER, RIGHT, "Closing balance: **-18,236.45 EUR**; 127 postings in October 2026."),
        (
            WARD,
            RIGHT,
            "Ward 3B has 23 occupied beds out of 28, which is an occupancy of 82.1%. The"
            " average stay is 4.6 days (a little over four and a half).",
        ),
        (
            SALES,
            RIGHT,
            "Sales fell by 6.4% to 1,310 chairs. 41 of those came back, a return rate of"
            " about 3.1 %.",
        ),
        (
            LEAVE,
            RIGHT,
            "You've 9.5 vacation days left (30 minus the 20.5 you've taken). Use them by"
            " March 31, 2027, or they lapse.",
        ),
        (
            ORDER,
            RIGHT,
            "Your parcel PX99120 is currently **in transit**, last scanned in Leipzig."
            " Expected delivery: **Thu, Nov 19**.",
        ),
        (
            DEPLOY,
            RIGHT,
            "The rollout of `api:4.18.2` succeeded. 5 out of 6 pods are ready, so one isn't"
            " ready yet.",
        ),
        (
            MARATHON,
            RIGHT,
            "🏃 Tilda finished in **1:38:12**, a new PB! Her previous best was 1:40:57, so"
            " she took 2 min 45 s off it. Yes, that counts.",
        ),
        (
            FLAT,
            RIGHT,
            "The flat measures 68 m² (732 sq ft) and rents for €1,150 per month; with the"
            " €3,450 deposit, expect €4,600 up front.",
        ),
        (
            GAME,
            RIGHT,
            "You're currently **Platinum** (2,210 points): 58 wins, 41 losses, i.e. 17 more"
            " wins than losses.",
        ),
        (
            AUCTION,
            RIGHT,
            "Lot 214 was sold to **Galerie Roth** for **€12,600**, €3,600 over the"
            " estimate. The consignor was Estate Lindner.",
        ),
        (
            GRANT,
            RIGHT,
            "The Lumen grant is €145,000, and they'll decide by Friday, February 26, 2027."
            " With 63 applicants for 4 awards, that's roughly one in 16.",
        ),
        (ROUTER, RIGHT, "Firmware **7.14.3**, **22** connected devices, uptime 409 h (17 d 1 h)."),
        (
            SHIFT,
            RIGHT,
            "On Sunday you start at **05:45** and finish at 14:15 (8.5 h, minus a 30-minute"
            " break = 8 h). Your supervisor is **Mirela Pop**.",
        ),
        (
            HOTEL,
            RIGHT,
            "Your stay at the Aurora begins on December 27, 2026. It's €132.50 per night,"
            " breakfast included; for your 4 nights that makes €530.00.",
        ),
        (
            TARIFF,
            RIGHT,
            "At night (22:00–06:00) you pay **21.85 ct/kWh** instead of 31.20 ct, a saving"
            " of 9.35 ct on every kWh.",
        ),
        (
            UNION,
            RIGHT,
            "Turnout was 69 % and 81.4 % of the votes were in favour of the strike; so"
            " roughly 2,360 of 4,200 members voted yes.",
        ),
        (
            BUDGET,
            RIGHT,
            "- Budget: €25,000\n- Spent: **€18,320** (73 %)\n- Left: **€6,680** (27 %)",
        ),
        (MATCH, RIGHT, "Next up for Brann: **away at Molde** on Sun 22 Nov, 18:00, Aker Stadion."),
        (
            SUBSCRIPTION,
            RIGHT,
            "Your plan (3 seats) costs $14.99 per month and renews automatically on"
            " Wed, Dec 9, 2026.",
        ),
        (
            LOAD,
            RIGHT,
            "Truck 5 currently carries 7.45 t; its limit is 12 t, so you can still add 4.55 t"
            " (38 % of the limit).",
        ),
        (
            STUDY,
            RIGHT,
            "Aster enrolled 356 patients across 12 sites, i.e. about 30 per site. 29 have"
            " dropped out, roughly 8 %.",
        ),
        (
            CHAIN,
            RIGHT,
            "The Volt bike comes from **Reinhold Mobil**, based in **Graz**, with **640**"
            " employees (founded 28 years ago, in 1998).",
        ),
    ],
    "tenth lot": [
        (
            BALLOON,
            RIGHT,
            "It reached 31,840 m (about 104,500 ft) before bursting and came down at Lake"
            " Vand, two hours and eight minutes after its launch at 11:30 UTC, so at 13:38 UTC.",
        ),
        (BALLOON, RIGHT, "Nearly 32 km (31.84), landing at Lake Vand."),
        (BALLOON, IGNORED, "It reached 31,840 ft and came down at Lake Vand."),
        (BALLOON, IGNORED, "It burst at 31,840 m. Where it came down is not known."),
        (
            KIOSK,
            RIGHT,
            "The kiosk took €23,487.60 in July and sold 9,120 ices, about 314 a day on 29"
            " days, at €2.58 apiece.",
        ),
        (KIOSK, RIGHT, "23.487,60 € Umsatz, 9.120 Eis."),
        (KIOSK, IGNORED, "It took €9,120 and sold 23,487 ices."),
        (
            KIOSK,
            MADE_UP,
            "€23,487.60 and 9,120 ices, with vanilla (2,310) ahead of strawberry (1,875).",
        ),
        (
            DRONE,
            RIGHT,
            "It has 17 minutes of flight left (battery at 46 %) and is 1.9 km away, so bring"
            " it back soon.",
        ),
        (DRONE, RIGHT, "17 min; 1,900 m out at 110 m altitude."),
        (DRONE, IGNORED, "It has flown 17 minutes and is 1.9 km away."),
        (DRONE, IGNORED, "17 minutes left, and it's 1.9 m away."),
        (THESIS, RIGHT, "By noon on Friday, 29 January 2027, with at most 20,000 words."),
        (THESIS, RIGHT, "Deadline: 29 Jan 2027, 12:00. Limit: 20k words."),
        (THESIS, IGNORED, "By midnight on Friday, 29 January 2027, with at most 20,000 words."),
        (THESIS, IGNORED, "By noon on 29 January 2027, with at least 20,000 words."),
        (NEST, RIGHT, "37.7 °C with 48 eggs inside. It's day 11 of 21, so ten days to go."),
        (NEST, RIGHT, "It's holding at 99.9 °F; there are four dozen eggs in it."),
        (NEST, IGNORED, "48 °C with 37 eggs."),
        (TOLL, RIGHT, "NOK 96, and yes, trailers are allowed in the 14.4 km tunnel."),
        (TOLL, RIGHT, "It costs 96 kroner, with or without a trailer (they're permitted)."),
        (TOLL, IGNORED, "NOK 96, but trailers have to take the ferry."),
        (
            ALERT,
            RIGHT,
            "`DiskPressure` fired last, at 4:49 a.m. UTC; Noa Peretz acknowledged it at 4:55,"
            " five and a half minutes later.",
        ),
        (ALERT, RIGHT, "DiskPressure, acknowledged this morning at 04:55:10 UTC by Noa Peretz."),
        (ALERT, IGNORED, "DiskPressure; it was acknowledged at 04:49 UTC."),
        (ALERT, MADE_UP, "`DiskPressure` on `warehouse-replica`, acknowledged at 04:55 UTC."),
    ],
}

STRANGERS = {lot: [Case(lot, *each) for each in answers] for lot, answers in LOTS.items()}
