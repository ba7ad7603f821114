import { data, Form, redirect } from "react-router";
import { createDatePoll, DATE_POLL_LENGTHS, NewDatePoll } from "#community/calendar";
import { uuidv7 } from "#platform/ids";
import { requireMember } from "../../auth-middleware.ts";
import { parseForm } from "../../form-parsing.ts";
import { useGroupTexts } from "../../groups/group-texts.ts";
import { FormErrors, PageHeader, pageMeta, SelectField, SubmitButton, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { readTypedValues } from "../../typed-values.ts";
import { useTranslate } from "../../i18n/index.ts";
import { TitleField } from "../editing/event-fields.tsx";
import { loadEventGroups } from "../editing/event-groups.ts";
import { NoEventGroups } from "../editing/no-event-groups.tsx";
import type { Route } from "./+types/new-date-poll-page";
import { PollTimesFields } from "./poll-times-fields.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, db, viewer, url }) => {
  return {
    ...(await loadEventGroups(db, viewer, url)),
    lengths: DATE_POLL_LENGTHS,
    timeZone: ctx.timeZone,
    timeZones: Intl.supportedValuesOf("timeZone"),
    clientId: uuidv7(),
  };
});

export const action = defineAction(async ({ app, viewer, form }) => {
  if (form.has("show")) return data({ typed: readTypedValues(form), adds: true as const });
  const input = parseForm(NewDatePoll, form);
  const { id } = await app.database.inTransaction((tx) => createDatePoll(tx, viewer, input));
  return redirect(urls.datePoll(id));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Find a date"),
  hidden: true,
}));

export default function NewDatePollPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Find a date")}
        lead={t(
          "Offer several dates and times. Members say which ones suit them, and you turn one into " +
            "an event.",
        )}
      />
      {loaderData.groups.length > 0 ? <NewDatePollForm {...loaderData} /> : <NoEventGroups />}
    </>
  );
}

function NewDatePollForm({ groups, chosen, clientId, ...page }: Route.ComponentProps["loaderData"]) {
  const t = useTranslate();
  const { audience } = useGroupTexts();
  return (
    <Form method="post" className="grid grid-cols-1 gap-5">
      <FormErrors />
      <input type="hidden" name="clientId" value={clientId} />
      <SelectField
        name="groupId"
        label={t("Group")}
        hint={t("Members of the group see the times and each other's answers.")}
        defaultValue={chosen}
      >
        {groups.map((group) => (
          <option key={group.id} value={group.id}>
            {group.name} · {audience(group, "members")}
          </option>
        ))}
      </SelectField>
      <TitleField />
      <PollTimesFields {...page} />
      <TextField
        name="closesAt"
        type="datetime-local"
        label={t("Answers until (optional)")}
        hint={t("Without a time, people can answer until you choose a date.")}
      />
      <p>
        <SubmitButton busy={t("Creating…")}>{t("Create poll")}</SubmitButton>
      </p>
    </Form>
  );
}
