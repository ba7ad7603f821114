import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mail } from "./mbox-mails.ts";

// A file of a list runs from the oldest mail to the newest, or the other way, or in no order at all; some answers stand before
// what they answer. The mails wait on the disk until all are read, for a list may be larger than the memory.

/** Where a mail waits, and what tells its turn. */
type Place = Pick<Mail, "id" | "answers" | "date"> & { from: number; length: number };

/** The mails as they were written: none before one that it answers. */
export async function* inOrder(mails: AsyncIterable<Mail>): AsyncGenerator<Mail> {
  const folder = await mkdtemp(join(tmpdir(), "kith-mbox-"));
  try {
    const file = await open(join(folder, "mails"), "wx+", 0o600);
    try {
      for (const place of ordered(await written(file, mails))) yield await readAt(file, place);
    } finally {
      await file.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function written(file: FileHandle, mails: AsyncIterable<Mail>): Promise<Place[]> {
  const places: Place[] = [];
  let from = 0;
  for await (const mail of mails) {
    const bytes = Buffer.from(JSON.stringify(mail));
    await file.appendFile(bytes);
    places.push({ id: mail.id, answers: mail.answers, date: mail.date, from, length: bytes.length });
    from += bytes.length;
  }
  return places;
}

async function readAt(file: FileHandle, { from, length }: Place): Promise<Mail> {
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, from);
  return JSON.parse(buffer.toString()) as Mail;
}

/** Of all steps from one mail to the next so many may go back: a clock is wrong now and then, and the order is right. */
const STRAYING = 0.1;

function* ordered(places: Place[]): Generator<Place> {
  const back = places.filter(({ date }, i) => i > 0 && date < places[i - 1]!.date).length;
  const byDate = (one: Place, other: Place) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0);
  const byId = new Map(places.map((it) => [it.id, it]));
  const come = new Set<Place>();
  for (const place of back > STRAYING * places.length ? places.toSorted(byDate) : places) {
    const line: Place[] = [];
    for (let it: Place | undefined = place; it && !come.has(it); it = it.answers.flatMap((id) => byId.get(id) ?? [])[0]) {
      come.add(it);
      line.push(it);
    }
    yield* line.toReversed();
  }
}
