import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { getDiscussion, listDiscussions, reply } from "#community/discussions";
import {
  archiveGroup,
  cancelScheduledOpening,
  getGroup,
  leaveGroup,
  applyDueOpenings,
  unarchiveGroup,
  updateGroup,
} from "#community/groups";
import {
  addDocument,
  listCollections,
  recordUpload,
  addFile,
  getFile,
  getResource,
} from "#community/resources";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
} from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

async function scene(visibility: "private" | "secret" = "private") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  const open = () =>
    within((tx) =>
      updateGroup(tx, people.tomas, { groupId: group.id, visibility: "public", joinPolicy: "open" }),
    );
  return { ...people, group, open, at: addMilliseconds(database.clock.at, 7 * DAY) };
}
const about = { why: "", tags: [], language: "en", licence: "" };

describe("scheduled visibility change of a group", () => {
  test("notifies members seven days ahead, then takes effect", async () => {
    const { mira, noor, guest, group, open, at } = await scene();
    expect(await open()).toMatchObject({ opensAt: at });
    expect(await getGroup(db, mira, group.id)).toMatchObject({
      visibility: "private",
      opening: { visibility: "public", joinPolicy: "open", at },
    });
    expect((await getGroup(db, noor, group.id)).opening).toBeNull();
    expect(await listEmittedEvents(database)).toContain("group.opening_scheduled");
    expect(
      await many(db, sql`select run_at as at from graphile_worker.jobs where task_identifier = 'due'`),
    ).toEqual([{ at }]);
    database.clock.pass(7 * DAY - 1);
    expect(await within(applyDueOpenings)).toBe(0);
    database.clock.pass(1);
    expect([await within(applyDueOpenings), await within(applyDueOpenings)]).toEqual([1, 0]);
    expect(await getGroup(db, guest, group.id)).toMatchObject({
      visibility: "public",
      joinPolicy: "open",
      opening: null,
    });
  });

  test("makes later content public, and leaves earlier content to members", async () => {
    const { tomas, mira, noor, guest, ada, group, open } = await scene();
    const before = await createTestDiscussion(database, mira, group.id, { title: "Among ourselves" });
    const file = await within(async (tx) => {
      const upload = await recordUpload(tx, mira, {
        hash: "c".repeat(64),
        size: 1,
        mime: "text/plain",
        fileName: "plan.txt",
      });
      const { id } = await addFile(tx, mira, {
        uploadId: upload.id,
        title: "Plan",
        groupId: group.id,
        ...about,
      });
      await run(
        tx,
        sql`insert into collections (id, group_id, curator_id, title, created_at)
          values (${tx.newId()}, ${group.id}, ${mira.id}, 'Ours', ${tx.now})`,
      );
      await run(
        tx,
        sql`insert into collection_items (collection_id, resource_id, position) select id, ${id}, 1
          from collections`,
      );
      return { id, uploadId: upload.id };
    });
    await open();
    database.clock.pass(7 * DAY);
    await within(applyDueOpenings);
    const details = { visibility: "public", joinPolicy: "open", historyPolicy: "shared" };
    expect(
      await many(db, sql`select actor_id as by, details from audit_events where act = 'group.opened'`),
    ).toEqual([{ by: tomas.id, details }]);
    const after = await createTestDiscussion(database, mira, group.id, { title: "For all the world" });
    const shown = await within((tx) =>
      addDocument(tx, mira, { title: "For all", body: "Open.", groupId: group.id, ...about }),
    );
    for (const who of [noor, guest, ada]) {
      expect(
        (await listDiscussions(db, who, await getGroup(db, who, group.id), {})).rows.map((row) => row.title),
      ).toEqual(["For all the world"]);
      for (const read of [
        () => getDiscussion(db, who, before.id),
        () => getResource(db, who, file.id),
        () => getFile(db, who, file.uploadId),
      ])
        await expect(read()).rejects.toMatchObject({ reason: "not-found" });
      expect(await listCollections(db, who, { group: group.id })).toEqual([]);
      await getDiscussion(db, who, after.id);
      await getResource(db, who, shown.id);
    }
    expect((await listDiscussions(db, mira, await getGroup(db, mira, group.id), {})).rows).toHaveLength(2);
    expect((await getFile(db, tomas, file.uploadId)).open).toBe(false);
    // Posts that only members could read stay visible to members only.
    await within((tx) => reply(tx, tomas, { discussionId: before.id, body: "Still ours." }));
    await expect(getDiscussion(db, noor, before.id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    await getDiscussion(db, noor, before.id);
  });

  test("gets cancelled if no one is left who could cancel it", async () => {
    const { tomas, mira, guest, group, open } = await scene();
    await open();
    for (const who of [mira, tomas]) await within((tx) => leaveGroup(tx, who, { groupId: group.id }));
    expect(await listEmittedEvents(database)).toContain("group.opening_cancelled");
    database.clock.pass(7 * DAY);
    expect(await within(applyDueOpenings)).toBe(0);
    expect(await getGroup(db, guest, group.id)).toMatchObject({ visibility: "private", state: "archived" });
  });

  test("gets cancelled when the group is archived", async () => {
    const { tomas, mira, group, open } = await scene();
    await open();
    await within((tx) => archiveGroup(tx, tomas, { groupId: group.id, reason: "" }));
    expect(await listEmittedEvents(database)).toContain("group.opening_cancelled");
    database.clock.pass(7 * DAY);
    expect(await within(applyDueOpenings)).toBe(0);
    await within((tx) => unarchiveGroup(tx, tomas, { groupId: group.id, reason: "" }));
    expect(await within(applyDueOpenings)).toBe(0);
    expect(await getGroup(db, mira, group.id)).toMatchObject({
      visibility: "private",
      state: "active",
      opening: null,
    });
  });

  test("can be scheduled and cancelled only by owners", async () => {
    const { tomas, mira, ada, guest, group, open } = await scene("secret");
    await within((tx) => setMembership(tx, group.id, mira, "moderator"));
    await expect(
      within((tx) => updateGroup(tx, mira, { groupId: group.id, visibility: "private" })),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await open();
    await expect(
      within((tx) => cancelScheduledOpening(tx, mira, { groupId: group.id })),
    ).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(
      within((tx) => cancelScheduledOpening(tx, ada, { groupId: group.id })),
    ).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => cancelScheduledOpening(tx, tomas, { groupId: group.id }));
    await expect(
      within((tx) => cancelScheduledOpening(tx, tomas, { groupId: group.id })),
    ).rejects.toMatchObject({ reason: "conflict" });
    database.clock.pass(8 * DAY);
    expect(await within(applyDueOpenings)).toBe(0);
    await open();
    database.clock.pass(7 * DAY);
    await within(applyDueOpenings);
    const { id } = await createTestDiscussion(database, mira, group.id);
    await getDiscussion(db, guest, id);
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, visibility: "private" }));
    await expect(getDiscussion(db, guest, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("stays scheduled after other settings change, and is cancelled by a less visible setting", async () => {
    const { tomas, guest, group, open } = await scene("private");
    const getScheduledVisibility = async () => (await getGroup(db, tomas, group.id)).opening?.visibility;
    const acts = async () =>
      (
        await many(
          db,
          sql<{ act: string }>`select act from audit_events where object_id = ${group.id} order by at, id`,
        )
      ).map(({ act }) => act);
    await open();
    await within((tx) =>
      updateGroup(tx, tomas, {
        groupId: group.id,
        visibility: "private",
        joinPolicy: "invite",
        historyPolicy: "from_joining",
      }),
    );
    expect(await getScheduledVisibility()).toBe("public");
    expect(await acts()).toEqual(["group.opening_scheduled", "group.access_changed"]);
    await within((tx) =>
      updateGroup(tx, tomas, { groupId: group.id, visibility: "secret", joinPolicy: "invite" }),
    );
    expect(await getScheduledVisibility()).toBeUndefined();
    expect((await acts()).toSorted()).toEqual(expect.arrayContaining(["group.opening_cancelled"]));
    database.clock.pass(8 * DAY);
    expect(await within(applyDueOpenings)).toBe(0);
    await expect(getGroup(db, guest, group.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("takes effect at once in a group without other members", async () => {
    const { tomas, mira, guest, group, open } = await scene();
    await run(db, sql`update memberships set state = 'left' where person_id = ${mira.id}`);
    await run(db, sql`update groups set members_count = 1`);
    const { id } = await createTestDiscussion(database, tomas, group.id);
    expect(await open()).toMatchObject({ opensAt: null });
    expect(await getGroup(db, guest, group.id)).toMatchObject({ visibility: "public" });
    await expect(getDiscussion(db, guest, id)).rejects.toMatchObject({ reason: "not-found" });
  });
});

test("members can reply in a group where only moderators start discussions", async () => {
  const { tomas, mira, group } = await scene();
  await within((tx) => updateGroup(tx, tomas, { groupId: group.id, startsBy: "moderators" }));
  await expect(createTestDiscussion(database, mira, group.id)).rejects.toMatchObject({
    reason: "not-allowed",
    message: /Only moderators can start discussions/,
  });
  const { id } = await createTestDiscussion(database, tomas, group.id);
  await within((tx) => reply(tx, mira, { discussionId: id, body: "Good idea." }));
});
