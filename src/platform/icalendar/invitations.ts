import ICAL from "ical.js";
import { ICalAttendeeStatus, ICalCalendar, ICalCalendarMethod } from "ical-generator";
import { isKeyOf } from "#platform/objects";
import { type CalendarEntry, PRODUCT_ID, toEvent } from "./calendar-files.ts";

/** `request` asks for an answer, `publish` does not. */
export type InvitationMethod = "publish" | "request" | "cancel";
const METHODS = {
  publish: ICalCalendarMethod.PUBLISH,
  request: ICalCalendarMethod.REQUEST,
  cancel: ICalCalendarMethod.CANCEL,
};
const STATUS = {
  accepted: ICalAttendeeStatus.ACCEPTED,
  tentative: ICalAttendeeStatus.TENTATIVE,
  declined: ICalAttendeeStatus.DECLINED,
  none: ICalAttendeeStatus.NEEDSACTION,
};

/** The calendar part of an invitation by mail (RFC 5546), to one person. */
export function writeInvitation(
  entry: CalendarEntry,
  it: {
    method: InvitationMethod;
    organizer: { name: string; email: string };
    attendee: { name: string; email: string; answer: keyof typeof STATUS };
  },
): string {
  const calendar = new ICalCalendar({ prodId: PRODUCT_ID, method: METHODS[it.method] });
  const event = calendar.createEvent(toEvent(entry));
  event.organizer(it.organizer);
  const { name, email, answer } = it.attendee;
  event.createAttendee({ name, email, status: STATUS[answer], rsvp: it.method === "request" });
  return calendar.toString();
}

/** An answer to an invitation, as a calendar program sends it. */
export type InvitationReply = {
  uid: string;
  /** Start of the event that was answered; null if the program does not repeat it. */
  startsAt: Date | null;
  answers: { email: string; answer: "accepted" | "tentative" | "declined" }[];
  comment: string;
};

/** Maximum characters of a calendar part; answers have a few hundred. */
const MAX_LENGTH = 100_000;
const ANSWERS = { ACCEPTED: "accepted", TENTATIVE: "tentative", DECLINED: "declined" } as const;

/** Reads an answer to an invitation; null for anything else, such as another method or a broken text. */
export function readInvitationReply(text: string): InvitationReply | null {
  if (text.length > MAX_LENGTH) return null;
  try {
    const calendar = new ICAL.Component(ICAL.parse(text));
    const event = calendar.getFirstSubcomponent("vevent");
    const method = textOf(calendar.getFirstPropertyValue("method"));
    if (!event || method.toUpperCase() !== "REPLY") return null;
    const start = event.getFirstPropertyValue("dtstart");
    return {
      uid: textOf(event.getFirstPropertyValue("uid")),
      // A time in a zone needs the definition of that zone, which the part may lack.
      startsAt: start instanceof ICAL.Time && isExact(start) ? start.toJSDate() : null,
      answers: event.getAllProperties("attendee").flatMap((it) => readAnswer(it) ?? []),
      comment: textOf(event.getFirstPropertyValue("comment")),
    };
  } catch {
    return null;
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const isExact = (time: ICAL.Time): boolean => !time.isDate && time.zone === ICAL.Timezone.utcTimezone;

function readAnswer(attendee: ICAL.Property) {
  const status = textOf(attendee.getParameter("partstat")).toUpperCase();
  const email = textOf(attendee.getFirstValue())
    .replace(/^mailto:/i, "")
    .trim()
    .toLowerCase();
  return isKeyOf(ANSWERS, status) ? { email, answer: ANSWERS[status] } : null;
}
