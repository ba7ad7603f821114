import type { OccurrenceRow } from "#community/calendar";
import type { AttendanceAnswer } from "#community/rules";
import { Tag } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useEventTimes } from "../event-times.ts";

/** An event in a list. `named`: shows the name of its group. */
export function EventRow({ row, named }: { row: OccurrenceRow; named: boolean }) {
  const t = useTranslate();
  const { when, hours } = useEventTimes();
  const source = row.calendar === null ? "" : row.calendar || t("Subscribed calendar");
  const where = [hours(row) ?? when(row), row.place, named ? row.group.name : "", source].filter(Boolean);
  return (
    <li className="flex gap-4 border-b border-line py-3" data-item>
      <DateBlock row={row} />
      <div className="min-w-0 flex-1">
        <h3 className="font-serif text-read font-semibold">
          <Link to={urls.event(row.eventId)} dir="auto" className="break-words">
            {row.title}
          </Link>
          {row.seriesId && (
            <>
              {" "}
              <i className="icon icon-refresh-cw size-4 text-quiet" />
              <span className="sr-only">{t("Repeats")}</span>
            </>
          )}
        </h3>
        <p className="text-small break-words text-quiet figures">
          {where.map((text, i) => (
            <span key={`${i} ${text}`}>
              {i > 0 && " · "}
              <bdi>{text}</bdi>
            </span>
          ))}
        </p>
        <EventState row={row} />
      </div>
    </li>
  );
}

function DateBlock({ row }: { row: OccurrenceRow }) {
  const { date } = useEventTimes();
  const { day, month, weekday } = date(row);
  return (
    <time
      dateTime={row.startsAt.toISOString()}
      className="flex w-14 flex-none flex-col items-center self-start rounded-control border border-line
        bg-surface py-1 text-center"
      suppressHydrationWarning
    >
      <span className="text-small text-quiet">{weekday}</span>{" "}
      <span className="text-large leading-6 font-semibold figures">{day}</span>{" "}
      <span className="text-small text-quiet">{month}</span>
    </time>
  );
}

/** Says that the event is cancelled; otherwise how many people go, and the viewer's answer. */
function EventState({ row: { cancelledAt, postponedAt, going, capacity, answer } }: { row: OccurrenceRow }) {
  const t = useTranslate();
  const answers = useAnswerTexts();
  if (cancelledAt || postponedAt)
    return (
      <p className="mt-1">
        <Tag>{cancelledAt ? t("Cancelled") : t("Postponed")}</Tag>
      </p>
    );
  const full = capacity !== null && going >= capacity;
  const states = [
    going > 0 ? t("{count, plural, one {# going} other {# going}}", { count: going }) : "",
    full ? t("Full") : "",
  ].filter(Boolean);
  if (states.length === 0 && !answer) return null;
  return (
    <p className="mt-0.5 text-small figures">
      <span className="text-quiet">{states.join(" · ")}</span>
      {answer && (
        <span className="font-semibold text-accent">
          {states.length > 0 && " · "}
          {answers[answer]}
        </span>
      )}
    </p>
  );
}

/** The viewer's answer as a sentence. */
function useAnswerTexts(): Record<AttendanceAnswer, string> {
  const t = useTranslate();
  return {
    going: t("You're going"),
    maybe: t("You answered “Maybe”"),
    declined: t("You're not going"),
    waiting: t("You're on the waiting list"),
  };
}
