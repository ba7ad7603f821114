/** Query strings can hold text that a person typed, or a token. */
const QUERY_STRING = /((?:https?:\/\/|\/)[^\s?#"'<>/]{0,200})\?[^\s"'<>)]+/gi;
const LINK_TOKEN = /\/(invite|unsubscribe|hooks)\/[^\s/"'<>)]+/g;
/** App id and API key at the start of API addresses. */
const API_KEY_PATH = /(\/[\w-]{32,200}\/)[\w-]{32,200}(?![\w-])/g;
const COOKIE_HEADER = /(cookie["']?\s{0,3}[:=])[^\n]+/gi;
const BEARER_TOKEN = /\bbearer\s{1,3}[\w.~+/=-]{8,}/gi;
const SECRET_NAME = "token|secret|passw(?:or)?d|passphrase|api[-_]?key|session[-_]?id|authorization|otp";
/** A secret that follows its name: `token=…`, `"password": "…"`. */
const NAMED_SECRET = new RegExp(
  `((?:${SECRET_NAME})["']?\\s{0,3}[:=]\\s{0,3})("[^"]*"?|'[^']*'?|[^\\s,;&}\\])]+)`,
  "gi",
);
const SIGNED_TOKEN = /\beyJ[\w-]+\.[\w.-]+/g;
/** A sequence this long is no word but a token, key or signed text. Ids have 36 characters. */
const OPAQUE_TOKEN = /(?<![\w-])[\w-]{40,}/g;
const MAIL_ADDRESS = /[\w.+-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/gi;

/** Secrets of this installation. No pattern finds them all, because the operator chooses some of them. */
const ownSecrets = new Set<string>();
/** Shorter values are not hidden: they are no secrets, and ordinary words would be redacted. */
const MIN_SECRET_LENGTH = 8;

/** Removes these values from the logs of this process from now on. */
export function redactInLogs(values: readonly (string | undefined)[]): void {
  for (const value of values)
    if (value !== undefined && value.length >= MIN_SECRET_LENGTH) ownSecrets.add(value);
}

/**
 * Redacts a text for the log as far as patterns can match: passwords, tokens, keys, mail addresses, queries,
 * and the secrets of this installation. Each pattern is bounded, so that no text takes long.
 */
export function redactText(text: string): string {
  let clean = text;
  for (const secret of ownSecrets) clean = clean.replaceAll(secret, "…");
  return clean
    .replace(QUERY_STRING, "$1?…")
    .replace(LINK_TOKEN, "/$1/…")
    .replace(API_KEY_PATH, "$1…")
    .replace(COOKIE_HEADER, "$1 …")
    .replace(BEARER_TOKEN, "bearer …")
    .replace(NAMED_SECRET, "$1…")
    .replace(SIGNED_TOKEN, "…")
    .replace(OPAQUE_TOKEN, (run) => (/\d/.test(run) && /[a-z]/i.test(run) ? "…" : run))
    .replace(MAIL_ADDRESS, "…@…");
}

/** Matches lines that could match a pattern above. Most lines do not, and skip the redaction. */
const SUSPECT_TEXT = new RegExp(
  `[\\w-]{32}|@|%40|\\?|/invite/|/unsubscribe/|/hooks/|cookie|bearer|\\beyJ|(?:${SECRET_NAME})["'\\\\]{0,2}\\s{0,3}[:=]`,
  "i",
);
const canHoldSecret = (line: string) => {
  if (SUSPECT_TEXT.test(line)) return true;
  for (const secret of ownSecrets) if (line.includes(secret)) return true;
  return false;
};

const SECRET_FIELD = new RegExp(`^(?:\\w*(?:${SECRET_NAME})|e?mail|ip|remoteAddress)$`, "i");

function redactValue(value: unknown, name: string): unknown {
  if (typeof value === "string") return SECRET_FIELD.test(name) ? "…" : redactText(value);
  if (Array.isArray(value)) return value.map((it) => redactValue(it, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [redactText(key), redactValue(it, key)]),
  );
}

/** Redacts every text of a JSON log line. */
export function redactLine(line: string): string {
  if (!canHoldSecret(line)) return line;
  return `${JSON.stringify(redactValue(JSON.parse(line), ""))}\n`;
}
