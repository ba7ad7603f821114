import { addMilliseconds, DAY } from "#platform/clock";
import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { parseText } from "#platform/markup";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { limitedAccountRefusal, needsApproval } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { getGroupToChange } from "#community/groups";
import { checkWatchedWords } from "#community/prevention";
import {
  calendarRules,
  datePollRules,
  type GroupFacts,
  groupRules,
  isStaff,
  SERVER_LIMITS,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { hasWritingLimits } from "#community/settings";
import { cannotCreateRefusal } from "../editable-event.ts";
import { type DatePollAnswer, type DatePollRef, type NewDatePoll, readNumbered } from "./date-poll-inputs.ts";
import type { DatePoll } from "./date-poll-columns.ts";
import { resolveClosing, resolveDatePollTimes } from "./date-poll-times.ts";
import { getDatePollForUpdate } from "./date-polls.ts";

type Ref = z.output<typeof DatePollRef>;

/**
 * Creates a date poll in a group, once per `clientId`.
 * @throws `not-found` for a group the viewer may not see, `not-allowed` for people who may not create events
 * there or whose texts need approval, `too-many` above the daily limit, `invalid` on the field of a time
 */
export async function createDatePoll(
  tx: Tx,
  viewer: Viewer,
  uncheckedInput: z.output<typeof NewDatePoll>,
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  const { input } = await checkWatchedWords(tx, me, uncheckedInput, ["title"], { canWait: false });
  const times = resolveDatePollTimes(input, tx.now);
  const endsAt = times.at(-1)!.endsAt;
  const closesAt = resolveClosing(input, endsAt, tx.now);
  const group = await getGroupToChange(tx, me, input.groupId, "read");
  if (!datePollRules.create(me, group)) throw cannotCreatePollRefusal(me, group);
  await assertDailyLimit(tx, me);
  const sent = await findSubmittedPoll(tx, me, input.clientId);
  if (sent) return sent;
  const can = { moderate: groupRules.moderate(me, group) };
  if (await needsApproval(tx, me, can, parseText(input.title, input.groupId), null))
    throw new Refusal(
      "not-allowed",
      "Posts of new members need approval here. You can create a date poll once one of your " +
        "posts is published.",
    );
  const id = tx.newId();
  await run(
    tx,
    sql`insert into date_polls (id, group_id, host_id, title, time_zone, all_day, ends_at, closes_at,
          client_id, created_at)
        values (${id}, ${group.id}, ${me.id}, ${input.title}, ${input.timeZone}, ${input.length === "day"},
          ${endsAt}, ${closesAt}, ${input.clientId ?? null}, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into date_poll_times (id, poll_id, starts_at, ends_at)
        select id, ${id}, starts_at, ends_at from unnest(${times.map(() => tx.newId())}::uuid[],
          ${times.map((it) => it.startsAt)}::timestamptz[], ${times.map((it) => it.endsAt)}::timestamptz[])
          it (id, starts_at, ends_at)`,
  );
  await emit(tx, { type: "calendar.poll-created", datePollId: id, groupId: group.id, by: me.id });
  return { id };
}

const cannotCreatePollRefusal = (me: SignedIn, group: GroupFacts): Refusal =>
  calendarRules.create(me, group)
    ? new Refusal("not-allowed", "Join the group to post.")
    : cannotCreateRefusal(me, group);

/** Two submissions of one person run one after another, so that both are counted and a retry is found. */
async function assertDailyLimit(tx: Tx, me: SignedIn): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('date-poll:' || ${me.id}::text, 0))`);
  if (isStaff(me)) return;
  const { count, hold } = await one(
    tx,
    sql<{ count: number; hold: boolean }>`
      select ${hasWritingLimits} as hold, count(*)::int as count from date_polls
      where host_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)}`,
  );
  if (hold && count >= SERVER_LIMITS.datePolls.day)
    throw new Refusal("too-many", "You have reached the limit of 10 date polls a day. Come back tomorrow.");
}

const findSubmittedPoll = (tx: Tx, me: SignedIn, clientId: string | undefined) =>
  clientId === undefined
    ? null
    : maybeOne(
        tx,
        sql<{ id: string }>`select id from date_polls where host_id = ${me.id} and client_id = ${clientId}`,
      );

/**
 * Stores the viewer's answers in place of earlier ones.
 * @throws `not-found` for a poll the viewer may not see, `not-allowed` if they may not answer, `conflict`
 * once it is closed, `invalid` without any answer
 */
export async function answerDatePoll(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof DatePollAnswer>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const poll = await getDatePollForUpdate(tx, me, input.datePollId);
  if (!datePollRules.answer(me, poll, tx.now)) throw cannotAnswerRefusal(me, poll, tx.now);
  const answers = readNumbered(input, "answer").flatMap(({ value }, index) =>
    value !== null && poll.times[index] ? [{ timeId: poll.times[index].id, answer: value }] : [],
  );
  if (answers.length === 0) throw invalid("answer1", "Choose an answer for at least one time.");
  await run(
    tx,
    sql`delete from date_poll_answers a using date_poll_times t
        where t.id = a.time_id and t.poll_id = ${poll.id} and a.person_id = ${me.id}`,
  );
  await run(
    tx,
    sql`insert into date_poll_answers (time_id, person_id, answer, answered_at)
        select time_id, ${me.id}, answer, ${tx.now}
        from unnest(${answers.map((it) => it.timeId)}::uuid[], ${answers.map((it) => it.answer)}::text[])
          it (time_id, answer)`,
  );
  await emitChange(tx, me, poll, "calendar.poll-answered");
}

/**
 * Closes a poll before its deadline.
 * @throws `not-found`, `not-allowed`, `conflict` if it is closed already
 */
export async function closeDatePoll(tx: Tx, viewer: Viewer, { datePollId }: Ref): Promise<void> {
  const me = requireSignedIn(viewer);
  const poll = await getDatePollToManage(tx, me, datePollId);
  if (!datePollRules.close(me, poll, tx.now)) throw new Refusal("conflict", "This poll is closed already.");
  await run(tx, sql`update date_polls set closed_at = ${tx.now}, closed_by = ${me.id} where id = ${poll.id}`);
  await recordByModerator(tx, me, poll, "date-poll.closed");
  await emitChange(tx, me, poll, "calendar.poll-closed");
}

/**
 * Accepts answers again. A deadline that has passed is removed.
 * @throws `not-found`, `not-allowed`, `conflict` for a poll that is open, decided or over
 */
export async function reopenDatePoll(tx: Tx, viewer: Viewer, { datePollId }: Ref): Promise<void> {
  const me = requireSignedIn(viewer);
  const poll = await getDatePollToManage(tx, me, datePollId);
  if (!datePollRules.reopen(me, poll, tx.now)) throw new Refusal("conflict", "This poll cannot be reopened.");
  await run(
    tx,
    sql`update date_polls set closed_at = null, closed_by = null,
          closes_at = case when closes_at > ${tx.now} then closes_at end where id = ${poll.id}`,
  );
  await emitChange(tx, me, poll, "calendar.poll-reopened");
}

/**
 * Deletes a poll with its answers. An event that was created from the poll stays.
 * @throws `not-found`, `not-allowed`
 */
export async function deleteDatePoll(
  tx: Tx,
  viewer: Viewer,
  { datePollId }: Ref,
): Promise<{ group: { slug: string } }> {
  const me = requireSignedIn(viewer);
  const poll = await getDatePollToManage(tx, me, datePollId);
  await run(tx, sql`delete from date_polls where id = ${poll.id}`);
  await recordByModerator(tx, me, poll, "date-poll.deleted");
  await emitChange(tx, me, poll, "calendar.poll-deleted");
  return { group: poll.group };
}

/**
 * The poll, locked for its host or a moderator.
 * @throws `not-found`, `not-allowed`
 */
export async function getDatePollToManage(tx: Tx, me: SignedIn, id: string): Promise<DatePoll> {
  const poll = await getDatePollForUpdate(tx, me, id);
  if (!datePollRules.manage(me, poll))
    throw new Refusal("not-allowed", "Only the host and the group's moderators can change this poll.");
  return poll;
}

const emitChange = (tx: Tx, me: SignedIn, { id, group }: DatePoll, type: `calendar.poll-${string}`) =>
  emit(tx, { type, datePollId: id, groupId: group.id, by: me.id });

/** Records in the audit log that someone else than the host changed the poll. */
const recordByModerator = async (
  tx: Tx,
  me: SignedIn,
  poll: DatePoll,
  act: "date-poll.closed" | "date-poll.deleted",
): Promise<void> => {
  if (poll.hostId !== me.id)
    await writeAudit(tx, me, { act, kind: "event", id: poll.id, details: { groupId: poll.group.id } });
};

function cannotAnswerRefusal(me: SignedIn, poll: DatePoll, now: Date): Refusal {
  if (!datePollRules.isOpen(poll, now)) return new Refusal("conflict", "This poll is closed.");
  if (me.limited) return limitedAccountRefusal();
  return new Refusal("not-allowed", "This group is archived and read-only.");
}
