"""The explorer: a local page over one ledger, or two to compare.

Takes a ledger's folder, serves a page on this machine. Asks tables and studies, and the traces for
excerpts; works out no cost of its own. Writes nothing.
"""
