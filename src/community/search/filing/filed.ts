import { DAY } from "#platform/clock";
import type { Filed, Index } from "../engine.ts";
import { languageOf } from "../words/stems.ts";
import { type Token, tokensOf } from "../words/tokens.ts";
import { vectorOf } from "../words/vectors.ts";
import type { Source } from "./sources.ts";

/** Half-life of a score: a document this much older needs twice the likes and replies to rank equally. */
const HALVED = 45 * DAY;

/** Score independent of the query: activity and age. */
function scoreOf(index: Index, { likes, comments, members, createdAt, updatedAt }: Source): number {
  if (index === "people") return 0;
  const at = index === "posts" || index === "messages" ? createdAt : updatedAt;
  return Math.log2(1 + likes + comments / 2 + members) + at.getTime() / HALVED;
}

/** Characters of a text that are enough to detect its language. */
const TELLING = 1_000;
type Parts = [title: Token[], names: Token[], tags: Token[], body: Token[]];

/** Converts a source to an index document. Its texts are tokenized once, for language, vectors and words. */
export function filedOf(index: Index, source: Source, version: number): Filed {
  const [title, names, tags, body] = [source.title, source.names, source.tags.join(" \n "), source.body].map(tokensOf) as Parts;
  const telling = [...title, ...body.slice(0, TELLING).filter(({ to }) => to <= TELLING)].map(({ word }) => word);
  const language = source.languageKnown ? source.language : languageOf(telling, source.language);
  const named = [
    { tokens: title, weight: "A" as const },
    { tokens: names, weight: "B" as const },
  ];
  const parts = [...named, { tokens: tags, weight: "C" as const }, { tokens: body, weight: "D" as const }];
  return {
    ...source,
    index,
    version,
    language,
    score: scoreOf(index, source),
    vector: vectorOf(parts, language),
    titleVector: title.length === 0 ? null : vectorOf(named, language),
    vocabulary: new Set(parts.flatMap(({ tokens }) => tokens.map(({ word }) => word))),
  };
}
