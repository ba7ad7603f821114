import { DAY } from "#platform/clock";
import { mapTuple } from "#platform/objects";
import type { IndexDocument, Index } from "../search-engine.ts";
import { guessLanguage } from "../text/stemming.ts";
import { tokenize } from "../text/tokenizer.ts";
import { buildVector } from "../text/search-vector.ts";
import type { SearchSource } from "./search-sources.ts";

/** A document older by this time needs twice the likes and replies for the same score. */
const HALF_LIFE = 45 * DAY;

/** Computes the score of a document from its activity and age, independent of any query. */
function computeScore(
  index: Index,
  { likes, comments, members, createdAt, updatedAt, startsAt }: SearchSource,
): number {
  if (index === "people") return 0;
  // The dates of a series are created at the same time; earlier ones come first.
  if (startsAt) return (createdAt.getTime() - startsAt.getTime() / 1_000_000) / HALF_LIFE;
  const at = index === "posts" || index === "messages" ? createdAt : updatedAt;
  return Math.log2(1 + likes + comments / 2 + members) + at.getTime() / HALF_LIFE;
}

/** Number of characters that suffice to detect a text's language. */
const LANGUAGE_SAMPLE = 1_000;

/**
 * Converts a source to an index document. Its texts are tokenized only once, for language detection, vectors
 * and vocabulary.
 */
export function toIndexDocument(index: Index, source: SearchSource, version: number): IndexDocument {
  const [title, names, tags, body] = mapTuple(
    [source.title, source.names, source.tags.join(" \n "), source.body],
    tokenize,
  );
  const telling = [...title, ...body.slice(0, LANGUAGE_SAMPLE).filter(({ to }) => to <= LANGUAGE_SAMPLE)].map(
    ({ word }) => word,
  );
  const language = source.languageKnown ? source.language : guessLanguage(telling, source.language);
  const named = [
    { tokens: title, weight: "A" as const },
    { tokens: names, weight: "B" as const },
  ];
  const parts = [...named, { tokens: tags, weight: "C" as const }, { tokens: body, weight: "D" as const }];
  return {
    ...source,
    startsAt: source.startsAt ?? null,
    endsAt: source.endsAt ?? null,
    index,
    version,
    language,
    score: computeScore(index, source),
    vector: buildVector(parts, language),
    titleVector: title.length === 0 ? null : buildVector(named, language),
    vocabulary: new Set(parts.flatMap(({ tokens }) => tokens.map(({ word }) => word))),
  };
}
