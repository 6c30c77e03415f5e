"""Think@n over an agent's own samples: keep the half that looks best after a prefix.

Of n samples of a task the half with the highest DTR of its first 50 tokens is kept, as Think@n
does; beside it the half that is surest of them, the shortest half, and all. An agent's answer is an
act in a world, so there is nothing to vote on: a choice is worth the mean mark of what it keeps.
Ties keep the earlier sample. Cost = tokens of kept samples + 50 for each other.

Worked: marks 1, 0, 1, 0 with prefix DTR 0.4, 0.3, 0.2, 0.1: all 0.5, kept by DTR 0.5, gain 0.
"""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate, as_share
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.paired import paired_difference
from agentdyno_train.studies.instruments.rollout_frames import KEY, RolloutFrames

PREFIX = 50
ORDERS = {
    "highest DTR": ("dtr", True),
    "surest": ("prefix_certainty", True),
    "shortest": ("output_tokens", False),
    "best in hindsight": ("score", True),
}
"""What a method sorts by, and whether the highest come first."""
METHODS = ("all samples", "highest DTR", "surest", "shortest", "best in hindsight")


class Choice(Struct, frozen=True):
    """One way of choosing among samples."""

    agent: str
    level: str
    method: str
    """Which samples are kept."""
    mark: Estimate
    """Mean mark of kept samples, clustered by task."""
    gain: Estimate | None
    """Over all samples, paired by task; None for all themselves."""
    tokens_over_all: float
    """Tokens that it takes, over those of all samples."""


def choices(frames: RolloutFrames) -> list[Choice]:
    """Every agent and level with two samples of a task or more."""
    frame = _samples(frames)
    found = []
    for agent in frames.agents:
        for level in sorted(frame["level"].unique()):
            here = frame.filter((pl.col("agent") == agent) & (pl.col("level") == level))
            tasks = [
                rows for _, rows in here.group_by("task", maintain_order=True) if len(rows) > 1
            ]
            if tasks:
                found += _compare(agent, level, tasks)
    return found


def _samples(frames: RolloutFrames) -> pl.DataFrame:
    first = frames.depths.filter(pl.col("attempt") > 0).sort(*KEY, "turn")
    bits = first.group_by(KEY, maintain_order=True).agg(
        pl.col("deep").str.join("").str.slice(0, PREFIX).alias("prefix"),
        pl.col("prefix_certainty").first(),
    )
    deep = pl.col("prefix").str.count_matches("1") / pl.col("prefix").str.len_chars()
    marked = frames.attempts.filter((pl.col("attempt") > 0) & pl.col("score").is_not_null())
    return marked.join(bits.with_columns(dtr=deep), on=KEY).sort(*KEY)


def _compare(agent: str, level: str, tasks: list[pl.DataFrame]) -> list[Choice]:
    all_marks = {str(rows["task"][0]): rows["score"].to_list() for rows in tasks}
    spent = sum(int(rows["output_tokens"].sum()) for rows in tasks)
    found = []
    for method in METHODS:
        selected = {str(rows["task"][0]): _select(rows, method) for rows in tasks}
        marks = {task: rows["score"].to_list() for task, rows in selected.items()}
        tokens = sum(_tokens(rows, selected[str(rows["task"][0])], method) for rows in tasks)
        gain = None if method == METHODS[0] else paired_difference(all_marks, marks)
        found.append(
            Choice(agent, level, method, as_share(clustered_mean(marks)), gain, tokens / spent)
        )
    return found


def _select(rows: pl.DataFrame, method: str) -> pl.DataFrame:
    half = (len(rows) + 1) // 2
    if method not in ORDERS:
        return rows
    by, down = ORDERS[method]
    count = 1 if method == "best in hindsight" else half
    return rows.sort(by, descending=down, maintain_order=True).head(count)


def _tokens(rows: pl.DataFrame, selected: pl.DataFrame, method: str) -> int:
    """What is paid: hindsight reads everything, and so does whoever waits for the shortest."""
    if method == "best in hindsight":
        return int(rows["output_tokens"].sum())
    others = len(rows) - len(selected)
    longest = int(selected["output_tokens"].max() or 0)  # type: ignore[arg-type,unused-ignore]
    each = longest if method == "shortest" else PREFIX
    return int(selected["output_tokens"].sum()) + each * others
