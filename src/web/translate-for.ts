import { formatEnglish, formatMessage, type Message } from "#platform/messages";
import { getTranslations, translate } from "./i18n/index.ts";
import type { RequestContext } from "./request-context.ts";

/** Puts a message of the server into words of a language: in English where it has no translation. */
export function translateMessage(locale: string, message: Message): string {
  const i18n = getTranslations(locale);
  return formatMessage(message, (text, values) =>
    values && i18n.messages[text] === undefined ? formatEnglish(text, values) : translate(i18n, text, values),
  );
}

/**
 * The same in the language of the request. The browser only has the translations of the texts that its own
 * pages contain.
 */
export const translateFor = (ctx: RequestContext, message: Message): string =>
  translateMessage(ctx.locale, message);
