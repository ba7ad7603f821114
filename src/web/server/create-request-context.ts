import type { FastifyRequest } from "fastify";
import { GUEST } from "#community/rules";
import { LOCALE_COOKIE, readCookies, TEXT_SIZE_COOKIE, THEME_COOKIE } from "../cookies.ts";
import type { WebContext } from "../web-context.ts";
import { parseTextSize } from "../text-size.ts";
import type { RequestContext } from "../request-context.ts";
import { chooseLocale, isLocale } from "../i18n/locales.ts";

/** Creates the context of a request. The viewer is identified later, by the middleware `authenticate`. */
export function createRequestContext(request: FastifyRequest, app: WebContext): RequestContext {
  const cookies = readCookies(request.headers.cookie);
  const acceptLanguage = request.headers["accept-language"] ?? "";
  const locale = cookies.get(LOCALE_COOKIE);
  const theme = cookies.get(THEME_COOKIE);
  return {
    app,
    viewer: GUEST,
    me: null,
    lacksAnswers: false,
    lacksStaffTwoFactor: false,
    sessionId: null,
    reader: null,
    locale: locale && isLocale(locale) ? locale : chooseLocale(acceptLanguage),
    theme: theme === "light" || theme === "dark" ? theme : "system",
    textSize: parseTextSize(cookies.get(TEXT_SIZE_COOKIE)) ?? "normal",
    timeZone: "UTC",
    now: new Date(),
    nonce: "",
    incident: request.id,
    from: {
      address: request.ip,
      userAgent: (request.headers["user-agent"] ?? "").slice(0, 400),
      acceptLanguage: acceptLanguage.slice(0, 200),
    },
    cookies,
    setCookies: [],
    headers: {},
    head: "",
    submittedForm: null,
    page: null,
    readsNotice: false,
    noticeHtml: "",
    renderTime: 0,
    shows: null,
  };
}
