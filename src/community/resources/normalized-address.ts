/** Tracking parameters, which do not change the page. */
const TRACKING_PARAMS = new RegExp(
  String.raw`^(utm_\w+|(fb|g|d|gb|wb|ms|y|tt|tw|li_fat|igsh|sc)clid|igshid?|mc_[ce]id|_ga|_gl` +
    String.raw`|_hs(enc|mi)|mkt_tok|vero_id|oly_(anon|enc)_id|ref_(src|url)|cmpid)$`,
  "i",
);

/**
 * Key by which addresses are compared; equal for all spellings of one page's address. The scheme is always
 * https; `www.`, fragment, tracking parameters, parameter order and a trailing slash are dropped. The key
 * must not be used for navigation. Null for anything but a web address.
 */
export function normalizeAddress(address: string): string | null {
  if (!URL.canParse(address.trim())) return null;
  const url = new URL(address.trim());
  if (!/^https?:$/.test(url.protocol) || url.hostname === "") return null;
  const host = url.hostname.replace(/\.+$/, "").replace(/^(www\.)+(?=[^.]+\.)/, "");
  if (host === "") return null;
  const port = url.port === "" || url.port === "80" || url.port === "443" ? "" : `:${url.port}`;
  return `https://${host}${port}${normalizePath(url)}${normalizeQuery(url)}${keptFragment(url)}`;
}

/** Unreserved characters are unescaped; all others are escaped in one notation. */
const normalizePath = (url: URL) =>
  url.pathname
    .replace(/%[0-9a-f]{2}/gi, (sign) => {
      const plain = String.fromCharCode(Number.parseInt(sign.slice(1), 16));
      return /[\w.~-]/.test(plain) ? plain : sign.toUpperCase();
    })
    .replace(/\/+$/, "");

function normalizeQuery(url: URL): string {
  const params = [...url.searchParams].filter(([name]) => !TRACKING_PARAMS.test(name));
  // Parameters are sorted only by name, because the order of repeated parameters may matter.
  const asked = new URLSearchParams(
    params.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
  ).toString();
  return asked === "" ? "" : `?${asked}`;
}

/**
 * Keeps a fragment that starts with `#/` or `#!`, because some sites address pages with it. Any other
 * fragment is a position on the page.
 */
const keptFragment = (url: URL) => (/^#!?\/./.test(url.hash) ? url.hash : "");
