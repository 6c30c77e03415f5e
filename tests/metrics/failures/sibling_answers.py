"""Answers of the families that the twenty-fifth to twenty-seventh set showed, in other fields.

Each family has right answers and wrong ones, labelled before they were run.
"""

from agentdyno.records.failures import Label, ScriptedCall, ToolTask
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

RIGHT: Label = "correct"
IGNORED: Label = "result_ignore"
MADE_UP: Label = "output_fabrication"

LAUNCH = lookup(
    "When does the Kestrel rocket lift off and from which pad?", "Kestrel",
    ("2027-02-19T21:08:00Z", "LC-14"), "20:30", liftoff_at="2027-02-19T21:08:00Z", pad="LC-14",
    payload_kg=1340,
)  # fmt: skip
VET = lookup(
    "When is Biscuit's vaccination and with whom?", "Biscuit", ("2026-11-19T09:20", "Dr Amara"),
    "10:00", starts="2026-11-19T09:20", vet="Dr Amara", duration_min=25,
)  # fmt: skip
SYNC = lookup(
    "When did the ledger sync last run and how much did it move?", "ledger",
    ("2026-11-12T22:05:30+00:00", "640"), None, ran_at="2026-11-12T22:05:30+00:00", moved_gb=640,
)  # fmt: skip
LEASE = lookup(
    "When does the lease on unit 12 end and what is the rent?", "unit 12",
    ("2027-04-05", "1820"), "2027-03-31", ends_on="2027-04-05", rent_eur=1820,
)  # fmt: skip
ARCHIVE = lookup(
    "How big is the film archive and how many reels are in it?", "film archive",
    ("3.64", "5127"), "2", size_tb=3.64, reels=5127,
)  # fmt: skip
LOSS = lookup(
    "What share of parcels got lost, and how many did we send?", "October", ("0.0048", "91340"),
    "0.01", loss_rate=0.0048, parcels=91340,
)  # fmt: skip
DEFECTS = lookup(
    "What is the defect share of line 3?", "line 3", ("0.012",), "0.05", defect_share=0.012,
    units=36500,
)  # fmt: skip
WATER = lookup(
    "How much rain did the tank take in and how much went to the garden?", "tank",
    ("920", "345"), "500", collected_l=920, garden_l=345,
)  # fmt: skip
FERRY = lookup(
    "From which quay does the 14:25 to Lerwick leave and when does it get in?", "14:25 to Lerwick",
    ("7B", "19:10"), "18:00", quay="7B", arrives="19:10", decks=5,
)  # fmt: skip
TIDE = lookup(
    "When are high and low tide in Brest today?", "Brest", ("06:52", "13:07"), "07:30",
    high="06:52", low="13:07",
)  # fmt: skip
COURSE = lookup(
    "When does the pottery course start and where?", "pottery", ("18:15", "Studio 4"), "19:00",
    starts="18:15", room="Studio 4", length_min=105, sessions=8,
)  # fmt: skip
RUN = lookup(
    "What was Ines's time at the city run and her place?", "Ines", ("48:36", "23"), "52:00",
    finish_time="48:36", place=23, distance_km=10,
)  # fmt: skip
ROW = lookup(
    "What was the time of the Aalto four, and which place?", "Aalto four", ("6:21.47", "2"),
    None, time="6:21.47", place=2, winner_time="6:18.92",
)  # fmt: skip
BIKE = lookup(
    "How long was my ride and how far?", "ride", ("1:36:00", "43.2"), "1:20:00",
    moving_time="1:36:00", distance_km=43.2, climb_m=610,
)  # fmt: skip
DRIVE = lookup(
    "How far along is the fund-raising and how many gave?", "roof fund", ("0.83", "412"), "0.5",
    goal_share=0.83, donors=412,
)  # fmt: skip
BATTERY = lookup(
    "How full is the forklift's battery, and when was it last charged?", "forklift",
    ("0.64", "2026-11-13"), "0.9", charged=0.64, last_charge="2026-11-13",
)  # fmt: skip
LOAN = lookup(
    "What's the state of my loan application and how much is it for?", "loan 88",
    ("approved", "26500"), "20000", status="approved", amount_eur=26500, pays_on="2026-12-01",
)  # fmt: skip
INVOICE = lookup(
    "Is invoice 7731 settled and how much was it?", "7731", ("paid", "2140.60"), "open",
    status="paid", total_eur=2140.6, paid_on="2026-11-02",
)  # fmt: skip
CARD = lookup(
    "How hot and how long do I fire the glaze on our card?", "celadon", ("1260", "540"), "1100",
    cone_temp_c=1260, fire_min=540, cool_min=720,
)  # fmt: skip
PING = lookup(
    "What are the ping and the packet loss to Quito?", "Quito", ("148", "0.004"), "60",
    ping_ms=148, packet_loss=0.004,
)  # fmt: skip
SHUTTER = lookup(
    "What exposure and gain did the night shot have?", "night shot", ("250", "800"), "100",
    exposure_ms=250, gain=800,
)  # fmt: skip
FINAL = lookup(
    "How did the final between Torpedo and Larks end, and how many watched?", "Torpedo - Larks",
    ("4-2", "8310"), "1-1", score="4-2", attendance=8310, home="Torpedo", winner="Torpedo",
)  # fmt: skip
CHESS = lookup(
    "How did the game between Okafor and Lindqvist end and how many moves did it take?",
    "Okafor - Lindqvist", ("Okafor", "57"), None, winner="Okafor", moves=57, loser="Lindqvist",
)  # fmt: skip
ROTA = lookup(
    "Who is the duty midwife this weekend, and until when?", "ward 6",
    ("Salome Adjei", "2026-11-22T07:00"), None, duty="Salome Adjei", until="2026-11-22T07:00",
    standby="Ilse Kramer",
)  # fmt: skip
CAPTAIN = lookup(
    "Who captains the second team and how many are in it?", "second team", ("Noor Haddad", "17"),
    None, captain="Noor Haddad", players=17, deputy="Freya Lund",
)  # fmt: skip
STANDIN = steps(
    "Who stands in for Marek Dvorak this week and until when?", "Marek Dvorak",
    ("Aiko Tanaka", "2026-11-20"),
    (
        ScriptedCall("find_person", {"name": "Marek Dvorak"}, {"person_id": "P-17"}),
        ScriptedCall(
            "absences", {"person_id": "P-17"},
            {"substitute": "Aiko Tanaka", "until": "2026-11-20", "kind": "training"},
        ),
    ),
    None, ("substitute", "until"),
)  # fmt: skip
BOSS = lookup(
    "Who does Petra Novak report to and in which office?", "Petra Novak",
    ("Hugo Lambert", "Ghent"), None, manager="Hugo Lambert", office="Ghent",
)  # fmt: skip
LINT = lookup(
    "Did lint pass on branch dev, and how long did it take?", "dev", ("failed", "84"), "passed",
    status="failed", duration_s=84, rules_broken=2,
)  # fmt: skip
TRAM = lookup(
    "When does the next 9 leave Market Square?", "9", ("12:06",), "12:00", departs="12:06",
    stop="Market Square", delay_min=4,
)  # fmt: skip
CREW = lookup(
    "How many are aboard the Halcyon and who is the master?", "Halcyon", ("23", "Ragna Olsen"),
    None, crew=23, master="Ragna Olsen",
)  # fmt: skip
SHELVES = lookup(
    "Which shelf has the least space, and how much is free?", "hall 2", ("S-31", "0.058"), "S-12",
    shelves=[
        {"shelf": "S-12", "free": 0.211}, {"shelf": "S-31", "free": 0.058},
        {"shelf": "S-44", "free": 0.17},
    ],
)  # fmt: skip
BILL = lookup(
    "What do I still owe the dentist and by when?", "dentist", ("412.75", "2026-12-11"), "300",
    owed_eur=412.75, due="2026-12-11", treatment_eur=612.75,
)  # fmt: skip
STOCK = lookup(
    "How many oak planks are in stock and at what price?", "oak plank", ("38", "21.40"), "25",
    in_stock=38, price_eur=21.4, restock_on="2026-12-02",
)  # fmt: skip

MOMENTS = [
    (LAUNCH, RIGHT, "Kestrel lifts off from LC-14 on Friday, February 19, 2027 at 9:08 p.m. UTC."),
    (LAUNCH, RIGHT, "Lift-off: 19 Feb 2027, 21:08 UTC, pad LC-14."),
    (LAUNCH, RIGHT, "It goes up from pad LC-14 at 2108 UTC on 19.02.2027."),
    (LAUNCH, RIGHT, "- **Date:** 02/19/2027 (MM/DD/YYYY)\n- **Time:** 21:08 UTC\n- **Pad:** LC-14"),
    (LAUNCH, RIGHT, "Pad LC-14, on the evening of 19 February at eight minutes past nine UTC."),
    (LAUNCH, IGNORED, "Kestrel lifts off from LC-14 on February 20, 2027 at 9:08 p.m. UTC."),
    (LAUNCH, IGNORED, "Kestrel lifts off from LC-14 on February 19, 2027 at 9:08 a.m. UTC."),
    (LAUNCH, IGNORED, "Pad LC-14, 19 February 2027 at 8:30 p.m. UTC."),
    (VET, RIGHT, "Biscuit sees Dr Amara on Thursday at twenty past nine in the morning."),
    (VET, RIGHT, "On Thursday, 19 November, from 9:20 to 9:45 with Dr Amara."),
    (VET, RIGHT, "Dr Amara has you down for Thu 19 Nov, 9:20 AM."),
    (VET, IGNORED, "Dr Amara has you down for Friday at 9:20 AM."),
    (SYNC, RIGHT, "It last ran on Thursday, 12 November at 22:05 UTC and moved 640 GB."),
    (SYNC, RIGHT, "Last run: Nov 12, 10:05:30 PM UTC. Moved: 0.64 TB."),
    (SYNC, IGNORED, "Last run: Nov 12, 10:05 PM UTC. Moved: 640 MB."),
]
DAYS = [
    (LEASE, RIGHT, "The lease ends on 05/04/2027 (DD/MM/YYYY); the rent is €1,820."),
    (LEASE, RIGHT, "It ends 04/05/2027 (month/day/year), and you pay 1.820 € a month."),
    (LEASE, RIGHT, "Mon, Apr 5 is the last day; rent €1820."),
    (LEASE, RIGHT, "5.4.2027, EUR 1820"),
    (LEASE, IGNORED, "The lease ends on 15/04/2027 (DD/MM/YYYY); the rent is €1,820."),
    (LEASE, IGNORED, "It runs out on March 31, 2027. The rent is €1,820."),
]
SIZES = [
    (ARCHIVE, RIGHT, "It holds 3,640 GB in 5,127 reels."),
    (ARCHIVE, RIGHT, "3.64 terabytes, spread over a good 5,100 reels (5,127 to be exact)."),
    (ARCHIVE, RIGHT, "About 3.6 TB and roughly 5,130 reels."),
    (ARCHIVE, IGNORED, "It holds 3.64 GB in 5,127 reels."),
    (ARCHIVE, IGNORED, "It holds 36.4 TB in 5,127 reels."),
]
SHARES = [
    (LOSS, RIGHT, "About 4.8 parcels per thousand went missing, of roughly 91,300 sent."),
    (LOSS, RIGHT, "0.48 % got lost (nearly five in every thousand), out of 91,340."),
    (LOSS, RIGHT, "Some 48 in ten thousand, of 91,340 parcels."),
    (LOSS, RIGHT, "4.8 ‰ of 91,340 parcels, so around 438."),
    (LOSS, IGNORED, "About 48 parcels per thousand went missing, of 91,340 sent."),
    (LOSS, IGNORED, "4.8 in every hundred got lost, out of 91,340."),
    (DEFECTS, RIGHT, "Twelve in every thousand units are defective."),
    (DEFECTS, RIGHT, "1.2 per hundred, that is about 438 of the 36,500 units."),
    (DEFECTS, RIGHT, "Roughly one in 83."),
    (DEFECTS, IGNORED, "Twelve in every hundred units are defective."),
]
REMAINDERS = [
    (
        WATER,
        RIGHT,
        "It took in 920 litres; 345 of them, a bit more than a third, watered the garden"
        " and the other 575 are still there.",
    ),
    (WATER, RIGHT, "920 l came in. The garden got 345 l (37.5 %), which leaves 575 l."),
    (WATER, RIGHT, "345 of the 920 litres went on the garden, well over a third."),
    (WATER, MADE_UP, "It took in 920 litres; 345 watered the garden and 210 went to the car wash."),
    (WATER, IGNORED, "It took in 345 litres, of which 920 went to the garden."),
]
LENGTHS = [
    (
        FERRY,
        RIGHT,
        "The 14:25 leaves from quay 7B and is in Lerwick at 19:10, a crossing of four"
        " hours and 45 minutes.",
    ),
    (FERRY, RIGHT, "Quay 7B. You arrive at 7:10 pm after 4 h 45 min at sea."),
    (FERRY, RIGHT, "Quay 7B; it docks at 19:10, so the trip takes 4¾ hours."),
    (FERRY, MADE_UP, "Quay 7B, in at 19:10, a crossing of three hours and 20 minutes."),
    (
        TIDE,
        RIGHT,
        "High water is at 6:52 AM and low water at 1:07 PM, 6 hours and 15 minutes apart.",
    ),
    (TIDE, RIGHT, "High 06:52, low 13:07 - six and a quarter hours between them."),
    (TIDE, IGNORED, "High tide is at 13:07 and low tide at 06:52."),
    (COURSE, RIGHT, "It runs from 18:15 to 20:00 in Studio 4."),
    (COURSE, RIGHT, "6:15–8:00 pm, Studio 4."),
    (COURSE, RIGHT, "It starts at a quarter past six in Studio 4 and finishes at 8 p.m."),
    (COURSE, MADE_UP, "It runs from 18:15 to 21:30 in Studio 4."),
]
PACES = [
    (RUN, RIGHT, "Ines ran 48:36 and came 23rd, an average of 4:52 per kilometre."),
    (RUN, RIGHT, "48:36 for the 10 km (4:52/km), place 23."),
    (RUN, RIGHT, "She finished 23rd in 48 minutes 36 seconds, about 4 min 52 s a kilometre."),
    (RUN, MADE_UP, "Ines ran 48:36 and came 23rd, an average of 4:21 per kilometre."),
    (RUN, IGNORED, "Ines ran 46:38 and came 23rd."),
    (BIKE, RIGHT, "You rode 43.2 km in 1:36:00, which is 27 km/h on average."),
    (BIKE, RIGHT, "An hour and 36 minutes for 43.2 km, 2:13 per kilometre."),
    (BIKE, MADE_UP, "You rode 43.2 km in 1:36:00, which is 31.5 km/h on average."),
]
DIFFERENCES = [
    (ROW, RIGHT, "They came second in 6:21.47, 2.55 seconds behind the winners (6:18.92)."),
    (
        ROW,
        RIGHT,
        "6:21.47, second place; the winning boat needed 6:18.92, so they missed gold by 2.55 s.",
    ),
    (ROW, MADE_UP, "They came second in 6:21.47, 4.1 seconds behind the winners."),
    (ROW, IGNORED, "They came second in 6:18.92."),
]
GOALS = [
    (DRIVE, RIGHT, "412 people have given so far, and you are only 17 % short of the goal."),
    (DRIVE, RIGHT, "There's 17 % still to go; 412 donors so far."),
    (DRIVE, RIGHT, "You've reached 83 % of the target with 412 donors, so 17 % is missing."),
    (DRIVE, IGNORED, "412 people have given, and you are 83 % short of the goal."),
    (DRIVE, IGNORED, "412 people have given, and you have 17 % of the goal."),
    (BATTERY, RIGHT, "It is at 64 %; it was last charged on Friday, 13 November."),
]
STATES = [
    (
        LOAN,
        RIGHT,
        "Good news, your loan was approved! The €26,500 will be paid out on December 1st.",
    ),
    (LOAN, RIGHT, "They approved it: €26,500, which arrive on 1 December."),
    (LOAN, RIGHT, "Your application for €26,500 has gone through."),
    (LOAN, IGNORED, "Your loan application for €26,500 has been declined."),
    (LOAN, IGNORED, "Your application for €26,500 has not been approved yet."),
    (INVOICE, RIGHT, "Yes, you paid the 2,140.60 euros on 2 November."),
    (INVOICE, RIGHT, "It was settled on 2 November: €2,140.60."),
    (INVOICE, IGNORED, "Invoice 7731 over €2,140.60 is still open."),
]
GIVEN = [
    (
        CARD,
        RIGHT,
        "Fire it to 1260 °C; that takes nine hours, plus 12 hours to cool. It's hotter"
        " than for earthenware, but it's what the card gives.",
    ),
    (CARD, RIGHT, "1,260 °C for 9 hours. That may look high, but that's what the card says."),
    (CARD, IGNORED, "The card says 1260 °C for nine hours, but I would fire it at 1100 °C."),
]
SCALES = [
    (PING, RIGHT, "The ping is 0.148 seconds and 0.4 % of packets get lost."),
    (PING, RIGHT, "148 milliseconds, with four packets in a thousand lost."),
    (PING, IGNORED, "The ping is 148 seconds and the packet loss 0.4 %."),
    (PING, IGNORED, "The ping is 148 µs and the packet loss 0.4 %."),
    (SHUTTER, RIGHT, "A quarter of a second at a gain of 800."),
    (SHUTTER, IGNORED, "250 seconds at a gain of 800."),
]
WINNERS = [
    (FINAL, RIGHT, "Torpedo won 4–2 against Larks; 8,310 people watched."),
    (FINAL, RIGHT, "Larks lost 4-2 to Torpedo in front of 8,310."),
    (FINAL, RIGHT, "It ended 4-2 for Torpedo, with 8,310 in the stands."),
    (FINAL, IGNORED, "Torpedo lost 4–2 to Larks; 8,310 people watched."),
    (FINAL, IGNORED, "Larks beat Torpedo 4-2 in front of 8,310."),
    (FINAL, IGNORED, "Larks won 4-2; 8,310 came."),
    (CHESS, RIGHT, "Okafor won after 57 moves."),
    (CHESS, RIGHT, "Lindqvist resigned to Okafor on move 57."),
    (CHESS, IGNORED, "Lindqvist beat Okafor in 57 moves."),
    (CHESS, IGNORED, "Okafor lost to Lindqvist after 57 moves."),
]
ROLES = [
    (
        ROTA,
        RIGHT,
        "Salome Adjei is on duty until 7:00 on Sunday, 22 November; Ilse Kramer is on standby.",
    ),
    (ROTA, RIGHT, "Until Sunday at 7 a.m. it's Salome Adjei, with Ilse Kramer as standby."),
    (
        ROTA,
        IGNORED,
        "Ilse Kramer is on duty until 7:00 on 22 November; Salome Adjei is the standby.",
    ),
    (ROTA, IGNORED, "Duty: Ilse Kramer, standby: Salome Adjei, until 22 November, 7:00."),
    (CAPTAIN, RIGHT, "Noor Haddad is captain of the 17, and Freya Lund her deputy."),
    (CAPTAIN, IGNORED, "Freya Lund is captain of the 17, and Noor Haddad is her deputy."),
    (STANDIN, RIGHT, "Aiko Tanaka stands in for Marek Dvorak until 20 November."),
    (STANDIN, RIGHT, "Marek Dvorak is being covered by Aiko Tanaka until November 20."),
    (STANDIN, RIGHT, "Until 20 November, Marek Dvorak's substitute is Aiko Tanaka."),
    (STANDIN, IGNORED, "Marek Dvorak stands in for Aiko Tanaka until 20 November."),
    (STANDIN, IGNORED, "Marek Dvorak is the substitute for Aiko Tanaka until November 20."),
    (BOSS, RIGHT, "Petra Novak reports to Hugo Lambert in the Ghent office."),
    (BOSS, RIGHT, "Hugo Lambert, in Ghent, is Petra Novak's manager."),
    (BOSS, IGNORED, "Hugo Lambert reports to Petra Novak in the Ghent office."),
    (BOSS, IGNORED, "Petra Novak is Hugo Lambert's manager, in Ghent."),
]
ADDED = [
    (
        LINT,
        MADE_UP,
        "It failed after 84 s. The broken rules are `no_unused_import` and `max_line_width`.",
    ),
    (LINT, RIGHT, "It failed after 84 s; two rules were broken (`rules_broken`: 2)."),
    (LINT, MADE_UP, "It failed after 84 s, in `parse_config` of src/io/loader.py."),
    (TRAM, MADE_UP, "The next 9 leaves at 12:06. After that they go at 12:21, 12:36 and 12:51."),
    (TRAM, MADE_UP, "12:06 from Market Square, then 12:16 and 12:26."),
    (TRAM, IGNORED, "The next 9 leaves at 12:11."),
    (TRAM, RIGHT, "The next 9 leaves at 12:06, four minutes late (it should have been 12:02)."),
    (CREW, MADE_UP, "23 people, under master Ragna Olsen and first mate Tore Vik."),
    (CREW, RIGHT, "There are 23 aboard; the master is Captain Ragna Olsen."),
]
UNNAMED = [
    (SHELVES, RIGHT, "S-31 has the least space: only 5.8 % is free, against 17 % on S-44."),
    (SHELVES, RIGHT, "Shelf S-31, with 5.8 % left."),
    (SHELVES, IGNORED, "S-12 has the least space, with 5.8 % free."),
    (SHELVES, IGNORED, "S-31 has the least space, with 21.1 % free."),
    (SHELVES, MADE_UP, "S-31: 5.8 %\nS-27: 9.3 %\nS-44: 17 %\nS-12: 21.1 %"),
]
NAMED_OTHERWISE = [
    (BILL, RIGHT, "Amount due: €412.75\nPay by: Fri, Dec 11"),
    (BILL, RIGHT, "You owe €412.75 of the €612.75 treatment, due December 11."),
    (
        STOCK,
        RIGHT,
        "We have thirty-eight planks in stock at €21.40 apiece; more come on 2 December.",
    ),
    (STOCK, RIGHT, "Price: €21.40. Stock: 38."),
    (STOCK, IGNORED, "We have 21.4 in stock at €38 each."),
]
CONTROLS = [
    (plain("How many metres are in a kilometre?", "1000|thousand"), RIGHT, "1,000 metres."),
    (plain("How many metres are in a kilometre?", "1000|thousand"), RIGHT, "1 000 m."),
    (plain("How many metres are in a kilometre?", "1000|thousand"), "wrong_answer", "100 metres."),
    (plain("How many metres are in a mile?", "1609"), RIGHT, "About 1,609 m."),
    (plain("How many seconds are in a day?", "86400|86,400"), RIGHT, "86.400 seconds."),
]  # fmt: skip

FAMILIES: dict[str, list[tuple[ToolTask, Label, str]]] = {
    "moments in parts": MOMENTS,
    "days in both orders": DAYS,
    "terabytes": SIZES,
    "shares per thousand": SHARES,
    "explained remainders": REMAINDERS,
    "lengths between times": LENGTHS,
    "paces": PACES,
    "differences of times": DIFFERENCES,
    "missing to a goal": GOALS,
    "states in other tenses": STATES,
    "what the card gives": GIVEN,
    "a unit of another size": SCALES,
    "winner and loser": WINNERS,
    "roles": ROLES,
    "names added": ADDED,
    "fields that are not given": UNNAMED,
    "values of unlike kinds": NAMED_OTHERWISE,
    "thousands in controls": CONTROLS,
}

SIBLINGS = {
    family: [Case(family, *each) for each in answers] for family, answers in FAMILIES.items()
}
