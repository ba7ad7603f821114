import type { Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { type CheckedText, checkWatchedWords } from "#community/prevention";
import type { EventChange } from "./event-inputs.ts";
import { writeAudit } from "#community/audit";
import { cannotStartRefusal, getDiscussion, NewTitle, renameDiscussion } from "#community/discussions";
import { calendarRules, discussionRules, type GroupFacts, groupRules, type SignedIn } from "#community/rules";
import type { CalendarEvent } from "./event-columns.ts";
import { getEventForUpdate } from "./event.ts";

/**
 * Renames the discussion with the event, unless its title differs from the event's or the viewer may not
 * rename it.
 */
export async function renameEventDiscussion(
  tx: Tx,
  me: SignedIn,
  event: CalendarEvent,
  title: string,
): Promise<void> {
  if (!event.description || title === event.title) return;
  const { discussionId } = event.description;
  const discussion = await getDiscussion(tx, me, discussionId);
  if (discussion.title === event.title && discussionRules.rename(me, discussion))
    await renameDiscussion(tx, me, NewTitle.parse({ discussionId, title }));
}

/**
 * The event, locked for a change.
 * @throws `not-found`, `not-allowed` if the viewer may not change it, `conflict` when it has ended
 */
export async function getEditableEvent(tx: Tx, me: SignedIn, eventId: string): Promise<CalendarEvent> {
  const event = await getEventForUpdate(tx, me, { eventId });
  if (calendarRules.change(me, event, tx.now)) return event;
  if (!calendarRules.manage(me, event))
    throw new Refusal("not-allowed", "Only the hosts and the group's moderators can change this event.");
  throw event.cancelledAt
    ? new Refusal("conflict", "This event was cancelled.")
    : new Refusal("conflict", "This event is over.");
}

/**
 * Checks the texts of an edit, and that the event is still as its editor saw it.
 * @throws `conflict` if someone else has changed the event
 */
export async function checkEdit<Input extends z.output<typeof EventChange>>(
  tx: Tx,
  me: SignedIn,
  event: CalendarEvent,
  input: Input,
): Promise<CheckedText<Input>> {
  const checked = await checkWatchedWords(tx, me, input, ["title", "place"], {
    before: event,
    canWait: false,
    addresses: { onlineUrl: input.onlineUrl },
  });
  if (event.changes !== input.changes)
    throw new Refusal("conflict", "Someone else changed this event. Reload the page and try again.");
  return checked;
}

/** Records in the audit log that someone other than a host changed the event. */
export const auditModeratorChange = async (
  tx: Tx,
  me: SignedIn,
  event: CalendarEvent,
  act: "event.changed" | "event.postponed" | "event.cancelled",
  reason: string | null,
): Promise<void> => {
  if (!event.isHost)
    await writeAudit(tx, me, {
      act,
      kind: "event",
      id: event.id,
      reason,
      details: { groupId: event.group.id },
    });
};

/** Refusal with the reason why a person who can see a group cannot create events in it. */
export function cannotCreateRefusal(me: SignedIn, group: GroupFacts): Refusal {
  if (!groupRules.start(me, group)) return cannotStartRefusal(me, group);
  if (group.eventsBy === "established")
    return new Refusal(
      "not-allowed",
      "Only established members and moderators can create events in this group.",
    );
  return new Refusal("not-allowed", "Only moderators can create events in this group.");
}
