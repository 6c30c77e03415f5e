"""`calibrate --ledger`: which model is fitted, and what a ledger must have."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.servings import Servings
from agentdyno.records import InputError
from agentdyno_depth.pipelines import calibrate
from agentdyno_depth.pipelines.calibrate import CalibrateOptions, run_calibration


def turns(*models: str, each: int = 60, timed: bool = True) -> pl.DataFrame:
    chance, many = np.random.default_rng(1), each * len(models)
    context, decode = chance.integers(500, 9000, many), chance.integers(5, 300, many)
    return pl.DataFrame(
        {
            "trajectory_id": [f"t{place // 5}" for place in range(many)],
            "model": [model for model in models for _ in range(each)],
            "context_tokens": context,
            "cached_tokens": [None] * many,
            "decode_tokens": decode,
            "latency_seconds": 0.5 + 3e-5 * context + 0.01 * decode if timed else [None] * many,
            "latency_valid": [None] * many,
        },
        schema_overrides={"latency_seconds": pl.Float64, "latency_valid": pl.Boolean,
                          "cached_tokens": pl.Int64},
    )  # fmt: skip


@pytest.fixture
def ledger_of(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def use(frame: pl.DataFrame) -> None:
        class Held:
            def __init__(self, path: Path) -> None:
                pass

            def read(self, table: str) -> pl.DataFrame:
                return frame

        monkeypatch.setattr(calibrate, "Ledger", Held)

    return use


def test_the_only_model_is_fitted_and_a_proxy_is_said(ledger_of, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    ledger_of(turns("gpt-4.1"))
    told: list[str] = []
    found = run_calibration(
        CalibrateOptions(ledger=Path("led")), tmp_path / "p.toml", report=told.append
    )
    assert found.bursts == 60
    assert found.found.model.seconds[0] == pytest.approx(0.01, rel=0.02)
    # Waiting at an unknown load is no GPU-seconds: the profile keeps it apart, and its costs are
    # those of the data sheet.
    written = resolve_hardware(str(tmp_path / "p.toml"))
    assert [waited.error for waited in written.waiting] == [pytest.approx(found.found.error)]
    assert Servings(str(tmp_path / "p.toml")).of("gpt-4.1").source == "theory"
    assert told[0].startswith("architecture by proxy")


@pytest.mark.parametrize(
    ("frame", "model", "said"),
    [
        (turns("a", "b"), "smollm2", r"expected --model.*a \(60\), b \(60\)"),
        (turns("a"), "b", r"expected latencies of b, found: a \(60\)"),
        (turns("a", timed=False), "a", "expected turns with a recorded latency, found none"),
        (turns("a", each=10), "a", "needs 30 turns"),
    ],
)
def test_what_a_ledger_lacks_is_said(  # type: ignore[no-untyped-def]
    ledger_of, tmp_path: Path, frame: pl.DataFrame, model: str, said: str
) -> None:
    ledger_of(frame)
    with pytest.raises(InputError, match=said):
        run_calibration(CalibrateOptions(ledger=Path("led"), model=model), tmp_path / "p.toml")
    assert not (tmp_path / "p.toml").exists()
