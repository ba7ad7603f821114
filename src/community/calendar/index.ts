export { EventAnswer, EventCancellation, EventChange, NewEvent } from "./event-inputs.ts";
export {
  approvePostOrEvent,
  cancelEvent,
  createEvent,
  createEventOrHold,
  editEvent,
  postponeEvent,
} from "./event-commands.ts";
export { answerEvent } from "./attendance.ts";
export { releasePlaces, RELEASING_EVENTS } from "./released-places.ts";
export { emitDueReminders } from "./event-reminders.ts";
export { changeFeed, FeedChange, getFeed, getFeedTokens, listFeedEvents } from "./calendar-feeds.ts";
export type { FeedEvent, FeedScope } from "./calendar-feeds.ts";
export { getEvent } from "./event.ts";
export { listAttendees, listEvents, listMonthEvents, listPastEvents } from "./event-lists.ts";
export type { Attendee, EventsQuery } from "./event-lists.ts";
export { boundsOfMonth, dayOf, daysOfMonth, lastDayOfWeek, monthOf, startOfDay } from "./calendar-days.ts";
export { toFormTimes } from "./event-times.ts";
export type { CalendarEvent, OccurrenceRow } from "./event-columns.ts";
