import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { addComment, deletePost, getDiscussion, editPost, getPost } from "#community/discussions";
import { blockPerson } from "#community/friends";
import { archiveGroup, getGroup } from "#community/groups";
import { addDocument, NewDocument } from "#community/resources";
import { reportRules, type SignedIn, type Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestReply,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  purgeReports,
  viewReport,
  NewPostReport,
  listOwnReports,
  reportPost,
  listReports,
  countPendingReports,
  Resolution,
  resolveReport,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const report = (who: Viewer, postId: string, reason = "It sells beans.") =>
  within((tx) => reportPost(tx, who, NewPostReport.parse({ postId, reason })));
const look = (who: Viewer, reportId: string) => within((tx) => viewReport(tx, who, reportId));
const end = (who: Viewer, reportId: string, outcome: string, reason = "") =>
  within((tx) => resolveReport(tx, who, Resolution.parse({ reportId, outcome, reason, note: "Spoken to." })));
const listed = async (who: Viewer, tab: "open" | "resolved" = "open") =>
  (await listReports(db, who, { tab })).rows.map(({ id }) => id);

/** Tomas owns the group; Mira and Noor are members, and Noor's post is reported. Ada and Ines are staff. */
async function talk(visibility: "public" | "private" | "secret" = "private") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const post = await createTestReply(database, people.noor, discussion.id, {
    body: "Buy *my* beans. [here](https://example.org/shop)",
  });
  const there = (who: Viewer) => getGroup(db, who, group.id);
  return { ...people, group, discussion, post, there };
}

describe("reported post", () => {
  test("the post is shown as it was, with its place, to moderators and staff", async () => {
    const { mira, tomas, ines, noor, discussion, post, there } = await talk();
    const { id } = await report(mira, post.id);
    await within((tx) => editPost(tx, noor, { postId: post.id, body: "I like beans.", version: 1 }));
    for (const who of [tomas, ines]) {
      const shown = await look(who, id);
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
        mayTakeDown: true,
        also: [],
      });
      expect(shown.place).toMatchObject({
        kind: "discussion",
        id: discussion.id,
        title: "When to sow beans",
        number: 2,
        gone: false,
      });
      expect(await listed(who)).toEqual([id]);
    }
    // The group is private: staff see the report and nothing else of it.
    expect([(await look(tomas, id)).place!.open, (await look(ines, id)).place!.open]).toEqual([true, false]);
    await expect(getDiscussion(db, ines, discussion.id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listReports(db, tomas, { tab: "open", group: await there(tomas) })).rows).toMatchObject([
      { id, authors: [{ username: "noor" }] },
    ]);
    expect(await listEmittedEvents(database)).toContain("report.made");
  });

  test("the report is hidden from reporter, author, members and moderators of other groups", async () => {
    const { mira, tomas, noor, ada, guest, group, post, there } = await talk("public");
    const { id } = await report(mira, post.id);
    await createTestGroup(database, { tomas: noor, mira: ada }, { name: "Elsewhere", visibility: "public" });
    for (const who of [mira, noor, guest])
      await expect(look(who, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listed(noor)).toEqual([]);
    for (const who of [mira, guest]) await expect(listed(who)).rejects.toMatchObject({ reason: "not-found" });
    for (const who of [mira, noor, guest]) {
      const asked = listReports(db, who, { tab: "open", group: await there(who) });
      await expect(asked).rejects.toMatchObject({ reason: "not-allowed" });
      expect(await countPendingReports(db, who, await there(who))).toBe(0);
    }
    expect(await countPendingReports(db, tomas, await there(tomas))).toBe(1);
    // The author does not decide, even as a moderator.
    await within((tx) => setMembership(tx, group.id, noor, "moderator"));
    await expect(look(noor, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await countPendingReports(db, noor, await there(noor))).toBe(0);
    const led = { ...(await there(tomas)), viewerRole: "moderator" as const };
    expect(reportRules.read(noor, { concernsViewer: true, resolved: false, group: led })).toBe(false);
  });

  test("moves with its discussion to the moderators of the new group", async () => {
    const { mira, tomas, discussion, post } = await talk();
    const { id } = await report(mira, post.id);
    const pavel = await within((tx) => createPerson(tx, "pavel"));
    const other = await createTestGroup(database, { tomas: pavel, mira }, { name: "Elsewhere" });
    await run(db, sql`update discussions set group_id = ${other.id} where id = ${discussion.id}`);
    await expect(look(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listed(pavel)).toEqual([id]);
    expect((await look(pavel, id)).group).toMatchObject({ name: "Elsewhere" });
  });

  test("reported by several is listed once with each reason and resolved for all", async () => {
    const { mira, tomas, ines, ada, group, post } = await talk();
    await within((tx) => setMembership(tx, group.id, ada, "member"));
    const first = await report(mira, post.id, "It sells beans.");
    database.clock.pass(1_000);
    const second = await report(ada, post.id, "Again!");
    expect(await listed(tomas)).toEqual([second.id]);
    expect((await listReports(db, tomas, { tab: "open" })).rows).toMatchObject([{ others: 1 }]);
    expect(await look(tomas, second.id)).toMatchObject({
      also: [{ reporter: { username: "mira" }, reason: "It sells beans." }],
    });
    // Ada is a reporter herself, so others decide about Mira's report too.
    for (const { id } of [first, second])
      await expect(look(ada, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listed(ada)).toEqual([]);
    await end(tomas, first.id, "rejected");
    for (const { id } of [first, second])
      await expect(end(ines, id, "upheld")).rejects.toMatchObject({ reason: "conflict" });
    expect([await listed(tomas), await listed(tomas, "resolved")]).toEqual([[], [second.id]]);
    for (const who of [mira, ada])
      expect((await listOwnReports(db, who)).rows).toMatchObject([{ outcome: "rejected" }]);
  });

  test("the report is resolved once when two moderators do so at the same moment", async () => {
    const { mira, tomas, ines, ada, group, post } = await talk();
    await within((tx) => setMembership(tx, group.id, ada, "member"));
    const [one, other] = [await report(mira, post.id), await report(ada, post.id)];
    const ends = await Promise.allSettled([end(tomas, one.id, "upheld"), end(ines, other.id, "rejected")]);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(ends.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { reason: "conflict" },
    });
  });
});

describe("resolving a report by removal", () => {
  const stateOf = async (id: string) =>
    one(
      db,
      sql<{ state: string; reason: string; count: number }>`
      select p.state, p.removed_reason as reason, d.posts_count as count from posts p join discussions d on d.id = p.discussion_id where p.id = ${id}`,
    );

  test("removes the post with a reason for its author and a log entry", async () => {
    const { mira, tomas, noor, post } = await talk();
    const { id } = await report(mira, post.id);
    await expect(end(tomas, id, "removed")).rejects.toMatchObject({
      reason: "invalid",
      fields: { reason: expect.any(String) },
    });
    expect(await listed(tomas)).toEqual([id]);
    const before = await stateOf(post.id);
    await end(tomas, id, "removed", "No shops.");
    expect(await stateOf(post.id)).toEqual({
      state: "removed",
      reason: "No shops.",
      count: before.count - 1,
    });
    expect((await getPost(db, noor, post.id)).why).toBe("No shops.");
    expect(await look(tomas, id)).toMatchObject({
      outcome: "upheld",
      note: "Spoken to.",
      place: { gone: true },
      mayTakeDown: false,
    });
    expect(await listEmittedEvents(database)).toContain("post.removed");
    expect(
      await one(db, sql`select actor_id as by, reason from audit_events where act = 'post.removed'`),
    ).toEqual({
      by: tomas.id,
      reason: "No shops.",
    });
  });

  test("removal is allowed to staff without read access; a discussion goes with its only post", async () => {
    const { mira, noor, ines, group } = await talk("secret");
    const alone = await createTestDiscussion(database, noor, group.id, { title: "Beans for sale" });
    const { id } = await report(mira, alone.postId);
    await end(ines, id, "removed", "No shops.");
    expect(await stateOf(alone.postId)).toMatchObject({ state: "removed" });
    expect(await one(db, sql`select state from discussions where id = ${alone.id}`)).toEqual({
      state: "deleted",
    });
  });

  test("removal is refused for missing posts and archived groups; the report still ends", async () => {
    const { mira, tomas, ines, noor, group, discussion, post } = await talk();
    const gone = await report(mira, post.id);
    await within((tx) => deletePost(tx, noor, { postId: post.id }));
    await expect(end(ines, gone.id, "removed", "No shops.")).rejects.toMatchObject({ reason: "invalid" });
    await end(ines, gone.id, "upheld");
    const other = await createTestReply(database, noor, discussion.id, { body: "More beans." });
    const { id } = await report(mira, other.id);
    await within((tx) => archiveGroup(tx, tomas, { groupId: group.id, reason: "" }));
    expect(await look(tomas, id)).toMatchObject({ mayTakeDown: false });
    await expect(end(tomas, id, "removed", "No shops.")).rejects.toMatchObject({ reason: "not-allowed" });
    await end(tomas, id, "upheld");
    expect(await stateOf(other.id)).toMatchObject({ state: "published" });
  });

  test("a comment leaves a stub under the resource; in the site library staff decide", async () => {
    const { mira, tomas, ines } = await talk();
    const { id: resourceId } = await within((tx) =>
      addDocument(tx, tomas, NewDocument.parse({ title: "Watering", body: "Twice a week." })),
    );
    const { id: commentId } = await within((tx) =>
      addComment(tx, tomas, { resourceId, body: "Buy my beans." }),
    );
    const { id } = await report(mira, commentId);
    expect(await look(ines, id)).toMatchObject({
      place: { kind: "resource", id: resourceId, number: 1, open: true },
      group: null,
    });
    await end(ines, id, "removed", "No shops.");
    expect(await getPost(db, mira, commentId)).toMatchObject({ stub: "removed" });
    expect(await one(db, sql`select comments_count as n from resources where id = ${resourceId}`)).toEqual({
      n: 0,
    });
  });
});

describe("reporting a post", () => {
  test("reporting is open to signed-in readers, for posts of others, once while pending", async () => {
    const { mira, ada, guest, noor, tomas, post } = await talk();
    await expect(report(guest, post.id)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(report(ada, post.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(report(noor, post.id)).rejects.toMatchObject({ reason: "not-allowed" });
    const { id } = await report(mira, post.id);
    await expect(report(mira, post.id)).rejects.toMatchObject({ reason: "conflict" });
    await end(tomas, id, "rejected");
    await report(mira, post.id);
    expect(NewPostReport.safeParse({ postId: post.id, reason: " " }).success).toBe(false);
    expect(NewPostReport.safeParse({ postId: "x", reason: "Rude." }).success).toBe(false);
  });

  test("stores one report when sent twice at the same moment", async () => {
    const { mira, tomas, post } = await talk();
    const sent = await Promise.allSettled([report(mira, post.id), report(mira, post.id)]);
    expect(sent.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(sent.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { reason: "conflict" },
    });
    expect(await listed(tomas)).toHaveLength(1);
  });

  test("reporting is possible for people one has blocked, not for those who block", async () => {
    const { mira, tomas, noor, discussion, post } = await talk();
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    const { id } = await report(mira, post.id);
    expect(await listed(tomas)).toEqual([id]);
    const own = await createTestReply(database, mira, discussion.id);
    await expect(report(noor, own.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("counts against the daily limit of reports", async () => {
    const { mira, noor, discussion } = await talk();
    const newcomer: SignedIn = { ...mira, trust: "new" };
    const posts = [];
    for (let n = 0; n < 6; n++)
      posts.push(await createTestReply(database, noor, discussion.id, { body: `Beans ${n}.` }));
    for (const { id } of posts.slice(0, 5)) await report(newcomer, id);
    await expect(report(newcomer, posts[5]!.id)).rejects.toMatchObject({ reason: "too-many" });
  });
});

describe("resolved report", () => {
  const days = (n: number) => (database.clock.at = new Date(database.clock.at.getTime() + n * 86_400_000));

  test("loses its texts after a year and is deleted after two; a pending one is kept", async () => {
    const { mira, tomas, noor, discussion, post } = await talk();
    const waiting = await createTestReply(database, noor, discussion.id, { body: "More beans." });
    const [ended, open] = [await report(mira, post.id), await report(mira, waiting.id)];
    await end(tomas, ended.id, "rejected");
    days(364);
    expect(await within(purgeReports)).toBe(0);
    days(2);
    expect(await within(purgeReports)).toBe(1);
    expect(await within(purgeReports)).toBe(0);
    expect((await look(tomas, ended.id)).messages).toMatchObject([
      { html: "", author: { username: "noor" } },
    ]);
    expect((await look(tomas, open.id)).messages).toMatchObject([
      { html: expect.stringContaining("More beans.") },
    ]);
    days(365);
    expect(await within(purgeReports)).toBe(1);
    await expect(look(tomas, ended.id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listed(tomas)).toEqual([open.id]);
  });

  test("never becomes visible to its subject when its texts are purged", async () => {
    const { mira, tomas, noor, group, post } = await talk();
    const { id } = await report(mira, post.id);
    await end(tomas, id, "rejected");
    days(366);
    await within(purgeReports);
    await within((tx) => setMembership(tx, group.id, noor, "moderator"));
    await expect(look(noor, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listed(noor, "resolved")).toEqual([]);
  });
});
