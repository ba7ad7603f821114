import { expect, test } from "vitest";
import { readInvitationReply } from "./index.ts";

const reply = (lines: string[], method = "REPLY") =>
  ["BEGIN:VCALENDAR", `METHOD:${method}`, "BEGIN:VEVENT", ...lines, "END:VEVENT", "END:VCALENDAR"].join(
    "\r\n",
  );

test("a reply to an invitation is parsed into event, person, answer and comment", () => {
  const lines = ["UID:1@kith.test", "DTSTART:20261205T180000Z", "COMMENT:Soup\\, too"];
  const attendees = ['ATTENDEE;PARTSTAT=accepted;CN="Ann, B":MAILTO:Ann@Example.org'];
  expect(readInvitationReply(reply([...lines, ...attendees]))).toEqual({
    uid: "1@kith.test",
    startsAt: new Date("2026-12-05T18:00:00Z"),
    answers: [{ email: "ann@example.org", answer: "accepted" }],
    comment: "Soup, too",
  });
});

test.each([
  ["a time in a zone", ["DTSTART;TZID=Europe/Berlin:20261205T190000"]],
  ["a day", ["DTSTART;VALUE=DATE:20261205"]],
  ["no time", []],
])("start of a reply is ignored if it is %s", (_, lines) => {
  expect(readInvitationReply(reply(["UID:1", ...lines]))).toMatchObject({
    startsAt: null,
    answers: [],
  });
});

test.each([
  ["another method", reply(["UID:1"], "REQUEST")],
  ["no event", "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nEND:VCALENDAR"],
  ["a broken text", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT"],
  ["a text that is too long", reply([`COMMENT:${"x".repeat(100_001)}`])],
  ["something else", "Hello"],
])("%s is not parsed as a reply", (_, text) => {
  expect(readInvitationReply(text)).toBeNull();
});
