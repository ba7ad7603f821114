import type { ZipFile } from "yazl";
import { type Database, type Db, many, maybeOne, sql } from "#platform/database";
import type { Storage } from "#platform/storage";
import { type SignedIn, SERVER_LIMITS } from "#community/rules";
import { fetchInBatches } from "../writing/cursor.ts";
import { addStoredFile, addText, storeZip } from "../writing/zip-writer.ts";
import { renderExportPage } from "./export-page.ts";
import { type PersonalExportPart, listPersonalExportParts } from "./personal-rows.ts";

type PersonalExportContext = { database: Pick<Database, "db" | "inSnapshot">; storage: Storage };
export type FinishedExport = { id: string; hash: string; size: number };

const ROWS_PER_FETCH = 500;

/**
 * Writes a person's data into a zip as a stream of rows and files, so that memory stays constant. Null for a
 * cancelled export.
 * @throws `too-large` beyond two gigabytes
 */
export async function makePersonalExport(
  { database, storage }: PersonalExportContext,
  exportId: string,
): Promise<FinishedExport | null> {
  const me = await maybeOne(
    database.db,
    sql<SignedIn & { name: string }>`
      select p.id, p.site_role as role, p.trust, p.state = 'limited' as limited, p.display_name as name
      from personal_exports e join people p on p.id = e.person_id and p.state in ('active', 'limited')
      where e.id = ${exportId}::uuid and e.ready_at is null`,
  );
  if (!me) return null;
  const stored = await storeZip(storage, SERVER_LIMITS.export.bytes, async (zip, storing) => {
    const counts = await database.inSnapshot((tx) => addRows(tx, zip, me, storing));
    const files = await addFiles(database.db, storage, zip, me);
    zip.addBuffer(
      Buffer.from(renderExportPage(me.name, listPersonalExportParts(me), counts, files)),
      "index.html",
    );
  });
  return { id: exportId, ...stored };
}

/**
 * Adds the rows of each part, and waits until they are written, so that the snapshot ends before files are
 * copied.
 */
async function addRows(
  tx: Db,
  zip: ZipFile,
  me: SignedIn,
  storing: Promise<unknown>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const part of listPersonalExportParts(me))
    await addText(zip, part.file, streamJson(tx, part, counts), storing);
  return counts;
}

/** Yields a JSON array with one row per line. */
async function* streamJson(
  tx: Db,
  { file, rows }: PersonalExportPart,
  counts: Record<string, number>,
): AsyncGenerator<string> {
  counts[file] = 0;
  yield "[";
  for await (const some of fetchInBatches(tx, rows, ROWS_PER_FETCH)) {
    yield some
      .map((row, i) => `${counts[file] === 0 && i === 0 ? "" : ","}\n${JSON.stringify(row)}`)
      .join("");
    counts[file] += some.length;
  }
  yield "\n]\n";
}

export type OwnFile = { place: string; name: string; size: number };
type Upload = { id: string; hash: string; fileName: string; mime: string };

/** Adds the person's uploads. Each file is opened only when it is written. */
async function addFiles(db: Db, storage: Storage, zip: ZipFile, me: SignedIn): Promise<OwnFile[]> {
  const uploads = await many(
    db,
    sql<Upload>`select id, hash, file_name as "fileName", mime from uploads where owner_id = ${me.id}
      order by id`,
  );
  const files: OwnFile[] = [];
  for (const { id, hash, fileName, mime } of uploads) {
    const name = fileName || mime.replace("/", ".");
    const place = `files/${id}${fileExtension(name)}`;
    const size = await addStoredFile(zip, storage, { hash, name: place });
    if (size !== null) files.push({ place, name, size });
  }
  return files;
}

/** A plausible file extension: file names are untrusted. */
const fileExtension = (name: string) => /\.[a-z0-9]{1,8}$/i.exec(name)?.[0].toLowerCase() ?? "";
