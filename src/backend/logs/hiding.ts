/** What stands in an address behind the question mark was typed by somebody, or lets them in. */
const QUERY = /((?:https?:\/\/|\/)[^\s?#"'<>/]{0,200})\?[^\s"'<>)]+/gi;
const INVITED = /\/(invite|unsubscribe)\/[^\s/"'<>)]+/g;
const COOKIES = /(cookie["']?\s{0,3}[:=])[^\n]+/gi;
const BEARER = /\bbearer\s{1,3}[\w.~+/=-]{8,}/gi;
/** What opens something, by the name before it: `token=…`, `"password": "…"`. */
const NAMED =
  /((?:token|secret|passw(?:or)?d|passphrase|api[-_]?key|session[-_]?id|authorization|otp)["']?\s{0,3}[:=]\s{0,3})("[^"]*"?|'[^']*'?|[^\s,;&}\])]+)/gi;
const SIGNED = /\beyJ[\w-]+\.[\w.-]+/g;
/** So long, and with digits among the letters, nothing is a word: tokens, keys, signed texts. Ids have 36 characters. */
const OPAQUE = /(?<![\w-])[\w-]{40,}/g;
const MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;

/**
 * A text without what should never stand in a log, as far as it can be told by its look: passwords, tokens, keys, mail
 * addresses, and what was asked in an address. Each look is bounded, so that no text takes long.
 */
export const withoutSecrets = (text: string): string =>
  text
    .replace(QUERY, "$1?…")
    .replace(INVITED, "/$1/…")
    .replace(COOKIES, "$1 …")
    .replace(BEARER, "bearer …")
    .replace(NAMED, "$1…")
    .replace(SIGNED, "…")
    .replace(OPAQUE, (run) => (/\d/.test(run) && /[a-z]/i.test(run) ? "…" : run))
    .replace(MAIL, "…@…");
