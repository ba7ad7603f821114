import { type Database, type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { HEADER_STYLES } from "#community/common";
import { type NewPicture, storePicture } from "#community/accounts";
import { groupRules, type Viewer } from "#community/rules";
import { getGroupToChange } from "./group.ts";

/** The cover is the group's banner; the photo is the small square beside its name. */
const PICTURE_SLOTS = {
  cover: { width: 1500, height: 500, column: "header" },
  photo: { width: 400, height: 400, column: "photo" },
} as const;
export type GroupPicture = keyof typeof PICTURE_SLOTS;

/**
 * Sets a picture of the group.
 * @throws `not-found`, `not-allowed`, and like `storePicture`
 */
export async function setGroupPicture(
  { database, storage }: { database: Database; storage: Storage },
  viewer: Viewer,
  groupId: string,
  which: GroupPicture,
  picture: NewPicture,
): Promise<void> {
  await getPictureGroup(database.db, viewer, groupId, "read");
  const { width, height } = PICTURE_SLOTS[which];
  const { hash, size, alt } = await storePicture(storage, PICTURE_SLOTS[which], picture);
  await database.inTransaction(async (tx) => {
    const uploadId = tx.newId();
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, width, height, alt, attached_kind, attached_id,
        created_at)
          values (${uploadId}, ${viewer.id}, ${hash}, ${size}, 'image/webp', ${width}, ${height}, ${alt},
            'group', ${groupId}, ${tx.now})`,
    );
    await storeGroupPicture(tx, viewer, groupId, which, { uploadId, alt });
  });
}

/**
 * Removes a picture. Instead of a cover, the header style is shown again.
 * @throws `not-found`, `not-allowed`
 */
export const removeGroupPicture = (tx: Tx, viewer: Viewer, groupId: string, which: GroupPicture) =>
  storeGroupPicture(tx, viewer, groupId, which, { uploadId: null, alt: "" });

/**
 * Replaces the cover by a header style.
 * @throws `not-found`, `not-allowed`, `invalid` for an unknown `style`
 */
export async function setGroupHeaderStyle(
  tx: Tx,
  viewer: Viewer,
  groupId: string,
  style: string,
): Promise<void> {
  if (!HEADER_STYLES.some((known) => known === style))
    throw invalid("style", "Choose one of the backgrounds.");
  await removeGroupPicture(tx, viewer, groupId, "cover");
  await run(tx, sql`update groups set header_style = ${style} where id = ${groupId}`);
}

async function getPictureGroup(db: Db, viewer: Viewer, groupId: string, lock: "lock" | "read") {
  const group = await getGroupToChange(db, requireSignedIn(viewer), groupId, lock);
  if (!groupRules.edit(viewer, group))
    throw new Refusal("not-allowed", "Only moderators of the group can change this.");
  return group;
}

/** Stores the picture and detaches the previous one. */
async function storeGroupPicture(
  tx: Tx,
  viewer: Viewer,
  groupId: string,
  which: GroupPicture,
  to: { uploadId: string | null; alt: string },
): Promise<void> {
  await getPictureGroup(tx, viewer, groupId, "lock");
  const { column } = PICTURE_SLOTS[which];
  const id = sql.ref(`${column}_id`);
  const before = await maybeOne(
    tx,
    sql<{ id: string | null }>`select ${id} as id from groups where id = ${groupId}`,
  );
  await run(
    tx,
    sql`update groups set ${id} = ${to.uploadId}, ${sql.ref(`${column}_alt`)} = ${to.alt}
      where id = ${groupId}`,
  );
  await run(
    tx,
    sql`update uploads set attached_kind = null, attached_id = null where id = ${before?.id ?? null}`,
  );
  await writeAudit(tx, viewer, {
    act: "group.picture_changed",
    kind: "group",
    id: groupId,
    details: { which },
  });
  await emit(tx, { type: "group.changed", groupId, by: viewer.id });
}
