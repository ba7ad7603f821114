/**
 * A folded word and its range in the text. `place`: number of the word; parts of one word have the same
 * number.
 */
export type Token = { word: string; from: number; to: number; position: number };

/** Maximum characters of a word; no word of a language is longer. */
const MAX_WORD_LENGTH = 48;
/**
 * Number of words per text that are stored with a position. A longer text can be found too, but is not
 * ranked by proximity.
 */
const MAX_TOKENS = 400_000;

/** Scripts without spaces between words. Their text is indexed by single characters and by pairs. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((name) => `\\p{Script=${name}}`)
  .join("");
const FIRST_UNSPACED = 0x0e00;
const UNSPACED = new RegExp(`[${SCRIPTS}]`, "u");
/** Vowels and final consonants of a decomposed Korean syllable, as in file names of macOS. */
const SYLLABLE_ENDS = String.raw`\u1160-\u11ff\ud7b0-\ud7ff`;
/**
 * Matches one character of an unspaced script with its combining marks, or the text between two such
 * characters.
 */
const SCRIPT_PART = new RegExp(`[^${SCRIPTS}\\p{M}ー]+|.[\\p{M}ー${SYLLABLE_ENDS}]*`, "gsu");
/**
 * Matches a run of letters, digits and combining marks. It includes inner apostrophes, and the signs in
 * names such as `C++`, `Notepad++` and `C#`.
 */
const WORD_RUN = new RegExp(
  String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}ー]*(?:['’ʼ][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*` +
    String.raw`(?:(?<=[A-Za-z])\+\+(?![\p{L}\p{N}+])` +
    String.raw`|(?<=(?<![\p{L}\p{N}])[A-Za-z])#(?![\p{L}\p{N}#]))?`,
  "gu",
);
const SIGNED_NAME = /(?:\+\+|#)$/;
/** Marks that a keyboard may lack: accents, and vowel signs of Arabic and Hebrew. */
const COMBINING_MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640'’ʼ]/g;
/** Letters that folding replaces. */
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
/** Characters left by decomposition that are not letters, such as a fraction slash. */
const NON_LETTERS = /[^\p{L}\p{N}\p{M}ー]/gu;
const PLAIN = /^[a-z0-9]*$/;

/** Folds a word for comparison: lower case, no accents; `Straße` equals `STRASSE`. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return (
    lower
      .normalize("NFKD")
      // Needed again, because mathematical letters decompose to capitals.
      .toLowerCase()
      .replace(COMBINING_MARKS, "")
      .normalize("NFC")
      .replace(REPLACEABLE, (letter) => REPLACEMENTS[letter]!)
      .replace(NON_LETTERS, "")
  );
}

/**
 * Splits a text into words, in order. In unspaced scripts each character is a word, and each pair of
 * adjacent characters is another word at the position of the first.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (const run of text.matchAll(WORD_RUN)) {
    if (tokens.length >= MAX_TOKENS) break;
    position = isUnspaced(run[0])
      ? addUnspaced(run[0], run.index, position, tokens)
      : addWord(run[0], run.index, position, tokens);
  }
  return tokens;
}

/** Cuts a word without splitting a surrogate pair. */
const truncateWord = (word: string) =>
  word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH).replace(/[\ud800-\udbff]$/, "") : word;

function addWord(run: string, from: number, position: number, into: Token[]): number {
  const signs = SIGNED_NAME.exec(run)?.[0] ?? "";
  const word = truncateWord(foldWord(signs === "" ? run : run.slice(0, -signs.length))) + signs;
  if (word === "") return position;
  into.push({ word, from, to: from + run.length, position: position + 1 });
  return position + 1;
}

/**
 * Adds the tokens of a run with an unspaced script. Spaced parts in it, as in `東京2020`, are added as whole
 * words.
 */
function addUnspaced(run: string, at: number, before: number, into: Token[]): number {
  let position = before;
  let previous: Token | null = null;
  for (const part of run.matchAll(SCRIPT_PART)) {
    const from = at + part.index;
    if (!isUnspaced(part[0])) {
      previous = null;
      position = addWord(part[0], from, position, into);
      continue;
    }
    const sign = {
      word: truncateWord(foldWord(part[0])),
      from,
      to: from + part[0].length,
      position: ++position,
    };
    if (sign.word === "") continue;
    if (previous)
      into.push({
        word: previous.word + sign.word,
        from: previous.from,
        to: sign.to,
        position: previous.position,
      });
    into.push(sign);
    previous = sign;
  }
  return position;
}

/**
 * A word without its signs, such as `c` for `c++`: an additional form for people who omit the signs. Null
 * for all other words.
 */
export const removeSigns = (word: string): string | null =>
  SIGNED_NAME.test(word) ? word.replace(SIGNED_NAME, "") : null;

/** Whether a word belongs to an unspaced script. Such words are matched whole, never as a prefix. */
export function isUnspaced(word: string): boolean {
  // Unspaced scripts have higher code points than the alphabets, so most words need no regular expression.
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) >= FIRST_UNSPACED) return UNSPACED.test(word);
  return false;
}

/**
 * Number of characters in the original text that correspond to the first `letters` characters of its folded
 * form. For highlighting a prefix.
 */
export function prefixLength(text: string, letters: number): number {
  let units = 0;
  for (const sign of text) {
    if (foldWord(text.slice(0, units)).length >= letters) break;
    units += sign.length;
  }
  // Includes the combining marks of the last letter.
  while (
    units < text.length &&
    foldWord(text.slice(0, units + 1)).length <= letters &&
    /\p{M}/u.test(text[units]!)
  )
    units++;
  return units;
}
