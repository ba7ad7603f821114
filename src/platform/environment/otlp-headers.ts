import { EnvironmentError } from "./environment-error.ts";

/**
 * Reads headers in the format of the OTLP specification: pairs with percent-encoded values, separated by commas.
 * @throws `EnvironmentError` for a value that is not percent-encoded
 */
export function readOtlpHeaders(text = ""): Record<string, string> {
  const pairs = text.split(",").filter((pair) => pair !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return [name, decodeHeader(value.join("="))];
    }),
  );
}

function decodeHeader(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new EnvironmentError("OTEL_EXPORTER_OTLP_HEADERS", "has a value that is not percent-encoded.");
  }
}
