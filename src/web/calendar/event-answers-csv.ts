import { type Attendee, getEvent, iterateAttendees } from "#community/calendar";
import { type AttendanceAnswer, calendarRules } from "#community/rules";
import { notFound } from "#platform/refusal";
import { requireMember } from "../auth-middleware.ts";
import { csvResponse } from "../csv.ts";
import { defineLoader } from "../request-context.ts";

export const middleware = [requireMember];

/** All answers to an event as a CSV file, for its host and the group's moderators. */
export const loader = defineLoader(async ({ db, viewer, params }) => {
  const event = await getEvent(db, viewer, params["eventId"] ?? "");
  if (!calendarRules.seeNotes(viewer, event)) throw notFound();
  return csvResponse(`answers-${event.id}`, CSV_HEADER, toCsvRows(iterateAttendees(db, viewer, event)));
});

const CSV_HEADER = ["Name", "Username", "Answer", "Companions", "Note", "Answered at", "Checked in at"];

async function* toCsvRows(
  attendees: AsyncIterable<Attendee & { answer: AttendanceAnswer }>,
): AsyncGenerator<string[]> {
  for await (const it of attendees)
    yield [
      it.name,
      it.username,
      it.answer,
      String(it.companions),
      it.note,
      it.answeredAt.toISOString(),
      it.checkedInAt?.toISOString() ?? "",
    ];
}
