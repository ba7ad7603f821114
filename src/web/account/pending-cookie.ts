import { cookie, PENDING } from "../cookies.ts";
import type { Visit } from "../visit.ts";

/** Registration kept in a cookie until the email is confirmed: a sealed token and the page to return to. */
export type PendingRegistration = { pending: string; email: string; next: string };

const TWO_DAYS = 48 * 3600;

export const rememberPending = (visit: Visit, it: PendingRegistration) =>
  void visit.setCookies.push(cookie.set(PENDING, JSON.stringify([it.pending, it.email, it.next.slice(0, 300)]), TWO_DAYS));

export function readPendingCookie(visit: Visit): PendingRegistration | null {
  try {
    const [pending, email, next] = JSON.parse(visit.cookies.get(PENDING) ?? "") as unknown[];
    return [pending, email, next].every((part) => typeof part === "string") ? ({ pending, email, next } as PendingRegistration) : null;
  } catch {
    return null;
  }
}
