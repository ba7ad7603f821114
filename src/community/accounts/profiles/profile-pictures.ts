import { Readable } from "node:stream";
import { type Database, type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { type Crop, cropPicture } from "#platform/images";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { toStorableText } from "#community/common";
import { LIMITS, personRules, type Viewer } from "#community/rules";
import { HEADER_STYLES } from "#community/common";
import { toPersonFacts, relationshipColumns } from "./profiles.ts";
import { isPersonVisible } from "./people-visibility.ts";

/** A picture as uploaded, the crop, and the alt text. */
export type NewPicture = { bytes: Buffer; crop?: Crop; alt?: string };

/**
 * Commands for photos (400 × 400) and headers (1500 × 500).
 * @throws `not-found` unless it is the viewer's own profile or the viewer is an admin; setting a picture
 * also throws `too-large` above 8 MB or 65 megapixels, and `wrong-type` for anything but a picture
 */
export type ProfilePictureStore = {
  setPhoto: (viewer: Viewer, personId: string, picture: NewPicture) => Promise<{ uploadId: string }>;
  setHeader: (viewer: Viewer, personId: string, picture: NewPicture) => Promise<{ uploadId: string }>;
  /**
   * Changes the alt text of a picture.
   * @throws `conflict` when there is no picture, `invalid` on `words`
   */
  describePhoto: (viewer: Viewer, personId: string, alt: string) => Promise<void>;
  describeHeader: (viewer: Viewer, personId: string, alt: string) => Promise<void>;
  removePhoto: (viewer: Viewer, personId: string) => Promise<void>;
  removeHeader: (viewer: Viewer, personId: string) => Promise<void>;
  /**
   * Sets a header style and removes the header picture.
   * @throws `invalid` for an unknown `style`
   */
  setHeaderStyle: (viewer: Viewer, personId: string, style: string) => Promise<void>;
};

type PictureContext = { database: Database; storage: Storage };
type PictureSlot = { column: "photo" | "header"; width: number; height: number };
const PHOTO: PictureSlot = { column: "photo", width: 400, height: 400 };
const HEADER: PictureSlot = { column: "header", width: 1500, height: 500 };

export const createProfilePictureStore = (app: PictureContext): ProfilePictureStore => ({
  setPhoto: (viewer, personId, picture) => setPicture(app, PHOTO, viewer, personId, picture),
  setHeader: (viewer, personId, picture) => setPicture(app, HEADER, viewer, personId, picture),
  describePhoto: (viewer, personId, alt) =>
    app.database.inTransaction((tx) => updateAltText(tx, PHOTO, viewer, personId, alt)),
  describeHeader: (viewer, personId, alt) =>
    app.database.inTransaction((tx) => updateAltText(tx, HEADER, viewer, personId, alt)),
  removePhoto: (viewer, personId) =>
    app.database.inTransaction((tx) => attachPicture(tx, PHOTO, viewer, personId, null, "")),
  removeHeader: (viewer, personId) =>
    app.database.inTransaction((tx) => attachPicture(tx, HEADER, viewer, personId, null, "")),
  setHeaderStyle: (viewer, personId, style) =>
    app.database.inTransaction(async (tx) => {
      if (!HEADER_STYLES.some((known) => known === style))
        throw invalid("style", "Choose one of the backgrounds.");
      await attachPicture(tx, HEADER, viewer, personId, null, "");
      await run(tx, sql`update people set header_style = ${style} where id = ${personId}`);
    }),
});

async function setPicture(
  { database, storage }: PictureContext,
  slot: PictureSlot,
  viewer: Viewer,
  personId: string,
  picture: NewPicture,
) {
  if (!personRules.edit(viewer, { id: personId })) throw notFound();
  const { hash, size, alt } = await storePicture(storage, slot, picture);
  return database.inTransaction(async (tx) => {
    const uploadId = tx.newId();
    await run(
      tx,
      sql`
      insert into uploads (id, owner_id, hash, size, mime, width, height, alt, attached_kind, attached_id,
        created_at)
      values (${uploadId}, ${personId}, ${hash}, ${size}, 'image/webp', ${slot.width}, ${slot.height},
        ${alt}, 'person', ${personId}, ${tx.now})`,
    );
    await attachPicture(tx, slot, viewer, personId, uploadId, alt);
    return { uploadId };
  });
}

/**
 * Crops a picture and stores it.
 * @throws `too-large` above 8 MB or 65 megapixels, `wrong-type` for anything but a picture, `invalid` on
 * `alt`
 */
export async function storePicture(
  storage: Storage,
  bounds: { width: number; height: number },
  { bytes, crop, alt: words = "" }: NewPicture,
) {
  if (bytes.length > LIMITS.pictureBytes) throw pictureTooLarge();
  const alt = toStorableText(words).trim();
  if (alt.length > LIMITS.alt)
    throw invalid("alt", msg("At most {count} characters.", { count: LIMITS.alt }));
  const cut = await cropPicture(bytes, bounds, crop);
  const { hash, size } = await storage.put(Readable.from(cut), LIMITS.pictureBytes);
  return { hash, size, alt };
}

function pictureTooLarge() {
  const sentence = "That picture is larger than 8 MB.";
  return new Refusal("too-large", sentence, { fields: { picture: sentence } });
}

async function updateAltText(
  tx: Tx,
  { column }: PictureSlot,
  viewer: Viewer,
  personId: string,
  words: string,
): Promise<void> {
  if (!personRules.edit(viewer, { id: personId })) throw notFound();
  const alt = toStorableText(words).trim();
  if (alt.length > LIMITS.alt)
    throw invalid("words", msg("At most {count} characters.", { count: LIMITS.alt }));
  const [id, altColumn] = [sql.ref(`${column}_id`), sql.ref(`${column}_alt`)];
  const changed = await run(
    tx,
    sql`update people set ${altColumn} = ${alt}, updated_at = ${tx.now}
      where id = ${personId} and ${id} is not null`,
  );
  if (changed === 0) throw new Refusal("conflict", "This picture no longer exists.");
  await emit(tx, { type: "person.changed", personId });
}

/** The previous picture is detached and deleted with other orphaned files. */
async function attachPicture(
  tx: Tx,
  { column }: PictureSlot,
  viewer: Viewer,
  personId: string,
  uploadId: string | null,
  alt: string,
): Promise<void> {
  if (!personRules.edit(viewer, { id: personId })) throw notFound();
  const [id, words] = [sql.ref(`${column}_id`), sql.ref(`${column}_alt`)];
  const before = await maybeOne(
    tx,
    sql<{ uploadId: string | null }>`
    select ${id} as "uploadId" from people where id = ${personId} and state not in ('erased', 'guest')
    for update`,
  );
  if (!before) throw notFound();
  await run(
    tx,
    sql`update people set ${id} = ${uploadId}, ${words} = ${alt}, updated_at = ${tx.now}
      where id = ${personId}`,
  );
  await run(
    tx,
    sql`update uploads set attached_kind = null, attached_id = null where id = ${before.uploadId}`,
  );
  await emit(tx, { type: "person.changed", personId });
}

type Row = Parameters<typeof toPersonFacts>[0] & {
  isPhoto: boolean;
  hash: string;
  mime: string;
  size: number;
};

/**
 * A person's picture. Everyone who sees the person's name may load the photo, and everyone who sees the
 * profile may load the header. `open`: guests and shared caches may have the picture too.
 * @throws `not-found` otherwise
 */
export async function getPicture(
  db: Db,
  viewer: Viewer,
  uploadId: string,
): Promise<{ hash: string; mime: string; size: number; open: boolean }> {
  const row =
    isId(uploadId) &&
    (await maybeOne(
      db,
      sql<Row>`
    select u.hash, u.mime, u.size::int, p.id, p.state, p.privacy,
      coalesce(p.photo_id = u.id, false) as "isPhoto", ${relationshipColumns(viewer, "p")}
    from uploads u join people p on p.id = u.attached_id
    where u.id = ${uploadId} and u.attached_kind = 'person' and u.id in (p.photo_id, p.header_id)
      and ${isPersonVisible(viewer, "p")}`,
    ));
  if (!row || !(row.isPhoto || personRules.readProfile(viewer, toPersonFacts(row)))) throw notFound();
  const { hash, mime, size, isPhoto } = row;
  return { hash, mime, size, open: isPhoto || toPersonFacts(row).profile === "everyone" };
}
