import { z } from "zod";
import { cookie, REGISTRATION_COOKIE } from "../../cookies.ts";
import type { RequestContext } from "../../request-context.ts";

/**
 * A registration is stored in a cookie until its email address is confirmed: as a sealed token, with the
 * page to return to.
 */
export type PendingRegistration = { pending: string; email: string; next: string };

const TWO_DAYS = 48 * 3600;
/** Token, address and page. */
const StoredCookie = z.tuple([z.string(), z.string(), z.string()]);

export const setRegistrationCookie = (ctx: RequestContext, pendingRegistration: PendingRegistration) =>
  void ctx.setCookies.push(
    cookie.set(
      REGISTRATION_COOKIE,
      JSON.stringify([
        pendingRegistration.pending,
        pendingRegistration.email,
        pendingRegistration.next.slice(0, 300),
      ]),
      TWO_DAYS,
    ),
  );

export function readRegistrationCookie(ctx: RequestContext): PendingRegistration | null {
  try {
    const [pending, email, next] = StoredCookie.parse(JSON.parse(ctx.cookies.get(REGISTRATION_COOKIE) ?? ""));
    return { pending, email, next };
  } catch {
    return null;
  }
}
