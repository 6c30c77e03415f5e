"""Numbers printed in the deep-thinking paper, as text so that their digits stay."""

CORRELATIONS = """
AIME-2025  OSS-120B-low         0.504 -0.504  0.872  0.453  0.863  0.803  0.930
AIME-2025  OSS-120B-medium     -0.365  0.365  0.817  0.246  0.822  0.815  0.862
AIME-2025  OSS-120B-high       -0.961  0.961  0.705  0.552  0.711  0.728  0.796
AIME-2025  OSS-20B-low         -0.689  0.689  0.579  0.849  0.665  0.275  0.373
AIME-2025  OSS-20B-medium      -0.757  0.757  0.616 -0.677  0.637  0.097  0.161
AIME-2025  OSS-20B-high        -0.385  0.385  0.455 -0.795  0.550  0.489  0.610
AIME-2025  DeepSeek-R1-70B     -0.973  0.973  0.961  0.955  0.946  0.899  0.974
AIME-2025  Qwen3-30B-Thinking  -0.663  0.663 -0.008 -0.035  0.154  0.828  0.855
AIME-2024  OSS-120B-low        -0.166  0.166  0.897  0.682  0.869  0.741  0.840
AIME-2024  OSS-120B-medium     -0.680  0.680  0.795 -0.293  0.908  0.924  0.533
AIME-2024  OSS-120B-high       -0.755  0.755  0.700 -0.275  0.593  0.654  0.905
AIME-2024  OSS-20B-low         -0.655  0.655  0.548 -0.342  0.667  0.584  0.730
AIME-2024  OSS-20B-medium      -0.827  0.827  0.195 -0.150  0.440  0.252 -0.192
AIME-2024  OSS-20B-high        -0.989  0.989  0.809  0.262  0.921  0.855  0.824
AIME-2024  DeepSeek-R1-70B     -0.987  0.987 -0.037  0.223  0.067  0.287  0.430
AIME-2024  Qwen3-30B-Thinking  -0.869  0.869 -0.857 -0.720 -0.680 -0.246 -0.657
GPQA-D     OSS-120B-low         0.682 -0.682  0.984  0.172  0.995  0.996  0.976
GPQA-D     OSS-120B-medium     -0.340  0.340  0.973  0.316  0.985  0.981  0.823
GPQA-D     OSS-120B-high       -0.970  0.970  0.854  0.501  0.813  0.885  0.845
GPQA-D     OSS-20B-low         -0.602  0.602  0.984  0.235  0.991  0.917  0.935
GPQA-D     OSS-20B-medium      -0.847  0.847  0.914  0.468  0.911  0.889  0.718
GPQA-D     OSS-20B-high        -0.794  0.794  0.879  0.461  0.902  0.915  0.992
GPQA-D     DeepSeek-R1-70B     -0.930  0.930  0.068 -0.133 -0.165 -0.532  0.885
GPQA-D     Qwen3-30B-Thinking  -0.634  0.634  0.589  0.865  0.711  0.943  0.828
HMMT-2025  OSS-120B-low         0.871 -0.871  0.761  0.629  0.695  0.884  0.305
HMMT-2025  OSS-120B-medium     -0.793  0.793  0.706  0.045  0.618  0.631  0.926
HMMT-2025  OSS-120B-high       -0.967  0.967  0.750  0.503  0.728  0.754  0.972
HMMT-2025  OSS-20B-low         -0.634  0.634 -0.695  0.549 -0.359 -0.489  0.689
HMMT-2025  OSS-20B-medium      -0.668  0.668  0.447  0.336  0.424  0.331  0.247
HMMT-2025  OSS-20B-high        -0.352  0.352  0.537  0.994  0.831  0.628  0.932
HMMT-2025  DeepSeek-R1-70B     -0.866  0.866  0.879  0.889  0.858  0.905  0.902
HMMT-2025  Qwen3-30B-Thinking  -0.950  0.950 -0.803 -0.762 -0.801  0.745  0.911
"""
"""Table 1: Pearson r of accuracy with the seven measures of MEASURES."""

MEASURES = [
    "token length",
    "reverse token length",
    "log probability",
    "negative perplexity",
    "negative entropy",
    "self-certainty",
    "DTR",
]

AVERAGES = "-0.594 0.594 0.527 0.219 0.571 0.605 0.683"
"""Table 1, last row."""

BENCHMARKS = ["AIME 25", "AIME 24", "HMMT 25", "GPQA-D"]

AGGREGATION = {
    "OSS-120B-medium": """
Cons            92.7   307.6    -  92.7  235.1    -  80.0   355.6    -  73.8   93.5    -
Mean            80.0   307.6    -  81.6  235.1    -  62.6   355.6    -  69.9   93.5    -
Long            86.7   307.6    -  86.7  235.1    -  73.3   355.6    -  73.2   93.5    -
Short           87.3   255.7  -17  88.0  200.9  -15  77.3   290.4  -18  73.3   84.4  -10
Self-Certainty  87.3   150.6  -51  91.3  119.3  -49  78.0   177.0  -50  76.0   47.9  -49
Think           94.7   155.4  -49  93.3  121.3  -48  80.0   181.9  -49  74.7   48.8  -48
""",
    "Qwen3-4B-Thinking": """
Cons            86.7  1073.1    -  93.3  950.1    -  63.3  1275.7    -  67.8  410.6    -
Mean            81.2  1073.1    -  86.3  950.1    -  55.7  1275.7    -  66.9  410.6    -
Long            85.3  1073.1    -  86.7  950.1    -  52.7  1275.7    -  66.7  410.6    -
Short           90.0   983.6   -8  90.0  871.0   -8  63.3  1165.7   -9  68.2  382.9   -7
Self-Certainty  86.7   548.9  -49  90.0  480.9  -49  63.3   641.4  -50  68.2  206.6  -50
Think           90.0   537.5  -50  93.3  482.2  -49  66.7   641.4  -50  69.7  206.8  -50
""",
}
"""Table 2: accuracy, cost in thousands of tokens and percent against Cons@n, on BENCHMARKS."""

PREFIXES = """
50    94.7  155.4
100   92.0  154.1
500   92.7  153.2
1000  92.7  177.4
2000  92.0  198.8
all   94.0  307.6
"""
"""Table 3: prefix length, accuracy and cost of Think@n on AIME 2025."""


def rows(table: str) -> list[list[str]]:
    """A table of this module as lists of cells."""
    return [line.split() for line in table.strip().splitlines()]
