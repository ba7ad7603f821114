import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { hidePost } from "#community/discussions";
import type { SignedIn, Viewer } from "#community/rules";
import { createReportSetup } from "../../../test/support/moderation/report-setup.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createTestReply } from "../../../test/support/test-users.ts";
import { listCases, listFurtherReportable, NewPostReports, reportPosts } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { report, setupReportedPost } = createReportSetup(database);

/** Four posts of Noor and one of Tomas in a private group. */
async function setup() {
  const it = await setupReportedPost();
  const posts = [it.post.id];
  for (let n = 0; n < 3; n++) posts.push((await createTestReply(database, it.noor, it.discussion.id)).id);
  await createTestReply(database, it.tomas, it.discussion.id);
  const [first, ...others] = posts as [string, ...string[]];
  const send = (who: Viewer, furtherIds: string[], postId = first) =>
    within((tx) =>
      reportPosts(tx, who, NewPostReports.parse({ postId, furtherIds, reason: "It sells beans." })),
    );
  const reported = async (who: SignedIn) =>
    (
      await many(db, sql<{ id: string }>`select post_id as id from reports where reporter_id = ${who.id}`)
    ).map(({ id }) => id);
  return { ...it, first, others, send, reported };
}

describe("posts that can be reported together", () => {
  test("include the author's other posts in the place, except hidden ones and those the viewer has reported", async () => {
    const { mira, tomas, first, others } = await setup();
    const [second, third, fourth] = others as [string, string, string];
    const list = async (who: Viewer) => (await listFurtherReportable(db, who, first)).map(({ id }) => id);
    expect(await list(mira)).toEqual(others);
    await report(mira, second);
    await within((tx) => hidePost(tx, third));
    expect(await list(mira)).toEqual([fourth]);
    expect(await list(tomas)).toContain(second);
  });

  test("stay hidden from people who cannot read the discussion", async () => {
    const { ines, guest, first } = await setup();
    await expect(listFurtherReportable(db, ines, first)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listFurtherReportable(db, guest, first)).toEqual([]);
  });
});

describe("report of several posts", () => {
  test("opens a case for each, and skips those that were reported or deleted in the meantime", async () => {
    const { mira, tomas, first, others, send, reported } = await setup();
    await report(mira, others[0]!);
    await send(mira, [...others, first, "019df237-3e80-75c3-8545-58d78bb2a30b"]);
    expect((await reported(mira)).sort()).toEqual([first, ...others].sort());
    expect((await listCases(db, tomas, { tab: "open" })).rows).toHaveLength(4);
  });

  test("stores nothing if the first one cannot be reported, or for the author", async () => {
    const { mira, noor, ines, others, send, reported } = await setup();
    await send(mira, []);
    await expect(send(mira, others)).rejects.toMatchObject({ reason: "conflict" });
    await expect(send(noor, others)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(send(ines, others)).rejects.toMatchObject({ reason: "not-found" });
    expect(await reported(mira)).toHaveLength(1);
  });

  test("refuses more than twenty, and what exceeds the limit of a day as a whole", async () => {
    const { mira, noor, discussion, first, others, send, reported } = await setup();
    const ids = Array.from({ length: 500 }, () => first);
    const parsed = NewPostReports.safeParse({ postId: first, furtherIds: ids, reason: "It sells beans." });
    expect(parsed.success).toBe(false);
    for (let n = 0; n < 3; n++) others.push((await createTestReply(database, noor, discussion.id)).id);
    await expect(send({ ...mira, trust: "new" }, others)).rejects.toMatchObject({ reason: "too-many" });
    expect(await reported(mira)).toEqual([]);
  });
});
