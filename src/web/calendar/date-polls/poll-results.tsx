import type { DatePollAnswers, DatePollTime } from "#community/calendar";
import { ButtonLink, NextPageLink, PersonLink, Tag } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useEventTimes } from "../event-times.ts";
import { useDatePollAnswerTexts } from "./answer-form.tsx";
import type { DatePollData } from "./date-poll-page.tsx";

/** All answers: a table of people and times on wide screens, a list of times on phones. */
export function PollResults({ page }: { page: DatePollData }) {
  const t = useTranslate();
  const { poll, people } = page;
  return (
    <section className="my-6">
      <h2 id="results" className="mb-2 text-large font-semibold">
        {t("Answers")}
      </h2>
      {people.rows.length === 0 && <p className="mb-3 text-quiet">{t("Nobody has answered yet.")}</p>}
      <ResultsTable page={page} />
      <ResultsList page={page} />
      <NextPageLink to={people.next && urls.datePoll(poll.id, { after: people.next })} />
    </section>
  );
}

function ResultsTable({ page: { poll, people, choosable } }: { page: DatePollData }) {
  const t = useTranslate();
  const { date, hours, startTime } = useEventTimes();
  const spanOf = (time: DatePollTime) => ({ ...time, allDay: poll.allDay, timeZone: poll.timeZone });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard
    <div className="poll-table" tabIndex={0} role="region" aria-labelledby="results">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{t("Person")}</span>
            </th>
            {poll.times.map((time) => {
              const { weekday, day, month } = date(spanOf(time));
              return (
                <th key={time.id} scope="col" data-best={time.isBest || undefined}>
                  <time dateTime={time.startsAt.toISOString()} suppressHydrationWarning>
                    <span className="block">{weekday}</span>{" "}
                    <span className="block text-large font-semibold text-ink">{day}</span>{" "}
                    <span className="block">{month}</span>{" "}
                    {!poll.allDay && (
                      <span className="block">{hours(spanOf(time)) ?? startTime(spanOf(time))}</span>
                    )}
                  </time>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {people.rows.map((person) => (
            <tr key={person.id}>
              <th scope="row">
                <PersonLink person={person} size={24} />
              </th>
              {poll.times.map((time) => (
                <AnswerCell key={time.id} answer={person.answers[time.id]} isBest={time.isBest} />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("Total")}</th>
            {poll.times.map((time) => (
              <td key={time.id} data-best={time.isBest || undefined}>
                <Totals time={time} short />
                <TimeMarks time={time} />
              </td>
            ))}
          </tr>
          {choosable.length > 0 && (
            <tr>
              <th scope="row">
                <span className="sr-only">{t("Create event")}</span>
              </th>
              {poll.times.map((time) => (
                <td key={time.id} data-best={time.isBest || undefined}>
                  {choosable.includes(time.id) && <ChooseLink poll={poll} time={time} />}
                </td>
              ))}
            </tr>
          )}
        </tfoot>
      </table>
    </div>
  );
}

/** An answer as a sign, which screen readers read as a word. */
function AnswerCell({
  answer,
  isBest,
}: {
  answer: DatePollAnswers["answers"][string] | undefined;
  isBest: boolean;
}) {
  const t = useTranslate();
  const texts = useDatePollAnswerTexts();
  return (
    <td data-answer={answer} data-best={isBest || undefined}>
      <span aria-hidden="true">{answer && SIGNS[answer]}</span>
      <span className="sr-only">{answer ? texts[answer] : t("No answer")}</span>
    </td>
  );
}

const check = <i className="icon icon-check size-4" />;
const SIGNS = {
  yes: check,
  if_need_be: <>({check})</>,
  no: <i className="icon icon-minus size-4" />,
} as const;

function ResultsList({ page: { poll, people, choosable } }: { page: DatePollData }) {
  const { when } = useEventTimes();
  const texts = useDatePollAnswerTexts();
  return (
    <ol className="phone:hidden print:hidden">
      {poll.times.map((time) => (
        <li key={time.id} className="border-b border-line py-3">
          <h3 className="font-semibold figures" suppressHydrationWarning>
            {when({ ...time, allDay: poll.allDay, timeZone: poll.timeZone })}
          </h3>
          <Totals time={time} />
          <TimeMarks time={time} />
          {(["yes", "if_need_be"] as const).map((answer) => {
            const names = people.rows.filter(({ answers }) => answers[time.id] === answer);
            return (
              names.length > 0 && (
                <p key={answer} className="text-small break-words">
                  <span className="text-quiet">{texts[answer]}:</span>{" "}
                  {names.map(({ id, name }, index) => (
                    <span key={id}>
                      {index > 0 && ", "}
                      <bdi>{name}</bdi>
                    </span>
                  ))}
                </p>
              )
            );
          })}
          {choosable.includes(time.id) && (
            <p className="mt-2">
              <ChooseLink poll={poll} time={time} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function Totals({ time: { yes, ifNeedBe }, short = false }: { time: DatePollTime; short?: boolean }) {
  const t = useTranslate();
  const whole = t("{yes} yes, {ifNeedBe} if need be", { yes, ifNeedBe });
  if (!short) return <p className="text-small text-quiet figures">{whole}</p>;
  return (
    <>
      <span aria-hidden="true" className="figures">
        {yes}
        {ifNeedBe > 0 && ` (+${ifNeedBe})`}
      </span>
      <span className="sr-only">{whole}</span>
    </>
  );
}

/** Marks the best times and the chosen one. */
function TimeMarks({ time: { isBest, isChosen } }: { time: DatePollTime }) {
  const t = useTranslate();
  if (!isBest && !isChosen) return null;
  return (
    <p className="mt-1">
      <Tag>{isChosen ? t("Chosen") : t("Best time")}</Tag>
    </p>
  );
}

function ChooseLink({ poll, time }: { poll: DatePollData["poll"]; time: DatePollTime }) {
  const t = useTranslate();
  const { when } = useEventTimes();
  const span = { ...time, allDay: poll.allDay, timeZone: poll.timeZone };
  return (
    <ButtonLink
      to={urls.chosenTime(poll.id, time.id)}
      kind={time.isBest ? "primary" : "plain"}
      aria-label={t("Choose {time}", { time: when(span) })}
    >
      {t("Choose")}
    </ButtonLink>
  );
}
