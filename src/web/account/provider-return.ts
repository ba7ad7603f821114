import { redirect } from "react-router";
import { SignInRefusal } from "#community/people";
import { cookie, PROVIDER } from "../cookies.ts";
import { urls } from "../urls.ts";
import { reading } from "../visit.ts";
import { afterFirstStep, fromOf, turnedAway } from "./entering.ts";
import { rememberPending } from "./pending-cookie.ts";
import { providerTrouble } from "./provider-trouble.ts";

/** Callback of a sign-in provider. */
export const loader = reading(async ({ visit, house, params, url }) => {
  const remembered = visit.cookies.get(PROVIDER) ?? "";
  visit.setCookies.push(cookie.forget(PROVIDER));
  const errand = { next: urls.home(), kept: "", keptPlace: "", over: false };
  try {
    const came = await house.accounts.finishProviderSignIn(params["provider"] ?? "", url.href, remembered, fromOf(visit), "web");
    if (came.kind === "linked") throw redirect(came.returnTo);
    if (came.kind === "awaiting-approval" || came.kind === "confirm-address") {
      rememberPending(visit, { pending: came.pending, email: "", next: came.returnTo });
      throw redirect(urls.loginPage(came.kind === "confirm-address" ? "sent" : "status"));
    }
    return await afterFirstStep(visit, came, { ...errand, next: came.returnTo });
  } catch (error) {
    if (error instanceof Response) throw error;
    // The account may have no password to sign in with instead.
    if (error instanceof SignInRefusal && error.standing) throw redirect(urls.loginPage("standing", { token: error.standing }));
    try {
      turnedAway(visit, error, errand);
    } catch (answer) {
      throw providerTrouble(visit, answer);
    }
    throw redirect(urls.login());
  }
});
