/** What is in an address only to follow people; the page behind it is the same without. */
const FOLLOWING =
  /^(utm_\w+|(fb|g|d|gb|wb|ms|y|tt|tw|li_fat|igsh|sc)clid|igshid?|mc_[ce]id|_ga|_gl|_hs(enc|mi)|mkt_tok|vero_id|oly_(anon|enc)_id|ref_(src|url)|cmpid)$/i;

/**
 * What an address is compared by: two that lead to the same page are the same text, whichever way they were written or
 * shared. It is a key, not a way: the scheme is always https, and `www.`, the anchor, what follows people, the order of
 * parameters and a stroke at the end do not count. Null for what is no address of the web.
 */
export function normalisedAddress(address: string): string | null {
  if (!URL.canParse(address.trim())) return null;
  const url = new URL(address.trim());
  if (!/^https?:$/.test(url.protocol) || url.hostname === "") return null;
  const host = url.hostname.replace(/\.+$/, "").replace(/^(www\.)+(?=[^.]+\.)/, "");
  if (host === "") return null;
  const port = url.port === "" || url.port === "80" || url.port === "443" ? "" : `:${url.port}`;
  return `https://${host}${port}${pathOf(url)}${questionOf(url)}${placeOf(url)}`;
}

/** Signs that need no escaping are written as themselves, all others in one way. */
const pathOf = (url: URL) =>
  url.pathname
    .replace(/%[0-9a-f]{2}/gi, (sign) => {
      const plain = String.fromCharCode(Number.parseInt(sign.slice(1), 16));
      return /[\w.~-]/.test(plain) ? plain : sign.toUpperCase();
    })
    .replace(/\/+$/, "");

function questionOf(url: URL): string {
  const kept = [...url.searchParams].filter(([name]) => !FOLLOWING.test(name));
  // By name alone: what stands twice under one name may mean something by its order.
  const asked = new URLSearchParams(kept.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))).toString();
  return asked === "" ? "" : `?${asked}`;
}

/** Some places have all their pages behind the anchor (`#/…`, `#!…`); any other is a spot on the same page. */
const placeOf = (url: URL) => (/^#!?\/./.test(url.hash) ? url.hash : "");
