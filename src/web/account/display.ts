import { redirect, redirectDocument } from "react-router";
import { updateDisplay } from "#community/people";
import { isSignedIn } from "#community/rules";
import { cookie, LOCALE, THEME } from "../cookies.ts";
import { ownPath, urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { isLocale } from "../words/locales.ts";

const THEMES = ["system", "light", "dark"] as const;

export const loader = reading(async () => {
  throw redirect(urls.home());
});

/** Language and light, for this browser and, where somebody is signed in, for their other ones. What we do not have is passed over. */
export const action = acting(async ({ visit, viewer, house, form }) => {
  const [wanted, light] = [String(form.get("locale") ?? ""), String(form.get("theme") ?? "")];
  const locale = isLocale(wanted) ? wanted : undefined;
  const theme = THEMES.find((known) => known === light);
  if (locale) visit.setCookies.push(cookie.choice(LOCALE, locale));
  if (theme) visit.setCookies.push(cookie.choice(THEME, theme));
  if (isSignedIn(viewer)) await house.database.inTransaction((tx) => updateDisplay(tx, viewer, viewer.id, { locale, theme }));
  throw redirectDocument(ownPath(String(form.get("back") ?? "")));
});
