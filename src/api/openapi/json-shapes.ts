import type { Json } from "./schema-types.ts";
import { SEARCH_SHAPES } from "./search-shapes.ts";

/**
 * Request and answer shapes by name. Records, users and custom data may have more properties than named here.
 */
export const SHAPES = {
  Anything: { description: "Any JSON." },
  Named: { type: "object", description: "Values by their names." },
  ...SEARCH_SHAPES,
} satisfies Record<string, Json>;

export type Shape = keyof typeof SHAPES;
