import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { type ExtractedText, TextCollector, emptyExtraction } from "./extracted-text.ts";
import { OFFICE_KINDS, type OfficeKind, parseOfficePart } from "./office-kinds.ts";

/** Maximum unpacked bytes of one file. */
const MAX_UNPACKED = 200_000_000;
/** Maximum number of parts of one file. */
const MAX_PARTS = 20_000;

class TooMuch extends Error {}

/** Extracts the text of an office file or e-book: its parts with text are unpacked in order, in chunks. */
export async function readOffice(bytes: Buffer, kind: OfficeKind, until: number): Promise<ExtractedText> {
  try {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
    const parts = await listParts(zip);
    if (parts.some((part) => part.isEncrypted())) return emptyExtraction("locked");
    return await extractParts(zip, parts, kind, until);
  } catch (error) {
    return emptyExtraction(error instanceof TooMuch ? "too-much" : "broken");
  }
}

async function listParts(zip: ZipFile): Promise<Entry[]> {
  const parts: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    parts.push(entry);
    if (parts.length > MAX_PARTS) throw new TooMuch();
  }
  return parts;
}

async function extractParts(
  zip: ZipFile,
  parts: Entry[],
  kind: OfficeKind,
  until: number,
): Promise<ExtractedText> {
  const { holds, pageOfPart, locks } = OFFICE_KINDS[kind];
  const gathered = new TextCollector();
  const about = { pages: 0, language: "", locked: false };
  let left = MAX_UNPACKED;
  let cut = false;
  for (const part of parts.filter((it) => holds.test(it.fileName)).toSorted(compareParts)) {
    if (gathered.full || Date.now() > until) cut = true;
    else {
      if (pageOfPart?.test(part.fileName)) about.pages += 1;
      if (pageOfPart?.test(part.fileName) && about.pages > 1) gathered.add("\f");
      const markup = parseOfficePart(kind, part.fileName, (text) => gathered.add(text), about);
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
  if (locks && about.locked) return emptyExtraction("locked");
  return gathered.found(about.pages || null, about.language, cut);
}

/** Sorts numbers in names by value: slide2 before slide10. */
const nameOrder = new Intl.Collator("en", { numeric: true });
const compareParts = (one: Entry, other: Entry) => nameOrder.compare(one.fileName, other.fileName);
