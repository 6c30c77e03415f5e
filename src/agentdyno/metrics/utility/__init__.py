"""Whether calls helped: efficiency, utility by tool and place, streaks, advice.

Takes judged calls, returns numbers with intervals. Knows nothing of judges, files or prices.
Source: Eta Given Delta, sections 3 and 4.
"""

from agentdyno.metrics.utility.eta import measure_eta
from agentdyno.metrics.utility.places import measure_thirds
from agentdyno.metrics.utility.streaks import measure_streaks
from agentdyno.metrics.utility.tools import measure_tools

__all__ = ["measure_eta", "measure_streaks", "measure_thirds", "measure_tools"]
