import { formOf } from "./stems.ts";
import { isUnspaced, type Token, withoutSigns } from "./tokens.ts";

/** How much a hit there counts: a title most, the text least. */
export type Weight = "A" | "B" | "C" | "D";

/** PostgreSQL's own bounds: places of one word, and the last place that it tells from others. */
const MOST_PLACES = 255;
const LAST_PLACE = 16_383;
/** Bytes of the different words of one document: with their places, its vector stays below a megabyte. */
const MOST_BYTES = 600_000;
/** Words of different parts do not stand beside each other. */
const GAP = 10;

/**
 * A vector as PostgreSQL reads it. A word that is a form of another stands there as both, at the same place, so that each is found by
 * the other.
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
/** Beside its letters: how many places a word has, the first of them, and what fills up to an even number. */
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
