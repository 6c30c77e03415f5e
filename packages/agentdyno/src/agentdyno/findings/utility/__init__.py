"""Whether calls helped: efficiency, utility by tool and place, streaks, advice.

Takes judged calls, returns numbers with intervals. Knows nothing of judges, files or prices.
Source: Eta Given Delta, sections 3 and 4.
"""

from agentdyno.findings.utility.eta import measure_eta
from agentdyno.findings.utility.places import measure_thirds
from agentdyno.findings.utility.streaks import measure_streaks
from agentdyno.findings.utility.tools import measure_tools

__all__ = ["measure_eta", "measure_streaks", "measure_thirds", "measure_tools"]
