import {
  type Attributes,
  context,
  metrics,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

/** Maximum characters of a statement in a span. */
const MAX_STATEMENT_LENGTH = 1_000;

const tracer = () => trace.getTracer("kith");

/** The span of one request. `run` calls a function within it, so that queries become part of it. */
export type RequestSpan = {
  run: (work: () => void) => void;
  end: (response: { route: string; status: number }) => void;
};

/**
 * Creates a function that starts the span of a request with this method. Method, route and status are
 * recorded, never the address itself, because it can contain a secret. Call it after `startTelemetry`.
 */
export function createRequestTracer(): (method: string) => RequestSpan {
  const durations = metrics.getMeter("kith").createHistogram("http.server.request.duration", { unit: "s" });
  return (method) => {
    const began = performance.now();
    const span = tracer().startSpan(method, { kind: SpanKind.SERVER }, ROOT_CONTEXT);
    return {
      run: (work) => context.with(trace.setSpan(ROOT_CONTEXT, span), work),
      end({ route, status }) {
        const attributes = {
          "http.request.method": method,
          "http.route": route,
          "http.response.status_code": status,
        };
        span.updateName(`${method} ${route}`).setAttributes(attributes);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        durations.record((performance.now() - began) / 1_000, attributes);
      },
    };
  };
}

/** Adds attributes to the span of the current request or work, if it is traced. */
export const addToSpan = (attributes: Attributes): void => {
  trace.getActiveSpan()?.setAttributes(attributes);
};

/** Traces work outside a request, such as a job, as a trace of its own. */
export const traceWork = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  tracer().startActiveSpan(name, { root: true }, (span) => endWith(span, work));

/** Traces a statement as part of the current request or work; without one, nothing is recorded. */
export function traceQuery<T>(sql: string, query: () => Promise<T>): Promise<T> {
  if (!trace.getActiveSpan()?.isRecording()) return query();
  const statement = sql.replace(/\s+/g, " ").trim();
  const [operation = ""] = statement.split(" ", 1);
  const span = tracer().startSpan(operation, {
    kind: SpanKind.CLIENT,
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": operation,
      // Statements contain no values: these are sent as parameters.
      "db.query.text": statement.slice(0, MAX_STATEMENT_LENGTH),
    },
  });
  return endWith(span, query);
}

async function endWith<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The message could contain a text or an address of a person.
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
    throw error;
  } finally {
    span.end();
  }
}
