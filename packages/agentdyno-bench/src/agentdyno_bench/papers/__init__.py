"""Papers as one command each: the verbs' own experiments, and a page with the paper's tables.

`agentdyno paper NAME` runs what stands here (entry point group `agentdyno.papers`). The tables and
figures with the papers' printed rows are `NAME.toml`.
"""

from agentdyno.pipelines.papers import Paper

PAPERS = (
    Paper(
        "pte",
        "Beyond Accuracy: Unveiling Inefficiency Patterns in Tool-Integrated Reasoning",
        __name__,
        f"{__name__}.pte_page:run",
    ),
    Paper(
        "utility",
        "Eta Given Delta: Defining LLM Tool Efficiency With Marginal Tool Utility",
        __name__,
        f"{__name__}.utility_experiment:run",
    ),
    Paper(
        "tps",
        "TPS-Bench: Evaluating AI Agents' Tool Planning & Scheduling Abilities",
        __name__,
        f"{__name__}.tps_page:run",
    ),
    Paper(
        "toolfail",
        "ToolFailBench: Diagnosing Tool-Use Failures in LLM Agents",
        __name__,
        f"{__name__}.toolfail_page:run",
    ),
)
"""In the order in which they are listed."""
