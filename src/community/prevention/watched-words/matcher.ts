import {
  hasWildcard,
  longestPart,
  matchesPattern,
  type TextToken,
  tokenizePhrase,
  tokenizeText,
} from "./phrase.ts";

type Phrase<Rule> = { words: string[]; patterns: boolean[]; rule: Rule };
/** A rule that matches, and the part of the text that it matches. */
export type PhraseMatch<Rule> = { rule: Rule; start: number; end: number };
export type PhraseMatcher<Rule> = (text: string) => PhraseMatch<Rule>[];

/**
 * Compiles phrases to a function that finds them in a text. Its time grows with the length of the text, and
 * hardly with the number of phrases: a phrase is looked up by its first word, or by two letters of that word
 * if the word has wildcards.
 */
export function compilePhrases<Rule extends { phrase: string }>(rules: readonly Rule[]): PhraseMatcher<Rule> {
  const byWord = new Map<string, Phrase<Rule>[]>();
  const byLetters = new Map<number, Phrase<Rule>[]>();
  for (const rule of rules) {
    const words = tokenizePhrase(rule.phrase);
    const [first] = words;
    if (first === undefined) continue;
    const phrase = { words, patterns: words.map(hasWildcard), rule };
    if (phrase.patterns[0]) append(byLetters, letterPair(longestPart(first), 0), phrase);
    else append(byWord, first, phrase);
  }
  return (text) => {
    const tokens = tokenizeText(text);
    return tokens.flatMap(({ start }, i) =>
      candidates(byWord, byLetters, tokens[i]!.word)
        .filter((phrase) => matchesAt(phrase, tokens, i))
        .map(({ rule, words }) => ({ rule, start, end: tokens[i + words.length - 1]!.end })),
    );
  };
}

function append<Key, It>(index: Map<Key, It[]>, key: Key, it: It): void {
  const list = index.get(key);
  if (list) list.push(it);
  else index.set(key, [it]);
}

const letterPair = (word: string, at: number) => word.charCodeAt(at) * 65_536 + word.charCodeAt(at + 1);

const NONE: readonly never[] = [];

function candidates<Rule>(
  byWord: Map<string, Phrase<Rule>[]>,
  byLetters: Map<number, Phrase<Rule>[]>,
  word: string,
): readonly Phrase<Rule>[] {
  const exact = byWord.get(word) ?? NONE;
  if (byLetters.size === 0) return exact;
  let found: Set<Phrase<Rule>> | undefined;
  for (let i = 0; i < word.length - 1; i++) {
    const here = byLetters.get(letterPair(word, i));
    if (here) for (const phrase of here) (found ??= new Set()).add(phrase);
  }
  return found ? [...exact, ...found] : exact;
}

const matchesAt = <Rule>({ words, patterns }: Phrase<Rule>, tokens: TextToken[], at: number): boolean =>
  at + words.length <= tokens.length &&
  words.every((word, i) => {
    const { word: given } = tokens[at + i]!;
    return patterns[i] ? matchesPattern(given, word) : given === word;
  });

/** Replaces what the matches cover. Of two that overlap, the one that begins first is replaced. */
export function replaceMatches<Rule extends { replacement: string }>(
  text: string,
  matches: readonly PhraseMatch<Rule>[],
): string {
  let [replaced, end] = ["", 0];
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (match.start < end) continue;
    replaced += text.slice(end, match.start) + match.rule.replacement;
    end = match.end;
  }
  return replaced + text.slice(end);
}
