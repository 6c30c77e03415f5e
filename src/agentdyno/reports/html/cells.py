"""Cells that many tables share."""

from agentdyno.estimates.values import Estimate
from agentdyno.records.settings import SettingName
from agentdyno.reports.html.markup import Cell, Html, foreign, interval, join, plain
from agentdyno.reports.numbers import UNKNOWN, dollars, percent, short


def count(value: int | None) -> Cell:
    """A whole number."""
    return Cell(plain(UNKNOWN if value is None else f"{value:,}"), value)


def amount(value: float | None) -> Cell:
    """PTE or tokens."""
    return Cell(plain(short(value)), value)


def share(value: float | None) -> Cell:
    """A share of a whole."""
    return Cell(plain(percent(value)), value)


def money(value: float | None) -> Cell:
    """Dollars."""
    return Cell(plain(dollars(value)), value)


def words(text: str) -> Cell:
    """Our own words."""
    return Cell(plain(text), text)


def name(text: str | None, limit: int = 60) -> Cell:
    """Words of a trace."""
    return Cell(foreign(text, limit), text or "")


def costs(found: Estimate) -> Cell:
    """A mean cost with its interval."""
    return interval(found, lambda value: short(value))


def setting_name(setting: SettingName | None) -> Html:
    """Model, benchmark and variant."""
    if setting is None:
        return plain("all settings")
    parts = [foreign(p, 48) for p in (setting.model, setting.benchmark, setting.variant) if p]
    if not parts:
        return plain(UNKNOWN)
    return join(parts[0], *(join(Html(" · "), part) for part in parts[1:]))


def setting(value: SettingName | None) -> Cell:
    """A setting as a row's head."""
    key = "" if value is None else " ".join(p or "" for p in (value.model, value.benchmark))
    return Cell(setting_name(value), key)


def p_value(value: float | None) -> Cell:
    """A p value."""
    if value is None:
        return Cell(plain(UNKNOWN))
    return Cell(plain("< 0.001" if value < 0.001 else f"{value:.3f}"), value)
