import type { Filed } from "../engine.ts";
import { formOf } from "../words/stems.ts";
import { isUnspaced, tokensOf } from "../words/tokens.ts";

/** Indices stored in Typesense. Profiles and messages stay here: their visibility is personal. */
export const OUTSIDE = ["groups", "discussions", "posts", "resources"] as const;
export type OutsideIndex = (typeof OUTSIDE)[number];
export const isOutside = (index: string): index is OutsideIndex => (OUTSIDE as readonly string[]).includes(index);

/** Alias that queries use, and alias of a collection being filled. */
export const ALIAS = "kith";
export const NEXT = "kith_next";

/** Increment with every schema change: older collections are then rebuilt. */
const SHAPE = 1;
export const nameOf = (id: string) => `kith_${SHAPE}_${id}`;
export const isOfThisShape = (collection: string) => collection.startsWith(`kith_${SHAPE}_`);

const text = (name: string) => ({ name, type: "string" });
const facet = (name: string) => ({ name, type: "string", facet: true });
const facets = (name: string) => ({ name, type: "string[]", facet: true });
const number = (name: string, type = "int64") => ({ name, type, facet: name !== "said_at" && name !== "score" });

export const schemaOf = (name: string) => ({
  name,
  fields: [
    ...["title", "names", "words", "body", "forms"].map(text),
    ...["index", "kind", "group", "author", "discussion", "resource", "language"].map(facet),
    ...["tags", "states", "has"].map(facets),
    { name: "open", type: "bool", facet: true },
    ...["created_at", "updated_at", "likes", "comments", "members", "number", "said_at"].map((it) => number(it)),
    number("score", "float"),
  ],
});

/** Characters of one text that are searched there. */
const MOST_LETTERS = 200_000;

const worded = (said: string) => tokensOf(said.slice(0, MOST_LETTERS)).map(({ word }) => word);
const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

/**
 * Converts a document for Typesense: words as our tokenizer splits them, so that both engines compare the
 * same ones, and stems in a field of their own. The content is readable on that server; permissions are
 * checked here.
 */
export function outsideOf(it: Filed) {
  const words = { title: worded(it.title), names: worded(it.names), tags: worded(it.tags.join(" ")), body: worded(it.body) };
  const forms = new Set(
    Object.values(words).flatMap((list) => list.flatMap((word) => (isUnspaced(word) ? [] : (formOf(word, it.language) ?? [])))),
  );
  const isComment = it.index === "posts" && it.kind === "comment";
  return {
    id: it.id,
    title: words.title.join(" "),
    names: words.names.join(" "),
    words: words.tags.join(" "),
    body: words.body.join(" "),
    forms: [...forms].join(" "),
    index: it.index,
    kind: it.kind,
    group: it.groupId ?? "none",
    author: it.authorId ?? "none",
    discussion: (it.index === "discussions" || (it.index === "posts" && !isComment) ? it.placeId : null) ?? "none",
    resource: (it.index === "resources" || isComment ? it.placeId : null) ?? "none",
    language: it.language,
    tags: it.tags,
    states: it.is,
    has: it.has,
    open: it.open,
    created_at: seconds(it.createdAt),
    updated_at: seconds(it.updatedAt),
    likes: it.likes,
    comments: it.comments,
    members: it.members,
    number: it.number ?? -1,
    said_at: seconds(it.saidAt),
    score: it.score,
  };
}
