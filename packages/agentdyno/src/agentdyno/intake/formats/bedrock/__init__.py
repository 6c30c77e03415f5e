"""Amazon Bedrock: model invocation logs."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

MARK = b"ModelInvocationLog"


def detect(head: Head) -> float:
    """0.95 for records of invocations, also as CloudWatch exports them."""
    return 0.95 if head.keys & {"schemaType", "message", "events"} and MARK in head.data else 0.0


FORMAT = Format(
    name="bedrock",
    title="Amazon Bedrock model invocation logs (JSON, JSON lines, CloudWatch exports)",
    detect=detect,
    has_real_file=False,
    read=reader_in("agentdyno.intake.formats.bedrock.read"),
    description=(
        "Read: requests and responses of InvokeModel and Converse, whole or streamed, with system "
        "prompt and tool schemas; tokens with cache reads and writes; failures. Missing: latency "
        "(only when a call was logged), prices, bodies that Bedrock put into objects of their own "
        "(such a turn has its counts and no text)."
    ),
)
