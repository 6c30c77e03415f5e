"""Marginal tool utility (Eta Given Delta): which calls helped, and which tools should go.

    judge      models are asked about calls
    rollouts   attempts are continued from before and after a call
    ablation   a benchmark with fewer tools
    worth      does a tool pay: with and without it, and a verdict
    facts      a world in which the worth of every call is known
    findings, studies, report    what follows for tools
    page       the paper's tables (`utility.toml`)

What delta and eta are: `agentdyno.measures.utility`.
"""
