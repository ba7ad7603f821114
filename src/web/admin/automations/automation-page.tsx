import { redirect } from "react-router";
import {
  TABLE_EVENTS,
  type Automation,
  getAutomation,
  findItem,
  countItems,
  listTriggers,
} from "#baas/automations";
import { isSignedIn } from "#community/rules";
import { notFound } from "#platform/refusal";
import { readQueryParam, chooseAction } from "../../form-parsing.ts";
import { ActionForm } from "../../people/action-form.tsx";
import { ButtonLink, Notice, PageHeader, pageMeta, RefusalNotice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/automation-page";
import { itemKinds } from "./automation-form-fields.ts";
import { AutomationItemList } from "./automation-item-list.tsx";
import {
  AutomationJson,
  AutomationSettings,
  StartAutomationForm,
  PageSection,
  RemoveAutomation,
} from "./automation-sections.tsx";
import { definitionView } from "./automation-summary.ts";
import { AUTOMATION_COMMANDS } from "./automation-commands.ts";
import { assertAdmin, auditAdminAction } from "../admin-access.ts";

export const loader = defineLoader(async ({ app, viewer, params, url }) => {
  assertAdmin(viewer);
  const flow = await getAutomation(app.flows, { id: params["flowId"] ?? "" });
  const { definition, ...rest } = flow;
  const { about, who, roles, rights } = definition;
  return {
    flow: { ...rest, about, who, roles, rights },
    ...definitionView(definition, await listTriggers(app.flows, flow.id)),
    triggerNames: definition.triggers.map(({ name }) => name),
    json: JSON.stringify(definition, null, 2),
    open: findOpenItem(flow, url),
    events: TABLE_EVENTS,
    entities: Object.keys(app.flows.entities.events).filter(
      (name) => app.flows.entities.events[name]!.length > 0,
    ),
    saved: url.searchParams.has("saved"),
  };
});
export type AutomationData = Awaited<ReturnType<typeof loader>>;

type OpenItem = { list: string | null; place: string | null; kind: string; item: Record<string, unknown> };

/**
 * Finds the trigger or step that is being edited. Its form is then the only one on the page, so that no
 * other unsaved input is lost.
 */
function findOpenItem({ definition }: Automation, url: URL): OpenItem | null {
  const [place, list, kind] = [
    readQueryParam(url, "at"),
    readQueryParam(url, "add"),
    readQueryParam(url, "kind", 20),
  ];
  if (place !== "") {
    const item = findItem(definition, place);
    return { list: null, place, kind: item.kind, item };
  }
  if (list === "") return null;
  if (!itemKinds(list).includes(kind)) throw notFound();
  // Throws if the list does not exist.
  countItems(definition, list);
  return { list, place: null, kind, item: {} };
}

export const action = defineAction(async ({ app, viewer, form, params }) => {
  assertAdmin(viewer);
  if (!isSignedIn(viewer)) throw notFound();
  const flow = await getAutomation(app.flows, { id: params["flowId"] ?? "" });
  const verb = chooseAction(AUTOMATION_COMMANDS, form);
  const next = await verb({ app, viewer, flow, form });
  await auditAdminAction(app, viewer, `flow.${String(form.get("intent"))}`, flow.id);
  return redirect(next ?? urls.flow(flow.id, { saved: "1" }));
});

export const meta = pageMeta<AutomationData>((data, t) => ({
  title: data?.flow.name ?? t("Automations"),
  hidden: true,
}));

/** Intents whose forms show their own errors. */
const INTENTS_WITH_OWN_ERRORS = ["add", "change", "settings", "json"];

export default function AutomationPage({ loaderData: data }: Route.ComponentProps) {
  const t = useTranslate();
  const { flow, open } = data;
  return (
    <>
      <PageHeader
        title={<span dir="auto">{flow.name}</span>}
        lead={<span dir="auto">{flow.about}</span>}
        actions={<AutomationLinks flow={flow} />}
      />
      <RefusalNotice except={open ? INTENTS_WITH_OWN_ERRORS : ["settings", "json"]} />
      {data.saved && <Notice tone="good">{t("Saved.")}</Notice>}
      {!flow.enabled && <Notice>{t("This automation is off.")}</Notice>}
      <PageSection id="triggers" title={t("Triggers")}>
        <AutomationItemList data={data} list="triggers" items={data.triggers} empty={t("No triggers yet.")} />
      </PageSection>
      <PageSection id="steps" title={t("Actions")}>
        <AutomationItemList data={data} list="steps" items={data.steps} empty={t("No actions yet.")} />
      </PageSection>
      {open === null && (
        <>
          <StartAutomationForm data={data} />
          <AutomationSettings data={data} />
          <AutomationJson data={data} />
          <RemoveAutomation />
        </>
      )}
    </>
  );
}

function AutomationLinks({ flow }: Pick<AutomationData, "flow">) {
  const t = useTranslate();
  return (
    <>
      <ButtonLink to={urls.flows()}>{t("All automations")}</ButtonLink>
      <ButtonLink to={urls.flowRuns(flow.id)}>{t("Runs")}</ButtonLink>
      <ActionForm
        intent={flow.enabled ? "off" : "on"}
        fields={{}}
        kind={flow.enabled ? "plain" : "primary"}
        busy="…"
      >
        {flow.enabled ? t("Switch off") : t("Switch on")}
      </ActionForm>
    </>
  );
}
