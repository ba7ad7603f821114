import { data, redirect, redirectDocument } from "react-router";
import { DraftInput, keepBeside, place } from "#community/discussions";
import { arrivalOf, type From, isNewHere, type SignIn, SignInRefusal, type StartedSession } from "#community/people";
import type { SignedIn } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { BROWSER, cookie, DEVICE, HALF, PENDING, SESSION } from "../cookies.ts";
import { clean } from "../forms.ts";
import { ownPath, urls } from "../urls.ts";
import type { Visit } from "../visit.ts";
import { readPendingCookie, rememberPending } from "./pending-cookie.ts";

/** The page a guest wanted, and the text they were writing there, when they had to sign in. */
export type Errand = {
  next: string;
  kept: string;
  keptPlace: string;
  /** The form is in a dialog over a page, so it gets a result instead of a redirect. */
  over: boolean;
};
export type Over = {
  over: { state: "in"; to: string | null; locale: string } | { state: "second-step"; passkey: boolean } | { state: "waits"; to: string };
};

const SIXTY_DAYS = 60 * 24 * 3600;
const TEN_MINUTES = 600;

export const fromOf = (visit: Visit): From => ({ ...visit.from, deviceSecret: visit.cookies.get(DEVICE) });

export const errandOf = (form: FormData): Errand => {
  const text = (name: string) => String(form.get(name) ?? "");
  return { next: ownPath(text("next")), kept: text("kept"), keptPlace: text("keptPlace"), over: form.has("over") };
};

/** Continues after the first sign-in step: signs in, or asks for two-factor. */
export async function afterFirstStep(visit: Visit, signIn: SignIn, errand: Errand) {
  if (signIn.kind === "signed-in") return comeIn(visit, signIn.session, errand);
  visit.setCookies.push(cookie.set(HALF, signIn.halfToken, TEN_MINUTES));
  if (errand.over) return data<Over>({ over: { state: "second-step", passkey: signIn.passkey } });
  // Unsent text travels in the form, so the two-factor page is rendered in this response.
  if (errand.kept) return data({ secondStep: { ...errand, passkey: signIn.passkey } });
  throw redirect(urls.loginPage("second-step", { next: errand.next, by: signIn.passkey ? "passkey" : undefined }));
}

/** Sets the session cookies, saves the text as a draft and redirects to the page the person wanted. */
export async function comeIn(visit: Visit, session: StartedSession, errand: Errand) {
  const { house } = visit;
  visit.setCookies.push(
    cookie.set(SESSION, session.token, session.stay ? SIXTY_DAYS : undefined),
    cookie.choice(DEVICE, session.deviceSecret),
    ...[HALF, BROWSER, PENDING].filter((name) => visit.cookies.has(name)).map(cookie.forget),
  );
  const known = await house.accounts.sessionFor(session.token, "web");
  if (!known) throw new Refusal("gone", "That took too long, or there were too many tries. Please sign in once more.");
  const viewer = known.viewer as SignedIn;
  if (errand.kept) await keepWords(visit, viewer, errand);
  const isNew = !errand.kept && isNewHere(await arrivalOf(house.db, viewer));
  const rests = !errand.kept && known.staffRests;
  const to = rests
    ? urls.settings(viewer.id, "second-step")
    : isNew
      ? urls.welcome({ next: errand.next === urls.home() ? undefined : errand.next })
      : null;
  if (errand.over) return data<Over>({ over: { state: "in", to, locale: known.person.locale } });
  // Full page load: the page may be in another language, and is now a member's.
  throw redirectDocument(to ?? errand.next);
}

/** Saves a guest's text as a draft for its target, behind a draft that is there already. */
async function keepWords({ house }: Visit, viewer: SignedIn, { kept, keptPlace, next }: Errand) {
  const read = DraftInput.safeParse({ place: keptPlace || placeAt(next), body: clean(kept) });
  // There is no such draft target; signing in continues.
  if (!read.success) return;
  await house.database.inTransaction((tx) => keepBeside(tx, viewer, read.data));
}

/** The draft target of the composer on the page at this path, if the form names none. */
function placeAt(path: string): string | null {
  const [, kind, id] = /^\/(discussions|resources)\/([0-9a-f-]{36})\b/.exec(path) ?? [];
  if (!id) return null;
  return kind === "discussions" ? place.discussion(id) : place.resource(id);
}

/**
 * Redirects accounts that need another step to the page that explains it; suspended people see why and until
 * when.
 */
export function turnedAway(visit: Visit, error: unknown, errand: Errand, email = "") {
  if (!(error instanceof SignInRefusal)) throw error;
  if (error.state === "suspended")
    return data({ shut: { because: error.because, until: error.until, standing: error.standing } }, { status: 403 });
  rememberPending(visit, { pending: error.pending ?? "", email: email || (readPendingCookie(visit)?.email ?? ""), next: errand.next });
  const to = error.state === "unverified" ? urls.loginPage("sent", { why: "unconfirmed" }) : urls.loginPage("status");
  if (errand.over) return data<Over>({ over: { state: "waits", to } });
  throw redirect(to);
}
