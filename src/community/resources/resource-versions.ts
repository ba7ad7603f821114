import { type Db, limit, many, maybeOne, sql } from "#platform/database";
import { renderDocument } from "#platform/markup";
import { notFound } from "#platform/refusal";
import { encodeCursor, andIfGiven, type Page, toPage, type PersonCard, readCursor } from "#community/common";
import { visiblePersonCard } from "#community/friends";
import { resourceRules, type Viewer } from "#community/rules";
import type { FileFacts, Resource } from "./resource-columns.ts";

/** A version of a document or file. */
export type Version = {
  version: number;
  by: PersonCard | null;
  note: string;
  /** Number of the earlier version whose content this version restored. */
  restoredFrom: number | null;
  file: FileFacts | null;
  at: Date;
};
const PAGE_SIZE = 20;

/**
 * Lists the versions of a loaded resource, newest first.
 * @throws `not-found` if the viewer may not see it
 */
export async function listVersions(
  db: Db,
  viewer: Viewer,
  resource: Resource,
  query: { after?: string } = {},
): Promise<Page<Version>> {
  if (!resourceRules.see(viewer, resource)) throw notFound();
  const cursor = readCursor(query.after, ["number"]);
  const rows = await many(
    db,
    sql<Version>`${selectVersions(viewer)}
      where v.resource_id = ${resource.id} ${andIfGiven(cursor, ([at]) => sql`v.version < ${at}`)}
      order by v.version desc ${limit(PAGE_SIZE + 1)}`,
  );
  return toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.version));
}

/**
 * One version with its text and the text of the version before it.
 * @throws `not-found` for an unknown version
 */
export async function getVersion(
  db: Db,
  viewer: Viewer,
  resource: Resource,
  version: number,
): Promise<Version & { bodyMd: string; bodyHtml: string; before: string | null }> {
  if (
    !resourceRules.see(viewer, resource) ||
    !Number.isSafeInteger(version) ||
    version < 1 ||
    version > 2 ** 31 - 1
  )
    throw notFound();
  const row = await maybeOne(
    db,
    sql<Version & { bodyMd: string; before: string | null }>`
      ${selectVersions(
        viewer,
        sql`, v.body_md as "bodyMd", (select b.body_md from resource_versions b
          where b.resource_id = v.resource_id and b.version = v.version - 1) as before`,
      )}
      where v.resource_id = ${resource.id} and v.version = ${version}`,
  );
  if (!row) throw notFound();
  return { ...row, bodyHtml: await renderDocument(row.bodyMd) };
}

const selectVersions = (viewer: Viewer, more = sql``) => sql`
  select v.version, ${visiblePersonCard(viewer, "by")} as by, v.note, v.restored_from as "restoredFrom",
    v.created_at as at,
    case when u.id is not null then json_build_object('id', u.id, 'fileName', u.file_name, 'size', u.size,
      'mime', u.mime, 'width', u.width, 'height', u.height) end as file ${more}
  from resource_versions v join people by on by.id = v.by_id left join uploads u on u.id = v.upload_id`;
