import { getTranslations, translateSentence } from "./i18n/index.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Translates a sentence of the server into the language of the request. The browser only has the translations
 * of the texts that its own pages contain.
 */
export const translateFor = (ctx: RequestContext, sentence: string): string =>
  translateSentence(getTranslations(ctx.locale), sentence);
