import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTrustedJson } from "#platform/json";
import type { ArchivedMail } from "./mbox-mails.ts";

// Sorts the mails of a list. Its files may run from oldest to newest, in reverse or unordered, and some
// answers precede their question. Mails are stored on disk until all are read, because a list may be larger
// than memory.

/** Position of a mail in the temporary file, with the fields that determine its order. */
type StoredMail = Pick<ArchivedMail, "id" | "answers" | "date"> & { from: number; length: number };

/** Yields the mails in the order of writing; an answer never precedes the mail that it answers. */
export async function* sortMails(mails: AsyncIterable<ArchivedMail>): AsyncGenerator<ArchivedMail> {
  const folder = await mkdtemp(join(tmpdir(), "kith-mbox-"));
  try {
    const file = await open(join(folder, "mails"), "wx+", 0o600);
    try {
      for (const mail of sortByThread(await storeMails(file, mails))) yield await readStoredMail(file, mail);
    } finally {
      await file.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function storeMails(file: FileHandle, mails: AsyncIterable<ArchivedMail>): Promise<StoredMail[]> {
  const places: StoredMail[] = [];
  let from = 0;
  for await (const mail of mails) {
    const bytes = Buffer.from(JSON.stringify(mail));
    await file.appendFile(bytes);
    places.push({ id: mail.id, answers: mail.answers, date: mail.date, from, length: bytes.length });
    from += bytes.length;
  }
  return places;
}

async function readStoredMail(file: FileHandle, { from, length }: StoredMail): Promise<ArchivedMail> {
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, from);
  return parseTrustedJson(buffer.toString());
}

/**
 * Maximum share of mails dated before the previous mail in files that still count as ordered: some clocks are
 * wrong.
 */
const MAX_REVERSE_SHARE = 0.1;

function* sortByThread(mails: StoredMail[]): Generator<StoredMail> {
  const back = mails.filter(({ date }, i) => i > 0 && date < mails[i - 1]!.date).length;
  const byDate = (one: StoredMail, other: StoredMail) =>
    one.date < other.date ? -1 : one.date > other.date ? 1 : 0;
  const byId = new Map(mails.map((it) => [it.id, it]));
  const come = new Set<StoredMail>();
  for (const mail of back > MAX_REVERSE_SHARE * mails.length ? mails.toSorted(byDate) : mails) {
    const line: StoredMail[] = [];
    for (
      let it: StoredMail | undefined = mail;
      it && !come.has(it);
      it = it.answers.flatMap((id) => byId.get(id) ?? [])[0]
    ) {
      come.add(it);
      line.push(it);
    }
    yield* line.toReversed();
  }
}
