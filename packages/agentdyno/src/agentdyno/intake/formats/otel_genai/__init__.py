"""OpenTelemetry GenAI spans: OTLP JSON, Grafana Tempo exports, Jaeger exports."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.otel_genai.detect import detect

FORMAT = Format(
    name="otel_genai",
    title="OpenTelemetry GenAI spans (OTLP JSON or JSONL, Grafana Tempo, Jaeger)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.otel_genai.read"),
)
