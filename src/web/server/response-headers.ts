import type { Encoding } from "./guest-page-cache.ts";

/**
 * Content security policy of a page: only our own origin, and scripts with this response's nonce or one of
 * these hashes.
 */
export const contentPolicy = (scripts: string[]) =>
  [
    "default-src 'self'",
    `script-src 'self' ${scripts.join(" ")}`,
    // React writes style attributes, so inline styles are allowed; they cannot run scripts.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "private, no-cache",
  vary: "Cookie, Accept-Encoding, Accept-Language",
  // With this header, the service worker deletes copies of pages that members have read on this device
  // (decision 32).
  "kith-reader": "guest",
} as const;

/** Returns the first of our encodings that the client accepts. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  const taken = (accepted ?? "")
    .toLowerCase()
    .split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(";")[0]!.trim());
  for (const ours of ["zstd", "br", "gzip"] as const) if (taken.includes(ours)) return ours;
  return "identity";
}
