/** The names of our cookies. The session's is the only one that opens anything. */
export const SESSION = "kith_session";
export const LOCALE = "kith_locale";
export const THEME = "kith_theme";
export const TEXT_SIZE = "kith_text_size";
/** Between the two steps of signing in. */
export const HALF = "kith_half";
/** The browser that asked for a sign-in link. */
export const BROWSER = "kith_browser";
/** A sign-in at a provider that is on its way. */
export const PROVIDER = "kith_provider";

/** A browser that has signed somebody in before. */
export const DEVICE = "kith_device";
/** A registration that waits for its mail to be answered. */
export const PENDING = "kith_pending";

const YEAR = 365 * 24 * 3600;
let secure = false;

/** Told once at the start whether the public origin is https. */
export const cookiesAreSecure = (yes: boolean) => void (secure = yes);

const write = (name: string, value: string, rest: string) =>
  `${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}${rest}`;

export const cookie = {
  /** A cookie for so many seconds, or, without them, until the browser closes. */
  set: (name: string, value: string, seconds?: number) => write(name, value, seconds === undefined ? "" : `; Max-Age=${seconds}`),
  forget: (name: string) => write(name, "", "; Max-Age=0"),
  choice: (name: string, value: string) => write(name, value, `; Max-Age=${YEAR}`),
};

/** The cookies of a request. Broken ones are skipped, and there is an end to how many are read. */
export function readCookies(header: string | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of (header ?? "").slice(0, 8_000).split(";").slice(0, 50)) {
    const at = part.indexOf("=");
    if (at < 1) continue;
    try {
      found.set(part.slice(0, at).trim(), decodeURIComponent(part.slice(at + 1).trim()));
    } catch {
      // Not ours: we write only what can be decoded.
    }
  }
  return found;
}
