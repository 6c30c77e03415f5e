"""FOCUS rows add up to the ledger, file by file, and keep what the specification says."""

import csv
import json
import shutil
from collections import defaultdict
from pathlib import Path

import pytest
from tools.check_focus import check

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.exports.focus import METHOD, write_focus
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.studies.selection import Selection
from agentdyno.studies.views import View
from tests.conftest import ROOT

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


def test_rows_keep_what_the_specification_says(ledger: Path, tmp_path: Path) -> None:
    write_focus(ledger, tmp_path / "f.csv")
    rows = read(tmp_path / "f.csv")
    assert check([*rows[0]], rows) == {}
    assert all(len({row[name] for name in COSTS}) == 1 for row in rows)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"BilledCost": ""}, "BilledCost: empty"),
        ({"ListCost": "7"}, "ListCost: not unit price times quantity"),
        ({"ChargePeriodStart": "2026-03-02"}, "ChargePeriodStart: no moment of UTC"),
        ({"ChargeCategory": "Tokens"}, "ChargeCategory: not one of the allowed values"),
        ({"Tags": "a=b"}, "Tags: no object of texts"),
        ({"AllocatedMethodId": "m", "AllocatedResourceId": ""},
         "AllocatedMethodId: without what it is allocated to"),
    ],
)  # fmt: skip
def test_the_check_finds_what_breaks_it(
    ledger: Path, tmp_path: Path, change: dict[str, str], rule: str
) -> None:
    write_focus(ledger, tmp_path / "f.csv")
    rows = read(tmp_path / "f.csv")
    found = check([*rows[0]], [rows[0] | change, *rows[1:]])
    assert found[rule] == 1
    assert check([name for name in rows[0] if name != "SkuMeter"], rows)


def test_a_selection_is_all_that_is_written(ledger: Path, tmp_path: Path) -> None:
    view = View(selection=Selection(where=(("project", "shop"),)))
    write_focus(ledger, tmp_path / "f.csv", view)
    assert {row["SubAccountId"] for row in read(tmp_path / "f.csv")} == {"/home/ada/shop"}
