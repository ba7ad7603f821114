import { diffWordsWithSpace } from "diff";

/** A stretch of text: as it was in both, or only in the newer (`added`) or the older (`removed`). */
export type Change = { text: string; is: "same" | "added" | "removed" };

/** Beyond so many words that differ, two texts are shown one after the other: comparing them costs more than it tells. */
const MOST_EDITS = 400;
/** Of a stretch that is the same, so much stands at each end. */
const KEPT = 160;

/** What changed from one text to the next, word by word; what stayed the same for long is cut out in the middle. */
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
