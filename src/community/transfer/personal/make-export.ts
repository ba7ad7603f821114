import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { type Database, type Db, many, maybeOne, run, sql } from "#platform/database";
import type { Storage } from "#platform/storage";
import { LIMITS, type SignedIn } from "#community/rules";
import { exportPage } from "./export-page.ts";
import { type OwnPart, ownParts } from "./own-rows.ts";

type House = { database: Pick<Database, "db">; storage: Storage };
export type Made = { id: string; hash: string; size: number };

const ROWS = 500;

/**
 * Puts everything of somebody's into a zip, row by row and file by file, so that memory does not grow with what they have.
 * Null for an export that nobody waits for. Throws `too-large` beyond two gigabytes.
 */
export async function makeExport({ database, storage }: House, exportId: string): Promise<Made | null> {
  const me = await maybeOne(
    database.db,
    sql<SignedIn & { name: string }>`
      select p.id, p.site_role as role, p.trust, p.state = 'limited' as limited, p.display_name as name
      from personal_exports e join people p on p.id = e.person_id and p.state in ('active', 'limited')
      where e.id = ${exportId}::uuid and e.ready_at is null`,
  );
  if (!me) return null;
  const zip = new ZipFile();
  zip.on("error", (error) => (zip.outputStream as Readable).destroy(error as Error));
  const stored = storage.put(zip.outputStream as Readable, LIMITS.personalExport.bytes);
  // Whoever waits for the rows hears of a failure there; it is heard of here all the same.
  stored.catch(() => {});
  const counts = await addRows(database.db, zip, me, stored);
  const files = await addFiles(database.db, storage, zip, me);
  zip.addBuffer(Buffer.from(exportPage(me.name, ownParts(me), counts, files)), "index.html");
  zip.end();
  return { id: exportId, ...(await stored) };
}

/** The rows as they are at one moment. What is written is waited for, so that the moment ends before files are copied. */
const addRows = (db: Db, zip: ZipFile, me: SignedIn, stored: Promise<unknown>): Promise<Record<string, number>> =>
  db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (tx) => {
      const counts: Record<string, number> = {};
      for (const part of ownParts(me)) {
        const written = new Promise<void>((done) => {
          zip.addReadStreamLazy(part.file, (begin) => begin(null, Readable.from(jsonOf(tx, part, counts, done))));
        });
        await Promise.race([written, stored]);
      }
      return counts;
    });

/** One list of JSON, a line for each row. */
async function* jsonOf(tx: Db, { file, rows }: OwnPart, counts: Record<string, number>, done: () => void): AsyncGenerator<string> {
  counts[file] = 0;
  yield "[";
  await run(tx, sql`declare own no scroll cursor for ${rows}`);
  for (;;) {
    const some = await many(tx, sql<Record<string, unknown>>`fetch ${sql.lit(ROWS)} from own`);
    if (some.length === 0) break;
    yield some.map((row, i) => `${counts[file] === 0 && i === 0 ? "" : ","}\n${JSON.stringify(row)}`).join("");
    counts[file] += some.length;
  }
  await run(tx, sql`close own`);
  done();
  yield "\n]\n";
}

export type OwnFile = { place: string; name: string; size: number };
type Upload = { id: string; hash: string; fileName: string; mime: string };

/** The bytes of what they uploaded, each opened when its turn has come. */
async function addFiles(db: Db, storage: Storage, zip: ZipFile, me: SignedIn): Promise<OwnFile[]> {
  const uploads = await many(
    db,
    sql<Upload>`select id, hash, file_name as "fileName", mime from uploads where owner_id = ${me.id} order by id`,
  );
  const files: OwnFile[] = [];
  for (const { id, hash, fileName, mime } of uploads) {
    const size = await storage.sizeOf(hash);
    if (size === null) continue;
    const name = fileName || mime.replace("/", ".");
    const place = `files/${id}${endingOf(name)}`;
    zip.addReadStreamLazy(place, { compress: false, size }, (begin) => begin(null, Readable.from(bytesOf(storage, hash))));
    files.push({ place, name, size });
  }
  return files;
}

/** The end of a name, where it is one: what is in a name is anybody's. */
const endingOf = (name: string) => /\.[a-z0-9]{1,8}$/i.exec(name)?.[0].toLowerCase() ?? "";

async function* bytesOf(storage: Storage, hash: string): AsyncGenerator<Buffer> {
  yield* (await storage.open(hash)) as AsyncIterable<Buffer>;
}
