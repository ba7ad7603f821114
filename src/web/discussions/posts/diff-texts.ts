import { diffArrays } from "diff";

/** A part of a text: in both versions, or only in the newer (`added`) or the older (`removed`). */
export type TextChange = { text: string; is: "same" | "added" | "removed" };

/** Bounds of one comparison: changed words or paragraphs, and milliseconds. */
const BOUNDS = { maxEditLength: 400, timeout: 40 };
/** Characters of both texts above which whole paragraphs are compared. */
const MAX_LENGTH_FOR_WORDS = 150_000;
/** Characters shown at each end of a long unchanged part. */
const CONTEXT_LENGTH = 160;

/** Finds words in every script, also in those that write no spaces. */
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
const splitWords = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
const splitParagraphs = (text: string) => text.split(/(?<=\n)/);

/**
 * Compares two texts word by word; long unchanged parts are cut in the middle. Where that would take too
 * long, whole paragraphs are compared, and beyond that the texts follow one another.
 */
export function diffTexts(before: string | null, after: string): TextChange[] {
  if (before === null) return [{ text: after, is: "same" }];
  const isShort = before.length + after.length <= MAX_LENGTH_FOR_WORDS;
  const parts =
    (isShort && compare(before, after, splitWords)) || compare(before, after, splitParagraphs) || null;
  if (!parts)
    return [
      { text: before, is: "removed" },
      { text: after, is: "added" },
    ];
  return joinNeighbours(parts).map((part) => (part.is === "same" ? cutMiddle(part) : part));
}

/** Null beyond the bounds. */
const compare = (before: string, after: string, split: (text: string) => string[]) =>
  diffArrays(split(before), split(after), BOUNDS)?.map(({ value, added, removed }): TextChange => ({
    text: value.join(""),
    is: added ? "added" : removed ? "removed" : "same",
  }));

/** Joins changes that only spaces separate, so that a rewritten sentence is one removal and one addition. */
function joinNeighbours(parts: TextChange[]): TextChange[] {
  const joined: TextChange[] = [];
  let change = { removed: "", added: "" };
  const endChange = () => {
    for (const is of ["removed", "added"] as const) if (change[is]) joined.push({ text: change[is], is });
    change = { removed: "", added: "" };
  };
  for (const [i, { text, is }] of parts.entries())
    if (is !== "same") change[is] += text;
    else if (change.removed && change.added && /^ +$/.test(text) && i < parts.length - 1)
      change = { removed: change.removed + text, added: change.added + text };
    else {
      endChange();
      joined.push({ text, is });
    }
  endChange();
  return joined;
}

const cutMiddle = ({ text, is }: TextChange): TextChange => ({
  text:
    text.length <= 3 * CONTEXT_LENGTH
      ? text
      : `${text.slice(0, CONTEXT_LENGTH).toWellFormed()} … ${text.slice(-CONTEXT_LENGTH).toWellFormed()}`,
  is,
});
