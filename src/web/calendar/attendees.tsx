import type { CalendarEvent } from "#community/calendar";
import { NextPageLink, PersonLink, Tabs } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { EventPageData } from "./event-data.ts";

type Props = {
  event: CalendarEvent;
  who: NonNullable<EventPageData["who"]>;
  /** Whether to list people who declined; only managers of the event see them. */
  seesDeclined: boolean;
};

/** Attendees by answer: going, maybe, waiting list, not going. */
export function Attendees({ event, who, seesDeclined }: Props) {
  const t = useTranslate();
  const views = [
    { answer: "going", label: t("{count} going", { count: event.going }), shown: true },
    { answer: "maybe", label: t("{count} maybe", { count: event.maybe }), shown: event.maybe > 0 },
    { answer: "waiting", label: t("{count} waiting", { count: event.waiting }), shown: event.waiting > 0 },
    { answer: "declined", label: t("Declined", undefined, "calendar"), shown: seesDeclined },
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
          </li>
        ))}
      </ul>
      <NextPageLink to={who.next && urls.event(event.id, { who: who.answer, after: who.next })} />
    </section>
  );
}
