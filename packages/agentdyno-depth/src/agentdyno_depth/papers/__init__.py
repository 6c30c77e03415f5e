"""The paper on deep thinking as one command: `agentdyno paper depth -m FOLDER` (entry point group
`agentdyno.papers`). Its tables and figures with the printed rows are `depth.toml`."""

from agentdyno.pipelines.papers import Paper

PAPERS = (
    Paper(
        "depth",
        "Think Deep, Not Just Long: Measuring LLM Reasoning Effort via Deep-Thinking Tokens",
        __name__,
        f"{__name__}.depth_page:run",
        f"{__name__}.depth_page:read",
    ),
)
