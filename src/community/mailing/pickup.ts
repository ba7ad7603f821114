import { lstat, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isUnavailable } from "#platform/database";
import { type InHouse, takeIn } from "./incoming.ts";

/** Files in one run, and bytes in one file. */
const MOST_FILES = 200;
const MOST_BYTES = 25_000_000;
/** What is still being written has another name by the customs of mail, or none that we read. */
const READ = /\.(eml|mbox|mail)$/i;

/**
 * Reads what lies in a folder: one mail in a file (`.eml`, `.mail`), or several (`.mbox`). A file is removed once all that is in it
 * has been read; one that cannot be read is put aside as `….failed`, and all stays while the database is away. Should the process
 * end between, or two read at once, what was read already is known by its name. Returns how many mails there were.
 */
export async function emptyFolder(house: InHouse, folder: string): Promise<number> {
  let mails = 0;
  for (const name of (await namesIn(house, folder))
    .filter((it) => READ.test(it))
    .sort()
    .slice(0, MOST_FILES)) {
    const path = join(folder, name);
    try {
      mails += await readAll(house, path);
      await rm(path, { force: true });
    } catch (error) {
      // Somebody else has taken it.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
      if (isUnavailable(error)) throw error;
      house.log.error({ err: error, file: name }, "a file with mail could not be read");
      await rename(path, `${path}.failed`);
    }
  }
  return mails;
}

/** A folder that is not there is somebody's to put right, and no job's to try again. */
const namesIn = (house: InHouse, folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    house.log.error({ err: error }, "the folder with mail cannot be read");
    return [];
  });

async function readAll(house: InHouse, path: string): Promise<number> {
  const it = await lstat(path);
  if (!it.isFile() || it.size > MOST_BYTES) throw new Error("It is no file, or more than 25 MB.");
  const bytes = await readFile(path);
  const found = /\.mbox$/i.test(path) ? mailsIn(bytes) : [bytes];
  for (const mail of found) house.log.info({ outcome: await takeIn(house, mail) }, "a mail came in");
  return found.length;
}

/** A line that begins a mail in an mbox: after an empty line, or with a field of a head right below it. */
const ENVELOPE = /(?:^|(?<=\n\r?\n)|(?<=\n)(?=From [^\n]*\n[A-Za-z-]{2,40}:[ \t]))From \S[^\n]{0,200}\d\d:\d\d[^\n]{0,60}\n/g;

/** The mails of an mbox; of any other file, the one that it is. */
export function mailsIn(bytes: Buffer): Buffer[] {
  const text = bytes.toString("latin1");
  if (!text.startsWith("From ")) return [bytes];
  return text
    .split(ENVELOPE)
    .slice(1)
    .map((mail) => Buffer.from(mail.replace(/^>(>*From )/gm, "$1"), "latin1"));
}
