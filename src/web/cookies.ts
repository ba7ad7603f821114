/** Names of the cookies. Only the session cookie grants access. */
export const SESSION_COOKIE = "kith_session";
export const LOCALE_COOKIE = "kith_locale";
export const THEME_COOKIE = "kith_theme";
export const TEXT_SIZE_COOKIE = "kith_text_size";
/** Holds the pending two-factor challenge during sign-in. */
export const TWO_FACTOR_COOKIE = "kith_half";
/** Identifies the browser that requested a sign-in link. */
export const SIGN_IN_LINK_COOKIE = "kith_browser";
/** State of a sign-in at an external provider. */
export const PROVIDER_COOKIE = "kith_provider";

/** The notice that the next page shows (`notices/notice.ts`). */
export const NOTICE_COOKIE = "kith_notice";
/** Marks a browser in which someone has signed in before. */
export const DEVICE_COOKIE = "kith_device";
/** A registration that waits for its email to be confirmed. */
export const REGISTRATION_COOKIE = "kith_pending";

const YEAR = 365 * 24 * 3600;
let secure = false;

/** Sets whether cookies are secure, once at startup: true if the public origin is https. */
export const setSecureCookies = (yes: boolean) => void (secure = yes);

const formatCookie = (name: string, value: string, rest: string) =>
  `${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}${rest}`;

export const cookie = {
  /** Formats a cookie that lasts the given seconds; without them, until the browser closes. */
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
      // A cookie that cannot be decoded was not set by Kith, so it is skipped.
    }
  }
  return found;
}
