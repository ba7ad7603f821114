import { Form, redirect } from "react-router";
import { type AutomationRow, listAutomations, createAutomation } from "#baas/automations";
import { cleanText, chooseAction } from "../../form-parsing.ts";
import type { WebContext } from "../../web-context.ts";
import {
  ButtonLink,
  EmptyState,
  FormErrors,
  PageHeader,
  pageMeta,
  SubmitButton,
  Tag,
  TextArea,
  TextField,
  Time,
} from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/automations-page";
import { parseJsonField } from "./parse-automation-form.ts";
import { compileWithErrorPaths } from "./automation-commands.ts";
import { useRunStateLabels } from "./automation-labels.ts";
import { assertAdmin, auditAdminAction } from "../admin-access.ts";

export const loader = defineLoader(async ({ app, viewer }) => {
  assertAdmin(viewer);
  return { flows: await listAutomations(app.flows) };
});

/** Commands of this page, by the form's `intent`. */
const AUTOMATIONS_COMMANDS: Record<
  string,
  (app: Pick<WebContext, "flows">, form: FormData) => Promise<string>
> = {
  async make(app, form) {
    const definition = await compileWithErrorPaths(app, parseJsonField(form, "definition"));
    return createAutomation(app.flows, { name: cleanText(String(form.get("name") ?? "")), definition });
  },
};

export const action = defineAction(async ({ app, viewer, form }) => {
  assertAdmin(viewer);
  const verb = chooseAction(AUTOMATIONS_COMMANDS, form);
  const id = await verb(app, form);
  await auditAdminAction(app, viewer, "flow.make", id);
  return redirect(urls.flow(id));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Automations"),
  hidden: true,
}));

export default function AutomationsPage({ loaderData: { flows } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Automations")}
        lead={t("Actions that run automatically: on an event, on a schedule or when an API client asks.")}
      />
      {flows.length === 0 && (
        <EmptyState title={t("No automations yet.")}>
          {t(
            "For example an email for each new order, a nightly clean-up, or a channel message when a table changes.",
          )}
        </EmptyState>
      )}
      <ul className="border-t border-line empty:hidden">
        {flows.map((flow) => (
          <AutomationListItem key={flow.id} flow={flow} />
        ))}
      </ul>
      <section aria-labelledby="make" className="mt-8">
        <h2 id="make" className="mb-3 font-serif text-large font-semibold">
          {t("New automation")}
        </h2>
        <Form method="post" className="grid max-w-xl gap-4">
          <FormErrors />
          <input type="hidden" name="intent" value="make" />
          <TextField name="name" label={t("Name")} required maxLength={100} dir="auto" />
          <TextArea
            name="definition"
            label={t("Definition (optional)")}
            hint={t("JSON copied from another automation. If empty, the automation starts without steps.")}
            rows={3}
            dir="ltr"
            spellCheck={false}
          />
          <div>
            <SubmitButton busy={t("Saving…")}>{t("Create automation")}</SubmitButton>
          </div>
        </Form>
      </section>
    </>
  );
}

function AutomationListItem({
  flow: { id, name, enabled, lastRunAt, lastState, failed, unended },
}: {
  flow: AutomationRow;
}) {
  const t = useTranslate();
  const states = useRunStateLabels();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0">
        <p className="font-semibold break-words" dir="auto">
          <Link to={urls.flow(id)}>{name}</Link> <Tag>{enabled ? t("on") : t("off")}</Tag>
        </p>
        <p className="text-small text-quiet">
          {lastRunAt ? (
            <>
              <Rich text="Last run <0></0>" parts={{ 0: <Time at={lastRunAt} /> }} /> ·{" "}
              {states[lastState ?? ""]?.words}
            </>
          ) : (
            t("No runs yet.")
          )}
          {unended > 0 && (
            <> · {t("{count, plural, one {# in progress} other {# in progress}}", { count: unended })}</>
          )}
          {failed > 0 && (
            <>
              {" · "}
              <span className="text-red">
                {t("{count, plural, one {# has failed} other {# have failed}}", { count: failed })}
              </span>
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
