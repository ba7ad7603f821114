import { Form, Link, redirect } from "react-router";
import {
  createEmailTemplate,
  listLatestEmails,
  listEmailTemplates,
  NewEmailTemplate,
  type SentEmailRow,
  type EmailTemplateRow,
} from "#baas/email";
import { parseForm } from "../../form-parsing.ts";
import {
  ButtonLink,
  EmptyState,
  FormErrors,
  PageHeader,
  pageMeta,
  SubmitButton,
  Time,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/templates-page";
import { assertAdmin, auditAdminAction } from "../admin-access.ts";
import { TemplateFields } from "./template-fields.tsx";

export const loader = defineLoader(async ({ ctx, app, viewer }) => {
  assertAdmin(viewer);
  return { templates: await listEmailTemplates(app.mails), sent: await listLatestEmails(app.mails, ctx.now) };
});

export const action = defineAction(async ({ app, viewer, form }) => {
  assertAdmin(viewer);
  const template = parseForm(NewEmailTemplate, form);
  const id = await createEmailTemplate(app.mails, template);
  await auditAdminAction(app, viewer, "template.make", template.name);
  return redirect(urls.mailTemplate(id, { saved: "1" }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Email templates"),
  hidden: true,
}));

export default function TemplatesPage({ loaderData: { templates, sent } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Email templates")}
        lead={t("Templates for emails of API clients. Permissions and limits are in the settings.")}
        actions={<ButtonLink to={urls.siteSettings({}, "mailRoles")}>{t("Site settings")}</ButtonLink>}
      />
      <section aria-labelledby="templates" className="border-t border-line py-6">
        <h2 id="templates" className="mb-3 font-serif text-large font-semibold">
          {t("Templates")}
        </h2>
        {templates.length === 0 && (
          <EmptyState title={t("No templates yet.")}>
            {t("API clients send a template with values for its placeholders.")}
          </EmptyState>
        )}
        <ul>
          {templates.map((it) => (
            <TemplateRow key={it.id} it={it} />
          ))}
        </ul>
      </section>
      <section aria-labelledby="new" className="border-t border-line py-6">
        <h2 id="new" className="mb-3 font-serif text-large font-semibold">
          {t("New template")}
        </h2>
        <Form method="post" className="grid max-w-2xl gap-3">
          <FormErrors />
          <TemplateFields />
          <div>
            <SubmitButton busy={t("Saving…")}>{t("Create template")}</SubmitButton>
          </div>
        </Form>
      </section>
      <section aria-labelledby="sent" className="border-t border-line py-6">
        <h2 id="sent" className="mb-3 font-serif text-large font-semibold">
          {t("Recently sent")}
        </h2>
        {sent.length === 0 && <EmptyState title={t("No emails sent yet.")} />}
        <ul>
          {sent.map((it) => (
            <SentMailRow key={it.id} it={it} />
          ))}
        </ul>
      </section>
    </>
  );
}

const TemplateRow = ({ it: { id, name, subject, updatedAt } }: { it: EmailTemplateRow }) => (
  <li className="border-b border-line py-3">
    <p className="font-semibold break-words">
      <Link to={urls.mailTemplate(id)}>
        <bdi>{name}</bdi>
      </Link>
    </p>
    <p className="break-words" dir="auto">
      {subject}
    </p>
    <p className="text-small text-quiet">
      <Rich text="Last changed <0></0>" parts={{ 0: <Time at={updatedAt} /> }} />
    </p>
  </li>
);

function SentMailRow({
  it: { subject, template, createdAt, sent, failed, waiting, cancelled },
}: {
  it: SentEmailRow;
}) {
  const t = useTranslate();
  const counts = [
    t("{count, plural, one {# sent} other {# sent}}", { count: sent }),
    ...(waiting > 0 ? [t("{count, plural, one {# queued} other {# queued}}", { count: waiting })] : []),
    ...(failed > 0
      ? [t("{count, plural, one {# not delivered} other {# not delivered}}", { count: failed })]
      : []),
    ...(cancelled ? [t("canceled")] : []),
  ];
  return (
    <li className="border-b border-line py-3">
      <p className="break-words" dir="auto">
        {subject}
      </p>
      <p className="text-small break-words text-quiet">
        <Time at={createdAt} /> · {counts.join(" · ")}
        {template !== null && (
          <>
            {" · "}
            <bdi>{template}</bdi>
          </>
        )}
      </p>
    </li>
  );
}
