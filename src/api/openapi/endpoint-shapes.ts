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
  "GET /files": shapesOf(
    null,
    ["Records", "Flag", "Whole"],
    "pattern",
    "sub",
    "pagesize",
    "offset",
    "sortBy",
    "action",
    "countDirectories",
  ),
  "GET /files/*": shapesOf(
    null,
    ["Records", "Flag", "Whole", "Bytes"],
    "pattern",
    "sub",
    "pagesize",
    "offset",
    "sortBy",
    "action",
    "countDirectories",
  ),
  "PUT /files/binary/*": shapesOf(["Base64", "Bytes"], "Text", "overwrite"),
  "PUT /files/append/binary/*": shapesOf(["Base64", "Bytes"], "Text"),
  "PUT /files/append/*": shapesOf("Bytes", "Text"),
  "POST /files/append/*": shapesOf(["FileForm", "Url", "Bytes"], "FileUrl"),
  "POST /files/*": shapesOf(["FileForm", "Url", "Bytes"], "FileUrl", "overwrite"),
  "PUT /files/rename": shapesOf("Renamed", "Text"),
  "PUT /files/move": shapesOf("Moved", "Text"),
  "PUT /files/copy": shapesOf("Moved", "Text"),
  "PUT /files/permissions/{}/*": shapesOf("Permission", null),
  "DELETE /files/*": shapesOf(null, "Whole", "pattern", "sub"),
};
