import { formOf } from "./stems.ts";
import { isUnspaced, type Token, withoutSigns } from "./tokens.ts";

/** tsvector weight: A for titles, D for the text. */
export type Weight = "A" | "B" | "C" | "D";

/** Limits of PostgreSQL: positions per word, and the last distinct position. */
const MOST_PLACES = 255;
const LAST_PLACE = 16_383;
/** Bytes of distinct words per document, which keeps its vector below a megabyte. */
const MOST_BYTES = 600_000;
/** Distance between parts, so that their words are not adjacent. */
const GAP = 10;

/**
 * Builds a tsvector literal. A word with another form appears as both, at the same position, so that each
 * finds the other.
 */
export function vectorOf(parts: { tokens: readonly Token[]; weight: Weight }[], language: string): string {
  const places: Places = { of: new Map(), bytes: 0 };
  let before = 0;
  for (const { tokens, weight } of parts) {
    const letter = weight === "D" ? "" : weight;
    for (const { word, place } of tokens) {
      const at = `${Math.min(before + place, LAST_PLACE)}${letter}`;
      put(places, word, at);
      const bare = withoutSigns(word);
      if (bare !== null) put(places, bare, at);
      const form = isUnspaced(word) ? null : formOf(word, language);
      if (form !== null) put(places, form, at);
    }
    before += (tokens.at(-1)?.place ?? 0) + GAP;
  }
  return [...places.of].map(([word, at]) => `'${word}':${at.join(",")}`).join(" ");
}

type Places = { of: Map<string, string[]>; bytes: number };
/** Bytes per word beside its letters: position count, first position and padding. */
const EACH = 6;

function put(places: Places, word: string, at: string) {
  const known = places.of.get(word);
  if (known) {
    if (known.length < MOST_PLACES && known.at(-1) !== at) known.push(at);
    return;
  }
  const bytes = Buffer.byteLength(word) + EACH;
  if (places.bytes + bytes > MOST_BYTES) return;
  places.bytes += bytes;
  places.of.set(word, [at]);
}
