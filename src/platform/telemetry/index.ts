export { addToSpan, createRequestTracer, traceQuery, traceWork } from "./spans.ts";
export type { RequestSpan } from "./spans.ts";
export { startTelemetry } from "./start-telemetry.ts";
export type { Measurements, Telemetry, TelemetryOptions } from "./start-telemetry.ts";
