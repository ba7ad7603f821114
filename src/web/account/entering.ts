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

/** Where somebody was going, and what they were writing there, when they were asked to sign in. */
export type Errand = {
  next: string;
  kept: string;
  keptPlace: string;
  /** The form stands over a page: it stays there, so it is answered, not sent elsewhere. */
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

/** What follows from a first step: in, or on to the second one. */
export async function afterFirstStep(visit: Visit, signIn: SignIn, errand: Errand) {
  if (signIn.kind === "signed-in") return comeIn(visit, signIn.session, errand);
  visit.setCookies.push(cookie.set(HALF, signIn.halfToken, TEN_MINUTES));
  if (errand.over) return data<Over>({ over: { state: "second-step", passkey: signIn.passkey } });
  // Words that wait to be sent travel in the form: the page of the second step is shown here and now.
  if (errand.kept) return data({ secondStep: { ...errand, passkey: signIn.passkey } });
  throw redirect(urls.loginPage("second-step", { next: errand.next, by: signIn.passkey ? "passkey" : undefined }));
}

/** Cookies for somebody who is in; their words are kept, and they go where they were going. */
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
  // A whole new page: it may be in another language, and it is a member's now.
  throw redirectDocument(to ?? errand.next);
}

/** What a guest was writing becomes their draft in that place, behind what they may have there already. */
async function keepWords({ house }: Visit, viewer: SignedIn, { kept, keptPlace, next }: Errand) {
  const read = DraftInput.safeParse({ place: keptPlace || placeAt(next), body: clean(kept) });
  // Nothing is written in such a place: signing in goes on all the same.
  if (!read.success) return;
  await house.database.inTransaction((tx) => keepBeside(tx, viewer, read.data));
}

/** The composer of the page at this path, where the form did not say. */
function placeAt(path: string): string | null {
  const [, kind, id] = /^\/(discussions|resources)\/([0-9a-f-]{36})\b/.exec(path) ?? [];
  if (!id) return null;
  return kind === "discussions" ? place.discussion(id) : place.resource(id);
}

/** Accounts that wait for something are led to the page that says so; who is suspended is told why and until when. */
export function turnedAway(visit: Visit, error: unknown, errand: Errand, email = "") {
  if (!(error instanceof SignInRefusal)) throw error;
  if (error.state === "suspended")
    return data({ shut: { because: error.because, until: error.until, standing: error.standing } }, { status: 403 });
  rememberPending(visit, { pending: error.pending ?? "", email: email || (readPendingCookie(visit)?.email ?? ""), next: errand.next });
  const to = error.state === "unverified" ? urls.loginPage("sent", { why: "unconfirmed" }) : urls.loginPage("status");
  if (errand.over) return data<Over>({ over: { state: "waits", to } });
  throw redirect(to);
}
