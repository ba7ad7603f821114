import { createHash } from "node:crypto";
import type { Attachment } from "postal-mime";
import { detectPictureKind } from "#platform/images";

// Imports attached pictures and places them after the text; other attachments are named in a warning.

/** A picture with the fields of a record of type `file`. */
export type ExtractedPicture = { id: string; path: string; name: string };
export type ExtractPicture = (path: string, bytes: Uint8Array) => Promise<void>;

/** Smaller pictures are tracking pixels and separator lines of newsletters. */
const LEAST_BYTES = 200;

/** Extracts the pictures among attachments; `others` are the names of the other attachments. */
export async function extractPictures(
  at: string,
  attachments: Attachment[],
  extract: ExtractPicture,
): Promise<{ pictures: ExtractedPicture[]; others: string[] }> {
  const pictures: ExtractedPicture[] = [];
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
    pictures.push({
      id: createHash("sha256").update(path).update(bytes).digest("hex"),
      path,
      name: filename ?? "picture",
    });
  }
  return { pictures, others };
}

/**
 * Whether these bytes are a supported picture, by their first bytes: declared types are often wrong. HEIC is
 * not supported.
 */
function isPicture(bytes: Uint8Array): boolean {
  const kind = bytes.length >= LEAST_BYTES ? detectPictureKind(Buffer.from(bytes)) : null;
  return kind !== null && kind !== "heic";
}
