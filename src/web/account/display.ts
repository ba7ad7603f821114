import { redirect, redirectDocument } from "react-router";
import { updateDisplay } from "#community/people";
import { isSignedIn } from "#community/rules";
import { cookie, LOCALE, TEXT_SIZE, THEME } from "../cookies.ts";
import { textSizeIn } from "../text-size.ts";
import { ownPath, urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { isLocale } from "../words/locales.ts";

const THEMES = ["system", "light", "dark"] as const;

export const loader = reading(async () => {
  throw redirect(urls.home());
});

/**
 * Saves language and theme for this browser and, when signed in, for the person's other browsers; text size
 * for this browser only. Unknown values are ignored.
 */
export const action = acting(async ({ visit, viewer, house, form }) => {
  const [wanted, light] = [String(form.get("locale") ?? ""), String(form.get("theme") ?? "")];
  const locale = isLocale(wanted) ? wanted : undefined;
  const theme = THEMES.find((known) => known === light);
  if (locale) visit.setCookies.push(cookie.choice(LOCALE, locale));
  if (theme) visit.setCookies.push(cookie.choice(THEME, theme));
  const textSize = textSizeIn(form.get("textSize"));
  if (textSize) visit.setCookies.push(cookie.choice(TEXT_SIZE, textSize));
  if (isSignedIn(viewer)) await house.database.inTransaction((tx) => updateDisplay(tx, viewer, viewer.id, { locale, theme }));
  throw redirectDocument(ownPath(String(form.get("back") ?? "")));
});
