import ICAL from "ical.js";
import { beforeEach, describe, expect, test } from "vitest";
import { HOUR } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { answerEvent, cancelEvent, editEvent, EventAnswer, EventChange, getEvent } from "#community/calendar";
import { banFromGroup } from "#community/groups";
import { createTestEvent, eventFields } from "../../../test/support/calendar-setup.ts";
import {
  app,
  clock,
  database,
  db,
  group,
  people,
  within,
  box,
  listPosts,
} from "../../../test/support/mail/inbound-setup.ts";
import { dispatchEvents } from "../../../test/support/notifications/deliveries.ts";
import { processInboundMail } from "./inbound-mail.ts";
import { sendNotificationMail } from "./index.ts";

const MIRA = "mira@example.org";
let eventId: string;

beforeEach(async () => {
  await run(db, sql`update people set mail_level = 'everything'`);
  await dispatchEvents(database);
  await run(db, sql`delete from notifications`);
  ({ id: eventId } = await createTestEvent(database, people.tomas, group.id, {
    place: "The shed",
  }));
});

/** Sends what is due to Mira and returns the calendar part of her latest mail, read by another parser. */
async function latestInvitation() {
  await dispatchEvents(database);
  clock.pass(HOUR);
  await sendNotificationMail(app);
  const [mail] = await many(
    db,
    sql<{ calendar: { method: string; text: string } | null }>`
      select letter -> 'calendar' as calendar from mails where person_id = ${people.mira.id}
      order by created_at desc, id desc`,
  );
  if (!mail?.calendar) return null;
  const whole = new ICAL.Component(ICAL.parse(mail.calendar.text));
  const event = whole.getFirstSubcomponent("vevent")!;
  const attendee = event.getFirstProperty("attendee")!;
  return {
    method: [mail.calendar.method, whole.getFirstPropertyValue("method")],
    uid: String(event.getFirstPropertyValue("uid")),
    sequence: Number(event.getFirstPropertyValue("sequence")),
    status: event.getFirstPropertyValue("status"),
    organizer: String(event.getFirstPropertyValue("organizer")).replace(/^mailto:/i, ""),
    attendee: [String(attendee.getFirstValue()).replace(/^mailto:/i, ""), attendee.getParameter("partstat")],
    start: (event.getFirstPropertyValue("dtstart") as ICAL.Time).toString().replaceAll(/[-:]/g, ""),
  };
}

type Invitation = NonNullable<Awaited<ReturnType<typeof latestInvitation>>>;

/** An answer as calendar programs send it. */
const createReply = (
  { uid, sequence, organizer, start }: Invitation,
  status: string,
  { id = `<${status}@example.org>`, from = MIRA, method = "REPLY", more = [] as string[] } = {},
) =>
  Buffer.from(
    [
      `From: ${from}`,
      `To: ${organizer}`,
      "Subject: Re: Repair evening",
      `Message-ID: ${id}`,
      "Auto-Submitted: auto-generated",
      'Content-Type: multipart/alternative; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain; charset=utf-8",
      "",
      "Mira has answered.",
      "--b",
      `Content-Type: text/calendar; charset=utf-8; method=${method}`,
      "",
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Test//Calendar//EN",
      `METHOD:${method}`,
      "BEGIN:VEVENT",
      `UID:${uid}`,
      `SEQUENCE:${sequence}`,
      "DTSTAMP:20261127T120000Z",
      `DTSTART:${start}`,
      `ORGANIZER:mailto:${organizer}`,
      `ATTENDEE;PARTSTAT=${status}:MAILTO:${from}`,
      ...more,
      "END:VEVENT",
      "END:VCALENDAR",
      "--b--",
    ].join("\r\n"),
  );

const answerOf = async () => {
  const { answer, note, companions } = await getEvent(db, people.mira, eventId);
  return { answer, note, companions };
};

describe("calendar invitation", () => {
  test("updates the same calendar entry with each mail about the event", async () => {
    const first = (await latestInvitation())!;
    expect(first).toMatchObject({
      method: ["request", "REQUEST"],
      sequence: 0,
      status: "CONFIRMED",
      attendee: [MIRA, "NEEDS-ACTION"],
    });
    expect(first.organizer).toMatch(/^reply\+[a-z2-7]{24}@kith\.test$/);
    const { occurrenceId } = await getEvent(db, people.mira, eventId);
    expect(first.uid).toBe(`${occurrenceId}@kith.test`);
    await within((tx) => answerEvent(tx, people.mira, EventAnswer.parse({ occurrenceId, answer: "maybe" })));
    const { body: _, ...words } = eventFields(clock.at);
    const change = EventChange.parse({ ...words, eventId, changes: 0, place: "The hall" });
    await within((tx) => editEvent(tx, people.tomas, change));
    expect(await latestInvitation()).toMatchObject({
      uid: first.uid,
      organizer: first.organizer,
      sequence: 1,
      attendee: [MIRA, "TENTATIVE"],
    });
    await within((tx) => cancelEvent(tx, people.tomas, { eventId, reason: "Storm." }));
    expect(await latestInvitation()).toMatchObject({
      method: ["cancel", "CANCEL"],
      uid: first.uid,
      sequence: 2,
      status: "CANCELLED",
    });
  });

  test("requests no answer if replies by mail are disabled", async () => {
    const { replyBox } = app;
    app.replyBox = null as never;
    const invitation = await latestInvitation().finally(() => (app.replyBox = replyBox));
    expect(invitation).toMatchObject({
      method: ["publish", "PUBLISH"],
      organizer: "noreply@kith.test",
    });
  });
});

describe("answer by a calendar program", () => {
  test("counts once, and a later answer replaces it", async () => {
    const invitation = (await latestInvitation())!;
    const accept = createReply(invitation, "ACCEPTED", { more: ["COMMENT:I bring soup."] });
    expect(await processInboundMail(app, accept)).toBe("answered");
    expect(await answerOf()).toEqual({ answer: "going", note: "I bring soup.", companions: 0 });
    expect(await processInboundMail(app, createReply(invitation, "DECLINED"))).toBe("answered");
    expect(await processInboundMail(app, accept)).toBe("known");
    expect(await answerOf()).toMatchObject({ answer: "declined" });
    expect(await processInboundMail(app, createReply(invitation, "TENTATIVE"))).toBe("answered");
    expect(await answerOf()).toMatchObject({ answer: "maybe" });
  });

  test.each([
    ["of another sender", (it: Invitation) => createReply(it, "ACCEPTED", { from: "eve@example.org" })],
    ["without an answer", (it: Invitation) => createReply(it, "DELEGATED")],
    ["for another event", (it: Invitation) => createReply({ ...it, uid: "1@kith.test" }, "ACCEPTED")],
    ["for another time", (it: Invitation) => createReply({ ...it, start: "20300101T100000Z" }, "ACCEPTED")],
  ])("%s is refused", async (_, write) => {
    expect(await processInboundMail(app, write((await latestInvitation())!))).toBe("refused");
    expect(await answerOf()).toMatchObject({ answer: null });
  });

  test("with another calendar method is treated as automatic mail", async () => {
    const counter = createReply((await latestInvitation())!, "ACCEPTED", { method: "COUNTER" });
    expect(await processInboundMail(app, counter)).toBe("automatic");
  });

  test("to the address of a discussion is treated as automatic mail", async () => {
    const invitation = (await latestInvitation())!;
    const reply = createReply({ ...invitation, organizer: box }, "ACCEPTED");
    expect(await processInboundMail(app, reply)).toBe("automatic");
    expect(await listPosts()).toEqual([]);
  });

  test("fails for a person who may no longer see the event", async () => {
    const invitation = (await latestInvitation())!;
    const { id: groupId } = group;
    const ban = { groupId, personId: people.mira.id, reason: "Noise." };
    await within((tx) => banFromGroup(tx, people.tomas, ban));
    expect(await processInboundMail(app, createReply(invitation, "ACCEPTED"))).toBe("refused");
    expect(await many(db, sql`select from attendances`)).toEqual([]);
  });
});
