import { data, Form, redirect } from "react-router";
import {
  createEventOrAwaitApproval,
  EventDates,
  NewEvent,
  NO_RECURRENCE,
  previewSeries,
} from "#community/calendar";
import { draftTargets } from "#community/discussions";
import { LIMITS } from "#community/rules";
import { uuidv7 } from "#platform/ids";
import { requireMember } from "../../auth-middleware.ts";
import { PreviewButton, TextPreview } from "../../composer/text-preview.tsx";
import { previewPost } from "../../composer/preview-data.ts";
import { parseForm } from "../../form-parsing.ts";
import { useGroupTexts } from "../../groups/group-texts.ts";
import { FormErrors, PageHeader, pageMeta, SelectField, SubmitButton, TextArea } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { readTypedValues } from "../../typed-values.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/new-event-page";
import { AnswerSettings, PlaceFields, TimeFields, TitleField } from "./event-fields.tsx";
import { loadEventGroups } from "./event-groups.ts";
import { HostsField } from "./hosts-field.tsx";
import { NoEventGroups } from "./no-event-groups.tsx";
import { RecurrenceFields, ShowDatesButton } from "./recurrence-fields.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, db, viewer, url }) => {
  return {
    ...(await loadEventGroups(db, viewer, url)),
    timeZone: ctx.timeZone,
    timeZones: Intl.supportedValuesOf("timeZone"),
    noRecurrence: NO_RECURRENCE,
    clientId: uuidv7(),
  };
});

export const action = defineAction(async ({ ctx, app, db, viewer, form }) => {
  const preview = await previewPost(db, viewer, draftTargets.group(String(form.get("groupId"))), form);
  if (preview) return data(preview);
  if (form.has("show"))
    return data({ dates: previewSeries(parseForm(EventDates, form), ctx.now), typed: readTypedValues(form) });
  const input = parseForm(NewEvent, form);
  const it = await app.database.inTransaction((tx) => createEventOrAwaitApproval(tx, viewer, input));
  return redirect("waits" in it ? `${urls.drafts()}#waiting` : urls.event(it.id));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("New event"),
  hidden: true,
}));

export default function NewEventPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("New event")} />
      {loaderData.groups.length > 0 ? <NewEventForm {...loaderData} /> : <NoEventGroups />}
    </>
  );
}

function NewEventForm({
  groups,
  chosen,
  timeZone,
  timeZones,
  noRecurrence,
  clientId,
}: Route.ComponentProps["loaderData"]) {
  const t = useTranslate();
  const { audience } = useGroupTexts();
  return (
    <Form method="post" className="grid grid-cols-1 gap-5">
      <FormErrors />
      <input type="hidden" name="clientId" value={clientId} />
      <SelectField name="groupId" label={t("Group")} defaultValue={chosen}>
        {groups.map((group) => (
          <option key={group.id} value={group.id}>
            {group.name} · {audience(group)}
          </option>
        ))}
      </SelectField>
      <TitleField />
      <TimeFields values={{ timeZone }} timeZones={timeZones} />
      <RecurrenceFields values={noRecurrence} />
      <PlaceFields values={{ timeZone }} />
      <TextArea
        name="body"
        markdown
        label={t("Description")}
        hint={t("What you will do, and what to bring. This text starts the event's discussion.")}
        required
        most={LIMITS.post}
        rows={6}
        dir="auto"
      />
      <HostsField groupId={null} />
      <AnswerSettings values={{ timeZone }} />
      <div className="flex flex-row-reverse flex-wrap items-center justify-end gap-2">
        <SubmitButton busy={t("Creating…")}>{t("Create event")}</SubmitButton>
        <PreviewButton />
        <ShowDatesButton />
      </div>
      <TextPreview />
    </Form>
  );
}
