import type { Shape } from "./json-shapes.ts";

/** Request bodies, answers (none, or one of several shapes) and query parameters of an endpoint. */
export type EndpointShapes = { takes?: readonly Shape[]; gives: readonly Shape[]; asks?: readonly string[] };

export const shapesOf = (
  takes: Shape | Shape[] | null,
  gives: Shape | Shape[] | null,
  ...asks: string[]
): EndpointShapes => ({
  ...(takes !== null && { takes: [takes].flat() }),
  gives: gives === null ? [] : [gives].flat(),
  ...(asks.length > 0 && { asks }),
});
