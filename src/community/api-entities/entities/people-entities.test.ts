import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { sendFriendRequest, blockPerson, declineFriendRequest } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import { createTestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { API_ENTITIES } from "./index.ts";
import { readEntityRows } from "../../../../test/support/entity-rows.ts";

const database = await testDatabase();
const { inTransaction: within, db } = database;
const named = (name: string) => API_ENTITIES.find((entity) => entity.name === name)!;
const read = (viewer: Viewer, name: string, where = sql`true`) =>
  readEntityRows(db, viewer, named(name), where);

describe("people", () => {
  const of = async (viewer: Viewer, who: SignedIn) =>
    (await read(viewer, "Users", sql`t.object_id = ${who.id}`))[0];

  test("show their public fields, and their email only to themselves and staff", async () => {
    const { mira, tomas, ines, guest, noor } = await createTestUsers(database);
    await run(
      db,
      sql`update people set bio_md = 'Wacholder', location = 'Lindenhof', seen_at = now(),
        privacy = '{"bio":"friends","profile":"members"}' where id = ${mira.id}`,
    );
    expect(await of(mira, mira)).toMatchObject({
      email: "mira@example.org",
      bio: "Wacholder",
      userStatus: "ENABLED",
    });
    expect(await of(ines, mira)).toMatchObject({
      email: "mira@example.org",
      bio: "Wacholder",
      userStatus: "ENABLED",
    });
    expect(await of(tomas, mira)).toMatchObject({
      name: "Mira",
      email: null,
      bio: null,
      location: "Lindenhof",
      userStatus: null,
    });
    expect((await of(tomas, mira))!["seenAt"]).not.toBeNull();
    expect(await of(guest, mira)).toBeUndefined();
    await run(
      db,
      sql`update people set privacy = '{"inDirectory":false,"showOnline":false}' where id = ${mira.id}`,
    );
    expect(await of(noor, mira)).toBeUndefined();
    await within(async (tx) => sendFriendRequest(tx, noor, { personId: mira.id, note: "" }));
    await within(async (tx) => sendFriendRequest(tx, mira, { personId: noor.id, note: "" }));
    expect(await of(noor, mira)).toMatchObject({ name: "Mira", seenAt: null });
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    expect(await of(noor, mira)).toBeUndefined();
    expect(await of(mira, noor)).toMatchObject({ bio: null, location: null });
  });

  test("show guests only what both site and person allow", async () => {
    const { mira, guest } = await createTestUsers(database);
    await run(db, sql`update people set privacy = '{"profile":"everyone"}' where id = ${mira.id}`);
    const sees = async (visibility: string) => {
      await run(
        db,
        sql`insert into settings (key, value, changed_at)
          values ('guestsSeePeople', ${JSON.stringify(visibility)}::jsonb, now())
          on conflict (key) do update set value = excluded.value`,
      );
      return (await read(guest, "Users")).map((it) => it["username"]);
    };
    expect(await sees("public")).toEqual(["mira"]);
    expect(await sees("limited")).toEqual([]);
    expect(await sees("hidden")).toEqual([]);
  });

  test("see their own friend requests, but not that a request was declined", async () => {
    // The time of a rejection is compared with PostgreSQL's own clock, so this test runs at the present time.
    database.clock.at = new Date();
    const { mira, tomas, noor } = await createTestUsers(database);
    await within((tx) => sendFriendRequest(tx, mira, { personId: tomas.id, note: "Hello" }));
    const before = await read(mira, "Friendships");
    expect(before).toMatchObject([{ state: "sent", personId: tomas.id, note: "Hello", updated: null }]);
    expect(await read(tomas, "Friendships")).toMatchObject([{ state: "received", personId: mira.id }]);
    expect(await read(noor, "Friendships")).toEqual([]);
    database.clock.pass(60_000);
    await within((tx) => declineFriendRequest(tx, tomas, { personId: mira.id }));
    expect(await read(mira, "Friendships")).toEqual(before);
    expect(await read(tomas, "Friendships")).toEqual([]);
  });
});
