import {
  changeEmailTemplate,
  previewPlaceholders,
  type EmailContext,
  NewEmailTemplate,
  deleteEmailTemplate,
  sendEmail,
  type EmailTemplate,
  type PlaceholderValues,
} from "#baas/email";
import { htmlToText } from "#platform/mail";
import { invalid } from "#platform/refusal";
import { cleanText, parseForm } from "../../form-parsing.ts";
import { urls } from "../../urls.ts";

const MAX_VALUE_LENGTH = 1_000;

/** Reads the values typed for a template's placeholders; empty ones are omitted. */
export const readPlaceholderValues = (
  places: string[],
  given: (name: string) => unknown,
): Record<string, string> =>
  Object.fromEntries(
    places.flatMap((name) => {
      const value = cleanText(String(given(`v.${name}`) ?? "")).slice(0, MAX_VALUE_LENGTH);
      return value === "" ? [] : [[name, value]];
    }),
  );

/** Renders a template with the values; a template without a text gets one derived from its HTML. */
export function renderTemplate(template: EmailTemplate, values: PlaceholderValues) {
  const words = previewPlaceholders(template, values);
  return { ...words, text: words.text.trim() === "" ? htmlToText(words.html) : words.text };
}

type TemplateInput = {
  mails: EmailContext;
  template: EmailTemplate;
  form: FormData;
  values: Record<string, string>;
  me: { id: string; email: string | null };
};

/** Commands on a template, by the form's `intent`; each returns the URL to show next. */
export const TEMPLATE_COMMANDS: Record<string, (asking: TemplateInput) => Promise<string>> = {
  save: async ({ mails, template: { id }, form }) => {
    await changeEmailTemplate(mails, id, parseForm(NewEmailTemplate, form));
    return urls.mailTemplate(id, { saved: "1" });
  },
  try: async ({ mails, template, values, me }) => {
    if (me.email === null) throw invalid("form", "Your account has no email address.");
    const words = previewPlaceholders(template, values);
    const nobody = { cc: [], bcc: [], people: [], attachments: [] };
    await sendEmail(
      mails,
      { personId: me.id, trusted: true },
      { ...words, ...nobody, to: [me.email], unique: true, template: template.name },
    );
    return urls.mailTemplate(template.id, {
      tried: "1",
      ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`v.${name}`, value])),
    });
  },
  remove: async ({ mails, template: { id } }) => {
    await deleteEmailTemplate(mails, id);
    return urls.mailTemplates();
  },
};
