import { Readable } from "node:stream";
import { cropPicture, fitPicture, isCleanPicture } from "#platform/images";
import { Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { LIMITS, SERVER_LIMITS } from "#community/rules";
import type { Bundle } from "../archive/bundle-files.ts";
import type { RecordOf } from "../archive/records.ts";
import type { StoredFile } from "../demo/demo-files.ts";

const PHOTO = { width: 400, height: 400 };
const HEADER = { width: 1500, height: 500 };

/** Maximum size of an imported file in bytes: the larger of this site's limit and the default. */
export const maxFileBytes = ({ fileMegabytes }: { fileMegabytes: number }) =>
  Math.max(SERVER_LIMITS.fileBytes, fileMegabytes * 1_000_000);

/**
 * Why a file's bytes cannot be imported; null if they can. Pictures are re-encoded in memory, so the site's
 * limit applies to files only.
 */
export function findFileFault(bundle: Bundle, row: RecordOf<"file">, most: number): string | null {
  if (row.state === "quarantined") return describeQuarantined(row) ? null : "it contains malware.";
  const size = bundle.sizeOf(row.path);
  if (size === null) return `its bytes are missing: there is no ${row.path} in the archive.`;
  const allowed = row.as ? SERVER_LIMITS.fileBytes : most;
  if (size > allowed)
    return `${row.path} is larger than ${allowed / 1_000_000} MB, the limit for a ${row.as ? "picture" : "file"}.`;
  return null;
}

/** Metadata of a quarantined file: enough to report its state and to recognize it in a later import. */
export const describeQuarantined = ({ state, sha256, size, mime }: RecordOf<"file">): StoredFile | null =>
  state === "quarantined" && sha256 && size !== undefined ? { hash: sha256, size, mime } : null;

/**
 * Copies a file's bytes from the archive to storage. Pictures shown on pages are re-encoded unless they have
 * the site's own format. Returns the reason as a sentence if the bytes cannot be imported.
 */
export async function fetchFile(
  bundle: Bundle,
  storage: Storage,
  row: RecordOf<"file">,
  most: number,
): Promise<StoredFile | string> {
  const fault = findFileFault(bundle, row, most);
  if (fault) return fault;
  const known = describeQuarantined(row);
  if (known) return known;
  try {
    if (row.as) return await fetchImage(bundle, storage, row);
    const stored = await storage.put(await bundle.read(row.path), most);
    if (!row.sha256 || stored.hash === row.sha256) return { ...stored, mime: row.mime };
    return `the bytes at ${row.path} do not match the record.`;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

async function fetchImage(bundle: Bundle, storage: Storage, row: RecordOf<"file">): Promise<StoredFile> {
  const came = Buffer.concat(await (await bundle.read(row.path)).toArray());
  const { bytes, ...size } = await encodePicture(came, row);
  return {
    ...(await storage.put(Readable.from([bytes]), SERVER_LIMITS.fileBytes)),
    ...size,
    mime: "image/webp",
  };
}

async function encodePicture(
  bytes: Buffer,
  row: RecordOf<"file">,
): Promise<{ bytes: Buffer; width: number; height: number }> {
  const { pixels } = LIMITS.postPicture;
  if (row.as === "picture") {
    const size = { width: row.width ?? 0, height: row.height ?? 0 };
    const fits = size.width <= pixels && size.height <= pixels && (await isCleanPicture(bytes, size));
    return fits ? { bytes, ...size } : fitPicture(bytes, pixels);
  }
  const size = row.as === "photo" ? PHOTO : HEADER;
  return { bytes: (await isCleanPicture(bytes, size)) ? bytes : await cropPicture(bytes, size), ...size };
}
