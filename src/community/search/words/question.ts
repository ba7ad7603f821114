import type { Query, Searchable } from "../engine.ts";
import { formsOf } from "./stems.ts";
import { isUnspaced, tokensOf } from "./tokens.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A question is cut there: nobody writes so much into a box. */
const LONGEST = 512;
const MOST_WORDS = 10;

/** One of the words that were asked for, and what is taken for it. */
export type Asked = { word: string; prefix: boolean; forms: string[] };
/** A text to look for: what has to be there, the same without slips, and to the letter. Null: nothing is asked for. */
export type Wanted = {
  needed: string;
  plain: string;
  exact: string;
  /** The words alone, as they can stand in a title by themselves. Null where there are none, and only what may not be there is said. */
  titled: string | null;
  /** Something beside the words has to be there, or may not. */
  narrowed: boolean;
  /** Words that were taken for one of those asked for, by its number: with how many slips. */
  slips: Map<string, { word: number; slips: number }>;
  /** Documents that will be found, as far as the vocabulary knows: of one word at the most, of several about so many. */
  estimate: number;
  /** Whether more slips could be forgiven. */
  couldBeWider: boolean;
};

/** What was typed, as words to look for: ten at most. */
export function askedIn({ words, prefix = "last", forms = true }: Pick<Query, "words" | "prefix" | "forms">): Asked[] {
  const tokens = tokensOf(words.slice(0, LONGEST)).slice(0, MOST_WORDS * 3);
  const inPair = new Set(tokens.filter(isPair).flatMap((it) => [it.place, it.place + 1]));
  const wanted = tokens.filter((it) => isPair(it) || !(isUnspaced(it.word) && inPair.has(it.place)));
  const unique = [...new Map(wanted.map((it) => [it.word, it])).values()].slice(0, MOST_WORDS);
  return unique.map(({ word }, i) => ({
    word,
    prefix: !isUnspaced(word) && (prefix === "all" || (prefix === "last" && i === unique.length - 1)),
    forms: isUnspaced(word) || forms === false ? [] : formsOf(word, forms === true ? undefined : forms),
  }));
}

const isPair = ({ word }: { word: string }) => isUnspaced(word) && /^.[\p{M}ー]*./su.test(word);

type How = Pick<Query, "typos" | "typosFrom" | "within" | "phrases" | "without"> & {
  /** Slips that are forgiven in one word, as far as its length allows. */
  wide: number;
  all: boolean;
};
const WEIGHTS: Record<Searchable, string> = { title: "A", names: "B", tags: "C", body: "D" };

/** These words as PostgreSQL looks for them. Only letters and digits get into it, each in quotes. Null where there is nothing to look for. */
export function wantedOf(asked: readonly Asked[], vocabulary: Vocabulary, how: How): Wanted | null {
  const beside = besides(how);
  if (asked.length === 0) return beside.length === 0 ? null : besideAlone(beside.join(" & "), vocabulary);
  const weights = how.within ? how.within.map((it) => WEIGHTS[it]).join("") : "";
  const slips: Wanted["slips"] = new Map();
  const each = asked.map((it, i) => oneOf(it, i, asked, vocabulary, how, weights, slips));
  const joint = how.all ? " & " : " | ";
  const exact = asked.map(({ word }) => lexeme(word, false, weights)).join(joint);
  const frequencies = each.map((it) => it.frequency);
  const narrowed = (query: string) => [`(${query})`, ...beside].join(" & ");
  const titled = each.map((it) => it.needed).join(joint);
  return {
    needed: narrowed(titled),
    titled,
    narrowed: beside.length > 0,
    plain: narrowed(each.map((it) => it.plain).join(joint)),
    exact: narrowed(exact),
    slips,
    estimate: how.all ? together(frequencies, vocabulary.most) : frequencies.reduce((sum, it) => sum + it, 0),
    couldBeWider: each.some((it) => it.couldBeWider),
  };
}

/** In how many documents all of these words stand, if they have nothing to do with each other; there are `most` documents, or more. */
const together = (frequencies: readonly number[], most: number): number => {
  const [rarest = 0, ...others] = frequencies.toSorted((a, b) => a - b);
  return others.reduce((left, it) => left * Math.min(1, it / Math.max(1, most)), rarest);
};

/** What has to stand together, and what may not stand there, beside the words. */
function besides({ phrases = [], without = [] }: How): string[] {
  const together = (text: string) =>
    askedIn({ words: text, prefix: "none" })
      .map(({ word }) => `'${word}'`)
      .join(" <-> ");
  const parts = [...phrases.map(together), ...without.map(together).map((it) => it && `!(${it})`)].filter(Boolean);
  return parts.slice(0, MOST_WORDS).map((part) => `(${part})`);
}

/** Without a word to find, all that is not ruled out. */
const besideAlone = (query: string, { most }: Vocabulary): Wanted => ({
  needed: query,
  plain: query,
  exact: query,
  titled: null,
  narrowed: true,
  slips: new Map(),
  estimate: most,
  couldBeWider: false,
});

function oneOf(
  asked: Asked,
  number: number,
  all: readonly Asked[],
  vocabulary: Vocabulary,
  how: How,
  weights: string,
  slips: Wanted["slips"],
) {
  const { word, prefix, forms } = asked;
  const plain = [lexeme(word, prefix, weights), ...forms.map((form) => lexeme(form, false, weights))];
  let frequency = vocabulary.frequency(word, prefix) + forms.reduce((sum, form) => sum + vocabulary.frequency(form, false), 0);
  const forgiven = slipsFor(asked, how);
  // Not by whether the word is known: it may be from where this viewer does not read.
  const looks = forgiven > 0 && how.wide > 0;
  const near = looks ? vocabulary.near(word, Math.min(forgiven, how.wide), prefix).filter((it) => !forms.includes(it.word)) : [];
  for (const it of near) {
    slips.set(it.word, { word: number, slips: it.slips });
    frequency += vocabulary.frequency(it.word, false);
  }
  const apart = looks ? [...halves(word, vocabulary), ...joined(number, all, vocabulary, slips)] : [];
  const needed = [...plain, ...near.map((it) => lexeme(it.word, false, weights)), ...apart];
  return { plain: either(plain), needed: either(needed), frequency: frequency + apart.length * 10, couldBeWider: how.wide < forgiven };
}

function slipsFor({ word }: Asked, { typos = true, typosFrom = { one: 4, two: 8 } }: How): number {
  if (typos === false || isUnspaced(word) || /[\d+#]/.test(word)) return 0;
  return word.length >= typosFrom.two ? 2 : word.length >= typosFrom.one ? 1 : 0;
}

/** A word that is two, written together: looked for as the two beside each other. */
function halves(word: string, vocabulary: Vocabulary): string[] {
  if (word.length < 6) return [];
  let best: { rarer: number; text: string } | null = null;
  for (let i = 3; i <= word.length - 3; i++) {
    const [one, other] = [word.slice(0, i), word.slice(i)];
    const rarer = Math.min(vocabulary.frequency(one, false), vocabulary.frequency(other, false));
    if (rarer > (best?.rarer ?? 0)) best = { rarer, text: `('${one}' <-> '${other}')` };
  }
  return best ? [best.text] : [];
}

/** Two words that are one, written apart: either of the two is there if the one is. */
function joined(number: number, all: readonly Asked[], vocabulary: Vocabulary, slips: Wanted["slips"]): string[] {
  const pairs: [Asked | undefined, Asked | undefined][] = [
    [all[number - 1], all[number]],
    [all[number], all[number + 1]],
  ];
  return pairs.flatMap(([one, other]) => {
    const together = one && other ? one.word + other.word : "";
    if (together === "" || isUnspaced(together) || vocabulary.frequency(together, false) === 0) return [];
    slips.set(together, { word: number, slips: 1 });
    return [lexeme(together, false, "")];
  });
}

const lexeme = (word: string, prefix: boolean, weights: string) => `'${word}'${prefix || weights ? `:${prefix ? "*" : ""}${weights}` : ""}`;
const either = (parts: string[]) => (parts.length === 1 ? parts[0]! : `(${parts.join(" | ")})`);
