import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mail } from "./mbox-mails.ts";

// The files of a list run from oldest to newest, the other way or unordered, and some answers precede their
// question. Mails wait on disk until all are read, because a list may be larger than memory.

/** Position of a waiting mail, and what its order depends on. */
type Place = Pick<Mail, "id" | "answers" | "date"> & { from: number; length: number };

/** The mails in written order: none before one that it answers. */
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

/** Share of steps that may go back in time: some clocks are wrong although the order is right. */
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
