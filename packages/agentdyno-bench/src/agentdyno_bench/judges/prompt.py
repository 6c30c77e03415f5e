"""What a model is sent when it is asked to judge, whatever the kind."""

from msgspec import Struct

from agentdyno_bench.judges.forms import Form


class Prompt(Struct, frozen=True):
    """One question to one judge."""

    system: str
    user: str
    """What is judged and the evidence, foreign text quoted."""
    form: Form
    """What the answer has to look like."""
    left_out: str = ""
    """What of the evidence is missing; empty when nothing is."""

    @property
    def characters(self) -> int:
        """Its length."""
        return len(self.system) + len(self.user)
