"""Planning and scheduling: a world of 15 MCP servers, compound tasks over it, and the run.

world    15 servers, each one file with its data beside it; deterministic from a seed
pool     one shared set of MCP connections: prefixed names, parallel calls, restarts
tasks    how tasks are made, screened, proved solvable and checked by program
run      the Inspect task: selection, scheduling, turns

Importing this package imports neither Inspect nor the MCP SDK.
"""
