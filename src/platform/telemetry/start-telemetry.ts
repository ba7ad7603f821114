import { setTimeout } from "node:timers/promises";
import { context, metrics, trace } from "@opentelemetry/api";
import { SECOND } from "#platform/clock";

/** Milliseconds that a stopping server waits for the collector. */
const STOP_TIME = 2 * SECOND;

/** `endpoint`: address of the collector, without `/v1/traces`. `sampled`: share of traces that are sent, 0 to 1. */
export type TelemetryOptions = {
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  sampled: number;
};

/** Figures by name, such as those of `/metrics`, and whether each is a counter or a gauge. */
export type Measurements = {
  types: Readonly<Record<string, string>>;
  measure: () => Record<string, number>;
};

export type Telemetry = {
  /** Sends these figures once a minute. */
  observe: (measurements: Measurements) => void;
  /** Sends what is left, within two seconds, and stops. */
  stop: () => Promise<void>;
};

/**
 * Sends traces and metrics to a collector by OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/). The
 * SDK is loaded only here, so that a server without a collector does not load it. A collector that does not
 * answer costs the traces of that time and nothing else.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { endpoint, headers, serviceName, sampled } = options;
  const [sdkTrace, sdkMetrics, { OTLPTraceExporter }, { OTLPMetricExporter }, resources, hooks] =
    await Promise.all([
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/sdk-metrics"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/exporter-metrics-otlp-http"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/context-async-hooks"),
    ]);
  const resource = resources.resourceFromAttributes({
    "service.name": serviceName,
    "service.instance.id": String(process.pid),
  });
  const to = (signal: string) => ({ url: `${endpoint.replace(/\/+$/, "")}/v1/${signal}`, headers });
  const tracing = new sdkTrace.TracerProvider({
    resource,
    sampler: new sdkTrace.ParentBasedSampler({ root: new sdkTrace.TraceIdRatioBasedSampler(sampled) }),
    spanProcessors: [new sdkTrace.BatchSpanProcessor({ exporter: new OTLPTraceExporter(to("traces")) })],
  });
  const metering = new sdkMetrics.MeterProvider({
    resource,
    readers: [
      new sdkMetrics.PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(to("metrics")) }),
    ],
  });
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager());
  trace.setGlobalTracerProvider(tracing);
  metrics.setGlobalMeterProvider(metering);
  return {
    observe: observeFigures,
    async stop() {
      for (const api of [context, trace, metrics]) api.disable();
      await Promise.race([
        Promise.allSettled([tracing.shutdown(), metering.shutdown()]),
        setTimeout(STOP_TIME, undefined, { ref: false }),
      ]);
    },
  };
}

function observeFigures({ types, measure }: Measurements): void {
  const meter = metrics.getMeter("kith");
  const figures = Object.entries(types).map(([name, type]) => ({
    name,
    instrument: type === "counter" ? meter.createObservableCounter(name) : meter.createObservableGauge(name),
  }));
  meter.addBatchObservableCallback(
    (result) => {
      const values = measure();
      for (const { name, instrument } of figures)
        if (values[name] !== undefined) result.observe(instrument, values[name]);
    },
    figures.map(({ instrument }) => instrument),
  );
}
