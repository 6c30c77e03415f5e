"""Intervals, correlations and tests: numbers in, a value that says how sure it is out.

Each idea has its own module, named below; nothing is imported here, so that a command which
needs no statistics pays for none. Knows nothing of trajectories, ledgers or metrics.

- `values`: what every function returns
- `proportions`: Wilson interval, two proportions compared
- `correlation`: Pearson, Spearman, partial
- `means`: mean clustered by task
- `paired`, `unpaired`: difference and ratio of means between two sides
- `resampling`, `studentised`: the bootstrap under the three above
- `limits`: is a limit broken, kept, or can the data not tell
- `multiplicity`: Holm's correction
"""
