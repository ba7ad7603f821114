import { redirect, redirectDocument } from "react-router";
import { updateDisplay } from "#community/accounts";
import { isSignedIn } from "#community/rules";
import { cookie, LOCALE_COOKIE, TEXT_SIZE_COOKIE, THEME_COOKIE } from "../cookies.ts";
import { parseTextSize } from "../text-size.ts";
import { ownPathOrHome, urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { isLocale } from "../i18n/locales.ts";

const THEMES = ["system", "light", "dark"] as const;

export const loader = defineLoader(async () => {
  throw redirect(urls.home());
});

/**
 * Saves language and theme for this browser and, for members, for their other browsers; text size only for
 * this browser. Unknown values are ignored.
 */
export const action = defineAction(async ({ ctx, viewer, app, form }) => {
  const [wanted, light] = [String(form.get("locale") ?? ""), String(form.get("theme") ?? "")];
  const locale = isLocale(wanted) ? wanted : undefined;
  const theme = THEMES.find((known) => known === light);
  if (locale) ctx.setCookies.push(cookie.choice(LOCALE_COOKIE, locale));
  if (theme) ctx.setCookies.push(cookie.choice(THEME_COOKIE, theme));
  const textSize = parseTextSize(form.get("textSize"));
  if (textSize) ctx.setCookies.push(cookie.choice(TEXT_SIZE_COOKIE, textSize));
  if (isSignedIn(viewer))
    await app.database.inTransaction((tx) => updateDisplay(tx, viewer, viewer.id, { locale, theme }));
  throw redirectDocument(ownPathOrHome(String(form.get("back") ?? "")));
});
