"""A share over tasks: Wilson's interval where trials of a task agree, resampled tasks elsewhere.

A resample without any of the few tasks that differ has no spread, and makes nonsense of the rest:
3 of 20 would reach from 3 to 100 %.
"""

from statistics import fmean

from agentdyno.estimates.estimate import Estimate, as_share
from agentdyno.estimates.means import ByTask, clustered_mean
from agentdyno.estimates.proportions import wilson


def clustered_share(trials: ByTask, confidence: float = 0.95) -> Estimate:
    """Mean of values from 0 to 1 over all trials, by task; n counts tasks."""
    means = [fmean(values) for values in trials.values() if values]
    if means and all(mean in (0.0, 1.0) for mean in means):
        return wilson(sum(means), len(means), confidence)
    return as_share(clustered_mean(trials, confidence))
