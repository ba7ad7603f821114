import { DAY } from "#platform/clock";
import type { Filed, Index } from "../engine.ts";
import { languageOf } from "../words/stems.ts";
import { type Token, tokensOf } from "../words/tokens.ts";
import { vectorOf } from "../words/vectors.ts";
import type { Source } from "./sources.ts";

/** After so long something counts for half of what it counted for: it takes twice the likes and answers to stand as high. */
const HALVED = 45 * DAY;

/** What it counts for before any word is looked at: what people did with it, and how long ago. */
function scoreOf(index: Index, { likes, comments, members, createdAt, updatedAt }: Source): number {
  if (index === "people") return 0;
  const at = index === "posts" || index === "messages" ? createdAt : updatedAt;
  return Math.log2(1 + likes + comments / 2 + members) + at.getTime() / HALVED;
}

/** A thing as any engine files it. */
export function filedOf(index: Index, source: Source, version: number): Filed {
  const words = tokensOf(`${source.title}\n${source.body.slice(0, 1_000)}`).map(({ word }) => word);
  return { ...source, index, version, language: languageOf(words, source.language), score: scoreOf(index, source) };
}

/** A document with its words, as our own engine keeps it. */
type Worded = Filed & { vector: string; titleVector: string | null; vocabulary: Set<string> };

export function worded(document: Filed): Worded {
  const [title, names, tags, body] = [document.title, document.names, document.tags.join(" \n "), document.body].map(tokensOf) as Parts;
  const named = [
    { tokens: title, weight: "A" as const },
    { tokens: names, weight: "B" as const },
  ];
  const parts = [...named, { tokens: tags, weight: "C" as const }, { tokens: body, weight: "D" as const }];
  return {
    ...document,
    vector: vectorOf(parts, document.language),
    titleVector: title.length === 0 ? null : vectorOf(named, document.language),
    vocabulary: new Set(parts.flatMap(({ tokens }) => tokens.map(({ word }) => word))),
  };
}
type Parts = [Token[], Token[], Token[], Token[]];
