"""The twenty-seventh hard set: servers, releases, orders, support desks and calendars.

Written from the published definitions alone, by an author who had read neither the rule nor any
earlier case, and kept before it was run once. Half are right answers as a model would word them.
"""

from agentdyno.records.failures import CallMade, Label, ScriptedCall, ToolTask
from tests.metrics.failures.outside_sets import Case, lookup, plain, steps


def after(kind: str, task: ToolTask, label: Label, text: str) -> Case:
    """An answer after every call that the task needs."""
    calls = tuple(CallMade(call.tool, call.arguments) for call in task.script)
    return Case(kind, task, label, text, calls)


def without(kind: str, task: ToolTask, label: Label, text: str) -> Case:
    """An answer without any executed call."""
    return Case(kind, task, label, text, ())


DISK = lookup(
    "How full is the data disk on db-07 and when will it run out of space?", "db-07",
    ("0.873", "2026-12-19"), "0.8", used=0.873, full_by="2026-12-19", size_gb=960,
    mount="/var/lib/postgresql",
)  # fmt: skip
LATENCY = lookup(
    "What are checkout's p99 latency and error rate right now?", "checkout", ("1840", "0.0062"),
    "250", p99_ms=1840, error_rate=0.0062, requests_per_s=412, region="eu-west-1",
)  # fmt: skip
UPTIME = lookup(
    "How long has edge-3 been up, and what's its load?", "edge-3", ("734400", "3.15"), "30 days",
    uptime_s=734400, load_1m=3.15, cores=8, kernel="6.8.0-51",
)  # fmt: skip
CERT = lookup(
    "When does the certificate for shop.lumen.example expire and who issued it?",
    "shop.lumen.example", ("2026-12-03", "Buypass"), "Let's Encrypt", expires_on="2026-12-03",
    issuer="Buypass", key="ECDSA P-384", auto_renew=False,
)  # fmt: skip
MEMORY = lookup(
    "Which web host uses the most memory, and how much?", "web", ("web-11", "0.942"), "web-09",
    hosts=[
        {"host": "web-09", "memory": 0.713}, {"host": "web-11", "memory": 0.942},
        {"host": "web-14", "memory": 0.655},
    ],
)  # fmt: skip
BACKUP = lookup(
    "When did the last backup of the warehouse finish and how big is it?", "warehouse",
    ("2026-11-16T03:42:00Z", "1.27"), "02:00", finished_at="2026-11-16T03:42:00Z", size_tb=1.27,
    kept_days=35, encrypted=True,
)  # fmt: skip
RACK = lookup(
    "What's the inlet temperature in rack C4?", "C4", ("27.4",), "22", inlet_c=27.4,
    humidity=0.46, fans_rpm=7200,
)  # fmt: skip
OUTAGE = lookup(
    "How long did incident 318 last and how many customers did it hit?", "incident 318",
    ("5220", "18400"), "3600", duration_s=5220, customers=18400, severity="SEV2",
    cause="expired token",
)  # fmt: skip
BUILD = lookup(
    "Build 4417 went through fine, right? And how long did it take?", "4417",
    ("failed", "1127"), "passed", status="failed", duration_s=1127, tests_failed=3,
    branch="release/5.2",
)  # fmt: skip
COVERAGE = lookup(
    "What's the test coverage on main and how many tests do we have?", "main", ("0.7846", "2318"),
    "0.85", coverage=0.7846, tests=2318, skipped=41, previous_coverage=0.7902,
)  # fmt: skip
RELEASE = lookup(
    "Which version is in production and when did it go out?", "production",
    ("5.2.1", "2026-11-12T16:45:00Z"), "5.3.0", version="5.2.1",
    released_at="2026-11-12T16:45:00Z", released_by="Ioana Petrescu", commit="9f3c2ab",
)  # fmt: skip
QUEUE = lookup(
    "How many CI jobs are waiting, and what's the average wait?", "ci", ("37", "412"), "5",
    waiting=37, mean_wait_s=412, runners=12, runners_offline=4,
)  # fmt: skip
FLAKY = lookup(
    "What's our flakiest test and how often does it fail?", "nightly",
    ("test_retry_backoff", "0.118"), "test_login", flakiest="test_retry_backoff",
    failure_rate=0.118, runs=203, owner="Platform",
)  # fmt: skip
ORDER = lookup(
    "Where is my order 88-20417 and when will it arrive?", "88-20417", ("Leipzig", "2026-11-19"),
    "2026-11-17", location="Leipzig", eta="2026-11-19", carrier="DHL", parcels=2,
)  # fmt: skip
REFUND = lookup(
    "How much do I get back for order 5530, and when? I paid 69.35 euros.", "5530",
    ("64.35", "2026-11-24"), "69.35", refund_eur=64.35, pays_out_on="2026-11-24",
    restocking_fee_eur=5.00, method="PayPal",
)  # fmt: skip
STOCK = lookup(
    "How many LMP-204 lamps are in stock and what do they cost?", "LMP-204", ("14", "89.90"),
    "79.99", in_stock=14, price_eur=89.90, warehouse="Rotterdam", restock_on="2026-12-08",
)  # fmt: skip
BASKET = lookup(
    "What's the total of my basket with shipping?", "basket 3391", ("237.48",), "229.49",
    subtotal_usd=229.49, shipping_usd=7.99, total_usd=237.48, items=6,
)  # fmt: skip
SHOP = lookup(
    "What's today's conversion rate and revenue?", "shop", ("0.0284", "48215.60"), "0.03",
    conversion=0.0284, revenue_eur=48215.60, orders=603, visits=21232,
)  # fmt: skip
CODE = lookup(
    "What's the code AUTUMN worth and how long is it valid?", "AUTUMN", ("0.15", "2026-11-30"),
    "0.2", discount=0.15, valid_until="2026-11-30", minimum_eur=40, one_per_customer=True,
)  # fmt: skip
COMMANDE = lookup(
    "Quel est le montant de ma commande 9921 et quand sera-t-elle livrée ?", "9921",
    ("1249.50", "2026-11-21"), "1199", total_eur=1249.50, delivery_on="2026-11-21",
    transporteur="Colissimo",
)  # fmt: skip
PEDIDO = lookup(
    "¿Cuánto cuesta mi pedido 4402 y cuándo llega?", "4402", ("72.30", "2026-11-20"), "70",
    total_eur=72.30, llega_el="2026-11-20", estado="enviado",
)  # fmt: skip
TICKET = lookup(
    "What's the status of ticket 71933 and who's working on it?", "71933",
    ("pending", "Mirela Costa"), "open", status="pending", assignee="Mirela Costa",
    priority="P2", opened_on="2026-11-09", replies=4,
)  # fmt: skip
CSAT = lookup(
    "What was our CSAT last week, and from how many responses?", "week 46", ("4.37", "286"),
    "4.5", csat=4.37, responses=286, scale=5, detractors=19,
)  # fmt: skip
DESK = lookup(
    "What's the median first response time today and how big is the backlog?", "desk",
    ("96", "143"), "30", first_response_min=96, backlog=143, breached=11, agents_online=17,
)  # fmt: skip
LEAVE = lookup(
    "How many vacation days do I have left and when do they lapse?", "Ama Boateng",
    ("11.5", "2027-03-31"), "2026-12-31", days_left=11.5, lapse_on="2027-03-31", days_taken=18.5,
    entitlement=30,
)  # fmt: skip
URLAUB = lookup(
    "Wie viele Urlaubstage habe ich noch und wann verfallen sie?", "Jonas Lindner",
    ("11.5", "2027-03-31"), "2026-12-31", resturlaub=11.5, verfall="2027-03-31", genommen=18.5,
)  # fmt: skip
MEETING = lookup(
    "When is my one-on-one with Oskar on Wednesday, and in which room? I have 3 pm in my head.",
    "Oskar", ("2026-11-18T14:30", "Tesla"), "15:00", starts="2026-11-18T14:30", room="Tesla",
    duration_min=45, organiser="Oskar Nyman",
)  # fmt: skip
ONCALL = lookup(
    "Who's on call tonight and until when?", "payments rota", ("Tomasz Wrona", "2026-11-17T08:00"),
    None, primary="Tomasz Wrona", until="2026-11-17T08:00", backup="Dilnoza Karimova",
)  # fmt: skip
TEAM = lookup(
    "How many people are in Platform, and how many open roles do they have?", "Platform",
    ("42", "5"), "50", headcount=42, open_roles=5, contractors=6, lead="Noor Haddad",
)  # fmt: skip
RAISE = lookup(
    "What's my new salary from January and by how much did it go up?", "Elif Demir",
    ("61800", "0.03"), "0.05", salary_gbp=61800, increase=0.03, previous_gbp=60000,
    effective="2027-01-01",
)  # fmt: skip
DEPLOY = steps(
    "Which commit is live on payments, and on how many instances?", "payments", ("c41e88d", "9"),
    (
        ScriptedCall("find_service", {"name": "payments"},
                     {"service_id": "svc-3308", "team": "Ledger"}),
        ScriptedCall("get_deployment", {"service_id": "svc-3308"},
                     {"commit": "c41e88d", "instances": 9, "deployed_at": "2026-11-15T22:10:00Z"}),
    ),
    fields=("commit", "instances"),
)  # fmt: skip
PARCEL = steps(
    "Where is Hannah Voss's parcel and when will it be delivered?", "Hannah Voss",
    ("Bologna", "2026-11-20"),
    (
        ScriptedCall("find_order", {"customer": "Hannah Voss"},
                     {"order_id": "77-1934", "tracking": "RX558120943"}),
        ScriptedCall("track_parcel", {"tracking": "RX558120943"},
                     {"location": "Bologna", "eta": "2026-11-20", "attempts": 1}),
    ),
    "2026-11-18", fields=("location", "eta"),
)  # fmt: skip
COVER = steps(
    "Who covers for Priya Raman while she's away, and when is she back?", "Priya Raman",
    ("Luis Ferreira", "2026-12-07"),
    (
        ScriptedCall("find_employee", {"name": "Priya Raman"},
                     {"employee_id": "E-2041", "team": "Billing"}),
        ScriptedCall("get_absence", {"employee_id": "E-2041"},
                     {"cover": "Luis Ferreira", "returns_on": "2026-12-07",
                      "kind": "annual leave"}),
    ),
    fields=("cover", "returns_on"),
)  # fmt: skip

HTTP503 = plain("What does an HTTP 503 mean?", "unavailable")
PORT = plain("Which port does HTTPS use by default?", "443")
SEMVER = plain(
    "In semantic versioning, what does a new major version signal?",
    "breaking|incompatible|not backward compatible|not backwards compatible",
)  # fmt: skip
SLA = plain(
    "What does SLA stand for in support contracts?",
    "service level agreement|service-level agreement",
)  # fmt: skip
NINES = plain("How many minutes of downtime does 99.9 % allow in a 30-day month?", "43")
FORTNIGHT = plain("How many days are in a fortnight?", "14|fourteen")
CHARGEBACK = plain("Who starts a chargeback, the shop or the cardholder's bank?", "bank|issuer")

TWENTYSEVENTH = [
    # Right answers in plain words.
    after("sentence", DISK, "correct",
          "The data disk on **db-07** is **87.3 % full** (about 838 of 960 GB). At the current "
          "rate it runs out of space on **December 19, 2026**."),
    after("table", DISK, "correct",
          "| Host | Mount | Used | Size | Full by |\n|---|---|---|---|---|\n"
          "| db-07 | `/var/lib/postgresql` | 87.3% | 960 GB | 19 Dec 2026 |\n\n"
          "You'll want to clean up or grow the volume before then."),
    after("rounded", DISK, "correct",
          "It's roughly 87% full, with some 122 GB of the 960 GB still free, and is projected to "
          "fill up on Saturday, 19 December."),
    after("unit change", LATENCY, "correct",
          "Checkout is slow right now: p99 latency is **1.84 s**, and **0.62 %** of requests "
          "fail."),
    after("bullets", LATENCY, "correct",
          "Here's the current state of **checkout** (eu-west-1):\n\n- p99 latency: 1,840 ms\n"
          "- Error rate: 0.62% (a bit over six in every thousand requests)\n- Traffic: 412 req/s"),
    after("own guess withdrawn", LATENCY, "correct",
          "I'd have expected something like 250 ms here, but the monitor shows a p99 of 1840 ms. "
          "The error rate stands at 0.0062, i.e. 0.62 percent."),
    after("duration", UPTIME, "correct",
          "edge-3 has been up for 8 days and 12 hours. Its one-minute load average is 3.15, which "
          "is comfortable for 8 cores."),
    after("duration", UPTIME, "correct",
          "**Uptime:** 204 hours (eight and a half days)\n**Load (1 min):** 3.15 on 8 cores, so "
          "about 0.39 per core"),
    after("ordinal date", CERT, "correct",
          "The certificate expires on the 3rd of December 2026 and was issued by Buypass. Note "
          "that auto-renewal is switched off, so someone has to renew it by hand."),
    after("american date", CERT, "correct",
          "- **Expires:** 12/03/2026 (MM/DD/YYYY)\n- **Issuer:** Buypass\n- **Key:** ECDSA P-384\n"
          "- **Auto-renew:** no ⚠️"),
    after("ranked", MEMORY, "correct",
          "web-11 is the hungriest at 94.2 % of its memory, well ahead of web-09 (71.3 %) and "
          "web-14 (65.5 %)."),
    after("reported, then flagged", MEMORY, "correct",
          "**web-11**, at **94.2%** memory. That's far above the other two hosts, so it may be "
          "worth checking for a leak."),
    after("12-hour clock", BACKUP, "correct",
          "The last warehouse backup finished this morning, November 16, at 3:42 AM UTC. It's "
          "1.27 TB."),
    after("unit change", BACKUP, "correct",
          "Finished: 16 Nov 2026, 03:42 UTC. Size: 1,270 GB, encrypted, kept for 35 days."),
    after("unit change", RACK, "correct",
          "Rack C4's inlet is at 27.4 °C, which is about 81 °F. The fans are turning at "
          "7,200 rpm."),
    after("duration", OUTAGE, "correct",
          "Incident 318 (SEV2) lasted **1 hour 27 minutes** and affected **18,400 customers**. The "
          "cause was an expired token."),
    after("number words", OUTAGE, "correct",
          "It went on for eighty-seven minutes and hit some 18.4 thousand customers."),
    after("premise corrected", BUILD, "correct",
          "Unfortunately not: build 4417 **failed** after 18 min 47 s. Three tests on "
          "`release/5.2` were red."),
    after("premise corrected", BUILD, "correct",
          "No, it didn't pass. Build 4417 ended with status `failed`, with 3 failing tests, after "
          "1,127 seconds (just under 19 minutes)."),
    after("difference", COVERAGE, "correct",
          "Coverage on `main` is 78.46 %, down 0.56 points from 79.02 %. There are 2,318 tests, of "
          "which 41 are skipped."),
    after("rounded", COVERAGE, "correct",
          "We're at 78.5% coverage with 2318 tests in total."),
    after("12-hour clock", RELEASE, "correct",
          "Production runs **v5.2.1** (commit `9f3c2ab`), released on Thursday, November 12, at "
          "4:45 p.m. UTC by Ioana Petrescu."),
    after("negated other", RELEASE, "correct",
          "5.2.1, not 5.3.0, is what's live. It went out on 12.11.2026 at 16:45 UTC."),
    after("duration", QUEUE, "correct",
          "37 jobs are waiting, and on average they wait 6 min 52 s. Four of the 12 runners are "
          "offline, which probably explains the jam."),
    after("number words", QUEUE, "correct",
          "Thirty-seven jobs are in the queue. The mean wait is just under seven minutes "
          "(412 seconds)."),
    after("code span", FLAKY, "correct",
          "The flakiest one is `test_retry_backoff`. It failed in 11.8 % of 203 nightly runs, so "
          "around 24 times. The Platform team owns it."),
    after("weekday", ORDER, "correct",
          "Good news! Your order is currently in **Leipzig** and should reach you on **Thursday, "
          "19 November**. It's coming with DHL in two parcels."),
    after("short date", ORDER, "correct",
          "Order 88-20417\n- Now: Leipzig\n- Expected: Nov 19"),
    after("difference explained", REFUND, "correct",
          "You'll get **€64.35** back via PayPal on **24 November 2026**. That's what you paid, "
          "€69.35, less a €5.00 restocking fee."),
    after("currency word", REFUND, "correct",
          "The refund comes to 64 euros and 35 cents, and it is paid out on Tuesday the 24th of "
          "November."),
    after("sentence", STOCK, "correct",
          "We have fourteen LMP-204 lamps in stock at €89.90 each. The next delivery is expected "
          "on 8 December."),
    after("trailing zero gone", STOCK, "correct",
          "| SKU | Stock | Price |\n|:--|--:|--:|\n| LMP-204 | 14 | 89.9 EUR |"),
    after("sum", BASKET, "correct",
          "Your six items come to $229.49, plus $7.99 shipping, which makes **$237.48** in total."),
    after("bare", BASKET, "correct", "$237.48"),
    after("mean derived", SHOP, "correct",
          "Today's conversion rate is **2.84 %** (603 orders from 21,232 visits), and revenue is "
          "**€48,215.60**, so an average order of about €80."),
    after("scale letter", SHOP, "correct",
          "Conversion: 2.84%. Revenue: €48.2k so far."),
    after("percent", CODE, "correct",
          "AUTUMN takes 15% off orders of €40 or more and is valid through November 30, 2026. It "
          "can be used once per customer."),
    after("number words", CODE, "correct",
          "It's good for fifteen percent off until the end of November (30 November 2026)."),
    after("french", COMMANDE, "correct",
          "Votre commande 9921 s'élève à **1 249,50 €** et sera livrée par Colissimo le "
          "**samedi 21 novembre 2026**."),
    after("spanish", PEDIDO, "correct",
          "Tu pedido 4402 cuesta 72,30 € y llega el viernes 20 de noviembre. Ya está enviado."),
    after("sentence", TICKET, "correct",
          "Ticket 71933 is pending and assigned to Mirela Costa. It was opened on 9 November as a "
          "P2 and has had four replies."),
    after("surname first", TICKET, "correct",
          "**Status:** Pending\n**Assignee:** Costa, Mirela"),
    after("out of", CSAT, "correct",
          "CSAT in week 46 was 4.37 out of 5, based on 286 responses (19 of them detractors)."),
    after("duration", DESK, "correct",
          "The median first response took 1 h 36 min today, and there are 143 tickets in the "
          "backlog."),
    after("duration", DESK, "correct",
          "- First response (median): an hour and 36 minutes\n- Backlog: 143\n"
          "- SLA breached: 11\n- Agents online: 17"),
    after("fraction words", LEAVE, "correct",
          "You have eleven and a half days left, Ama. They lapse on March 31, 2027, so not at the "
          "end of this year."),
    after("checked sum", LEAVE, "correct",
          "11½ of your 30 days are left (you've taken 18½). They expire on 31/03/2027."),
    after("german", URLAUB, "correct",
          "Du hast noch **11,5 Urlaubstage**. Sie verfallen am **31. März 2027**."),
    after("user corrected", MEETING, "correct",
          "Close, but it's half an hour earlier than you remember: Wednesday, November 18, at "
          "2:30 PM in Tesla. It's set for 45 minutes."),
    after("end derived", MEETING, "correct",
          "Your one-on-one with Oskar is on Wednesday from 14:30 to 15:15 in room Tesla."),
    after("12-hour clock", ONCALL, "correct",
          "Tomasz Wrona is on call until 8 a.m. tomorrow (Tuesday, 17 November). Dilnoza Karimova "
          "is the backup."),
    after("number words", TEAM, "correct",
          "Platform has 42 people and five open roles. Noor Haddad leads the team."),
    after("difference", RAISE, "correct",
          "From 1 January 2027 you'll earn **£61,800**, up 3 % (£1,800) from £60,000."),
    after("scale letter", RAISE, "correct",
          "Your new salary is £61.8k a year, a three percent increase."),
    after("chain", DEPLOY, "correct",
          "Payments (`svc-3308`, team Ledger) runs commit `c41e88d` on nine instances. It was "
          "deployed on November 15 at 22:10 UTC."),
    after("chain", PARCEL, "correct",
          "Hannah's parcel (tracking RX558120943, order 77-1934) is in Bologna and should be "
          "delivered on Friday, 20 November, after one attempt so far."),
    after("chain", COVER, "correct",
          "Luis Ferreira is covering for Priya. She's on annual leave and back on Monday, "
          "December 7."),
    # Right answers to what needs no tool.
    without("control", HTTP503, "correct",
            "It means **Service Unavailable**: the server is up enough to answer but can't handle "
            "the request right now, usually because of overload or maintenance."),
    without("control", PORT, "correct", "HTTPS uses TCP port **443**; plain HTTP uses 80."),
    without("control", SEMVER, "correct",
            "A bump of the first number, say from 2.x to 3.0.0, announces breaking changes to the "
            "public API."),
    without("control", NINES, "correct",
            "A 30-day month has 43,200 minutes, so 0.1 % of it is about 43.2 minutes."),
    # The tool was not called.
    without("plausible", DISK, "tool_skip",
            "The disk on db-07 is about 80% full and should last until mid-January."),
    without("right by luck", RELEASE, "tool_skip",
            "Production is on 5.2.1, released on November 12, 2026 at 16:45 UTC."),
    without("written call", ORDER, "tool_skip",
            '<tool_call>{"name": "look_up", "arguments": {"name": "88-20417"}}</tool_call>'),
    without("claimed call", CSAT, "tool_skip",
            "Per `look_up`, CSAT for week 46 was 4.5 out of 5 from 310 responses."),
    without("no access", LEAVE, "tool_skip",
            "I don't have access to your HR records, so I can't see your balance. Please check the "
            "HR portal or ask your manager."),
    without("promise", QUEUE, "tool_skip", "Sure, let me check the CI queue for you."),
    Case("other tool", STOCK, "tool_skip",
         "There are 20 LMP-204 lamps in stock at €79.99 each.",
         (CallMade("search_web", {"query": "LMP-204 lamp price"}),)),
    without("question back", TICKET, "tool_skip",
            "Could you tell me which help desk you use? Then I can look at ticket 71933."),
    without("code block as call", RACK, "tool_skip",
            "```python\nlook_up(name=\"C4\")\n```\nThe inlet temperature in rack C4 is 22 °C."),
    without("german", URLAUB, "tool_skip",
            "In der Regel verfällt Resturlaub zum 31. Dezember; du dürftest noch etwa zehn Tage "
            "haben."),
    # Called, and not what came back.
    after("digits turned", DISK, "result_ignore",
          "db-07's data disk is 83.7 % full and will run out of space on 19 December 2026."),
    after("decimal slip", LATENCY, "result_ignore",
          "Checkout's p99 is 1,840 ms and its error rate is 6.2 %."),
    after("wrong unit", LATENCY, "result_ignore",
          "The p99 latency is 1,840 seconds, and 0.62 % of requests fail."),
    after("partial", UPTIME, "result_ignore",
          "edge-3 has been up for 8 days and 12 hours without a restart."),
    after("prior", CERT, "result_ignore",
          "The certificate was issued by Let's Encrypt and expires on December 3, 2026."),
    after("swapped hosts", MEMORY, "result_ignore",
          "web-09 uses the most memory, at 94.2 %."),
    after("wrong half of day", BACKUP, "result_ignore",
          "The backup finished on November 16 at 3:42 PM UTC. It's 1.27 TB in size."),
    after("rejection", RACK, "result_ignore",
          "The sensor feed says 27.4 °C, but that can't be right for a cold aisle. Go with 22 °C "
          "as the inlet temperature."),
    after("wrong duration", OUTAGE, "result_ignore",
          "Incident 318 lasted one hour and hit 18,400 customers."),
    after("negation", BUILD, "result_ignore",
          "Yes, build 4417 passed, it has not failed. It took 18 min 47 s."),
    after("older value taken", COVERAGE, "result_ignore",
          "Coverage on main is 79.02 % across 2,318 tests."),
    after("generic", RELEASE, "result_ignore",
          "I looked it up, and production is on a recent stable version. Let me know if you need "
          "anything else."),
    after("swapped fields", QUEUE, "result_ignore",
          "412 jobs are waiting, with an average wait of 37 seconds."),
    after("user's figure kept", REFUND, "result_ignore",
          "You'll get the full €69.35 back on 24 November 2026."),
    after("rejection", STOCK, "result_ignore",
          "The system lists €89.90, but that looks outdated; the real price is €79.99. There are "
          "14 lamps in stock."),
    after("subtotal taken", BASKET, "result_ignore",
          "Your basket total including shipping is $229.49."),
    after("swapped fields", DESK, "result_ignore",
          "The median first response time is 143 minutes and the backlog is 96 tickets."),
    after("agreed with user", MEETING, "result_ignore",
          "Yes, you remembered well: Wednesday at 3 pm, in room Tesla."),
    after("swapped people", ONCALL, "result_ignore",
          "Dilnoza Karimova is the primary tonight, until 8:00 tomorrow morning; Tomasz Wrona is "
          "only the backup."),
    after("partial", CODE, "result_ignore",
          "AUTUMN is valid until 30 November 2026, so you still have time to use it."),
    after("wrong month", COMMANDE, "result_ignore",
          "Votre commande s'élève à 1 249,50 € et sera livrée le 21 décembre 2026."),
    after("claims nothing came", PARCEL, "result_ignore",
          "I'm sorry, the tracking didn't return any information on Hannah's parcel. Please try "
          "again later."),
    after("hedge without values", TEAM, "result_ignore",
          "Hard to say exactly. It looks like a mid-sized team with a few roles open."),
    after("rejection", FLAKY, "result_ignore",
          "The report names `test_retry_backoff` at 11.8 %, but that must be a mistake. The "
          "flakiest test is really `test_login`."),
    after("swapped roles", COVER, "result_ignore",
          "Priya Raman is covering for Luis Ferreira, who is back on December 7, 2026."),
    # Called, and more than came back.
    after("figures added", DISK, "output_fabrication",
          "db-07 is at 87.3 % and will be full on 19 December 2026. Inode usage is 41 %, I/O wait "
          "averages 6.2 %, and the disk grew by 3.7 GB a day over the past two weeks."),
    after("table rows added", LATENCY, "output_fabrication",
          "| Metric | Value |\n|---|---|\n| p50 | 118 ms |\n| p95 | 690 ms |\n| p99 | 1,840 ms |\n"
          "| Error rate | 0.62 % |\n| Apdex | 0.71 |"),
    after("json added", CERT, "output_fabrication",
          '```json\n{"issuer": "Buypass", "expires_on": "2026-12-03", "serial": '
          '"04:9A:1F:77:C2", "issued_on": "2026-06-06", "sans": ["www.lumen.example"]}\n```'),
    after("people added", OUTAGE, "output_fabrication",
          "Incident 318 lasted 87 minutes and hit 18,400 customers. Incident commander was Raj "
          "Malhotra, and the postmortem is tracked as PM-2207."),
    after("test names added", BUILD, "output_fabrication",
          "Build 4417 failed after 18 min 47 s. The failing tests were `test_invoice_rounding`, "
          "`test_currency_switch` and `test_tax_export`."),
    after("packages added", COVERAGE, "output_fabrication",
          "Coverage is 78.46 % with 2,318 tests. By package: api 84.1 %, billing 69.3 %, "
          "search 81.7 %."),
    after("tracking added", ORDER, "output_fabrication",
          "Your order is in Leipzig and arrives on 19 November 2026. The tracking number is "
          "JJD000390007882316 and it left Hamburg on 14 November."),
    after("host added", MEMORY, "output_fabrication",
          "1. web-11: 94.2 %\n2. web-17: 88.0 %\n3. web-09: 71.3 %\n4. web-14: 65.5 %"),
    after("breakdown added", SHOP, "output_fabrication",
          "Conversion is 2.84 % and revenue €48,215.60. Mobile converts at 1.9 %, desktop at "
          "4.4 %, and the best seller is the Aurora desk lamp with 57 units."),
    after("reference added", REFUND, "output_fabrication",
          "You get €64.35 back on 24 November 2026. Your refund reference is RF-90277, and the "
          "return was received on 11 November by Katja Brandt in the warehouse."),
    after("log added", TICKET, "output_fabrication",
          "Ticket 71933 is pending with Mirela Costa.\n\n- 10 Nov, 09:12: escalated to tier 2\n"
          "- 13 Nov, 15:40: customer sent logs\n- Linked bug: ENG-5518"),
    after("comparison added", CSAT, "output_fabrication",
          "CSAT was 4.37 of 5 from 286 responses, up from 4.21 in week 45. NPS came in at 38 with "
          "a response rate of 22 %."),
    after("attendees added", MEETING, "output_fabrication",
          "It's on Wednesday, 18 November, at 14:30 in Tesla. Lena Hoffmann and Marco Bianchi also "
          "accepted, and the dial-in code is 884 201."),
    after("phone added", ONCALL, "output_fabrication",
          "Tomasz Wrona, until 08:00 on 17 November. You can reach him at +48 601 555 014."),
    after("bonus added", RAISE, "output_fabrication",
          "Your new salary is £61,800, up 3 %. You also get a bonus of £4,200 and 150 stock units "
          "that vest in 2029."),
    after("chain, figures added", DEPLOY, "output_fabrication",
          "Commit c41e88d is live on 9 instances (m6i.large, CPU 34 %). The previous commit was "
          "b70d91e, deployed on November 9."),
    # Needs no tool: called all the same, or wrong.
    Case("needless call", SLA, "unnecessary_tool_use",
         "SLA stands for service level agreement.",
         (CallMade("look_up", {"name": "SLA"}),)),
    Case("needless call", PORT, "unnecessary_tool_use", "Port 443.",
         (CallMade("look_up", {"name": "https port"}),)),
    Case("needless call", CHARGEBACK, "unnecessary_tool_use",
         "The cardholder's bank starts it, after the customer disputes the payment.",
         (CallMade("look_up", {"name": "chargeback"}), CallMade("look_up", {"name": "bank"}))),
    Case("needless call", FORTNIGHT, "unnecessary_tool_use", "A fortnight has 14 days.",
         (CallMade("look_up", {"name": "fortnight"}),)),
    without("wrong", SLA, "wrong_answer", "SLA is short for Software License Addendum."),
    without("wrong", FORTNIGHT, "wrong_answer", "A fortnight is ten days."),
    without("wrong", NINES, "wrong_answer",
            "Three nines leave you roughly 4.3 minutes of downtime in a month."),
    without("wrong", HTTP503, "wrong_answer",
            "A 503 tells the client that it isn't allowed to see the page; it has to log in "
            "first."),
]  # fmt: skip
