/** A word of a text: as it is searched, and where it stands. `place` counts words; pieces of one word share it. */
export type Token = { word: string; from: number; to: number; place: number };

/** Letters of a word that are searched; what is longer is no word of a language. */
const LONGEST = 48;
/** Words of one text that have a place; beyond, a text is found all the same, without a say in the order. */
const MOST_TOKENS = 400_000;

/** Scripts that put no space between words: found by each of their signs, and by every two of them. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"].map((name) => `\\p{Script=${name}}`).join("");
const FIRST_UNSPACED = 0x0e00;
const UNSPACED = new RegExp(`[${SCRIPTS}]`, "u");
/** What stands between such signs, or one of them with what sits on it. */
const PART = new RegExp(`[^${SCRIPTS}\\p{M}ー]+|.[\\p{M}ー]*`, "gsu");
/**
 * A run of letters, digits and what sits on them. An apostrophe within does not end it, and the signs of a name such as
 * `C++`, `Notepad++` and `C#` belong to it.
 */
const RUN =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}ー]*(?:['’ʼ][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*(?:(?<=[A-Za-z])\+\+(?![\p{L}\p{N}+])|(?<=(?<![\p{L}\p{N}])[A-Za-z])#(?![\p{L}\p{N}#]))?/gu;
const SIGNED = /(?:\+\+|#)$/;
/** Marks that a keyboard may lack: accents of Latin, Greek and Cyrillic letters, vowels of Arabic and Hebrew ones. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640'’ʼ]/g;
/** Letters that stand for others. */
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
/** What some signs fall apart into beside letters: a bar of a fraction, a space. */
const NO_LETTER = /[^\p{L}\p{N}\p{M}ー]/gu;
const PLAIN = /^[a-z0-9]*$/;

/** A word as it is compared: lower case, without accents; `Straße` and `STRASSE` are the same. */
export function folded(word: string): string {
  const lower = word.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return (
    lower
      .normalize("NFKD")
      // Letters of formulas fall apart into capitals.
      .toLowerCase()
      .replace(MARKS, "")
      .normalize("NFC")
      .replace(OTHER, (letter) => OTHERS[letter]!)
      .replace(NO_LETTER, "")
  );
}

/**
 * The words of a text, in order: runs of letters and digits. Where a script has no spaces, each of its signs is a word, and each
 * two that stand together are one more at the place of the first.
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

/** Never within a letter that takes two units. */
const cut = (word: string) => (word.length > LONGEST ? word.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, "") : word);

function wordOf(run: string, from: number, place: number, into: Token[]): number {
  const signs = SIGNED.exec(run)?.[0] ?? "";
  const word = cut(folded(signs === "" ? run : run.slice(0, -signs.length))) + signs;
  if (word === "") return place;
  into.push({ word, from, to: from + run.length, place: place + 1 });
  return place + 1;
}

/** Spaced letters and unspaced signs may stand in one run (`東京2020`): each part is read in its own way. */
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

/** `c` for `c++`: by what a word with signs is found as well, by who leaves them out. Null for all other words. */
export const withoutSigns = (word: string): string | null => (SIGNED.test(word) ? word.replace(SIGNED, "") : null);

/** Whether a word is of a script without spaces: it is looked for as it is, never as the beginning of another. */
export function isUnspaced(word: string): boolean {
  // All of them stand behind the alphabets: most words need no closer look.
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) >= FIRST_UNSPACED) return UNSPACED.test(word);
  return false;
}

/** How much of a stretch of text makes up so many letters of its folded word: for marking a beginning. */
export function lengthOfPrefix(text: string, letters: number): number {
  let units = 0;
  for (const sign of text) {
    if (folded(text.slice(0, units)).length >= letters) break;
    units += sign.length;
  }
  // What sits on the last letter belongs to it.
  while (units < text.length && folded(text.slice(0, units + 1)).length <= letters && /\p{M}/u.test(text[units]!)) units++;
  return units;
}
