"""Checks a file of FOCUS rows against what FOCUS 1.4 says of usage that is charged.

    python tools/check_focus.py FILE.csv

Prints each broken rule with the number of rows, and exits with 1 where there is one. The published
validator (focus-validator 2.2.1) knows FOCUS 1.2; this knows the columns that came later too, those
of host and service provider and of allocation, and no charge but usage.
"""

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

Row = dict[str, str]
Rule = Callable[[Row], bool]

NEVER_EMPTY = (
    "BilledCost", "BillingAccountId", "BillingAccountName", "BillingCurrency", "BillingPeriodEnd",
    "BillingPeriodStart", "ChargeCategory", "ChargeDescription", "ChargeFrequency",
    "ChargePeriodEnd", "ChargePeriodStart", "ContractedCost", "ContractedUnitPrice",
    "EffectiveCost", "HostProviderName", "InvoiceIssuerName", "ListCost", "ListUnitPrice",
    "PricingQuantity", "PricingUnit", "ServiceCategory", "ServiceName", "ServiceProviderName",
    "ServiceSubcategory", "SkuId", "SkuMeter", "SkuPriceId",
)  # fmt: skip
"""Of usage."""
ALSO = ("AllocatedMethodId", "AllocatedResourceId", "ChargeClass", "ConsumedQuantity",
        "ConsumedUnit", "PricingCategory", "PricingCurrency", "RegionId", "ResourceId",
        "SkuPriceDetails", "SubAccountId", "Tags")  # fmt: skip
"""Columns that must be there, and may be empty."""
NUMBERS = ("BilledCost", "ConsumedQuantity", "ContractedCost", "ContractedUnitPrice",
           "EffectiveCost", "ListCost", "ListUnitPrice", "PricingQuantity")  # fmt: skip
MOMENTS = ("BillingPeriodEnd", "BillingPeriodStart", "ChargePeriodEnd", "ChargePeriodStart")
VALUES = {
    "ChargeCategory": {"Usage"},
    "ChargeClass": {"", "Correction"},
    "ChargeFrequency": {"One-Time", "Recurring", "Usage-Based"},
    "PricingCategory": {"Standard", "Dynamic", "Committed", "Other"},
    "ServiceCategory": {"AI and Machine Learning"},
    "ServiceSubcategory": {
        "AI Platforms", "Bots", "Generative AI", "Machine Learning",
        "Natural Language Processing", "Other (AI and Machine Learning)",
    },
}  # fmt: skip
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_CURRENCY = re.compile(r"[A-Z]{3}")
_COLUMN = re.compile(r"(x_[A-Za-z0-9_]+|[A-Z][A-Za-z0-9]+)")
NEAR = 1e-6


def main(words: list[str]) -> int:
    (file,) = map(Path, words)
    with file.open(newline="", encoding="utf-8") as stream:
        reader = csv.DictReader(stream)
        broken = check(list(reader.fieldnames or ()), [*reader])
    for rule, rows in broken.items():
        print(f"{rule}: {rows} rows")
    return 1 if broken else 0


def check(columns: list[str], rows: list[Row]) -> dict[str, int]:
    """Broken rule -> rows; a column that is missing breaks it for all."""
    missing = [name for name in (*NEVER_EMPTY, *ALSO) if name not in columns]
    odd = [name for name in columns if not _COLUMN.fullmatch(name)]
    broken = Counter({f"{name}: the column is missing": len(rows) for name in missing})
    broken |= Counter({f"{name}: no name of FOCUS": len(rows) for name in odd})
    if not missing:
        for row in rows:
            broken.update(rule for rule, holds in RULES.items() if not holds(row))
    return {rule: count for rule, count in broken.items() if count}


def _is_number(text: str) -> bool:
    return not text or bool(_NUMBER.fullmatch(text))


def _is_product(row: Row, cost: str, price: str) -> bool:
    expected = float(row[price]) * float(row["PricingQuantity"])
    return abs(float(row[cost]) - expected) <= NEAR + 1e-6 * abs(expected)


def _is_object_of_texts(text: str) -> bool:
    try:
        found = json.loads(text)
    except ValueError:
        return False
    return isinstance(found, dict) and all(isinstance(each, str) for each in found.values())


def _read(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _is_whole_month(row: Row) -> bool:
    start, end = _read(row["BillingPeriodStart"]), _read(row["BillingPeriodEnd"])
    is_first = (start.day, end.day, start.hour, end.hour) == (1, 1, 0, 0)
    return is_first and (end - start).days in (28, 29, 30, 31)


RULES: dict[str, Rule] = {
    **{f"{name}: empty": lambda row, name=name: bool(row[name]) for name in NEVER_EMPTY},
    **{f"{name}: no number": lambda row, name=name: _is_number(row[name])
       for name in NUMBERS},
    **{f"{name}: no moment of UTC": lambda row, name=name: bool(_MOMENT.fullmatch(row[name]))
       for name in MOMENTS},
    **{f"{name}: not one of the allowed values":
       lambda row, name=name, known=known: row[name] in known for name, known in VALUES.items()},
    "BillingCurrency: no ISO 4217 code":
        lambda row: bool(_CURRENCY.fullmatch(row["BillingCurrency"])),
    "PricingCurrency: differs from the billing currency":
        lambda row: row["PricingCurrency"] == row["BillingCurrency"],
    "ChargePeriod: outside of its billing period":
        lambda row: row["BillingPeriodStart"] <= row["ChargePeriodStart"]
        < row["ChargePeriodEnd"] <= row["BillingPeriodEnd"],
    "BillingPeriod: no whole month": _is_whole_month,
    "ListCost: not unit price times quantity":
        lambda row: _is_product(row, "ListCost", "ListUnitPrice"),
    "ContractedCost: not unit price times quantity":
        lambda row: _is_product(row, "ContractedCost", "ContractedUnitPrice"),
    "ConsumedUnit: empty beside a quantity":
        lambda row: bool(row["ConsumedUnit"]) == bool(row["ConsumedQuantity"]),
    "AllocatedMethodId: without what it is allocated to":
        lambda row: bool(row["AllocatedMethodId"]) == bool(row["AllocatedResourceId"]),
    "Tags: no object of texts": lambda row: _is_object_of_texts(row["Tags"]),
    "SkuPriceDetails: no object of texts": lambda row: _is_object_of_texts(row["SkuPriceDetails"]),
    "SkuPriceId: of another SKU": lambda row: row["SkuPriceId"].startswith(row["SkuId"]),
}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
