import { redirect } from "react-router";
import { z } from "zod";
import {
  MAX_JOIN_REASON,
  NewAccount,
  type RegistrationResult,
  register,
  signIn,
  suggestUsername,
} from "#community/accounts";
import { checkProof, useProof } from "#community/prevention";
import { clientNetwork } from "#platform/client-address";
import { Refusal } from "#platform/refusal";
import { parseForm } from "../../form-parsing.ts";
import { invitationToken } from "../../groups/join/find-invitation.ts";
import { ownPathOrHome, urls } from "../../urls.ts";
import type { RequestContext } from "../../request-context.ts";
import { continueAfterFirstStep, getClientInfo } from "../sign-in/complete-sign-in.ts";
import { setRegistrationCookie } from "./registration-cookie.ts";

/**
 * Paths that the emailed link may contain: an arbitrary path could carry a message to someone else's address.
 */
const MAILED_PATH = /^\/(invite\/[\w-]{43}|(discussions|events|resources)\/[0-9a-f-]{36})$/;
const Reason = z.string().trim().max(MAX_JOIN_REASON, "At most {count, number} characters.");

/**
 * Registers a person and redirects to the page with the next step. The response does not reveal whether the
 * address has an account.
 */
export async function submitRegistration(ctx: RequestContext, form: FormData) {
  const { app } = ctx;
  const { registration, rulesVersion } = await app.settings.get();
  const needsJoinReason = registration === "approval";
  const { reason, ...input } = parseForm(
    NewAccount.extend({
      reason: needsJoinReason
        ? Reason.min(1, "Tell the moderators a little about yourself.")
        : Reason.default(""),
    }),
    form,
  );
  const botCheck = {
    honeypot: String(form.get("website") ?? ""),
    started: String(form.get("started") ?? ""),
  };
  const next = ownPathOrHome(String(form.get("next") ?? ""));
  const proof = await checkProof(app, "register", String(form.get("proof") ?? ""));
  if (typeof proof === "object") await app.database.inTransaction((tx) => useProof(tx, proof));
  const statement = { reason, rulesVersion };
  const registered = await register(app, input, getClientInfo(ctx), {
    botCheck,
    invitation: invitationToken(next),
    // Where registration is by invitation only, `register` requires a valid one, which weighs more.
    needsApproval: proof === "missing" && registration !== "closed",
    statement,
    returnTo: MAILED_PATH.test(next) ? next : undefined,
  });
  return redirectAfterRegistration(ctx, registered, { email: input.email, password: input.password, next });
}

async function redirectAfterRegistration(
  ctx: RequestContext,
  { state, pending }: RegistrationResult,
  { email, password, next }: { email: string; password: string; next: string },
) {
  if (state === "pending_approval") throw redirect(urls.loginPage("status"));
  if (state === "active") {
    const result = await signIn(ctx.app, { login: email, password, stay: true }, getClientInfo(ctx), "web");
    return continueAfterFirstStep(ctx, result, {
      next,
      kept: "",
      keptPlace: "",
      over: false,
      registered: true,
    });
  }
  setRegistrationCookie(ctx, { pending, email, next });
  throw redirect(urls.loginPage("sent"));
}

const SUGGESTION_LIMIT = { points: 30, seconds: 60 };

/** Suggests a free user name for a display name; empty after too many requests. */
export async function suggestFreeUsername(ctx: RequestContext, name: string): Promise<string> {
  if (name === "") return "";
  try {
    await ctx.app.limits.take("suggest-username", SUGGESTION_LIMIT, clientNetwork(ctx.from.address));
    return await suggestUsername(ctx.app.database.db, name);
  } catch (error) {
    if (error instanceof Refusal) return "";
    throw error;
  }
}
