import { Form } from "react-router";
import type { PushTemplate } from "#baas/devices";
import { ActionForm } from "../../people/action-form.tsx";
import {
  ButtonLink,
  EmptyState,
  SelectField,
  SubmitButton,
  Tag,
  TextArea,
  TextField,
  Time,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { PushTemplateForm } from "./push-template-form.tsx";

/** Push templates; each can be edited, removed and tested on a device. */
export function PushTemplates({
  templates,
  chosen,
}: {
  templates: PushTemplate[];
  chosen: PushTemplate | null;
}) {
  const t = useTranslate();
  return (
    <>
      <section aria-labelledby="templates" className="border-t border-line py-6">
        <h2 id="templates" className="mb-3 font-serif text-large font-semibold">
          {t("Push templates")}
        </h2>
        {templates.length === 0 && (
          <EmptyState title={t("No templates yet.")}>
            {t("API clients send a template by its name with values for its placeholders.")}
          </EmptyState>
        )}
        <ul>
          {templates.map((it) => (
            <PushTemplateRow key={it.name} it={it} />
          ))}
        </ul>
      </section>
      {templates.length > 0 && <TryForm templates={templates} />}
      <section aria-labelledby="template" className="border-t border-line py-6">
        <h2 id="template" className="mb-3 font-serif text-large font-semibold">
          {chosen ? t("Edit {name}", { name: chosen.name }) : t("New template")}
        </h2>
        {/* The key clears the form after a template was created. */}
        <PushTemplateForm key={chosen?.name ?? String(templates.length)} chosen={chosen} />
      </section>
    </>
  );
}

function PushTemplateRow({ it: { name, os, channel, title, body, updatedAt } }: { it: PushTemplate }) {
  const t = useTranslate();
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0">
        <p className="font-semibold break-words">
          <bdi>{name}</bdi> <Tag>{os}</Tag>
        </p>
        <p className="break-words" dir="auto">
          {title === "" ? body : `${title}: ${body}`}
        </p>
        <p className="text-small text-quiet">
          {channel === null ? (
            t("To all devices")
          ) : (
            <Rich text="To the channel <0></0>" parts={{ 0: <bdi>{channel}</bdi> }} />
          )}{" "}
          · <Rich text="changed <0></0>" parts={{ 0: <Time at={updatedAt} /> }} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={urls.push({ template: name })} aria-label={t("Edit {name}", { name })}>
          {t("Edit")}
        </ButtonLink>
        <ActionForm
          intent="delete"
          fields={{ of: name }}
          kind="danger"
          busy="…"
          label={t("Delete template {name}", { name })}
        >
          {t("Delete")}
        </ActionForm>
      </div>
    </li>
  );
}

function TryForm({ templates }: { templates: PushTemplate[] }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="try" className="border-t border-line py-6">
      <h2 id="try" className="mb-3 font-serif text-large font-semibold">
        {t("Test")}
      </h2>
      <Form method="post" className="grid max-w-xl gap-3">
        <input type="hidden" name="intent" value="test" />
        <SelectField name="template" label={t("Template")}>
          {templates.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <TextField
          name="device"
          label={t("Device ID")}
          hint={t("Enter the device ID that the app registered. Only this device receives the push.")}
          required
          maxLength={200}
          dir="ltr"
        />
        <TextArea
          name="values"
          label={t("Placeholder values")}
          hint={t("For instance: name: Mira")}
          rows={2}
          maxLength={2_000}
        />
        <div>
          <SubmitButton busy={t("Sending…")}>{t("Send to device")}</SubmitButton>
        </div>
      </Form>
    </section>
  );
}
