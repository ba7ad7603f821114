import { data, redirect } from "react-router";
import {
  answerEvent,
  CheckIn,
  checkInAttendee,
  EventAnswer,
  StopHosting,
  stopHosting,
} from "#community/calendar";
import { markEventSeen } from "#community/notifications";
import { isSignedIn } from "#community/rules";
import { parseForm, readQueryParam } from "../form-parsing.ts";
import { useGroupTexts } from "../groups/group-texts.ts";
import { structuredDataTag } from "../head-tags.ts";
import { ButtonLink, Notice, PageHeader, pageMeta, Prose, RefusalNotice, useRootData } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { addCacheTags, defineAction, defineLoader } from "../request-context.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/event-page";
import { AnswerPanel } from "./answer-panel.tsx";
import { Attendees } from "./attendees.tsx";
import { type EventPageData, loadEventPage } from "./event-data.ts";
import { EventFacts } from "./event-facts.tsx";
import { EventHosts } from "./event-hosts.tsx";
import { eventStructuredData } from "./event-structured-data.ts";
import { SeriesDates } from "./series-dates.tsx";
import { useLiveEvent } from "./use-live-event.ts";

export const loader = defineLoader(async ({ ctx, app, viewer, db, url, params }) => {
  const page = await loadEventPage(db, viewer, params["eventId"] ?? "", url, ctx.now);
  const { id, seriesId, group, description } = page.event;
  if (page.event.isNotified)
    await app.database.inTransaction((tx) => markEventSeen(tx, viewer, { eventId: id }));
  addCacheTags(
    ctx,
    `event:${id}`,
    ...(seriesId ? [`series:${seriesId}`] : []),
    `group:${group.id}`,
    ...(description ? [`discussion:${description.discussionId}`] : []),
  );
  if (page.isPublic && !isSignedIn(viewer))
    ctx.head = structuredDataTag(eventStructuredData(page, app.origin()));
  return page;
});

export const action = defineAction(async ({ app, viewer, form, url, params }) => {
  if (form.get("intent") === "check-in") {
    const checkIn = parseForm(CheckIn, form);
    await app.database.inTransaction((tx) => checkInAttendee(tx, viewer, checkIn));
    const who = readQueryParam(url, "who");
    return redirect(urls.event(params["eventId"]!, who ? { who } : {}));
  }
  if (form.get("intent") === "stop-hosting") {
    const input = parseForm(StopHosting, form);
    await app.database.inTransaction((tx) => stopHosting(tx, viewer, input));
    return redirect(urls.event(params["eventId"]!));
  }
  const answer = parseForm(EventAnswer, form);
  await app.database.inTransaction((tx) => answerEvent(tx, viewer, answer));
  return form.has("fetched") ? data(null) : redirect(urls.event(params["eventId"]!));
});

export const meta = pageMeta<EventPageData>(({ event, excerpt, isPublic }) => ({
  title: event.title,
  description: excerpt || undefined,
  ...(isPublic ? { canonical: urls.event(event.id), article: true } : { hidden: true }),
}));

export default function EventPage({ loaderData: page }: Route.ComponentProps) {
  const t = useTranslate();
  const { audience } = useGroupTexts();
  const { event, can, text } = page;
  const { me } = useRootData();
  useLiveEvent({ eventId: event.id, seriesId: event.seriesId });
  return (
    <article>
      <PageHeader
        title={<bdi>{event.title}</bdi>}
        lead={
          <Link to={urls.groupEvents(event.group.slug)} dir="auto">
            {event.group.name}
          </Link>
        }
        actions={
          can.change && (
            <ButtonLink to={urls.editEvent(event.id)}>
              <i className="icon icon-pencil size-4" />
              {t("Edit event")}
            </ButtonLink>
          )
        }
      />
      <RefusalNotice except={["answer"]} />
      <div className="mb-4 empty:hidden">
        <EventNotice page={page} />
      </div>
      <EventFacts event={event} series={page.series} clockChange={page.clockChange} />
      {!event.cancelledAt && (
        <p className="mt-3 print:hidden">
          <a href={urls.eventCalendar(event.id)}>{t("Add to calendar")}</a>
        </p>
      )}
      <div className="my-5 empty:hidden">
        <AnswerPanel key={event.occurrenceId} page={page} />
      </div>
      {text?.html && (
        <section aria-labelledby="description" className="mb-6">
          <h2 id="description" className="mb-2 text-large font-semibold">
            {t("Description")}
          </h2>
          <Prose html={text.html} className="text-read" />
        </section>
      )}
      {event.importedText && (
        <section aria-labelledby="description" className="mb-6">
          <h2 id="description" className="mb-2 text-large font-semibold">
            {t("Description")}
          </h2>
          <p dir="auto" className="text-read break-words whitespace-pre-wrap">
            {event.importedText}
          </p>
        </section>
      )}
      {event.description && (
        <p className="mb-6">
          <Link to={urls.discussion(event.description.discussionId)}>
            {t("Discussion")} ·{" "}
            {t("{count, plural, one {# reply} other {# replies}}", { count: event.description.replies })}
          </Link>
        </p>
      )}
      <SeriesDates page={page} />
      {page.who && <Attendees page={page} who={page.who} />}
      <EventHosts page={page} />
      {event.calendar !== null && (
        <p className="mt-2 text-small text-quiet">
          <i className="icon icon-calendar-days size-4" />{" "}
          <Rich
            text="From the subscribed calendar <0></0>. Changes there replace changes here."
            parts={{ 0: <bdi key="calendar">{event.calendar && `“${event.calendar}”`}</bdi> }}
          />
        </p>
      )}
      <p className="hint mt-2">{audience(event.group, event.audience)}</p>
      {event.description && event.hostId !== me?.id && (
        <p className="mt-2 text-small print:hidden">
          <Link to={urls.reportPost(event.description.postId)} rel="nofollow" className="text-quiet">
            {t("Report…")}
          </Link>
        </p>
      )}
    </article>
  );
}

/** Says that the event is cancelled or postponed, with the reason; otherwise that it is over or has begun. */
function EventNotice({ page: { event, isOver, hasBegun } }: { page: EventPageData }) {
  const t = useTranslate();
  if (event.cancelledAt)
    return (
      <Notice tone="pending">
        <p className="font-semibold">{t("This event was cancelled.")}</p>
        {event.cancelledReason && <p dir="auto">{event.cancelledReason}</p>}
      </Notice>
    );
  if (event.postponedAt)
    return (
      <Notice tone="pending">
        <p className="font-semibold">{t("This event is postponed. Its new date is not known yet.")}</p>
        <p dir="auto">{event.postponedReason}</p>
      </Notice>
    );
  if (isOver) return <Notice>{t("This event is over.")}</Notice>;
  return hasBegun ? <Notice tone="good">{t("This event is on right now.")}</Notice> : null;
}
