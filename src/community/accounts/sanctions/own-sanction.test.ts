import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  ADMIN,
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import {
  liftEndedSanctions,
  getOwnSanction,
  setStatus,
  mailStatusNotice,
  signIn,
  readAccountStatusToken,
} from "../index.ts";
import type { StatusNotice } from "./own-sanction.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const app = createAccountsContext(database);

type State = "active" | "limited" | "suspended";
const put = (personId: string, state: State, until: Date | null = null) =>
  within((tx) => setStatus(tx, ADMIN, { personId, state, reason: "Adverts in three groups.", until }));

/** Delivers decisions like the dispatcher, which may deliver an event several times. */
async function sendNotices(times = 1) {
  const happened = await many(
    db,
    sql<{ id: string; at: Date; payload: Omit<StatusNotice, "id" | "at"> }>`
      select id, at, payload from outbox where type = 'person.status-changed' order by id`,
  );
  for (const { payload, ...it } of happened)
    for (let n = 0; n < times; n++) await mailStatusNotice(app, { ...it, ...payload });
}
const listSubjects = async () => (await listMailbox(db, "ana@example.org")).map(({ subject }) => subject);

describe("sanction notice", () => {
  test.each([
    [
      "limited",
      "Your account is restricted",
      "you can read, and message only people you know",
      "The restriction ends automatically:",
    ],
    ["suspended", "Your account is suspended", "you cannot sign in", "The suspension ends automatically:"],
  ] as const)(
    "arrives once by mail with the reason and the end date: %s",
    async (state, subject, excerpt, ends) => {
      const ana = await app.member({ username: "ana" });
      await put(ana.id, state, addMilliseconds(clock.at, 3 * DAY));
      await sendNotices(2);
      expect(await listSubjects()).toEqual([subject]);
      const { text } = (await app.mailTo("ana@example.org"))!;
      for (const part of [excerpt, "Reason: Adverts in three groups.", ends]) expect(text).toContain(part);
    },
  );

  test("contains no end date for an indefinite sanction", async () => {
    const ana = await app.member({ username: "ana" });
    await put(ana.id, "limited");
    await sendNotices();
    expect((await app.mailTo("ana@example.org"))!.text).not.toContain("ends automatically");
  });

  test("states only the current status if the sanction is lifted before sending", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    await put(ana.id, "limited");
    await put(ana.id, "active");
    await put(ben.id, "active");
    await sendNotices();
    expect(await listSubjects()).toEqual(["Your account is active again"]);
    expect(await listMailbox(db, "ben@example.org")).toEqual([]);
  });

  test("reports that a sanction has expired", async () => {
    const ana = await app.member({ username: "ana" });
    await put(ana.id, "suspended", addMilliseconds(clock.at, DAY));
    clock.pass(DAY);
    await within(liftEndedSanctions);
    await sendNotices();
    expect(await listSubjects()).toEqual(["Your account is active again"]);
    expect(await many(db, sql`select person_id from sanctions`)).toEqual([]);
  });
});

describe("account status", () => {
  test("shows a sanction only to the person concerned, while it lasts", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    expect(await getOwnSanction(db, ana, clock.at)).toBeNull();
    const [since, until] = [clock.at, addMilliseconds(clock.at, DAY)];
    await put(ana.id, "limited", until);
    expect(await getOwnSanction(db, ana, clock.at)).toEqual({
      state: "limited",
      reason: "Adverts in three groups.",
      since,
      until,
    });
    expect(await getOwnSanction(db, ben, clock.at)).toBeNull();
    expect(await getOwnSanction(db, ana, until)).toBeNull();
  });

  test("can be viewed through the emailed link or after a refused sign-in with the right password", async () => {
    const ana = await app.member({ username: "ana" });
    await put(ana.id, "suspended");
    await sendNotices();
    const refused = await signIn(app, { login: "ana", password: PASSWORD }, clientInfo(), "web").catch(
      (error: { standing: string }) => error,
    );
    const byPassword = "standing" in refused ? refused.standing : "";
    for (const token of [await app.tokenTo("ana@example.org"), byPassword])
      expect(await getOwnSanction(db, (await readAccountStatusToken(app, token))!, clock.at)).toMatchObject({
        state: "suspended",
      });
    expect(await readAccountStatusToken(app, "made up")).toBeNull();
    clock.pass(101 * DAY);
    expect(await readAccountStatusToken(app, byPassword)).toBeNull();
  });
});
