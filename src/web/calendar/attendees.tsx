import { Form } from "react-router";
import type { Attendee } from "#community/calendar";
import { NextPageLink, PersonLink, SubmitButton, Tabs } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { EventPageData } from "./event-data.ts";

type Props = {
  page: EventPageData;
  who: NonNullable<EventPageData["who"]>;
};

/** Attendees by answer: going, maybe, waiting list, not going. */
export function Attendees({ page: { event, can }, who }: Props) {
  const t = useTranslate();
  const views = [
    { answer: "going", label: t("{count} going", { count: event.going }), shown: true },
    { answer: "maybe", label: t("{count} maybe", { count: event.maybe }), shown: event.maybe > 0 },
    { answer: "waiting", label: t("{count} waiting", { count: event.waiting }), shown: event.waiting > 0 },
    { answer: "declined", label: t("Declined", undefined, "calendar"), shown: can.seeNotes },
  ] as const;
  return (
    <section aria-labelledby="attendees">
      <h2 id="attendees" className="mb-2 text-large font-semibold">
        {t("Attendees")}
      </h2>
      <div className="mb-3">
        <Tabs
          label={t("Answers")}
          tabs={views
            .filter(({ answer, shown }) => shown || answer === who.answer)
            .map(({ answer, label }) => ({
              to: urls.event(event.id, answer === "going" ? {} : { who: answer }),
              label,
              current: answer === who.answer,
            }))}
        />
      </div>
      {can.seeNotes && (
        <p className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-small print:hidden">
          {can.checkIn && (
            <span role="status" className="figures">
              {t("{count} of {going} checked in", { count: event.checkedIn, going: event.going })}
            </span>
          )}
          <a href={urls.eventAnswers(event.id)} download>
            {t("Download answers (CSV)")}
          </a>
        </p>
      )}
      {who.rows.length === 0 && <p className="text-quiet">{t("Nobody yet.")}</p>}
      <ul className="grid gap-3 phone:grid-cols-2">
        {who.rows.map((person) => (
          <li key={person.id} className="min-w-0">
            <span className="flex min-w-0 items-center gap-2">
              <PersonLink person={person} />
              {person.companions > 0 && (
                <span className="flex-none text-small text-quiet figures">
                  {t("{count, plural, one {and # companion} other {and # companions}}", {
                    count: person.companions,
                  })}
                </span>
              )}
            </span>
            {person.note && (
              <p dir="auto" className="ms-10 text-small break-words text-quiet">
                {person.note}
              </p>
            )}
            {can.checkIn && who.answer !== "declined" && (
              <CheckInButton person={person} occurrenceId={event.occurrenceId} />
            )}
          </li>
        ))}
      </ul>
      <NextPageLink to={who.next && urls.event(event.id, { who: who.answer, after: who.next })} />
    </section>
  );
}

function CheckInButton({ person, occurrenceId }: { person: Attendee; occurrenceId: string }) {
  const t = useTranslate();
  const isPresent = person.checkedInAt !== null;
  return (
    <Form method="post" preventScrollReset className="ms-10 mt-1 flex flex-wrap items-center gap-2">
      <input type="hidden" name="intent" value="check-in" />
      <input type="hidden" name="occurrenceId" value={occurrenceId} />
      <input type="hidden" name="personId" value={person.id} />
      <input type="hidden" name="isPresent" value={isPresent ? "no" : "yes"} />
      {isPresent && (
        <span className="flex items-center gap-1 text-small font-semibold text-accent">
          <i className="icon icon-check size-4" />
          {t("Checked in")}
        </span>
      )}
      <SubmitButton kind={isPresent ? "quiet" : "plain"} busy={t("Saving…")}>
        {isPresent ? t("Undo") : t("Check in")}
        <span className="sr-only"> {person.name}</span>
      </SubmitButton>
    </Form>
  );
}
