"""Papers as one command each: the verbs' own experiments, and a page with the paper's tables.

`agentdyno paper NAME` runs what stands here (entry point group `agentdyno.papers`). The tables and
figures with the papers' printed rows are `NAME.toml`.
"""

from agentdyno.pipelines.papers import Paper

PAPERS = (
    Paper(
        "toolfail",
        "ToolFailBench: Diagnosing Tool-Use Failures in LLM Agents",
        __name__,
        f"{__name__}.toolfail_page:run",
    ),
)
"""In the order in which they are listed."""
