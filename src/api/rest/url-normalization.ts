/**
 * Normalizes the URL of a call. Clients join addresses with extra slashes, so double slashes are merged.
 * Only paths of the REST API are changed, since `//` may matter in other paths.
 */
export function normalizeUrl(url: string, appId: string): string {
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  if (!path.includes("//")) return url;
  const single = path.replace(/\/{2,}/g, "/");
  return single.startsWith(`/${appId}/`) || single.startsWith("/api/")
    ? single + url.slice(path.length)
    : url;
}

/**
 * Decodes a path segment, and removes characters the database cannot store. Clients escape a segment twice
 * when the only characters to escape are commas or semicolons.
 */
export const decodePathPart = (text: string): string =>
  removeUnstorable(text.includes("%") ? text.replace(/%2c/gi, ",").replace(/%3b/gi, ";") : text);

/** Removes characters that the database cannot store: NUL and lone surrogates. */
export const removeUnstorable = (text: string): string =>
  UNSTORABLE.test(text) ? text.replaceAll("\0", "").toWellFormed() : text;
const UNSTORABLE = /[\0\ud800-\udfff]/;
