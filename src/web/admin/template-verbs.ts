import { changeTemplate, filledSoFar, type Mails, NewTemplate, removeTemplate, sendMail, type Template, type Values } from "#backend/mails";
import { plainOfHtml } from "#platform/mail";
import { invalid } from "#platform/refusal";
import { clean, parseForm } from "../forms.ts";
import { urls } from "../urls.ts";

const LONGEST_VALUE = 1_000;

/** Values typed for a template's placeholders; empty ones are omitted. */
export const valuesIn = (places: string[], given: (name: string) => unknown): Record<string, string> =>
  Object.fromEntries(
    places.flatMap((name) => {
      const value = clean(String(given(`v.${name}`) ?? "")).slice(0, LONGEST_VALUE);
      return value === "" ? [] : [[name, value]];
    }),
  );

/** A template filled with the values; its text is derived from the HTML if it has none. */
export function shownWith(template: Template, values: Values) {
  const words = filledSoFar(template, values);
  return { ...words, text: words.text.trim() === "" ? plainOfHtml(words.html) : words.text };
}

type Asking = {
  mails: Mails;
  template: Template;
  form: FormData;
  values: Record<string, string>;
  me: { id: string; email: string | null };
};

/** Commands on a template, by the form's `intent`; each returns the URL to show next. */
export const TEMPLATE_VERBS: Record<string, (asking: Asking) => Promise<string>> = {
  save: async ({ mails, template: { id }, form }) => {
    await changeTemplate(mails, id, parseForm(NewTemplate, form));
    return urls.mailTemplate(id, { saved: "1" });
  },
  try: async ({ mails, template, values, me }) => {
    if (me.email === null) throw invalid("form", "Your account has no mail address.");
    const words = filledSoFar(template, values);
    const nobody = { cc: [], bcc: [], people: [], attachments: [] };
    await sendMail(
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
    await removeTemplate(mails, id);
    return urls.mailTemplates();
  },
};
