/** A folded word and its range in the text. `place` counts words; parts of one word share it. */
export type Token = { word: string; from: number; to: number; place: number };

/** Maximum word length; anything longer is no word of a language. */
const LONGEST = 48;
/** Words per text with a position; a longer text is found too, without proximity ranking. */
const MOST_TOKENS = 400_000;

/** Scripts without spaces: indexed by single characters and by pairs. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"].map((name) => `\\p{Script=${name}}`).join("");
const FIRST_UNSPACED = 0x0e00;
const UNSPACED = new RegExp(`[${SCRIPTS}]`, "u");
/** One such character with its combining marks, or the text between two of them. */
const PART = new RegExp(`[^${SCRIPTS}\\p{M}ー]+|.[\\p{M}ー]*`, "gsu");
/**
 * A run of letters, digits and combining marks. An inner apostrophe does not end it, and the signs of names
 * such as `C++`, `Notepad++` and `C#` belong to it.
 */
const RUN =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}ー]*(?:['’ʼ][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*(?:(?<=[A-Za-z])\+\+(?![\p{L}\p{N}+])|(?<=(?<![\p{L}\p{N}])[A-Za-z])#(?![\p{L}\p{N}#]))?/gu;
const SIGNED = /(?:\+\+|#)$/;
/** Marks a keyboard may lack: accents, and vowel signs of Arabic and Hebrew. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640'’ʼ]/g;
/** Letters replaced by others. */
const OTHERS: Record<string, string> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  ς: "σ",
  ى: "ي",
  ة: "ه",
  ک: "ك",
  ی: "ي",
};
const OTHER = new RegExp(`[${Object.keys(OTHERS).join("")}]`, "g");
/** Leftovers of decomposed characters that are no letters, such as a fraction slash. */
const NO_LETTER = /[^\p{L}\p{N}\p{M}ー]/gu;
const PLAIN = /^[a-z0-9]*$/;

/** Folds a word for comparison: lower case, no accents; `Straße` equals `STRASSE`. */
export function folded(word: string): string {
  const lower = word.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return (
    lower
      .normalize("NFKD")
      // Mathematical letters decompose to capitals.
      .toLowerCase()
      .replace(MARKS, "")
      .normalize("NFC")
      .replace(OTHER, (letter) => OTHERS[letter]!)
      .replace(NO_LETTER, "")
  );
}

/**
 * Splits a text into words, in order. In unspaced scripts each character is a word, and each adjacent pair
 * another one at the first one's position.
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let place = 0;
  for (const run of text.matchAll(RUN)) {
    if (tokens.length >= MOST_TOKENS) break;
    place = isUnspaced(run[0]) ? signsOf(run[0], run.index, place, tokens) : wordOf(run[0], run.index, place, tokens);
  }
  return tokens;
}

/** Never splits a surrogate pair. */
const cut = (word: string) => (word.length > LONGEST ? word.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, "") : word);

function wordOf(run: string, from: number, place: number, into: Token[]): number {
  const signs = SIGNED.exec(run)?.[0] ?? "";
  const word = cut(folded(signs === "" ? run : run.slice(0, -signs.length))) + signs;
  if (word === "") return place;
  into.push({ word, from, to: from + run.length, place: place + 1 });
  return place + 1;
}

/** Spaced and unspaced scripts may be mixed in a run (`東京2020`): each part is handled in its own way. */
function signsOf(run: string, at: number, before: number, into: Token[]): number {
  let place = before;
  let previous: Token | null = null;
  for (const part of run.matchAll(PART)) {
    const from = at + part.index;
    if (!isUnspaced(part[0])) {
      previous = null;
      place = wordOf(part[0], from, place, into);
      continue;
    }
    const sign = { word: cut(folded(part[0])), from, to: from + part[0].length, place: ++place };
    if (sign.word === "") continue;
    if (previous) into.push({ word: previous.word + sign.word, from: previous.from, to: sign.to, place: previous.place });
    into.push(sign);
    previous = sign;
  }
  return place;
}

/** `c` for `c++`: an additional form for people who omit the signs. Null for all other words. */
export const withoutSigns = (word: string): string | null => (SIGNED.test(word) ? word.replace(SIGNED, "") : null);

/** Whether a word belongs to an unspaced script; it is matched whole, never as a prefix. */
export function isUnspaced(word: string): boolean {
  // All of them come after the alphabets: most words need no regular expression.
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) >= FIRST_UNSPACED) return UNSPACED.test(word);
  return false;
}

/**
 * Length in the original text of the first `letters` characters of its folded form, to highlight a prefix.
 */
export function lengthOfPrefix(text: string, letters: number): number {
  let units = 0;
  for (const sign of text) {
    if (folded(text.slice(0, units)).length >= letters) break;
    units += sign.length;
  }
  // Combining marks belong to the last letter.
  while (units < text.length && folded(text.slice(0, units + 1)).length <= letters && /\p{M}/u.test(text[units]!)) units++;
  return units;
}
