import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import type { CalendarEvent } from "#community/calendar";
import type { RejectedForm } from "../request-context.ts";
import { ButtonLink, SelectField, SubmitButton, TextField, useRootData } from "../ui/index.ts";
import { useFormResult } from "../ui/forms/use-form-result.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { EventPageData } from "./event-data.ts";

/** The viewer's answer, and the buttons to change it. */
export function AnswerPanel({ page: { event, can, isOver } }: { page: EventPageData }) {
  const t = useTranslate();
  const { me } = useRootData();
  if (event.cancelledAt || isOver) return null;
  if (!me)
    return (
      <p>
        <ButtonLink kind="primary" to={urls.login({ next: urls.event(event.id) })} data-sign-in>
          {t("Sign in to answer")}
        </ButtonLink>
      </p>
    );
  if (event.postponedAt && !event.answer) return null;
  if (!can.decline) return can.join ? <JoinFirst event={event} /> : null;
  return (
    <Form method="post" className="panel grid gap-4 p-4" preventScrollReset aria-labelledby="answer">
      <h2 id="answer" className="text-base font-semibold">
        {t("Your answer")}
      </h2>
      <input type="hidden" name="intent" value="answer" />
      <input type="hidden" name="occurrenceId" value={event.occurrenceId} />
      <CurrentAnswer event={event} />
      <AnswerError />
      {can.answer ? <AnswerFields event={event} /> : <LateAnswer event={event} />}
    </Form>
  );
}

function JoinFirst({ event: { group } }: { event: CalendarEvent }) {
  const t = useTranslate();
  return (
    <p>
      <ButtonLink to={urls.group(group.slug)}>{t("Join the group to answer")}</ButtonLink>
    </p>
  );
}

function CurrentAnswer({ event }: { event: CalendarEvent }) {
  const t = useTranslate();
  const { answer, companions, position } = event;
  const text = () => {
    if (answer === "going")
      return t(
        "{count, plural, =0 {You're going.} one {You're going with # companion.} " +
          "other {You're going with # companions.}}",
        {
          count: companions,
        },
      );
    if (answer === "waiting")
      return t("You're number {position} on the waiting list. You get a place as soon as one is free.", {
        position,
      });
    if (answer === "maybe") return t("You answered “Maybe”.");
    return answer === "declined" ? t("You're not going.") : t("You haven't answered yet.");
  };
  return <p role="status">{text()}</p>;
}

function AnswerError() {
  const answer = useFormResult<RejectedForm | undefined>();
  const refused = answer && "refused" in answer ? answer.refused : undefined;
  if (!refused || Object.keys(refused.fields).length > 0) return null;
  return (
    <p className="fault" role="alert">
      {refused.message}
    </p>
  );
}

function AnswerFields({ event }: { event: CalendarEvent }) {
  const t = useTranslate();
  const { answer, companionsAllowed, companions, note, capacity, going, waiting } = event;
  const isFull = capacity !== null && answer !== "going" && (going >= capacity || waiting > 0);
  const choices = [
    { value: "going", label: isFull ? t("Join the waiting list") : t("Going") },
    { value: "maybe", label: t("Maybe") },
    { value: "declined", label: t("Not going") },
  ];
  return (
    <>
      <div className="grid gap-4 phone:grid-cols-2">
        {companionsAllowed > 0 && (
          <SelectField name="companions" label={t("Companions you bring")} defaultValue={String(companions)}>
            {Array.from({ length: companionsAllowed + 1 }, (_, count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          name="note"
          label={t("Note for the host (optional)")}
          maxLength={LIMITS.event.note}
          defaultValue={note}
          dir="auto"
          autoComplete="off"
        />
      </div>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ value, label }) => (
          <SubmitButton
            key={value}
            name="answer"
            value={value}
            kind={answer === value || (answer === "waiting" && value === "going") ? "primary" : "plain"}
            busy={t("Saving…")}
          >
            {label}
          </SubmitButton>
        ))}
      </div>
    </>
  );
}

/** Answer after the deadline or for a postponed event: an attendee can still cancel. */
function LateAnswer({ event }: { event: CalendarEvent }) {
  const t = useTranslate();
  const { answer } = event;
  return (
    <>
      <p className="hint">
        {event.postponedAt
          ? t("You can answer again when it has a new date.")
          : t("The time to answer is over.")}
      </p>
      {answer !== null && answer !== "declined" && (
        <p>
          <SubmitButton kind="plain" name="answer" value="declined" busy={t("Saving…")}>
            {t("Not going")}
          </SubmitButton>
        </p>
      )}
    </>
  );
}
