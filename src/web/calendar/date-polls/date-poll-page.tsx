import { Form, redirect } from "react-router";
import {
  answerDatePoll,
  closeDatePoll,
  DatePollAnswer,
  DatePollRef,
  deleteDatePoll,
  getDatePoll,
  listDatePollAnswers,
  reopenDatePoll,
} from "#community/calendar";
import { markDatePollSeen } from "#community/notifications";
import { datePollRules, type Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { requireMember } from "../../auth-middleware.ts";
import { chooseAction, parseForm, readQueryParam } from "../../form-parsing.ts";
import { useGroupTexts } from "../../groups/group-texts.ts";
import {
  ButtonLink,
  Notice,
  PageHeader,
  pageMeta,
  PersonLink,
  RefusalNotice,
  SubmitButton,
} from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { useEventTimes } from "../event-times.ts";
import { useLiveEvent } from "../use-live-event.ts";
import type { Route } from "./+types/date-poll-page";
import { AnswerForm } from "./answer-form.tsx";
import { PollResults } from "./poll-results.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ ctx, app, viewer, db, url, params }) => {
  const poll = await getDatePoll(db, viewer, params["pollId"] ?? "");
  const after = readQueryParam(url, "after", 1000) || undefined;
  const people = await listDatePollAnswers(db, viewer, poll, { after });
  if (poll.isNotified)
    await app.database.inTransaction((tx) => markDatePollSeen(tx, viewer, { datePollId: poll.id }));
  return {
    poll,
    people,
    isOpen: datePollRules.isOpen(poll, ctx.now),
    can: {
      answer: datePollRules.answer(viewer, poll, ctx.now),
      manage: datePollRules.manage(viewer, poll),
      close: datePollRules.close(viewer, poll, ctx.now),
      reopen: datePollRules.reopen(viewer, poll, ctx.now),
    },
    /** Ids of the times at which the viewer can create an event. */
    choosable: datePollRules.decide(viewer, poll, ctx.now)
      ? poll.times.filter(({ endsAt }) => endsAt > ctx.now).map(({ id }) => id)
      : [],
  };
});

export type DatePollData = Route.ComponentProps["loaderData"];

/** Commands on the poll by the form's `intent`. They return the address of the next page. */
const COMMANDS: Record<string, (tx: Tx, viewer: Viewer, form: FormData) => Promise<string>> = {
  async answer(tx, viewer, form) {
    const answer = parseForm(DatePollAnswer, form);
    await answerDatePoll(tx, viewer, answer);
    return urls.datePoll(answer.datePollId);
  },
  async close(tx, viewer, form) {
    const ref = parseForm(DatePollRef, form);
    await closeDatePoll(tx, viewer, ref);
    return urls.datePoll(ref.datePollId);
  },
  async reopen(tx, viewer, form) {
    const ref = parseForm(DatePollRef, form);
    await reopenDatePoll(tx, viewer, ref);
    return urls.datePoll(ref.datePollId);
  },
  async delete(tx, viewer, form) {
    const { group } = await deleteDatePoll(tx, viewer, parseForm(DatePollRef, form));
    return urls.groupEvents(group.slug);
  },
};

export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("datePollId", params["pollId"] ?? "");
  const command = chooseAction(COMMANDS, form);
  return redirect(await app.database.inTransaction((tx) => command(tx, viewer, form)));
});

export const meta = pageMeta<DatePollData>(({ poll }, t) => ({
  title: t("Find a date: {title}", { title: poll.title }),
  hidden: true,
}));

export default function DatePollPage({ loaderData: page }: Route.ComponentProps) {
  const t = useTranslate();
  const { audience } = useGroupTexts();
  const { poll, can } = page;
  useLiveEvent({ datePollId: poll.id });
  return (
    <article>
      <PageHeader
        title={<bdi>{poll.title}</bdi>}
        lead={
          <>
            {t("Find a date")}
            {" · "}
            <Link to={urls.groupEvents(poll.group.slug)} dir="auto">
              {poll.group.name}
            </Link>
          </>
        }
      />
      <RefusalNotice except={["answer"]} />
      <PollState page={page} />
      {can.answer && <AnswerForm key={poll.id} poll={poll} />}
      <PollResults page={page} />
      {poll.host && (
        <p className="mt-6 flex flex-wrap items-center gap-2 text-small text-quiet">
          <Rich text="Created by <0></0>" parts={{ 0: <PersonLink person={poll.host} size={24} /> }} />
        </p>
      )}
      <p className="hint mt-2">{audience(poll.group, "members")}</p>
      {can.manage && <ManagePoll page={page} />}
    </article>
  );
}

/** Says until when people can answer, or that the poll is closed, with a link to the event. */
function PollState({ page: { poll, isOpen } }: { page: DatePollData }) {
  const t = useTranslate();
  const { moment } = useEventTimes();
  if (poll.isDecided)
    return (
      <Notice tone="good">
        <p className="font-semibold">{t("The date is chosen.")}</p>
        {poll.eventId && <Link to={urls.event(poll.eventId)}>{t("Go to the event")}</Link>}
      </Notice>
    );
  if (!isOpen) return <Notice>{t("This poll is closed.")}</Notice>;
  if (!poll.closesAt) return null;
  return (
    <p className="text-quiet" suppressHydrationWarning>
      {t("Answers until {when}", { when: moment(poll.closesAt) })}
    </p>
  );
}

function ManagePoll({ page: { poll, can } }: { page: DatePollData }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="manage" className="mt-10 border-t border-line pt-5 print:hidden">
      <h2 id="manage" className="text-large font-semibold">
        {t("Manage poll")}
      </h2>
      {!poll.isDecided && (
        <p className="hint">{t("Choose a time above to make an event of it. That closes the poll.")}</p>
      )}
      <Form method="post" className="mt-3 flex flex-wrap gap-2" preventScrollReset>
        {can.close && (
          <SubmitButton kind="plain" name="intent" value="close" busy={t("Closing…")}>
            {t("Close poll")}
          </SubmitButton>
        )}
        {can.reopen && (
          <SubmitButton kind="plain" name="intent" value="reopen" busy={t("Reopening…")}>
            {t("Reopen poll")}
          </SubmitButton>
        )}
      </Form>
      <details className="mt-3">
        <summary>{t("Delete poll")}</summary>
        <Form method="post" className="mt-2 grid gap-3">
          <p>{t("All answers are deleted too. This cannot be undone.")}</p>
          <p className="flex flex-wrap gap-2">
            <SubmitButton kind="danger" name="intent" value="delete" busy={t("Deleting…")}>
              {t("Delete poll")}
            </SubmitButton>
            <ButtonLink to={urls.datePoll(poll.id)}>{t("Cancel")}</ButtonLink>
          </p>
        </Form>
      </details>
    </section>
  );
}
