import { type DecisionLetter, type LetterText, previewDecision } from "#community/mail";
import { Resolution } from "#community/moderation";
import type { Viewer } from "#community/rules";
import { parseForm } from "../../form-parsing.ts";
import { getTranslations, isLocale, loadTranslations, translate } from "../../i18n/index.ts";
import {
  createNotificationStatement,
  createNotificationText,
} from "../../notifications/notification-text.ts";
import { readTypedValues } from "../../typed-values.ts";
import { urls } from "../../urls.ts";
import type { WebContext } from "../../web-context.ts";

/** What one author would receive about a decision, in their language. */
export type PreviewedLetter = {
  recipient: DecisionLetter["recipient"];
  language: string;
  /** Notifications on the site, each as its lines. */
  notifications: string[][];
  emails: LetterText[];
};
/** Result that shows the page again with the typed values and the letters. */
export type LetterPreviewResult = { letters: PreviewedLetter[]; typed: Record<string, string> };

/**
 * Returns what authors would receive about the decision in the form.
 * @throws like `previewDecision`
 */
export async function previewLetters(
  app: WebContext,
  viewer: Viewer,
  form: FormData,
): Promise<LetterPreviewResult> {
  const letters = await previewDecision(app, viewer, parseForm(Resolution, form));
  return { letters: await Promise.all(letters.map(toPreview)), typed: readTypedValues(form) };
}

async function toPreview({ recipient, locale, timeZone, notifications, emails }: DecisionLetter) {
  const language = isLocale(locale) ? locale : "en";
  await loadTranslations(language, urls.notifications());
  const i18n = getTranslations(language);
  const reader = {
    t: (text: string, values?: Record<string, unknown>, context?: string) =>
      translate(i18n, text, values, context),
    locale: language,
    timeZone,
  };
  const [toSentence, toStatement] = [createNotificationText(reader), createNotificationStatement(reader)];
  return {
    recipient,
    language,
    notifications: notifications.map((it) =>
      [toSentence(it), it.words, toStatement(it)].filter((line) => line !== ""),
    ),
    emails,
  };
}
