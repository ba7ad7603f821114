import type { EmailTemplate } from "#baas/email";
import { TextArea, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Texts of a template, with its placeholders. */
export function TemplateFields({ template }: { template?: Pick<EmailTemplate, "name" | "subject" | "text" | "html"> }) {
  const t = useTranslate();
  return (
    <>
      <TextField
        name="name"
        label={t("Name")}
        hint={t("By which programs ask for it.")}
        defaultValue={template?.name}
        required
        maxLength={100}
        dir="auto"
        autoComplete="off"
      />
      <TextField
        name="subject"
        label={t("Subject")}
        // The example is the same in every language, since placeholders are named by the API.
        hint={t("A word in braces is a place that a program fills, here and below: {example}", { example: "{name}" })}
        defaultValue={template?.subject}
        required
        maxLength={250}
        dir="auto"
        autoComplete="off"
      />
      <TextArea
        name="text"
        label={t("Words as text")}
        hint={t("Without them, the words of the HTML are sent as text.")}
        defaultValue={template?.text}
        maxLength={100_000}
        dir="auto"
      />
      <TextArea
        name="html"
        label={t("Words as HTML")}
        hint={t("May be left out. What fills a place cannot become HTML.")}
        defaultValue={template?.html}
        maxLength={250_000}
        dir="ltr"
        spellCheck={false}
      />
    </>
  );
}
