import type { EmailTemplate } from "#baas/email";
import { TextArea, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Texts of a template, with its placeholders. */
export function TemplateFields({
  template,
}: {
  template?: Pick<EmailTemplate, "name" | "subject" | "text" | "html">;
}) {
  const t = useTranslate();
  return (
    <>
      <TextField
        name="name"
        label={t("Name")}
        hint={t("API clients use this name to send the template.")}
        defaultValue={template?.name}
        required
        maxLength={100}
        dir="auto"
        autoComplete="off"
      />
      <TextField
        name="subject"
        label={t("Subject")}
        // The example is not translated, since the API defines the names of placeholders.
        hint={t("Placeholders in braces are filled in by API clients, here and below: {example}", {
          example: "{name}",
        })}
        defaultValue={template?.subject}
        required
        maxLength={250}
        dir="auto"
        autoComplete="off"
      />
      <TextArea
        name="text"
        label={t("Plain text")}
        hint={t("If empty, the text is made from the HTML.")}
        defaultValue={template?.text}
        maxLength={100_000}
        dir="auto"
      />
      <TextArea
        name="html"
        label={t("HTML text")}
        hint={t("Optional. HTML in values is shown as text.")}
        defaultValue={template?.html}
        maxLength={250_000}
        dir="ltr"
        spellCheck={false}
      />
    </>
  );
}
