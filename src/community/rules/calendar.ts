import { type ContentFacts, type GroupFacts, groupRules } from "./groups.ts";
import { isSignedIn, type Viewer } from "./viewer.ts";

/** An event in a group's calendar. `endsAt` is the end of its last occurrence. */
export type CalendarEventFacts = {
  group: GroupFacts;
  audience: ContentFacts["audience"];
  endsAt: Date;
  /** Null for a viewer whom the host blocks. */
  hostId: string | null;
  cancelledAt: Date | null;
  /** Postponed without a new date: no one can accept, and an edit sets the date. */
  postponedAt: Date | null;
  /** Until when people can answer; null: until it ends. */
  answersUntil: Date | null;
};
export type AttendanceAnswer = "going" | "maybe" | "declined" | "waiting";

const isHost = (viewer: Viewer, it: CalendarEventFacts) => viewer.id !== null && it.hostId === viewer.id;
const isOver = (it: CalendarEventFacts, now: Date) =>
  it.cancelledAt !== null || (it.endsAt <= now && it.postponedAt === null);

/** Permissions of events (product rules, 7). An event that has not ended is not history yet. */
export const calendarRules = {
  see: (viewer: Viewer, it: Pick<CalendarEventFacts, "group" | "audience" | "endsAt">) =>
    groupRules.readContent(viewer, it.group, { audience: it.audience, at: it.endsAt }),
  /** An event starts a discussion. */
  create: (viewer: Viewer, group: GroupFacts) =>
    groupRules.start(viewer, group) &&
    (group.eventsBy === "members" ||
      (group.eventsBy === "established" && viewer.trust === "established") ||
      groupRules.moderate(viewer, group)),
  /** Edit and cancel it: its host as long as they may write in the group, and moderators. */
  manage: (viewer: Viewer, it: CalendarEventFacts) =>
    calendarRules.see(viewer, it) &&
    ((isHost(viewer, it) && groupRules.write(viewer, it.group)) || groupRules.moderate(viewer, it.group)),
  change: (viewer: Viewer, it: CalendarEventFacts, now: Date) =>
    calendarRules.manage(viewer, it) && !isOver(it, now),
  answer: (viewer: Viewer, calendarEventFacts: CalendarEventFacts, now: Date) =>
    calendarRules.decline(viewer, calendarEventFacts, now) &&
    calendarEventFacts.postponedAt === null &&
    (calendarEventFacts.answersUntil === null || calendarEventFacts.answersUntil > now),
  postpone: (viewer: Viewer, it: CalendarEventFacts, now: Date) =>
    calendarRules.change(viewer, it, now) && it.postponedAt === null,
  /** Give up a place, which is possible after the deadline too. */
  decline: (viewer: Viewer, it: CalendarEventFacts, now: Date) =>
    calendarRules.see(viewer, it) && groupRules.answer(viewer, it.group) && !isOver(it, now),
  seeOnlineLink: (viewer: Viewer, it: CalendarEventFacts, answer: AttendanceAnswer | null) =>
    calendarRules.see(viewer, it) && (answer === "going" || isHost(viewer, it)),
  seeAttendees: (viewer: Viewer, it: CalendarEventFacts) =>
    isSignedIn(viewer) && calendarRules.see(viewer, it),
  /** People who declined, and the notes of all. */
  seeNotes: (viewer: Viewer, it: CalendarEventFacts) =>
    isSignedIn(viewer) && calendarRules.manage(viewer, it),
};
