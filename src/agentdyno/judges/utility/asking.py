"""The former place of `InspectAsk`; see `agentdyno.judges.asking`."""

from agentdyno.judges.asking import Answer, Ask, InspectAsk

__all__ = ["Answer", "Ask", "InspectAsk"]
