import { redirect, type MiddlewareFunction } from "react-router";
import { GUEST_REPORT_PATH } from "#community/moderation";
import { isSignedIn } from "#community/rules";
import { cookie, SESSION_COOKIE } from "./cookies.ts";
import { Refusal } from "#platform/refusal";
import { toErrorResponse } from "./error-responses.ts";
import { readForm } from "./form-body.ts";
import { readSubmittedForm } from "./resubmit-form.ts";
import { urls } from "./urls.ts";
import { type RequestContext, requestContext } from "./request-context.ts";
import { findSession } from "#community/accounts";

/** Identifies the viewer once per request, with one query; a guest without a cookie needs no query. */
export const authenticate: MiddlewareFunction<Response> = async ({ context, url }, next) => {
  const ctx = context.get(requestContext);
  const token = ctx.cookies.get(SESSION_COOKIE);
  if (token) {
    try {
      const known = await findSession(ctx.app, token, "web");
      if (!known) ctx.setCookies.push(cookie.forget(SESSION_COOKIE));
      else {
        const { locale, theme, timeZone } = known.person;
        Object.assign(ctx, {
          lacksAnswers: known.lacksAnswers,
          viewer: known.viewer,
          me: known.person,
          sessionId: known.session.id,
          lacksStaffTwoFactor: known.lacksStaffTwoFactor,
          reader: known.session.stay ? known.person.id : null,
          locale,
          theme,
          timeZone,
        });
      }
    } catch (error) {
      throw toErrorResponse(error, ctx);
    }
  }
  // Without the required second factor, staff would find these pages empty, so they are redirected to its
  // setup.
  if (ctx.lacksStaffTwoFactor && ctx.me && STAFF_PATHS.test(url.pathname))
    throw redirect(urls.settings(ctx.me.id, "security", "second-step"));
  return next();
};

/** Pages of moderators and admins. */
const STAFF_PATHS = /^\/(admin|moderation)(\/|$)/i;

/** Protects pages for signed-in people: a guest is sent to sign in and returns afterwards. */
export const requireMember: MiddlewareFunction<Response> = async ({ context, request, url }, next) => {
  const ctx = context.get(requestContext);
  if (isSignedIn(ctx.viewer)) return next();
  throw await redirectToSignIn(ctx, request, url);
};

/** Maximum bytes of a form that a signed-out person can send again after signing in: a text with a file. */
const RESUBMIT_MAX_BYTES = 11_000_000;

/**
 * Redirects to sign-in, from where the person returns. If they were signed out while writing, they would
 * return to an empty form, so their text is shown again, ready to be resubmitted.
 */
async function redirectToSignIn(ctx: RequestContext, request: Request, url: URL) {
  // A larger form contains files rather than text. It is not read, since a guest may not send it.
  if (
    request.method === "POST" &&
    Number(request.headers.get("content-length") ?? Infinity) <= RESUBMIT_MAX_BYTES
  ) {
    const form = await readForm(request).catch(() => null);
    ctx.submittedForm = form && readSubmittedForm(form, url);
  }
  if (ctx.submittedForm === null) return redirect(urls.login({ next: url.pathname + url.search }));
  return toErrorResponse(
    new Refusal("not-signed-in", "You are signed out. Sign in in another tab, then send it again."),
    ctx,
  );
}

/**
 * Pages that can be opened before the required profile answers are given: the rules and the person's own
 * data.
 */
const OPEN_WITHOUT_ANSWERS = [urls.rules(), urls.privacy(), urls.about()];

/** Redirects people to the required profile questions before they see any other page. */
export const requireProfileAnswers: MiddlewareFunction<Response> = async (
  { context, request, url: { pathname, search } },
  next,
) => {
  const { lacksAnswers, viewer, app } = context.get(requestContext);
  if (!lacksAnswers || request.method !== "GET" || OPEN_WITHOUT_ANSWERS.includes(pathname)) return next();
  const isOwn =
    viewer.id !== null &&
    `${pathname.toLowerCase()}/`.startsWith(`${urls.settings(viewer.id).toLowerCase()}/`);
  if (isOwn || (app.mailboxOpen && pathname.startsWith(urls.mailbox()))) return next();
  throw redirect(urls.asked({ next: pathname + search }));
};

/** Pages of a private community that guests see. */
const GUEST_PATHS = [urls.home(), urls.rules(), urls.privacy(), urls.about()];

/** In a private community, sends guests to sign in for every page, whether it exists or not. */
export const requireOpenCommunity: MiddlewareFunction<Response> = async ({ context, request, url }, next) => {
  const ctx = context.get(requestContext);
  const { app, viewer } = ctx;
  const { pathname } = url;
  const isForMail =
    pathname.startsWith(urls.unsubscribe("")) ||
    pathname.startsWith(GUEST_REPORT_PATH) ||
    (app.mailboxOpen && pathname.startsWith(urls.mailbox()));
  if (isSignedIn(viewer) || GUEST_PATHS.includes(pathname) || isForMail) return next();
  const { audience } = await app.settings.get().catch((error: unknown) => {
    throw toErrorResponse(error, ctx);
  });
  if (audience === "private") throw await redirectToSignIn(ctx, request, url);
  return next();
};
