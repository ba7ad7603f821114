/** Cookie names. Only the session cookie grants access. */
export const SESSION_COOKIE = "kith_session";
export const LOCALE_COOKIE = "kith_locale";
export const THEME_COOKIE = "kith_theme";
export const TEXT_SIZE_COOKIE = "kith_text_size";
/** Holds the pending two-factor challenge during sign-in. */
export const TWO_FACTOR_COOKIE = "kith_half";
/** The browser that requested a sign-in link. */
export const SIGN_IN_LINK_COOKIE = "kith_browser";
/** A sign-in at an external provider that is under way. */
export const PROVIDER_COOKIE = "kith_provider";

/** A browser in which someone has signed in before. */
export const DEVICE_COOKIE = "kith_device";
/** A registration that waits for its email to be confirmed. */
export const REGISTRATION_COOKIE = "kith_pending";

const YEAR = 365 * 24 * 3600;
let secure = false;

/** Called once at startup: whether the public origin is https. */
export const setSecureCookies = (yes: boolean) => void (secure = yes);

const formatCookie = (name: string, value: string, rest: string) =>
  `${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}${rest}`;

export const cookie = {
  /** A cookie that lasts the given seconds or, without them, until the browser closes. */
  set: (name: string, value: string, seconds?: number) =>
    formatCookie(name, value, seconds === undefined ? "" : `; Max-Age=${seconds}`),
  forget: (name: string) => formatCookie(name, "", "; Max-Age=0"),
  choice: (name: string, value: string) => formatCookie(name, value, `; Max-Age=${YEAR}`),
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
