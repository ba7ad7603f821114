import type { Email } from "postal-mime";
import { type InvitationReply, readInvitationReply, writeInvitation } from "#platform/icalendar";
import type { Tx } from "#platform/database";
import type { EmailContent } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { answerEvent, type CalendarEvent, EventAnswer, getEvent } from "#community/calendar";
import { type AttendanceAnswer, LIMITS } from "#community/rules";
import { mailLinks, type MailContext } from "./mail-context.ts";
import type { MailAuthor } from "./mail-answers.ts";

const STATUS = {
  going: "accepted",
  maybe: "tentative",
  waiting: "tentative",
  declined: "declined",
} as const;
const ANSWERS = { accepted: "going", tentative: "maybe", declined: "declined" } as const;

type InvitationFacts = {
  event: CalendarEvent;
  to: { name: string; email: string };
  replyAddress: string | null;
};

/**
 * The event as the recipient may see it, as the calendar part of a mail. Its UID is that of calendar feeds,
 * so that a program shows one event. Without a reply address it asks for no answer.
 */
export function createInvitation(
  app: MailContext,
  now: Date,
  { event: it, to, replyAddress }: InvitationFacts,
): NonNullable<EmailContent["calendar"]> {
  const { host } = new URL(app.origin());
  const method = it.cancelledAt ? "cancel" : replyAddress === null ? "publish" : "request";
  const text = writeInvitation(
    {
      ...it,
      uid: `${it.occurrenceId}@${host}`,
      sequence: it.changes,
      text: [it.group.name, it.onlineUrl ?? ""].filter(Boolean).join("\n"),
      url: mailLinks.event(app, it.id),
      status: it.cancelledAt ? "CANCELLED" : it.postponedAt ? "TENTATIVE" : "CONFIRMED",
      changedAt: now,
    },
    {
      method,
      organizer: { name: it.group.name, email: replyAddress ?? `noreply@${host}` },
      attendee: { name: to.name, email: to.email, answer: it.answer ? STATUS[it.answer] : "none" },
    },
  );
  return { method, text };
}

/** The answer to an invitation in a mail; null if there is none. */
export function findInvitationReply({ attachments }: Email): InvitationReply | null {
  const part = attachments.find(({ mimeType }) => /^(text\/calendar|application\/ics)$/i.test(mimeType));
  if (!part) return null;
  const { content } = part;
  return readInvitationReply(typeof content === "string" ? content : new TextDecoder().decode(content));
}

/**
 * Stores the answer that a calendar program sent, like the buttons on the event's page. Companions stay.
 * @throws like `answerEvent`, `conflict` if the event has another time by now, `invalid` for a mail without
 * an answer of its author
 */
export async function answerInvitation(
  tx: Tx,
  { viewer, email }: MailAuthor,
  { eventId, reply }: { eventId: string; reply: InvitationReply | null },
): Promise<{ answer: AttendanceAnswer }> {
  const event = await getEvent(tx, viewer, eventId);
  const own = reply?.answers.find((it) => it.email === email?.toLowerCase());
  if (!reply || !own || !reply.uid.startsWith(event.occurrenceId))
    throw new Refusal(
      "invalid",
      "Your email contains no answer to this event. Use the buttons of your calendar program, " +
        "or answer on the website.",
    );
  if (reply.startsAt && reply.startsAt.getTime() !== event.startsAt.getTime())
    throw new Refusal("conflict", "The time of this event has changed. Answer the newer invitation.");
  const { occurrenceId, companions } = event;
  const note = reply.comment.trim().slice(0, LIMITS.event.note) || event.note;
  const answer = ANSWERS[own.answer];
  return answerEvent(tx, viewer, EventAnswer.parse({ occurrenceId, answer, companions, note }));
}
