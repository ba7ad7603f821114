import type { IndexDocument } from "../search-engine.ts";
import { indexForm } from "../text/stemming.ts";
import { isUnspaced, tokenize } from "../text/tokenizer.ts";

/**
 * Indices stored in Typesense. Profiles and messages are not stored there, because their visibility differs
 * per person.
 */
export const EXTERNAL_INDICES = ["groups", "discussions", "posts", "resources"] as const;
export type ExternalIndex = (typeof EXTERNAL_INDICES)[number];
export const isExternalIndex = (index: string): index is ExternalIndex =>
  (EXTERNAL_INDICES as readonly string[]).includes(index);

/** Alias of the collection that queries use. */
export const ALIAS = "kith";
/** Alias of a collection that is being filled. */
export const NEXT_ALIAS = "kith_next";

/** Increment it with every schema change, so that older collections are rebuilt. */
const SCHEMA_VERSION = 1;
export const collectionName = (id: string) => `kith_${SCHEMA_VERSION}_${id}`;
export const hasCurrentSchema = (collection: string) => collection.startsWith(`kith_${SCHEMA_VERSION}_`);

const textField = (name: string) => ({ name, type: "string" });
const facetField = (name: string) => ({ name, type: "string", facet: true });
const facetListField = (name: string) => ({ name, type: "string[]", facet: true });
const numberField = (name: string, type = "int64") => ({
  name,
  type,
  facet: name !== "written_at" && name !== "score",
});

export const collectionSchema = (name: string) => ({
  name,
  fields: [
    ...["title", "names", "words", "body", "forms"].map(textField),
    ...["index", "kind", "group", "author", "discussion", "resource", "language"].map(facetField),
    ...["tags", "states", "has"].map(facetListField),
    { name: "open", type: "bool", facet: true },
    ...["created_at", "updated_at", "likes", "comments", "members", "number", "written_at"].map((it) =>
      numberField(it),
    ),
    numberField("score", "float"),
  ],
});

/** Maximum characters of a text that are stored in Typesense. */
const MAX_CHARACTERS = 200_000;

const toWords = (text: string) => tokenize(text.slice(0, MAX_CHARACTERS)).map(({ word }) => word);
const toSeconds = (at: Date) => Math.floor(at.getTime() / 1_000);

/**
 * Converts a document for Typesense. Words are split by our tokenizer, so that both engines compare the same
 * words; stems have their own field. Anyone with access to the Typesense server can read the content:
 * permissions are checked only here.
 */
export function toTypesenseDocument(indexDocument: IndexDocument) {
  const words = {
    title: toWords(indexDocument.title),
    names: toWords(indexDocument.names),
    tags: toWords(indexDocument.tags.join(" ")),
    body: toWords(indexDocument.body),
  };
  const wordForms = new Set(
    Object.values(words).flatMap((list) =>
      list.flatMap((word) => (isUnspaced(word) ? [] : (indexForm(word, indexDocument.language) ?? []))),
    ),
  );
  const isComment = indexDocument.index === "posts" && indexDocument.kind === "comment";
  return {
    id: indexDocument.id,
    title: words.title.join(" "),
    names: words.names.join(" "),
    words: words.tags.join(" "),
    body: words.body.join(" "),
    forms: [...wordForms].join(" "),
    index: indexDocument.index,
    kind: indexDocument.kind,
    group: indexDocument.groupId ?? "none",
    author: indexDocument.authorId ?? "none",
    discussion:
      (indexDocument.index === "discussions" || (indexDocument.index === "posts" && !isComment)
        ? indexDocument.placeId
        : null) ?? "none",
    resource: (indexDocument.index === "resources" || isComment ? indexDocument.placeId : null) ?? "none",
    language: indexDocument.language,
    tags: indexDocument.tags,
    states: indexDocument.is,
    has: indexDocument.has,
    open: indexDocument.open,
    created_at: toSeconds(indexDocument.createdAt),
    updated_at: toSeconds(indexDocument.updatedAt),
    likes: indexDocument.likes,
    comments: indexDocument.comments,
    members: indexDocument.members,
    number: indexDocument.number ?? -1,
    written_at: toSeconds(indexDocument.saidAt),
    score: indexDocument.score,
  };
}
