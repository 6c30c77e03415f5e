"""Writes what was spent as FOCUS 1.4 rows, for teams that charge back: FinOps's common bill.

A row is what one session spent with one model on one sort of tokens on one day (UTC, as FOCUS has
it), and of that what one file had: files share a session's rows by what they cost while they were
in context, and such rows name the method in `AllocatedMethodId`. Tags have the project, branch,
session, agent, file, and for cache writes why the cache was lost. Costs are at list prices; turns
without a price are in no row. Columns that FOCUS 1.0 has and 1.4 has not any more are there too, so
that older readers find theirs.

Worked: $0.90 of output in a session whose file a.py had a third of its cost: two rows, $0.30 with
the tag `file` and $0.60 without.
"""

import csv
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from agentdyno.cost.price_lookup import price_of
from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records.escaped_json import encode_json
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sessions import find_roots
from agentdyno.studies.turn_costs import read_turn_costs
from agentdyno.studies.views import View, apply_view
from agentdyno.studies.whatif.recorded import read_recorded

ID = "trajectory_id"
METERS = {
    "Input Tokens": ("usd_input", "fresh"),
    "Cached Input Tokens": ("usd_read", "cached_tokens"),
    "Cache Write Tokens": ("usd_write", "cache_write_tokens"),
    "Output Tokens": ("usd_output", "decode_tokens"),
}
"""What is charged for: the columns of `turns` with its dollars and its tokens."""
LEAST_SHARE, MOST_FILES = 0.01, 20
"""Files of a session with a row of their own."""
METHOD = "agentdyno-context-share"
BLOCK = 1_000_000
"""Tokens of a price."""
CONSTANTS = {
    "BillingAccountName": "AgentDyno, at list prices",
    "BillingAccountType": "Ledger",
    "BillingCurrency": "USD",
    "ChargeCategory": "Usage",
    "ChargeFrequency": "Usage-Based",
    "ConsumedUnit": "Tokens",
    "PricingCategory": "Standard",
    "PricingCurrency": "USD",
    "PricingUnit": f"{BLOCK} Tokens",
    "ResourceType": "Agent session",
    "ServiceCategory": "AI and Machine Learning",
    "ServiceSubcategory": "Generative AI",
    "SubAccountType": "Project",
}
EMPTY = (
    "AvailabilityZone", "CapacityReservationId", "CapacityReservationStatus", "ChargeClass",
    "CommitmentDiscountCategory", "CommitmentDiscountId", "CommitmentDiscountName",
    "CommitmentDiscountQuantity", "CommitmentDiscountStatus", "CommitmentDiscountType",
    "CommitmentDiscountUnit", "ContractApplied", "InvoiceDetailId", "InvoiceId", "RegionId",
    "RegionName",
)  # fmt: skip
"""Columns that say nothing of agents."""


def write_focus(ledger: Path, file: Path, view: View | None = None) -> tuple[int, int]:
    """Writes the rows; how many, and how many turns have no price."""
    tables = apply_view(ReadableLedger(local_folder(ledger)), view)
    context = ReportContext(tables)
    turns = _read_turns(context)
    unpriced = len(turns.filter(pl.col("usd_output").is_null()))
    rows = [*_list_rows(turns, _share_files(context), ledger.resolve().name)]
    staging = file.with_name(f".{file.name}.aside")
    with staging.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, fieldnames=COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    staging.replace(file)
    return len(rows), unpriced


def _read_turns(context: ReportContext) -> pl.DataFrame:
    """Turns with their day, session and why the cache was lost."""
    tables = context.tables
    cached, written = (pl.col(n).fill_null(0) for n in ("cached_tokens", "cache_write_tokens"))
    day = pl.from_epoch(pl.coalesce("started_at", "ended_at"), time_unit="s").dt.date()
    turns = tables.read("turns").with_columns(
        fresh=(pl.col("context_tokens") - cached - written).clip(lower_bound=0), day=day
    )
    causes = read_turn_costs(tables, read_recorded(tables, {})).select(ID, "turn", "cause")
    about = context.frames.trajectories.select(
        session=ID, project="project", branch="branch", agent="format"
    )
    return (
        turns.join(causes, on=[ID, "turn"], how="left")
        .join(find_roots(context), on=ID, how="left")
        .join(about, on="session", how="left")
    )


def _share_files(context: ReportContext) -> dict[str, list[tuple[str, float]]]:
    """By trajectory its most expensive files, each with its share of what it cost."""
    is_file = pl.col("subject_kind") == "file"
    calls = context.tables.scan("calls").filter(is_file).group_by(ID, "subject")
    sums = calls.agg(pl.col("usd").sum()).collect()
    whole = context.frames.trajectories.select(ID, total="usd").filter(pl.col("total") > 0)
    shares = sums.join(whole, on=ID).with_columns(share=pl.col("usd") / pl.col("total"))
    found: dict[str, list[tuple[str, float]]] = {}
    ordered = shares.filter(pl.col("share") >= LEAST_SHARE).sort("share", descending=True)
    for name, subject, share in ordered.select(ID, "subject", "share").iter_rows():
        files = found.setdefault(name, [])
        if len(files) < MOST_FILES and share < 1.0:
            files.append((subject, share))
    return found


def _list_rows(
    turns: pl.DataFrame, files: dict[str, list[tuple[str, float]]], account: str
) -> Iterator[dict[str, Any]]:
    keys = (ID, "session", "day", "model", "project", "branch", "agent")
    for meter, (usd, tokens) in METERS.items():
        cause = "cause" if meter == "Cache Write Tokens" else None
        by = [*keys, *([cause] if cause else [])]
        dated = turns.filter(pl.col("day").is_not_null() & pl.col(usd).is_not_null())
        sums = dated.group_by(by, maintain_order=True).agg(pl.col(usd).sum(), pl.col(tokens).sum())
        for row in sums.filter(pl.col(tokens) > 0).iter_rows(named=True):
            own = files.get(row[ID], [])
            rest = 1.0 - sum(share for _, share in own)
            for name, share in [*own, (None, rest)]:
                if share > 0:
                    yield _compose(row, meter, row[usd], row[tokens], name, share, account)


def _compose(
    row: dict[str, Any],
    meter: str,
    usd: float,
    tokens: int,
    file: str | None,
    share: float,
    account: str,
) -> dict[str, Any]:
    start = datetime(row["day"].year, row["day"].month, row["day"].day, tzinfo=UTC)
    month = start.replace(day=1)
    next_month = (month + timedelta(days=32)).replace(day=1)
    model, maker = row["model"] or "unknown", _find_maker(row["model"])
    price, cost, count = f"{usd / tokens * BLOCK:.6f}", f"{usd * share:.10f}", tokens * share
    project = row["project"] or "unknown"
    tags = {
        "project": row["project"], "branch": row["branch"], "session": row["session"],
        "agent": row["agent"], "file": file, "cause": row.get("cause"),
    }  # fmt: skip
    sku = f"{model}/{meter.replace(' ', '-').lower()}"
    values = {
        "AllocatedMethodId": METHOD if file else "",
        "AllocatedResourceId": file or "",
        "BilledCost": cost, "ContractedCost": cost, "EffectiveCost": cost, "ListCost": cost,
        "BillingAccountId": account,
        "BillingPeriodStart": _write(month), "BillingPeriodEnd": _write(next_month),
        "ChargePeriodStart": _write(start), "ChargePeriodEnd": _write(start + timedelta(days=1)),
        "ChargeDescription": f"{meter} of {model}",
        "ConsumedQuantity": f"{count:.4f}", "PricingQuantity": f"{count / BLOCK:.10f}",
        "ContractedUnitPrice": price, "ListUnitPrice": price,
        "HostProviderName": maker, "InvoiceIssuerName": maker, "ProviderName": maker,
        "PublisherName": maker, "ServiceProviderName": maker,
        "ResourceId": row["session"], "ResourceName": project,
        "ServiceName": f"{maker} API",
        "SkuId": sku, "SkuMeter": meter, "SkuPriceId": f"{sku}@{price}",
        "SkuPriceDetails": encode_json({"Model": model}).decode(),
        "SubAccountId": project, "SubAccountName": project,
        "Tags": encode_json({name: value for name, value in tags.items() if value}).decode(),
    }  # fmt: skip
    return {name: _defuse(value) for name, value in {**CONSTANTS, **values}.items()}


def _defuse(value: str) -> str:
    """Spreadsheets run what begins like a formula; numbers are ours."""
    is_number = value[:1] == "-" and value[1:2].isdigit()
    return f"'{value}" if value[:1] in "=+-@\t\r" and value and not is_number else value


COLUMNS = sorted({
    *CONSTANTS, *EMPTY, "AllocatedMethodId", "AllocatedResourceId", "BilledCost",
    "BillingAccountId", "BillingPeriodEnd", "BillingPeriodStart", "ChargeDescription",
    "ChargePeriodEnd", "ChargePeriodStart", "ConsumedQuantity", "ContractedCost",
    "ContractedUnitPrice", "EffectiveCost", "HostProviderName", "InvoiceIssuerName", "ListCost",
    "ListUnitPrice", "PricingQuantity", "ProviderName", "PublisherName", "ResourceId",
    "ResourceName", "ServiceName", "ServiceProviderName", "SkuId", "SkuMeter", "SkuPriceDetails",
    "SkuPriceId", "SubAccountId", "SubAccountName", "Tags",
})  # fmt: skip


def _write(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


@cache
def _find_maker(model: str | None) -> str:
    """Whose price list a model's price comes from, which is who bills it."""
    price = None if model is None else price_of(model)
    return "unknown" if price is None else price.source.rsplit(", ", 1)[-1].capitalize()
