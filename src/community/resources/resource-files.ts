import { type Db, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { isGroupVisible, viewerMembership } from "#community/groups";
import type { Viewer } from "#community/rules";
import { isResourceVisible } from "./resource-columns.ts";

export type StoredFile = {
  hash: string;
  mime: string;
  fileName: string;
  size: number;
  /** Readable by everyone, so that shared caches may keep it. */ open: boolean;
};

/**
 * The file of an upload: a group picture, a file of a resource, or an unused upload of the viewer, once
 * scanned. Profile pictures are served by `getPicture`, post pictures by `getPostFile`.
 * @throws `not-found` for a missing or invisible file
 */
export async function getFile(db: Db, viewer: Viewer, uploadId: string): Promise<StoredFile> {
  if (!isId(uploadId)) throw notFound();
  const file = await maybeOne(
    db,
    sql<StoredFile>`
      select u.hash, u.mime, u.file_name as "fileName", u.size::float8 as size,
        coalesce((u.attached_kind = 'group' and g.visibility <> 'secret' and g.state <> 'pending')
          or (u.attached_kind = 'resource' and r.state = 'published'
            and (g.id is null or (g.visibility = 'public' and r.audience = 'group'))), false) as open
      from uploads u
      left join resources r on u.attached_kind = 'resource' and r.id = u.attached_id
      left join groups g on g.id = case when u.attached_kind = 'group' then u.attached_id else r.group_id
        end ${viewerMembership(viewer, "g", "m")}
      where u.id = ${uploadId} and u.state = 'ok' and case u.attached_kind
        when 'person' then false
        when 'post' then false
        when 'message' then false
        when 'group' then ${isGroupVisible("g", "m")}
        when 'resource' then r.id is not null and ${isResourceVisible(viewer, "r", "g", "m")}
        else coalesce(u.owner_id = ${viewer.id}::uuid, false) end`,
  );
  if (!file) throw notFound();
  return file;
}

/**
 * Thumbnail of a file that the viewer may read: its first page, or the picture itself.
 * @throws `not-found` as `getFile`
 */
export async function getThumbnail(
  db: Db,
  viewer: Viewer,
  uploadId: string,
): Promise<Omit<StoredFile, "size">> {
  const { hash, open } = await getFile(db, viewer, uploadId);
  const found = await maybeOne(
    db,
    sql<{
      hash: string;
    }>`select thumbnail as hash from file_texts where hash = ${hash} and thumbnail is not null`,
  );
  if (!found) throw notFound();
  return { hash: found.hash, mime: "image/webp", fileName: "", open };
}

/** Text of one page of a file; `pages` is 1 for files without pages. */
export type FileText = {
  state: "read" | "cut" | "empty" | "locked" | "broken" | "too-much";
  page: number;
  pages: number;
  words: string;
};

/** Maximum number of characters shown of one page. */
const MAX_TEXT_SHOWN = 30_000;

/**
 * Text of a page of a file; null if it is not extracted yet.
 * @throws `not-found` as `getFile`
 */
export async function getFileText(
  db: Db,
  viewer: Viewer,
  uploadId: string,
  wanted: number,
): Promise<FileText | null> {
  const { hash } = await getFile(db, viewer, uploadId);
  const page = Math.min(100_000, Math.max(1, Math.trunc(wanted) || 1));
  const found = await maybeOne(
    db,
    sql<FileText>`
      select state, least(${page}::int, parts) as page, parts as pages,
        left(split_part(text, E'\f', least(${page}::int, parts)), ${MAX_TEXT_SHOWN}) as words
      from (select state, text, length(text) - length(replace(text, E'\f', '')) + 1 as parts from file_texts
        where hash = ${hash}) t`,
  );
  return found ?? null;
}
