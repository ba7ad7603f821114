import { formatEnglish, formatMessage, type Message } from "#platform/messages";
import { getTranslations, translate } from "./i18n/index.ts";
import type { RequestContext } from "./request-context.ts";

/** Translates a message of the server into a language; without a translation it stays English. */
export function translateMessage(locale: string, message: Message): string {
  const i18n = getTranslations(locale);
  return formatMessage(message, (text, values) =>
    values && i18n.messages[text] === undefined ? formatEnglish(text, values) : translate(i18n, text, values),
  );
}

/**
 * Translates a message into the language of the request. This runs on the server, since the browser only has
 * the translations of texts that its own pages contain.
 */
export const translateFor = (ctx: RequestContext, message: Message): string =>
  translateMessage(ctx.locale, message);
