import { data, redirect } from "react-router";
import { z } from "zod";
import { appealSanction, NewSanctionAppeal } from "#community/moderation";
import { Refusal } from "#platform/refusal";
import { BROWSER, cookie, HALF } from "../cookies.ts";
import { asked as param, parseForm } from "../forms.ts";
import { ownPath, urls } from "../urls.ts";
import type { Visit } from "../visit.ts";
import { afterFirstStep, comeIn, errandOf, fromOf, turnedAway } from "./entering.ts";
import type { AskedForPassword } from "./pages/confirm-address.tsx";
import { readPendingCookie, rememberPending } from "./pending-cookie.ts";
import { whoseStanding } from "./standing-at.ts";

type Asked = { visit: Visit; url: URL; form: FormData };
const QUARTER_OF_AN_HOUR = 15 * 60;
const text = (form: FormData, name: string) => String(form.get(name) ?? "");

async function secondStep({ visit, form }: Asked) {
  const { accounts } = visit.house;
  const half = visit.cookies.get(HALF);
  if (!half) throw new Refusal("gone", "That took too long, or there were too many tries. Please sign in once more.");
  const intent = text(form, "intent");
  if (intent === "passkey") return data({ passkey: await accounts.beginPasskeyStep(half, fromOf(visit)) });
  if (intent === "passkey-signed") {
    const session = await accounts.finishWithPasskey(half, text(form, "credential"), fromOf(visit), "web");
    return comeIn(visit, session, errandOf(form));
  }
  const { code } = parseForm(z.object({ code: z.string().trim().min(1, "The code is needed.") }), form);
  return comeIn(visit, await accounts.finishSecondStep(half, code, fromOf(visit), "web"), errandOf(form));
}

/** Sends the challenge, then receives the signed response. */
async function passkey({ visit, form }: Asked) {
  const { accounts } = visit.house;
  if (text(form, "intent") === "passkey") return data({ passkey: await accounts.beginPasskeySignIn(fromOf(visit)) });
  const errand = errandOf(form);
  try {
    return await comeIn(visit, await accounts.signInWithPasskey(text(form, "credential"), fromOf(visit), "web"), errand);
  } catch (error) {
    return turnedAway(visit, error, errand);
  }
}

async function sent({ visit, form }: Asked) {
  const { accounts } = visit.house;
  const known = readPendingCookie(visit);
  if (!known) throw new Refusal("gone", "That registration is no longer open. Please register again.");
  if (text(form, "intent") === "resend") {
    await accounts.resendConfirmation(known.pending, fromOf(visit));
    throw redirect(urls.loginPage("sent", { said: "again" }));
  }
  const email = text(form, "email").trim();
  const { pending } = await accounts.changePendingAddress(known.pending, email, fromOf(visit));
  rememberPending(visit, { ...known, pending, email });
  throw redirect(urls.loginPage("sent", { said: "changed" }));
}

/** The browser that requests the link keeps a secret and the page to return to. */
async function askLink({ visit, form }: Asked) {
  const { email } = parseForm(z.object({ email: z.email("That does not look like a mail address.") }), form);
  const { browserSecret } = await visit.house.accounts.sendSignInLink(email, fromOf(visit));
  visit.setCookies.push(cookie.set(BROWSER, `${browserSecret} ${ownPath(text(form, "next")).slice(0, 300)}`, QUARTER_OF_AN_HOUR));
  throw redirect(urls.loginPage("ask-link", { said: "sent" }));
}

/** By a form, never on page load: mail programs open links to preview them. */
async function openLink({ visit, url, form }: Asked) {
  const [browserSecret, next] = (visit.cookies.get(BROWSER) ?? "").split(" ");
  const errand = { ...errandOf(form), next: ownPath(next) };
  const by = { browserSecret: browserSecret || undefined, confirmed: form.has("confirmed"), stay: form.has("stay") };
  try {
    const came = await visit.house.accounts.signInByLink(param(url, "token"), by, fromOf(visit), "web");
    return came.kind === "confirm" ? data({ elsewhere: true }) : await afterFirstStep(visit, came, errand);
  } catch (error) {
    return turnedAway(visit, error, errand);
  }
}

/** With what was typed where another browser registered; then whoever confirms is signed in with it as well. */
async function confirm({ visit, url, form }: Asked) {
  const { accounts } = visit.house;
  const pending = readPendingCookie(visit);
  const password = typedPassword(form);
  const shown = text(form, "intent") === "choose-password" ? { newPassword: password } : { password };
  const done = await accounts.confirmEmail(param(url, "token"), { pending: pending?.pending, ...shown });
  if (done.kind === "password") {
    const { username, hasPassword } = done;
    return data<AskedForPassword>({ asks: { username, hasPassword } });
  }
  if (done.state === "pending_approval") throw redirect(urls.loginPage("status", { said: "confirmed" }));
  const next = pending?.next;
  if (password === undefined) throw redirect(urls.login({ after: "confirmed", next }));
  const came = await accounts.signIn({ login: done.username, password, stay: true }, fromOf(visit), "web");
  return afterFirstStep(visit, came, { ...errandOf(form), next: ownPath(next) });
}

const typedPassword = (form: FormData) => (form.has("password") ? text(form, "password") : undefined);

async function email({ visit, url, form }: Asked) {
  const by = { viewerId: visit.me?.id ?? null, password: typedPassword(form) };
  const done = await visit.house.accounts.confirmNewEmail(param(url, "token"), by);
  if (done.kind === "password") return data({ asks: true });
  const { personId } = done;
  throw redirect(visit.me?.id === personId ? urls.settings(personId, "email", { saved: "new-address" }) : urls.login({ after: "address" }));
}

async function status({ visit, form }: Asked) {
  await visit.house.accounts.sayWhy(readPendingCookie(visit)?.pending ?? "", text(form, "reason"));
  throw redirect(urls.loginPage("status", { said: "why" }));
}

async function standing({ visit, url, form }: Asked) {
  const who = await whoseStanding(visit, url);
  await visit.house.database.inTransaction((tx) => appealSanction(tx, who, parseForm(NewSanctionAppeal, form)));
  throw redirect(urls.loginPage("standing", { token: param(url, "token", 400) || undefined }));
}

export const verbs = { "second-step": secondStep, passkey, sent, "ask-link": askLink, link: openLink, confirm, email, standing, status };
