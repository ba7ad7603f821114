/**
 * The address of a call as its client meant it. Clients join addresses with slashes of their own, so that some come twice; only
 * what is the REST door's is touched, since to a page `//` says something else.
 */
export function meantBy(url: string, appId: string): string {
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  if (!path.includes("//")) return url;
  const single = path.replace(/\/{2,}/g, "/");
  return single.startsWith(`/${appId}/`) || single.startsWith("/api/") ? single + url.slice(path.length) : url;
}

/**
 * A part of a path as it was meant. The client escapes a part twice whose only escapes are commas or semicolons; and what the
 * memory cannot keep is left out.
 */
export const partOf = (text: string): string => storable(text.includes("%") ? text.replace(/%2c/gi, ",").replace(/%3b/gi, ";") : text);

/** As the memory can keep it: without NUL and halves of characters. */
export const storable = (text: string): string => (UNSTORABLE.test(text) ? text.replaceAll("\0", "").toWellFormed() : text);
const UNSTORABLE = /[\0\ud800-\udfff]/;
