import type { FastifyRequest } from "fastify";
import { GUEST } from "#community/rules";
import { LOCALE, readCookies, TEXT_SIZE, THEME } from "../cookies.ts";
import type { House } from "../house.ts";
import { textSizeIn } from "../text-size.ts";
import type { Visit } from "../visit.ts";
import { chosenLocale, isLocale } from "../words/locales.ts";

/** The context of a request before authentication, which the `authenticate` middleware does. */
export function visitOf(request: FastifyRequest, house: House): Visit {
  const cookies = readCookies(request.headers.cookie);
  const acceptLanguage = request.headers["accept-language"] ?? "";
  const locale = cookies.get(LOCALE);
  const theme = cookies.get(THEME);
  return {
    house,
    viewer: GUEST,
    me: null,
    lacksAnswers: false,
    staffRests: false,
    sessionId: null,
    reader: null,
    locale: locale && isLocale(locale) ? locale : chosenLocale(acceptLanguage),
    theme: theme === "light" || theme === "dark" ? theme : "system",
    textSize: textSizeIn(cookies.get(TEXT_SIZE)) ?? "normal",
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
    given: null,
    page: null,
    shows: null,
  };
}
