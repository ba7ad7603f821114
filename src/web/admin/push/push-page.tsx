import { redirect } from "react-router";
import {
  countDevices,
  deletePushTemplate,
  listPushTemplates,
  getPushOutcome,
  pushTemplate,
  savePushTemplate,
} from "#baas/devices";
import type { WebContext } from "../../web-context.ts";
import type { Viewer } from "#community/rules";
import { readQueryParam, cleanText, parseForm, chooseAction } from "../../form-parsing.ts";
import { Notice, PageHeader, pageMeta, RefusalNotice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/push-page";
import { assertAdmin, auditAdminAction } from "../admin-access.ts";
import { TemplateForm, TrialForm } from "./push-forms.ts";
import { PushStatistics } from "./push-statistics.tsx";
import { PushTemplates } from "./push-templates.tsx";

export const loader = defineLoader(async ({ db, app, viewer, url }) => {
  assertAdmin(viewer);
  const templates = await listPushTemplates(db);
  const chosen = readQueryParam(url, "template");
  const tried = readQueryParam(url, "tried");
  return {
    counts: await countDevices(app.devices),
    providers: { apns: app.devices.providers.apns !== null, fcm: app.devices.providers.fcm !== null },
    pushKey: app.pushKey,
    templates,
    chosen: templates.find(({ name }) => name === chosen) ?? null,
    tried: tried === "" ? null : await getPushOutcome(app.devices, tried),
  };
});

/** Commands of this page, by the form's `intent`; each returns the next page. */
const PUSH_COMMANDS: Record<
  string,
  (app: Pick<WebContext, "database" | "devices">, viewer: Viewer, form: FormData) => Promise<string>
> = {
  async save(app, viewer, form) {
    const template = parseForm(TemplateForm, form);
    await app.database.inTransaction((tx) => savePushTemplate(tx, template));
    await auditAdminAction(app, viewer, "push-template.save", template.name);
    return urls.push();
  },
  async delete(app, viewer, form) {
    const name = cleanText(String(form.get("of") ?? "")).slice(0, 100);
    await app.database.inTransaction((tx) => deletePushTemplate(tx, name));
    await auditAdminAction(app, viewer, "push-template.delete", name);
    return urls.push();
  },
  async test(app, viewer, form) {
    const { template, device, values } = parseForm(TrialForm, form);
    const { messageId } = await pushTemplate(app.devices, template, values, device);
    await auditAdminAction(app, viewer, "push-template.test", template);
    return urls.push({ tried: messageId });
  },
};

export const action = defineAction(async ({ app, viewer, form }) => {
  assertAdmin(viewer);
  return redirect(await chooseAction(PUSH_COMMANDS, form)(app, viewer, form));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Devices and push"),
  hidden: true,
}));

export default function PushPage({
  loaderData: { counts, providers, pushKey, templates, chosen, tried },
}: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Devices and push")}
        lead={t("Phones and browsers registered by API clients, and push templates.")}
      />
      <RefusalNotice />
      {tried && <TrialOutcome tried={tried} />}
      <PushStatistics counts={counts} providers={providers} pushKey={pushKey} />
      <PushTemplates templates={templates} chosen={chosen} />
    </>
  );
}

function TrialOutcome({
  tried: { status, errorMessage },
}: {
  tried: NonNullable<Route.ComponentProps["loaderData"]["tried"]>;
}) {
  const t = useTranslate();
  const words = {
    scheduled: t("Sending. Reload this page to see the result."),
    published: t("Delivered."),
    failed: t("Not delivered."),
    cancelled: t("Not delivered."),
  };
  // Without a device registered under this id nothing was sent, so the result counts as an error.
  const tone = status === "failed" || errorMessage !== null ? "bad" : "good";
  return (
    <Notice tone={tone}>
      <p>{tone === "bad" && status === "published" ? words.failed : words[status]}</p>
      {errorMessage && (
        <p lang="en" dir="ltr">
          {errorMessage}
        </p>
      )}
    </Notice>
  );
}
