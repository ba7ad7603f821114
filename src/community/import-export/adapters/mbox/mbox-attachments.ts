import { createHash } from "node:crypto";
import type { Attachment } from "postal-mime";

// Attachments: pictures are imported and placed after the text; others are named in a warning.

/** A picture as a record of type `file` names it. */
export type Extracted = { id: string; path: string; name: string };
export type ExtractPicture = (path: string, bytes: Uint8Array) => Promise<void>;

/** First bytes of JPEG, PNG, GIF, WebP and AVIF, because labels are unreliable. */
const PICTURES = [/^\xFF\xD8\xFF/, /^\x89PNG\r\n\x1A\n/, /^GIF8[79]a/, /^RIFF[^]{4}WEBP/, /^[^]{4}ftyp(?:avif|avis|mif1)/];
/** Smaller ones are the counters and lines of newsletters. */
const LEAST_BYTES = 200;

/** Extracts the pictures among attachments; `others` are the names of what is left. */
export async function extractPictures(
  at: string,
  attachments: Attachment[],
  extract: ExtractPicture,
): Promise<{ pictures: Extracted[]; others: string[] }> {
  const pictures: Extracted[] = [];
  const others: string[] = [];
  for (const [i, { filename, content }] of attachments.entries()) {
    const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
    const name = filename ?? "an attachment";
    if (!isPicture(bytes)) {
      others.push(name);
      continue;
    }
    const path = `${at} attachment ${i + 1}`;
    await extract(path, bytes);
    pictures.push({ id: createHash("sha256").update(path).update(bytes).digest("hex"), path, name: filename ?? "picture" });
  }
  return { pictures, others };
}

function isPicture(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  return bytes.length >= LEAST_BYTES && PICTURES.some((it) => it.test(start));
}
