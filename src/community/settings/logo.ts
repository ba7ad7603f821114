import { Readable } from "node:stream";
import { type Database, type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { fitPicture } from "#platform/images";
import { notFound, Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { LIMITS, type Viewer } from "#community/rules";
import type { Settings } from "./settings.ts";

type LogoContext = { database: Database; storage: Storage; settings: Settings };

/** Maximum width and height in pixels: the largest icon of a device. */
const LOGO_SIZE = 512;

/**
 * Replaces the community's logo.
 * @throws `not-allowed` for all but admins, `too-large` above 8 MB or 65 megapixels, `wrong-type` for
 * anything but a raster image (SVG is refused)
 */
export async function setLogo(
  { database, storage, settings }: LogoContext,
  viewer: Viewer,
  bytes: Buffer,
): Promise<void> {
  assertAdmin(viewer);
  if (bytes.length > LIMITS.pictureBytes) throw logoTooLarge();
  const picture = await fitPicture(bytes, LOGO_SIZE);
  const { hash, size } = await storage.put(Readable.from([picture.bytes]), LIMITS.pictureBytes);
  await database.inTransaction(async (tx) => {
    const id = tx.newId();
    await detachOldLogos(tx);
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, width, height, attached_kind, attached_id,
        created_at)
          values (${id}, ${viewer.id}, ${hash}, ${size}, 'image/webp', ${picture.width}, ${picture.height},
            'site', ${id}, ${tx.now})`,
    );
    await settings.set(tx, viewer, { logo: id });
  });
}

/**
 * Removes the logo.
 * @throws `not-allowed` for all but admins
 */
export async function removeLogo(tx: Tx, settings: Settings, viewer: Viewer): Promise<void> {
  assertAdmin(viewer);
  await detachOldLogos(tx);
  await settings.set(tx, viewer, { logo: "" });
}

/** The previous logo is detached and deleted with other orphaned files. */
const detachOldLogos = (tx: Tx) =>
  run(tx, sql`update uploads set attached_kind = null, attached_id = null where attached_kind = 'site'`);

function assertAdmin(viewer: Viewer): void {
  if (viewer.role !== "admin") throw new Refusal("not-allowed", "Only admins can change the settings.");
}

function logoTooLarge() {
  const sentence = "That picture is larger than 8 MB.";
  return new Refusal("too-large", sentence, { fields: { picture: sentence } });
}

/**
 * The logo file. Everyone may read it, because even a private community shows it on its start page.
 * @throws `not-found` for an upload that is not the logo
 */
export async function getLogo(db: Db, uploadId: string): Promise<{ hash: string }> {
  const found =
    isId(uploadId) &&
    (await maybeOne(
      db,
      sql<{ hash: string }>`select hash from uploads where id = ${uploadId} and attached_kind = 'site'`,
    ));
  if (!found) throw notFound();
  return found;
}
