import { describe, expect, test } from "vitest";
import { maybeOne, one, sql } from "#platform/database";
import { reply } from "#community/discussions";
import { announced, cast } from "../../../test/cast.ts";
import { aUser, lines, member, someGroup } from "./archive.fixture.ts";
import { bringIn, takeBack } from "./index.ts";
import { archive, count, counts, database, db, theDiscussion, transfer, wish, write } from "./bring-in.fixture.ts";

describe("taking a run back", () => {
  test("leaves what was here, and nothing of what came", async () => {
    const t = await transfer();
    const { mira } = await cast(database);
    const before = await counts();
    const run = await bringIn(t, { ...wish, path: await archive() });
    const { hash } = await one(db, sql<{ hash: string }>`select hash from uploads`);
    await takeBack(t, { runId: run.id, by: null, evenWritings: false });
    expect([await counts(), await count("old_addresses"), await count("imported"), await t.storage.sizeOf(hash)]).toEqual([
      before,
      0,
      0,
      null,
    ]);
    expect(await announced(database)).toEqual(["transfer.finished", "transfer.undone"]);
    await expect(takeBack(t, { runId: run.id, by: null, evenWritings: false })).rejects.toMatchObject({ reason: "conflict" });
    await expect(takeBack(t, { runId: mira.id, by: null, evenWritings: false })).rejects.toMatchObject({ reason: "not-found" });
  });

  test("asks before it takes what members have written there since", async () => {
    const t = await transfer();
    const { ada } = await cast(database);
    const run = await bringIn(t, { ...wish, path: await archive(), by: ada });
    await database.inTransaction(async (tx) => reply(tx, ada, { discussionId: (await theDiscussion()).id, body: "Still a heap?" }));
    await expect(takeBack(t, { runId: run.id, by: ada, evenWritings: false })).rejects.toMatchObject({
      reason: "conflict",
      message: expect.stringContaining("written 1 times"),
    });
    expect(await count("posts")).toBe(5);
    await takeBack(t, { runId: run.id, by: ada, evenWritings: true });
    expect([await count("posts"), await count("discussions")]).toEqual([0, 0]);
  });

  test("goes backwards: a later run of the same archive first", async () => {
    const t = await transfer();
    const path = await archive();
    const first = await bringIn(t, { ...wish, path });
    database.clock.pass(1_000);
    const second = await bringIn(t, { ...wish, path });
    await expect(takeBack(t, { runId: first.id, by: null, evenWritings: false })).rejects.toMatchObject({ reason: "conflict" });
    await takeBack(t, { runId: second.id, by: null, evenWritings: false });
    expect(await count("posts")).toBe(4);
    await takeBack(t, { runId: first.id, by: null, evenWritings: false });
    expect(await count("posts")).toBe(0);
  });

  test("leaves a membership that was there before, in a group that was", async () => {
    const t = await transfer();
    const { mira } = await cast(database);
    await db.executeQuery(sql`update people set email_confirmed_at = now() where id = ${mira.id}`.compile(db));
    const known = aUser("mira", { email: "mira@example.org" });
    await bringIn(t, {
      ...wish,
      path: await write({ "community.ndjson": lines(aUser("plato"), known, someGroup(), member("mira")) }, "one"),
    });
    const group = await one(db, sql<{ id: string }>`select id from groups`);
    const records = [known, { ...someGroup(), id: group.id, owner: "mira" }, { ...member("mira"), group: group.id }];
    const run = await bringIn(t, { ...wish, path: await write({ "community.ndjson": lines(...records) }, "two") });
    await takeBack(t, { runId: run.id, by: null, evenWritings: false });
    expect(await maybeOne(db, sql`select members_count from groups`)).toEqual({ members_count: 1 });
  });
});
