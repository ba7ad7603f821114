import { Form, redirect } from "react-router";
import { listPlaceholders, getEmailTemplate } from "#baas/email";
import { getAccount } from "#community/accounts";
import { readQueryParam, chooseAction } from "../../form-parsing.ts";
import { ButtonLink, Notice, PageHeader, pageMeta, RefusalNotice, SubmitButton } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader, requireSignedIn } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/template-page";
import { assertAdmin, auditAdminAction } from "../admin-access.ts";
import { TemplateFields } from "./template-fields.tsx";
import { TemplatePreview } from "./template-preview.tsx";
import { renderTemplate, TEMPLATE_COMMANDS, readPlaceholderValues } from "./template-commands.ts";

export const loader = defineLoader(async ({ db, app, viewer, params, url }) => {
  assertAdmin(viewer);
  const template = await getEmailTemplate(app.mails, params["templateId"] ?? "");
  const places = listPlaceholders(template);
  const values = readPlaceholderValues(places, (name) => url.searchParams.get(name));
  const me = requireSignedIn(viewer);
  const { email } = await getAccount(db, me, me.id);
  const { id, updatedAt, ...words } = template;
  return {
    id,
    words,
    version: updatedAt.getTime(),
    places,
    values,
    shown: renderTemplate(template, values),
    own: email,
    saved: readQueryParam(url, "saved") === "1",
    tried: readQueryParam(url, "tried") === "1",
  };
});

export type TemplateData = Awaited<ReturnType<typeof loader>>;

export const action = defineAction(async ({ db, app, viewer, params, form }) => {
  assertAdmin(viewer);
  const verb = chooseAction(TEMPLATE_COMMANDS, form);
  const template = await getEmailTemplate(app.mails, params["templateId"] ?? "");
  const me = requireSignedIn(viewer);
  const { email } = await getAccount(db, me, me.id);
  const values = readPlaceholderValues(listPlaceholders(template), (name) => form.get(name));
  const next = await verb({ mails: app.mails, template, form, values, me: { id: me.id, email } });
  await auditAdminAction(app, viewer, `template.${String(form.get("intent"))}`, template.name);
  return redirect(next);
});

export const meta = pageMeta<TemplateData>((data, t) => ({
  title: data?.words.name ?? t("Email templates"),
  hidden: true,
}));

export default function TemplatePage({ loaderData: data }: Route.ComponentProps) {
  const t = useTranslate();
  const { words } = data;
  return (
    <>
      <PageHeader
        title={<bdi dir="auto">{words.name}</bdi>}
        actions={<ButtonLink to={urls.mailTemplates()}>{t("Email templates")}</ButtonLink>}
      />
      <RefusalNotice />
      {data.saved && <Notice tone="good">{t("Saved.")}</Notice>}
      {/* The key resets the inputs when the stored template changes. */}
      <Form key={data.version} method="post" className="grid max-w-2xl gap-3 py-6">
        <input type="hidden" name="intent" value="save" />
        <TemplateFields template={words} />
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
        </div>
      </Form>
      <TemplatePreview key={`preview ${data.version}`} data={data} />
      <details className="border-t border-line py-6">
        <summary className="cursor-pointer text-red">{t("Delete template")}</summary>
        <Form method="post" className="mt-3 grid gap-3">
          <input type="hidden" name="intent" value="remove" />
          <p className="text-small text-quiet">
            {t("API clients that use this template get an error. This cannot be undone.")}
          </p>
          <div>
            <SubmitButton busy="…">{t("Delete permanently")}</SubmitButton>
          </div>
        </Form>
      </details>
    </>
  );
}
