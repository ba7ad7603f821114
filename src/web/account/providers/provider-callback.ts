import { redirect } from "react-router";
import { SignInRefusal, finishProviderSignIn } from "#community/accounts";
import { cookie, PROVIDER_COOKIE } from "../../cookies.ts";
import { urls } from "../../urls.ts";
import { defineLoader } from "../../request-context.ts";
import { continueAfterFirstStep, getClientInfo, handleSignInError } from "../sign-in/complete-sign-in.ts";
import { setRegistrationCookie } from "../registration/registration-cookie.ts";
import { handleProviderError } from "./provider-error.ts";

/** Handles the return from a sign-in provider. */
export const loader = defineLoader(async ({ ctx, app, params, url }) => {
  const remembered = ctx.cookies.get(PROVIDER_COOKIE) ?? "";
  ctx.setCookies.push(cookie.forget(PROVIDER_COOKIE));
  const errand = { next: urls.home(), kept: "", keptPlace: "", over: false };
  try {
    const came = await finishProviderSignIn(
      app,
      params["provider"] ?? "",
      url.href,
      remembered,
      getClientInfo(ctx),
      "web",
    );
    if (came.kind === "linked") throw redirect(came.returnTo);
    if (came.kind === "awaiting-approval" || came.kind === "confirm-address") {
      setRegistrationCookie(ctx, { pending: came.pending, email: "", next: came.returnTo });
      throw redirect(urls.loginPage(came.kind === "confirm-address" ? "sent" : "status"));
    }
    return await continueAfterFirstStep(ctx, came, { ...errand, next: came.returnTo });
  } catch (error) {
    if (error instanceof Response) throw error;
    // Redirects to the account status instead of the sign-in page: the account may have no password to sign
    // in with.
    if (error instanceof SignInRefusal && error.standing)
      throw redirect(urls.loginPage("standing", { token: error.standing }));
    try {
      handleSignInError(ctx, error, errand);
    } catch (answer) {
      throw handleProviderError(ctx, answer);
    }
    throw redirect(urls.login());
  }
});
