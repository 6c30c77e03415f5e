"""Days and times of the world. It is always the morning of the same day there."""

from datetime import date, datetime, timedelta

from agentdyno_bench.tps.world.kit.errors import ServiceError

TODAY = date(2026, 4, 13)
"""A Monday."""
NOW = "2026-04-13T09:00"
LAST_DAY = date(2026, 12, 31)
"""Services know nothing beyond."""


def day(text: str, earliest: date | None = TODAY, latest: date = LAST_DAY) -> date:
    """A date as the agent wrote it, within what the service covers."""
    try:
        parsed = date.fromisoformat(text)
    except ValueError:
        raise ServiceError(
            "invalid_date", f"'{text}' is not a valid date. Use YYYY-MM-DD, e.g. 2026-05-04."
        ) from None
    if (earliest is not None and parsed < earliest) or parsed > latest:
        first = "the beginning" if earliest is None else earliest.isoformat()
        raise ServiceError(
            "invalid_date", f"{text} is out of range; from {first} to {latest.isoformat()}."
        )
    return parsed


def moment(text: str) -> datetime:
    """A date with a time, to the minute."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        parsed = None
    if parsed is None or "T" not in text or parsed.tzinfo is not None:
        raise ServiceError(
            "invalid_date", f"'{text}' is not a valid time. Use YYYY-MM-DDTHH:MM, local time."
        )
    return parsed.replace(second=0, microsecond=0)


def iso(value: datetime) -> str:
    """A time as every service prints it."""
    return value.isoformat(timespec="minutes")


def days_from(first: date, count: int) -> list[date]:
    """So many days in a row."""
    return [first + timedelta(days=offset) for offset in range(count)]
