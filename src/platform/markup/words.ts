/** Overrides and embeddings of direction: they can make an address read as another. Isolates do the same without harm. */
const OVERRIDES = /[\u202a-\u202e]/g;
/** No script of people stacks more signs than this on one letter. */
const PILED = /(\p{M}{6})\p{M}+/gu;

/** A text without the signs that reach out of it: over the lines above, or into the words after. */
export const tame = (text: string): string => text.replace(OVERRIDES, "").replace(PILED, "$1");
