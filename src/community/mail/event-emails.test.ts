import { expect, test } from "vitest";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { countBounce, listMailbox } from "#platform/mail";
import { addWordFilter, NewWordFilter } from "#community/friends";
import { answerEvent, cancelEvent, emitDueReminders, EventAnswer, getEvent } from "#community/calendar";
import type { SignedIn } from "#community/rules";
import { createTestEvent } from "../../../test/support/calendar-setup.ts";
import { createMailContext } from "../../../test/support/mail/mail-context.ts";
import { dispatchEvents } from "../../../test/support/notifications/deliveries.ts";
import {
  createPerson,
  createTestGroup,
  createTestUsers,
  setMembership,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { sendNotificationMail, sendReminderMail } from "./index.ts";
import { mailScope } from "./unsubscribe.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const app = createMailContext(database);

/** An event that begins in a day and to which `count` people are going, with the reminders that are due. */
async function setup(count: number) {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private", name: "The Long Beds" });
  const { id } = await createTestEvent(database, people.mira, group.id, { place: "The shed" });
  const { occurrenceId, startsAt } = await getEvent(db, people.mira, id);
  const going: SignedIn[] = [];
  for (let i = 0; i < count; i++) {
    const who = await within((tx) => createPerson(tx, `person${i}`));
    await within((tx) => setMembership(tx, group.id, who, "member"));
    await within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: "going" })));
    going.push(who);
  }
  await dispatchEvents(database);
  await run(db, sql`delete from notifications`);
  clock.at = addMilliseconds(startsAt, -DAY);
  const remind = async () => {
    await within(emitDueReminders);
    await dispatchEvents(database);
  };
  return { ...people, group, id, going, remind };
}

test("a reminder is sent at once, with the event's time in the reader's time zone", async () => {
  const { going, remind, id } = await setup(1);
  await run(
    db,
    sql`update people set time_zone = 'Asia/Kathmandu', locale = 'de' where id = ${going[0]!.id}`,
  );
  await remind();
  expect(await sendReminderMail(app)).toBe(1);
  const [mail] = await listMailbox(db);
  expect(mail!.subject).toBe("Repair evening");
  expect(mail!.text).toContain("„Repair evening“ beginnt in einem Tag.");
  expect(mail!.text).toContain("15:45 · The shed");
  expect(mail!.text).toContain(`https://kith.test/events/${id}`);
});

test("each person gets one reminder, even if jobs run concurrently, fail and run again", async () => {
  const { remind, going } = await setup(9);
  await remind();
  let failures = 3;
  const failing = {
    ...app,
    database: {
      inTransaction: ((work) =>
        database.inTransaction(async (tx) => {
          const result = await work(tx);
          // Simulates a process that dies before the commit.
          if (typeof result === "number" && failures-- > 0) throw new Error("killed");
          return result;
        })) as typeof database.inTransaction,
    },
    log: { ...app.log, error: () => undefined } as unknown as typeof app.log,
  };
  await Promise.allSettled([sendReminderMail(failing), sendReminderMail(app)]);
  clock.pass(HOUR + MINUTE);
  await remind();
  await sendReminderMail(app);
  const mails = await many(db, sql<{ personId: string }>`select person_id as "personId" from mails`);
  expect(mails.map(({ personId }) => personId).toSorted()).toEqual(going.map(({ id }) => id).toSorted());
});

test("reminders are sent separately and with a lower priority than other mail", async () => {
  const { remind } = await setup(2);
  await remind();
  clock.pass(MINUTE);
  expect(await sendNotificationMail(app)).toBe(0);
  expect(await sendReminderMail(app)).toBe(2);
  const jobs = await many(
    db,
    sql<{ priority: number }>`select priority from graphile_worker.jobs
    where task_identifier = 'mail'`,
  );
  expect(jobs).toEqual([{ priority: 10 }, { priority: 10 }]);
});

test("a cancelled event causes a mail about the cancellation instead of a reminder", async () => {
  const { mira, id, remind } = await setup(1);
  await remind();
  await within((tx) => cancelEvent(tx, mira, { eventId: id, reason: "Storm." }));
  expect(await sendReminderMail(app)).toBe(0);
  await dispatchEvents(database);
  clock.pass(3 * MINUTE);
  expect(await sendNotificationMail(app)).toBe(1);
  const [mail] = await listMailbox(db);
  expect(mail!.text).toContain("“Repair evening” was cancelled.");
  expect(mail!.text).toContain("Reason: Storm.");
});

test("reminders respect unsubscriptions, word filters and bounces", async () => {
  const { going, remind } = await setup(4);
  const [unsubscribed, filtering, bouncing, other] = going;
  await run(
    db,
    sql`insert into mail_suppressions (person_id, scope, at)
        values (${unsubscribed!.id}, ${mailScope("kind", "event_tomorrow")}, ${clock.at})`,
  );
  await within((tx) =>
    addWordFilter(
      tx,
      filtering!,
      NewWordFilter.parse({ phrase: "repair", contexts: ["notifications"], action: "hide", until: null }),
    ),
  );
  await countBounce(db, "person2@example.org", 10, clock.at);
  await remind();
  expect(await sendReminderMail(app)).toBe(1);
  expect(await many(db, sql`select person_id as id from mails`)).toEqual([{ id: other!.id }]);
  expect(bouncing).toBeDefined();
  expect(await sendReminderMail(app)).toBe(0);
});

test("two reminders of one person are mailed, and a hidden description hides the place", async () => {
  const { going, mira, group, remind, id } = await setup(1);
  const second = await createTestEvent(database, mira, group.id, { title: "Sowing", place: "The shed" });
  const { occurrenceId } = await getEvent(db, mira, second.id);
  await within((tx) => answerEvent(tx, going[0]!, EventAnswer.parse({ occurrenceId, answer: "going" })));
  await run(
    db,
    sql`update posts set state = 'hidden' where id in (select post_id from calendar_events where id = ${id})`,
  );
  await run(
    db,
    sql`update calendar_occurrences set starts_at = ${addMilliseconds(clock.at, DAY)},
          ends_at = ${addMilliseconds(clock.at, DAY + HOUR)}`,
  );
  await remind();
  expect(await sendReminderMail(app)).toBe(2);
  const mails = await listMailbox(db);
  const text = (subject: string) => mails.find((it) => it.subject === subject)!.text;
  expect(text("Sowing")).toContain("The shed");
  expect(text("Repair evening")).not.toContain("The shed");
});
