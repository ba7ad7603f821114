import { data, redirect, redirectDocument } from "react-router";
import { DraftInput, saveConflictingDraft, draftTargets } from "#community/discussions";
import {
  getOnboardingProgress,
  type ClientInfo,
  needsWelcome,
  type SignInResult,
  SignInRefusal,
  type StartedSession,
  findSession,
} from "#community/accounts";
import { isSignedIn, type SignedIn } from "#community/rules";
import { Refusal } from "#platform/refusal";
import {
  SIGN_IN_LINK_COOKIE,
  cookie,
  DEVICE_COOKIE,
  TWO_FACTOR_COOKIE,
  REGISTRATION_COOKIE,
  SESSION_COOKIE,
} from "../../cookies.ts";
import { cleanText } from "../../form-parsing.ts";
import { ownPathOrHome, urls } from "../../urls.ts";
import { acceptRegistrationInvitation } from "../../welcome/welcome-destination.ts";
import type { RequestContext } from "../../request-context.ts";
import { readRegistrationCookie, setRegistrationCookie } from "../registration/registration-cookie.ts";

/** The page that a guest tried to open, and the text they were writing when they had to sign in. */
export type SignInTarget = {
  next: string;
  kept: string;
  keptPlace: string;
  /** Whether the form is in a dialog over a page: it then gets a result instead of a redirect. */
  over: boolean;
  /** Whether a registration ends here, so that an invitation in `next` is accepted at once. */
  registered?: boolean;
};
export type DialogSignInResult = {
  over:
    | { state: "in"; to: string | null; locale: string }
    | { state: "second-step"; passkey: boolean }
    | { state: "waits"; to: string };
};

const SIXTY_DAYS = 60 * 24 * 3600;
const TEN_MINUTES = 600;

export const getClientInfo = (ctx: RequestContext): ClientInfo => ({
  ...ctx.from,
  deviceSecret: ctx.cookies.get(DEVICE_COOKIE),
});

export const readSignInTarget = (form: FormData): SignInTarget => {
  const text = (name: string) => String(form.get(name) ?? "");
  return {
    next: ownPathOrHome(text("next")),
    kept: text("kept"),
    keptPlace: text("keptPlace"),
    over: form.has("over"),
  };
};

/** Continues after the first sign-in step: signs in, or asks for two-factor. */
export async function continueAfterFirstStep(
  ctx: RequestContext,
  signIn: SignInResult,
  target: SignInTarget,
) {
  if (signIn.kind === "signed-in") return setSessionAndRedirect(ctx, signIn.session, target);
  ctx.setCookies.push(cookie.set(TWO_FACTOR_COOKIE, signIn.challengeToken, TEN_MINUTES));
  if (target.over)
    return data<DialogSignInResult>({ over: { state: "second-step", passkey: signIn.passkey } });
  // Unsent text is carried in a form field, so this response renders the two-factor page instead of
  // redirecting.
  if (target.kept) return data({ secondStep: { ...target, passkey: signIn.passkey } });
  throw redirect(
    urls.loginPage("second-step", { next: target.next, by: signIn.passkey ? "passkey" : undefined }),
  );
}

/** Sets the cookies of a new session, and removes those of the sign-in. */
export function setSessionCookies(ctx: RequestContext, session: StartedSession): void {
  ctx.setCookies.push(
    cookie.set(SESSION_COOKIE, session.token, session.stay ? SIXTY_DAYS : undefined),
    cookie.choice(DEVICE_COOKIE, session.deviceSecret),
    ...[TWO_FACTOR_COOKIE, SIGN_IN_LINK_COOKIE, REGISTRATION_COOKIE]
      .filter((name) => ctx.cookies.has(name))
      .map(cookie.forget),
  );
}

/** Sets the session cookies, saves the guest's text as a draft and redirects to the page they wanted. */
export async function setSessionAndRedirect(
  ctx: RequestContext,
  session: StartedSession,
  target: SignInTarget,
) {
  const { app } = ctx;
  setSessionCookies(ctx, session);
  const known = await findSession(app, session.token, "web");
  if (!known || !isSignedIn(known.viewer))
    throw new Refusal("gone", "That took too long, or there were too many attempts. Sign in again.");
  const { viewer } = known;
  if (target.kept) await saveGuestDraft(ctx, viewer, target);
  const rests = !target.kept && known.lacksStaffTwoFactor;
  const to = rests
    ? urls.settings(viewer.id, "security", "second-step")
    : await findNewcomerPage(ctx, viewer, target);
  if (target.over)
    return data<DialogSignInResult>({ over: { state: "in", to, locale: known.person.locale } });
  // Loads a whole document, because the page is now a member's and may be in another language.
  throw redirectDocument(to ?? target.next);
}

/**
 * The first page of a newcomer: the page for which they registered, or else the welcome. If the registration
 * had to wait for approval, the browser has stored that page. Null for people who need no welcome or have an
 * unsent text.
 */
async function findNewcomerPage(
  ctx: RequestContext,
  viewer: SignedIn,
  { next, kept, registered }: SignInTarget,
): Promise<string | null> {
  if (kept || !needsWelcome(await getOnboardingProgress(ctx.app.db, viewer))) return null;
  if (registered && next !== urls.home()) return acceptRegistrationInvitation(ctx.app, viewer, next, ctx.now);
  if (next !== urls.home()) return urls.welcome({ next });
  const stored = ownPathOrHome(readRegistrationCookie(ctx)?.next);
  return stored === urls.home()
    ? urls.welcome()
    : acceptRegistrationInvitation(ctx.app, viewer, stored, ctx.now);
}

/** Saves a guest's text as a draft. A draft that already exists for its target stays the current one. */
async function saveGuestDraft(
  { app }: RequestContext,
  viewer: SignedIn,
  { kept, keptPlace, next }: SignInTarget,
) {
  const parsed = DraftInput.safeParse({
    place: keptPlace || draftTargetForPath(next),
    body: cleanText(kept),
  });
  // The draft target does not exist; sign-in continues without saving.
  if (!parsed.success) return;
  await app.database.inTransaction((tx) => saveConflictingDraft(tx, viewer, parsed.data));
}

/** The draft target for a page path, used when the form names no target. */
function draftTargetForPath(path: string): string | null {
  const [, kind, id] = /^\/(discussions|resources)\/([0-9a-f-]{36})\b/.exec(path) ?? [];
  if (!id) return null;
  return kind === "discussions" ? draftTargets.discussion(id) : draftTargets.resource(id);
}

/**
 * Redirects an account that cannot sign in to the page that explains the next step. Suspended people see the
 * reason and the end of the suspension there.
 */
export function handleSignInError(ctx: RequestContext, error: unknown, target: SignInTarget, email = "") {
  if (!(error instanceof SignInRefusal)) throw error;
  if (error.state === "suspended")
    return data(
      { shut: { because: error.because, until: error.until, standing: error.standing } },
      { status: 403 },
    );
  setRegistrationCookie(ctx, {
    pending: error.pending ?? "",
    email: email || (readRegistrationCookie(ctx)?.email ?? ""),
    next: target.next,
  });
  const to =
    error.state === "unverified" ? urls.loginPage("sent", { why: "unconfirmed" }) : urls.loginPage("status");
  if (target.over) return data<DialogSignInResult>({ over: { state: "waits", to } });
  throw redirect(to);
}
