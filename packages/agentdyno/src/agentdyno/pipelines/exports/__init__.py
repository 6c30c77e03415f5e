"""Writes the trajectories of a ledger in the formats of other tools.

    transcript        a trajectory -> messages, which every format below is written from
    atif              Agent Trajectory Interchange Format, a file a trajectory
    otel_spans        OpenTelemetry GenAI spans as OTLP JSON, a line a trajectory
    scout             Inspect Scout's transcripts as Parquet

Texts are read again from the traces and come without what the rules take for a secret.
"""
