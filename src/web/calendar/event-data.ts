import {
  type CalendarEvent,
  getEvent,
  getEventSeries,
  listAttendees,
  listSeriesDates,
} from "#community/calendar";
import { getPost, type PostView } from "#community/discussions";
import { type AttendanceAnswer, calendarRules, groupRules, type Viewer } from "#community/rules";
import { createExcerpt } from "#platform/markup";
import { Refusal } from "#platform/refusal";
import type { Db } from "#platform/database";
import { readQueryParam } from "../form-parsing.ts";

const ANSWERS = ["going", "maybe", "waiting", "declined"] as const satisfies AttendanceAnswer[];
/** Maximum characters of the description for search engines and link previews. */
const EXCERPT = 200;
/** Maximum further dates of a series on the page of one of its dates. */
const DATES = 6;

/** All data of an event's page for this viewer. */
export async function loadEventPage(db: Db, viewer: Viewer, id: string, url: URL, now: Date) {
  const event = await getEvent(db, viewer, id);
  const can = getPermissions(viewer, event, now);
  const wanted = ANSWERS.find((name) => name === readQueryParam(url, "who")) ?? "going";
  const answer = wanted === "declined" && !can.seeNotes ? "going" : wanted;
  const after = readQueryParam(url, "after", 1000) || undefined;
  const [text, attendees, repetition, dates] = await Promise.all([
    loadDescription(db, viewer, event),
    can.seeAttendees ? listAttendees(db, viewer, event, { answer, after }) : null,
    getEventSeries(db, event),
    event.seriesId ? listSeriesDates(db, viewer, { seriesId: event.seriesId, now, most: DATES + 1 }) : [],
  ]);
  const isPublic = event.group.visibility === "public" && event.audience === "group";
  return {
    event,
    can,
    text,
    excerpt: text?.html ? createExcerpt(text.html, EXCERPT) : "",
    who: attendees && { answer, ...attendees },
    isPublic,
    ...repetition,
    dates: dates.filter((it) => it.eventId !== id).slice(0, DATES),
    isOver: event.endsAt <= now && event.postponedAt === null,
    hasBegun: event.startsAt <= now,
  };
}

export type EventPageData = Awaited<ReturnType<typeof loadEventPage>>;

const getPermissions = (viewer: Viewer, event: CalendarEvent, now: Date) => ({
  change: calendarRules.change(viewer, event, now),
  stopHosting: calendarRules.stopHosting(viewer, event, now),
  checkIn: calendarRules.checkIn(viewer, event, now),
  answer: calendarRules.answer(viewer, event, now),
  decline: calendarRules.decline(viewer, event, now),
  seeAttendees: calendarRules.seeAttendees(viewer, event),
  seeNotes: calendarRules.seeNotes(viewer, event),
  join: groupRules.join(viewer, event.group),
});

/** Returns the first post of the event's discussion; null if the viewer cannot read it. */
async function loadDescription(
  db: Db,
  viewer: Viewer,
  { description }: CalendarEvent,
): Promise<Pick<PostView, "html" | "editedAt"> | null> {
  if (!description) return null;
  try {
    const { html, editedAt } = await getPost(db, viewer, description.postId);
    return { html, editedAt };
  } catch (error) {
    // The event was removed between the two reads.
    if (error instanceof Refusal && error.reason === "not-found") return null;
    throw error;
  }
}
