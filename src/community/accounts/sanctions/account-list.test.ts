import { expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { createTestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { getAccountEntry, listAccounts, revealEmail, setStatus } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const names = async (...asked: Parameters<typeof listAccounts>) =>
  (await listAccounts(...asked)).accounts.map((it) => it.username);

test("admins search accounts by name, username and address, and filter them by status", async () => {
  const { ada, mira } = await createTestUsers(database);
  await within((tx) =>
    setStatus(tx, ada, { personId: mira.id, state: "suspended", reason: "Spam.", until: null }),
  );
  expect((await names(db, ada, {})).toSorted()).toEqual(["ada", "ines", "mira", "noor", "tomas"]);
  for (const search of ["MIRA", "mira@exa", "ir"])
    expect(await names(db, ada, { search }), search).toEqual(["mira"]);
  for (const search of ["%", "_", "\\", "nobody"])
    expect(await names(db, ada, { search }), search).toEqual([]);
  expect(await names(db, ada, { state: "suspended" })).toEqual(["mira"]);
  expect((await names(db, ada, { state: "staff" })).toSorted()).toEqual(["ada", "ines"]);
  expect(await getAccountEntry(db, ada, mira.id)).toMatchObject({
    state: "suspended",
    reason: "Spam.",
    address: "m…@e…",
    canDecide: true,
  });
  expect([await getAccountEntry(db, ada, "x"), await getAccountEntry(db, ada, crypto.randomUUID())]).toEqual([
    null,
    null,
  ]);
});

test("pending accounts are listed with their join reason", async () => {
  const { ada, mira } = await createTestUsers(database);
  await run(db, sql`update people set join_reason = 'I like <b>walnuts</b>.' where id = ${mira.id}`);
  expect((await getAccountEntry(db, ada, mira.id))!.joinReason).toBeNull();
  await run(db, sql`update people set state = 'pending_approval' where id = ${mira.id}`);
  expect((await getAccountEntry(db, ada, mira.id))!.joinReason).toBe("I like <b>walnuts</b>.");
  expect((await listAccounts(db, ada, { state: "pending_approval" })).accounts).toMatchObject([
    { joinReason: "I like <b>walnuts</b>." },
  ]);
  await run(db, sql`update people set join_reason = '' where id = ${mira.id}`);
  expect((await getAccountEntry(db, ada, mira.id))!.joinReason).toBeNull();
});

test("the account list continues on the next page without gaps", async () => {
  const { ada } = await createTestUsers(database);
  await run(
    db,
    sql`insert into people (id, username, display_name, email, site_role, trust, state, created_at)
        select gen_random_uuid(), 'user' || n, 'U', 'user' || n || '@example.org', 'member', 'new', 'active',
          now() from generate_series(1, 130) n`,
  );
  const seen: string[] = [];
  for (let after: string | null = ""; after !== null;) {
    const page: Awaited<ReturnType<typeof listAccounts>> = await listAccounts(db, ada, { after });
    seen.push(...page.accounts.map((it) => it.username));
    after = page.next;
  }
  expect([seen.length, new Set(seen).size]).toEqual([135, 135]);
});

test("moderators search accounts by name only, not by address", async () => {
  const { ines, ada, mira } = await createTestUsers(database);
  expect(await names(db, ines, { search: "MIRA" })).toEqual(["mira"]);
  for (const search of ["mira@exa", "@example", "example.org"])
    expect(await names(db, ines, { search }), search).toEqual([]);
  expect(await getAccountEntry(db, ines, mira.id)).toMatchObject({ address: "m…@e…", canDecide: true });
  for (const viewer of [ines, ada])
    expect(await getAccountEntry(db, ines, viewer.id)).toMatchObject({ canDecide: false });
});

test("the account list offers exactly the decisions that the commands allow", async () => {
  const people = await createTestUsers(database);
  const until = addMilliseconds(database.clock.at, DAY);
  for (const viewer of [people.ines, people.ada])
    for (const who of Object.values(people).filter((it) => it.id !== null)) {
      const line = await getAccountEntry(db, viewer, who.id!);
      const done = within((tx) =>
        setStatus(tx, viewer, { personId: who.id!, state: "limited", reason: "Spam.", until }),
      );
      expect(
        await done.then(
          () => true,
          () => false,
        ),
      ).toBe(line!.canDecide);
    }
});

test("revealing an address to staff is recorded in the audit log", async () => {
  const { ines, ada, mira } = await createTestUsers(database);
  expect(await within((tx) => revealEmail(tx, ines, mira.id))).toBe("mira@example.org");
  expect(await many(db, sql`select act, actor_id as by, object_id as of from audit_events`)).toEqual([
    { act: "person.address-read", by: ines.id, of: mira.id },
  ]);
  expect(await within((tx) => revealEmail(tx, ada, ines.id))).toBe("ines@example.org");
  await expect(within((tx) => revealEmail(tx, ines, ada.id))).rejects.toMatchObject({
    reason: "not-allowed",
  });
  await expect(within((tx) => revealEmail(tx, mira, mira.id))).rejects.toMatchObject({
    reason: "not-allowed",
  });
  await expect(within((tx) => revealEmail(tx, ines, crypto.randomUUID()))).rejects.toMatchObject({
    reason: "not-found",
  });
});

test("the account list is refused to everyone but staff", async () => {
  const { mira, guest } = await createTestUsers(database);
  for (const viewer of [mira, guest]) {
    await expect(listAccounts(db, viewer, {})).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(getAccountEntry(db, viewer, mira.id)).rejects.toMatchObject({ reason: "not-allowed" });
  }
});
