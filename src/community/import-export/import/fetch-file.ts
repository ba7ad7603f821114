import { Readable } from "node:stream";
import { cutPicture, fitPicture, isCleanPicture } from "#platform/images";
import { Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { LIMITS } from "#community/rules";
import type { Bundle } from "../archive/bundle-files.ts";
import type { RecordOf } from "../archive/records.ts";
import type { StoredFile } from "../demo/demo-files.ts";

const PHOTO = { width: 400, height: 400 };
const HEADER = { width: 1500, height: 500 };

/** Maximum bytes of an imported file: the larger of this site's limit and the default. */
export const maxFileBytes = ({ fileMegabytes }: { fileMegabytes: number }) =>
  Math.max(LIMITS.fileBytes, fileMegabytes * 1_000_000);

/**
 * Why a file's bytes cannot be imported; null if they can. Pictures are re-encoded in memory, so the site's
 * limit applies to files only.
 */
export function findFileFault(bundle: Bundle, it: RecordOf<"file">, most: number): string | null {
  if (it.state === "quarantined") return describeQuarantined(it) ? null : "it contains malware.";
  const size = bundle.sizeOf(it.path);
  if (size === null) return `its bytes are missing: there is no ${it.path} in the archive.`;
  const allowed = it.as ? LIMITS.fileBytes : most;
  if (size > allowed)
    return `${it.path} is larger than ${allowed / 1_000_000} MB, the limit for a ${it.as ? "picture" : "file"}.`;
  return null;
}

/** Metadata of a quarantined file: enough to report its state and to recognize it in a later import. */
export const describeQuarantined = ({ state, sha256, size, mime }: RecordOf<"file">): StoredFile | null =>
  state === "quarantined" && sha256 && size !== undefined ? { hash: sha256, size, mime } : null;

/**
 * Copies a file's bytes from the archive to storage. Shown pictures are re-encoded unless they are in the
 * site's own format. Returns a sentence if the bytes cannot be imported.
 */
export async function fetchFile(
  bundle: Bundle,
  storage: Storage,
  it: RecordOf<"file">,
  most: number,
): Promise<StoredFile | string> {
  const fault = findFileFault(bundle, it, most);
  if (fault) return fault;
  const known = describeQuarantined(it);
  if (known) return known;
  try {
    if (it.as) return await fetchImage(bundle, storage, it);
    const stored = await storage.put(await bundle.read(it.path), most);
    if (!it.sha256 || stored.hash === it.sha256) return { ...stored, mime: it.mime };
    return `the bytes at ${it.path} do not match the record.`;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

async function fetchImage(bundle: Bundle, storage: Storage, it: RecordOf<"file">): Promise<StoredFile> {
  const came = Buffer.concat(await (await bundle.read(it.path)).toArray());
  const { bytes, ...size } = await encodePicture(came, it);
  return { ...(await storage.put(Readable.from([bytes]), LIMITS.fileBytes)), ...size, mime: "image/webp" };
}

async function encodePicture(
  bytes: Buffer,
  it: RecordOf<"file">,
): Promise<{ bytes: Buffer; width: number; height: number }> {
  const { pixels } = LIMITS.postPicture;
  if (it.as === "picture") {
    const size = { width: it.width ?? 0, height: it.height ?? 0 };
    const fits = size.width <= pixels && size.height <= pixels && (await isCleanPicture(bytes, size));
    return fits ? { bytes, ...size } : fitPicture(bytes, pixels);
  }
  const size = it.as === "photo" ? PHOTO : HEADER;
  return { bytes: (await isCleanPicture(bytes, size)) ? bytes : await cutPicture(bytes, size), ...size };
}
