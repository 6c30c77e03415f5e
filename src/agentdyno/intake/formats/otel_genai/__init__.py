"""OpenTelemetry GenAI spans: OTLP JSON, Grafana Tempo exports, Jaeger exports."""

from agentdyno.intake.format import Format
from agentdyno.intake.formats.otel_genai.detect import detect
from agentdyno.intake.formats.otel_genai.read import read

FORMAT = Format(
    name="otel_genai",
    title="OpenTelemetry GenAI spans (OTLP JSON or JSONL, Grafana Tempo, Jaeger)",
    detect=detect,
    read=read,
)
