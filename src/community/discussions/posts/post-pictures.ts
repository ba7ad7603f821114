import { DAY, addMilliseconds } from "#platform/clock";
import { type Database, type Db, limit, many, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { type NewPicture, storePicture } from "#community/common";
import { blockerIds } from "#community/friends";
import {
  isContentReadable,
  isDiscussionReadable,
  canModerateGroup,
  isGroupModerator,
  contentReadableSince,
  viewerMembership,
} from "#community/groups";
import { isSignedIn, isStaff, type Viewer } from "#community/rules";
import { deleteUnusedBytes } from "#community/uploads";
import { getDraftTarget } from "./mentionables.ts";

type StorageContext = { database: Database; storage: Storage };

/**
 * Stores a picture for a text that is being written at `place`; `as` is the picture's id, if given.
 * @throws `not-found`, `not-allowed` if the viewer may not write there, and what `storePicture` throws
 */
export async function addPicture(
  app: StorageContext,
  viewer: Viewer,
  target: string,
  bytes: Buffer,
  as?: string,
): Promise<NewPicture> {
  const { me } = await getDraftTarget(app.database.db, viewer, target);
  return storePicture(app, me, bytes, as);
}

type PostFile = { hash: string; mime: string; fileName: string; size: number; open: boolean };

/** SQL equivalent of `moderate` in the rules of discussions and resources; `g` is the group, if there is one. */
const canModerateContainer = (viewer: Viewer) =>
  sql`case when g.id is null then ${isSignedIn(viewer) && isStaff(viewer) && !viewer.limited}::boolean
    else ${canModerateGroup(viewer, "g", "m")} end`;

/**
 * A picture of a post or comment that the viewer can read.
 * @throws `not-found` otherwise
 */
export async function getPostFile(db: Db, viewer: Viewer, uploadId: string): Promise<PostFile> {
  const file = isId(uploadId)
    ? await maybeOne(
        db,
        sql<PostFile>`
          select u.hash, u.mime, '' as "fileName", u.size::float8 as size, p.state = 'published'
            and (g.id is null or (g.visibility = 'public' and g.state <> 'pending'
              and coalesce(d.audience, r.audience) = 'group')) as open
          from uploads u join posts p on p.id = u.attached_id left
          join discussions d on d.id = p.discussion_id left join resources r on r.id = p.resource_id
          left join groups g on g.id = coalesce(d.group_id, r.group_id) ${viewerMembership(viewer, "g", "m")}
          where u.id = ${uploadId} and u.attached_kind = 'post' and u.state = 'ok'
            and case when d.id is null then r.state = 'published'
            and (r.group_id is null or ${isContentReadable("r", "created_at", "g", "m")})
              else d.state <> 'deleted' and ${isDiscussionReadable("d", "g", "m")}
              and p.created_at >= coalesce(${contentReadableSince("d", "g", "m")}, '-infinity') end
            and (p.state = 'published'
              or (p.state = 'hidden' and (p.author_id = ${viewer.id}::uuid
                or ${canModerateContainer(viewer)})))
            and p.author_id <> all(${blockerIds(viewer, isGroupModerator("m"))})`,
      )
    : undefined;
  if (!file) throw notFound();
  return file;
}

/** Unused uploads are deleted after this time. */
const ORPHAN_AGE = 2 * DAY;
const BATCH_SIZE = 200;

/** Deletes uploads unused for 48 hours, and files that no other upload uses. Returns how many. */
export async function purgeOrphanedUploads({ database, storage }: StorageContext): Promise<number> {
  const gone = await database.inTransaction((tx) =>
    many(
      tx,
      sql<{ hash: string }>`
        delete from uploads where id in (
          select id from uploads u where attached_kind is null
            and created_at < ${addMilliseconds(tx.now, -ORPHAN_AGE)}
            and not exists (select from resources where upload_id = u.id)
            and not exists (select from resource_versions where upload_id = u.id)
            and not exists (select from people where u.id in (photo_id, header_id))
            and not exists (select from groups where u.id in (header_id, photo_id))
          order by created_at ${limit(BATCH_SIZE)} for update skip locked)
        returning hash`,
    ),
  );
  for (const hash of new Set(gone.map((it) => it.hash))) await deleteUnusedBytes({ database, storage }, hash);
  return gone.length;
}
