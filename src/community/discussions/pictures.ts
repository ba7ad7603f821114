import { Readable } from "node:stream";
import { DAY, later } from "#platform/clock";
import { type Database, type Db, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { fitPicture } from "#platform/images";
import type { Shown } from "#platform/markup";
import { notFound, Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { addressOf } from "#community/common";
import { blockersOf } from "#community/friends";
import { discussionReadable, pastBlocks, readsFrom, viewersTie } from "#community/groups";
import { discussionRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { placeToWrite } from "./callable.ts";

type House = { database: Database; storage: Storage };
export type NewPicture = { id: string; address: string; width: number; height: number };

/**
 * Takes a picture for a text that is being written at `place`: re-encoded, within 2000 pixels, without what the camera
 * wrote into it. Nobody but its owner sees it until a post shows it. Throws `not-found`, `not-allowed`, `wrong-type`, and
 * `too-large` above 10 MB, 40 megapixels or the member's quota.
 */
export async function addPicture({ database, storage }: House, viewer: Viewer, place: string, bytes: Buffer): Promise<NewPicture> {
  const { me } = await placeToWrite(database.db, viewer, place);
  if (bytes.length > LIMITS.postPicture.bytes) throw new Refusal("too-large", "That picture is larger than 10 MB.");
  await mindQuota(database.db, me);
  const picture = await fitPicture(bytes, LIMITS.postPicture.pixels);
  const keep = () => storage.put(Readable.from([picture.bytes]), LIMITS.postPicture.bytes);
  const { hash, size } = await keep();
  return database.inTransaction(async (tx) => {
    await holdFile(tx, hash);
    // It may have been cleared away as somebody's orphan since it was put there.
    if ((await storage.sizeOf(hash)) === null) await keep();
    const id = tx.newId();
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, width, height, created_at)
          values (${id}, ${me.id}, ${hash}, ${size}, 'image/webp', ${picture.width}, ${picture.height}, ${tx.now})`,
    );
    return { id, address: addressOf.file(id), width: picture.width, height: picture.height };
  });
}

async function mindQuota(db: Db, me: SignedIn) {
  const { used } = await one(
    db,
    sql<{ used: number }>`select coalesce(sum(size), 0)::float8 as used from uploads where owner_id = ${me.id}`,
  );
  if (used >= LIMITS.quotaBytes) throw new Refusal("too-large", "You have stored as much as one member may. Take something away first.");
}

/** Whoever stores or clears a file of these bytes waits here for the others. */
const holdFile = (tx: Tx, hash: string) => run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${hash}, 1))`);

/** What is looked at before it is sent stands in no post yet: it may show all of its writer's pictures. */
export const PREVIEW = "preview";

/** Which of these addresses a post of the viewer's may show: their own pictures that are free, or in this very post. */
export async function picturesFor(db: Db, me: SignedIn, postId: string, addresses: string[]): Promise<Map<string, Shown & { id: string }>> {
  const ids = addresses.flatMap((address) => /^\/files\/([0-9a-f-]{36})$/.exec(address)?.[1] ?? []).filter(isId);
  if (ids.length === 0) return new Map();
  const found = await many(
    db,
    sql<{ id: string; width: number; height: number }>`
      select id, width, height from uploads
      where id = any(${ids.slice(0, 100)}::uuid[]) and owner_id = ${me.id} and mime = 'image/webp' and width is not null
        and (attached_kind is null or (attached_kind = 'post' and ${postId === PREVIEW ? sql`true` : sql`attached_id = ${postId}`}))`,
  );
  const inOrder = ids.flatMap((id) => found.find((it) => it.id === id) ?? []).slice(0, discussionRules.mostPictures(me));
  return new Map(inOrder.map((it) => [addressOf.file(it.id), { ...it, src: addressOf.file(it.id) }]));
}

/** The pictures that a post shows are seen by whoever reads it from now on; those it no longer shows belong to nothing. */
export async function keepPictures(tx: Tx, me: SignedIn, postId: string, ids: string[]): Promise<void> {
  await run(
    tx,
    sql`update uploads set attached_kind = null, attached_id = null
        where attached_kind = 'post' and attached_id = ${postId} and id <> all(${ids}::uuid[])`,
  );
  await run(
    tx,
    sql`update uploads set attached_kind = 'post', attached_id = ${postId}
        where id = any(${ids}::uuid[]) and owner_id = ${me.id} and attached_kind is null`,
  );
}

type PostFile = { hash: string; mime: string; fileName: string; size: number; open: boolean };

/** A picture of a post, for whoever finds the post's text there. `not-found` for all else. */
export async function postFileFor(db: Db, viewer: Viewer, uploadId: string): Promise<PostFile> {
  const file = isId(uploadId)
    ? await maybeOne(
        db,
        sql<PostFile>`
          select u.hash, u.mime, '' as "fileName", u.size::float8 as size, p.state = 'published' and g.visibility = 'public' and g.state <> 'pending' and d.audience = 'group' as open
          from uploads u join posts p on p.id = u.attached_id join discussions d on d.id = p.discussion_id
          join groups g on g.id = d.group_id ${viewersTie(viewer)}
          where u.id = ${uploadId} and u.attached_kind = 'post' and d.state <> 'deleted' and ${discussionReadable}
            and p.created_at >= coalesce(${readsFrom("d")}, '-infinity')
            and (p.state = 'published' or (p.state = 'hidden' and p.author_id = ${viewer.id}::uuid))
            and p.author_id <> all(${blockersOf(viewer, pastBlocks)})`,
      )
    : undefined;
  if (!file) throw notFound();
  return file;
}

/** Uploads that nothing uses after so long are cleared away. */
const ORPHANED = 2 * DAY;
const SHARE = 200;

/** Clears away uploads that have belonged to nothing for 48 hours, and the files that nobody else's upload has. Returns how many went. */
export async function purgeOrphans({ database, storage }: House): Promise<number> {
  const gone = await database.inTransaction((tx) =>
    many(
      tx,
      sql<{ hash: string }>`
        delete from uploads where id in (
          select id from uploads u where attached_kind is null and created_at < ${later(tx.now, -ORPHANED)}
            and not exists (select from resources where upload_id = u.id) and not exists (select from resource_versions where upload_id = u.id)
            and not exists (select from people where u.id in (photo_id, header_id)) and not exists (select from groups where u.id in (header_id, photo_id))
          order by created_at limit ${SHARE} for update skip locked)
        returning hash`,
    ),
  );
  for (const hash of new Set(gone.map((it) => it.hash)))
    await database.inTransaction(async (tx) => {
      await holdFile(tx, hash);
      if (!(await maybeOne(tx, sql`select from uploads where hash = ${hash} limit 1`))) await storage.remove(hash);
    });
  return gone.length;
}
