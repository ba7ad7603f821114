import { Readable } from "node:stream";
import { type Database, type Db, many, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { fitPicture } from "#platform/images";
import type { KnownPicture } from "#platform/markup";
import { invalid, Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { discussionRules, LIMITS, type SignedIn } from "#community/rules";
import { paths } from "./paths.ts";
import { assertQuota, quotaExceededRefusal, getStorageQuota } from "./storage-quota.ts";

export type NewPicture = { id: string; address: string; width: number; height: number };

/**
 * Stores a picture for an unfinished text: re-encoded, within 2000 pixels, without metadata. Only its owner
 * sees it until a text shows it. `as` is an id given by the client; sending the same id again stores no
 * second picture.
 * @throws `wrong-type`, `too-large` above 10 MB, 65 megapixels or the member's quota
 */
export async function storePicture(
  { database, storage }: { database: Database; storage: Storage },
  me: SignedIn,
  bytes: Buffer,
  as?: string,
): Promise<NewPicture> {
  if (bytes.length > LIMITS.postPicture.bytes)
    throw new Refusal("too-large", "That picture is larger than 10 MB.");
  // Refuses early when the quota is used up, before the picture is decoded.
  const { used, most } = await getStorageQuota(database.db, me);
  if (used >= most) throw quotaExceededRefusal(used, most);
  const picture = await fitPicture(bytes, LIMITS.postPicture.pixels);
  if (used + picture.bytes.length > most) throw quotaExceededRefusal(used, most);
  const keep = () => storage.put(Readable.from([picture.bytes]), LIMITS.postPicture.bytes);
  const { hash, size } = await keep();
  return database.inTransaction(async (tx) => {
    // Other uploads of the person may have finished since the first check.
    await assertQuota(tx, me, size);
    await lockFile(tx, hash);
    // The cleanup of orphaned files may have deleted the bytes since they were stored.
    if ((await storage.sizeOf(hash)) === null) await keep();
    const id = as ?? tx.newId();
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, width, height, created_at)
          values (${id}, ${me.id}, ${hash}, ${size}, 'image/webp', ${picture.width}, ${picture.height},
            ${tx.now})
          on conflict (id) do nothing`,
    );
    return { id, address: paths.file(id), width: picture.width, height: picture.height };
  });
}

/** Serializes storing and deleting of the same bytes. */
export const lockFile = (tx: Tx, hash: string) =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${hash}, 1))`);

/** The text that shows pictures; the id is null for a preview. */
type TextContainer = { kind: "post" | "message"; id: string | null };

/**
 * The pictures among these addresses that the viewer's text may show: the viewer's pictures that are unused
 * or in this text.
 */
export async function findPictures(
  db: Db,
  me: SignedIn,
  text: TextContainer,
  addresses: string[],
): Promise<Map<string, KnownPicture & { id: string }>> {
  const ids = addresses
    .flatMap((address) => /^\/files\/([0-9a-f-]{36})$/.exec(address)?.[1] ?? [])
    .filter(isId);
  if (ids.length === 0) return new Map();
  const found = await many(
    db,
    sql<{ id: string; width: number; height: number }>`
      select id, width, height from uploads
      where id = any(${ids.slice(0, 100)}::uuid[]) and owner_id = ${me.id} and mime = 'image/webp'
        and width is not null
        and (attached_kind is null
          or (attached_kind = ${text.kind} and ${
            text.id === null
              ? sql`true`
              : sql`attached_id
            = ${text.id}`
          }))`,
  );
  const inOrder = ids.flatMap((id) => found.find((it) => it.id === id) ?? []);
  return new Map(inOrder.map((it) => [paths.file(it.id), { ...it, src: paths.file(it.id) }]));
}

/**
 * Refuses texts with too many own pictures; excess ones are never dropped silently.
 * @throws `invalid` on `body`
 */
export function assertPictureLimit(me: SignedIn, count: number): void {
  const most = discussionRules.mostPictures(me);
  if (count <= most) return;
  throw most === LIMITS.postPicture.newMember
    ? invalid("body", "New members can use one picture per text. Remove the others and send it again.")
    : invalid("body", "A text can have at most 10 pictures. Remove some and send it again.");
}

/**
 * The files among these addresses that a text may attach: the viewer's files that are unused or in this
 * text.
 */
export async function findFiles(
  db: Db,
  me: SignedIn,
  text: TextContainer,
  addresses: string[],
): Promise<string[]> {
  const ids = addresses.map((address) => address.slice("/files/".length)).filter(isId);
  if (ids.length === 0) return [];
  const found = await many(
    db,
    sql<{ id: string }>`
      select id from uploads
      where id = any(${ids.slice(0, 100)}::uuid[]) and owner_id = ${me.id} and file_name <> ''
        and state <> 'quarantined'
        and (attached_kind is null or (attached_kind = ${text.kind} and attached_id = ${text.id}))`,
  );
  return found.map(({ id }) => id);
}

/**
 * Attaches the pictures and files of a text, so that its readers can load them; detaches uploads that the
 * text no longer shows.
 */
export async function attachUploads(
  tx: Tx,
  me: SignedIn,
  { kind, id }: TextContainer & { id: string },
  ids: string[],
): Promise<void> {
  await run(
    tx,
    sql`update uploads set attached_kind = null, attached_id = null
        where attached_kind = ${kind} and attached_id = ${id} and id <> all(${ids}::uuid[])`,
  );
  await run(
    tx,
    sql`update uploads set attached_kind = ${kind}, attached_id = ${id}
        where id = any(${ids}::uuid[]) and owner_id = ${me.id} and attached_kind is null`,
  );
}
