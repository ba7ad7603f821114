import { Form } from "react-router";
import type { PushTemplate } from "#baas/devices";
import { ButtonLink, SelectField, SubmitButton, TextArea, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { formatKeyValueLines } from "./key-value-lines.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Creates a template, or edits the selected one, whose name cannot change. */
export function PushTemplateForm({ chosen }: { chosen: PushTemplate | null }) {
  const t = useTranslate();
  return (
    <Form method="post" className="grid max-w-xl gap-3">
      <input type="hidden" name="intent" value="save" />
      <TextField
        name="name"
        label={t("Name")}
        hint={t("API clients use this name to send the template.")}
        required
        maxLength={100}
        dir="auto"
        defaultValue={chosen?.name}
        readOnly={chosen !== null}
      />
      <SelectField name="os" label={t("Devices")} defaultValue={chosen?.os ?? "ALL"}>
        <option value="ALL">{t("All devices")}</option>
        <option value="IOS">iOS</option>
        <option value="ANDROID">Android</option>
        <option value="WEB">{t("Browsers")}</option>
      </SelectField>
      <TextField
        name="channel"
        label={t("Channel")}
        hint={t("Sent only to devices registered for this channel. If empty, sent to all devices.")}
        maxLength={100}
        dir="auto"
        defaultValue={chosen?.channel ?? ""}
      />
      <TextField name="title" label={t("Title")} maxLength={200} dir="auto" defaultValue={chosen?.title} />
      <TextField
        name="subtitle"
        label={t("Subtitle")}
        hint={t("Shown on Apple devices.")}
        maxLength={200}
        dir="auto"
        defaultValue={chosen?.subtitle}
      />
      <TextArea
        name="body"
        label={t("Text")}
        hint={t("Placeholders in braces are filled in by API clients, such as {example}.", {
          example: "{name}",
        })}
        rows={3}
        required
        maxLength={1_000}
        defaultValue={chosen?.body}
      />
      <TextField name="sound" label={t("Sound")} maxLength={100} dir="ltr" defaultValue={chosen?.sound} />
      <TextField
        name="badge"
        label={t("Badge count")}
        hint={t("Shown on Apple devices.")}
        inputMode="numeric"
        maxLength={5}
        dir="ltr"
        defaultValue={chosen?.badge ?? ""}
      />
      <TextArea
        name="headers"
        label={t("Headers")}
        hint={t("Data for the app, one per line: name: value")}
        rows={2}
        maxLength={2_000}
        dir="ltr"
        defaultValue={chosen ? formatKeyValueLines(chosen.headers) : ""}
      />
      <div className="flex flex-wrap gap-2">
        <SubmitButton busy={t("Saving…")}>{chosen ? t("Save template") : t("Create template")}</SubmitButton>
        {chosen && <ButtonLink to={urls.push()}>{t("Cancel")}</ButtonLink>}
      </div>
    </Form>
  );
}
