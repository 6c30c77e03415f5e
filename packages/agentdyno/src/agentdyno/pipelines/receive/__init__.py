"""Receives OpenTelemetry traces and logs over the network and adds them to a ledger.

    http_server, grpc_server   bytes of a request in, an answer out; limits, token, timeouts
    decoding                   a request -> its records; a bad record costs only itself
    redact                     secrets out, before anything is written
    segments                   records on disk, each trace in one file
    committer                  one write and one sync for all requests that wait
    folding                    a second process that measures the segments into the ledger

A record is acknowledged when it is on disk. The segments are ordinary trace files: what is wrong
with the ledger, or with a rule, is put right by measuring them again.
"""
