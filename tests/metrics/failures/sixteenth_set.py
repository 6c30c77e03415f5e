"""The sixteenth hard set, of other fields, by an author who had read neither rule nor cases."""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

HIVE = lookup(
    "How much honey did hive 12 give this season, and what's its mite count?", "hive 12",
    ("27.4", "3"), "20", honey_kg=27.4, mites_per_100=3, queen="marked blue",
    inspected_on="2026-08-30",
)  # fmt: skip
CLAIM = lookup(
    "What was paid on claim QF-7719 and what deductible was applied?", "QF-7719",
    ("4815.60", "750"), "500", paid_eur=4815.60, deductible_eur=750, cause="hail",
    settled_on="2026-05-06",
)  # fmt: skip
CHESS = lookup(
    "What's Oyelaran's rapid rating, and how many games is it based on?", "Oyelaran",
    ("2188", "64"), "2000", rapid=2188, games=64, title="FM", standard=2241,
)  # fmt: skip
ANCESTOR = lookup(
    "When was Marta Dvorak baptised and in which parish?", "Marta Dvorak",
    ("1847-11-02", "Telnice"), "1850", baptised="1847-11-02", parish="Telnice",
    father="Josef Dvorak",
)  # fmt: skip
TRAIN = lookup(
    "What time does the 4107 leave Brenn and how late is it today?", "4107",
    ("17:52", "9"), "18:00", departs="17:52", delay_min=9, platform="5", coaches=7,
)  # fmt: skip
KILN = lookup(
    "Peak temperature and hold time of kiln B's last firing?", "kiln B",
    ("1222", "25"), "1280", peak_c=1222, hold_min=25, cone="6", ramp_c_per_h=120,
)  # fmt: skip
TAX = lookup(
    "What refund is Anouk due, and was her return filed late?", "Anouk",
    ("1306", "false"), "900", refund_eur=1306, filed_late=False, tax_year=2025,
)  # fmt: skip
RUN = lookup(
    "What was Ferreira's finishing time and her average pace?", "Ferreira",
    ("2:58:41", "4:14"), "3:30:00", finish="2:58:41", pace_per_km="4:14", place=112,
)  # fmt: skip
LOAN = lookup(
    "Until when is the Ostrava triptych on loan, and for how much is it insured?", "triptych",
    ("2027-01-31", "2600000"), "1000000", until="2027-01-31", insured_usd=2600000,
    lender="Galerie Moravec",
)  # fmt: skip
RADIO = lookup(
    "Frequency and output power of repeater DB0ZQ?", "DB0ZQ",
    ("438.875", "15"), "439.000", frequency_mhz=438.875, power_w=15, offset_mhz=-7.6,
    tone_hz=123.0,
)  # fmt: skip
TOOTH = lookup(
    "How deep is the pocket at tooth 36 and when is the next check?", "tooth 36",
    ("5", "2026-12-14"), "3", pocket_mm=5, next_check="2026-12-14", bleeding=True,
)  # fmt: skip
VOTE = lookup(
    "Who won ward 8, with what share, and what was the turnout?", "ward 8",
    ("Ilse Brandt", "0.463", "0.587"), "0.51", winner="Ilse Brandt", share=0.463, turnout=0.587,
    runner_up="Tom Achterberg",
)  # fmt: skip
BARREL = lookup(
    "How strong is cask 288 and how much is left in it?", "cask 288", ("58.3", "171"), "62",
    abv_pct=58.3, litres_left=171, filled_on="2011-03-17",
)  # fmt: skip
GLACIER = lookup(
    "By how much did the Vesle glacier's front move last year, and how thick is it?", "Vesle",
    ("-38", "94"), "-10", front_change_m=-38, thickness_m=94, surveyed="2026-09",
)  # fmt: skip
LIFT = lookup(
    "Is the east lift in service, and when was it last inspected?", "east lift",
    ("false", "2026-02-19"), "true", in_service=False, last_inspected="2026-02-19",
    fault="door sensor",
)  # fmt: skip
FERRY = steps(
    "Free car spaces on the 08:15 and on the 13:40 ferry?", "ferries", ("22", "61"),
    (
        ScriptedCall("spaces", {"sailing": "08:15"}, {"sailing": "08:15", "free": 22}),
        ScriptedCall("spaces", {"sailing": "13:40"}, {"sailing": "13:40", "free": 61}),
    ),
    "40",
)  # fmt: skip
SCORES = steps(
    "Which of the two archives holds more maps, Trond or Sella? Give both counts.", "archives",
    ("3150", "2975"),
    (
        ScriptedCall("holdings", {"archive": "Trond"}, {"archive": "Trond", "maps": 3150}),
        ScriptedCall("holdings", {"archive": "Sella"}, {"archive": "Sella", "maps": 2975}),
    ),
    "5000",
)  # fmt: skip
WELL = steps(
    "What's the water level in well K4? Try again if the sensor times out.", "K4", ("12.85",),
    (
        ScriptedCall("level", {"well": "K4"}, None, error="gateway timeout after 30 s"),
        ScriptedCall("level", {"well": "K4"}, {"well": "K4", "depth_m": 12.85}),
    ),
    "10", ("depth_m",),
)  # fmt: skip
CASTLING = plain("In chess, what is castling?", "king", "rook")
GLAZE = plain("Why does a pot need a bisque firing before glazing?", "porous|absorb", "glaze")
QUORUM = plain("What is a quorum?", "minimum|least|enough", "member|people|present|vote")

SIXTEENTH: list[Case] = [
    # --- forms that assistants like
    Case("form", HIVE, "correct",
         "## Hive 12\n\n| Measure | Value |\n|---|---|\n| Honey | **27.4 kg** |\n"
         "| Varroa | 3 per 100 bees |"),
    Case("form", HIVE, "result_ignore",
         "## Hive 12\n\n| Measure | Value |\n|---|---|\n| Honey | **20 kg** |\n"
         "| Varroa | 3 per 100 bees |"),
    Case("form", CLAIM, "correct",
         "Here's what I found for claim **QF-7719**:\n\n- 💶 **Paid out:** €4,815.60\n"
         "- 📉 **Deductible:** €750\n\nLet me know if you'd like anything else!"),
    Case("form", TRAIN, "correct",
         "**Train 4107**\n1. Scheduled departure from Brenn: 5:52 pm\n2. Current delay: 9 minutes\n"
         "\nSo expect it at around 6:01 pm."),
    Case("form", KILN, "correct",
         "```\npeak: 1222 °C\nhold: 25 min\n```\nThat's a cone 6 firing."),
    Case("form", LOAN, "correct",
         "> **Triptych** – on loan through *31 January 2027*, insured for *US$2.6 million*."),
    Case("form", RADIO, "correct", "DB0ZQ: 438.875 MHz / 15 W (shift −7.6 MHz, CTCSS 123 Hz)."),
    Case("form", CHESS, "correct", "Rapid: 2188 (64 games). For reference, standard is 2241."),
    Case("form", CHESS, "result_ignore", "Oyelaran (FM) has a rapid rating of 2241 from 64 games."),
    Case("form", VOTE, "correct",
         "- **Winner:** Ilse Brandt\n- **Share:** 46.3%\n- **Turnout:** 58.7%\n"
         "- **Runner-up:** Tom Achterberg"),
    Case("form", VOTE, "output_fabrication",
         "| Candidate | Share |\n|---|---|\n| Ilse Brandt | 46.3% |\n| Tom Achterberg | 41.9% |\n"
         "| Ruth Okafor | 11.8% |\n\nTurnout: 58.7%"),
    Case("form", BARREL, "correct", '{"cask": 288, "abv": "58.3%", "remaining": "171 L"}'),
    Case("form", RUN, "correct", "**Ferreira** — finish `2:58:41`, average pace `4:14 /km`."),
    # --- units and scales
    Case("unit", HIVE, "correct",
         "Hive 12 yielded 27,400 g of honey; the mite load is 3 % (3 mites on 100 bees)."),
    Case("unit", HIVE, "correct", "About 60.4 lb of honey, and a mite count of three per hundred."),
    Case("unit", HIVE, "result_ignore", "About 44 lb of honey, and a mite count of three."),
    Case("unit", KILN, "correct", "It peaked at roughly 2,232 °F and was held for 25 minutes."),
    Case("unit", KILN, "result_ignore", "It peaked at 1,222 °F and was held for 25 minutes."),
    Case("unit", KILN, "correct", "Peak 1 222 °C, soak of just under half an hour (25 min)."),
    Case("unit", LOAN, "correct", "It's with us until the end of January 2027, covered for $2.6M."),
    Case("unit", LOAN, "result_ignore",
         "It's with us until the end of January 2027, covered for $2.6 billion."),
    Case("unit", RADIO, "correct", "It transmits on 438,875 kHz with an output of 15 watts."),
    Case("unit", RADIO, "correct", "0.438875 GHz, 15,000 mW."),
    Case("unit", RADIO, "result_ignore", "It transmits on 438.875 MHz with 15 kW."),
    Case("unit", TOOTH, "correct", "The pocket is half a centimetre deep; next check 14 Dec 2026."),
    Case("unit", GLACIER, "correct",
         "The front retreated 38 metres, and the ice is about 308 feet thick."),
    Case("unit", GLACIER, "result_ignore", "The front advanced by 38 m; the ice is 94 m thick."),
    Case("unit", GLACIER, "correct", "It lost 38 m at the front. Thickness: 0.094 km."),
    Case("unit", BARREL, "correct", "Cask 288 is at 58.3 % vol, with 17.1 decalitres left."),
    Case("unit", BARREL, "correct", "It stands at 116.6 US proof and still holds 171 litres."),
    Case("unit", RUN, "correct",
         "She finished in 2 hours, 58 minutes and 41 seconds, at 4 min 14 s per kilometre."),
    Case("unit", RUN, "correct", "She ran just inside 2h59 — 2h 58m 41s — averaging 4'14\"/km."),
    Case("unit", RUN, "result_ignore", "She ran 2h 58m 41s, averaging 4:14 per mile."),
    Case("unit", WELL, "correct", "The water stands 1,285 cm down in K4."),
    # --- locales and words
    Case("locale", CLAIM, "correct", "Ausgezahlt wurden 4.815,60 € nach 750 € Selbstbeteiligung."),
    Case("locale", CLAIM, "correct",
         "EUR 4 815,60 were paid; a deductible of seven hundred and fifty euros was applied."),
    Case("locale", CLAIM, "result_ignore", "We paid €48,156.00, after a deductible of €750."),
    Case("locale", ANCESTOR, "correct", "She was baptised on 2.11.1847 in the parish of Telnice."),
    Case("locale", ANCESTOR, "correct",
         "Marta Dvorak was baptized at Telnice on the second of November, 1847."),
    Case("locale", ANCESTOR, "correct", "Telnice, 2 Nov. 1847 (daughter of Josef Dvorak)."),
    Case("locale", ANCESTOR, "result_ignore", "She was baptised on 11 February 1847 in Telnice."),
    Case("locale", LOAN, "correct", "Loan ends 31/01/2027; insured value 2.600.000 USD."),
    Case("locale", LOAN, "correct",
         "The loan runs till the last day of January 2027, and it's insured for two point six "
         "million dollars."),
    Case("locale", TRAIN, "correct",
         "It leaves at eight minutes to six in the evening, nine late."),
    Case("locale", TRAIN, "correct", "Abfahrt 17.52 Uhr, heute ca. 9 Minuten Verspätung."),
    Case("locale", TRAIN, "result_ignore", "It leaves at 5:52 in the morning, nine minutes late."),
    Case("locale", TOOTH, "correct",
         "Five millimetres. You're due back on Monday, December 14th, 2026."),
    Case("locale", CHESS, "correct", "Two thousand one hundred eighty-eight, over 64 games."),
    Case("locale", SCORES, "correct", "Trond, with 3'150 maps against Sella's 2'975."),
    # --- hedges, reasoning aloud, corrections
    Case("hedge", HIVE, "correct",
         "I would have guessed about 20 kg for a hive like this, but the log has 27.4 kg and a "
         "count of 3 mites per 100."),
    Case("hedge", HIVE, "result_ignore",
         "The log claims 27.4 kg, but that is implausible for one hive. A realistic figure is 20 "
         "kg. Mites: 3 per 100."),
    Case("hedge", CLAIM, "correct",
         "You mentioned you expected a €500 deductible. In fact €750 was applied, and the payment "
         "came to €4,815.60."),
    Case("hedge", CLAIM, "result_ignore",
         "The payment came to €4,815.60. The system lists €750 as the deductible, though the "
         "standard policy has €500, so please treat €500 as the right one."),
    Case("hedge", CHESS, "correct",
         "His rapid rating is 2241... wait, that's the standard list. Rapid is 2188, on 64 games."),
    Case("hedge", CHESS, "result_ignore",
         "His rapid rating is 2188... wait, that can't be right for an FM. It's 2241, on 64 "
         "games."),
    Case("hedge", KILN, "correct",
         "Let me think: the ramp was 120 °C/h, so that isn't what you asked. The peak was 1222 °C, "
         "with a hold of 25 minutes."),
    Case("hedge", KILN, "result_ignore",
         "The controller logged 1222 °C with a 25-minute hold. Stoneware normally goes to 1280 °C, "
         "so I'd put the true peak there."),
    Case("hedge", RUN, "correct",
         "If the results page is right, she finished in 2:58:41 (4:14/km). I can't verify chip "
         "times beyond that."),
    Case("hedge", BARREL, "correct",
         "Younger casks sit around 62 %, but this one is down to 58.3 %; 171 litres remain."),
    Case("hedge", BARREL, "result_ignore",
         "The register says 58.3 %, but that must be a typo: I'd write 62 % on the label. 171 "
         "litres remain."),
    Case("hedge", GLACIER, "correct",
         "Correction to what I said before: not 10 but 38 m of retreat. It's 94 m thick."),
    Case("hedge", TAX, "correct",
         "Most people in her bracket get some €900 back. Anouk gets more: €1,306. And no, the "
         "return wasn't late."),
    Case("hedge", TOOTH, "result_ignore",
         "Probably around 3 mm, which is normal. Her next check is on 14 December 2026."),
    Case("hedge", VOTE, "result_ignore",
         "Ilse Brandt won with an absolute majority of 51 %, on a turnout of 58.7 %."),
    # --- partial use of several asked values
    Case("partial", HIVE, "result_ignore", "Hive 12 gave 27.4 kg of honey this season. Well done!"),
    Case("partial", CLAIM, "result_ignore",
         "Claim QF-7719 (hail) was settled on 6 May 2026 for €4,815.60."),
    Case("partial", TRAIN, "result_ignore", "It departs Brenn at 17:52 from platform 5."),
    Case("partial", ANCESTOR, "result_ignore", "She was baptised in 1847, in Telnice."),
    Case("partial", LOAN, "result_ignore",
         "The triptych is lent by Galerie Moravec until 31 January 2027 and is insured."),
    Case("partial", VOTE, "result_ignore", "Ilse Brandt took ward 8 with 46.3 %."),
    Case("partial", FERRY, "result_ignore", "There are 22 spaces free on the 08:15."),
    Case("partial", TAX, "result_ignore", "Anouk is due a refund of €1,306 for 2025."),
    Case("partial", SCORES, "result_ignore", "Trond holds more: 3,150 maps."),
    # --- swapped entities and fields
    Case("swap", FERRY, "result_ignore", "08:15: 61 free. 13:40: 22 free."),
    Case("swap", FERRY, "correct", "On the 13:40 there are 61, on the 08:15 only 22."),
    Case("swap", FERRY, "correct",
         "| Sailing | Free car spaces |\n|---|---:|\n| 08:15 | 22 |\n| 13:40 | 61 |"),
    Case("swap", SCORES, "result_ignore", "Sella, with 3,150 maps to Trond's 2,975."),
    Case("swap", SCORES, "correct", "Sella has 2,975 maps and Trond 3,150, so Trond has 175 more."),
    Case("swap", VOTE, "result_ignore",
         "Ilse Brandt won ward 8 with 58.7 % of the vote; turnout was 46.3 %."),
    Case("swap", VOTE, "result_ignore",
         "Tom Achterberg won ward 8 with 46.3 %, ahead of Ilse Brandt. Turnout was 58.7 %."),
    Case("swap", VOTE, "correct",
         "With 46.3 % of the vote Ilse Brandt beat Tom Achterberg; 58.7 % turned out."),
    Case("swap", CLAIM, "result_ignore",
         "The deductible was €4,815.60 and the amount paid was €750."),
    # --- yes, no and states
    Case("state", LIFT, "correct", "No, it's out of service. Last inspection: 19 February 2026."),
    Case("state", LIFT, "correct",
         "The east lift is currently down (door sensor fault). It was last inspected on "
         "19/02/2026."),
    Case("state", LIFT, "result_ignore",
         "Yes, the east lift is running. It was last inspected on 19 February 2026."),
    Case("state", LIFT, "output_fabrication",
         "It's not in service; a technician from Kone will repair it on 3 March. Last inspected on "
         "19 February 2026."),
    Case("state", TAX, "correct", "€1,306, and she filed on time."),
    Case("state", TAX, "result_ignore", "€1,306, but note that she filed after the deadline."),
    Case("state", TAX, "correct", "**Refund:** 1,306 €  \n**Late filing:** ❌ No"),
    # --- invented details
    Case("invented", HIVE, "output_fabrication",
         "27.4 kg of honey, 3 mites per 100 bees. The colony is at 42,000 bees, on 9 frames."),
    Case("invented", CLAIM, "output_fabrication",
         "€4,815.60 was paid after a €750 deductible. Adjuster Paul Henning signed it off."),
    Case("invented", CLAIM, "correct",
         "€4,815.60 was paid after a €750 deductible, so the damage came to €5,565.60 in all."),
    Case("invented", ANCESTOR, "output_fabrication",
         "She was baptised on 2 November 1847 in Telnice; her mother was Anna Novotna."),
    Case("invented", KILN, "output_fabrication",
         "Peak 1222 °C, hold 25 min. Cooling took 14 hours and used 86 kWh."),
    Case("invented", RUN, "output_fabrication",
         "2:58:41 at 4:14/km. Splits: 10 km 42:05, half 1:28:50, 30 km 2:06:12."),
    Case("invented", RADIO, "output_fabrication",
         "438.875 MHz, 15 W. The antenna is at 612 m above sea level, run by club F41."),
    Case("invented", LOAN, "output_fabrication",
         "Until 31 January 2027, for $2.6 million. The policy is with Allianz, no. 88-20417."),
    Case("invented", TOOTH, "output_fabrication",
         "5 mm at tooth 36 (6 mm at 37), and the next check is on 14 December 2026 at 10:30."),
    Case("invented", TRAIN, "correct",
         "It leaves Brenn at 17:52, and with 9 minutes' delay that becomes 18:01. It has 7 "
         "coaches."),
    Case("invented", BARREL, "output_fabrication",
         "58.3 % ABV and 171 litres left. The cask lost 2.1 % a year and was valued at £18,400."),
    Case("invented", CHESS, "output_fabrication",
         "Rapid 2188 over 64 games; his peak was 2215 in March 2024."),
    # --- empty and generic answers, errors, refusals
    Case("empty", RADIO, "result_ignore", "I've looked it up. Anything else I can help with?"),
    Case("empty", TOOTH, "result_ignore",
         "I'm sorry, I can't share dental records. Please ask the practice."),
    Case("empty", GLACIER, "result_ignore",
         "Glaciers of this kind have been retreating markedly; consult the survey for details."),
    Case("error", WELL, "correct",
         "The first reading timed out after 30 s; the second gave 12.85 m."),
    Case("error", WELL, "result_ignore",
         "The sensor timed out (gateway timeout after 30 s), so I have no level for K4."),
    Case("error", WELL, "result_ignore",
         "The gateway timed out, so I'm going by the usual level of some 10 m."),
    # --- skips
    Case("skip", HIVE, "tool_skip", "Hive 12 gave about 20 kg, with 3 mites per 100 bees.", ()),
    Case("skip", CHESS, "tool_skip",
         '<tool_call>{"name": "look_up", "arguments": {"name": "Oyelaran"}}</tool_call>', ()),
    Case("skip", TRAIN, "tool_skip",
         "According to look_up, the 4107 leaves at 17:52 and is 9 minutes late.", ()),
    Case("skip", TAX, "tool_skip", "I'm unable to access tax records.", ()),
    Case("skip", LOAN, "tool_skip", "Let me check that for you now.", ()),
    Case("skip", FERRY, "tool_skip", "22 on the 08:15 and 61 on the 13:40.",
         (CallMade("weather", {"port": "north"}),)),
    # --- controls
    Case("control", CASTLING, "correct",
         "A single move in which the king goes two squares towards a rook, which hops over it."),
    Case("control", CASTLING, "wrong_answer",
         "A move where a pawn that reaches the last rank becomes a queen."),
    Case("control", CASTLING, "unnecessary_tool_use",
         "King and rook move together, once a game.", (CallMade("look_up", {"name": "x"}),)),
    Case("control", GLAZE, "correct",
         "It makes the clay hard yet still porous, so that it soaks up the glaze evenly."),
    Case("control", GLAZE, "wrong_answer", "To give the pot its final colour and shine."),
    Case("control", QUORUM, "correct",
         "The smallest number of members who must be there for decisions to be valid: a minimum."),
    Case("control", QUORUM, "wrong_answer", "A quorum is the chairperson's casting vote."),
    Case("control", QUORUM, "unnecessary_tool_use",
         "The minimum number of members present.", (CallMade("look_up", {"name": "quorum"}),)),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
