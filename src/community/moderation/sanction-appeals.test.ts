import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds, SECOND } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { setRole, setStatus } from "#community/accounts";
import type { SignedIn, Viewer } from "#community/rules";
import { createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  appealSanction,
  purgeSanctionAppeals,
  viewCase,
  NewSanctionAppeal,
  listOwnReports,
  listCases,
  resolveCase,
  getSanctionAppeal,
} from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

type State = "active" | "limited" | "suspended";
const put = (by: Viewer, { id: personId }: SignedIn, state: State, until: Date | null = null) =>
  within((tx) => setStatus(tx, by, { personId, state, reason: "Adverts in three groups.", until }));
const ask = (viewer: Viewer, text = "They were not mine.") =>
  within((tx) => appealSanction(tx, viewer, NewSanctionAppeal.parse({ text })));
const answer = (
  viewer: Viewer,
  reportId: string,
  outcome: "restored" | "rejected" | "upheld",
  reason = "We looked again.",
) => within((tx) => resolveCase(tx, viewer, { caseId: reportId, outcome, reason, note: "" }));
const look = (viewer: Viewer, id: string) => within((tx) => viewCase(tx, viewer, id));
const seen = async (viewer: Viewer) =>
  (await listCases(db, viewer, { tab: "open" })).rows.map(({ id }) => id);
const stateOf = ({ id }: SignedIn) =>
  many(db, sql<{ state: string }>`select state from people where id = ${id}`);
/** Test users. Tomas is a site moderator, like Ines. */
async function people(): Promise<TestUsers> {
  const all = await createTestUsers(database);
  await within((tx) => setRole(tx, all.ada, { personId: all.tomas.id, role: "moderator" }));
  return { ...all, tomas: { ...all.tomas, role: "moderator" } };
}

describe("limited or suspended person", () => {
  test.each(["limited", "suspended"] as const)("can appeal once: %s", async (state) => {
    const { ada, mira } = await people();
    await expect(ask(mira)).rejects.toMatchObject({ reason: "not-found" });
    await put(ada, mira, state);
    expect(await getSanctionAppeal(db, mira)).toBeNull();
    await ask(mira);
    expect(await getSanctionAppeal(db, mira)).toMatchObject({
      text: "They were not mine.",
      askedAt: clock.at,
      outcome: null,
    });
    await expect(ask(mira)).rejects.toMatchObject({ reason: "conflict" });
    await expect(ask({ ...mira, id: null, role: "guest" })).rejects.toMatchObject({
      reason: "not-signed-in",
    });
  });

  test("may write two thousand characters within twenty days", async () => {
    const { ada, mira } = await people();
    await put(ada, mira, "suspended");
    expect(NewSanctionAppeal.safeParse({ text: "x".repeat(2_001) }).success).toBe(false);
    clock.pass(20 * DAY + SECOND);
    await expect(ask(mira)).rejects.toMatchObject({ reason: "not-allowed" });
    clock.pass(-SECOND);
    await ask(mira, "x".repeat(2_000));
  });

  test("can appeal a new decision, but not while the first appeal is pending", async () => {
    const { ada, ines, mira } = await people();
    await put(ada, mira, "limited");
    const { id } = await ask(mira);
    clock.pass(DAY);
    await put(ada, mira, "suspended");
    await expect(ask(mira)).rejects.toMatchObject({ reason: "conflict" });
    await answer(ines, id, "rejected");
    expect(await getSanctionAppeal(db, mira)).toBeNull();
    await ask(mira);
  });
});

describe("sanction appeal", () => {
  test("excludes the staff member who set the sanction if another staff member can decide", async () => {
    const { ada, ines, tomas, mira } = await people();
    await put(ines, mira, "suspended", addMilliseconds(clock.at, DAY));
    const { id } = await ask(mira);
    expect(await seen(ines)).toEqual([]);
    await expect(look(ines, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(answer(ines, id, "restored")).rejects.toMatchObject({ reason: "not-found" });
    for (const viewer of [ada, tomas]) expect(await seen(viewer)).toEqual([id]);
    expect(await look(tomas, id)).toMatchObject({
      appeal: true,
      reason: "They were not mine.",
      messages: [],
      place: { kind: "person", id: mira.id },
      removal: {
        by: { id: ines.id },
        reason: "Adverts in three groups.",
        at: clock.at,
        state: "suspended",
        until: addMilliseconds(clock.at, DAY),
      },
    });
    await expect(look(mira, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("can be decided by the staff member who set the sanction if there is no other", async () => {
    const { ada, ines, mira } = await createTestUsers(database);
    await run(db, sql`update people set site_role = 'member' where id = ${ines.id}`);
    await put(ada, mira, "suspended");
    const { id } = await ask(mira);
    expect(await seen(ada)).toEqual([id]);
  });

  test("lifts the sanction if granted, with a reason for the person", async () => {
    const { ada, ines, mira } = await people();
    await put(ada, mira, "suspended");
    const { id } = await ask(mira);
    await expect(answer(ines, id, "restored", " ")).rejects.toMatchObject({
      reason: "invalid",
      fields: { reason: expect.any(String) },
    });
    await expect(answer(ines, id, "upheld")).rejects.toMatchObject({ reason: "invalid" });
    await answer(ines, id, "restored");
    expect(await stateOf(mira)).toEqual([{ state: "active" }]);
    expect((await listOwnReports(db, mira)).rows).toMatchObject([
      { appeal: true, about: "person", outcome: "upheld", answer: "We looked again." },
    ]);
    await expect(answer(ines, id, "rejected")).rejects.toMatchObject({ reason: "conflict" });
  });

  test("leaves the sanction if rejected, with a reason", async () => {
    const { ada, ines, mira } = await people();
    await put(ada, mira, "limited");
    const { id } = await ask(mira);
    await answer(ines, id, "rejected");
    expect(await stateOf(mira)).toEqual([{ state: "limited" }]);
    expect(await getSanctionAppeal(db, mira)).toMatchObject({
      outcome: "rejected",
      answer: "We looked again.",
    });
    expect(
      await many(
        db,
        sql`select payload->>'reportId' as id from outbox where type = 'person.appeal-declined'`,
      ),
    ).toEqual([{ id }]);
  });

  test("ends when the sanction is lifted or expires", async () => {
    const { ada, ines, mira, noor } = await people();
    await put(ada, mira, "suspended");
    await ask(mira);
    await put(ines, mira, "active");
    expect(await seen(ines)).toEqual([]);
    await put(ada, noor, "limited");
    const { id } = await ask(noor);
    await run(db, sql`update people set state = 'active' where id = ${noor.id}`);
    for (const outcome of ["restored", "rejected"] as const)
      await expect(answer(ines, id, outcome)).rejects.toMatchObject({ reason: "conflict" });
    expect(await within(purgeSanctionAppeals)).toBe(1);
    expect(await seen(ines)).toEqual([]);
  });
});
