"""Calendar: a personal agenda for the coming weeks, free time in it, and public holidays."""

from datetime import date as Date
from datetime import datetime, timedelta
from typing import Annotated

from agentdyno_bench.tps.world.kit.arguments import Day, Moment, note
from agentdyno_bench.tps.world.kit.chance import chance, reference
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import TODAY, day, iso, moment
from agentdyno_bench.tps.world.kit.errors import ServiceError, conflict, not_found
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

EventId = Annotated[str, note("Id of an event, for example 'EV-7K2M9P'.")]
Minutes = Annotated[int, note("Length in minutes.")]
BOOKED = (
    ("flights", "bookings", "flight_id", 0),
    ("restaurants", "tables", "name", 120),
    ("media", "tickets", "film", 150),
)
"""Server, collection, what it is called, and minutes where the row has no end."""
DAY_BEGINS, DAY_ENDS = 8, 19
"""Hours between which free time is looked for."""


class Calendar(Server):
    """The agenda."""

    name = "calendar"
    title = "Dayplan"
    version = "2.0.4"
    about = "Events, free time, reminders and public holidays."

    @tool(latency=0.3)
    def list_events(self, start: Day, end: Day) -> Row:
        """Events between two dates, both included, in order."""
        first, last = day(start, None), day(end, None)
        if (last - first).days > 62:
            raise ServiceError("invalid_argument", "Ask for at most two months at once.")
        events = [e for e in self._events() if str(first) <= e["start"][:10] <= str(last)]
        return {"start": start, "end": end, "events": events}

    @tool(latency=0.2)
    def day_agenda(self, date: Day) -> Row:
        """Everything on one day, the number of booked minutes and the gaps of half an hour."""
        when = day(date, None)
        events = [e for e in self._events() if e["start"][:10] == when.isoformat()]
        booked = sum(e["minutes"] for e in events)
        gaps = self._gaps(when, 30)
        return {"date": when.isoformat(), "events": events, "booked_minutes": booked, "gaps": gaps}

    @tool(latency=0.2)
    def event_details(self, event_id: EventId) -> Row:
        """One event with its place, attendees and reminder."""
        return self.row("events", event_id, "event")

    @tool(latency=0.4)
    def find_events(self, title: Annotated[str, note("Part of the title.")]) -> Row:
        """Events whose title contains some words, soonest first."""
        events = [e for e in self._events() if title.casefold() in e["title"].casefold()]
        return {"title": title, "events": events}

    @tool(latency=0.6)
    def free_slots(self, date: Day, minutes: Minutes) -> Row:
        """Gaps of at least a given length on a day between eight and seven."""
        when = day(date)
        if not 5 <= minutes <= 600:
            raise ServiceError("invalid_argument", "minutes must be 5 to 600.")
        return {"date": date, "minutes": minutes, "slots": self._gaps(when, minutes)}

    @tool(latency=0.3)
    def is_free(self, start: Moment, minutes: Minutes) -> Row:
        """Whether nothing is planned at a time, and what stands in the way otherwise."""
        begin = moment(start)
        end = begin + timedelta(minutes=minutes)
        hits = [*self._overlaps(begin, end), *self._find_booked(begin, end)]
        return {"start": iso(begin), "minutes": minutes, "free": not hits, "conflicts": hits}

    @tool(latency=0.7, writes=True)
    def create_event(
        self,
        title: Annotated[str, note("What it is.")],
        start: Moment,
        minutes: Minutes = 60,
        location: Annotated[str | None, note("Where.")] = None,
        attendees: Annotated[list[str] | None, note("E-mail addresses.")] = None,
    ) -> Row:
        """Put an event on the calendar. Refused when it overlaps another one."""
        begin = day_moment(start)
        if not 5 <= minutes <= 1440:
            raise ServiceError("invalid_argument", "minutes must be 5 to 1440.")
        end = begin + timedelta(minutes=minutes)
        # The entry for a booking begins with it; everything else collides with it.
        booked = [b for b in self._find_booked(begin, end) if b["start"] != iso(begin)]
        hits = [*self._overlaps(begin, end), *booked]
        if hits:
            raise conflict(f"Overlaps '{hits[0]['title']}' at {hits[0]['start']}.")
        event_id = self.new_id("EV", title.casefold(), iso(begin), minutes)
        row = _event(event_id, title, begin, minutes, location)
        return self.keep("events", event_id, {**row, "attendees": attendees or []})

    @tool(latency=0.6, writes=True)
    def move_event(self, event_id: EventId, start: Moment) -> Row:
        """Give an event another time, keeping its length."""
        row = self.row("events", event_id, "event")
        begin = day_moment(start)
        hits = self._overlaps(begin, begin + timedelta(minutes=row["minutes"]))
        if any(h["event_id"] != event_id for h in hits):
            raise conflict(f"Something else is planned at {start}.")
        event = _event(event_id, row["title"], begin, row["minutes"], row["location"])
        return self.keep("events", event_id, {**event, "attendees": row["attendees"]})

    @tool(latency=0.4, writes=True, destructive=True)
    def delete_event(self, event_id: EventId) -> Row:
        """Take an event off the calendar."""
        row = self.row("events", event_id, "event")
        del self.state["events"][event_id]
        self.keep("deleted_events", event_id, row)
        return {"deleted": event_id, "title": row["title"]}

    @tool(latency=0.5, writes=True)
    def invite(
        self, event_id: EventId, email: Annotated[str, note("Address of the guest.")]
    ) -> Row:
        """Add a guest to an event and send the invitation."""
        row = self.row("events", event_id, "event")
        if "@" not in email:
            raise ServiceError("invalid_argument", f"'{email}' is no e-mail address.")
        if email in row["attendees"]:
            raise conflict(f"{email} is already invited.")
        return self.keep("events", event_id, {**row, "attendees": [*row["attendees"], email]})

    @tool(latency=0.3, writes=True)
    def set_reminder(self, event_id: EventId, minutes_before: Minutes) -> Row:
        """Be reminded so many minutes before an event."""
        row = self.row("events", event_id, "event")
        return self.keep("events", event_id, {**row, "reminder_minutes": minutes_before})

    @tool(latency=0.3)
    def public_holidays(self, country: Annotated[str, note("English name.")]) -> Row:
        """Public holidays of a country in the rest of the year."""
        holidays = load("calendar")["holidays"]
        if country not in holidays:
            raise not_found("country", country, f"Known: {', '.join(holidays)}.")
        rows = [{"date": d, "name": n} for d, n in holidays[country].items()]
        return {"country": country, "holidays": rows}

    def first_state(self) -> dict[str, dict[str, Row]]:
        """An agenda as people have it: one or two events on most working days."""
        rng, data, rows = chance(self.seed, "agenda"), load("calendar"), {}
        for offset in range(45):
            when = TODAY + timedelta(days=offset)
            for hour in sorted(rng.sample((9, 11, 14, 16), rng.randint(0, 2))):
                if when.weekday() < 5:
                    begin = datetime(when.year, when.month, when.day, hour, rng.choice((0, 30)))
                    event_id = reference("EV", self.seed, "agenda", iso(begin))
                    title, room = rng.choice(data["titles"]), rng.choice(data["rooms"])
                    minutes = rng.choice((30, 45, 60, 90))
                    rows[event_id] = _event(event_id, title, begin, minutes, room)
        return {"events": rows, "deleted_events": {}}

    def _events(self) -> list[Row]:
        return sorted(self.state["events"].values(), key=_start_and_id)

    def _overlaps(self, begin: datetime, end: datetime) -> list[Row]:
        first, last = iso(begin), iso(end)
        hits = [e for e in self.state["events"].values() if e["start"] < last and e["end"] > first]
        return sorted(hits, key=_start_and_id)

    def _find_booked(self, begin: datetime, end: datetime) -> list[Row]:
        """Flights, tables and films that were booked elsewhere and take the same time."""
        first, last = iso(begin), iso(end)
        return [b for b in bookings(self) if b["start"] < last and b["end"] > first]

    def _gaps(self, when: Date, minutes: int) -> list[Row]:
        at = datetime(when.year, when.month, when.day, DAY_BEGINS)
        close = at.replace(hour=DAY_ENDS)
        gaps = []
        busy = [*self._overlaps(at, close), *self._find_booked(at, close)]
        busy.sort(key=lambda event: str(event["start"]))
        for event in [*busy, {"start": iso(close), "end": iso(close)}]:
            until = min(moment(event["start"]), close)
            if until - at >= timedelta(minutes=minutes):
                length = int((until - at).total_seconds() // 60)
                gaps.append({"start": iso(at), "end": iso(until), "minutes": length})
            at = max(at, moment(event["end"]))
        return gaps


def _start_and_id(event: Row) -> tuple[str, str]:
    return event["start"], event["event_id"]


def bookings(server: Server) -> list[Row]:
    """Bookings of the owner at other services of the same world, as times of a calendar."""
    entries = []
    for name, collection, title, minutes in BOOKED:
        other = server.world.find_started(name)
        for row in {} if other is None else other.state[collection].values():
            if row.get("status", "confirmed") == "confirmed":
                start = row["departs"] if name == "flights" else row["starts"]
                end = row.get("arrives") or iso(moment(start) + timedelta(minutes=minutes))
                if end > start:  # Westward across many zones a flight may land before it left.
                    entries.append({"title": row[title], "start": start, "end": end})
    return entries


def day_moment(text: str) -> datetime:
    """A time that is not over yet."""
    parsed = moment(text)
    day(parsed.date().isoformat())
    return parsed


def _event(event_id: str, title: str, begin: datetime, minutes: int, location: str | None) -> Row:
    return {
        "event_id": event_id,
        "title": title,
        "start": iso(begin),
        "end": iso(begin + timedelta(minutes=minutes)),
        "minutes": minutes,
        "location": location,
        "attendees": [],
        "reminder_minutes": None,
    }
