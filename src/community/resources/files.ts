import { type Db, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { groupVisible, viewersTie } from "#community/groups";
import type { Viewer } from "#community/rules";
import { resourceVisible } from "./sight.ts";

export type StoredFile = {
  hash: string;
  mime: string;
  fileName: string;
  size: number;
  /** Everybody may have it: caches too. */ open: boolean;
};

/**
 * What is stored behind an upload's id: pictures of groups, files of resources, and what the viewer has uploaded and not
 * used yet. People's pictures are theirs: `pictureFor`; those of posts: `postFileFor`. `not-found` for what is not there and for what may not be seen.
 */
export async function fileFor(db: Db, viewer: Viewer, uploadId: string): Promise<StoredFile> {
  if (!isId(uploadId)) throw notFound();
  const file = await maybeOne(
    db,
    sql<StoredFile>`
      select u.hash, u.mime, u.file_name as "fileName", u.size::float8 as size,
        coalesce((u.attached_kind = 'group' and g.visibility <> 'secret' and g.state <> 'pending')
          or (u.attached_kind = 'resource' and r.state = 'published' and (g.id is null or (g.visibility = 'public' and r.audience = 'group'))), false) as open
      from uploads u
      left join resources r on u.attached_kind = 'resource' and r.id = u.attached_id
      left join groups g on g.id = case when u.attached_kind = 'group' then u.attached_id else r.group_id end ${viewersTie(viewer)}
      where u.id = ${uploadId} and case u.attached_kind
        when 'person' then false
        when 'post' then false
        when 'message' then false
        when 'group' then ${groupVisible}
        when 'resource' then r.id is not null and ${resourceVisible(viewer)}
        else coalesce(u.owner_id = ${viewer.id}::uuid, false) end`,
  );
  if (!file) throw notFound();
  return file;
}
