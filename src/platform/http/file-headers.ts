import type { ByteRange } from "#platform/storage";

/**
 * Headers for uploaded files: a file that is opened directly runs no script and has no access to this
 * origin.
 */
export const SANDBOX_HEADERS = {
  "accept-ranges": "bytes",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
} as const;

/** Types that a browser may show inline, because they cannot run scripts. All other files are downloaded. */
const INLINE_TYPES = /^(image\/(jpeg|png|webp|gif|avif)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain)$/;

/** Texts are stored as UTF-8. An invalid media type is sent as bytes (`application/octet-stream`). */
export function contentTypeHeader(mime: string): string {
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(mime)) return "application/octet-stream";
  return mime.startsWith("text/") ? `${mime}; charset=utf-8` : mime;
}

/** RFC 6266: the name in ASCII for old clients, and the full name for all others. */
export function contentDisposition({ mime, fileName }: { mime: string; fileName: string }): string {
  const how = INLINE_TYPES.test(mime) ? "inline" : "attachment";
  const name = fileName
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f/\\]/g, "")
    .trim();
  if (name === "") return how;
  const ascii = name.replace(/[^\u0020-\u007e]/g, "_").replaceAll('"', "'");
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${ascii}"; filename*=UTF-8''${whole}`;
}

/** True when the client already has the version with this ETag. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((part) => ["*", etag].includes(part.trim().replace(/^W\//, "")));
}

/**
 * Parses the requested part of a file. Returns null for the whole file (also for several ranges or an
 * unreadable header), and "none" when the file has no such part.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | "none" | null {
  const read = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!read || (read[1] === "" && read[2] === "")) return null;
  const [first, last] = [read[1]!, read[2]!];
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(first) > Number(last)) return null;
  return from >= size || to < from ? "none" : { from, to };
}
