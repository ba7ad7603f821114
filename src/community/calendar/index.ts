export {
  CheckIn,
  EventAnswer,
  EventCancellation,
  EventChange,
  EventDates,
  isTimeZone,
  NewEvent,
  StopHosting,
} from "./event-inputs.ts";
export {
  approvePostOrEvent,
  cancelEvent,
  createEvent,
  createEventOrAwaitApproval,
  editEvent,
  postponeEvent,
} from "./event-commands.ts";
export { answerEvent } from "./attendance.ts";
export { checkInAttendee } from "./check-in.ts";
export { releasePlaces, PLACE_RELEASING_EVENTS } from "./released-places.ts";
export {
  isEventHost,
  isHostedBy as isEventHostedBy,
  visibleHosts as visibleEventHosts,
} from "./hosts/host-columns.ts";
export { stopHosting } from "./hosts/stop-hosting.ts";
export { HOST_RELEASING_EVENTS, releaseHosts } from "./hosts/released-hosts.ts";
export { readAnswersBefore, restoreAnswers } from "./restored-answers.ts";
export type { AnswerBefore } from "./restored-answers.ts";
export { emitDueReminders } from "./event-reminders.ts";
export { changeFeed, FeedChange, getFeed, getFeedTokens, listFeedEvents } from "./calendar-feeds.ts";
export type { FeedScope } from "./calendar-feeds.ts";
export { getEvent } from "./event.ts";
export {
  iterateAttendees,
  listAttendees,
  listEvents,
  listMonthEvents,
  listPastEvents,
  upcomingGroupEvents,
} from "./event-lists.ts";
export type { Attendee, EventsQuery } from "./event-lists.ts";
export {
  getMonthBounds,
  dayInTimeZone,
  listMonthDays,
  lastDayOfWeek,
  monthInTimeZone,
  startOfDay,
} from "./calendar-days.ts";
export { toFormTimes } from "./event-times.ts";
export { isEventManageable, isEventVisible, isPlaceVisible as isEventPlaceVisible } from "./event-columns.ts";
export type { CalendarEvent, FeedEvent, OccurrenceRow } from "./event-columns.ts";
export { previewSeries } from "./series/series-preview.ts";
export type { SeriesPreview } from "./series/series-preview.ts";
export { getEventSeries, listSeriesDates } from "./series/event-series.ts";
export type { EventSeries } from "./series/event-series.ts";
export { NO_RECURRENCE, toRecurrenceFields } from "./series/series-inputs.ts";
export type { RecurrenceFields } from "./series/series-inputs.ts";
export { extendSeries } from "./series/series-rows.ts";
export type { ClockChange } from "./series/occurrence-times.ts";
export {
  ChosenTime,
  DATE_POLL_LENGTHS,
  DatePollAnswer,
  DatePollRef,
  NewDatePoll,
} from "./date-polls/date-poll-inputs.ts";
export {
  answerDatePoll,
  closeDatePoll,
  createDatePoll,
  deleteDatePoll,
  reopenDatePoll,
} from "./date-polls/date-poll-commands.ts";
export { createEventFromPoll } from "./date-polls/date-poll-event.ts";
export { getDatePoll, listDatePollAnswers, listOpenDatePolls } from "./date-polls/date-polls.ts";
export type { DatePollAnswers, DatePollRow } from "./date-polls/date-polls.ts";
export { isDatePollOpen, isDatePollVisible } from "./date-polls/date-poll-columns.ts";
export type { DatePoll, DatePollTime } from "./date-polls/date-poll-columns.ts";
export {
  EventImportRef,
  NewEventImport,
  NewSubscription,
  SubscriptionRemoval,
  toFileName,
} from "./imports/import-inputs.ts";
export {
  getEventImport,
  prepareImport,
  purgeEventImports,
  runEventImport,
  undoEventImport,
} from "./imports/event-imports.ts";
export type { EventImportView } from "./imports/event-imports.ts";
export type { SkippedGroup, SkipReason } from "./imports/import-entries.ts";
export {
  addSubscription,
  listSubscriptions,
  removeSubscription,
  requestReading,
  SUBSCRIPTION_TASK,
} from "./imports/calendar-subscriptions.ts";
export type { CalendarSubscription, SubscriptionProblem } from "./imports/calendar-subscriptions.ts";
export { readDueSubscriptions, readSubscription } from "./imports/subscription-reading.ts";
