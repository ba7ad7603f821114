import { type Db, many, sql } from "#platform/database";
import type { Query } from "../search-engine.ts";
import { isUnspaced, tokenize } from "./tokenizer.ts";

/** PostgreSQL dictionaries of the languages that have a stop-word list. Arabic has none. */
const DICTIONARIES: Record<string, string> = {
  en: "english_stem",
  de: "german_stem",
  fr: "french_stem",
  es: "spanish_stem",
};
const MAX_WORDS = 30;

/**
 * Removes the stop words of the given languages, or of all. A last word that may still be incomplete is
 * kept, and all words are kept if nothing else would remain.
 */
export async function removeCommonWords(db: Db, query: Query): Promise<Query> {
  const { unasked, words, prefix = "last" } = query;
  const dictionaries = unasked ? dictionariesFor(unasked) : [];
  const tokens = dictionaries.length === 0 ? [] : tokenize(words).slice(0, MAX_WORDS);
  if (tokens.length < 2 || tokens.some(({ word }) => isUnspaced(word))) return query;
  const lowerWords = tokens.map(({ from, to }) => words.slice(from, to).toLowerCase());
  const common = await findStopWords(db, dictionaries, lowerWords);
  const remaining = lowerWords.filter(
    (word, at) => !common.has(word) || (prefix === "last" && at === lowerWords.length - 1),
  );
  return remaining.every((word) => common.has(word)) ? query : { ...query, words: remaining.join(" ") };
}

const dictionariesFor = (unasked: true | readonly string[]): string[] =>
  Object.entries(DICTIONARIES).flatMap(([language, dictionary]) =>
    unasked === true || unasked.includes(language) ? [dictionary] : [],
  );

/** A dictionary returns an empty list for its stop words. */
async function findStopWords(db: Db, dictionaries: string[], words: string[]): Promise<Set<string>> {
  const rows = await many(
    db,
    sql<{ word: string }>`
      select distinct word from unnest(${words}::text[]) word, unnest(${dictionaries}::text[]) dictionary
      where ts_lexize(dictionary::regdictionary, word) = '{}'`,
  );
  return new Set(rows.map(({ word }) => word));
}
