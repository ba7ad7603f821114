import { redirect, redirectDocument } from "react-router";
import { cookie, HALF, SESSION } from "../cookies.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";

/** Signing out changes state, so it is a form; following a link to it redirects home, still signed in. */
export const loader = reading(async () => {
  throw redirect(urls.home());
});

export const action = acting(async ({ visit, house }) => {
  const token = visit.cookies.get(SESSION);
  if (token) await house.accounts.signOut(token, "web");
  visit.setCookies.push(cookie.forget(SESSION), cookie.forget(HALF));
  throw redirectDocument(urls.home());
});
