import { MINUTE } from "#platform/clock";
import { TaggedCache } from "#platform/tagged-cache";

/** HTML of parts of pages, by the values that it was rendered from (decision 8). */
export type MarkupCache = TaggedCache<string>;

const MAX_BYTES = 32_000_000;

export const createMarkupCache = (): MarkupCache =>
  new TaggedCache({
    maxBytes: MAX_BYTES,
    maxAge: 30 * MINUTE,
    // Key and HTML have about the same length, and two bytes per character.
    sizeOf: (html) => 4 * html.length,
  });
