import { diffWordsWithSpace } from "diff";

/** A part of a text: in both versions, or only in the newer (`added`) or the older (`removed`). */
export type Change = { text: string; is: "same" | "added" | "removed" };

/**
 * Beyond this number of changed words the texts are shown one after the other: comparing them costs more than
 * it shows.
 */
const MOST_EDITS = 400;
/** Characters shown at each end of a long unchanged part. */
const KEPT = 160;

/** Compares two texts word by word; long unchanged parts are cut in the middle. */
export function changesOf(before: string | null, after: string): Change[] {
  if (before === null) return [{ text: after, is: "same" }];
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  if (!parts)
    return [
      { text: before, is: "removed" },
      { text: after, is: "added" },
    ];
  return parts.map(({ value, added, removed }) => (added || removed ? { text: value, is: added ? "added" : "removed" } : same(value)));
}

const same = (text: string): Change => ({
  text: text.length <= 3 * KEPT ? text : `${text.slice(0, KEPT).toWellFormed()} … ${text.slice(-KEPT).toWellFormed()}`,
  is: "same",
});
