import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { answerEvent, EventAnswer, getEvent } from "#community/calendar";
import { MINUTE } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { createTestEvent } from "../support/calendar-setup.ts";
import { startSmtpServer } from "../support/rest/smtp-server.ts";
import { connectionUrl } from "../support/setup/global-setup.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { createPerson, createTestGroup, createTestUsers, setMembership } from "../support/test-users.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const PEOPLE = 20;

const smtp = await startSmtpServer();
afterAll(() => smtp.close());
const recipients = () => smtp.handed.flatMap((it) => it.for);

/** Its clock is ahead by these minutes: a later process finds the mails due that an earlier one holds. */
const startMailing = (minutes: number): ChildProcess =>
  spawn(process.execPath, ["test/support/mail/mail-process.ts"], {
    env: {
      ...process.env,
      DATABASE_URL: connectionUrl(database.connection),
      SMTP_URL: smtp.url,
      AHEAD: String(minutes * MINUTE),
    },
    stdio: "inherit",
  });
const kill = async (child: ChildProcess) => {
  child.kill("SIGKILL");
  await once(child, "close");
};
const count = async (rows: ReturnType<typeof sql>) =>
  (await one(db, sql<{ n: number }>`select count(*)::int as n from ${rows}`)).n;
const reach = (read: () => Promise<number> | number, least: number) =>
  expect.poll(read, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(least);

test("each answer leads to one mail, although the process is killed before and while it creates the mails", async () => {
  database.clock.at = new Date();
  const { mira, tomas, noor } = await createTestUsers(database);
  const group = await createTestGroup(database, { tomas, mira }, { visibility: "private" });
  await within((tx) => setMembership(tx, group.id, noor, "member"));
  const waiting = await within((tx) =>
    Promise.all(Array.from({ length: PEOPLE }, (_, n) => createPerson(tx, `guest${n}`))),
  );
  for (const who of waiting) await within((tx) => setMembership(tx, group.id, who, "member"));
  const { id } = await createTestEvent(database, mira, group.id, { capacity: 1 });
  const { occurrenceId } = await getEvent(db, mira, id);
  const answer = (who: typeof mira, choice: "going" | "declined") =>
    within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: choice })));
  await answer(noor, "going");
  for (const who of waiting) await answer(who, "going");
  await run(db, sql`update outbox set handled_at = now() where ${true}`);
  await run(db, sql`update calendar_events set capacity = ${PEOPLE} where id = ${id}`);
  await answer(noor, "declined");

  const told = () => count(sql`notifications where kind = 'event_place'`);
  const queued = () => count(sql`mails`);
  const first = startMailing(0);
  await reach(told, 1);
  await kill(first);
  const second = startMailing(10);
  await reach(queued, 1);
  await kill(second);
  expect(recipients().length).toBeLessThan(PEOPLE);
  const third = startMailing(20);
  await reach(() => new Set(recipients()).size, PEOPLE);
  // The process has nothing left to do: what it sent twice would have come by now.
  await expect.poll(() => count(sql`mails where sent_at is null`)).toBe(0);
  await kill(third);

  expect(recipients().toSorted()).toEqual(waiting.map((_, n) => `guest${n}@example.org`).toSorted());
  expect(new Set(smtp.handed.map(({ mail }) => mail.messageId)).size).toBe(PEOPLE);
}, 120_000);
