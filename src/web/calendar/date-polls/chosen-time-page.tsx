import { data, Form, redirect } from "react-router";
import { ChosenTime, createEventFromPoll, getDatePoll } from "#community/calendar";
import { draftTargets } from "#community/discussions";
import { datePollRules, LIMITS } from "#community/rules";
import { uuidv7 } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { requireMember } from "../../auth-middleware.ts";
import { previewPost } from "../../composer/preview-data.ts";
import { PreviewButton, TextPreview } from "../../composer/text-preview.tsx";
import { parseForm, readQueryParam } from "../../form-parsing.ts";
import { ButtonLink, FormErrors, PageHeader, pageMeta, SubmitButton, TextArea } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import { AnswerSettings, PlaceFields, TitleField } from "../editing/event-fields.tsx";
import { useEventTimes } from "../event-times.ts";
import type { Route } from "./+types/chosen-time-page";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, db, viewer, url, params }) => {
  const poll = await getDatePoll(db, viewer, params["pollId"] ?? "");
  if (!datePollRules.manage(viewer, poll))
    throw new Refusal("not-allowed", "Only the host and the group's moderators can change this poll.");
  if (poll.eventId) throw redirect(urls.event(poll.eventId));
  const time = poll.times.find(({ id }) => id === readQueryParam(url, "time"));
  if (!time || time.endsAt <= ctx.now || poll.isDecided) throw notFound();
  return { poll, time, clientId: uuidv7() };
});

export const action = defineAction(async ({ app, db, viewer, form, url, params }) => {
  const poll = await getDatePoll(db, viewer, params["pollId"] ?? "");
  const preview = await previewPost(db, viewer, draftTargets.group(poll.group.id), form);
  if (preview) return data(preview);
  form.set("timeId", readQueryParam(url, "time"));
  const input = parseForm(ChosenTime, form);
  const it = await app.database.inTransaction((tx) => createEventFromPoll(tx, viewer, input));
  return redirect("waits" in it ? `${urls.drafts()}#waiting` : urls.event(it.id));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("New event"),
  hidden: true,
}));

/** Form to create an event at one of the times of a date poll. */
export default function ChosenTimePage({ loaderData: { poll, time, clientId } }: Route.ComponentProps) {
  const t = useTranslate();
  const { when, whenThere } = useEventTimes();
  const span = { ...time, allDay: poll.allDay, timeZone: poll.timeZone };
  const there = whenThere(span);
  return (
    <>
      <PageHeader
        title={t("New event")}
        lead={
          <Link to={urls.datePoll(poll.id)} dir="auto">
            {poll.title}
          </Link>
        }
      />
      <p className="mb-5">
        <time
          dateTime={time.startsAt.toISOString()}
          className="font-semibold figures"
          suppressHydrationWarning
        >
          {when(span)}
        </time>
        {there && (
          <span className="block text-small text-quiet" suppressHydrationWarning>
            {t("Local time of the event: {when}", { when: there })}
          </span>
        )}
        <span className="hint block">
          {t(
            "{count, plural, =0 {Nobody said yes yet.} one {# person said yes and will be going.} " +
              "other {# people said yes and will be going.}}",
            { count: time.yes },
          )}
          {time.ifNeedBe > 0 &&
            ` ${t(
              "{count, plural, one {# answer “if need be” becomes “maybe”.} " +
                "other {# answers “if need be” become “maybe”.}}",
              {
                count: time.ifNeedBe,
              },
            )}`}
        </span>
      </p>
      <Form method="post" className="grid grid-cols-1 gap-5">
        <FormErrors />
        <input type="hidden" name="clientId" value={clientId} />
        <TitleField title={poll.title} />
        <PlaceFields values={{ timeZone: poll.timeZone }} />
        <TextArea
          name="body"
          label={t("Description")}
          hint={t("What you will do, and what to bring. This text starts the event's discussion.")}
          required
          most={LIMITS.post}
          rows={6}
          dir="auto"
        />
        <AnswerSettings values={{ timeZone: poll.timeZone }} />
        <div className="flex flex-row-reverse flex-wrap items-center justify-end gap-2">
          <SubmitButton busy={t("Creating…")}>{t("Create event")}</SubmitButton>
          <PreviewButton />
          <ButtonLink to={urls.datePoll(poll.id)}>{t("Cancel")}</ButtonLink>
        </div>
        <TextPreview />
      </Form>
    </>
  );
}
