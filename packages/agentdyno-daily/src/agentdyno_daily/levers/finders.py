"""The finders of levers, one file for each sort with its `FINDERS`."""

from agentdyno_daily.levers import sections, turn_settings, unused

LEVERS = (
    *turn_settings.FINDERS,
    *unused.FINDERS,
    *sections.FINDERS,
)
