import { addMilliseconds, DAY } from "#platform/clock";
import {
  getDatePoll,
  getEvent,
  getEventImport,
  listAttendees,
  listFeedEvents,
  listDatePollAnswers,
  listEvents,
  listMonthEvents,
  listOpenDatePolls,
  listPastEvents,
  listSeriesDates,
  listSubscriptions,
} from "#community/calendar";
import { now, type Reads } from "./leak-context.ts";

/** Reads of the calendar. */
export const eventReads: Reads = {
  event: (db, viewer, at) => getEvent(db, viewer, at.eventId),
  events: (db, viewer) => listEvents(db, viewer, { from: addMilliseconds(now(), -DAY) }),
  "events of the group": (db, viewer, at) =>
    listEvents(db, viewer, { from: addMilliseconds(now(), -DAY), group: at.groupId }),
  "past events": (db, viewer) => listPastEvents(db, viewer, { from: now() }),
  "events of the month": (db, viewer) =>
    listMonthEvents(db, viewer, {
      from: addMilliseconds(now(), -DAY),
      until: addMilliseconds(now(), DAY),
    }),
  "events of own groups": (db, viewer) =>
    listEvents(db, viewer, { from: addMilliseconds(now(), -DAY), mine: "groups" }),
  "feed of own groups": (db, viewer) => listFeedEvents(db, viewer, now(), { scope: "groups" }),
  "feed of own answers": (db, viewer) => listFeedEvents(db, viewer, now(), { scope: "answered" }),
  "feed of the group": (db, viewer, at) => listFeedEvents(db, viewer, now(), { groupId: at.groupId }),
  "event as a file": (db, viewer, at) => listFeedEvents(db, viewer, now(), { eventId: at.eventId }),
  "dates of a series": (db, viewer, at) =>
    listSeriesDates(db, viewer, { seriesId: at.seriesId, now: addMilliseconds(now(), -DAY), most: 5 }),
  "series as a file": (db, viewer, at) => listFeedEvents(db, viewer, now(), { seriesId: at.seriesId }),
  "preview of a calendar file": (db, viewer, at) => getEventImport(db, viewer, at.importId, now()),
  "subscribed calendars": (db, viewer, at) => listSubscriptions(db, viewer, at.groupId, now()),
  "date poll": (db, viewer, at) => getDatePoll(db, viewer, at.datePollId),
  "answers to the date poll": async (db, viewer, at) =>
    listDatePollAnswers(db, viewer, await getDatePoll(db, viewer, at.datePollId)),
  "open date polls": (db, viewer) => listOpenDatePolls(db, viewer, { now: addMilliseconds(now(), -DAY) }),
  "open date polls of the group": (db, viewer, at) =>
    listOpenDatePolls(db, viewer, { now: addMilliseconds(now(), -DAY), group: at.groupId }),
  "who is going": async (db, viewer, at) =>
    listAttendees(db, viewer, await getEvent(db, viewer, at.eventId), { answer: "going" }),
  "who declined": async (db, viewer, at) =>
    listAttendees(db, viewer, await getEvent(db, viewer, at.eventId), { answer: "declined" }),
};
