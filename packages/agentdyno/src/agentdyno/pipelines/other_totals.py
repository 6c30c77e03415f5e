"""Reads what another tool or a provider says was used: totals by day, and by model where it says.

Takes JSON or CSV of ccusage, codeburn, agentsview, the usage and cost reports of Anthropic and
OpenAI or the activity of OpenRouter, returns one row a day and model. What a column means is in one
table; a row that cannot be read is named and costs the others nothing.
"""

import csv
import io
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import msgspec

from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError, printable
from agentdyno.studies.reconcile import Reconciled, Total, reconcile

LARGEST_BYTES = 200_000_000
COLUMNS = {
    "day": (
        "date", "period", "Date", "usage_date_utc", "starting_at", "start_time_iso", "start_time",
        "created_at",
    ),
    "model": ("modelName", "model_version", "model", "model_permaslug", "Model"),
    "fresh": (
        "inputTokens", "Input Tokens", "usage_input_tokens_no_cache", "uncached_input_tokens",
    ),
    "all_input": ("input_tokens", "tokens_prompt", "prompt_tokens"),
    "read": (
        "cacheReadTokens", "Cache Read Tokens", "usage_input_tokens_cache_read",
        "cache_read_input_tokens", "input_cached_tokens", "tokens_cached",
    ),
    "written": ("cacheCreationTokens", "Cache Write Tokens"),
    "minutes": ("usage_input_tokens_cache_write_5m", "ephemeral_5m_input_tokens"),
    "hour": ("usage_input_tokens_cache_write_1h", "ephemeral_1h_input_tokens"),
    "output": (
        "outputTokens", "Output Tokens", "usage_output_tokens", "output_tokens",
        "tokens_completion", "completion_tokens",
    ),
    "usd": ("cost", "totalCost", "Cost (USD)", "cost_total", "usage", "cost_usd", "amount"),
}  # fmt: skip
"""By what it is, the names that it has: ccusage and agentsview, codeburn, Anthropic's console and
its Admin API, OpenAI's usage API and its CSV, OpenRouter's activity. `all_input` has cached tokens
in it."""
INNER = ("modelBreakdowns", "results")
COMMANDS = {
    "ccusage": ["daily", "--json", "--offline", "--timezone", "UTC"],
    "codeburn": ["--timezone", "UTC", "export", "-f", "json", "--from", "2020-01-01", "-o"],
}
"""Tools that are run when they are named, and how; each is offline."""


def reconcile_with(ledger: Path, other: str) -> tuple[Reconciled, dict[str, str]]:
    """Why a tool that is run, or a file, says something else than a ledger; and the rows of it that
    could not be read."""
    data = run_tool(other) if other in COMMANDS else _read_file(other)
    rows, bad = read_totals(other, data)
    return reconcile(ReadableLedger(local_folder(ledger)), rows), bad


def _read_file(name: str) -> bytes:
    try:
        with Path(name).open("rb") as file:
            return file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"{printable(name)}: cannot be read ({error.strerror}). Expected a file, or "
            f"{' or '.join(COMMANDS)}."
        ) from error


def run_tool(tool: str) -> bytes:
    """What a tool prints that is installed."""
    found = shutil.which(tool)
    if found is None:
        raise InputError(
            f"{tool}: no such command. Install it, or give a file: {tool} "
            f"{' '.join(COMMANDS[tool])} > {tool}.json; agentdyno reconcile --with {tool}.json"
        )
    with tempfile.TemporaryDirectory() as folder:
        file, given = Path(folder, "out.json"), COMMANDS[tool]
        words = [*given, str(file)] if given[-1] == "-o" else given
        done = subprocess.run([found, *words], capture_output=True, timeout=600, check=False)
        if done.returncode:
            message = printable(done.stderr.decode(errors="replace"), 200)
            raise InputError(f"{tool} failed: {message}")
        return file.read_bytes() if file.is_file() else done.stdout


def read_totals(name: str, data: bytes) -> tuple[list[Total], dict[str, str]]:
    """The rows in a file, and those that could not be read."""
    rows, bad = list[Total](), dict[str, str]()
    for place, row in enumerate(_rows_of(name, data), 1):
        try:
            rows.append(_read_row(row))
        except (ValueError, TypeError, OverflowError) as error:
            bad[f"row {place}"] = printable(str(error), 120)
    if not rows:
        why = next(iter(bad.values()), "no rows with a day and tokens or dollars")
        raise InputError(
            f"{printable(name)}: expected totals by day of ccusage, codeburn, Anthropic, OpenAI or "
            f"OpenRouter, found {why}."
        )
    return rows, bad


def _rows_of(name: str, data: bytes) -> Iterator[dict[str, Any]]:
    if len(data) > LARGEST_BYTES:
        raise InputError(f"{printable(name)}: expected totals under 200 MB, found a larger file.")
    try:
        if data.lstrip()[:1] in (b"{", b"["):
            yield from _walk(msgspec.json.decode(data), {})
        else:
            yield from csv.DictReader(io.StringIO(data.decode("utf-8-sig")))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, csv.Error) as error:
        what = printable(str(error), 100)
        raise InputError(
            f"{printable(name)}: expected JSON or CSV, found neither: {what}."
        ) from error


def _walk(value: Any, outer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Rows wherever they stand: a bucket's inner rows have its day, and take its place."""
    if isinstance(value, list):
        for each in value:
            yield from _walk(each, outer)
    elif isinstance(value, dict):
        row = outer | value
        inner = next((value[name] for name in INNER if isinstance(value.get(name), list)), None)
        if inner is not None:
            own = {name: row[name] for name in COLUMNS["day"] if name in row}
            if inner:
                yield from _walk(inner, own)
        elif _first(row, "day") is not None and any(
            _first(row, name) is not None for name in ("fresh", "all_input", "output", "usd")
        ):
            yield row
        else:
            for name in ("daily", "data", "periods"):
                yield from _walk(value.get(name), {})


def _read_row(row: dict[str, Any]) -> Total:
    flat = row | (row["cache_creation"] if isinstance(row.get("cache_creation"), dict) else {})
    number = {name: _number(_first(flat, name)) for name in COLUMNS if name not in ("day", "model")}
    written, fresh = number["written"], number["fresh"]
    if number["minutes"] is not None or number["hour"] is not None:
        written = (number["minutes"] or 0) + (number["hour"] or 0)
    if fresh is None and number["all_input"] is not None:
        fresh = number["all_input"] - (number["read"] or 0)
    if "amount" in flat and isinstance(flat["amount"], str) and number["usd"] is not None:
        number["usd"] /= 100  # Anthropic's cost report counts cents.
    if (currency := _currency(flat)) not in (None, "usd"):
        raise ValueError(f"expected dollars, found {currency!r:.40}")
    model = _first(flat, "model")
    amounts = fresh, number["read"], written, number["output"], number["usd"]
    return Total(_day(_first(flat, "day")), model and printable(str(model), 200), amounts)


def _first(row: dict[str, Any], name: str) -> Any:
    return next((row[key] for key in COLUMNS[name] if row.get(key) not in (None, "")), None)


def _currency(row: dict[str, Any]) -> str | None:
    amount = row.get("amount")
    currency = amount.get("currency") if isinstance(amount, dict) else row.get("currency")
    return currency.lower() if isinstance(currency, str) else None


def _number(value: Any) -> float | None:
    if isinstance(value, dict) and "value" in value:
        value = value["value"]  # OpenAI's costs.
    elif isinstance(value, dict):  # agentsview counts millionths of a dollar.
        value = value.get("microdollars", 0) / 1e6
    if value is None:
        return None
    number = float(str(value).replace(",", "").lstrip("$"))
    if not 0 <= number < 1e15:
        raise ValueError(f"expected an amount of 0 or more, found {value!r:.40}")
    return number


def _day(value: Any) -> str:
    if isinstance(value, int | float) or re.fullmatch(r"\d{9,11}", str(value)):
        return datetime.fromtimestamp(int(value), UTC).date().isoformat()
    return date.fromisoformat(str(value)[:10]).isoformat()
