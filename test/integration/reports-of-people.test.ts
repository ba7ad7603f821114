import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import { getGroup } from "#community/groups";
import { purgeReports, listOwnReports, reportPost, listCases, countOpenCases } from "#community/moderation";
import { getResource, getTombstone } from "#community/resources";
import { SERVER_LIMITS } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestReply,
  setMembership,
  createTestUsers,
  createPerson,
} from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { setUpReporting } from "../support/moderation/reports.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { reason, onPerson, onResource, look, end, listed, waiting, refused, setProfile, aLink } =
  setUpReporting(database);

describe("report of a person", () => {
  test("shows staff the profile as the reporter saw it", async () => {
    const { mira, tomas, noor, ines, ada, guest } = await createTestUsers(database);
    await setProfile(noor, {
      bio: '<p>Buy <a href="https://example.org">beans</a></p>',
      pronouns: "she <her>",
    });
    const { id } = await onPerson(mira, noor);
    await setProfile(noor, { bio: "<p>I like beans.</p>" });
    for (const who of [ines, ada]) {
      const shown = await look(who, id);
      expect(shown).toMatchObject({
        reason,
        reporter: { username: "mira" },
        group: null,
        canTakeDown: false,
        authors: [{ username: "noor" }],
      });
      expect(shown.place).toMatchObject({
        kind: "person",
        id: noor.id,
        title: "Noor",
        postId: null,
        number: null,
        gone: false,
        open: true,
      });
      expect(shown.messages).toMatchObject([{ seq: 0, author: { username: "noor" }, chosen: true }]);
      const { html } = shown.messages[0]!;
      for (const words of ["<p>Noor</p>", "@noor", "she &lt;her&gt;", "Buy"]) expect(html).toContain(words);
      expect(html).not.toContain("href");
      expect(await listed(who)).toEqual([id]);
      expect(await waiting(who)).toBe(1);
    }
    for (const who of [mira, tomas, noor, guest])
      await expect(look(who, id)).rejects.toMatchObject(refused("not-found"));
    expect(await waiting(mira)).toBe(0);
    expect(await listEmittedEvents(database)).toContain("report.created");
  });

  test("contains only what the reporter could see", async () => {
    const { mira, noor, ines } = await createTestUsers(database);
    await setProfile(noor, { bio: "<p>For friends.</p>", privacy: { profile: "friends" } });
    const { id } = await onPerson(mira, noor);
    expect((await look(ines, id)).messages[0]!.html).not.toContain("For friends");
    expect((await look(ines, id)).messages[0]!.html).toContain("Noor");
  });

  test("cannot be reviewed by the person reported, even as staff", async () => {
    const { mira, ines, ada } = await createTestUsers(database);
    const { id } = await onPerson(mira, ines);
    await expect(look(ines, id)).rejects.toMatchObject(refused("not-found"));
    expect([await listed(ines), await waiting(ines)]).toEqual([[], 0]);
    expect([await listed(ada), await waiting(ada)]).toEqual([[id], 1]);
  });

  test("does not delete the account, and its reporter is notified of the outcome", async () => {
    const { mira, noor, ines } = await createTestUsers(database);
    const { id } = await onPerson(mira, noor);
    await expect(end(ines, id, "removed", "No shops.")).rejects.toMatchObject(refused("invalid"));
    await end(ines, id, "upheld");
    expect(await listed(ines, "resolved")).toEqual([id]);
    expect((await listOwnReports(db, mira)).rows).toMatchObject([
      { about: "person", authors: ["Noor"], outcome: "upheld" },
    ]);
    await onPerson(mira, noor);
    expect((await listOwnReports(db, mira)).rows).toHaveLength(2);
  });

  test("cannot be made about oneself or an invisible person; a blocked person can be reported", async () => {
    const { mira, tomas, noor, guest } = await createTestUsers(database);
    await expect(onPerson(guest, noor)).rejects.toMatchObject(refused("not-signed-in"));
    await expect(onPerson(mira, mira)).rejects.toMatchObject(refused("not-allowed"));
    await within((tx) => blockPerson(tx, noor, { personId: mira.id }));
    await expect(onPerson(mira, noor)).rejects.toMatchObject(refused("not-found"));
    await within((tx) => blockPerson(tx, mira, { personId: tomas.id }));
    await onPerson(mira, tomas);
    const pavel = await within((tx) => createPerson(tx, "pavel"));
    await run(db, sql`update people set state = 'erased' where id = ${pavel.id}`);
    await expect(onPerson(mira, pavel)).rejects.toMatchObject(refused("not-found"));
  });

  test("joins reports by others in one case with one outcome", async () => {
    const { mira, tomas, noor, ines } = await createTestUsers(database);
    await onPerson(mira, noor);
    await expect(onPerson(mira, noor)).rejects.toMatchObject(refused("conflict"));
    database.clock.pass(1_000);
    const { id } = await onPerson(tomas, noor);
    expect((await listCases(db, ines, { tab: "open" })).rows).toMatchObject([{ id, others: 1 }]);
    expect(await waiting(ines)).toBe(1);
    expect((await look(ines, id)).also).toMatchObject([{ reporter: { username: "mira" } }]);
    await end(ines, id, "rejected");
    expect([await listed(ines), await waiting(ines)]).toEqual([[], 0]);
    for (const who of [mira, tomas])
      expect((await listOwnReports(db, who)).rows).toMatchObject([{ outcome: "rejected" }]);
  });

  test("gets refused if only involved people could review it", async () => {
    const { mira, ada, ines } = await createTestUsers(database);
    await run(db, sql`update people set site_role = 'member' where id = ${ines.id}`);
    await expect(onPerson(mira, ada)).rejects.toMatchObject(refused("not-allowed"));
    await expect(onPerson(ada, mira)).rejects.toMatchObject(refused("not-allowed"));
    expect(await many(db, sql`select from reports where ${true}`)).toHaveLength(0);
  });

  test("counts towards the same daily limit as reports of posts", async () => {
    const people = await createTestUsers(database);
    const newcomer = await within((tx) => createPerson(tx, "pavel", "member", "new"));
    const group = await createTestGroup(database, people, { visibility: "public" });
    const discussion = await createTestDiscussion(database, people.mira, group.id);
    const posts = [];
    for (let n = 1; n < SERVER_LIMITS.reports.newDay; n++)
      posts.push(await createTestReply(database, people.mira, discussion.id));
    for (const post of posts) await within((tx) => reportPost(tx, newcomer, { postId: post.id, reason }));
    await onPerson(newcomer, people.noor);
    await expect(onPerson(newcomer, people.tomas)).rejects.toMatchObject(refused("too-many"));
  });

  test("deletes the reported text after a year, like reports of posts", async () => {
    const { mira, noor, ines } = await createTestUsers(database);
    const { id } = await onPerson(mira, noor);
    await end(ines, id, "upheld");
    database.clock.pass((SERVER_LIMITS.reports.evidenceDays + 1) * 86_400_000);
    expect(await within(purgeReports)).toBe(1);
    expect((await look(ines, id)).messages).toMatchObject([{ html: "", author: { username: "noor" } }]);
  });
});

describe("report of a resource", () => {
  test("notifies staff and the group's moderators, who can remove it with a reason", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, ines, ada } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    const link = await aLink(noor, group.id);
    const { id } = await onResource(mira, link.id);
    // The group is private: staff see the report and nothing else of it.
    for (const [who, open] of [
      [tomas, true],
      [ines, false],
      [ada, false],
    ] as const) {
      const shown = await look(who, id);
      expect(shown.place).toMatchObject({
        kind: "resource",
        id: link.id,
        title: "Beans & more",
        postId: null,
        number: null,
        gone: false,
        open,
      });
      expect(shown).toMatchObject({
        canTakeDown: true,
        authors: [{ username: "noor" }],
        group: { id: group.id },
      });
      expect(shown.messages[0]!.html).toContain("Beans &amp; more");
      expect(shown.messages[0]!.html).toContain("https://example.org/shop");
      expect([await listed(who), await waiting(who)]).toEqual([[id], 1]);
    }
    expect(await countOpenCases(db, tomas, await getGroup(db, tomas, group.id))).toBe(1);
    for (const who of [mira, noor]) await expect(look(who, id)).rejects.toMatchObject(refused("not-found"));
    await expect(end(ines, id, "removed")).rejects.toMatchObject(refused("invalid"));
    await end(ines, id, "removed", "No shops.");
    await expect(getResource(db, mira, link.id)).rejects.toMatchObject(refused("gone"));
    expect(await getTombstone(db, mira, link.id)).toMatchObject({ reason: "No shops.", byOwner: false });
    expect((await look(tomas, id)).place).toMatchObject({ gone: true });
    expect((await listOwnReports(db, mira)).rows).toMatchObject([{ about: "resource", outcome: "upheld" }]);
    expect(await listEmittedEvents(database)).toContain("resource.removed");
  });

  test("lets only staff remove a resource of an archived group", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, ines } = people;
    const group = await createTestGroup(database, people, {});
    const noor = people.noor;
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    const link = await aLink(noor, group.id);
    const { id } = await onResource(mira, link.id);
    await run(db, sql`update groups set state = 'archived' where id = ${group.id}`);
    expect([(await look(tomas, id)).canTakeDown, (await look(ines, id)).canTakeDown]).toEqual([false, true]);
    await expect(end(tomas, id, "removed", "No shops.")).rejects.toMatchObject(refused("not-allowed"));
  });

  test("notifies only staff if the resource has no group, and never its owner", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, ines, ada } = people;
    await createTestGroup(database, people, {});
    const link = await aLink(ines);
    const { id } = await onResource(mira, link.id);
    expect([await listed(ada), await waiting(ada)]).toEqual([[id], 1]);
    expect([await listed(ines), await waiting(ines)]).toEqual([[], 0]);
    expect([await listed(tomas), await waiting(tomas)]).toEqual([[], 0]);
  });

  test("cannot be made about one's own or an invisible resource", async () => {
    const people = await createTestUsers(database);
    const { mira, noor, tomas, guest } = people;
    const secret = await createTestGroup(database, people, { visibility: "secret" });
    const link = await aLink(mira, secret.id);
    await expect(onResource(noor, link.id)).rejects.toMatchObject(refused("not-found"));
    await expect(onResource(guest, link.id)).rejects.toMatchObject(refused("not-signed-in"));
    await expect(onResource(mira, link.id)).rejects.toMatchObject(refused("not-allowed"));
    await onResource(tomas, link.id);
  });
});
