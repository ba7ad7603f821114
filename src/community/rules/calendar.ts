import { type ContentFacts, type GroupFacts, groupRules } from "./groups.ts";
import { isSignedIn, type Viewer } from "./viewer.ts";

/** An event in a group's calendar. `endsAt` is the end of its last occurrence. */
export type CalendarEventFacts = {
  group: GroupFacts;
  audience: ContentFacts["audience"];
  endsAt: Date;
  /** Whether the viewer is one of its hosts. */
  isHost: boolean;
  cancelledAt: Date | null;
  /** Time of the postponement, until an edit sets a new date. Meanwhile no one can accept. */
  postponedAt: Date | null;
  /** Deadline for answers; null if people can answer until the event ends. */
  answersUntil: Date | null;
};
export type AttendanceAnswer = "going" | "maybe" | "declined" | "waiting";

const isHost = (viewer: Viewer, it: CalendarEventFacts) => isSignedIn(viewer) && it.isHost;
const isOver = (it: CalendarEventFacts, now: Date) =>
  it.cancelledAt !== null || (it.endsAt <= now && it.postponedAt === null);

/** Milliseconds before the start from which people can be checked in. */
const CHECK_IN_BEFORE = 12 * 60 * 60 * 1000;

/**
 * Permissions of events (product rules, 7). Until its end, an event does not count as older content of its
 * group.
 */
export const calendarRules = {
  see: (viewer: Viewer, it: Pick<CalendarEventFacts, "group" | "audience" | "endsAt">) =>
    groupRules.readContent(viewer, it.group, { audience: it.audience, at: it.endsAt }),
  /** Requires the permission to start discussions, because each event starts one. */
  create: (viewer: Viewer, group: GroupFacts) =>
    groupRules.start(viewer, group) &&
    (group.eventsBy === "members" ||
      (group.eventsBy === "established" && viewer.trust === "established") ||
      groupRules.moderate(viewer, group)),
  /** Whether the viewer may add and remove calendars to which the group subscribes. */
  subscribe: (viewer: Viewer, group: GroupFacts) =>
    calendarRules.create(viewer, group) && groupRules.moderate(viewer, group),
  /**
   * Whether the viewer may edit and cancel the event: its hosts while they may write in the group, and
   * moderators.
   */
  manage: (viewer: Viewer, it: CalendarEventFacts) =>
    calendarRules.see(viewer, it) &&
    ((isHost(viewer, it) && groupRules.write(viewer, it.group)) || groupRules.moderate(viewer, it.group)),
  change: (viewer: Viewer, it: CalendarEventFacts, now: Date) =>
    calendarRules.manage(viewer, it) && !isOver(it, now),
  /**
   * Whether the viewer may check people in: from twelve hours before the start, and without an end, since lists
   * are often completed later.
   */
  checkIn: (viewer: Viewer, it: CalendarEventFacts & { startsAt: Date }, now: Date) =>
    calendarRules.manage(viewer, it) &&
    it.cancelledAt === null &&
    it.postponedAt === null &&
    it.startsAt.getTime() - CHECK_IN_BEFORE <= now.getTime(),
  answer: (viewer: Viewer, calendarEventFacts: CalendarEventFacts, now: Date) =>
    calendarRules.decline(viewer, calendarEventFacts, now) &&
    calendarEventFacts.postponedAt === null &&
    (calendarEventFacts.answersUntil === null || calendarEventFacts.answersUntil > now),
  /** Whether the viewer may end being a host. An event keeps at least one, which the command checks. */
  stopHosting: (viewer: Viewer, it: CalendarEventFacts, now: Date) =>
    calendarRules.see(viewer, it) && isHost(viewer, it) && !isOver(it, now),
  postpone: (viewer: Viewer, it: CalendarEventFacts, now: Date) =>
    calendarRules.change(viewer, it, now) && it.postponedAt === null,
  /** Whether the viewer may decline, which is possible even after the deadline. */
  decline: (viewer: Viewer, it: CalendarEventFacts, now: Date) =>
    calendarRules.see(viewer, it) && groupRules.answer(viewer, it.group) && !isOver(it, now),
  seeOnlineLink: (viewer: Viewer, it: CalendarEventFacts, answer: AttendanceAnswer | null) =>
    calendarRules.see(viewer, it) && (answer === "going" || isHost(viewer, it)),
  seeAttendees: (viewer: Viewer, it: CalendarEventFacts) =>
    isSignedIn(viewer) && calendarRules.see(viewer, it),
  /** Whether the viewer sees who declined, and everyone's notes. */
  seeNotes: (viewer: Viewer, it: CalendarEventFacts) =>
    isSignedIn(viewer) && calendarRules.manage(viewer, it),
};
