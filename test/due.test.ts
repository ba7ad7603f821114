import { describe, expect, test } from "vitest";
import { HOUR, later } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { carryOutDue, discussionFor, pinDiscussion } from "#community/discussions";
import { rowFor } from "#community/published";
import { aDiscussion, aGroup, announced, bring, cast } from "./cast.ts";
import { testDatabase } from "./setup/database.ts";
import { endBans, groupFor, joinGroup } from "#community/groups";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("due change", () => {
  test("ends a ban, so the person may join again", async () => {
    const people = await cast(database);
    const group = await aGroup(database, people);
    await within((tx) => bring(tx, group.id, people.noor, "banned"));
    await within((tx) => bring(tx, group.id, people.ada, "banned"));
    await run(db, sql`update memberships set banned_until = ${later(database.clock.at, HOUR)} where person_id = ${people.noor.id}`);
    const join = () => within((tx) => joinGroup(tx, people.noor, { groupId: group.id }));
    expect(await within(endBans)).toBe(0);
    await expect(join()).rejects.toMatchObject({ reason: "not-allowed" });
    database.clock.pass(HOUR);
    expect(await within(endBans)).toBe(1);
    expect(await groupFor(db, people.noor, group.id)).toMatchObject({ viewerState: "removed" });
    await join();
    // A ban without an end has no date.
    expect(await groupFor(db, people.ada, group.id)).toMatchObject({ viewerState: "banned" });
    expect(await announced(database)).toContain("group.ban_ended");
  });

  test("unpins a discussion, for which a job was scheduled", async () => {
    // PostgreSQL's own clock decides whether a pin is over.
    database.clock.at = new Date();
    const people = await cast(database);
    const group = await aGroup(database, people);
    const { id } = await aDiscussion(database, people.mira, group.id);
    const until = later(database.clock.at, HOUR);
    await within((tx) => pinDiscussion(tx, people.tomas, { discussionId: id, until }));
    expect(await many(db, sql`select task_identifier as task, run_at as at from graphile_worker.jobs`)).toEqual([
      { task: "due", at: until },
    ]);
    expect([await within(carryOutDue), (await discussionFor(db, people.mira, id)).pinnedAt]).toEqual([0, database.clock.at]);
    database.clock.pass(HOUR);
    expect([await within(carryOutDue), (await discussionFor(db, people.mira, id)).pinnedAt]).toEqual([1, null]);
  });

  test("ends a pin for API clients even before the job has run", async () => {
    const people = await cast(database);
    const group = await aGroup(database, people);
    const { id } = await aDiscussion(database, people.mira, group.id);
    database.clock.at = new Date();
    await within((tx) => pinDiscussion(tx, people.tomas, { discussionId: id, until: later(tx.now, HOUR) }));
    const pinned = async () => (await rowFor(db, people.mira, "Discussions", id))["pinned"];
    expect(await pinned()).toBe(true);
    await run(db, sql`update discussions set pinned_until = now() - interval '1 second' where id = ${id}`);
    expect(await pinned()).toBe(false);
  });
});
