import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { type Found, Gathered, nothing } from "./found.ts";
import { KINDS, type OfficeKind, readMarkup } from "./office-kinds.ts";

/** Maximum unpacked bytes of one file, and number of parts. */
const MOST_UNPACKED = 200_000_000;
const MOST_PARTS = 20_000;

class TooMuch extends Error {}

/** Extracts the text of an office file or e-book: its text parts in order, unpacked in chunks. */
export async function readOffice(bytes: Buffer, kind: OfficeKind, until: number): Promise<Found> {
  try {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
    const parts = await partsOf(zip);
    if (parts.some((part) => part.isEncrypted())) return nothing("locked");
    return await wordsOf(zip, parts, kind, until);
  } catch (error) {
    return nothing(error instanceof TooMuch ? "too-much" : "broken");
  }
}

async function partsOf(zip: ZipFile): Promise<Entry[]> {
  const parts: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    parts.push(entry);
    if (parts.length > MOST_PARTS) throw new TooMuch();
  }
  return parts;
}

async function wordsOf(zip: ZipFile, parts: Entry[], kind: OfficeKind, until: number): Promise<Found> {
  const { holds, pageOfPart, locks } = KINDS[kind];
  const gathered = new Gathered();
  const about = { pages: 0, language: "", locked: false };
  let left = MOST_UNPACKED;
  let cut = false;
  for (const part of parts.filter((it) => holds.test(it.fileName)).toSorted(inOrder)) {
    if (gathered.full || Date.now() > until) cut = true;
    else {
      if (pageOfPart?.test(part.fileName)) about.pages += 1;
      if (pageOfPart?.test(part.fileName) && about.pages > 1) gathered.add("\f");
      const markup = readMarkup(kind, part.fileName, (text) => gathered.add(text), about);
      await pipeline(
        await zip.openReadStreamPromise(part),
        new Writable({
          write(piece: Buffer, _encoding, done) {
            left -= piece.length;
            if (left < 0 || Date.now() > until) return done(new TooMuch());
            markup.write(piece);
            done();
          },
        }),
      );
      markup.end();
      gathered.add("\n");
    }
  }
  if (locks && about.locked) return nothing("locked");
  return gathered.found(about.pages || null, about.language, cut);
}

/** Numbers in names sort as numbers: slide2 before slide10. */
const NAMES = new Intl.Collator("en", { numeric: true });
const inOrder = (one: Entry, other: Entry) => NAMES.compare(one.fileName, other.fileName);
