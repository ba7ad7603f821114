import { addMilliseconds, DAY } from "#platform/clock";
import { getEvent, listAttendees, listEvents, listPastEvents } from "#community/calendar";
import { now, type Reads } from "./leak-context.ts";

/** Reads of the calendar. */
export const eventReads: Reads = {
  event: (db, viewer, at) => getEvent(db, viewer, at.eventId),
  events: (db, viewer) => listEvents(db, viewer, { from: addMilliseconds(now(), -DAY) }),
  "events of the group": (db, viewer, at) =>
    listEvents(db, viewer, { from: addMilliseconds(now(), -DAY), group: at.groupId }),
  "past events": (db, viewer) => listPastEvents(db, viewer, { from: now() }),
  "who is going": (db, viewer, at) => listAttendees(db, viewer, { eventId: at.eventId, answer: "going" }),
  "who declined": (db, viewer, at) => listAttendees(db, viewer, { eventId: at.eventId, answer: "declined" }),
};
