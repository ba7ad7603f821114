import type { DatePollRow } from "#community/calendar";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useEventTimes } from "../event-times.ts";

/** Open date polls above a list of events; `named`: with their group. */
export function OpenDatePolls({ polls, named }: { polls: DatePollRow[]; named: boolean }) {
  const t = useTranslate();
  const { moment } = useEventTimes();
  if (polls.length === 0) return null;
  return (
    <section aria-labelledby="date-polls" className="mb-6">
      <h2 id="date-polls" className="text-base font-semibold">
        {t("Date polls")}
      </h2>
      <ul>
        {polls.map((poll) => (
          <li key={poll.id} className="border-b border-line py-3" data-item>
            <h3 className="font-serif text-read font-semibold">
              <Link to={urls.datePoll(poll.id)} dir="auto" className="break-words">
                {poll.title}
              </Link>
            </h3>
            <p className="text-small break-words text-quiet figures" suppressHydrationWarning>
              {named && (
                <>
                  <bdi>{poll.group.name}</bdi>
                  {" · "}
                </>
              )}
              {t("{count, plural, one {# time} other {# times}}", { count: poll.timesCount })}
              {" · "}
              {t("{count, plural, one {# person answered} other {# people answered}}", {
                count: poll.answersCount,
              })}
              {poll.closesAt && (
                <>
                  {" · "}
                  {t("Answers until {when}", { when: moment(poll.closesAt) })}
                </>
              )}
            </p>
            <p className="mt-0.5 text-small font-semibold text-accent">
              {poll.isAnswered ? t("You answered") : t("Awaits your answer")}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
