import type { EmailPart } from "#platform/mail";
import { type CalendarEvent, getDatePoll, getEvent } from "#community/calendar";
import { mailLinks } from "./mail-context.ts";
import type { Notice, NoticeContext } from "./notification-emails.ts";
import { createInvitation } from "./event-invitations.ts";
import { createOpeningSentence } from "./opening-sentence.ts";
import { fillMessage, formatMoment } from "./messages/index.ts";

/** Kinds of notifications whose mail contains an invitation, so that the recipient's calendar is updated. */
const INVITING_KINDS = ["new_event", "event_date", "event_changed", "event_host", "event_place"];

/** Mail about a calendar event, with its location, and its time in the recipient's time zone. */
export async function createEventNotice(at: NoticeContext): Promise<Notice | null> {
  const { tx, app, to, lead } = at;
  const event = await getEvent(tx, to.viewer, lead.objectId);
  if (at.unwanted(event.title)) return null;
  return {
    ...describeEvent(at, event),
    ...(INVITING_KINDS.includes(lead.kind) && {
      invite: ({ email, replyAddress }) =>
        createInvitation(app, tx.now, { event, to: { name: to.name, email }, replyAddress }),
    }),
  };
}

export type MailedEvent = Pick<
  CalendarEvent,
  "id" | "title" | "place" | "startsAt" | "allDay" | "timeZone" | "cancelledAt" | "postponedAt"
> & { group: { name: string } };

/** The content of a mail about an event, as its recipient may see it. */
export function describeEvent(
  at: Pick<NoticeContext, "app" | "to" | "lead" | "names">,
  event: MailedEvent,
): Notice {
  const { app, to, lead } = at;
  const { title, group, place, startsAt, allDay, timeZone, cancelledAt, postponedAt } = event;
  const { language, words, sentence } = createOpeningSentence(at, { title, group: group.name });
  const when = formatMoment(language, allDay ? timeZone : to.timeZone, startsAt, !allDay);
  const facts = cancelledAt || postponedAt ? [] : [[when, place].filter(Boolean).join(" · ")];
  const reason = lead.words ? [fillMessage(words.reason, { words: lead.words })] : [];
  return {
    subject: title,
    parts: [sentence, ...facts, ...reason].map((text): EmailPart => ({ kind: "sentence", text })),
    act: { button: words.buttons.look, link: mailLinks.event(app, event.id) },
    group: group.name,
    listName: title,
    canAnswer: false,
  };
}

/** Mail about a date poll. The proposed times are only on the poll's page. */
export async function createDatePollNotice(at: NoticeContext): Promise<Notice | null> {
  const { tx, app, to, lead } = at;
  const { id, title, group } = await getDatePoll(tx, to.viewer, lead.objectId);
  if (at.unwanted(title)) return null;
  const { words, sentence } = createOpeningSentence(at, { title, group: group.name });
  return {
    subject: title,
    parts: [{ kind: "sentence", text: sentence }],
    act: { button: words.buttons.look, link: mailLinks.datePoll(app, id) },
    group: group.name,
    listName: title,
    canAnswer: false,
  };
}
