/** Direction overrides and embeddings can disguise an address. Isolates have the same use and do no harm. */
const DIRECTION_OVERRIDES = /[\u202a-\u202e]/g;
/** No natural script stacks more marks than this on one letter. */
const STACKED_MARKS = /(\p{M}{6})\p{M}+/gu;

/**
 * Removes characters that affect the surrounding text: stacked marks that cover other lines, and direction
 * overrides.
 */
export const removeDisruptiveMarks = (text: string): string =>
  text.replace(DIRECTION_OVERRIDES, "").replace(STACKED_MARKS, "$1");
