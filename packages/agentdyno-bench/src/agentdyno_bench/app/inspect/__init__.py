"""AgentDyno's measures inside Inspect and Scout: a hook, scorers and scanners.

sample_measures   one sample's events -> what it cost, how its calls went
hooks             every sample of a run, where AGENTDYNO_HOOKS is set
scorers           dyno_cost, dyno_failures: for any task
scanners          failed, malformed and needless calls: for any log

Inspect loads them by the entry point `inspect_ai`, under the names `agentdyno/...`.
"""

import os
import sys
from pathlib import Path

from agentdyno_bench.app.inspect import scorers
from agentdyno_bench.shared import registry

VARIABLE = "AGENTDYNO_HOOKS"

# A hook that is registered is named on stdout at the start of every run, also where it is off. Runs
# of ours have their ledger, and may print JSON.
IS_OURS = Path(sys.argv[0]).name == "agentdyno"
if not IS_OURS and os.environ.get(VARIABLE, "").lower() not in ("", "0", "false", "no"):
    from agentdyno_bench.app.inspect import hooks as hooks

# Scout is a package of its own, and takes a second to import where nobody scans.
if "inspect_scout" in sys.modules or any(word.startswith("--scanner") for word in sys.argv):
    from agentdyno_bench.app.inspect import scanners as scanners

__all__ = ["registry", "scorers"]
