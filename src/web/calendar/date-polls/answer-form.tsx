import { Form } from "react-router";
import type { DatePoll, DatePollTime } from "#community/calendar";
import type { DatePollAnswerName } from "#community/rules";
import type { RejectedForm } from "../../request-context.ts";
import { CheckField, SubmitButton } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useEventTimes } from "../event-times.ts";

const ANSWERS = ["yes", "if_need_be", "no"] as const satisfies DatePollAnswerName[];

export function useDatePollAnswerTexts(): Record<DatePollAnswerName, string> {
  const t = useTranslate();
  return { yes: t("Yes"), if_need_be: t("If need be"), no: t("No") };
}

/** The viewer's answers: three choices for each time. */
export function AnswerForm({ poll }: { poll: DatePoll }) {
  const t = useTranslate();
  const hasAnswered = poll.times.some(({ answer }) => answer !== null);
  return (
    <Form method="post" className="panel my-5 p-4" preventScrollReset aria-labelledby="answer">
      <h2 id="answer" className="text-base font-semibold">
        {t("Your answer")}
      </h2>
      <p role="status" className="text-small text-quiet">
        {hasAnswered ? t("Saved. You can change it until the poll closes.") : t("Which times suit you?")}
      </p>
      <AnswerError />
      <input type="hidden" name="intent" value="answer" />
      <ol className="mt-2">
        {poll.times.map((time, index) => (
          <TimeChoice key={time.id} poll={poll} time={time} name={`answer${index + 1}`} />
        ))}
      </ol>
      <p className="mt-4">
        <SubmitButton busy={t("Saving…")}>{t("Save answers")}</SubmitButton>
      </p>
    </Form>
  );
}

function TimeChoice({ poll, time, name }: { poll: DatePoll; time: DatePollTime; name: string }) {
  const { when, whenThere } = useEventTimes();
  const texts = useDatePollAnswerTexts();
  const span = { ...time, allDay: poll.allDay, timeZone: poll.timeZone };
  const there = whenThere(span);
  return (
    <li className="border-b border-line py-2.5 last:border-0">
      <fieldset className="flex flex-wrap items-center gap-x-6 gap-y-1">
        <legend className="contents">
          <span className="min-w-0 flex-1 basis-64 figures" suppressHydrationWarning>
            {when(span)}
            {there && <span className="block text-small text-quiet">{there}</span>}
          </span>
        </legend>
        <span className="flex flex-wrap gap-x-4 gap-y-1">
          {ANSWERS.map((answer) => (
            <CheckField
              key={answer}
              type="radio"
              name={name}
              value={answer}
              label={texts[answer]}
              defaultChecked={time.answer === answer}
            />
          ))}
        </span>
      </fieldset>
    </li>
  );
}

function AnswerError() {
  const result = useFormResult<RejectedForm | undefined>();
  const refused = result && "refused" in result ? result.refused : undefined;
  const message = refused && (Object.values(refused.fields)[0] ?? refused.message);
  if (!message || result?.typed["intent"] !== "answer") return null;
  return (
    <p className="fault" role="alert">
      {message}
    </p>
  );
}
