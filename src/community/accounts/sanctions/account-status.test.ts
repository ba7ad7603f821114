import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { ADMIN, createAccountsContext } from "../../../../test/support/accounts/accounts-context.ts";
import { liftEndedSanctions, setRole, setStatus, approveAccount, declineAccount } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const suspend = (by: Parameters<typeof setStatus>[1], personId: string, days: number | null) =>
  database.inTransaction((tx) =>
    setStatus(tx, by, {
      personId,
      state: "suspended",
      reason: "Insults",
      until: days === null ? null : addMilliseconds(tx.now, days * DAY),
    }),
  );
const stateOf = (id: string) =>
  one(database.db, sql`select state, state_reason as reason from people where id = ${id}`);

describe("sanction", () => {
  test("may last up to 30 days if set by a moderator, or indefinitely if set by an admin", async () => {
    const [ana, moe] = [
      await app.member({ username: "ana" }),
      await app.member({ username: "moe", role: "moderator" }),
    ];
    await expect(suspend(moe, ana.id, null)).rejects.toMatchObject({
      reason: "not-allowed",
      fields: { until: expect.any(String) },
    });
    await expect(suspend(moe, ana.id, 31)).rejects.toMatchObject({ reason: "not-allowed" });
    await suspend(moe, ana.id, 30);
    await suspend(ADMIN, ana.id, null);
    expect(await stateOf(ana.id)).toEqual({ state: "suspended", reason: "Insults" });
    expect(
      await many(database.db, sql`select act, actor_id, object_id, reason from audit_events order by at, id`),
    ).toMatchObject([
      { act: "person.suspended", actor_id: moe.id, object_id: ana.id, reason: "Insults" },
      { actor_id: ADMIN.id },
    ]);
    expect(await app.events("person.status-changed")).toHaveLength(2);
  });

  test("cannot be set by members, nor on people of the same or a higher rank", async () => {
    const [ana, moe, joe] = [
      await app.member({ username: "ana" }),
      await app.member({ username: "moe", role: "moderator" }),
      await app.member({ username: "joe", role: "moderator" }),
    ];
    await expect(suspend(ana, joe.id, 1)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(suspend(moe, joe.id, 1)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(suspend(moe, moe.id, 1)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(suspend(moe, ADMIN.id, 1)).rejects.toMatchObject({ reason: "not-found" });
    await suspend(ADMIN, joe.id, 1);
  });

  test("ends at its time or when a moderator lifts it", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    await suspend(ADMIN, ana.id, 3);
    await suspend(ADMIN, ben.id, null);
    database.clock.pass(3 * DAY);
    expect(await database.inTransaction(liftEndedSanctions)).toBe(1);
    expect(await stateOf(ana.id)).toEqual({ state: "active", reason: null });
    await database.inTransaction((tx) =>
      setStatus(tx, ADMIN, { personId: ben.id, state: "active", reason: "Enough" }),
    );
    expect(await stateOf(ben.id)).toEqual({ state: "active", reason: null });
  });

  test("cannot be set on an unconfirmed account", async () => {
    const ana = await app.member({ username: "ana", state: "unverified" });
    await expect(suspend(ADMIN, ana.id, 1)).rejects.toMatchObject({ reason: "conflict" });
  });
});

describe("site role", () => {
  const give = (
    by: Parameters<typeof setRole>[1],
    personId: string,
    role: "member" | "moderator" | "admin",
  ) => database.inTransaction((tx) => setRole(tx, by, { personId, role }));

  test("can be changed by admins only, and never on themselves", async () => {
    const [ana, moe, root] = [
      await app.member({ username: "ana" }),
      await app.member({ username: "moe", role: "moderator" }),
      await app.member({ username: "roo", role: "admin" }),
    ];
    await expect(give(moe, ana.id, "moderator")).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(give(root, root.id, "member")).rejects.toMatchObject({ reason: "not-allowed" });
    await give(root, ana.id, "moderator");
    expect(await one(database.db, sql`select site_role, trust from people where id = ${ana.id}`)).toEqual({
      site_role: "moderator",
      trust: "established",
    });
    expect(await app.events("person.role-changed")).toMatchObject([{ personId: ana.id, role: "moderator" }]);
  });

  test("cannot be taken from the last admin", async () => {
    const root = await app.member({ username: "roo", role: "admin" });
    await expect(give(ADMIN, root.id, "member")).rejects.toMatchObject({ reason: "conflict" });
  });
});

describe("pending registration", () => {
  test("makes the person established when approved", async () => {
    const [ana, moe] = [
      await app.member({ username: "ana", state: "pending_approval" }),
      await app.member({ username: "moe", role: "moderator" }),
    ];
    await run(database.db, sql`update people set trust = 'new' where id = ${ana.id}`);
    await approveAccount(app, moe, ana.id);
    expect(await one(database.db, sql`select state, trust from people where id = ${ana.id}`)).toEqual({
      state: "active",
      trust: "established",
    });
  });

  test("can be declined by staff only, and only while it is pending", async () => {
    const [ana, moe] = [
      await app.member({ username: "ana", state: "pending_approval" }),
      await app.member({ username: "moe", role: "moderator" }),
    ];
    const decline = (by: typeof moe) => declineAccount(app, by, { personId: ana.id, reason: " Spam " });
    await expect(decline(ana)).rejects.toMatchObject({ reason: "not-allowed" });
    await decline(moe);
    const { subject, text } = (await app.mailTo("ana@example.org"))!;
    expect(subject).toBe("Your registration at Kith");
    expect(text).toContain("Reason: Spam\n");
    await expect(decline(moe)).rejects.toMatchObject({ reason: "not-found" });
    await expect(approveAccount(app, moe, moe.id)).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("leads to an email when it is declined, even without a reason", async () => {
    const ana = await app.member({ username: "ana", state: "pending_approval" });
    await declineAccount(app, ADMIN, { personId: ana.id, reason: "" });
    expect((await app.mailTo("ana@example.org"))!.text).not.toContain("They say");
    expect(await many(database.db, sql`select id from people where username = 'ana'`)).toEqual([]);
  });
});
