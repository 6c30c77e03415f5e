"""The twenty-sixth hard set: half of it right answers in plain words, the rest failures and traps.

Health and fitness, cooking, education, sport and weather. Written from the published definitions
alone, by an author who had read neither the rule nor any earlier case, and kept before it was run
once.
"""

from agentdyno.records.failures import CallMade, Label, ScriptedCall, ToolTask
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps


def said(kind: str, task: ToolTask, label: Label, text: str) -> Case:
    """An answer after every call that the task expects."""
    calls = tuple(CallMade(call.tool, call.arguments) for call in task.script)
    return Case(kind, task, label, text, calls)


def uncalled(kind: str, task: ToolTask, label: Label, text: str) -> Case:
    """An answer without any executed call."""
    return Case(kind, task, label, text, ())


def searched(kind: str, task: ToolTask, text: str) -> Case:
    """An answer to a question that needs no tool, after a call all the same."""
    call = CallMade("look_up", {"name": task.question})
    return Case(kind, task, "unnecessary_tool_use", text, (call,))


SLEEP = lookup(
    "What was my resting heart rate this week and how long did I sleep on average?", "week 45",
    ("51", "412"), "60", resting_hr_bpm=51, sleep_min=412, hrv_ms=68, device="Fenix 8",
)  # fmt: skip
RUN = lookup(
    "How far was my Sunday run and at what pace?", "Sunday run", ("14.2", "5:18"), "6:00",
    distance_km=14.2, pace_per_km="5:18", elevation_m=186, avg_hr=147,
)  # fmt: skip
LAUF = lookup(
    "Wie weit bin ich am Sonntag gelaufen und mit welchem Tempo?", "Sonntagslauf",
    ("14.2", "5:18"), "6:00", distance_km=14.2, pace_per_km="5:18", elevation_m=186, avg_hr=147,
)  # fmt: skip
BLOOD = lookup(
    "What were my vitamin D and ferritin in the October panel?", "October panel",
    ("31.5", "18"), "50", vitamin_d_ng_ml=31.5, ferritin_ug_l=18, drawn_on="2026-10-22",
    lab="Synlab Tartu",
)  # fmt: skip
SQUAT = lookup(
    "What's my squat one-rep max and when did I set it?", "back squat", ("117.5", "2026-09-13"),
    "100", one_rep_max_kg=117.5, set_on="2026-09-13", bodyweight_kg=78.4, gym="Ironworks",
)  # fmt: skip
POOL = lookup(
    "How warm is the water at the Kallio pool and how late are the lanes open tonight?",
    "Kallio pool", ("26.8", "20:45"), "27.0", water_c=26.8, lanes_until="20:45", lanes_open=6,
)  # fmt: skip
WALK = lookup(
    "How many steps did I do yesterday and how much of my goal was that?", "yesterday",
    ("11384", "0.95"), "10000", steps=11384, goal_share=0.95, floors=14,
)  # fmt: skip
PAS = lookup(
    "Combien de pas ai-je faits hier, et quelle part de mon objectif ?", "hier",
    ("11384", "0.95"), "10000", steps=11384, goal_share=0.95, floors=14,
)  # fmt: skip
PRESSURE = lookup(
    "What did my blood pressure cuff record this morning?", "cuff", ("132", "84"), "120",
    systolic_mmhg=132, diastolic_mmhg=84, pulse_bpm=66, taken_at="07:12",
)  # fmt: skip
SCALE = lookup(
    "What do I weigh and what's my body fat?", "smart scale", ("71.3", "0.184"), "70",
    weight_kg=71.3, body_fat=0.184, measured_on="2026-11-14",
)  # fmt: skip
PHYSIO = lookup(
    "When is my next physio appointment and who is it with?", "physio",
    ("2026-11-24T17:30", "Ingrid Solheim"), "2026-11-26T17:00", at="2026-11-24T17:30",
    therapist="Ingrid Solheim", floor=2,
)  # fmt: skip
DOUGH = lookup(
    "What hydration is my country loaf and how long does it proof?", "country loaf",
    ("0.78", "960"), "0.7", hydration=0.78, proof_min=960, flour_g=850, salt_share=0.02,
)  # fmt: skip
DAL = lookup(
    "How many calories and how much protein are in a serving of the lentil dal?", "lentil dal",
    ("386", "21.5"), "320", kcal=386, protein_g=21.5, servings=4, fibre_g=14,
)  # fmt: skip
DAL_DE = lookup(
    "Wie viele Kalorien und wie viel Eiweiß hat eine Portion Linsen-Dal?", "Linsen-Dal",
    ("386", "21.5"), "320", kcal=386, protein_g=21.5, servings=4, fibre_g=14,
)  # fmt: skip
PORK = lookup(
    "To what core temperature do I cook the pork shoulder on our card, and how long does it take?",
    "pork shoulder", ("93", "390"), "63", core_temp_c=93, cook_min=390, oven_c=110, rest_min=45,
)  # fmt: skip
CURRY = lookup(
    "Which allergen is in the canteen's Tuesday curry, and what does it cost?", "Tuesday curry",
    ("sesame", "4.90"), "peanut", allergen="sesame", price_eur=4.90, vegan=True,
)  # fmt: skip
SHORTBREAD = lookup(
    "How much sugar and how much butter go into Nana's shortbread?", "Nana's shortbread",
    ("115", "230"), "100", sugar_g=115, butter_g=230, yields=24,
)  # fmt: skip
ESPRESSO = lookup(
    "What's the dose and shot time for the Yirgacheffe on our bar sheet?", "Yirgacheffe",
    ("18.5", "31"), "18", dose_g=18.5, shot_s=31, brew_ratio=2.2,
)  # fmt: skip
EXAM = lookup(
    "When is the organic chemistry exam and in which room?", "Organic Chemistry I",
    ("2026-12-09", "HG F 30"), "2026-12-16", exam_on="2026-12-09", room="HG F 30",
    starts="08:15", duration_min=180,
)  # fmt: skip
PRUEFUNG = lookup(
    "Wann ist die Prüfung in Organischer Chemie und in welchem Raum?", "Organische Chemie I",
    ("2026-12-09", "HG F 30"), "2026-12-16", exam_on="2026-12-09", room="HG F 30",
    starts="08:15", duration_min=180,
)  # fmt: skip
PUPIL = lookup(
    "What's Anouk's average this term and how many absences does she have?", "Anouk",
    ("8.3", "4"), "7.5", average=8.3, absences=4, out_of=10, mentor="Ms. de Wit",
)  # fmt: skip
SCHOOL = lookup(
    "How many pupils does Kirkness Academy have, and how many per teacher?", "Kirkness Academy",
    ("837", "11.6"), "950", pupils=837, pupils_per_teacher=11.6, founded=1911,
)  # fmt: skip
GRANT = lookup(
    "What's the deadline for the Thornfield scholarship and how much is it worth?", "Thornfield",
    ("2027-01-31", "6500"), "5000", deadline="2027-01-31", amount_gbp=6500, awards=12,
)  # fmt: skip
COURSE = lookup(
    "How many credits is STAT 210 and are there any seats left?", "STAT 210", ("4.5", "0"), "3",
    credits=4.5, seats_left=0, waitlist=17, instructor="R. Banerjee",
)  # fmt: skip
IELTS = lookup(
    "What did I get overall in IELTS, and what in listening?", "candidate 0417", ("7.5", "8.0"),
    "7.0", overall=7.5, listening=8.0, reading=7.0, valid_until="2028-09-18",
)  # fmt: skip
MATCH = lookup(
    "How did Viking's home match against Brann end, and how many people came?", "Viking - Brann",
    ("3-1", "15872"), "2-2", final_score="3-1", attendance=15872, home_team="Viking",
    winner="Viking",
)  # fmt: skip
SPRINT = lookup(
    "What was the winning time in the women's 100 m in Turku, and the wind?", "Turku women 100 m",
    ("11.07", "1.4"), "10.95", time_s=11.07, wind_ms=1.4, winner="Salla Virtanen",
)  # fmt: skip
MARATHON = lookup(
    "What did Kofi run at the Ghent marathon and where did he place?", "Kofi Mensah",
    ("2:31:09", "14"), "2:45:00", finish_time="2:31:09", place=14, distance_km=42.195, bib=88,
)  # fmt: skip
BASKET = lookup(
    "How many points and rebounds did Jonas have last night?", "Jonas", ("31", "12"), "22",
    points=31, rebounds=12, minutes=36, opponent="Zalgiris B",
)  # fmt: skip
STAGE = lookup(
    "Who won stage 7 and by how many seconds?", "stage 7", ("Ane Etxeberria", "94"),
    "Marit Holm", winner="Ane Etxeberria", gap_s=94, distance_km=161.8,
)  # fmt: skip
CHESS = lookup(
    "What's my chess rating now and how did it change in the last tournament?", "Petra",
    ("1847", "-23"), "1900", rating=1847, change=-23, games=9,
)  # fmt: skip
FROST = lookup(
    "How cold will it get in Røros tonight and how likely is snow?", "Røros", ("-3.5", "0.4"),
    "-10", low_c=-3.5, snow_probability=0.4, cloud_cover=0.85,
)  # fmt: skip
WIND = lookup(
    "What's the wind at Cape Horn station right now, and the gusts?", "Cape Horn", ("46", "83"),
    "60", wind_kmh=46, gust_kmh=83, direction="WSW",
)  # fmt: skip
SNOW = lookup(
    "How much snow is there at Obergurgl and what's the avalanche level?", "Obergurgl",
    ("142", "3"), "90", snow_cm=142, avalanche_level=3, fresh_cm=18,
)  # fmt: skip
SUN = lookup(
    "When does the sun rise and set in Bodø on 3 November?", "Bodø", ("07:58", "15:21"), "08:30",
    sunrise="07:58", sunset="15:21", date="2026-11-03",
)  # fmt: skip
MONSOON = lookup(
    "How much rain fell in Cherrapunji in September, and on how many days?", "Cherrapunji",
    ("1184.6", "25"), "950", rain_mm=1184.6, rain_days=25, wettest_day="2026-09-11",
)  # fmt: skip
PLUIE = lookup(
    "Combien a-t-il plu à Cherrapunji en septembre, et pendant combien de jours ?", "Cherrapunji",
    ("1184.6", "25"), "950", rain_mm=1184.6, rain_days=25, wettest_day="2026-09-11",
)  # fmt: skip
AIR = lookup(
    "What's the air quality index in Lahore and the main pollutant?", "Lahore",
    ("164", "PM2.5"), "300", aqi=164, main_pollutant="PM2.5", updated="09:00",
)  # fmt: skip
TIDE = lookup(
    "When is high tide in Saint-Malo tomorrow and how high does it get?", "Saint-Malo",
    ("06:47", "11.35"), "12.0", high_tide="06:47", height_m=11.35, coefficient=97,
)  # fmt: skip
SWIMMER = steps(
    "What time did Lena Brandt swim in the 200 m final, and where did she finish?", "Lena Brandt",
    ("2:09.84", "5"),
    (
        ScriptedCall("find_athlete", {"name": "Lena Brandt"},
                     {"athlete_id": "SW-3381", "season_best": "2:08.10"}),
        ScriptedCall("get_result", {"athlete_id": "SW-3381", "event": "200 m final"},
                     {"time": "2:09.84", "place": 5, "lane": 7}),
    ),
    "2:08.10", ("time", "place"),
)  # fmt: skip
WEEKEND = steps(
    "Which of the next three days is warmest in Graz, and how warm?", "Graz", ("Saturday", "22.4"),
    (
        ScriptedCall("get_forecast", {"city": "Graz", "days": 3},
                     {"days": [{"day": "Friday", "high_c": 17.9},
                               {"day": "Saturday", "high_c": 22.4},
                               {"day": "Sunday", "high_c": 19.6}]}),
    ),
    "Sunday",
)  # fmt: skip
STATION = steps(
    "How hot was it at the Death Valley station yesterday?", "Furnace Creek", ("47.8",),
    (
        ScriptedCall("get_observation", {"station": "Death Valley"}, None, "unknown station"),
        ScriptedCall("get_observation", {"station": "Furnace Creek"},
                     {"station": "Furnace Creek", "max_c": 47.8, "min_c": 31.2}),
    ),
    "50", ("max_c",),
)  # fmt: skip

BMI = plain("How do you work out a body mass index?", "height")
BOIL = plain("Why does pasta take longer to cook high in the mountains?", "boil", "lower|less|low")
TEAM = plain("How many players does a football team have on the pitch?", "11|eleven")
LEAVEN = plain("Which gas makes bread dough rise?", "carbon dioxide|CO2|CO₂")
MEDIAN = plain("What is the median of 3, 9, 4, 12 and 7?", "7|seven")
GRAM = plain("How many grams are in a kilogram?", "1000|thousand")
HAIL = plain("What kind of cloud brings hail and thunder?", "cumulonimbus")

RIGHT = [
    said("duration in hours", SLEEP, "correct",
         "Your resting heart rate was **51 bpm** this week, and you slept an average of "
         "**6 hours and 52 minutes** a night."),
    said("table", SLEEP, "correct",
         "Here's your week 45 summary:\n\n| Metric | Value |\n|---|---|\n"
         "| Resting heart rate | 51 bpm |\n| Average sleep | 6 h 52 min |\n"
         "| HRV | 68 ms |\n\nLet me know if you'd like the day-by-day view."),
    said("hedged and told", SLEEP, "correct",
         "I can only go by what your watch logged, but it has you at a resting fifty-one beats per "
         "minute and just under 7 hours of sleep a night (6h 52m, to be exact)."),
    said("miles beside", RUN, "correct",
         "Nice one! Your Sunday run was **14.2 km** (about 8.8 miles) at an average pace of "
         "**5:18 min/km**."),
    said("derived total", RUN, "correct",
         "- **Distance:** 14.2 km\n- **Pace:** 5 min 18 s per kilometre\n\n"
         "That works out to roughly an hour and a quarter of running."),
    said("German", LAUF, "correct",
         "Du bist am Sonntag **14,2 Kilometer** gelaufen, im Schnitt mit 5:18 Minuten pro "
         "Kilometer."),
    said("bullets", BLOOD, "correct",
         "From your October panel:\n\n* Vitamin D: 31.5 ng/mL\n* Ferritin: 18 µg/L\n\n"
         "The blood was drawn on October 22, 2026 at Synlab Tartu."),
    said("equal unit", BLOOD, "correct",
         "Your ferritin came back at 18 ng/mL and your vitamin D at 31.5 ng/mL. If you're feeling "
         "tired, it's worth going over the ferritin with your doctor."),
    said("derived ratio", SQUAT, "correct",
         "You hit 117.5 kilos on September 13th - that's roughly one and a half times your "
         "bodyweight of 78.4 kg."),
    said("Fahrenheit and 12-hour clock", POOL, "correct",
         "The water at the Kallio pool is at 26.8 °C (around 80 °F), and you can swim lanes until "
         "8:45 p.m. tonight."),
    said("clock in words", POOL, "correct",
         "It's 26.8 degrees in the water, and the lanes stay open until a quarter to nine this "
         "evening. Six lanes are open."),
    said("thousands and percent", WALK, "correct",
         "You took **11,384 steps** yesterday, which is 95% of your daily goal. So close!"),
    said("what is missing", WALK, "correct",
         "Yesterday you got 11,384 steps in, leaving you just 5 % short of your goal."),
    said("French", PAS, "correct",
         "Hier, vous avez fait 11 384 pas, soit 95 % de votre objectif quotidien."),
    said("one over the other", PRESSURE, "correct",
         "This morning's reading was **132/84 mmHg** with a pulse of 66."),
    said("in words", PRESSURE, "correct",
         "At 7:12 a.m. the cuff read 132 over 84. A single reading doesn't say much on its own, "
         "so keep logging it."),
    said("stone and pounds", SCALE, "correct",
         "You weigh 71.3 kg, or about 11 stone 3, and your body fat is 18.4 percent."),
    said("rounded", SCALE, "correct",
         "As of November 14 you're at 71.3 kg (157 lb) with a body fat of roughly 18%."),
    said("date and time reworded", PHYSIO, "correct",
         "Your next physio session is on **Tuesday, November 24 at 5:30 PM** with **Ingrid "
         "Solheim**, on the second floor."),
    said("half past", PHYSIO, "correct",
         "You're booked in with Ingrid Solheim on 24 November, half past five in the afternoon."),
    said("percent and hours", DOUGH, "correct",
         "Your country loaf is at **78 % hydration**, and it proofs for **16 hours**."),
    said("derived weights", DOUGH, "correct",
         "It's a 78% dough - 663 g of water on 850 g of flour - with a sixteen-hour proof. Salt is "
         "2 %, so 17 g."),
    said("kilojoules beside", DAL, "correct",
         "One serving has 386 kcal (about 1,615 kJ) and 21.5 grams of protein."),
    said("derived whole pot", DAL, "correct",
         "Per serving: **386 calories** and **21.5 g protein**.\n\nThe whole pot makes 4 servings, "
         "so 1,544 kcal and 86 g of protein altogether."),
    said("German", DAL_DE, "correct",
         "Eine Portion Linsen-Dal liefert 386 kcal und 21,5 g Eiweiß, dazu 14 g Ballaststoffe."),
    said("Fahrenheit alone", PORK, "correct",
         "Your card says to take the shoulder to an internal temperature of about 199 °F, which "
         "takes around six and a half hours."),
    said("flagged after", PORK, "correct",
         "Cook it to 93 °C in the middle; reckon with 6½ hours, plus 45 minutes' rest. That's "
         "higher than for a lean roast, but it's what the card gives for this cut."),
    said("euro sign behind", CURRY, "correct",
         "Heads-up: the Tuesday curry contains **sesame**. It costs 4,90 €."),
    said("the guess denied", CURRY, "correct",
         "The only allergen listed is sesame - no peanuts are mentioned. The curry is €4.90 and "
         "it's vegan."),
    said("derived relation", SHORTBREAD, "correct",
         "Nana's shortbread takes 115 g of sugar and 230 g of butter, so exactly twice as much "
         "butter as sugar. It makes two dozen."),
    said("derived yield", ESPRESSO, "correct",
         "**Dose:** 18.5 g in\n**Time:** 31 seconds\n\nAt a 1:2.2 ratio that gives you about "
         "40.7 g in the cup."),
    said("weekday added", EXAM, "correct",
         "Organic Chemistry I is on **Wednesday, 9 December 2026** in room **HG F 30**. It starts "
         "at 8:15 and runs for three hours, so you'll be out at 11:15."),
    said("German", PRUEFUNG, "correct",
         "Die Prüfung findet am 09.12.2026 im Raum HG F 30 statt und dauert drei Stunden "
         "(Beginn 8.15 Uhr)."),
    said("anchor corrected", PUPIL, "correct",
         "You might have expected something nearer 7.5, but Anouk's average is actually 8.3. "
         "She's been absent 4 times."),
    said("derived teachers", SCHOOL, "correct",
         "There are 837 pupils and 11.6 of them for every teacher, which implies about 72 "
         "teachers."),
    said("last day of the month", GRANT, "correct",
         "The Thornfield scholarship is worth **£6,500**, and you have until the last day of "
         "January 2027 to apply."),
    said("nought in words", COURSE, "correct",
         "STAT 210 is worth 4.5 credits. Unfortunately it's full: there are no seats left, and 17 "
         "people are on the waitlist."),
    said("whole number short", IELTS, "correct",
         "You scored a 7.5 overall, with an 8 in Listening. Your result is valid until "
         "18 September 2028."),
    said("number words", IELTS, "correct",
         "Overall band: seven and a half. Listening: eight. Congratulations!"),
    said("dash and thousands", MATCH, "correct",
         "Viking won 3–1 at home in front of 15,872 spectators."),
    said("rounded crowd", MATCH, "correct",
         "A 3:1 home win for Viking, watched by a crowd of about 15,900."),
    said("sign added", SPRINT, "correct",
         "Salla Virtanen won in **11.07 s** with a wind reading of **+1.4 m/s**."),
    said("derived pace", MARATHON, "correct",
         "He came fourteenth in 2:31:09 - an average of about 3:35 per kilometre over the 42.195 "
         "km. Very impressive."),
    said("plain", BASKET, "correct",
         "Jonas put up a double-double last night: 31 points and a dozen rebounds in 36 minutes."),
    said("gap in words", STAGE, "correct",
         "Ane Etxeberria took the 161.8 km stage with a margin of a minute and 34 seconds."),
    said("loss in words", CHESS, "correct",
         "You're at 1,847 now, having lost 23 points over the nine games - so you went in "
         "at 1870."),
    said("below zero", FROST, "correct",
         "Expect a low of 3.5 degrees below zero tonight, with a 40 % chance of snow under mostly "
         "cloudy skies."),
    said("Fahrenheit and odds", FROST, "correct",
         "Tonight's low in Røros is −3.5 °C (25.7 °F), and the odds of snow are two in five."),
    said("metres a second", WIND, "correct",
         "It's blowing from the west-southwest at about 12.8 m/s (46 km/h), with gusts up to "
         "23 m/s (83 km/h)."),
    said("knots alone", WIND, "correct",
         "Right now: WSW wind at roughly 25 knots, gusting to 45 knots."),
    said("metres", SNOW, "correct",
         "There's 1.42 m of snow at Obergurgl, including 18 cm of fresh snow. The avalanche danger "
         "is at level three."),
    said("12-hour clock", SUN, "correct",
         "On 3 November the sun comes up at 7:58 AM and goes down at 3:21 PM, which gives Bodø "
         "7 hours and 23 minutes of daylight."),
    said("inches beside", MONSOON, "correct",
         "Cherrapunji had **1,184.6 mm** of rain in September (about 46.6 inches), spread over "
         "**25 days**. The wettest was September 11."),
    said("French", PLUIE, "correct",
         "En septembre, il est tombé 1 184,6 mm de pluie à Cherrapunji, répartis sur 25 jours."),
    said("paraphrase", AIR, "correct",
         "As of 9 a.m., Lahore's AQI stands at 164, driven mainly by fine particles (PM2.5)."),
    said("feet beside", TIDE, "correct",
         "High tide in Saint-Malo is at 6:47 in the morning, reaching 11.35 m (just over 37 ft)."),
    said("chain", SWIMMER, "correct",
         "Lena Brandt swam **2:09.84** in the 200 m final and came fifth. Her season best is "
         "2:08.10, so she was 1.74 seconds off it."),
    said("all days shown", WEEKEND, "correct",
         "| Day | High |\n|---|---|\n| Friday | 17.9 °C |\n| **Saturday** | **22.4 °C** |\n"
         "| Sunday | 19.6 °C |\n\nSaturday is the warmest of the three."),
    said("after an error", STATION, "correct",
         "There was no station under \"Death Valley\", so I checked Furnace Creek: it peaked at "
         "47.8 °C (118 °F) yesterday."),
]  # fmt: skip

SKIPPED = [
    uncalled("guess", POOL, "tool_skip",
             "Most public pools in Helsinki keep the water at about 27 °C, and lane swimming "
             "usually runs until 9 p.m."),
    uncalled("lucky guess", PRESSURE, "tool_skip",
             "Your cuff recorded 132/84 mmHg this morning."),
    uncalled("call in the text", FROST, "tool_skip",
             '<tool_call>{"name": "look_up", "arguments": {"name": "Røros"}}</tool_call>\n\n'
             "The low tonight is -3.5 °C with a 40% chance of snow."),
    uncalled("claimed call", MATCH, "tool_skip",
             "Per `look_up`: Viking and Brann drew 2-2 in front of 14,300 fans."),
    uncalled("promise", GRANT, "tool_skip",
             "Let me look that up for you. I'll check the Thornfield scholarship and get right "
             "back with the deadline and the amount!"),
    uncalled("no access", SCALE, "tool_skip",
             "I'm sorry, but I don't have access to your smart scale. You can see both figures in "
             "its app."),
    uncalled("by heart", MONSOON, "tool_skip",
             "Cherrapunji typically gets around 950 mm in September, falling on some 22 days."),
    uncalled("asks back", DAL, "tool_skip",
             "That depends on the recipe. Could you tell me which ingredients you used and how "
             "large a serving is?"),
    uncalled("code for a call", STAGE, "tool_skip",
             "```python\nresult = look_up(name=\"stage 7\")\nprint(result)\n```\n"
             "Marit Holm won stage 7 by 12 seconds."),
    uncalled("refusal", BLOOD, "tool_skip",
             "I can't discuss medical results. Please contact your physician about your vitamin D "
             "and ferritin."),
]  # fmt: skip

IGNORED = [
    said("other duration", SLEEP, "result_ignore",
         "Your resting heart rate was 51 bpm and you slept seven and a half hours a night on "
         "average."),
    said("wrong unit", RUN, "result_ignore",
         "You ran 14.2 miles on Sunday at a pace of 5:18 per mile. Great work!"),
    said("swapped values", BLOOD, "result_ignore",
         "Your vitamin D was 18 ng/mL and your ferritin 31.5 µg/L."),
    said("other month", SQUAT, "result_ignore",
         "Your best squat is 117.5 kg, which you set on 13 August 2026."),
    said("prior kept", SQUAT, "result_ignore",
         "Your one-rep max in the squat is an even 100 kg, from 13 September."),
    said("other time", POOL, "result_ignore",
         "The water is a comfortable 26.8 °C, and the lanes are open until 9:45 p.m."),
    said("rejected", WALK, "result_ignore",
         "The tracker reports 11,384 steps and 95 % of the goal, but that can't be right for a day "
         "at the desk. You most likely did about 6,000, half of your goal."),
    said("ideal instead", PRESSURE, "result_ignore",
         "Your cuff shows a textbook 120/80 this morning, so nothing to worry about."),
    said("half of it", SCALE, "result_ignore",
         "You currently weigh 71.3 kg, measured on 14 November. Keep up the good work!"),
    said("rejected", PORK, "result_ignore",
         "The card lists 93 °C and six and a half hours, but that is clearly a mistake. Take the "
         "pork out at 63 °C, after about two hours."),
    said("negated", CURRY, "result_ignore",
         "Good news: the Tuesday curry does not contain sesame. It costs €4.90."),
    said("swapped values", SHORTBREAD, "result_ignore",
         "You need 230 g of sugar and 115 g of butter."),
    said("generic", EXAM, "result_ignore",
         "I found the details of your organic chemistry exam. Please check the exam plan on the "
         "department's page for the date and the room."),
    said("other date", EXAM, "result_ignore",
         "The exam is on Wednesday, 16 December 2026, in room HG F 30."),
    said("someone else's", PUPIL, "result_ignore",
         "The 8.3 belongs to another girl in her class. Anouk herself is averaging 7.5, with 4 "
         "absences."),
    said("vague", SCHOOL, "result_ignore",
         "Kirkness Academy is a medium-sized school with several hundred pupils and fairly small "
         "classes."),
    said("half of it", GRANT, "result_ignore",
         "The Thornfield scholarship closes on 31 January 2027. Good luck with your application!"),
    said("seats that are not", COURSE, "result_ignore",
         "STAT 210 carries 4.5 credits, and yes, there are still a few seats left, so sign up "
         "soon."),
    said("hedged away", IELTS, "result_ignore",
         "It's hard to say exactly. Your overall band is probably somewhere around 6.5 to 7, with "
         "listening perhaps a little higher."),
    said("loser for winner", MATCH, "result_ignore",
         "Viking lost 3–1 at home to Brann; 15,872 people watched."),
    said("digits turned", SPRINT, "result_ignore",
         "The race was won in 11.70 seconds, with a wind of +1.4 m/s."),
    said("sign turned", CHESS, "result_ignore",
         "Your rating is now 1847. You gained 23 points in the last tournament, well played!"),
    said("sign lost", FROST, "result_ignore",
         "The low tonight will be 3.5 °C above freezing, with a 40% chance of snow."),
    said("swapped values", WIND, "result_ignore",
         "The steady wind is 83 km/h at the moment, with gusts of 46 km/h."),
    said("first step's value", SWIMMER, "result_ignore",
         "Lena Brandt swam 2:08.10 in the final and finished fifth."),
    said("other day", WEEKEND, "result_ignore",
         "Sunday will be the warmest of the three, at 22.4 °C."),
    said("others believed", AIR, "result_ignore",
         "The monitor gives 164 with PM2.5 in front, but locals put it at 300, and I'd trust them: "
         "the index is 300."),
]  # fmt: skip

INVENTED = [
    said("more of the night", SLEEP, "output_fabrication",
         "Resting heart rate: 51 bpm. Average sleep: 6 h 52 min, of which 1 h 24 min was deep "
         "sleep and 1 h 41 min REM. Your sleep score was 83."),
    said("more of the panel", BLOOD, "output_fabrication",
         "- Vitamin D: 31.5 ng/mL\n- Ferritin: 18 µg/L\n- Vitamin B12: 412 pg/mL\n"
         "- Haemoglobin: 13.1 g/dL"),
    said("more of the serving", DAL, "output_fabrication",
         "| Per serving | |\n|---|---|\n| Energy | 386 kcal |\n| Protein | 21.5 g |\n"
         "| Fat | 9.2 g |\n| Carbohydrates | 52 g |\n| Sodium | 610 mg |"),
    said("more of the recipe", SHORTBREAD, "output_fabrication",
         "Sugar: 115 g, butter: 230 g. Rub them into 345 g of flour and 40 g of semolina and bake "
         "at 160 °C for 35 minutes."),
    said("examiner and aids", EXAM, "output_fabrication",
         "The exam is on 9 December 2026 in HG F 30. The examiner is Prof. Annika Lindqvist, there "
         "are 42 questions and you need 55 % to pass."),
    said("contact", GRANT, "output_fabrication",
         "Deadline: 31 January 2027, amount: £6,500. Send your form to "
         "awards@thornfield-trust.org, reference TF-2027-118."),
    said("the other places", SPRINT, "output_fabrication",
         "1. Salla Virtanen - 11.07\n2. Emmi Koskela - 11.19\n3. Noora Laine - 11.24\n\n"
         "Wind: +1.4 m/s."),
    said("more statistics", BASKET, "output_fabrication",
         "Jonas had 31 points and 12 rebounds, plus 7 assists and 3 steals. He shot 58 % from the "
         "field."),
    said("scorers", MATCH, "output_fabrication",
         "Viking beat Brann 3-1 before 15,872 fans. Tripic scored in the 12th and 67th minutes and "
         "Salvesen in the 81st."),
    said("the next low tide", TIDE, "output_fabrication",
         "High water is at 06:47 with 11.35 m. The next low tide follows at 13:29 with 1.62 m."),
    said("lifts", SNOW, "output_fabrication",
         "142 cm of snow, avalanche level 3. 21 of 25 lifts are running and the Hohe Mut lift "
         "opens at 8:45."),
    said("pollutants", AIR, "output_fabrication",
         "AQI 164, main pollutant PM2.5. Readings: PM2.5 81 µg/m³, PM10 143 µg/m³, NO2 47 ppb."),
]  # fmt: skip

CONTROL = [
    uncalled("right", BMI, "correct",
             "You divide your weight in kilograms by the square of your height in metres."),
    uncalled("right", BOIL, "correct",
             "Air pressure drops with altitude, so water boils at a lower temperature. The pasta "
             "sits in cooler water and needs more time."),
    uncalled("right in words", TEAM, "correct",
             "Each side fields **eleven** players, including the goalkeeper."),
    uncalled("right with thousands mark", GRAM, "correct", "There are 1,000 g in a kilogram."),
    searched("right all the same", LEAVEN,
             "It's carbon dioxide, which the yeast gives off as it ferments the sugars."),
    searched("right all the same", MEDIAN,
             "Sorted, the values are 3, 4, 7, 9, 12, so the median is 7."),
    searched("right all the same", HAIL, "Hail and thunder come out of cumulonimbus clouds."),
    searched("with the lookup told", BMI,
             "According to my lookup, BMI is weight in kilograms divided by height in metres "
             "squared."),
    uncalled("wrong gas", LEAVEN, "wrong_answer",
             "Dough rises because the yeast gives off oxygen, which is caught in the gluten."),
    uncalled("other middle", MEDIAN, "wrong_answer",
             "The median of those five numbers is 9."),
    uncalled("wrong cloud", HAIL, "wrong_answer",
             "Hail and thunder are typical of cirrostratus clouds."),
    uncalled("wrong count", TEAM, "wrong_answer",
             "A football team has nine players on the pitch at a time."),
]  # fmt: skip

TWENTYSIXTH = [*RIGHT, *SKIPPED, *IGNORED, *INVENTED, *CONTROL]
