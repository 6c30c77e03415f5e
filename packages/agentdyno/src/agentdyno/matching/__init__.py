"""Evidence links: typed values in texts, their positions, and what a call reads and changes.

Takes texts, JSON and calls; returns values, places and effects. Pure, linear in the text, and the
only definition of these ideas: metrics, benchmarks and judges ask here. Knows nothing of ledgers,
costs or verdicts.

values        numbers with units, dates, times, codes, paths, names; compared, derived, rejected
effects       reads, writes, runs or waits; programs, resources, certainty
"""
