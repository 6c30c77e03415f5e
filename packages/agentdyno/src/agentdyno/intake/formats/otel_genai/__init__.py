"""OpenTelemetry: GenAI and OpenInference spans, telemetry of coding agents."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.otel_genai.detect import detect

FORMAT = Format(
    name="otel_genai",
    title="OpenTelemetry traces and logs (OTLP, Tempo, Jaeger, Phoenix, TRAIL, MLflow, SDK output)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.otel_genai.read"),
    description=(
        "Read: spans of the GenAI conventions, OpenInference, OpenLLMetry, Vercel AI, Logfire, "
        "Pydantic AI, Google ADK and MLflow, and the telemetry of Claude Code (spans and events), "
        "Codex, Gemini CLI and Qwen Code (events): tokens with cache reads, cache writes and "
        "reasoning, reported costs, times of responses and tools, time to the first token, "
        "failures, sub-agents, evaluations. One call in several nested spans counts once. Missing: "
        "texts, unless content capture is on: the prompt is then hidden, tools' spans are the "
        "calls. Codex sends no response ids: its responses are known again in its session files by "
        "the session and their counts."
    ),
    version=4,
)
