import { type LibraryQuery, listResources } from "#community/resources";
import type { Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { readQueryParam } from "../../form-parsing.ts";

/** Filters of the library, all of which are in the URL. */
export type LibraryFilters = Omit<LibraryQuery, "after">;

const KINDS = ["link", "video", "file", "image", "document"] as const;
const SORTS = ["newest", "kept", "talked", "discussed", "title"] as const;

const LANGUAGE = /^[a-z]{2}$/;
const YEAR = /^\d{4}$/;

export function readLibraryFilters(url: URL): LibraryFilters {
  const text = (name: string) => readQueryParam(url, name) || undefined;
  return {
    kind: KINDS.find((kind) => kind === text("kind")),
    tag: text("tag"),
    group: text("group"),
    collection: text("collection"),
    // Older links use the name `keeper`.
    owner: text("owner") ?? text("keeper"),
    language: LANGUAGE.exec(text("language") ?? "")?.[0],
    year: YEAR.test(text("year") ?? "") ? Number(text("year")) : undefined,
    dead: text("dead") ? ("yes" as const) : undefined,
    mine: text("mine") ? ("yes" as const) : undefined,
    search: text("search"),
    sort: SORTS.find((sort) => sort === text("sort")),
  };
}

const FILTERS = [
  "kind",
  "tag",
  "group",
  "collection",
  "language",
  "owner",
  "year",
  "dead",
  "mine",
  "search",
] as const;
export type LibraryFilter = (typeof FILTERS)[number];

/** Finds the filters without which there would be results. Only called if nothing was found. */
export async function listEmptyingFilters(
  db: Db,
  viewer: Viewer,
  filters: LibraryFilters,
): Promise<LibraryFilter[]> {
  const on = FILTERS.filter((name) => filters[name] !== undefined);
  const without = await Promise.all(
    on.map((name) => listResources(db, viewer, { ...filters, [name]: undefined })),
  );
  return on.filter((_, index) => without[index]!.rows.length > 0);
}
