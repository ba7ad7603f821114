import { Form, redirect } from "react-router";
import { placeholdersIn, templateFor } from "#backend/mails";
import { accountFor } from "#community/people";
import { asked, verbIn } from "../forms.ts";
import { ButtonLink, Notice, PageHead, pageMeta, RefusalNotice, SubmitButton } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading, signedIn } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/template";
import { assertAdmin, noted } from "./only-admins.ts";
import { TemplateFields } from "./template-fields.tsx";
import { TemplatePreview } from "./template-preview.tsx";
import { shownWith, TEMPLATE_VERBS, valuesIn } from "./template-verbs.ts";

export const handle = { asides: "none" };

export const loader = reading(async ({ db, house, viewer, params, url }) => {
  assertAdmin(viewer);
  const template = await templateFor(house.mails, params["templateId"] ?? "");
  const places = placeholdersIn(template);
  const values = valuesIn(places, (name) => url.searchParams.get(name));
  const me = signedIn(viewer);
  const { email } = await accountFor(db, me, me.id);
  const { id, updatedAt, ...words } = template;
  return {
    id,
    words,
    version: updatedAt.getTime(),
    places,
    values,
    shown: shownWith(template, values),
    own: email,
    saved: asked(url, "saved") === "1",
    tried: asked(url, "tried") === "1",
  };
});

export type TemplateData = Awaited<ReturnType<typeof loader>>;

export const action = acting(async ({ db, house, viewer, params, form }) => {
  assertAdmin(viewer);
  const verb = verbIn(TEMPLATE_VERBS, form);
  const template = await templateFor(house.mails, params["templateId"] ?? "");
  const me = signedIn(viewer);
  const { email } = await accountFor(db, me, me.id);
  const values = valuesIn(placeholdersIn(template), (name) => form.get(name));
  const next = await verb({ mails: house.mails, template, form, values, me: { id: me.id, email } });
  await noted(house, viewer, `template.${String(form.get("intent"))}`, template.name);
  return redirect(next);
});

export const meta = pageMeta<TemplateData>((data, t) => ({ title: data?.words.name ?? t("Mail of programs"), hidden: true }));

export default function TemplatePage({ loaderData: data }: Route.ComponentProps) {
  const t = useWords();
  const { words } = data;
  return (
    <>
      <PageHead
        title={<bdi dir="auto">{words.name}</bdi>}
        actions={<ButtonLink to={urls.mailTemplates()}>{t("Mail of programs")}</ButtonLink>}
      />
      <RefusalNotice />
      {data.saved && <Notice tone="good">{t("Saved.")}</Notice>}
      {/* Resets the inputs when the stored template changes. */}
      <Form key={data.version} method="post" className="grid max-w-2xl gap-3 py-6">
        <input type="hidden" name="intent" value="save" />
        <TemplateFields template={words} />
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
        </div>
      </Form>
      <TemplatePreview key={`preview ${data.version}`} data={data} />
      <details className="border-t border-line py-6">
        <summary className="cursor-pointer text-red">{t("Remove this template")}</summary>
        <Form method="post" className="mt-3 grid gap-3">
          <input type="hidden" name="intent" value="remove" />
          <p className="text-small text-quiet">{t("Programs that ask for it are refused from then on. This cannot be undone.")}</p>
          <div>
            <SubmitButton busy="…">{t("Remove it for good")}</SubmitButton>
          </div>
        </Form>
      </details>
    </>
  );
}
