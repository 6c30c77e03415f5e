"""ToolFailBench: where the loop of using a tool breaks.

    tasks      the tasks and how they are run
    findings   labels and rates
    judge      judges of failures
    classify   labels for a ledger
    studies, report    what a report says
    page       the paper's tables (`toolfail.toml`)

The published rule and the rates: `agentdyno.measures.failures`.
"""
