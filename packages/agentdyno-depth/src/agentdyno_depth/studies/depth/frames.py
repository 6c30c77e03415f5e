"""The table `depth` as its analyses need it: one reading, joined with settings, tasks and outcomes.

A reading is one model with one pair of thresholds. A trajectory's ratio is over all its tokens, so
long turns weigh more: turns of 100 tokens with 0.2 and of 300 with 0.4 make 0.35.
"""

import polars as pl
from msgspec import Struct

from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.frames import SETTING
from agentdyno.studies.tables import Tables
from agentdyno_depth.records.depth import PAPER

KEYS = ("depth_model", "g", "rho")
CONFIDENCES = ("mean_log_prob", "entropy", "self_certainty")
OTHER_NAMES = {"smollm2-135m-instruct": "smollm2"}
"""What traces call a model that has a short name here."""


class DepthReading(Struct, frozen=True):
    """One model with one pair of thresholds."""

    model: str
    g: float
    """Distance at which a layer has settled."""
    rho: float
    """Share of the layers at which the deep ones begin."""
    trajectories: int
    """Trajectories it has rows of."""


class DepthFrames(Struct, frozen=True):
    """Rows of one reading; `setting` is a place in `settings`, `task` what attempts share."""

    reading: DepthReading
    settings: list[SettingName]
    """Those with rows, most trajectories first."""
    trajectories: pl.DataFrame
    """One row each: setting, task, correct, turns, tokens, call_tokens, dtr, call_dtr, rest_dtr,
    mean_log_prob, entropy, self_certainty."""
    turns: pl.DataFrame
    """One row for each turn: setting, task, turn, dtr, depth_tokens, call_dtr, call_tokens."""
    written_by: list[str]
    """The models that wrote what was read, where the traces say so."""
    unread: int
    """Trajectories of the ledger that it has no rows of."""

    @property
    def foreign(self) -> list[str]:
        """The writers that are not the reading model."""
        reading_model = bare_name(self.reading.model)
        return [name for name in self.written_by if bare_name(name) != reading_model]

    def of(self, setting_id: int) -> pl.DataFrame:
        """The trajectories of one setting."""
        return self.trajectories.filter(setting=setting_id)


def depth_readings(ledger: Tables) -> list[DepthReading]:
    """Every reading of the ledger: the paper's thresholds first, then the larger ones."""
    if not ledger.has("depth"):
        return []
    rows = ledger.scan("depth").group_by(KEYS).agg(pl.col("trajectory_id").n_unique()).collect()
    readings = [DepthReading(*row) for row in rows.iter_rows()]
    return sorted(
        readings, key=lambda r: ((r.g, r.rho) != (PAPER.g, PAPER.rho), -r.trajectories, r.model)
    )


def load_depth(ledger: Tables, reading: DepthReading) -> DepthFrames:
    """The rows of one reading."""
    key = {"depth_model": reading.model, "g": reading.g, "rho": reading.rho}
    rows = ledger.scan("depth").filter(pl.col("call").is_null()).filter(**key).collect()
    everything = ledger.read("trajectories")
    read = everything.join(rows.select("trajectory_id").unique(), on="trajectory_id")
    names = (
        read.group_by(SETTING)
        .len()
        .sort("len", *SETTING, descending=[True, False, False, False], nulls_last=True)
        .drop("len")
        .with_row_index("setting")
    )
    keyed = read.join(names, on=SETTING, nulls_equal=True).select(
        "trajectory_id", "correct", pl.col("setting").cast(pl.Int64), task=_task()
    )
    turns = rows.join(keyed, on="trajectory_id").sort("trajectory_id", "turn")
    return DepthFrames(
        reading=reading,
        settings=[SettingName(*row) for row in names.select(SETTING).iter_rows()],
        trajectories=_by_trajectory(turns),
        turns=turns,
        written_by=sorted(read["model"].drop_nulls().unique()),
        unread=len(everything) - len(read),
    )


def bare_name(model: str) -> str:
    """A model's name without its provider, folder and case."""
    last = model.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].lower().removesuffix(".gguf")
    return OTHER_NAMES.get(last, last)


def _task() -> pl.Expr:
    """Task 7 of one benchmark is not task 7 of another; without a task it is one of its own."""
    named = pl.concat_str(pl.col("benchmark").fill_null(""), pl.col("task_id"), separator="\0")
    return pl.coalesce(named, "trajectory_id")


def _by_trajectory(turns: pl.DataFrame) -> pl.DataFrame:
    tokens, calls = pl.col("depth_tokens"), pl.col("call_tokens")
    deep, call_deep = (pl.col("dtr") * tokens).sum(), (pl.col("call_dtr") * calls).sum()
    means = {name: _over((pl.col(name) * tokens).sum(), tokens.sum()) for name in CONFIDENCES}
    return turns.group_by("trajectory_id", maintain_order=True).agg(
        pl.col("setting", "task", "correct").first(),
        turns=pl.len(),
        tokens=tokens.sum(),
        call_tokens=calls.sum(),
        dtr=_over(deep, tokens.sum()),
        call_dtr=_over(call_deep, calls.sum()),
        rest_dtr=_over(deep - call_deep, (tokens - calls).sum()),
        **means,
    )


def _over(part: pl.Expr, total: pl.Expr) -> pl.Expr:
    """None where there is nothing to take a share of; a share is never off by rounding."""
    return pl.when(total > 0).then(part / total)
