"""Prompts that trajectories have in common: a server that keeps its cache prefills them once.

Takes a ledger, returns for each trajectory how many tokens at the beginning of its prompts others
of the same model have too: system prompt and tool schemas, where the same tools were offered and
the sizes are nearly the same. Texts are not looked at. The first trajectory of each group, by id,
pays for the prefix and has none.

Worked: three attempts with prompts of 4,000, 4,010 and 4,020 tokens share 4,000: 0, 4,000, 4,000.
"""

import polars as pl

from agentdyno.studies.tables import Tables

ID = "trajectory_id"
ALIKE = 1.05
"""Prompts of the same tools whose sizes differ by more are taken for different ones."""


def find_shared_prefixes(tables: Tables) -> pl.DataFrame:
    """`trajectory_id`, `shared` tokens, and the `origin` that pays for them; a trajectory that
    shares nothing is not there."""
    opening = pl.col("kind").is_in(["system", "schema"]) & (pl.col("enters") == 0)
    names = pl.concat_str("kind", pl.col("name").fill_null(""), separator=" ").sort()
    prompts = (
        tables.scan("parts")
        .filter(opening)
        .group_by(ID)
        .agg(offered=names.str.join("\0"), size=pl.col("tokens").sum())
        .join(tables.scan("trajectories").select(ID, "model"), on=ID)
        .sort(ID)
        .collect()
    )
    group = ["model", "offered"]
    alike = pl.col("size").max().over(group) <= ALIKE * pl.col("size").min().over(group)
    pays = pl.int_range(pl.len()).over(group) == 0
    shared = pl.when(pays).then(0.0).otherwise(pl.col("size").min().over(group))
    return prompts.filter(alike).select(ID, shared=shared, origin=pl.col(ID).first().over(group))
