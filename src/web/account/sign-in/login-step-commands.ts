import { data, redirect } from "react-router";
import { z } from "zod";
import { appealSanction, NewSanctionAppeal } from "#community/moderation";
import { Refusal } from "#platform/refusal";
import { SIGN_IN_LINK_COOKIE, cookie, TWO_FACTOR_COOKIE } from "../../cookies.ts";
import { readQueryParam as param, parseForm } from "../../form-parsing.ts";
import { ownPathOrHome, urls } from "../../urls.ts";
import type { RequestContext } from "../../request-context.ts";
import {
  continueAfterFirstStep,
  setSessionAndRedirect,
  readSignInTarget,
  getClientInfo,
  handleSignInError,
} from "./complete-sign-in.ts";
import { continueAfterConfirmation } from "../registration/open-confirmation-link.ts";
import { readRegistrationCookie, setRegistrationCookie } from "../registration/registration-cookie.ts";
import { findStatusOwner } from "../get-account-status.ts";
import {
  beginPasskeyTwoFactor,
  finishPasskeyTwoFactor,
  finishTwoFactor,
  beginPasskeySignIn,
  signInWithPasskey,
  resendConfirmation,
  changePendingAddress,
  sendSignInLink,
  signInByLink,
  confirmEmail,
  confirmNewEmail,
  saveJoinReason,
} from "#community/accounts";

type CommandInput = { ctx: RequestContext; url: URL; form: FormData };
const QUARTER_OF_AN_HOUR = 15 * 60;
const readText = (form: FormData, name: string) => String(form.get(name) ?? "");

async function verifyTwoFactor({ ctx, form }: CommandInput) {
  const { app } = ctx;
  const half = ctx.cookies.get(TWO_FACTOR_COOKIE);
  if (!half) throw new Refusal("gone", "That took too long, or there were too many attempts. Sign in again.");
  const intent = readText(form, "intent");
  if (intent === "passkey")
    return data({ passkey: await beginPasskeyTwoFactor(app, half, getClientInfo(ctx)) });
  if (intent === "passkey-signed") {
    const session = await finishPasskeyTwoFactor(
      app,
      half,
      readText(form, "credential"),
      getClientInfo(ctx),
      "web",
    );
    return setSessionAndRedirect(ctx, session, readSignInTarget(form));
  }
  const { code } = parseForm(z.object({ code: z.string().trim().min(1, "Enter the code.") }), form);
  return setSessionAndRedirect(
    ctx,
    await finishTwoFactor(app, half, code, getClientInfo(ctx), "web"),
    readSignInTarget(form),
  );
}

/** The first request gets the challenge; the second sends the signed response. */
async function openPasskeySignIn({ ctx, form }: CommandInput) {
  const { app } = ctx;
  if (readText(form, "intent") === "passkey")
    return data({ passkey: await beginPasskeySignIn(app, getClientInfo(ctx)) });
  const target = readSignInTarget(form);
  try {
    return await setSessionAndRedirect(
      ctx,
      await signInWithPasskey(app, readText(form, "credential"), getClientInfo(ctx), "web"),
      target,
    );
  } catch (error) {
    return handleSignInError(ctx, error, target);
  }
}

async function changeConfirmation({ ctx, form }: CommandInput) {
  const { app } = ctx;
  const known = readRegistrationCookie(ctx);
  if (!known) throw new Refusal("gone", "This registration has expired. Register again.");
  if (readText(form, "intent") === "resend") {
    await resendConfirmation(app, known.pending, getClientInfo(ctx), known.next);
    throw redirect(urls.loginPage("sent", { said: "again" }));
  }
  const email = readText(form, "email").trim();
  const { pending } = await changePendingAddress(app, known.pending, email, getClientInfo(ctx), known.next);
  setRegistrationCookie(ctx, { ...known, pending, email });
  throw redirect(urls.loginPage("sent", { said: "changed" }));
}

/** The browser that requests the link stores a secret and the page to return to. */
async function requestSignInLink({ ctx, form }: CommandInput) {
  const { email } = parseForm(z.object({ email: z.email("That is not a valid email address.") }), form);
  const { browserSecret } = await sendSignInLink(ctx.app, email, getClientInfo(ctx));
  ctx.setCookies.push(
    cookie.set(
      SIGN_IN_LINK_COOKIE,
      `${browserSecret} ${ownPathOrHome(readText(form, "next")).slice(0, 300)}`,
      QUARTER_OF_AN_HOUR,
    ),
  );
  throw redirect(urls.loginPage("ask-link", { said: "sent" }));
}

/** The link is opened by a form, never on page load: mail programs open links to preview them. */
async function openSignInLink({ ctx, url, form }: CommandInput) {
  const [browserSecret, next] = (ctx.cookies.get(SIGN_IN_LINK_COOKIE) ?? "").split(" ");
  const target = { ...readSignInTarget(form), next: ownPathOrHome(next) };
  const by = {
    browserSecret: browserSecret || undefined,
    confirmed: form.has("confirmed"),
    stay: form.has("stay"),
  };
  try {
    const came = await signInByLink(ctx.app, param(url, "token"), by, getClientInfo(ctx), "web");
    return came.kind === "confirm"
      ? data({ elsewhere: true })
      : await continueAfterFirstStep(ctx, came, target);
  } catch (error) {
    return handleSignInError(ctx, error, target);
  }
}

/**
 * Confirms the address and signs in. A browser that did not register the account also sends a choice: the
 * password of the registration, a new one, or none.
 */
async function confirmEmailAddress({ ctx, url, form }: CommandInput) {
  const { app } = ctx;
  const pending = readRegistrationCookie(ctx);
  const intent = readText(form, "intent");
  const password = typedPassword(form);
  const proof = {
    pending: pending?.pending,
    ...(intent === "choose-password" ? { newPassword: password } : { password }),
    withoutPassword: intent === "without-password",
  };
  const result = await confirmEmail(app, param(url, "token"), proof, getClientInfo(ctx));
  // The registration cookie has expired since the page was shown, so the page is loaded again; it then offers
  // the other choices.
  if (result.kind === "password") throw redirect(`${url.pathname}${url.search}`);
  return continueAfterConfirmation(ctx, result, param(url, "next", 300));
}

const typedPassword = (form: FormData) => (form.has("password") ? readText(form, "password") : undefined);

async function confirmNewEmailAddress({ ctx, url, form }: CommandInput) {
  const by = { viewerId: ctx.me?.id ?? null, password: typedPassword(form) };
  const result = await confirmNewEmail(ctx.app, param(url, "token"), by);
  if (result.kind === "password") return data({ asks: true });
  const { personId } = result;
  throw redirect(
    ctx.me?.id === personId
      ? urls.settings(personId, "account", "email", { saved: "new-address" })
      : urls.login({ after: "address" }),
  );
}

async function submitJoinReason({ ctx, form }: CommandInput) {
  await saveJoinReason(ctx.app, readRegistrationCookie(ctx)?.pending ?? "", readText(form, "reason"));
  throw redirect(urls.loginPage("status", { said: "why" }));
}

async function appealAccountSanction({ ctx, url, form }: CommandInput) {
  const viewer = await findStatusOwner(ctx, url);
  await ctx.app.database.inTransaction((tx) =>
    appealSanction(tx, viewer, parseForm(NewSanctionAppeal, form)),
  );
  throw redirect(urls.loginPage("standing", { token: param(url, "token", 400) || undefined }));
}

export const loginStepCommands = {
  "second-step": verifyTwoFactor,
  passkey: openPasskeySignIn,
  sent: changeConfirmation,
  "ask-link": requestSignInLink,
  link: openSignInLink,
  confirm: confirmEmailAddress,
  email: confirmNewEmailAddress,
  standing: appealAccountSanction,
  status: submitJoinReason,
};
