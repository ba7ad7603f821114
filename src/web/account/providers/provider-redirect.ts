import { redirect } from "react-router";
import { isSignedIn } from "#community/rules";
import { cookie, PROVIDER_COOKIE } from "../../cookies.ts";
import { readQueryParam } from "../../form-parsing.ts";
import { invitationToken } from "../../groups/join/find-invitation.ts";
import { ownPathOrHome, urls } from "../../urls.ts";
import { defineLoader } from "../../request-context.ts";
import { handleProviderError } from "./provider-error.ts";
import { beginProviderSignIn } from "#community/accounts";

const TEN_MINUTES = 600;

/**
 * Redirects to a sign-in provider. This is a link, since our content policy does not allow forms to lead to
 * other sites. A provider can only be linked from our own pages: otherwise another site could link its own
 * provider account to a member's account.
 */
export const loader = defineLoader(async ({ ctx, viewer, app, params, url, request }) => {
  const name = params["provider"] ?? "";
  const adds = url.searchParams.has("link") && isSignedIn(viewer);
  if (adds && !isSameOriginRequest(request, app.origin()))
    throw redirect(urls.settings(viewer.id, "security", "providers", { trouble: "invalid" }));
  const returnTo = adds
    ? urls.settings(viewer.id, "security", "providers", { saved: "providers" })
    : ownPathOrHome(readQueryParam(url, "next", 300));
  try {
    const { redirectTo, remember } = await beginProviderSignIn(app, name, returnTo, {
      linkTo: adds ? viewer : undefined,
      invitation: invitationToken(returnTo),
    });
    ctx.setCookies.push(cookie.set(PROVIDER_COOKIE, remember, TEN_MINUTES));
    throw redirect(redirectTo);
  } catch (error) {
    throw handleProviderError(ctx, error);
  }
});

function isSameOriginRequest(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return (request.headers.get("referer") ?? "").startsWith(`${origin}/`);
}
