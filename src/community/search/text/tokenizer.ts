/** A folded word and its range in the text. `place` counts words; parts of one word share it. */
export type Token = { word: string; from: number; to: number; place: number };

/** Maximum word length; anything longer is no word of a language. */
const MAX_WORD_LENGTH = 48;
/** Words per text with a position; a longer text is found too, without proximity ranking. */
const MAX_TOKENS = 400_000;

/** Scripts without spaces: indexed by single characters and by pairs. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((name) => `\\p{Script=${name}}`)
  .join("");
const FIRST_UNSPACED = 0x0e00;
const UNSPACED = new RegExp(`[${SCRIPTS}]`, "u");
/** One such character with its combining marks, or the text between two of them. */
const SCRIPT_PART = new RegExp(`[^${SCRIPTS}\\p{M}ー]+|.[\\p{M}ー]*`, "gsu");
/**
 * A run of letters, digits and combining marks. An inner apostrophe does not end it, and the signs of names
 * such as `C++`, `Notepad++` and `C#` belong to it.
 */
const WORD_RUN = new RegExp(
  String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}ー]*(?:['’ʼ][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*` +
    String.raw`(?:(?<=[A-Za-z])\+\+(?![\p{L}\p{N}+])` +
    String.raw`|(?<=(?<![\p{L}\p{N}])[A-Za-z])#(?![\p{L}\p{N}#]))?`,
  "gu",
);
const SIGNED_NAME = /(?:\+\+|#)$/;
/** Marks a keyboard may lack: accents, and vowel signs of Arabic and Hebrew. */
const COMBINING_MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640'’ʼ]/g;
/** Letters replaced by others. */
const REPLACEMENTS: Record<string, string> = {
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
const REPLACEABLE = new RegExp(`[${Object.keys(REPLACEMENTS).join("")}]`, "g");
/** Leftovers of decomposed characters that are no letters, such as a fraction slash. */
const NON_LETTERS = /[^\p{L}\p{N}\p{M}ー]/gu;
const PLAIN = /^[a-z0-9]*$/;

/** Folds a word for comparison: lower case, no accents; `Straße` equals `STRASSE`. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return (
    lower
      .normalize("NFKD")
      // Mathematical letters decompose to capitals.
      .toLowerCase()
      .replace(COMBINING_MARKS, "")
      .normalize("NFC")
      .replace(REPLACEABLE, (letter) => REPLACEMENTS[letter]!)
      .replace(NON_LETTERS, "")
  );
}

/**
 * Splits a text into words, in order. In unspaced scripts each character is a word, and each adjacent pair
 * another one at the first one's position.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let place = 0;
  for (const run of text.matchAll(WORD_RUN)) {
    if (tokens.length >= MAX_TOKENS) break;
    place = isUnspaced(run[0])
      ? addUnspaced(run[0], run.index, place, tokens)
      : addWord(run[0], run.index, place, tokens);
  }
  return tokens;
}

/** Never splits a surrogate pair. */
const truncateWord = (word: string) =>
  word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH).replace(/[\ud800-\udbff]$/, "") : word;

function addWord(run: string, from: number, place: number, into: Token[]): number {
  const signs = SIGNED_NAME.exec(run)?.[0] ?? "";
  const word = truncateWord(foldWord(signs === "" ? run : run.slice(0, -signs.length))) + signs;
  if (word === "") return place;
  into.push({ word, from, to: from + run.length, place: place + 1 });
  return place + 1;
}

/** Spaced and unspaced scripts may be mixed in a run (`東京2020`): each part is handled in its own way. */
function addUnspaced(run: string, at: number, before: number, into: Token[]): number {
  let place = before;
  let previous: Token | null = null;
  for (const part of run.matchAll(SCRIPT_PART)) {
    const from = at + part.index;
    if (!isUnspaced(part[0])) {
      previous = null;
      place = addWord(part[0], from, place, into);
      continue;
    }
    const sign = { word: truncateWord(foldWord(part[0])), from, to: from + part[0].length, place: ++place };
    if (sign.word === "") continue;
    if (previous)
      into.push({ word: previous.word + sign.word, from: previous.from, to: sign.to, place: previous.place });
    into.push(sign);
    previous = sign;
  }
  return place;
}

/** `c` for `c++`: an additional form for people who omit the signs. Null for all other words. */
export const removeSigns = (word: string): string | null =>
  SIGNED_NAME.test(word) ? word.replace(SIGNED_NAME, "") : null;

/** Whether a word belongs to an unspaced script; it is matched whole, never as a prefix. */
export function isUnspaced(word: string): boolean {
  // All of them come after the alphabets: most words need no regular expression.
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) >= FIRST_UNSPACED) return UNSPACED.test(word);
  return false;
}

/**
 * Length in the original text of the first `letters` characters of its folded form, to highlight a prefix.
 */
export function prefixLength(text: string, letters: number): number {
  let units = 0;
  for (const sign of text) {
    if (foldWord(text.slice(0, units)).length >= letters) break;
    units += sign.length;
  }
  // Combining marks belong to the last letter.
  while (
    units < text.length &&
    foldWord(text.slice(0, units + 1)).length <= letters &&
    /\p{M}/u.test(text[units]!)
  )
    units++;
  return units;
}
