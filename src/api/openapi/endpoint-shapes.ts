import { type EndpointShapes, shapesOf } from "./exchange-shapes.ts";

const serviceEndpoints = (method: string): Record<string, EndpointShapes> =>
  Object.fromEntries(
    ["/services/{}/{}", "/services/{}/{}/{}"].map((path) => [
      `${method} ${path}`,
      shapesOf(method === "GET" ? null : "Anything", "Anything"),
    ]),
  );

/**
 * By method and path, with `{}` for variable parts. An endpoint missing here documents no body and no answer.
 */
export const ENDPOINT_SHAPES: Record<string, EndpointShapes> = {
  ...serviceEndpoints("POST"),
  ...serviceEndpoints("GET"),
  ...serviceEndpoints("PUT"),
  ...serviceEndpoints("DELETE"),
  "POST /servercode/events/{}": shapesOf("Named", "Anything"),
};
