import { redirect } from "react-router";
import { deviceCounts, dropTemplate, listTemplates, pushOutcome, pushTemplate, putTemplate } from "#backend/devices";
import type { House } from "../house.ts";
import type { Viewer } from "#community/rules";
import { asked, clean, parseForm, verbIn } from "../forms.ts";
import { ButtonLink, Notice, PageHead, pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/push";
import { assertAdmin, noted } from "./only-admins.ts";
import { TemplateForm, TriedForm } from "./push-forms.ts";
import { PushCounts } from "./push-counts.tsx";
import { PushTemplates } from "./push-templates.tsx";

export const handle = { asides: "none" };

export const loader = reading(async ({ db, house, viewer, url }) => {
  assertAdmin(viewer);
  const templates = await listTemplates(db);
  const chosen = asked(url, "template");
  const tried = asked(url, "tried");
  return {
    counts: await deviceCounts(house.devices),
    ways: { apns: house.devices.ways.apns !== null, fcm: house.devices.ways.fcm !== null },
    pushKey: house.pushKey,
    templates,
    chosen: templates.find(({ name }) => name === chosen) ?? null,
    tried: tried === "" ? null : await pushOutcome(house.devices, tried),
  };
});

/** Commands of this page, by the form's `intent`; each returns the next page. */
const VERBS: Record<string, (house: House, viewer: Viewer, form: FormData) => Promise<string>> = {
  async keep(house, viewer, form) {
    const template = parseForm(TemplateForm, form);
    await house.database.inTransaction((tx) => putTemplate(tx, template));
    await noted(house, viewer, "push-template.keep", template.name);
    return urls.push();
  },
  async drop(house, viewer, form) {
    const name = clean(String(form.get("of") ?? "")).slice(0, 100);
    await house.database.inTransaction((tx) => dropTemplate(tx, name));
    await noted(house, viewer, "push-template.drop", name);
    return urls.push();
  },
  async try(house, viewer, form) {
    const { template, device, values } = parseForm(TriedForm, form);
    const { messageId } = await pushTemplate(house.devices, template, values, device);
    await noted(house, viewer, "push-template.try", template);
    return urls.push({ tried: messageId });
  },
};

export const action = acting(async ({ house, viewer, form }) => {
  assertAdmin(viewer);
  return redirect(await verbIn(VERBS, form)(house, viewer, form));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Devices and pushes of programs"),
  hidden: true,
}));

export default function PushPage({ loaderData: { counts, ways, pushKey, templates, chosen, tried } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={t("Devices and pushes of programs")}
        lead={t("Phones and browsers on which programs tell somebody something, and what can be pushed there by its name.")}
        actions={<ButtonLink to={urls.programs()}>{t("Programs")}</ButtonLink>}
      />
      <RefusalNotice />
      {tried && <Outcome tried={tried} />}
      <PushCounts counts={counts} ways={ways} pushKey={pushKey} />
      <PushTemplates templates={templates} chosen={chosen} />
    </>
  );
}

function Outcome({ tried: { status, errorMessage } }: { tried: NonNullable<Route.ComponentProps["loaderData"]["tried"]> }) {
  const t = useWords();
  const words = {
    scheduled: t("It is on its way. Load this page again to see what became of it."),
    published: t("It has arrived."),
    failed: t("It has not arrived."),
    cancelled: t("It has not arrived."),
  };
  // Nothing was sent: no device is registered under this id.
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
