"""Papers as one command each: the verbs' own experiments, and a page with the paper's tables.

`agentdyno paper NAME` runs what stands here (entry point group `agentdyno.papers`), or reads what
is there with `--from`. The tables and
figures with the papers' printed rows are `NAME.toml` in the paper's own room.
"""

from agentdyno.pipelines.papers import Paper

PAPERS = (
    Paper(
        "pte",
        "Beyond Accuracy: Unveiling Inefficiency Patterns in Tool-Integrated Reasoning",
        "agentdyno_bench.pte",
        "agentdyno_bench.pte.page:run",
        "agentdyno_bench.pte.page:read",
    ),
    Paper(
        "utility",
        "Eta Given Delta: Defining LLM Tool Efficiency With Marginal Tool Utility",
        "agentdyno_bench.utility",
        "agentdyno_bench.app.utility_experiment:run",
        "agentdyno_bench.app.utility_experiment:read",
    ),
    Paper(
        "tps",
        "TPS-Bench: Evaluating AI Agents' Tool Planning & Scheduling Abilities",
        "agentdyno_bench.tps",
        "agentdyno_bench.tps.page:run",
        "agentdyno_bench.tps.page:read",
    ),
    Paper(
        "toolfail",
        "ToolFailBench: Diagnosing Tool-Use Failures in LLM Agents",
        "agentdyno_bench.toolfail",
        "agentdyno_bench.toolfail.page:run",
        "agentdyno_bench.toolfail.page:read",
    ),
)
"""In the order in which they are listed."""
