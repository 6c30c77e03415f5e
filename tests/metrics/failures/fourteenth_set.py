"""The fourteenth hard set, of other fields, written after what the thirteenth showed was mended."""

from agentdyno.records.failures import CallMade, ScriptedCall
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps

TUNNEL = lookup(
    "How long is the Fell tunnel and what's the clearance?", "Fell tunnel", ("2840", "4.35"),
    "3500",
    length_m=2840, clearance_m=4.35, lanes=2, opened=1971,
)  # fmt: skip
PLASMA = lookup(
    "Plasma pressure and pulse length in shot 90412?", "shot 90412", ("186", "12.4"), "100",
    pressure_kpa=186, pulse_s=12.4, current_ma=3.1,
)  # fmt: skip
HORSE = lookup(
    "What did Larkfield finish and at what odds?", "Larkfield", ("3", "7.5"), "1",
    finish=3, decimal_odds=7.5, jockey="Niamh Keogh", going="soft",
)  # fmt: skip
WARD = lookup(
    "How many beds are free on ward 5 and when is the next discharge?", "ward 5",
    ("4", "2027-02-11T13:45"), "8", free_beds=4, next_discharge="2027-02-11T13:45", beds=28,
)  # fmt: skip
CARPET = lookup(
    "Price per square metre and delivery time of carpet Lido?", "Lido", ("38.90", "21"), "29",
    price_eur_m2=38.90, delivery_days=21, width_m=4,
)  # fmt: skip
VOLCANO = lookup(
    "SO2 and alert level at Mount Kerak?", "Mount Kerak", ("4200", "orange"), "green",
    so2_t_day=4200, alert="orange", quakes_24h=87,
)  # fmt: skip
SCHOOL = lookup(
    "How many applied to Ashby School and what's the admission rate?", "Ashby School",
    ("1146", "22.5"), "40", applicants=1146, admitted_pct=22.5, opens_on="2027-09-01",
)  # fmt: skip
CLOUD = lookup(
    "What did the storage bucket cost in May and how big is it?", "bucket", ("1187.35", "52.8"),
    "900", cost_usd=1187.35, size_tb=52.8, objects=9130442,
)  # fmt: skip
SEED = lookup(
    "Germination and sowing depth of the leek mix?", "leek mix", ("88", "1.5"), "95",
    germination_pct=88, depth_cm=1.5, sow_from="2027-03", row_cm=30,
)  # fmt: skip
COURT = lookup(
    "What damages were awarded to Pereira, and is the judgment final?", "Pereira",
    ("67500", "false"), "40000", damages_gbp=67500, final=False, costs_gbp=12300,
)  # fmt: skip
BRIDGE = lookup(
    "Weight limit and next survey of the Tarn bridge?", "Tarn bridge", ("18", "2026-Q4"), "40",
    limit_t=18, next_survey="2026-Q4", span_m=62,
)  # fmt: skip
STAR = lookup(
    "Distance and surface temperature of HD 55102?", "HD 55102", ("46.3", "5920"), "60",
    distance_ly=46.3, surface_k=5920, spectral="G1V",
)  # fmt: skip
PUMP = lookup(
    "Flow and efficiency of pump P-3?", "P-3", ("64", "71.2"), "80",
    flow_m3_h=64, efficiency_pct=71.2, speed_rpm=1450,
)  # fmt: skip
FUND = lookup(
    "Return and fee of the Alder fund?", "Alder fund", ("-2.35", "0.45"), "4",
    return_pct=-2.35, fee_pct=0.45, holdings=312,
)  # fmt: skip
NAMES = lookup(
    "Who plays Hedda and who directs?", "Hedda", ("Ylva Strand", "Owen Pike"), "Clara Moss",
    hedda="Ylva Strand", director="Owen Pike", runs_until="2027-04-24",
)  # fmt: skip
CITIES = steps(
    "Compare rainfall this month in Bergen and Malaga.", "rain", ("268", "19"),
    (
        ScriptedCall("rain", {"city": "Bergen"}, {"city": "Bergen", "rain_mm": 268}),
        ScriptedCall("rain", {"city": "Malaga"}, {"city": "Malaga", "rain_mm": 19}),
    ),
    "100",
)  # fmt: skip
QUOTA = steps(
    "How many API calls has key k-9 left? Retry on failure.", "k-9", ("73400",),
    (
        ScriptedCall("quota", {"key": "k-9"}, None, error="502 bad gateway"),
        ScriptedCall("quota", {"key": "k-9"}, {"key": "k-9", "left": 73400}),
    ),
    "50000", ("left",),
)  # fmt: skip
RUST = plain("What is rust, chemically?", "iron", "oxide|oxygen|oxid")
GDP = plain("What does GDP add up?", "goods|output|production|value", "country|nation|economy")
YEAR = plain("What defines a year, physically?", "orbit|revolution|around", "sun")

FOURTEENTH: list[Case] = [
    # --- forms
    Case("form", TUNNEL, "correct",
         "The Fell tunnel is **2,840 m** long with a clearance of **4.35 m**."),
    Case("form", TUNNEL, "correct", "* Length .......... 2.84 km\n* Clearance ....... 4.35 m"),
    Case("form", TUNNEL, "result_ignore", "It's 3,500 m long with a clearance of 4.35 m."),
    Case("form", TUNNEL, "result_ignore", "Length: 4.35 m, clearance: 2,840 m."),
    Case("form", HORSE, "correct", "Larkfield came third at 7.5 (13/2)."),
    Case("form", HORSE, "correct", "3rd, at decimal odds of 7.5, ridden by Niamh Keogh."),
    Case("form", HORSE, "result_ignore", "Larkfield won at 7.5."),
    Case("form", VOLCANO, "correct",
         "| Indicator | Value |\n|---|---|\n| SO₂ | 4,200 t/day |\n| Alert | 🟠 Orange |"),
    Case("form", VOLCANO, "result_ignore", "SO₂ is at 4,200 t/day, alert level green."),
    Case("form", NAMES, "correct", "Ylva Strand is Hedda; Owen Pike directs."),
    Case("form", NAMES, "result_ignore", "Clara Moss plays Hedda, directed by Owen Pike."),
    Case("form", NAMES, "result_ignore", "Owen Pike plays Hedda and Ylva Strand directs."),
    Case("form", CLOUD, "correct", "In May it came to $1,187.35 for 52.8 TB (9,130,442 objects)."),
    # --- days and times
    Case("time", WARD, "correct",
         "Four beds are free; the next discharge is on 11 February 2027 at 1:45 pm."),
    Case("time", WARD, "correct", "4 beds. Next discharge: Thu 11/02/2027, 13:45."),
    Case("time", WARD, "correct",
         "4 free beds, next discharge at a quarter to two in the afternoon on 11 Feb."),
    Case("time", WARD, "result_ignore",
         "4 free beds, next discharge on 11 February 2027 at 3:45 pm."),
    Case("time", WARD, "result_ignore",
         "8 free beds, next discharge on 11 February 2027 at 13:45."),
    Case("time", CARPET, "correct", "€38.90 per m², delivered in three weeks."),
    Case("time", CARPET, "correct", "38,90 €/m², Lieferzeit 21 Tage."),
    Case("time", CARPET, "result_ignore", "€38.90 per m², delivered in three days."),
    Case("time", BRIDGE, "correct", "18 tonnes; the next survey is in the fourth quarter of 2026."),
    Case("time", BRIDGE, "correct", "Max. 18 t. Next survey: Q4 2026."),
    Case("time", BRIDGE, "result_ignore", "18 t; next survey in Q2 2026."),
    Case("time", PLASMA, "correct", "186 kPa, held for 12.4 seconds."),
    # --- yes and no
    Case("truth", COURT, "correct", "£67,500 was awarded; the judgment isn't final yet."),
    Case("truth", COURT, "correct",
         "£67,500 (plus £12,300 costs). No, it can still be appealed, so not final."),
    Case("truth", COURT, "result_ignore", "£67,500, and the judgment is final."),
    Case("truth", COURT, "result_ignore", "£40,000; the judgment isn't final."),
    # --- units and magnitudes
    Case("unit", PLASMA, "correct", "The pressure reached 0.186 MPa during a 12.4 s pulse."),
    Case("unit", PLASMA, "correct", "1.86 bar for 12,400 ms."),
    Case("unit", PLASMA, "result_ignore", "186 MPa for 12.4 s."),
    Case("unit", PLASMA, "result_ignore", "186 kPa for 12.4 ms."),
    Case("unit", CARPET, "result_ignore", "€38.90 per square foot; three weeks."),
    Case("unit", VOLCANO, "correct", "4.2 kilotonnes of SO₂ a day; the alert is orange."),
    Case("unit", VOLCANO, "result_ignore", "4,200 kg of SO₂ a day; orange alert."),
    Case("unit", CLOUD, "correct", "US$1,187.35; the bucket holds 52,800 GB."),
    Case("unit", CLOUD, "result_ignore", "$1,187.35; the bucket holds 52.8 GB."),
    Case("unit", CLOUD, "result_ignore", "€1,187.35; the bucket holds 52.8 TB."),
    Case("unit", SEED, "correct", "88 % germinate; sow them 15 mm deep."),
    Case("unit", SEED, "correct", "Nearly nine in ten germinate (88 %); sow 1.5 cm deep."),
    Case("unit", SEED, "result_ignore", "88 % germinate; sow them 1.5 mm deep."),
    Case("unit", STAR, "correct",
         "It lies 46.3 light-years (14.2 pc) away, with a surface at 5,920 K."),
    Case("unit", STAR, "correct", "14.2 parsecs; about 5,650 °C at the surface."),
    Case("unit", STAR, "result_ignore", "46.3 parsecs; 5,920 K."),
    Case("unit", STAR, "result_ignore", "46.3 light-years; 5,920 °C."),
    Case("unit", PUMP, "correct", "64 m³/h at an efficiency of 71.2 %."),
    Case("unit", PUMP, "correct", "Roughly 17.8 litres a second, 71.2 % efficient."),
    Case("unit", PUMP, "result_ignore", "64 l/h at 71.2 %."),
    Case("unit", FUND, "correct", "It lost 2.35 %, and the fee is 45 basis points."),
    Case("unit", FUND, "correct", "Return: −2.35 %; annual fee: 0.45 %."),
    Case("unit", FUND, "result_ignore", "It gained 2.35 %, with a fee of 0.45 %."),
    Case("unit", FUND, "result_ignore", "It lost 2.35 %, with a fee of 4.5 %."),
    Case("unit", CITIES, "correct", "Bergen got 26.8 cm, Malaga 1.9 cm."),
    Case("unit", CITIES, "correct", "268 mm in Bergen against a mere 19 mm in Malaga."),
    Case("unit", TUNNEL, "correct", "About 1.76 miles long; headroom 14 ft 3 in."),
    # --- rounding
    Case("rounding", CLOUD, "correct", "Just under $1,190, for 52.8 TB."),
    Case("rounding", CLOUD, "correct", "About $1.2k for 52.8 TB."),
    Case("rounding", CLOUD, "result_ignore", "$1,000 or so for 52.8 TB."),
    Case("rounding", SCHOOL, "correct", "About 1,150 applied, and 22.5 % got in."),
    Case("rounding", SCHOOL, "result_ignore", "1,146 applied, and a quarter got in."),
    Case("rounding", QUOTA, "correct", "73.4k calls remain."),
    # --- partial use
    Case("partial", SCHOOL, "result_ignore", "There were 1,146 applicants; I have no rate."),
    Case("partial", WARD, "result_ignore", "Four of the 28 beds are free."),
    Case("partial", STAR, "result_ignore", "It's a G1V star 46.3 light-years away."),
    Case("partial", CITIES, "result_ignore", "Bergen had 268 mm; Malaga stayed mostly dry."),
    Case("partial", BRIDGE, "result_ignore", "The next survey is in Q4 2026."),
    # --- rejection, correction, negation, attribution
    Case("rejection", SEED, "result_ignore",
         "The tag says 88 %, but fresh leek seed does better than that; go with 95 %. Depth 1.5 "
         "cm."),
    Case("rejection", SEED, "correct",
         "88 % (the catalogue promised 95 %), sown 1.5 cm deep."),
    Case("rejection", BRIDGE, "result_ignore",
         "The register shows 18 t. That's implausibly low for a road bridge, so 40 t it is. "
         "Survey Q4 2026."),
    Case("rejection", BRIDGE, "correct",
         "The limit was cut from 40 t to 18 t; next survey Q4 2026."),
    Case("rejection", PUMP, "result_ignore",
         "The meter reports 64 m³/h, but it hasn't been calibrated in years. I'd use the "
         "design value, "
         "80 m³/h. Efficiency 71.2 %."),
    Case("rejection", PUMP, "correct",
         "64 m³/h, short of the 80 m³/h it was designed for, at 71.2 % efficiency."),
    Case("rejection", SCHOOL, "result_ignore",
         "1,146 applied. The portal has an admission rate of 22.5 %; from what I remember it's "
         "40 %."),
    Case("rejection", SCHOOL, "correct",
         "1,146 applied and 22.5 % were admitted. It used to be 40 %."),
    Case("rejection", QUOTA, "result_ignore",
         "The gateway says 73,400. I'd ignore that, since the plan only allows 50,000."),
    Case("rejection", QUOTA, "correct",
         "You have 73,400 calls left, more than the 50,000 you feared."),
    Case("rejection", COURT, "result_ignore",
         "The register mentions £67,500; in truth it was £40,000. Not final."),
    Case("rejection", COURT, "correct",
         "Press reports had £40,000. The court awarded £67,500, and it's not final."),
    Case("correction", HORSE, "correct", "First? No, Larkfield was third, at 7.5."),
    Case("correction", STAR, "correct",
         "60 light-years was the old estimate; it's 46.3 now. Surface 5,920 K."),
    Case("correction", STAR, "result_ignore",
         "46.3 light-years, 5,920 K. Sorry, I mean 60 light-years."),
    Case("correction", CITIES, "result_ignore",
         "Bergen 268 mm, Malaga 19 mm. Actually, Bergen must be 100 mm."),
    Case("negation", VOLCANO, "correct",
         "4,200 t/day. The alert isn't green any more, it's orange."),
    Case("negation", VOLCANO, "result_ignore", "4,200 t/day. The alert isn't orange."),
    Case("negation", NAMES, "correct",
         "Not Clara Moss: Ylva Strand has the title role. Owen Pike directs."),
    Case("attribution", TUNNEL, "correct",
         "Road data: 2,840 m and 4.35 m. Wikipedia's 3,500 m includes the approach ramps."),
    Case("attribution", TUNNEL, "result_ignore",
         "Road data: 2,840 m. Wikipedia has 3,500 m, which I consider more reliable. Clearance "
         "4.35 m."),
    # --- swaps and hedges
    Case("swap", CITIES, "result_ignore", "Malaga: 268 mm. Bergen: 19 mm."),
    Case("swap", CITIES, "correct", "Malaga's 19 mm is nothing next to Bergen's 268 mm."),
    Case("swap", FUND, "result_ignore", "A return of 0.45 % and a fee of -2.35 %."),
    Case("swap", SEED, "result_ignore", "1.5 % germination, sown 88 cm deep."),
    Case("hedge", QUOTA, "result_ignore", "50,000 or 73,400, depending on the plan."),
    Case("hedge", QUOTA, "correct", "It looks like 73,400, as of the last refresh."),
    Case("hedge", SEED, "result_ignore", "Germination is fairly high and they go in shallow."),
    Case("hedge", BRIDGE, "correct",
         "18 t according to the register, survey in Q4 2026, subject to change."),
    # --- fabricated
    Case("fabricated", HORSE, "output_fabrication",
         "Third at 7.5, beaten two and a half lengths, in 2:04.31."),
    Case("fabricated", VOLCANO, "output_fabrication",
         "4,200 t/day, alert orange, ash plume to 6,100 m."),
    Case("fabricated", VOLCANO, "correct",
         "4,200 t a day and alert orange, with 87 quakes in 24 hours."),
    Case("fabricated", NAMES, "output_fabrication",
         "Ylva Strand plays Hedda, Owen Pike directs, Petra Lunn designs."),
    Case("fabricated", CARPET, "correct", "€38.90/m², 21 days. A 4 m by 5 m room would be €778."),
    Case("fabricated", FUND, "output_fabrication", "-2.35 %, fee 0.45 %, assets of $1.9 billion."),
    Case("fabricated", PUMP, "output_fabrication", "64 m³/h, 71.2 %, head 32 m."),
    Case("fabricated", STAR, "correct", "46.3 ly away, 5,920 K, spectral type G1V."),
    # --- skips, errors, controls
    Case("skip", FUND, "tool_skip", "It lost 2.35 % and costs 0.45 %.", ()),
    Case("skip", PUMP, "tool_skip", "<function=look_up>{\"name\": \"P-3\"}</function>", ()),
    Case("skip", CITIES, "tool_skip", "268 mm and 19 mm.", (CallMade("rain", {"city": "Bergen"}),)),
    Case("error", QUOTA, "correct", "Got a 502 first, then 73,400."),
    Case("error", QUOTA, "tool_skip", "The gateway is down.", (CallMade("quota", {"key": "k-9"}),)),
    Case("error", QUOTA, "result_ignore", "I couldn't reach the gateway, so no figure."),
    Case("needless", RUST, "correct", "Hydrated iron oxide."),
    Case("needless", RUST, "unnecessary_tool_use", "Iron oxide.", (CallMade("look_up", {}),)),
    Case("needless", GDP, "correct", "The value of everything an economy produces in a period."),
    Case("needless", YEAR, "correct", "One trip of the Earth around the Sun."),
    Case("needless", YEAR, "wrong_answer", "Twelve full moons."),
]  # fmt: skip
"""Labelled by hand, and kept, before they were run."""
