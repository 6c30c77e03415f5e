"""Correlation over quantile bins: a score and an outcome per response in, Pearson r out.

The protocol of the deep-thinking paper (section 3.1): cut the responses into 5 quantile bins by
score, take the mean score and the mean outcome of each bin, correlate the means. Equal scores
always share a bin, so the answer does not depend on the order of the rows; bins that ties empty
are dropped. With five points r is easily large: the interval says how little it then means.

Worked: scores 1..10, outcomes 0 0 0 1 0 1 1 1 1 1 -> bin means 1.5 3.5 5.5 7.5 9.5 and
0, 0.5, 0.5, 1, 1 -> r = 0.945.
"""

import numpy as np
from msgspec import structs

from agentdyno.estimates.correlation import Column, complete_rows, pearson
from agentdyno.estimates.estimate import Estimate, undefined_estimate


def correlate_bins(scores: Column, outcomes: Column, bins: int = 5) -> Estimate:
    """Pearson correlation of mean score and mean outcome over quantile bins; n counts bins."""
    method = f"Pearson correlation over the means of {bins} quantile bins"
    score, outcome = complete_rows(scores, outcomes)
    if len(score) < bins:
        reason = f"{bins} bins need at least {bins} complete observations, got {len(score)}"
        return undefined_estimate(reason, n=0, method=method)
    edges = np.quantile(score, np.linspace(0, 1, bins + 1)[1:-1])
    place = np.searchsorted(edges, score, side="left")
    filled = np.unique(place)
    mean_scores = [float(score[place == each].mean()) for each in filled]
    mean_outcomes = [float(outcome[place == each].mean()) for each in filled]
    found = pearson(mean_scores, mean_outcomes)
    return structs.replace(found, n=len(filled), method=method)
