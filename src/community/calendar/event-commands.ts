import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import {
  approvePendingPost,
  cannotPublishRefusal,
  NewDiscussion,
  type PendingCalendarEvent,
  type PendingResult,
  requirePublished,
  startDiscussionOrAwaitApproval,
} from "#community/discussions";
import { getGroupToChange } from "#community/groups";
import { requireSignedIn } from "#community/friends";
import { type CheckedText, checkWatchedWords, reportFlaggedText } from "#community/prevention";
import { calendarRules, type SignedIn, type Viewer } from "#community/rules";
import type { DatePollTime } from "./date-polls/date-poll-columns.ts";
import type { EventCancellation, EventChange, NewEvent } from "./event-inputs.ts";
import { type EventDetails, insertEvent } from "./event-rows.ts";
import { type EventTimes, resolveEventTimes } from "./event-times.ts";
import { cannotCreateRefusal, getEditableEvent, auditModeratorChange } from "./editable-event.ts";
import {
  createSeries,
  type PendingSeries,
  planPendingSeries,
  toPendingSeries,
} from "./series/series-creation.ts";
import { editSingleEvent } from "./single-event-edit.ts";
import { findHosts } from "./hosts/host-changes.ts";
import { cancelSeries, editSeries } from "./series/series-changes.ts";
import { endSeries } from "./series/series-end.ts";
import { planSeries } from "./series/series-plan.ts";

/**
 * Creates an event and its discussion, whose first post is the description; stored once per `clientId`. If
 * the text needs approval, the event is stored with the pending post, and the result has `waits`. `time`
 * is the time of a date poll from which the event is made; the caller has checked it.
 * @throws like `startDiscussionOrAwaitApproval`, `not-allowed` by the group's setting, and `invalid` on the
 * field of a time
 */
export async function createEventOrAwaitApproval(
  tx: Tx,
  viewer: Viewer,
  uncheckedInput: z.output<typeof NewEvent>,
  time?: Pick<DatePollTime, "id" | "startsAt" | "endsAt">,
): Promise<{ id: string } | PendingResult> {
  const me = requireSignedIn(viewer);
  const { input, waitsFor, flagged } = await checkEventTexts(tx, me, uncheckedInput);
  const times = time ? { ...time, answersUntil: null } : resolveEventTimes(input, tx.now);
  const plan = planSeries(input, tx.now);
  const group = await getGroupToChange(tx, me, input.groupId, "read");
  if (!calendarRules.create(me, group)) throw cannotCreateRefusal(me, group);
  const { groupId, title, body, clientId, timeZone, allDay, place, onlineUrl, capacity, companions } = input;
  const details = { timeZone, allDay, place, onlineUrl, capacity, companions };
  const hostIds = (await findHosts(tx, me, groupId, input.hosts ?? [])).filter((host) => host !== me.id);
  const started = await startDiscussionOrAwaitApproval(
    tx,
    me,
    {
      ...NewDiscussion.parse({ groupId, title, body, ...(clientId && { clientId }) }),
      event: {
        ...details,
        ...toStoredTimes(times),
        ...(plan && { series: toPendingSeries(plan) }),
        timeId: time?.id,
        hostIds,
      },
    },
    waitsFor,
  );
  if ("waits" in started) return started;
  const sent = await maybeOne(
    tx,
    sql<{ id: string }>`select id from calendar_events where post_id = ${started.postId}
      order by ends_at limit 1`,
  );
  const { postId } = started;
  if (sent) return sent;
  await reportFlaggedText(tx, me.id, flagged, { postId });
  if (plan) return createSeries(tx, me, { ...details, title, groupId, postId, hostIds }, plan);
  return insertEvent(tx, me, { ...details, ...times, title, groupId, postId, hostIds, timeId: time?.id });
}

/**
 * Checks the texts of a new event. `waitsFor` and `flagged` are about the location: the other texts are
 * checked for approval, and reported, with the discussion.
 */
async function checkEventTexts(
  tx: Tx,
  me: SignedIn,
  uncheckedInput: z.output<typeof NewEvent>,
): Promise<CheckedText<z.output<typeof NewEvent>>> {
  const { input } = await checkWatchedWords(tx, me, uncheckedInput, ["title", "body"], { canWait: true });
  return checkWatchedWords(tx, me, input, ["place"], {
    canWait: true,
    addresses: { onlineUrl: input.onlineUrl },
  });
}

/**
 * Like `createEventOrAwaitApproval`, for clients that cannot show a pending event.
 * @throws `not-allowed` for a text that needs approval
 */
export const createEvent = async (
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewEvent>,
): Promise<{ id: string }> => requirePublished(await createEventOrAwaitApproval(tx, viewer, input));

const toStoredTimes = ({ startsAt, endsAt, answersUntil }: EventTimes) => ({
  startsAt: startsAt.toISOString(),
  endsAt: endsAt.toISOString(),
  answersUntil: answersUntil?.toISOString() ?? null,
});

/**
 * Approves a pending post with `approvePendingPost`, then creates the event that the post describes, if any.
 * @throws like `approvePendingPost`, and `conflict` for an event that has ended
 */
export async function approvePostOrEvent(
  tx: Tx,
  viewer: Viewer,
  input: { pendingPostId: string },
): Promise<Pick<Awaited<ReturnType<typeof approvePendingPost>>, "at" | "number">> {
  const { at, number, event, postId, author } = await approvePendingPost(tx, viewer, input);
  if (!event) return { at, number };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored by `createEventOrAwaitApproval`
  const it = event as PendingCalendarEvent &
    EventDetails & {
      answersUntil: string | null;
      series?: PendingSeries;
      timeId?: string;
      hostIds?: string[];
    };
  const plan = it.series ? planPendingSeries(it.series, tx.now) : null;
  if (plan ? plan.dates.length === 0 : new Date(it.endsAt) <= tx.now) throw cannotPublishRefusal();
  const post = await one(
    tx,
    sql<{ title: string; groupId: string }>`
      select d.title, d.group_id as "groupId" from posts p join discussions d on d.id = p.discussion_id
      where p.id = ${postId}`,
  );
  const { hostIds = [] } = it;
  if (plan) await createSeries(tx, author, { ...it, ...post, postId, hostIds }, plan);
  else await insertEvent(tx, author, { ...it, ...post, postId, hostIds });
  return { at, number };
}

/**
 * Changes an event, or several dates of its series, except for the description, which is edited as a post.
 * People who are going keep their place, even above a lower capacity. A new time schedules a postponed
 * event again. A single event that repeats from now on becomes the first date of a series; `once` ends a
 * series with this event.
 * @throws `not-found`, `not-allowed` if the viewer may not change it, `conflict` when it has ended or was
 * changed since `changes`, `invalid` on the field of a time, of the repetition, or on `hosts`
 */
export async function editEvent(tx: Tx, viewer: Viewer, input: z.output<typeof EventChange>): Promise<void> {
  if (input.scope === "this") return editSingleEvent(tx, viewer, input);
  const change = { ...input, scope: input.scope };
  return input.repeats === "once" ? endSeries(tx, viewer, change) : editSeries(tx, viewer, change);
}

/**
 * Postpones an event: it has no date until a later edit sets one. Answers are kept.
 * @throws like `editEvent`
 */
export async function postponeEvent(
  tx: Tx,
  viewer: Viewer,
  { eventId, reason }: z.input<typeof EventCancellation>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const event = await getEditableEvent(tx, me, eventId);
  if (!calendarRules.postpone(me, event, tx.now))
    throw new Refusal("conflict", "This event is already postponed.");
  await run(
    tx,
    sql`update calendar_events set postponed_at = ${tx.now}, postponed_by = ${me.id},
          postponed_reason = ${reason}, changes = changes + 1, changed_at = ${tx.now}
        where id = ${event.id}`,
  );
  await auditModeratorChange(tx, me, event, "event.postponed", reason);
  await emit(tx, { type: "calendar.postponed", eventId: event.id, groupId: event.group.id, by: me.id });
}

/**
 * Cancels an event, or several dates of its series.
 * @throws like `editEvent`
 */
export async function cancelEvent(
  tx: Tx,
  viewer: Viewer,
  { eventId, reason, scope = "this" }: z.input<typeof EventCancellation>,
): Promise<void> {
  if (scope !== "this") return cancelSeries(tx, viewer, { eventId, reason, scope });
  const me = requireSignedIn(viewer);
  const event = await getEditableEvent(tx, me, eventId);
  await run(
    tx,
    sql`update calendar_events set cancelled_at = ${tx.now}, cancelled_by = ${me.id},
          cancelled_reason = ${reason}, changes = changes + 1, changed_at = ${tx.now}
        where id = ${event.id}`,
  );
  await auditModeratorChange(tx, me, event, "event.cancelled", reason);
  await emit(tx, { type: "calendar.cancelled", eventId: event.id, groupId: event.group.id, by: me.id });
}
