import { redirect } from "react-router";
import { z } from "zod";
import { JOIN_REASON, NewAccount, type Registered } from "#community/people";
import { networkOf } from "#platform/client-address";
import { Refusal } from "#platform/refusal";
import { parseForm } from "../forms.ts";
import { invitationIn } from "../groups/invitation-at.ts";
import { ownPath, urls } from "../urls.ts";
import type { Visit } from "../visit.ts";
import { afterFirstStep, fromOf } from "./entering.ts";
import { rememberPending } from "./pending-cookie.ts";

const Terms = z.object({ terms: z.string("Please read the rules and agree to them.") });
const Reason = z.string().trim().max(JOIN_REASON, `Please keep it under ${JOIN_REASON} characters.`);

/**
 * Registers a person and redirects to the page with the next step; the outcome is the same for a free and a
 * taken address.
 */
export async function registerFrom(visit: Visit, form: FormData) {
  const { house } = visit;
  const { registration, rulesVersion } = await house.settings.get();
  const asksWhy = registration === "approval";
  const { reason, ...input } = parseForm(
    NewAccount.extend(Terms.shape).extend({
      reason: asksWhy ? Reason.min(1, "Tell whoever reads this a little about yourself.") : Reason.default(""),
    }),
    form,
  );
  const guard = { honeypot: String(form.get("website") ?? ""), started: String(form.get("started") ?? "") };
  const next = ownPath(String(form.get("next") ?? ""));
  const said = { reason, rulesVersion };
  const registered = await house.accounts.register(input, fromOf(visit), { guard, invitation: invitationIn(next), said });
  return onwards(visit, registered, { email: input.email, password: input.password, next });
}

async function onwards(
  visit: Visit,
  { state, pending }: Registered,
  { email, password, next }: { email: string; password: string; next: string },
) {
  if (state === "pending_approval") throw redirect(urls.loginPage("status"));
  if (state === "active") {
    const signIn = await visit.house.accounts.signIn({ login: email, password, stay: true }, fromOf(visit), "web");
    return afterFirstStep(visit, signIn, { next, kept: "", keptPlace: "", over: false });
  }
  rememberPending(visit, { pending, email, next });
  throw redirect(urls.loginPage("sent"));
}

const SUGGESTIONS = { points: 30, seconds: 60 };

/** Suggests a free user name for a display name; empty after too many requests. */
export async function suggestion(visit: Visit, name: string): Promise<string> {
  if (name === "") return "";
  try {
    await visit.house.limits.take("suggest-username", SUGGESTIONS, networkOf(visit.from.address));
    return await visit.house.accounts.suggestUsername(name);
  } catch (error) {
    if (error instanceof Refusal) return "";
    throw error;
  }
}
