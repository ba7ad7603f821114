/** Direction overrides and embeddings can disguise an address. Isolates have the same use without harm. */
const OVERRIDES = /[\u202a-\u202e]/g;
/** No natural script stacks more marks than this on one letter. */
const PILED = /(\p{M}{6})\p{M}+/gu;

/**
 * Removes characters that affect the text around: marks stacked over other lines, and direction overrides.
 */
export const tame = (text: string): string => text.replace(OVERRIDES, "").replace(PILED, "$1");
