"""Conversion and calculation: units, money, dates, time zones and arithmetic. Changes nothing."""

import ast
import math
import operator
import statistics
from collections.abc import Callable
from datetime import timedelta
from typing import Annotated, Any

from agentdyno_bench.tps.world.kit.arguments import (
    Amount,
    City,
    Currency,
    Day,
    Moment,
    note,
)
from agentdyno_bench.tps.world.kit.cities import city_facts, utc_offset
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import TODAY, day, iso, moment
from agentdyno_bench.tps.world.kit.errors import ServiceError, not_found
from agentdyno_bench.tps.world.kit.money import rate
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

FAR = TODAY.replace(year=2100)


class Convert(Server):
    """The calculator."""

    name = "convert"
    title = "Abacus"
    version = "1.0.8"
    about = "Converts units, currencies, dates and times, and calculates."

    @tool(latency=0.05)
    def calculate(
        self, expression: Annotated[str, note("Arithmetic with + - * / ** and brackets.")]
    ) -> Row:
        """Evaluate an arithmetic expression exactly as written."""
        return {"expression": expression, "result": _tidy(_evaluate(expression))}

    @tool(latency=0.15)
    def convert_currency(self, amount: Amount, source: Currency, target: Currency) -> Row:
        """Convert an amount of money from one currency to another at today's rate."""
        used = rate(self.seed, source, target)
        return {
            "amount": amount,
            "source": source.upper(),
            "target": target.upper(),
            "rate": used,
            "converted": round(amount * used, 2),
        }

    @tool(latency=0.05)
    def convert_units(
        self,
        value: Amount,
        source: Annotated[str, note("Unit in the singular, for example 'mile'.")],
        target: Annotated[str, note("Unit of the same kind.")],
    ) -> Row:
        """Convert a measurement between units of length, mass, volume, area, speed or energy."""
        kinds: dict[str, dict[str, float]] = load("convert")
        for kind, units in kinds.items():
            if source in units and target in units:
                converted = _tidy(value * units[source] / units[target])
                return {"kind": kind, "value": value, "source": source, "target": target,
                        "converted": converted}  # fmt: skip
        raise not_found("pair of units", f"{source} and {target}", "They must be of one kind.")

    @tool(latency=0.05)
    def convert_temperature(
        self,
        value: Amount,
        source: Annotated[str, note("celsius, fahrenheit or kelvin")],
        target: Annotated[str, note("celsius, fahrenheit or kelvin")],
    ) -> Row:
        """Convert a temperature between Celsius, Fahrenheit and Kelvin."""
        to_celsius: dict[str, Callable[[float], float]] = {
            "celsius": lambda x: x,
            "fahrenheit": lambda x: (x - 32) * 5 / 9,
            "kelvin": lambda x: x - 273.15,
        }
        out: dict[str, Callable[[float], float]] = {
            "celsius": lambda x: x,
            "fahrenheit": lambda x: x * 9 / 5 + 32,
            "kelvin": lambda x: x + 273.15,
        }
        if source not in to_celsius or target not in out:
            raise not_found("temperature scale", f"{source} or {target}")
        converted = round(out[target](to_celsius[source](value)), 2)
        return {"value": value, "source": source, "target": target, "converted": converted}

    @tool(latency=0.05)
    def percentage_change(self, before: Amount, after: Amount) -> Row:
        """By how many percent a quantity rose or fell between two values."""
        if before == 0:
            raise ServiceError("invalid_argument", "before must not be zero.")
        return {
            "before": before,
            "after": after,
            "change_percent": round((after / before - 1) * 100, 2),
        }

    @tool(latency=0.05)
    def statistics_of(self, values: Annotated[list[float], note("At least two numbers.")]) -> Row:
        """Sum, mean, median, spread and extremes of a list of numbers."""
        if len(values) < 2:
            raise ServiceError("invalid_argument", "Give at least two numbers.")
        return {
            "count": len(values),
            "sum": _tidy(math.fsum(values)),
            "mean": round(statistics.fmean(values), 4),
            "median": _tidy(statistics.median(values)),
            "standard_deviation": round(statistics.stdev(values), 4),
            "minimum": min(values),
            "maximum": max(values),
        }

    @tool(latency=0.05)
    def split_bill(
        self,
        total: Amount,
        people: Annotated[int, note("How many share.")],
        tip_percent: Annotated[float, note("Tip on top of the total.")] = 0.0,
    ) -> Row:
        """Share a bill between people, with or without a tip."""
        if people < 1:
            raise ServiceError("invalid_argument", "people must be at least 1.")
        total_with_tip = round(total * (1 + tip_percent / 100), 2)
        return {
            "total_with_tip": total_with_tip,
            "people": people,
            "each": round(total_with_tip / people, 2),
        }

    @tool(latency=0.05)
    def days_between(self, start: Day, end: Day) -> Row:
        """Number of days, weeks and working days from one date to another."""
        first, last = day(start, None, FAR), day(end, None, FAR)
        count = (last - first).days
        offsets = range(count) if abs(count) < 4000 else range(0)
        working = sum((first + timedelta(days=n)).weekday() < 5 for n in offsets)
        return {"start": start, "end": end, "days": count, "weeks": round(count / 7, 2),
                "working_days": working}  # fmt: skip

    @tool(latency=0.05)
    def shift_date(
        self, date: Day, days: Annotated[int, note("Days to add; negative to go back.")]
    ) -> Row:
        """The date so many days before or after another one, and its weekday."""
        if abs(days) > 20_000:
            raise ServiceError("invalid_argument", "days must be within 20000.")
        shifted = day(date, None, FAR) + timedelta(days=days)
        return {"date": shifted.isoformat(), "weekday": shifted.strftime("%A")}

    @tool(latency=0.1)
    def convert_time(self, time: Moment, source_city: City, target_city: City) -> Row:
        """What time it is in another city when it is a given time here."""
        source, target = city_facts(source_city), city_facts(target_city)
        source_time = moment(time)
        shift = utc_offset(target, source_time.date()) - utc_offset(source, source_time.date())
        shifted = source_time + timedelta(hours=shift)
        return {"source_city": source.name, "target_city": target.name, "source_time": time,
                "target_time": iso(shifted), "hours_ahead": shift}  # fmt: skip

    @tool(latency=0.05)
    def compound_interest(
        self,
        principal: Amount,
        yearly_percent: Annotated[float, note("Interest in percent a year.")],
        years: Annotated[int, note("Whole years, up to 60.")],
    ) -> Row:
        """Final balance of savings with yearly compounding."""
        if not 0 < years <= 60:
            raise ServiceError("invalid_argument", "years must be 1 to 60.")
        final = round(principal * (1 + yearly_percent / 100) ** years, 2)
        return {"principal": principal, "years": years, "final": final,
                "interest": round(final - principal, 2)}  # fmt: skip

    @tool(latency=0.05)
    def list_units(self, kind: Annotated[str, note("length, mass, volume, area, …")]) -> Row:
        """Units that can be converted, by kind of measurement."""
        kinds = load("convert")
        if kind not in kinds:
            raise not_found("kind of unit", kind, f"Known: {', '.join(kinds)}.")
        return {"kind": kind, "units": list(kinds[kind])}


_OPERATORS: dict[type[ast.AST], Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
"""Nothing else is understood, so an expression can do nothing but count."""


def _evaluate(expression: str) -> float:
    if len(expression) > 300:
        raise ServiceError("invalid_argument", "The expression is too long.")
    try:
        return float(_value(ast.parse(expression.strip(), mode="eval").body))
    except (SyntaxError, ValueError, OverflowError, ZeroDivisionError, RecursionError, TypeError):
        raise ServiceError("invalid_argument", f"Cannot calculate '{expression}'.") from None


def _value(node: Any) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow) and abs(right) > 100:
            raise ValueError("exponent")
        return _OPERATORS[type(node.op)](left, right)
    if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.operand))
    raise ValueError("not arithmetic")


def _tidy(value: float) -> float:
    """Rounded where floating point would show its own digits."""
    return round(value, 6)
