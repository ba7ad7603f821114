import { Readable } from "node:stream";
import { z } from "zod";
import { type Db, many, maybeOne, run, sql } from "#platform/database";
import { isId, uuidv7 } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { bytesSaid, mindRoom, noRoom, roomOf } from "#community/common";
import { signedIn } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import type { Settings } from "#community/settings";
import { forgetBytes } from "./forgetting.ts";
import { type FileHouse, keepFile } from "./keeping.ts";

type House = FileHouse & { settings: Settings };

/** What is announced of a file before its bytes come. */
export const NewIncoming = z.object({
  size: z.number("Say how large the file is.").int().min(0, "Say how large the file is."),
  // A name of any length is taken, and cut when it is kept.
  fileName: z.string().transform((name) => name.toWellFormed().replaceAll("\0", "").slice(-2_000)),
});

/** How many bytes a file may have here. */
export const mostBytes = async (settings: Settings): Promise<number> => (await settings.get()).fileMegabytes * 1_000_000;

export const tooLarge = (most: number): Refusal => {
  const sentence = `A file may have ${bytesSaid(most)} here.`;
  return new Refusal("too-large", sentence, { fields: { file: sentence } });
};

/** Makes room for a file that comes in pieces. Throws `not-signed-in`, `not-allowed`, and `too-large` for the file or for the member's room. */
export async function beginFile(house: House, viewer: Viewer, input: z.output<typeof NewIncoming>): Promise<{ id: string }> {
  const me = mayUpload(viewer);
  const most = await mostBytes(house.settings);
  if (input.size > most) throw tooLarge(most);
  return house.database.inTransaction(async (tx) => {
    await mindRoom(tx, me, input.size);
    const id = tx.newId();
    await run(
      tx,
      sql`insert into incoming_files (id, owner_id, size, file_name, created_at) values (${id}, ${me.id}, ${input.size}, ${input.fileName}, ${tx.now})`,
    );
    return { id };
  });
}

/** Takes a file that comes in one go, as a form sends it, under the id `as`, once. Throws as `beginFile` and `finishFile` do. */
export async function takeFile(house: House, viewer: Viewer, fileName: string, from: Readable, as = uuidv7()): Promise<{ id: string }> {
  const me = mayUpload(viewer);
  const most = await mostBytes(house.settings);
  const { used, most: room } = await roomOf(house.database.db, me);
  const stored = await house.storage.put(from, Math.max(0, Math.min(most, room - used))).catch((error: unknown) => {
    // The storage knows only that there were too many bytes.
    if (error instanceof Refusal && error.reason === "too-large" && room - used >= most) throw tooLarge(most);
    if (error instanceof Refusal && error.reason === "too-large") throw noRoom(used, room);
    throw error;
  });
  return keepFile(house, me, { id: as, fileName, stored });
}

/** Throws `not-signed-in`, and `not-allowed` for who is under a sanction. */
export function mayUpload(viewer: Viewer): SignedIn {
  const me = signedIn(viewer);
  if (me.limited) throw new Refusal("not-allowed", "You may read here, and not add anything for now.");
  return me;
}

export type Incoming = { id: string; size: number; fileName: string; arrived: number; createdAt: Date };

/** A file of the viewer's own on its way, or the upload that it has become. `not-found` for all else. */
export async function incomingFor({ database, storage }: FileHouse, viewer: Viewer, id: string): Promise<Incoming> {
  const row = isId(id)
    ? await maybeOne(
        database.db,
        sql<Incoming & { whole: boolean }>`
          select id, size::float8 as size, file_name as "fileName", created_at as "createdAt", false as whole from incoming_files where id = ${id} and owner_id = ${viewer.id}::uuid
          union all select id, size::float8, file_name, created_at, true from uploads where id = ${id} and owner_id = ${viewer.id}::uuid`,
      )
    : undefined;
  if (!row) throw notFound();
  const { whole, ...incoming } = row;
  return { ...incoming, arrived: whole ? row.size : Math.min(row.size, (await storage.pieces.sizeOf(id)) ?? 0) };
}

/** Keeps a file that has come whole as an upload of the same id; once, however often it is called. Throws as `keepFile` does. */
export async function finishFile(house: FileHouse, viewer: Viewer, id: string): Promise<{ id: string }> {
  const me = mayUpload(viewer);
  const { size, fileName, arrived } = await incomingFor(house, me, id);
  if (await maybeOne(house.database.db, sql`select from uploads where id = ${id}`)) return { id };
  if (arrived < size) throw new Refusal("conflict", "Not all of that file has arrived yet.");
  // A file of no bytes has never been written to.
  const stored = size === 0 ? await house.storage.put(Readable.from([]), 0) : await house.storage.pieces.finish(id);
  try {
    return await keepFile(house, me, { id, fileName, stored });
  } catch (error) {
    await giveUpFile(house, me, id);
    throw error;
  }
}

/** Files of the viewer's that nothing was made of yet, in the order of these ids; what is not theirs or not free is left out. */
export async function freeFiles(db: Db, viewer: Viewer, ids: string[]): Promise<FreeFile[]> {
  const rows = await many(
    db,
    sql<FreeFile>`
      select id, file_name as "fileName", size::float8 as size, state from uploads
      where id = any(${ids.filter(isId)}::uuid[]) and owner_id = ${viewer.id}::uuid and attached_kind is null and file_name <> ''`,
  );
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}
export type FreeFile = { id: string; fileName: string; size: number; state: "scanning" | "ok" | "quarantined" };

/** An upload of the viewer's own, wherever it stands by now. */
export const ownUpload = async (db: Db, viewer: Viewer, id: string): Promise<{ fileName: string } | null> =>
  (await maybeOne(
    db,
    sql<{ fileName: string }>`select file_name as "fileName" from uploads where id = ${id} and owner_id = ${viewer.id}::uuid`,
  )) ?? null;

/** Takes back a file that nothing was made of. Throws `not-found` for all else. */
export async function dropFile(house: FileHouse, viewer: Viewer, id: string): Promise<void> {
  const me = signedIn(viewer);
  const gone = isId(id)
    ? await maybeOne(
        house.database.db,
        sql<{
          hash: string;
        }>`delete from uploads where id = ${id} and owner_id = ${me.id} and attached_kind is null and file_name <> '' returning hash`,
      )
    : undefined;
  if (!gone) throw notFound();
  await forgetBytes(house, gone.hash);
}

/** Takes back what is on its way; what is not, is not. */
export async function giveUpFile({ database, storage }: FileHouse, viewer: Viewer, id: string): Promise<void> {
  const gone = await run(database.db, sql`delete from incoming_files where id = ${id} and owner_id = ${viewer.id}::uuid`);
  if (gone > 0) await storage.pieces.remove(id);
}
