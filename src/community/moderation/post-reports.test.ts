import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { getDiscussion, editPost } from "#community/discussions";
import { blockPerson } from "#community/friends";
import { reportRules, type SignedIn } from "#community/rules";
import {
  createTestGroup,
  listEmittedEvents,
  createTestReply,
  setMembership,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { NewPostReport, listOwnReports, listCases, countOpenCases } from "./index.ts";
import { createReportSetup } from "../../../test/support/moderation/report-setup.ts";

const database = await testDatabase();
const { report, view, resolve, listReportIds, setupReportedPost } = createReportSetup(database);
const { db, inTransaction: within } = database;

describe("reported post", () => {
  test("appears to moderators and staff as it was when reported, with its location", async () => {
    const { mira, tomas, ines, noor, discussion, post, there } = await setupReportedPost();
    const { id } = await report(mira, post.id);
    await within((tx) => editPost(tx, noor, { postId: post.id, body: "I like beans.", version: 1 }));
    for (const who of [tomas, ines]) {
      const shown = await view(who, id);
      expect(shown.messages).toMatchObject([
        {
          seq: 2,
          author: { username: "noor" },
          chosen: true,
          html: expect.stringContaining("Buy <em>my</em>"),
        },
      ]);
      expect(JSON.stringify(shown.messages)).not.toContain("href");
      expect(shown).toMatchObject({
        reporter: { username: "mira" },
        reason: "It sells beans.",
        canTakeDown: true,
        also: [],
      });
      expect(shown.place).toMatchObject({
        kind: "discussion",
        id: discussion.id,
        title: "When to sow beans",
        number: 2,
        gone: false,
      });
      expect(await listReportIds(who)).toEqual([id]);
    }
    // The group is private: staff see the report and nothing else of it.
    expect([(await view(tomas, id)).place!.open, (await view(ines, id)).place!.open]).toEqual([true, false]);
    await expect(getDiscussion(db, ines, discussion.id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listCases(db, tomas, { tab: "open", group: await there(tomas) })).rows).toMatchObject([
      { id, authors: [{ username: "noor" }] },
    ]);
    expect(await listEmittedEvents(database)).toContain("report.created");
  });

  test("hides its reports from the reporter, the author, members and moderators of other groups", async () => {
    const { mira, tomas, noor, ada, guest, group, post, there } = await setupReportedPost("public");
    const { id } = await report(mira, post.id);
    await createTestGroup(database, { tomas: noor, mira: ada }, { name: "Elsewhere", visibility: "public" });
    for (const who of [mira, noor, guest])
      await expect(view(who, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listReportIds(noor)).toEqual([]);
    for (const who of [mira, guest])
      await expect(listReportIds(who)).rejects.toMatchObject({ reason: "not-found" });
    for (const who of [mira, noor, guest]) {
      const reports = listCases(db, who, { tab: "open", group: await there(who) });
      await expect(reports).rejects.toMatchObject({ reason: "not-allowed" });
      expect(await countOpenCases(db, who, await there(who))).toBe(0);
    }
    expect(await countOpenCases(db, tomas, await there(tomas))).toBe(1);
    // The author does not decide, even as a moderator.
    await within((tx) => setMembership(tx, group.id, noor, "moderator"));
    await expect(view(noor, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await countOpenCases(db, noor, await there(noor))).toBe(0);
    const led = { ...(await there(tomas)), viewerRole: "moderator" as const };
    expect(reportRules.read(noor, { concernsViewer: true, resolved: false, group: led })).toBe(false);
  });

  test("moves with its discussion to the moderators of the new group", async () => {
    const { mira, tomas, discussion, post } = await setupReportedPost();
    const { id } = await report(mira, post.id);
    const pavel = await within((tx) => createPerson(tx, "pavel"));
    const other = await createTestGroup(database, { tomas: pavel, mira }, { name: "Elsewhere" });
    await run(db, sql`update discussions set group_id = ${other.id} where id = ${discussion.id}`);
    await expect(view(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listReportIds(pavel)).toEqual([id]);
    expect((await view(pavel, id)).group).toMatchObject({ name: "Elsewhere" });
  });

  test("appears once with all reasons if several people reported it", async () => {
    const { mira, tomas, ines, ada, group, post } = await setupReportedPost();
    await within((tx) => setMembership(tx, group.id, ada, "member"));
    const first = await report(mira, post.id, "It sells beans.");
    database.clock.pass(1_000);
    const second = await report(ada, post.id, "Again!");
    expect(await listReportIds(tomas)).toEqual([second.id]);
    expect((await listCases(db, tomas, { tab: "open" })).rows).toMatchObject([{ others: 1 }]);
    expect(await view(tomas, second.id)).toMatchObject({
      also: [{ reporter: { username: "mira" }, reason: "It sells beans." }],
    });
    // Ada is a reporter herself, so others decide about Mira's report too.
    for (const { id } of [first, second])
      await expect(view(ada, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listReportIds(ada)).toEqual([]);
    await resolve(tomas, first.id, "rejected");
    for (const { id } of [first, second])
      await expect(resolve(ines, id, "upheld")).rejects.toMatchObject({ reason: "conflict" });
    expect([await listReportIds(tomas), await listReportIds(tomas, "resolved")]).toEqual([[], [second.id]]);
    for (const who of [mira, ada])
      expect((await listOwnReports(db, who)).rows).toMatchObject([{ outcome: "rejected" }]);
  });

  test("accepts only one of two resolutions sent by moderators at the same moment", async () => {
    const { mira, tomas, ines, ada, group, post } = await setupReportedPost();
    await within((tx) => setMembership(tx, group.id, ada, "member"));
    const [one, other] = [await report(mira, post.id), await report(ada, post.id)];
    const ends = await Promise.allSettled([
      resolve(tomas, one.id, "upheld"),
      resolve(ines, other.id, "rejected"),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(ends.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { reason: "conflict" },
    });
  });
});

describe("reporting a post", () => {
  test("requires a signed-in reader, another person's post, and no pending report by the reader", async () => {
    const { mira, ada, guest, noor, tomas, post } = await setupReportedPost();
    await expect(report(guest, post.id)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(report(ada, post.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(report(noor, post.id)).rejects.toMatchObject({ reason: "not-allowed" });
    const { id } = await report(mira, post.id);
    await expect(report(mira, post.id)).rejects.toMatchObject({ reason: "conflict" });
    await resolve(tomas, id, "rejected");
    await report(mira, post.id);
    expect(NewPostReport.safeParse({ postId: post.id, reason: " " }).success).toBe(false);
    expect(NewPostReport.safeParse({ postId: "x", reason: "Rude." }).success).toBe(false);
  });

  test("stores one report if sent twice at the same moment", async () => {
    const { mira, tomas, post } = await setupReportedPost();
    const sent = await Promise.allSettled([report(mira, post.id), report(mira, post.id)]);
    expect(sent.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(sent.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { reason: "conflict" },
    });
    expect(await listReportIds(tomas)).toHaveLength(1);
  });

  test("works for the person who blocked the author, but not for the blocked person", async () => {
    const { mira, tomas, noor, discussion, post } = await setupReportedPost();
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    const { id } = await report(mira, post.id);
    expect(await listReportIds(tomas)).toEqual([id]);
    const own = await createTestReply(database, mira, discussion.id);
    await expect(report(noor, own.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("counts toward the daily limit of reports", async () => {
    const { mira, noor, discussion } = await setupReportedPost();
    const newcomer: SignedIn = { ...mira, trust: "new" };
    const posts = [];
    for (let n = 0; n < 6; n++)
      posts.push(await createTestReply(database, noor, discussion.id, { body: `Beans ${n}.` }));
    for (const { id } of posts.slice(0, 5)) await report(newcomer, id);
    await expect(report(newcomer, posts[5]!.id)).rejects.toMatchObject({ reason: "too-many" });
  });
});
