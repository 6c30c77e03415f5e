"""PTE (Beyond Accuracy): the experiment that measured it.

    tir        questions with tools: sets, prompts, the Inspect task, grading
    tools      Python in a sandbox, search, visiting pages
    patterns   how often the four patterns stand in trajectories, and what they cost
    studies    by turn, by difficulty, by outcome, on other hardware, against latency
    page       the paper's tables and figures (`pte.toml`)

What PTE and the patterns are: `agentdyno.measures.pte`, `agentdyno.measures.patterns`.
"""
