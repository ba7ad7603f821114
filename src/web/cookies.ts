/** Cookie names. Only the session cookie grants access. */
export const SESSION = "kith_session";
export const LOCALE = "kith_locale";
export const THEME = "kith_theme";
export const TEXT_SIZE = "kith_text_size";
/** Holds the pending two-factor challenge during sign-in. */
export const HALF = "kith_half";
/** The browser that requested a sign-in link. */
export const BROWSER = "kith_browser";
/** A sign-in at an external provider that is under way. */
export const PROVIDER = "kith_provider";

/** A browser in which someone has signed in before. */
export const DEVICE = "kith_device";
/** A registration that waits for its email to be confirmed. */
export const PENDING = "kith_pending";

const YEAR = 365 * 24 * 3600;
let secure = false;

/** Called once at startup: whether the public origin is https. */
export const cookiesAreSecure = (yes: boolean) => void (secure = yes);

const write = (name: string, value: string, rest: string) =>
  `${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}${rest}`;

export const cookie = {
  /** A cookie that lasts the given seconds or, without them, until the browser closes. */
  set: (name: string, value: string, seconds?: number) => write(name, value, seconds === undefined ? "" : `; Max-Age=${seconds}`),
  forget: (name: string) => write(name, "", "; Max-Age=0"),
  choice: (name: string, value: string) => write(name, value, `; Max-Age=${YEAR}`),
};

/** Reads the cookies of a request. Malformed ones are skipped, and their number is limited. */
export function readCookies(header: string | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of (header ?? "").slice(0, 8_000).split(";").slice(0, 50)) {
    const at = part.indexOf("=");
    if (at < 1) continue;
    try {
      found.set(part.slice(0, at).trim(), decodeURIComponent(part.slice(at + 1).trim()));
    } catch {
      // A cookie that cannot be decoded is not ours: we write only decodable ones.
    }
  }
  return found;
}
