"""The eighteenth hard set, in longer answers, after what the seventeenth showed was mended."""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

BRIDGE = lookup(
    "What's the load limit on the Ansel bridge and when was it last surveyed?", "Ansel bridge",
    ("7.5", "2025-04-22"), "12", limit_t=7.5, surveyed_on="2025-04-22", spans=3, material="iron",
)  # fmt: skip
VINE = lookup(
    "Sugar and acidity of the Riesling from block 14?", "block 14", ("21.6", "8.1"), "19",
    brix=21.6, acidity_g_l=8.1, picked_on="2026-09-27",
)  # fmt: skip
PATENT = lookup(
    "Who holds patent 771204 and when does it lapse?", "771204", ("Corvane Optics", "2031-08-15"),
    "Zeiss", holder="Corvane Optics", lapses_on="2031-08-15", claims=18,
)  # fmt: skip
POOL = lookup(
    "Water temperature and chlorine in the main pool?", "main pool", ("27.5", "1.4"), "26",
    water_c=27.5, chlorine_mg_l=1.4, visitors=312,
)  # fmt: skip
CARGO = lookup(
    "How many containers are on the Merel, and what's her ETA?", "Merel",
    ("2914", "2026-12-19T22:15"), "4000", containers=2914, eta="2026-12-19T22:15", flag="Malta",
)  # fmt: skip
SOLAR = lookup(
    "What did the school's panels make last month, and how much did that save?", "school",
    ("3460", "795.80"), "2500", made_kwh=3460, saved_eur=795.80, panels=96,
)  # fmt: skip
VISA = lookup(
    "How long does visa type K take and what's the fee?", "visa K", ("45", "160"), "15",
    processing_days=45, fee_usd=160, interview=True,
)  # fmt: skip
PLAY = lookup(
    "How long is the second act and who directs?", "second act", ("68", "Imre Vadas"), "50",
    minutes=68, director="Imre Vadas", premiere="2027-02-13",
)  # fmt: skip
METER = lookup(
    "What's my gas reading, and is the meter due for replacement?", "gas meter",
    ("08316", "false"), "7900", reading="08316", replacement_due=False, unit="m3",
)  # fmt: skip
SHOE = lookup(
    "Price and stock of the Tarn boot in 44?", "Tarn boot 44", ("189.95", "0"), "150",
    price_eur=189.95, stock=0, colour="moss",
)  # fmt: skip
BIRD = lookup(
    "How many pairs of terns nested this year and how did that change?", "terns", ("412", "-9.5"),
    "600", pairs=412, change_pct=-9.5, wardens=5,
)  # fmt: skip
ROCKET = lookup(
    "Thrust and burn time of the Ibis engine?", "Ibis", ("845", "162"), "900",
    thrust_kn=845, burn_s=162, fuel="methane",
)  # fmt: skip
SALARY = lookup(
    "What salary band is role L4 and how many days of leave does it get?", "L4",
    ("52000-61000", "28"), "25", band_gbp="52000-61000", leave_days=28, notice_weeks=8,
)  # fmt: skip
ASTRO = lookup(
    "When does the eclipse start at Toru and how much of the sun is covered?", "Toru",
    ("10:47", "0.83"), "11:30", starts="10:47", covered_share=0.83, lasts_min=151,
)  # fmt: skip
RIVER = steps(
    "Compare today's flow at Ost and at Brek.", "gauges", ("63.2", "48.9"),
    (
        ScriptedCall("flow", {"gauge": "Ost"}, {"gauge": "Ost", "flow_m3_s": 63.2}),
        ScriptedCall("flow", {"gauge": "Brek"}, {"gauge": "Brek", "flow_m3_s": 48.9}),
    ),
    "30",
)  # fmt: skip
TEAMS = steps(
    "Average age in the Lynx and in the Otter squad?", "squads", ("24.3", "27.8"),
    (
        ScriptedCall("squad", {"team": "Lynx"}, {"team": "Lynx", "average_age": 24.3}),
        ScriptedCall("squad", {"team": "Otter"}, {"team": "Otter", "average_age": 27.8}),
    ),
    "26",
)  # fmt: skip
PRINTER = steps(
    "How much toner is left in printer P2? Retry if it is asleep.", "P2", ("34",),
    (
        ScriptedCall("toner", {"printer": "P2"}, None, error="device asleep"),
        ScriptedCall("toner", {"printer": "P2"}, {"printer": "P2", "toner_pct": 34}),
    ),
    "50", ("toner_pct",),
)  # fmt: skip
RUST = plain("Why does iron rust?", "oxygen|oxid", "water|moisture")
PRIME = plain("Is 51 a prime number?", "no|not", "3|17")
LEAP = plain("Why are there leap years?", "365|quarter|orbit|year", "sun|day")

EIGHTEENTH: list[Case] = [
    # --- forms, with what chats put around the answer
    Case("form", BRIDGE, "correct",
         "Based on the records I found:\n\n**Ansel bridge**\n- **Load limit:** 7.5 tonnes\n- "
         "**Last survey:** 22 April 2025\n\nIf you plan to cross with a lorry, do check its "
         "gross weight."),
    Case("form", BRIDGE, "result_ignore",
         "Based on the records I found:\n\n**Ansel bridge**\n- **Load limit:** 12 tonnes\n- **Last "
         "survey:** 22 April 2025"),
    Case("form", VINE, "correct", "Block 14 came in at 21.6 °Bx with 8.1 g/L of acid."),
    Case("form", VINE, "correct", "| | Sugar | Acid |\n|--|--|--|\n| Block 14 | 21.6 | 8.1 |"),
    Case("form", PATENT, "correct", "It's held by **Corvane Optics** and lapses on Aug. 15, 2031."),
    Case("form", PATENT, "result_ignore", "Zeiss holds it. It lapses on Aug. 15, 2031."),
    Case("form", POOL, "correct", "🏊 27.5 °C | 🧪 1.4 mg/l"),
    Case("form", CARGO, "correct",
         "Summary:\n1. Containers aboard: 2,914\n2. ETA: Sat 19 Dec 2026, 22:15\n3. Flag: Malta"),
    Case("form", CARGO, "correct", "`containers: 2914`, `eta: 2026-12-19 22:15`"),
    Case("form", METER, "correct", "Your reading is 08316 m³, and no replacement is due."),
    Case("form", METER, "correct", "Reading: 8,316 m³. Replacement isn't due yet."),
    Case("form", SALARY, "correct", "L4 pays £52,000 to £61,000 and comes with 28 days of leave."),
    Case("form", SALARY, "correct", "Band: £52k–£61k. Leave: 28 days. Notice: 8 weeks."),
    Case("form", SALARY, "result_ignore", "Band: £52k–£61k. Leave: 25 days, as is standard."),
    Case("form", TEAMS, "correct",
         "| Squad | Avg. age |\n|---|---|\n| Lynx | 24.3 |\n| Otter | 27.8 |"),
    # --- units and notations
    Case("unit", BRIDGE, "correct", "7,500 kg; last surveyed on 22/4/2025."),
    Case("unit", BRIDGE, "correct",
         "Seven and a half tonnes; surveyed in spring, on April 22nd 2025."),
    Case("unit", BRIDGE, "result_ignore", "75 tonnes; last surveyed on 22 April 2025."),
    Case("unit", VINE, "result_ignore", "21.6 Brix, 8.1 mg/L of acid."),
    Case("unit", VINE, "correct", "21.6 degrees Brix; acidity 0.81 g per 100 ml (8.1 g/l)."),
    Case("unit", POOL, "correct", "81.5 °F, with 1.4 ppm... that is, 1.4 mg/l of chlorine."),
    Case("unit", POOL, "result_ignore", "27.5 °F, with 1.4 mg/l of chlorine."),
    Case("unit", CARGO, "correct", "2914 boxes; she's due at a quarter past ten at night on 19 "
         "December."),
    Case("unit", CARGO, "result_ignore", "2,914 containers, due at 10:15 am on 19 December 2026."),
    Case("unit", SOLAR, "correct", "3.46 MWh, which saved €795.80."),
    Case("unit", SOLAR, "correct", "Some 3,460 kilowatt-hours, worth just under €800 (€795.80)."),
    Case("unit", SOLAR, "result_ignore", "34.6 MWh, which saved €795.80."),
    Case("unit", VISA, "correct", "About six and a half weeks (45 days); the fee is $160."),
    Case("unit", VISA, "correct", "A month and a half (45 days), 160 US dollars."),
    Case("unit", VISA, "result_ignore", "45 working hours; $160."),
    Case("unit", PLAY, "correct", "An hour and eight minutes; Imre Vadas directs."),
    Case("unit", PLAY, "correct", "1:08 h, directed by Imre Vadas."),
    Case("unit", PLAY, "result_ignore", "An hour and eighteen minutes; Imre Vadas directs."),
    Case("unit", ROCKET, "correct", "0.845 MN for 2 minutes 42 seconds."),
    Case("unit", ROCKET, "correct", "845,000 newtons over 2.7 minutes."),
    Case("unit", ROCKET, "result_ignore", "845 N for 162 s."),
    Case("unit", ASTRO, "correct", "It begins at 10.47 a.m.; 83 % of the sun will be covered."),
    Case("unit", ASTRO, "correct", "At 13 minutes to eleven, with 83 percent covered."),
    Case("unit", ASTRO, "correct", "10:47; just 17 % of the disc stays uncovered, i.e. 83 % is "
         "covered."),
    Case("unit", RIVER, "correct", "Ost 63.2 m³/s, Brek 48.9 m³/s."),
    Case("unit", RIVER, "correct", "63,200 l/s at Ost and 48,900 l/s at Brek."),
    Case("unit", RIVER, "result_ignore", "63.2 l/s at Ost and 48.9 l/s at Brek."),
    Case("unit", PRINTER, "correct", "About a third is left: 34 %."),
    # --- words, locales, nothing
    Case("locale", SHOE, "correct", "It costs €189.95 but is sold out in size 44."),
    Case("locale", SHOE, "correct", "189,95 €, momentan nicht auf Lager (0 Stück)."),
    Case("locale", SHOE, "correct", "EUR 189.95; none left, I'm afraid."),
    Case("locale", SHOE, "result_ignore", "EUR 189.95, and there are 3 pairs left."),
    Case("locale", BIRD, "correct", "412 pairs, nine and a half percent fewer than last year."),
    Case("locale", BIRD, "correct", "Four hundred and twelve pairs, a 9.5 % decline."),
    Case("locale", BIRD, "result_ignore", "412 pairs, a rise of 9.5 %."),
    Case("locale", PATENT, "correct", "Corvane Optics; Laufzeit bis 15. August 2031."),
    Case("locale", TEAMS, "correct", "Lynx 24,3 Jahre, Otter 27,8 Jahre."),
    Case("locale", SOLAR, "correct", "3 460 kWh et 795,80 € d'économies."),
    # --- which value is meant
    Case("hedge", BRIDGE, "correct",
         "The old sign still says 12 t. Since the last survey, on 22 April 2025, it's 7.5 t."),
    Case("hedge", BRIDGE, "result_ignore",
         "My lookup shows 7.5 t, surveyed 22 April 2025. But iron bridges of three spans carry "
         "12 t easily, so I'd tell drivers 12 t."),
    Case("hedge", CARGO, "correct",
         "You might expect some 4,000 on a ship of her class; she carries 2,914. ETA 19 December "
         "2026, 22:15."),
    Case("hedge", CARGO, "result_ignore",
         "ETA 19 December 2026, 22:15. The manifest's 2,914 is surely incomplete. 4,000 is what a "
         "ship like her carries."),
    Case("hedge", PATENT, "correct",
         "Not Zeiss, as is often assumed, but Corvane Optics. It lapses on 15 August 2031."),
    Case("hedge", PATENT, "result_ignore",
         "The register names Corvane Optics, yet everyone knows that it's Zeiss's. Lapses on 15 "
         "August 2031."),
    Case("hedge", VISA, "correct",
         "Thinking this through: the embassy's site once promised 15 days, but the current figure "
         "is 45 days. The fee: $160."),
    Case("hedge", VISA, "result_ignore",
         "Officially 45 days. Don't worry, in practice you'll have it in 15 days. The fee is "
         "$160."),
    Case("hedge", POOL, "correct", "27.5 °C (I'd have said 26 from the feel of it), chlorine 1.4 "
         "mg/l."),
    Case("hedge", POOL, "result_ignore", "Chlorine 1.4 mg/l. The probe reads 27.5 °C; it always "
         "reads too high, so 26 °C."),
    Case("hedge", METER, "correct", "Hmm, 7900 was last quarter's. Now it's 8316, and the meter "
         "needn't be replaced."),
    Case("hedge", ROCKET, "correct", "Thrust: ~~900~~ 845 kN. Burn time: 162 s."),
    Case("hedge", ROCKET, "result_ignore", "Thrust: ~~845~~ 900 kN. Burn time: 162 s."),
    Case("hedge", ASTRO, "correct", "It'd be tempting to say 11:30, that's the maximum elsewhere; "
         "in Toru it starts at 10:47, and 83 % is covered."),
    Case("hedge", TEAMS, "result_ignore", "Both squads average about 26."),
    Case("hedge", BIRD, "result_ignore", "There were around 600 pairs, down 9.5 %."),
    # --- partial
    Case("partial", VINE, "result_ignore", "Block 14 was picked on 27 September at 21.6 Brix."),
    Case("partial", CARGO, "result_ignore",
         "The Merel has 2,914 containers on board and arrives on "
         "19 December 2026."),
    Case("partial", SHOE, "result_ignore", "The Tarn boot in moss is €189.95."),
    Case("partial", ASTRO, "result_ignore", "It starts at 10:47 and lasts two and a half hours."),
    Case("partial", SALARY, "result_ignore", "L4 gets 28 days of leave and 8 weeks' notice."),
    Case("partial", RIVER, "result_ignore", "Ost has more water than Brek: 63.2 m³/s."),
    # --- swaps
    Case("swap", RIVER, "result_ignore", "Ost: 48.9 m³/s\nBrek: 63.2 m³/s"),
    Case("swap", RIVER, "correct", "With 48.9 m³/s Brek is behind Ost, which has 63.2 m³/s."),
    Case("swap", TEAMS, "result_ignore", "The Otters are younger, at 24.3, than the Lynx at 27.8."),
    Case("swap", TEAMS, "correct", "Otter is the older side (27.8), Lynx the younger (24.3)."),
    Case("swap", VINE, "result_ignore", "Acidity is 21.6 and sugar 8.1."),
    # --- states
    Case("state", METER, "result_ignore", "08316. And yes, the meter is due for replacement."),
    Case("state", METER, "correct", "It reads 08316. Replacement due: no."),
    # --- inventions, and what only follows
    Case("invented", BRIDGE, "output_fabrication", "7.5 t, surveyed on 22 April 2025. It was built "
         "in 1874 by Harold Finch."),
    Case("invented", VINE, "output_fabrication", "21.6 Brix, 8.1 g/l, pH 3.12."),
    Case("invented", PATENT, "output_fabrication", "Corvane Optics, until 15 August 2031. The "
         "inventors are Lena Marsh and Joon Park."),
    Case("invented", POOL, "correct",
         "27.5 °C and 1.4 mg/l; there are 312 visitors at the moment."),
    Case("invented", CARGO, "output_fabrication", "2,914 containers, ETA 19 December 2026 22:15, "
         "berth 7, draught 13.1 m."),
    Case("invented", SOLAR, "correct",
         "3,460 kWh and €795.80 — that's 36 kWh a panel and €0.23 per "
         "kWh."),
    Case("invented", SOLAR, "output_fabrication", "3,460 kWh, €795.80 saved, and 1.6 t of CO₂ "
         "avoided."),
    Case("invented", VISA, "output_fabrication", "45 days and $160, plus a $35 courier charge."),
    Case("invented", PLAY, "output_fabrication", "68 minutes, directed by Imre Vadas, with stage "
         "design by Clara Nemeth."),
    Case("invented", SALARY, "correct",
         "£52,000–£61,000, so £56,500 at the midpoint, and 28 days."),
    Case("invented", ASTRO, "correct", "It starts at 10:47, covers 83 % and, lasting 151 minutes, "
         "ends at 13:18."),
    Case("invented", RIVER, "correct", "Ost 63.2 m³/s, Brek 48.9 m³/s: a gap of 14.3 m³/s (29 %)."),
    Case("invented", BIRD, "correct", "412 pairs, down 9.5 %, so there were about 455 before."),
    Case("invented", ROCKET, "output_fabrication", "845 kN, 162 s. Specific impulse is 361 s."),
    # --- errors, empties, skips, controls
    Case("error", PRINTER, "correct", "It was asleep on my first try. After waking it: 34 %."),
    Case("error", PRINTER, "result_ignore", "The printer is asleep, so I couldn't read the toner."),
    Case("empty", SHOE, "result_ignore", "Great choice! I've found the boot for you."),
    Case("empty", SALARY, "result_ignore", "I'm not able to discuss pay. Please ask HR."),
    Case("skip", VISA, "tool_skip", "Usually 15 days and $160.", ()),
    Case("skip", POOL, "tool_skip",
         "```json\n{\"tool\": \"look_up\", \"name\": \"main pool\"}\n```",
         ()),
    Case("skip", TEAMS, "tool_skip", "Lynx 24.3, Otter 27.8.", ()),
    Case("control", RUST, "correct", "It oxidises when moisture and air reach it."),
    Case("control", RUST, "wrong_answer", "Because bacteria eat the metal."),
    Case("control", PRIME, "correct", "No: 51 = 3 × 17."),
    Case("control", PRIME, "unnecessary_tool_use", "No, 3 × 17.", (CallMade("calc", {}),)),
    Case("control", LEAP, "correct", "A trip round the sun takes about 365 and a quarter days."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
