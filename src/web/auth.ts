import { redirect, type MiddlewareFunction } from "react-router";
import { isSignedIn } from "#community/rules";
import { cookie, SESSION } from "./cookies.ts";
import { Refusal } from "#platform/refusal";
import { answerTo } from "./answers.ts";
import { readForm } from "./form-body.ts";
import { givenIn } from "./given-back.ts";
import { urls } from "./urls.ts";
import { type Visit, visitContext } from "./visit.ts";

/** Identifies the viewer once per request, in one query; a guest without a cookie costs none. */
export const auth: MiddlewareFunction<Response> = async ({ context, url }, next) => {
  const visit = context.get(visitContext);
  const token = visit.cookies.get(SESSION);
  if (token) {
    try {
      const known = await visit.house.accounts.sessionFor(token, "web");
      if (!known) visit.setCookies.push(cookie.forget(SESSION));
      else {
        const { locale, theme, timeZone } = known.person;
        Object.assign(visit, {
          lacksAnswers: known.lacksAnswers,
          viewer: known.viewer,
          me: known.person,
          sessionId: known.session.id,
          staffRests: known.staffRests,
          reader: known.session.stay ? known.person.id : null,
          locale,
          theme,
          timeZone,
        });
      }
    } catch (error) {
      throw answerTo(error, visit);
    }
  }
  // Without a second factor they would see nothing there, and not know why.
  if (visit.staffRests && visit.me && FOR_STAFF.test(url.pathname)) throw redirect(urls.settings(visit.me.id, "second-step"));
  return next();
};

/** Pages of moderators and admins. */
const FOR_STAFF = /^\/(admin|moderation)(\/|$)/i;

/** Pages for signed-in people: a guest is sent to sign in and comes back afterwards. */
export const membersOnly: MiddlewareFunction<Response> = async ({ context, request, url }, next) => {
  const visit = context.get(visitContext);
  if (isSignedIn(visit.viewer)) return next();
  throw await toSignIn(visit, request, url);
};

/** Maximum bytes of a form that is read to be sent again after signing in: a text with a file. */
const TEXT_WITH_FILE = 11_000_000;

/**
 * Redirects to sign-in and back. Someone who was signed out while writing would come back to an empty form,
 * so their text is shown again, ready to be resubmitted.
 */
async function toSignIn(visit: Visit, request: Request, url: URL) {
  // A larger form carries files and no text, and is not read for someone who may not send it.
  if (request.method === "POST" && Number(request.headers.get("content-length") ?? Infinity) <= TEXT_WITH_FILE) {
    const form = await readForm(request).catch(() => null);
    visit.given = form && givenIn(form, url);
  }
  if (visit.given === null) return redirect(urls.login({ next: url.pathname + url.search }));
  return answerTo(new Refusal("not-signed-in", "You are signed out. Sign in in another tab, then send what you wrote again."), visit);
}

/**
 * Pages that stay open before the required profile answers are given: the rules, and the person's own data.
 */
const ANYWAY = [urls.rules(), urls.privacy(), urls.about()];

/** Redirects people to the required profile questions before they see any other page. */
export const answersFirst: MiddlewareFunction<Response> = async ({ context, request, url: { pathname, search } }, next) => {
  const { lacksAnswers, viewer, house } = context.get(visitContext);
  if (!lacksAnswers || request.method !== "GET" || ANYWAY.includes(pathname)) return next();
  const isOwn = viewer.id !== null && pathname.toLowerCase() === urls.settings(viewer.id).toLowerCase();
  if (isOwn || (house.mailboxOpen && pathname.startsWith(urls.mailbox()))) return next();
  throw redirect(urls.asked({ next: pathname + search }));
};

/** Pages of a private community that guests see. */
const FRONT_DOOR = [urls.home(), urls.rules(), urls.privacy(), urls.about()];

/** In a private community, sends guests to sign in for every page, whether it exists or not. */
export const houseIsOpen: MiddlewareFunction<Response> = async ({ context, request, url }, next) => {
  const visit = context.get(visitContext);
  const { house, viewer } = visit;
  const { pathname } = url;
  const isForMail = pathname.startsWith(urls.unsubscribe("")) || (house.mailboxOpen && pathname.startsWith(urls.mailbox()));
  if (isSignedIn(viewer) || FRONT_DOOR.includes(pathname) || isForMail) return next();
  const { audience } = await house.settings.get().catch((error: unknown) => {
    throw answerTo(error, visit);
  });
  if (audience === "private") throw await toSignIn(visit, request, url);
  return next();
};
