import { redirect, redirectDocument } from "react-router";
import { cookie, TWO_FACTOR_COOKIE, SESSION_COOKIE } from "../../cookies.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { signOut } from "#community/accounts";

/** Signing out changes state, so it needs a POST form. A GET request only redirects home, still signed in. */
export const loader = defineLoader(async () => {
  throw redirect(urls.home());
});

export const action = defineAction(async ({ ctx, app }) => {
  const token = ctx.cookies.get(SESSION_COOKIE);
  if (token) await signOut(app, token, "web");
  ctx.setCookies.push(cookie.forget(SESSION_COOKIE), cookie.forget(TWO_FACTOR_COOKIE));
  throw redirectDocument(urls.home());
});
