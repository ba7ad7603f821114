import type { Query, SearchableAttribute } from "../search-engine.ts";
import { queryForms } from "./stemming.ts";
import { isUnspaced, tokenize } from "./tokenizer.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Maximum characters of a query; the rest is cut. */
const MAX_LENGTH = 512;
const MAX_WORDS = 10;

/** One query word and its stems. */
export type SearchTerm = { word: string; prefix: boolean; wordForms: string[] };
/**
 * A compiled text query as three tsqueries: `needed` is required, `plain` matches without typos, `exact`
 * matches the words as typed, without other forms and longer words. Null without a text condition.
 */
export type TextQuery = {
  needed: string;
  plain: string;
  exact: string;
  /** The words as a tsquery for titles. Null if the query has exclusions but no words. */
  titled: string | null;
  /** Whether phrases or exclusions restrict the query further. */
  narrowed: boolean;
  /** Accepted typos: for each found word, the index of the query word and the number of typos. */
  typos: Map<string, { word: number; typos: number }>;
  /**
   * Expected number of matches according to the vocabulary: an upper bound for one word, an estimate for
   * several.
   */
  estimate: number;
  /** Whether a repeated search could tolerate more typos. */
  couldBeWider: boolean;
};

/** Parses typed text to query words, ten at most. */
export function parseTerms({
  words,
  prefix = "last",
  wordForms = true,
}: Pick<Query, "words" | "prefix" | "wordForms">): SearchTerm[] {
  const tokens = tokenize(words.slice(0, MAX_LENGTH)).slice(0, MAX_WORDS * 3);
  const inPair = new Set(tokens.filter(isCharacterPair).flatMap((it) => [it.position, it.position + 1]));
  const wanted = tokens.filter(
    (it) => isCharacterPair(it) || !(isUnspaced(it.word) && inPair.has(it.position)),
  );
  const unique = [...new Map(wanted.map((it) => [it.word, it])).values()].slice(0, MAX_WORDS);
  return unique.map(({ word }, i) => ({
    word,
    prefix: !isUnspaced(word) && (prefix === "all" || (prefix === "last" && i === unique.length - 1)),
    wordForms:
      isUnspaced(word) || wordForms === false
        ? []
        : queryForms(word, wordForms === true ? undefined : wordForms),
  }));
}

const isCharacterPair = ({ word }: { word: string }) => isUnspaced(word) && /^.[\p{M}ー]*./su.test(word);

type CompileOptions = Pick<Query, "typos" | "typosFrom" | "within" | "phrases" | "without"> & {
  /** Maximum typos tolerated per word; short words tolerate fewer. */
  wide: number;
  all: boolean;
};
const WEIGHTS: Record<SearchableAttribute, string> = { title: "A", names: "B", tags: "C", body: "D" };

/**
 * Compiles words to tsqueries. Only letters and digits are used, and each word is quoted. Null without a
 * text condition.
 */
export function compileTextQuery(
  terms: readonly SearchTerm[],
  vocabulary: Vocabulary,
  how: CompileOptions,
): TextQuery | null {
  const beside = compileExtraConditions(how);
  if (terms.length === 0)
    return beside.length === 0 ? null : onlyExtraConditions(beside.join(" & "), vocabulary);
  const weights = how.within ? how.within.map((it) => WEIGHTS[it]).join("") : "";
  const typos: TextQuery["typos"] = new Map();
  const each = terms.map((it, i) => compileTerm(it, i, terms, vocabulary, how, weights, typos));
  const joint = how.all ? " & " : " | ";
  const exact = terms.map(({ word }) => lexeme(word, false, weights)).join(joint);
  const frequencies = each.map((it) => it.frequency);
  const narrowed = (query: string) => [`(${query})`, ...beside].join(" & ");
  const titled = each.map((it) => it.needed).join(joint);
  return {
    needed: narrowed(titled),
    titled,
    narrowed: beside.length > 0,
    plain: narrowed(each.map((it) => it.plain).join(joint)),
    exact: narrowed(exact),
    typos,
    estimate: how.all
      ? estimateAll(frequencies, vocabulary.most)
      : frequencies.reduce((sum, it) => sum + it, 0),
    couldBeWider: each.some((it) => it.couldBeWider),
  };
}

/**
 * Expected number of documents with all of these words, assuming that the words are independent and that
 * there are at least `most` documents.
 */
const estimateAll = (frequencies: readonly number[], most: number): number => {
  const [rarest = 0, ...others] = frequencies.toSorted((a, b) => a - b);
  return others.reduce((left, it) => left * Math.min(1, it / Math.max(1, most)), rarest);
};

/** Conditions for phrases and excluded words, as tsqueries. */
function compileExtraConditions({ phrases = [], without = [] }: CompileOptions): string[] {
  const together = (text: string) =>
    parseTerms({ words: text, prefix: "none" })
      .map(({ word }) => `'${word}'`)
      .join(" <-> ");
  const parts = [...phrases.map(together), ...without.map(together).map((it) => it && `!(${it})`)].filter(
    Boolean,
  );
  return parts.slice(0, MAX_WORDS).map((part) => `(${part})`);
}

/** The query without words: it matches every document that the extra conditions allow. */
const onlyExtraConditions = (query: string, { most }: Vocabulary): TextQuery => ({
  needed: query,
  plain: query,
  exact: query,
  titled: null,
  narrowed: true,
  typos: new Map(),
  estimate: most,
  couldBeWider: false,
});

function compileTerm(
  term: SearchTerm,
  number: number,
  all: readonly SearchTerm[],
  vocabulary: Vocabulary,
  how: CompileOptions,
  weights: string,
  typos: TextQuery["typos"],
) {
  const { word, prefix, wordForms } = term;
  const plain = [lexeme(word, prefix, weights), ...wordForms.map((form) => lexeme(form, false, weights))];
  let frequency =
    vocabulary.frequency(word, prefix) +
    wordForms.reduce((sum, form) => sum + vocabulary.frequency(form, false), 0);
  const forgiven = typosAllowed(term, how);
  // Typos are tolerated even for a known word: otherwise the result would reveal whether content hidden from
  // this viewer contains the word.
  const looks = forgiven > 0 && how.wide > 0;
  const near = looks
    ? vocabulary.near(word, Math.min(forgiven, how.wide), prefix).filter((it) => !wordForms.includes(it.word))
    : [];
  for (const it of near) {
    typos.set(it.word, { word: number, typos: it.typos });
    frequency += vocabulary.frequency(it.word, false);
  }
  const apart = looks
    ? [...splitCompound(word, vocabulary), ...joinNeighbours(number, all, vocabulary, typos)]
    : [];
  const needed = [...plain, ...near.map((it) => lexeme(it.word, false, weights)), ...apart];
  return {
    plain: anyLexeme(plain),
    needed: anyLexeme(needed),
    frequency: frequency + apart.length * 10,
    couldBeWider: how.wide < forgiven,
  };
}

function typosAllowed(
  { word }: SearchTerm,
  { typos = true, typosFrom = { one: 4, two: 8 } }: CompileOptions,
): number {
  if (typos === false || isUnspaced(word) || /[\d+#]/.test(word)) return 0;
  return word.length >= typosFrom.two ? 2 : word.length >= typosFrom.one ? 1 : 0;
}

/** Splits a compound word into two known words, which are searched as adjacent. */
function splitCompound(word: string, vocabulary: Vocabulary): string[] {
  if (word.length < 6) return [];
  let best: { rarer: number; text: string } | null = null;
  for (let i = 3; i <= word.length - 3; i++) {
    const [one, other] = [word.slice(0, i), word.slice(i)];
    const rarer = Math.min(vocabulary.frequency(one, false), vocabulary.frequency(other, false));
    if (rarer > (best?.rarer ?? 0)) best = { rarer, text: `('${one}' <-> '${other}')` };
  }
  return best ? [best.text] : [];
}

/** Joins two neighbouring query words, because a text may have them as one word. */
function joinNeighbours(
  number: number,
  all: readonly SearchTerm[],
  vocabulary: Vocabulary,
  typos: TextQuery["typos"],
): string[] {
  const pairs: [SearchTerm | undefined, SearchTerm | undefined][] = [
    [all[number - 1], all[number]],
    [all[number], all[number + 1]],
  ];
  return pairs.flatMap(([one, other]) => {
    const together = one && other ? one.word + other.word : "";
    if (together === "" || isUnspaced(together) || vocabulary.frequency(together, false) === 0) return [];
    typos.set(together, { word: number, typos: 1 });
    return [lexeme(together, false, "")];
  });
}

const lexeme = (word: string, prefix: boolean, weights: string) =>
  `'${word}'${prefix || weights ? `:${prefix ? "*" : ""}${weights}` : ""}`;
const anyLexeme = (parts: string[]) => (parts.length === 1 ? parts[0]! : `(${parts.join(" | ")})`);
