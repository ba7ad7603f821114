import { redirect } from "react-router";
import { EVENTS, type Flow, flowBy, itemAt, sizeOf, triggersOf } from "#backend/flows";
import { isSignedIn } from "#community/rules";
import { notFound } from "#platform/refusal";
import { asked, verbIn } from "../forms.ts";
import { Act } from "../people/act.tsx";
import { ButtonLink, Notice, PageHead, pageMeta, RefusalNotice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/flow";
import { kindsOf } from "./flow-forms.ts";
import { FlowList } from "./flow-lists.tsx";
import { FlowJson, FlowSettings, FlowTrial, Part, RemoveFlow } from "./flow-parts.tsx";
import { shownOf } from "./flow-shown.ts";
import { FLOW_VERBS } from "./flow-verbs.ts";
import { assertAdmin, noted } from "./only-admins.ts";

export const handle = { asides: "none" };

export const loader = reading(async ({ house, viewer, params, url }) => {
  assertAdmin(viewer);
  const flow = await flowBy(house.flows, { id: params["flowId"] ?? "" });
  const { definition, ...rest } = flow;
  const { about, who, roles, rights } = definition;
  return {
    flow: { ...rest, about, who, roles, rights },
    ...shownOf(definition, await triggersOf(house.flows, flow.id)),
    triggerNames: definition.triggers.map(({ name }) => name),
    json: JSON.stringify(definition, null, 2),
    open: openIn(flow, url),
    events: EVENTS,
    nouns: Object.keys(house.flows.nouns.events).filter((name) => house.flows.nouns.events[name]!.length > 0),
    saved: url.searchParams.has("saved"),
  };
});
export type FlowData = Awaited<ReturnType<typeof loader>>;

type Open = { list: string | null; place: string | null; kind: string; item: Record<string, unknown> };

/**
 * The trigger or step being edited: its form has the page to itself, so that no other unsaved input is lost.
 */
function openIn({ definition }: Flow, url: URL): Open | null {
  const [place, list, kind] = [asked(url, "at"), asked(url, "add"), asked(url, "kind", 20)];
  if (place !== "") {
    const item = itemAt(definition, place);
    return { list: null, place, kind: item.kind, item };
  }
  if (list === "") return null;
  if (!kindsOf(list).includes(kind)) throw notFound();
  // Throws unless the list exists.
  sizeOf(definition, list);
  return { list, place: null, kind, item: {} };
}

export const action = acting(async ({ house, viewer, form, params }) => {
  assertAdmin(viewer);
  if (!isSignedIn(viewer)) throw notFound();
  const flow = await flowBy(house.flows, { id: params["flowId"] ?? "" });
  const verb = verbIn(FLOW_VERBS, form);
  const next = await verb({ house, viewer, flow, form });
  await noted(house, viewer, `flow.${String(form.get("intent"))}`, flow.id);
  return redirect(next ?? urls.flow(flow.id, { saved: "1" }));
});

export const meta = pageMeta<FlowData>((data, t) => ({ title: data?.flow.name ?? t("Automations"), hidden: true }));

/** Intents whose forms show their own errors. */
const OWN_FAULTS = ["add", "change", "settings", "json"];

export default function FlowPage({ loaderData: data }: Route.ComponentProps) {
  const t = useWords();
  const { flow, open } = data;
  return (
    <>
      <PageHead title={<span dir="auto">{flow.name}</span>} lead={<span dir="auto">{flow.about}</span>} actions={<Ways flow={flow} />} />
      <RefusalNotice except={open ? OWN_FAULTS : ["settings", "json"]} />
      {data.saved && <Notice tone="good">{t("Saved.")}</Notice>}
      {!flow.enabled && <Notice>{t("This automation is switched off: nothing starts it.")}</Notice>}
      <Part id="triggers" title={t("What starts it")}>
        <FlowList data={data} list="triggers" items={data.triggers} empty={t("Nothing starts it yet.")} />
      </Part>
      <Part id="steps" title={t("What it does")}>
        <FlowList data={data} list="steps" items={data.steps} empty={t("It does nothing yet.")} />
      </Part>
      {open === null && (
        <>
          <FlowTrial data={data} />
          <FlowSettings data={data} />
          <FlowJson data={data} />
          <RemoveFlow />
        </>
      )}
    </>
  );
}

function Ways({ flow }: Pick<FlowData, "flow">) {
  const t = useWords();
  return (
    <>
      <ButtonLink to={urls.flows()}>{t("All automations")}</ButtonLink>
      <ButtonLink to={urls.flowRuns(flow.id)}>{t("Runs")}</ButtonLink>
      <Act intent={flow.enabled ? "off" : "on"} fields={{}} kind={flow.enabled ? "plain" : "primary"} busy="…">
        {flow.enabled ? t("Switch off") : t("Switch on")}
      </Act>
    </>
  );
}
