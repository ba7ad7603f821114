import { type Db, limit, many, sql } from "#platform/database";
import { andIfGiven } from "#community/common";
import { isDiscussionReadable, isGroupReadable, viewerMembership } from "#community/groups";
import { isResourceVisible } from "#community/resources";
import { GUEST } from "#community/rules";

// The pages that guests may read, for search engines (https://www.sitemaps.org/protocol.html).

export const SITEMAP_KINDS = ["groups", "discussions", "resources"] as const;
export type SitemapKind = (typeof SITEMAP_KINDS)[number];
/** `key`: slug of a group, or id. */
export type SitemapEntry = { key: string; changedAt: Date };

/** Maximum number of entries per file. The protocol allows 50 000 and 50 MB. */
const PAGE_SIZE = 10_000;

const membership = viewerMembership(GUEST, "g", "m");
const SOURCES = {
  groups: sql<SitemapEntry & { id: string }>`
    select g.id, g.slug as key, g.created_at as "changedAt" from groups g ${membership}
    where ${isGroupReadable("g", "m")} and g.state = 'active'`,
  discussions: sql<SitemapEntry & { id: string }>`
    select d.id, d.id::text as key, d.last_post_at as "changedAt"
    from discussions d join groups g on g.id = d.group_id ${membership}
    where d.state in ('open', 'archived') and ${isDiscussionReadable("d", "g", "m")}`,
  resources: sql<SitemapEntry & { id: string }>`
    select r.id, r.id::text as key, coalesce(r.updated_at, r.created_at) as "changedAt"
    from resources r left join groups g on g.id = r.group_id ${membership}
    where r.state = 'published' and ${isResourceVisible(GUEST, "r", "g", "m")}`,
} satisfies Record<SitemapKind, unknown>;

/** Lists the files of the sitemap, each with the id of its first entry. Reads the ids of all entries. */
export async function listSitemapFiles(db: Db): Promise<{ kind: SitemapKind; from: string }[]> {
  const files = [];
  for (const kind of SITEMAP_KINDS) {
    const rows = await many(
      db,
      sql<{ id: string }>`
        select id from (select id, row_number() over (order by id) as number from (${SOURCES[kind]}) x) y
        where number % ${PAGE_SIZE} = 1 order by id`,
    );
    files.push(...rows.map(({ id }) => ({ kind, from: id })));
  }
  return files;
}

/** Lists the entries of one file, from the entry with the id `from`. */
export const listSitemapEntries = (db: Db, kind: SitemapKind, from: string | null): Promise<SitemapEntry[]> =>
  many(
    db,
    sql<SitemapEntry>`select key, "changedAt" from (${SOURCES[kind]}) x
      where true ${andIfGiven(from, (id) => sql`id >= ${id}::uuid`)}
      order by id ${limit(PAGE_SIZE)}`,
  );
