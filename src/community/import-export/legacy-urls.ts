import { type Db, many, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { getDiscussion, getPost } from "#community/discussions";
import { getGroup } from "#community/groups";
import { getPerson } from "#community/accounts";
import { getResource } from "#community/resources";
import type { Viewer } from "#community/rules";

/** The current location of content that had an address on an old site. */
export type MovedTarget =
  | { kind: "discussion"; id: string; post?: number }
  | { kind: "group"; slug: string }
  | { kind: "person"; username: string }
  | { kind: "resource"; id: string };

type AddressRow = { path: string; kind: "user" | "group" | "discussion" | "post" | "resource"; id: string };
const MAX_PATH_LENGTH = 1_000;

/** Resolves an old path as far as the viewer may see the target; null if there is none or it is hidden. */
export async function resolveOldPath(db: Db, viewer: Viewer, path: string): Promise<MovedTarget | null> {
  const candidates = candidatePaths(path);
  if (candidates.length === 0) return null;
  const rows = await many(
    db,
    sql<AddressRow>`
      select a.path, a.kind, coalesce(f.discussion_id, a.thing_id) as id
      from address_redirects a left join former_discussions f on a.kind = 'discussion' and f.id = a.thing_id
      where a.path = any(${candidates})`,
  );
  const row = candidates.flatMap((form) => rows.find((it) => it.path === form) ?? [])[0];
  if (!row) return null;
  return resolveVisibleTarget(db, viewer, row).catch((error: unknown) => {
    if (error instanceof Refusal && error.reason === "not-found") return null;
    throw error;
  });
}

/** Patterns that reduce a path to its stored form. They remove titles, which may have changed. */
const PATH_PATTERNS: [RegExp, string][] = [
  [/^\/t\/[^/]+\/(\d+)\/(\d+)$/, "/t/$1/$2"],
  // A title is never only a number: of two numbers the first is the topic and the second the post.
  [/^\/t\/(?!\d+\/)[^/]+\/(\d+)(?:\/\d+)?$/, "/t/$1"],
  [/^\/t\/(\d+)\/\d+$/, "/t/$1"],
  [/^\/p\/(\d+)\/\d+$/, "/p/$1"],
  [/^\/c\/(?:[^/]+\/){0,5}?(\d+)(?:\/.*)?$/, "/c/$1"],
  [/^\/questions\/\d+\/[^/]*\/(\d+)$/, "/a/$1"],
  [/^\/(?:questions|q)\/(\d+)(?:\/.*)?$/, "/questions/$1"],
  [/^\/a\/(\d+)\/\d+$/, "/a/$1"],
];

/**
 * The stored form of paths about a person. A forum matches usernames case-insensitively and has several
 * pages for each.
 */
function personPaths(path: string): string[] {
  const name = /^\/u\/([^/]+)(?:\/.*)?$/.exec(path)?.[1];
  if (!name) return [];
  try {
    return [`/u/${encodeURI(decodeURI(name).toLowerCase())}`];
  } catch {
    return [];
  }
}

/** The forms under which a path may be stored, closest first. */
export function candidatePaths(path: string): string[] {
  if (path.length > MAX_PATH_LENGTH || path.includes("\0")) return [];
  const [, prefix = "", own = ""] = PREFIXED.exec(path) ?? [];
  const plain = own.replace(/[?#].*$/, "").replace(/(.)\/+$/, "$1");
  const shorter = PATH_PATTERNS.flatMap(([form, to]) => (form.test(plain) ? [plain.replace(form, to)] : []));
  const variants = [own.replace(/#.*$/, ""), plain, ...shorter, ...personPaths(plain)];
  return [...new Set(variants)].map((form) => (prefix + form).toWellFormed());
}

/** Splits a path into the source prefix that `storeOldPaths` may have added, and the original path. */
const PREFIXED = /^(\/old\/[a-z0-9-]{1,100}(?=\/))?([^]*)$/;

async function resolveVisibleTarget(db: Db, viewer: Viewer, { kind, id }: AddressRow): Promise<MovedTarget> {
  switch (kind) {
    case "post": {
      const { discussionId, resourceId, number } = await getPost(db, viewer, id);
      return discussionId
        ? { kind: "discussion", id: discussionId, post: number }
        : { kind: "resource", id: resourceId! };
    }
    case "discussion":
      return { kind, id: (await getDiscussion(db, viewer, id)).id };
    case "group":
      return { kind, slug: (await getGroup(db, viewer, id)).slug };
    case "user":
      return { kind: "person", username: (await getPerson(db, viewer, id)).username };
    case "resource":
      return { kind, id: (await getResource(db, viewer, id)).id };
  }
}
