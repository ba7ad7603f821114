import { lstat, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isUnavailable } from "#platform/database";
import { errorCode } from "#platform/errors";
import { type InboundContext, processInboundMail } from "./inbound-mail.ts";

const MAX_FILES = 200;
const MAX_FILE_BYTES = 25_000_000;
/** Matches complete mails. By convention, files still being written have another extension. */
const MAIL_FILE = /\.(eml|mbox|mail)$/i;

/**
 * Processes a folder of mails: one per file (`.eml`, `.mail`) or several (`.mbox`). A file is deleted once
 * all its mails are processed, and renamed to `….failed` if it is unreadable. While the database is down,
 * all files stay. Interrupted and parallel runs are safe, because processed mails are recognized by hash.
 * Returns the number of mails.
 */
export async function processMailFolder(app: InboundContext, folder: string): Promise<number> {
  let mails = 0;
  for (const name of (await listFileNames(app, folder))
    .filter((it) => MAIL_FILE.test(it))
    .sort()
    .slice(0, MAX_FILES)) {
    const path = join(folder, name);
    try {
      mails += await processFile(app, path);
      await rm(path, { force: true });
    } catch (error) {
      // Another process has already processed and removed the file.
      if (errorCode(error) === "ENOENT") continue;
      if (isUnavailable(error)) throw error;
      app.log.error({ err: error, file: name }, "a mail file could not be read");
      await rename(path, `${path}.failed`);
    }
  }
  return mails;
}

/**
 * Lists the files. A missing folder is only logged: the operator must create it, and retrying the job would
 * not help.
 */
const listFileNames = (app: InboundContext, folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    app.log.error({ err: error }, "the mail folder cannot be read");
    return [];
  });

async function processFile(app: InboundContext, path: string): Promise<number> {
  const it = await lstat(path);
  if (!it.isFile() || it.size > MAX_FILE_BYTES) throw new Error("It is not a file, or larger than 25 MB.");
  const bytes = await readFile(path);
  const found = /\.mbox$/i.test(path) ? splitMails(bytes) : [bytes];
  for (const mail of found)
    app.log.info({ outcome: await processInboundMail(app, mail) }, "inbound email received");
  return found.length;
}

/** Start of a mail in an mbox: a line after an empty line, or one with a header field right below it. */
const ENVELOPE =
  /(?:^|(?<=\n\r?\n)|(?<=\n)(?=From [^\n]*\n[A-Za-z-]{2,40}:[ \t]))From \S[^\n]{0,200}\d\d:\d\d[^\n]{0,60}\n/g;

/** Splits an mbox into mails; any other file is a single mail. */
export function splitMails(bytes: Buffer): Buffer[] {
  const text = bytes.toString("latin1");
  if (!text.startsWith("From ")) return [bytes];
  return text
    .split(ENVELOPE)
    .slice(1)
    .map((mail) => Buffer.from(mail.replace(/^>(>*From )/gm, "$1"), "latin1"));
}
