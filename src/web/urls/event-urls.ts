import { queryString } from "./query-string.ts";

/** View of a calendar: events from the day `from` on, a month, or past events. */
type CalendarView = {
  view?: "month" | "past" | undefined;
  month?: string;
  from?: string;
  /** Filter of the page with all events: `all`, `groups` or `answered`. */
  show?: string | undefined;
  after?: string;
};

/** Addresses of the calendar. */
export const eventUrls = {
  events: (at: CalendarView = {}) => `/events${queryString(at)}`,
  groupEvents: (slug: string, at: CalendarView = {}) => `/groups/${slug}/events${queryString(at)}`,
  /** Page of an event; `who` lists the people with this answer. */
  event: (id: string, at: { who?: string; after?: string } = {}) => `/events/${id}${queryString(at)}`,
  /** iCalendar file of an event; with `dates`, it contains all dates of the event's series. */
  eventCalendar: (id: string, at: { dates?: "all" } = {}) => `/events/${id}/event.ics${queryString(at)}`,
  eventAnswers: (id: string) => `/events/${id}/answers.csv`,
  /** Form to import a calendar file into a group. */
  eventImport: (slug: string) => `/groups/${slug}/events/import`,
  /** Preview of an imported file, and what the import has done. */
  eventImportPreview: (slug: string, id: string) => `/groups/${slug}/events/import/${id}`,
  /** Calendars on other sites to which a group subscribes. */
  groupSubscriptions: (slug: string) => `/groups/${slug}/events/subscriptions`,
  groupCalendar: (slug: string) => `/groups/${slug}/events.ics`,
  personalCalendar: (token: string) => `/calendar/${token}.ics`,
  calendarFeeds: () => "/events/feeds",
  newDatePoll: (group?: string) => `/events/polls/new${queryString({ group })}`,
  datePoll: (id: string, at: { after?: string } = {}) => `/events/polls/${id}${queryString(at)}`,
  /** Form to create an event at one of the times of a date poll. */
  chosenTime: (id: string, time: string) => `/events/polls/${id}/event${queryString({ time })}`,
  newEvent: (group?: string) => `/events/new${queryString({ group })}`,
  editEvent: (id: string) => `/events/${id}/edit`,
} as const;
