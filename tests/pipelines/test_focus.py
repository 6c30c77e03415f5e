"""FOCUS rows add up to the ledger, file by file, and keep what the specification says."""

import csv
import json
import re
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.exports.focus import METHOD, write_focus
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.studies.selection import Selection
from agentdyno.studies.views import View
from tests.conftest import ROOT

NEVER_EMPTY = (
    "BilledCost", "BillingAccountId", "BillingCurrency", "BillingPeriodEnd", "BillingPeriodStart",
    "ChargeCategory", "ChargeFrequency", "ChargePeriodEnd", "ChargePeriodStart", "ContractedCost",
    "EffectiveCost", "HostProviderName", "InvoiceIssuerName", "ListCost", "ListUnitPrice",
    "PricingQuantity", "PricingUnit", "ServiceCategory", "ServiceName", "ServiceProviderName",
    "ServiceSubcategory", "SkuId", "SkuMeter", "SkuPriceId",
)  # fmt: skip
"""For usage, by FOCUS 1.4."""
COSTS = ("BilledCost", "EffectiveCost", "ListCost", "ContractedCost")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("focus")
    shutil.copytree(ROOT / "examples" / "week", folder / "traces")
    measure([folder / "traces"], folder / "l", MeasureOptions(workers=1, costs_only=True))
    return folder / "l"


def read(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as stream:
        return [*csv.DictReader(stream)]


def test_rows_add_up_by_session_and_by_file(ledger: Path, tmp_path: Path) -> None:
    written, unpriced = write_focus(ledger, tmp_path / "f.csv")
    rows = read(tmp_path / "f.csv")
    assert (len(rows), unpriced) == (written, 0)
    turns = Ledger(ledger).read("turns").drop_nulls("started_at")
    by_session: dict[str, float] = defaultdict(float)
    tokens = 0.0
    for row in rows:
        by_session[row["ResourceId"]] += float(row["BilledCost"])
        tokens += float(row["ConsumedQuantity"])
    expected = dict(turns.group_by("trajectory_id").agg(usd=turns["usd"].sum()).iter_rows())
    assert set(by_session) == set(expected)
    assert sum(by_session.values()) == pytest.approx(turns["usd"].sum())
    assert tokens == pytest.approx(turns["context_tokens"].sum() + turns["decode_tokens"].sum())
    named = [row for row in rows if row["AllocatedMethodId"] == METHOD]
    assert named
    assert all(json.loads(row["Tags"])["file"] == row["AllocatedResourceId"] for row in named)
    cost = sum(float(r["BilledCost"]) for r in named if "checkout.py" in r["AllocatedResourceId"])
    calls = Ledger(ledger).read("calls")
    own = calls.filter(calls["subject"].str.contains("checkout.py").fill_null(value=False))
    assert cost == pytest.approx(own["usd"].sum(), rel=1e-6)
    causes = {json.loads(row["Tags"]).get("cause") for row in rows}
    assert len(causes - {None}) > 1


def test_columns_are_as_the_specification_says(ledger: Path, tmp_path: Path) -> None:
    write_focus(ledger, tmp_path / "f.csv")
    for row in read(tmp_path / "f.csv"):
        assert not [name for name in NEVER_EMPTY if not row[name]]
        moments = [row[f"{kind}Period{end}"] for kind in ("Billing", "Charge")
                   for end in ("Start", "End")]  # fmt: skip
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", each) for each in moments)
        assert moments[0] <= moments[2] < moments[3] <= moments[1]
        assert len({row[name] for name in COSTS}) == 1
        price, many = float(row["ListUnitPrice"]), float(row["PricingQuantity"])
        assert float(row["ListCost"]) == pytest.approx(price * many, abs=1e-6)
        assert isinstance(json.loads(row["Tags"]), dict)


def test_a_selection_is_all_that_is_written(ledger: Path, tmp_path: Path) -> None:
    view = View(selection=Selection(where=(("project", "shop"),)))
    write_focus(ledger, tmp_path / "f.csv", view)
    assert {row["SubAccountId"] for row in read(tmp_path / "f.csv")} == {"/home/ada/shop"}
