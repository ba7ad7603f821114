import { redirect } from "react-router";
import { isSignedIn } from "#community/rules";
import { cookie, PROVIDER } from "../cookies.ts";
import { asked } from "../forms.ts";
import { invitationIn } from "../groups/invitation-at.ts";
import { ownPath, urls } from "../urls.ts";
import { reading } from "../visit.ts";
import { providerTrouble } from "./provider-trouble.ts";

const TEN_MINUTES = 600;

/**
 * Redirects to a sign-in provider. A link instead of a form, since our content policy allows no form to leave
 * this site. Linking a provider must begin on our own pages: otherwise another site could link an account of
 * its own to a member's.
 */
export const loader = reading(async ({ visit, viewer, house, params, url, request }) => {
  const name = params["provider"] ?? "";
  const adds = url.searchParams.has("link") && isSignedIn(viewer);
  if (adds && !beganHere(request, house.origin())) throw redirect(urls.settings(viewer.id, "providers", { trouble: "invalid" }));
  const returnTo = adds ? urls.settings(viewer.id, "providers", { saved: "providers" }) : ownPath(asked(url, "next", 300));
  try {
    const { redirectTo, remember } = await house.accounts.beginProviderSignIn(name, returnTo, {
      linkTo: adds ? viewer : undefined,
      invitation: invitationIn(returnTo),
    });
    visit.setCookies.push(cookie.set(PROVIDER, remember, TEN_MINUTES));
    throw redirect(redirectTo);
  } catch (error) {
    throw providerTrouble(visit, error);
  }
});

function beganHere(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return (request.headers.get("referer") ?? "").startsWith(`${origin}/`);
}
