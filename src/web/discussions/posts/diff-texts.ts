import { diffWordsWithSpace } from "diff";

/** A part of a text: in both versions, or only in the newer (`added`) or the older (`removed`). */
export type TextChange = { text: string; is: "same" | "added" | "removed" };

/**
 * Above this number of changed words, the texts are shown one after the other: a comparison would be slow
 * and of little use.
 */
const MAX_EDITS = 400;
/** Characters shown at each end of a long unchanged part. */
const CONTEXT_LENGTH = 160;

/** Compares two texts word by word; long unchanged parts are cut in the middle. */
export function diffTexts(before: string | null, after: string): TextChange[] {
  if (before === null) return [{ text: after, is: "same" }];
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  if (!parts)
    return [
      { text: before, is: "removed" },
      { text: after, is: "added" },
    ];
  return parts.map(({ value, added, removed }) =>
    added || removed ? { text: value, is: added ? "added" : "removed" } : unchangedPart(value),
  );
}

const unchangedPart = (text: string): TextChange => ({
  text:
    text.length <= 3 * CONTEXT_LENGTH
      ? text
      : `${text.slice(0, CONTEXT_LENGTH).toWellFormed()} … ${text.slice(-CONTEXT_LENGTH).toWellFormed()}`,
  is: "same",
});
