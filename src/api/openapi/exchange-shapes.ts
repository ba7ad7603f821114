import type { Shape } from "./json-shapes.ts";

/** Request bodies, answers (none, or one of several shapes) and query parameters of an endpoint. */
export type EndpointShapes = { takes?: readonly Shape[]; gives: readonly Shape[]; asks?: readonly string[] };
