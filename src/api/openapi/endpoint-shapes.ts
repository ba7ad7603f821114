import type { EndpointShapes } from "./exchange-shapes.ts";

/**
 * By method and path, with `{}` for variable parts. An endpoint missing here documents no body and no answer.
 */
export const ENDPOINT_SHAPES: Record<string, EndpointShapes> = {};
