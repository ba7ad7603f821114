import { expect, test } from "vitest";
import { DAY, addMilliseconds, SECOND } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { appealSanction, resolveCase } from "#community/moderation";
import { setStatus, mailAppealNotice, mailStatusNotice } from "#community/accounts";
import { dispatchEvents } from "../support/notifications/deliveries.ts";
import { createAccountsContext } from "../support/accounts/accounts-context.ts";
import { createTestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

test("a sanction and its end notify the person, who cannot disable these notifications", async () => {
  const { ada, mira } = await createTestUsers(database);
  const put = (state: "active" | "limited" | "suspended", end: Date | null = null) =>
    within((tx) =>
      setStatus(tx, ada, { personId: mira.id, state, reason: "Adverts in three groups.", until: end }),
    );
  const kept = () =>
    one(
      db,
      sql`select kind, detail, words, moment, shown from notifications order by created_at desc, id desc
        limit 1`,
    );
  const until = addMilliseconds(clock.at, DAY);
  await put("limited", until);
  await dispatchEvents(database);
  expect(await kept()).toEqual({
    kind: "security",
    detail: "limited",
    words: "Adverts in three groups.",
    moment: until,
    shown: true,
  });
  clock.pass(SECOND);
  await put("active");
  await put("active");
  await dispatchEvents(database);
  expect(await kept()).toMatchObject({ detail: "restored", words: "" });
  await run(db, sql`delete from notifications`);
  await put("suspended");
  await dispatchEvents(database);
  expect(await many(db, sql`select id from notifications`)).toEqual([]);
});

test("an appeal notifies all staff except the person who imposed the sanction", async () => {
  const { ada, ines, mira } = await createTestUsers(database);
  const accounts = createAccountsContext(database);
  const appeal = async () => {
    await within((tx) =>
      setStatus(tx, ines, {
        personId: mira.id,
        state: "suspended",
        reason: "Adverts.",
        until: addMilliseconds(clock.at, DAY),
      }),
    );
    await run(db, sql`delete from notifications`);
    const { id: reportId } = await within((tx) => appealSanction(tx, mira, { text: "Not mine." }));
    await dispatchEvents(database);
    return reportId;
  };
  const answer = (reportId: string, outcome: "restored" | "rejected") =>
    within((tx) => resolveCase(tx, ada, { caseId: reportId, outcome, reason: "We looked again.", note: "" }));
  const last = async (type: string) =>
    one(
      db,
      sql<{
        id: string;
        at: Date;
        payload: never;
      }>`select id, at, payload from outbox where type = ${type} order by id desc limit 1`,
    );
  const mail = async () => (await listMailbox(db, "mira@example.org"))[0]!;

  const first = await appeal();
  expect(await many(db, sql`select person_id as id, kind, detail from notifications`)).toEqual([
    { id: ada.id, kind: "report", detail: "appeal account" },
  ]);
  await answer(first, "rejected");
  await dispatchEvents(database);
  const declined = await last("person.appeal-declined");
  for (let n = 0; n < 2; n++)
    await mailAppealNotice(accounts, { id: declined.id, personId: mira.id, reportId: first });
  expect(await mail()).toMatchObject({ subject: "Decision on your appeal" });
  expect((await mail()).text).toContain("Reason: We looked again.");
  clock.pass(SECOND);
  const second = await appeal();
  await answer(second, "restored");
  const { payload, ...it } = await last("person.status-changed");
  await mailStatusNotice(accounts, { ...it, ...(payload as object) } as never);
  expect((await mail()).subject).toBe("Your account is active again");
  expect((await mail()).text).toContain("Reason: We looked again.");
  expect(await listMailbox(db, "mira@example.org")).toHaveLength(2);
  expect(
    await many(
      db,
      sql`select id from notifications where person_id = ${mira.id} and kind = 'report_decision'`,
    ),
  ).toEqual([]);
});
