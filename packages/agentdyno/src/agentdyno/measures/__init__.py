"""What five papers define, a file a paper and two more for PTE: pure functions over plain values.

| module | paper | what it defines |
|---|---|---|
| `pte` | Beyond Accuracy (tool-integrated reasoning) | PTE, cache assumptions |
| `gamma` | the same, section 3.3 and appendix A | gamma, operational intensity |
| `patterns` | the same, appendices E and F | four patterns; cost against difficulty |
| `utility` | Eta Given Delta | marginal tool utility, tool efficiency |
| `depth` | Think Deep, Not Just Long | deep-thinking ratio, Think@n, its baselines |
| `planning` | TPS-Bench | completion, selection, schedules, cost-of-pass |
| `failures` | ToolFailBench | the published rule, six rates, votes, agreement |

Each docstring has the formula with its section, an example worked by hand, and the erratum where
the paper is wrong. Numbers, sequences and numpy arrays in, numbers out: no file, no table, no
model. Everything else that computes one of these figures calls the function here; where a fast path
must differ (tensors), a test holds it equal.

    from agentdyno.measures import pte
    pte.trajectory([(1000, 200), (1500, 300)], architecture="qwen3-32b", hardware="h100-pcie")
"""
