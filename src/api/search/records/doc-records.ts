import type { SearchDocument } from "#community/search";

/**
 * Searched attributes of a documentation record, with the document attribute in which their matches are
 * marked.
 */
export const MARKED_ATTRIBUTES: Record<string, "title" | "body" | undefined> = {
  "hierarchy.lvl0": undefined,
  "hierarchy.lvl1": "title",
  content: "body",
};

const SECTION_TITLES: Partial<Record<SearchDocument["type"], string>> = {
  groups: "Groups",
  resources: "Library",
  discussions: "Discussions",
};

/**
 * Converts a document to DocSearch's format: a group is a section, its discussions and resources are pages,
 * and posts are the content of a page.
 */
export function toDocRecord(document: SearchDocument, origin: string) {
  const { objectID, type, title, body, groupName, language, tags, number } = document;
  const isPost = type === "posts";
  const inPage = isPost && number !== null && !document.url.includes("#") ? `#post-${number}` : "";
  // An absolute URL, since the search box may be on another site.
  const url = `${origin}${document.url}${inPage}`;
  const section = type === "groups" ? null : groupName;
  const [page = url, anchor = null] = url.split("#");
  const none = { lvl2: null, lvl3: null, lvl4: null, lvl5: null, lvl6: null };
  return {
    objectID,
    type: isPost ? "content" : "lvl1",
    hierarchy: { lvl0: section ?? SECTION_TITLES[type] ?? "Discussions", lvl1: title, ...none },
    content: isPost ? body : null,
    url,
    url_without_anchor: page,
    anchor,
    lang: language,
    language,
    tags,
  };
}
