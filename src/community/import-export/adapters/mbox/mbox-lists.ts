import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { readChunks } from "#platform/streams";
import { assertNotZipBomb, type Bundle, tooManyBytes } from "../../archive/bundle-files.ts";

/** A mailing list with its files: a single file, one file per month in order, or a folder of single mails. */
export type MailingListFiles = { id: string; name: string; files: string[] };

const MBOX_FILE = /\.(?:mbox|mbx|txt)(?:\.gz)?$/i;
const GZIP_ENDING = /\.gz$/i;
const FILE_ENDING = /(?:\.(?:mbox|mbx|txt))?(?:\.gz)?$/i;

/** File names contain a month in full, or its first three letters. */
const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const MONTH_NAMES = MONTHS.map((it) => `${it}|${it.slice(0, 3)}`).join("|");
const YEAR = String.raw`(?:19|20)\d\d`;
/**
 * Periods that list software puts in the file names of its archives: a month, quarter, week, year or range
 * of days.
 */
const ARCHIVE_PERIOD = new RegExp(
  String.raw`(?:^|[-_.])(?:Week-of-Mon-${YEAR}\d{4}|${YEAR}-?(?:${MONTH_NAMES}|q[1-4])` +
    String.raw`|${YEAR}(?:[-_.]?(?:0[1-9]|1[0-2])(?:[-_.]?[0-3]\d)?)?(?:-${YEAR}-\d\d(?:-\d\d)?)?)$`,
  "i",
);

/**
 * Matches a file with a single mail: as saved by a mail program (`.eml`), in a Maildir (`cur/`, `new/`), or
 * numbered as in MH.
 */
const SINGLE = /\.eml(?:\.gz)?$|(?:^|\/)(?:cur|new)\/[^/]+$|(?:^|\/)[1-9]\d{0,8}$/i;
export const isSingleMail = (name: string) => SINGLE.test(name) && !MBOX_FILE.test(name);

export function listMailingLists(bundle: Bundle): MailingListFiles[] {
  const names = bundle.names.filter(
    (name) => MBOX_FILE.test(name) || isSingleMail(name) || bundle.names.length === 1,
  );
  const lists = Map.groupBy(names, (name) => mailingListId(name));
  return [...lists].map(([id, files]) => ({
    id: id || "list",
    name: (id || bundle.name)
      .replace(/\/$/, "")
      .replace(/^.*\//, "")
      .replace(FILE_ENDING, "")
      .replace(/(?<=.)@.*$/, ""),
    files: files.toSorted((a, b) =>
      periodSortKey(a) < periodSortKey(b) ? -1 : periodSortKey(a) > periodSortKey(b) ? 1 : 0,
    ),
  }));
}

const stripEnding = (name: string) => name.replace(FILE_ENDING, "");
const fileName = (name: string) => stripEnding(name).replace(/^.*\//, "");

/**
 * Id of the list of a file. If the name ends with a period such as a month, the text before it is the list;
 * any other file is a list of its own.
 */
const mailingListId = (name: string) =>
  isSingleMail(name)
    ? folderOf(name)
    : ARCHIVE_PERIOD.test(fileName(name))
      ? stripPeriod(name)
      : name.replace(GZIP_ENDING, "");

const folderOf = (name: string) => name.replace(/[^/]*$/, "").replace(/(?:cur|new)\/$/, "");

const stripPeriod = (name: string) =>
  stripEnding(name).slice(0, -fileName(name).length) + fileName(name).replace(ARCHIVE_PERIOD, "");

/** The period in a file name, as text that sorts by time. */
function periodSortKey(name: string): string {
  const part = ARCHIVE_PERIOD.exec(fileName(name))?.[0].toLowerCase() ?? "";
  const month = MONTHS.findIndex((it) => part.includes(it.slice(0, 3))) + 1;
  const quarter = Number(/q([1-4])$/.exec(part)?.[1] ?? 0) * 3 - 2;
  const year = /(?:19|20)\d\d/.exec(part)?.[0] ?? "";
  return month > 0 || quarter > 0
    ? `${year}${String(Math.max(month, quarter)).padStart(2, "0")}`
    : part.replace(/\D/g, "");
}

/** Number of bytes that the remaining files of an archive may have after unpacking. */
export type ByteBudget = { left: number };

/**
 * Yields the bytes of a file, unpacked if they start as gzip: the file name alone may be wrong.
 * @throws `invalid` for a zip bomb, or beyond the archive's byte budget
 */
export async function* readUnpacked(
  bundle: Bundle,
  name: string,
  budget: ByteBudget,
): AsyncGenerator<Buffer> {
  const isPacked = GZIP_ENDING.test(name) && (await hasGzipHeader(await bundle.read(name)));
  let [before, after] = [0, 0];
  const counted = async function* () {
    for await (const chunk of readChunks(await bundle.read(name))) {
      before += chunk.length;
      yield chunk;
    }
  };
  for await (const chunk of isPacked ? gunzipUntilDamage(counted()) : counted()) {
    after += chunk.length;
    budget.left -= chunk.length;
    assertNotZipBomb(name, before, after);
    if (budget.left < 0) throw tooManyBytes();
    yield chunk;
  }
}

/**
 * Yields everything that can be unpacked before an error. A plain stream would drop chunks that are not read
 * yet, so different runs would read different parts of a damaged file.
 */
async function* gunzipUntilDamage(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const ready: Buffer[] = [];
  // gunzip ends before trailing garbage and then calls no more write callbacks.
  const over = new Promise<Error | null>(
    (done) => void gunzip.once("end", () => done(null)).once("error", done),
  );
  gunzip.on("data", (chunk: Buffer) => ready.push(chunk));
  try {
    for await (const chunk of packed) {
      const goesOn = new Promise<"goes on">((done) =>
        gunzip.write(chunk, (error) => !error && done("goes on")),
      );
      const how = await Promise.race([over, goesOn]);
      yield* ready.splice(0);
      if (how === null) return;
      if (how !== "goes on") throw how;
    }
    gunzip.end();
    const error = await over;
    yield* ready.splice(0);
    if (error) throw error;
  } finally {
    gunzip.destroy();
  }
}

/** Whether the stream starts with the two bytes of the gzip format; false for an empty file. */
async function hasGzipHeader(stream: Readable): Promise<boolean> {
  let head = Buffer.alloc(0);
  for await (const chunk of readChunks(stream)) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= 2) break;
  }
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Whether the error means a truncated or damaged gzip file. */
export const isGzipError = (error: unknown) =>
  error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
