import { describe, expect, test } from "vitest";
import { HOUR, addMilliseconds } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { applyDueChanges, getDiscussion, pinDiscussion } from "#community/discussions";
import { getEntityRow } from "#community/api-entities";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
} from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { endExpiredBans, getGroup, joinGroup } from "#community/groups";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("scheduled change", () => {
  test("ends a ban, so the person may join again", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    await within((tx) => setMembership(tx, group.id, people.noor, "banned"));
    await within((tx) => setMembership(tx, group.id, people.ada, "banned"));
    await run(
      db,
      sql`update memberships set banned_until = ${addMilliseconds(database.clock.at, HOUR)}
        where person_id = ${people.noor.id}`,
    );
    const join = () => within((tx) => joinGroup(tx, people.noor, { groupId: group.id }));
    expect(await within(endExpiredBans)).toBe(0);
    await expect(join()).rejects.toMatchObject({ reason: "not-allowed" });
    database.clock.pass(HOUR);
    expect(await within(endExpiredBans)).toBe(1);
    expect(await getGroup(db, people.noor, group.id)).toMatchObject({ viewerState: "removed" });
    await join();
    // A ban without an end has no date.
    expect(await getGroup(db, people.ada, group.id)).toMatchObject({ viewerState: "banned" });
    expect(await listEmittedEvents(database)).toContain("group.ban_ended");
  });

  test("unpins a discussion by a scheduled job", async () => {
    // PostgreSQL's own clock decides whether a pin is over.
    database.clock.at = new Date();
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.mira, group.id);
    const until = addMilliseconds(database.clock.at, HOUR);
    await within((tx) => pinDiscussion(tx, people.tomas, { discussionId: id, until }));
    expect(
      await many(db, sql`select task_identifier as task, run_at as at from graphile_worker.jobs`),
    ).toEqual([{ task: "due", at: until }]);
    expect([await within(applyDueChanges), (await getDiscussion(db, people.mira, id)).pinnedAt]).toEqual([
      0,
      database.clock.at,
    ]);
    database.clock.pass(HOUR);
    expect([await within(applyDueChanges), (await getDiscussion(db, people.mira, id)).pinnedAt]).toEqual([
      1,
      null,
    ]);
  });

  test("ends a pin for API clients even before the job has run", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.mira, group.id);
    database.clock.at = new Date();
    await within((tx) =>
      pinDiscussion(tx, people.tomas, { discussionId: id, until: addMilliseconds(tx.now, HOUR) }),
    );
    const pinned = async () => (await getEntityRow(db, people.mira, "Discussions", id))["pinned"];
    expect(await pinned()).toBe(true);
    await run(db, sql`update discussions set pinned_until = now() - interval '1 second' where id = ${id}`);
    expect(await pinned()).toBe(false);
  });
});
