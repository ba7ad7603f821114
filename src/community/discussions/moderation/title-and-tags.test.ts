import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { many, sql } from "#platform/database";
import { getGroup } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { listEmittedEvents } from "../../../../test/support/test-users.ts";
import { archiveDiscussion, getDiscussion, listDiscussions, NewTitle, renameDiscussion } from "../index.ts";
import {
  database,
  db,
  listEntries,
  setupModeration,
  REASON,
  within,
} from "../../../../test/support/discussions/moderated-discussion.ts";

const TITLE = "When to sow beans";

describe("tags of a discussion", () => {
  const change = (
    viewer: SignedIn,
    discussionId: string,
    wish: { title?: string; tags?: string | string[]; reason?: string },
  ) => within((tx) => renameDiscussion(tx, viewer, NewTitle.parse({ discussionId, title: TITLE, ...wish })));

  test("can be changed by author and moderators, with the former tags in the activity entry", async () => {
    const { mira, tomas, ines, noor, guest, group, discussion } = await setupModeration();
    const { id } = discussion;
    for (const viewer of [noor, guest as SignedIn])
      await expect(change(viewer, id, { tags: "beds" })).rejects.toMatchObject({
        reason: viewer === noor ? "not-allowed" : "not-signed-in",
      });
    await change(mira, id, { tags: "Beds,  #water, beds" });
    database.clock.pass(MINUTE);
    await change(tomas, id, { tags: ["seeds"], reason: REASON });
    database.clock.pass(MINUTE);
    await change(ines, id, { tags: "" });
    expect((await getDiscussion(db, noor, id)).tags).toEqual([]);
    expect(await listEntries(noor, id)).toMatchObject([
      { kind: "tagged", by: { username: "mira" }, details: { was: "", became: "beds, water" }, reason: "" },
      {
        kind: "tagged",
        by: { username: "tomas" },
        details: { was: "beds, water", became: "seeds" },
        reason: REASON,
      },
      { kind: "tagged", by: { username: "ines" }, details: { was: "seeds", became: "" } },
    ]);
    await change(mira, id, { tags: "beds" });
    const under = async (tag: string) =>
      (await listDiscussions(db, noor, await getGroup(db, noor, group.id), { filter: { tag } })).rows.length;
    expect([await under("beds"), await under("seeds")]).toEqual([1, 0]);
  });

  test("stay unchanged when omitted or equal", async () => {
    const { mira, discussion } = await setupModeration();
    await change(mira, discussion.id, { tags: "beds, water" });
    await change(mira, discussion.id, { tags: ["beds", "water"] });
    await change(mira, discussion.id, { title: "When to sow runner beans" });
    expect((await getDiscussion(db, mira, discussion.id)).tags).toEqual(["beds", "water"]);
    expect((await listEmittedEvents(database)).filter((type) => /tagged|renamed/.test(type))).toEqual([
      "discussion.tagged",
      "discussion.renamed",
    ]);
    expect(
      await many(
        db,
        sql`select act, reason from audit_events where object_id = ${discussion.id} order by at, id`,
      ),
    ).toEqual([
      { act: "discussion.tagged", reason: null },
      { act: "discussion.renamed", reason: null },
    ]);
  });

  test("have a limit of five with twenty characters each, and only moderators change them once archived", async () => {
    const { mira, tomas, discussion, at } = await setupModeration();
    for (const tags of ["a, b, c, d, e, f", "x".repeat(21)])
      expect(NewTitle.safeParse({ ...at, title: TITLE, tags }).error?.issues[0]?.path[0]).toBe("tags");
    expect(NewTitle.safeParse({ ...at, title: TITLE, tags: "a, b, c, d, e" }).success).toBe(true);
    await within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: REASON }));
    await expect(change(mira, discussion.id, { tags: "beds" })).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await change(tomas, discussion.id, { tags: "beds" });
  });
});
