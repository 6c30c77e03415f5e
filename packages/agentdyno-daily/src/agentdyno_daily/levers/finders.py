"""The finders of levers, one file for each sort with its `FINDERS`; what `whatif` can compute is
asked of `whatif`, so that the two agree.
"""

from agentdyno_daily.levers import cache, cheaper_settings, policies, predicted, projects, servers

LEVERS = (
    *cheaper_settings.FINDERS,
    *servers.FINDERS,
    *projects.FINDERS,
    *predicted.FINDERS,
    *policies.FINDERS,
    *cache.FINDERS,
)
