import { data, Form, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import {
  cancelEvent,
  editEvent,
  EventCancellation,
  EventChange,
  EventDates,
  getEvent,
  getEventSeries,
  NO_RECURRENCE,
  postponeEvent,
  previewSeries,
  toFormTimes,
  toRecurrenceFields,
} from "#community/calendar";
import { calendarRules, LIMITS } from "#community/rules";
import { Refusal } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { parseForm } from "../../form-parsing.ts";
import {
  ButtonLink,
  FormErrors,
  Notice,
  PageHeader,
  pageMeta,
  SubmitButton,
  TextField,
} from "../../ui/index.ts";
import { readTypedValues } from "../../typed-values.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/edit-event-page";
import { AnswerSettings, PlaceFields, TimeFields, TitleField } from "./event-fields.tsx";
import { HostsField } from "./hosts-field.tsx";
import { RecurrenceFields, ShowDatesButton } from "./recurrence-fields.tsx";
import { ScopeField } from "./scope-field.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, db, viewer, params }) => {
  const event = await getEvent(db, viewer, params["eventId"] ?? "");
  if (!calendarRules.change(viewer, event, ctx.now))
    throw new Refusal("not-allowed", "You cannot edit this event.");
  const { series } = await getEventSeries(db, event);
  return {
    event,
    noRecurrence: NO_RECURRENCE,
    recurrence: series && toRecurrenceFields(series, series.lastDay),
    values: { ...event, ...toFormTimes(event), companions: event.companionsAllowed },
    seesOnlineUrl: calendarRules.seeOnlineLink(viewer, event, event.answer),
    timeZones: Intl.supportedValuesOf("timeZone"),
  };
});

export const action = defineAction(async ({ ctx, app, viewer, form, params }) => {
  const eventId = params["eventId"] ?? "";
  form.set("eventId", eventId);
  const intent = form.get("intent");
  if (form.has("show"))
    return data({ dates: previewSeries(parseForm(EventDates, form), ctx.now), typed: readTypedValues(form) });
  if (intent === "cancel" || intent === "postpone") {
    const command = intent === "cancel" ? cancelEvent : postponeEvent;
    form.set("scope", form.get("cancelScope") ?? "this");
    const cancellation = parseForm(EventCancellation, form);
    await app.database.inTransaction((tx) => command(tx, viewer, cancellation));
  } else {
    const change = parseForm(EventChange, form);
    await app.database.inTransaction((tx) => editEvent(tx, viewer, change));
  }
  return redirect(urls.event(eventId));
});

/** After a conflict the page loads the other person's changes. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate;

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ event }, t) => ({
  title: t("Edit “{title}”", { title: event.title }),
  hidden: true,
}));

export default function EditEventPage({ loaderData: page }: Route.ComponentProps) {
  const t = useTranslate();
  const { event, values, recurrence, timeZones, seesOnlineUrl } = page;
  const { description } = event;
  return (
    <>
      <PageHeader
        title={t("Edit event")}
        lead={
          <Link to={urls.event(event.id)} dir="auto">
            {event.title}
          </Link>
        }
      />
      <div className="mb-5 empty:hidden">
        <FormErrors />
      </div>
      {event.postponedAt && (
        <div className="mb-5">
          <Notice tone="pending">{t("This event is postponed. Set a new time to schedule it again.")}</Notice>
        </div>
      )}
      <Form key={event.id} method="post" className="grid grid-cols-1 gap-5">
        <input type="hidden" name="changes" value={event.changes} />
        {recurrence && (
          <ScopeField name="scope" hint={t("To change how the event repeats, choose several dates.")} />
        )}
        <TitleField title={values.title} />
        <TimeFields values={values} timeZones={timeZones} />
        <RecurrenceFields values={recurrence ?? page.noRecurrence} isSeries={recurrence !== null} />
        <PlaceFields values={values} seesOnlineUrl={seesOnlineUrl} />
        <HostsField groupId={event.group.id} hosts={event.hosts.map(({ username }) => username)} />
        <AnswerSettings values={values} going={event.going} />
        {description && (
          <p>
            <Link to={urls.post(description.postId, { do: "edit" })}>{t("Edit the description")}</Link>
          </p>
        )}
        <p className="flex flex-wrap gap-2">
          <SubmitButton name="intent" value="edit" busy={t("Saving…")}>
            {t("Save")}
          </SubmitButton>
          <ButtonLink to={urls.event(event.id)}>{t("Cancel")}</ButtonLink>
          <ShowDatesButton />
        </p>
      </Form>
      <CallOffEvent isPostponed={event.postponedAt !== null} isSeries={recurrence !== null} />
    </>
  );
}

/** Postpones or cancels the event; everyone can read the reason. */
function CallOffEvent({ isPostponed, isSeries }: { isPostponed: boolean; isSeries: boolean }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="cancel" className="mt-10 border-t border-line pt-5">
      <h2 id="cancel" className="text-large font-semibold">
        {isPostponed ? t("Cancel event") : t("Postpone or cancel event")}
      </h2>
      <Form method="post" className="mt-3 grid gap-4">
        <TextField
          name="reason"
          label={t("Reason")}
          hint={t(
            "Everyone who can see the event can read the reason. A cancelled event cannot be restored.",
          )}
          required
          maxLength={LIMITS.reason}
          dir="auto"
          autoComplete="off"
        />
        {isSeries && <ScopeField name="cancelScope" hint={t("Only a single date can be postponed.")} />}
        <p className="flex flex-wrap gap-2">
          {!isPostponed && (
            <SubmitButton kind="plain" name="intent" value="postpone" busy={t("Postponing…")}>
              {t("Postpone event")}
            </SubmitButton>
          )}
          <SubmitButton
            kind="danger"
            name="intent"
            value="cancel"
            busy={t("Cancelling…", undefined, "calendar")}
          >
            {t("Cancel event")}
          </SubmitButton>
        </p>
      </Form>
    </section>
  );
}
