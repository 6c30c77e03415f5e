"""Which session a trajectory belongs to: the main agent that it goes back to."""

import polars as pl


def roots_of(trajectories: pl.DataFrame) -> pl.DataFrame:
    """Every trajectory with its `session`: the main one that it goes back to."""
    ids = trajectories.select("trajectory_id").unique(maintain_order=True)
    started = trajectories.select("trajectory_id", "parent_id").drop_nulls()
    with_parent = started.join(ids, left_on="parent_id", right_on="trajectory_id", how="semi")
    parents = dict(with_parent.iter_rows())

    def root(name: str) -> str:
        seen = {name}
        while (parent := parents.get(name)) is not None and parent not in seen:
            seen.add(parent)
            name = parent
        return name

    session = pl.col("trajectory_id")
    if parents:
        session = session.replace(list(parents), [root(name) for name in parents])
    return ids.with_columns(session=session)
