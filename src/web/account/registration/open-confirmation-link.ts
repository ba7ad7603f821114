import { redirect } from "react-router";
import {
  confirmEmail,
  type ConfirmationResult,
  findConfirmation,
  type PendingConfirmation,
  SignInRefusal,
} from "#community/accounts";
import { Refusal } from "#platform/refusal";
import { PREFETCH_HEADER } from "../../prefetch-header.ts";
import type { RequestContext } from "../../request-context.ts";
import { ownPathOrHome, urls } from "../../urls.ts";
import { continueAfterFirstStep, getClientInfo } from "../sign-in/complete-sign-in.ts";
import { readRegistrationCookie, setRegistrationCookie } from "./registration-cookie.ts";

/**
 * Opens a confirmation link. The browser that registered is signed in at once, because only that browser has
 * the sealed registration. Any other browser gets a page with a button, because mail programs open links to
 * preview them. Null for a link that no longer works.
 */
export async function openConfirmationLink(
  ctx: RequestContext,
  request: Request,
  { token, next }: { token: string; next: string },
): Promise<PendingConfirmation | null> {
  const { app } = ctx;
  const pending = readRegistrationCookie(ctx)?.pending;
  const found = token === "" ? null : await findConfirmation(app, token, pending);
  if (!found?.isOwn || isPrefetch(request)) return found;
  try {
    const result = await confirmEmail(app, token, { pending }, getClientInfo(ctx));
    if (result.kind === "confirmed") await continueAfterConfirmation(ctx, result, next);
    return found;
  } catch (error) {
    if (error instanceof SignInRefusal) return found;
    if (error instanceof Refusal && error.reason === "gone") return null;
    throw error;
  }
}

const isPrefetch = ({ headers }: Request) => headers.has(PREFETCH_HEADER) || headers.has("sec-purpose");

/**
 * Signs in after a confirmation and opens what the person registered for; or shows that approval is pending.
 */
export async function continueAfterConfirmation(
  ctx: RequestContext,
  { signIn }: Extract<ConfirmationResult, { kind: "confirmed" }>,
  returnTo: string,
) {
  const registration = readRegistrationCookie(ctx);
  const next = ownPathOrHome(returnTo || registration?.next);
  if (signIn)
    return continueAfterFirstStep(ctx, signIn, {
      next,
      kept: "",
      keptPlace: "",
      over: false,
      registered: true,
    });
  // The cookie stores the page that opens when the person signs in after the approval.
  setRegistrationCookie(ctx, { pending: "", email: "", ...registration, next });
  throw redirect(urls.loginPage("status", { said: "confirmed" }));
}
