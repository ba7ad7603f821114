import { Form, redirect } from "react-router";
import { type FlowLine, listFlows, makeFlow } from "#backend/flows";
import { clean, verbIn } from "../forms.ts";
import type { House } from "../house.ts";
import { ButtonLink, Empty, FormFaults, PageHead, pageMeta, SubmitButton, Tag, TextArea, TextField, Time } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { Rich, useWords } from "../words/index.ts";
import type { Route } from "./+types/flows";
import { jsonIn } from "./flow-fields.ts";
import { besideAll } from "./flow-verbs.ts";
import { useRunWords } from "./flow-words.ts";
import { assertAdmin, noted } from "./only-admins.ts";

export const handle = { asides: "none" };

export const loader = reading(async ({ house, viewer }) => {
  assertAdmin(viewer);
  return { flows: await listFlows(house.flows) };
});

/** Commands of this page, by the form's `intent`. */
const VERBS: Record<string, (house: House, form: FormData) => Promise<string>> = {
  async make(house, form) {
    const definition = await besideAll(house, jsonIn(form, "definition"));
    return makeFlow(house.flows, { name: clean(String(form.get("name") ?? "")), definition });
  },
};

export const action = acting(async ({ house, viewer, form }) => {
  assertAdmin(viewer);
  const verb = verbIn(VERBS, form);
  const id = await verb(house, form);
  await noted(house, viewer, "flow.make", id);
  return redirect(urls.flow(id));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Automations"), hidden: true }));

export default function FlowsPage({ loaderData: { flows } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={t("Automations")}
        lead={t("What is done by itself, when something happens, at a moment, or when a program asks for it.")}
        actions={
          <>
            <ButtonLink to={urls.programs()}>{t("Programs")}</ButtonLink>
            <ButtonLink to={urls.logs()}>{t("Logs")}</ButtonLink>
          </>
        }
      />
      {flows.length === 0 && (
        <Empty title={t("There are no automations yet.")}>
          {t("A mail for each new order, a record that is put in order each night, a word on a channel when a table changes.")}
        </Empty>
      )}
      <ul className="border-t border-line empty:hidden">
        {flows.map((flow) => (
          <Line key={flow.id} flow={flow} />
        ))}
      </ul>
      <section aria-labelledby="make" className="mt-8">
        <h2 id="make" className="mb-3 font-serif text-large font-semibold">
          {t("A new automation")}
        </h2>
        <Form method="post" className="grid max-w-xl gap-4">
          <FormFaults />
          <input type="hidden" name="intent" value="make" />
          <TextField name="name" label={t("Name")} required maxLength={100} dir="auto" />
          <TextArea
            name="definition"
            label={t("Definition (optional)")}
            hint={t("JSON that was copied from another automation. Left empty, there is nothing in it yet.")}
            rows={3}
            dir="ltr"
            spellCheck={false}
          />
          <div>
            <SubmitButton busy={t("Saving…")}>{t("Make the automation")}</SubmitButton>
          </div>
        </Form>
      </section>
    </>
  );
}

function Line({ flow: { id, name, enabled, lastRunAt, lastState, failed, unended } }: { flow: FlowLine }) {
  const t = useWords();
  const states = useRunWords();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0">
        <p className="font-semibold break-words" dir="auto">
          <Link to={urls.flow(id)}>{name}</Link> <Tag>{enabled ? t("on") : t("off")}</Tag>
        </p>
        <p className="text-small text-quiet">
          {lastRunAt ? (
            <>
              <Rich text="Last run <0></0>" parts={[<Time at={lastRunAt} />]} /> · {states[lastState ?? ""]?.words}
            </>
          ) : (
            t("It has not run yet.")
          )}
          {unended > 0 && <> · {t("{count, plural, one {# has not ended} other {# have not ended}}", { count: unended })}</>}
          {failed > 0 && (
            <>
              {" · "}
              <span className="text-red">{t("{count, plural, one {# has failed} other {# have failed}}", { count: failed })}</span>
            </>
          )}
        </p>
      </div>
      <ButtonLink to={urls.flowRuns(id)} aria-label={t("Runs of {name}", { name })}>
        {t("Runs")}
      </ButtonLink>
    </li>
  );
}
