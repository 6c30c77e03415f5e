"""Numbers printed in the PTE paper (arXiv:2604.05404v1), as text so that their digits stay."""

MODELS = """
Qwen2.5-7B-Instruct       6.53  28  3584   7  0.00329
Qwen2.5-32B-Instruct      31.0  64  5120   2  0.00320
Qwen2.5-72B-Instruct      70.0  80  8192   8  0.00175
Qwen3-32B                 31.2  64  5120   8  0.00200
Llama-3.1-8B-Instruct     8.0   32  4096   4  0.00625
Llama-3.1-70B-Instruct    70.6  80  8192   8  0.00175
Qwen3-30B-A3B             3.3   48  2048   8  0.00563
Qwen3-235B-A22B-Instruct  22    94  4096  16  0.00163
Qwen3-235B-A22B-Thinking  22    94  4096  16  0.00163
GLM-4.5-Air               12    46  4096  12  0.00200
GLM-4.5                   32    92  5120  12  0.00183
DeepSeek-V3.1-Terminus    37    61  576    1  0.00068
GPT-OSS-120B              5.1   36  2880   8  0.00388
"""
"""Table 3: billions of active parameters, layers, width, query heads per key head, gamma."""

HARDWARE = """
H100      1513  2.00  756.5  1.0   1.000000  1.000
H200      1617  4.80  348.1  0.46  0.994505  0.995
A100       624  1.93  322.5  0.43  0.989011  0.989
V100       125  0.90  138.9  0.18  0.956044  0.956
RTX-4090   330  1.00  327.4  0.43  0.989011  0.989
"""
"""Tables 4 and 2: peak TFLOPS, bandwidth in TB/s, HOI, alpha, rho; then rho of Table 2."""

MATHEMATICS = """
Qwen2.5-7B-Instruct    40.8 1808 1.178  2117   3.3  5086 0.500   5519  3.3  1461 0.133   1793
Qwen2.5-32B-Instruct   69.2 1517 1.840  1659  26.7  2040 1.267   2436 20.0  3382 2.467   3894
Qwen2.5-72B-Instruct   63.2 1668 1.264  1544  16.7  2855 1.267   2801 10.0  3237 1.367   3402
Qwen3-32B              55.6 7852 2.064 10912  53.3 27290 2.367  60374 33.3 34853 2.567  65356
Llama-3.1-8B-Instruct  28.0  844 0.922   963  10.0  1239 1.033   1307 10.0  3459 1.333   4203
Llama-3.1-70B-Instruct 38.6  718 1.162   702   3.3   735 1.100    719  6.7   815 1.000    797
Qwen3-235B-Instruct    79.2 3266 1.024  2861  76.7  9624 1.033   9618 63.3 13494 1.100  19956
Qwen3-235B-Thinking    83.2 7023 1.022  8406  83.3 25261 1.000  34735 80.0 26811 0.933  35829
GLM-4.5-Air            72.9 7982 1.766 11569  66.7 22717 2.500  30359 53.3 17836 1.633  24489
GLM-4.5                45.6 3621 0.960  4331  20.0  6478 0.833   8270 10.0  6182 0.967   9555
DeepSeek-V3.1-Terminus 81.4 4210 1.908 28203  56.7 31982 2.800 292724 60.0 21492 2.933  21639
GPT-OSS-120B           78.8 6363 2.604 18306 24016  5439 5.867  87049 60.0 25958 6.333  89627
Tongyi-Deepresearch    77.6 7925 1.242 27387  60.0 28315 1.133 143937 56.7 23912 0.900 104796
"""
"""Table 5: accuracy, tokens, tool uses and PTE on MATH500, AIME24 and AIME25."""

SEARCH = """
Qwen2.5-7B-Instruct     70.1   3533  2.409   3674  10.5   2589  1.485   3368
Qwen2.5-32B-Instruct    50.2   5300  4.020   5361  47.7   2953  1.799   3813
Qwen2.5-72B-Instruct    89.2   5909  2.380   6006  36.5   3407  1.775   3557
Qwen3-32B               65.6   2903  0.985  15573  38.5   3883  1.885  14635
Llama-3.1-8B-Instruct   38.4   1024  1.140   1085  14.1   1373  1.291   1764
Llama-3.1-70B-Instruct  51.2   3083  1.720   3120   5.5   1154  1.120   1187
Qwen3-235B-Instruct     85.1   3166  2.325   3184  47.0   3831  1.400  15772
Qwen3-235B-Thinking     81.7   6325  1.787   9306  45.0   9787  1.180  63154
GLM-4.5-Air             84.6  17992  4.860  22045  19.0   4854  1.065   5170
GLM-4.5                 92.9  17122  4.455  20617  13.5   2964  1.005   3424
DeepSeek-V3.1-Terminus  87.6  20783  5.235  21023  43.6  26583  6.840  27137
GPT-OSS-120B            90.4  12641  3.480  15474  45.0  10640  3.740  21256
Tongyi-Deepresearch      4.8  14155  6.940  45677  21.5  16509  3.830  63154
"""
"""Table 6: accuracy, tokens, tool uses and PTE on SimpleQA and WebInstruct-Verified."""

GAPS = """
GPT-OSS          +5.1    +158.2  +371.1
GLM-4.5-Air      +419.9  +82.7   +259.9
Qwen3-32B        +793.2  +69.6   +100.2
Qwen2.5-72B      +43.0   +32.3   +16.9
Dv3.1-terminus   +341.8  -0.2    +46.3
"""
"""Table 8: percent more PTE of incorrect over correct, at levels 1, 3 and 5."""

LATENCY = "0.625 0.681 0.734 0.758 0.925"
"""Table 10: correlation with latency of tokens, three price ratios, and PTE."""


def rows(table: str) -> list[list[str]]:
    """A table of this module as lists of cells, the row's name first."""
    return [line.split() for line in table.strip().splitlines()]
