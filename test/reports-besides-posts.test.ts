import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { block } from "#community/friends";
import { groupFor } from "#community/groups";
import { forgetReports, ownReports, reportPost, reportsFor, reportsWaitingIn } from "#community/moderation";
import { resourceFor, tombstoneFor } from "#community/resources";
import { LIMITS } from "#community/rules";
import { aDiscussion, aGroup, announced, aReply, bring, cast, person } from "./cast.ts";
import { testDatabase } from "./setup/database.ts";
import { reporting } from "./reports-besides-posts.fixture.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { reason, onPerson, onResource, look, end, listed, waiting, refused, says, aLink } = reporting(database);

describe("somebody who was reported", () => {
  test("is shown to staff, as whoever reported it read their page then, and to nobody else", async () => {
    const { mira, tomas, noor, ines, ada, guest } = await cast(database);
    await says(noor, { bio: '<p>Buy <a href="https://example.org">beans</a></p>', pronouns: "she <her>" });
    const { id } = await onPerson(mira, noor);
    await says(noor, { bio: "<p>I like beans.</p>" });
    for (const who of [ines, ada]) {
      const shown = await look(who, id);
      expect(shown).toMatchObject({
        reason,
        reporter: { username: "mira" },
        group: null,
        mayTakeDown: false,
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
    for (const who of [mira, tomas, noor, guest]) await expect(look(who, id)).rejects.toMatchObject(refused("not-found"));
    expect(await waiting(mira)).toBe(0);
    expect(await announced(database)).toContain("report.made");
  });

  test("is reported by what the viewer reads of them, and no more", async () => {
    const { mira, noor, ines } = await cast(database);
    await says(noor, { bio: "<p>For friends.</p>", privacy: { profile: "friends" } });
    const { id } = await onPerson(mira, noor);
    expect((await look(ines, id)).messages[0]!.html).not.toContain("For friends");
    expect((await look(ines, id)).messages[0]!.html).toContain("Noor");
  });

  test("does not look at it themselves, also as staff", async () => {
    const { mira, ines, ada } = await cast(database);
    const { id } = await onPerson(mira, ines);
    await expect(look(ines, id)).rejects.toMatchObject(refused("not-found"));
    expect([await listed(ines), await waiting(ines)]).toEqual([[], 0]);
    expect([await listed(ada), await waiting(ada)]).toEqual([[id], 1]);
  });

  test("is spoken to, and does not go; whoever reported them hears how it ended", async () => {
    const { mira, noor, ines } = await cast(database);
    const { id } = await onPerson(mira, noor);
    await expect(end(ines, id, "removed", "No shops.")).rejects.toMatchObject(refused("invalid"));
    await end(ines, id, "upheld");
    expect(await listed(ines, "resolved")).toEqual([id]);
    expect((await ownReports(db, mira)).rows).toMatchObject([{ about: "person", authors: ["Noor"], outcome: "upheld" }]);
    await onPerson(mira, noor);
    expect((await ownReports(db, mira)).rows).toHaveLength(2);
  });

  test("is not oneself, nor who is gone or lets the viewer know nothing of them; whom one blocks can be", async () => {
    const { mira, tomas, noor, guest } = await cast(database);
    await expect(onPerson(guest, noor)).rejects.toMatchObject(refused("not-signed-in"));
    await expect(onPerson(mira, mira)).rejects.toMatchObject(refused("not-allowed"));
    await within((tx) => block(tx, noor, { personId: mira.id }));
    await expect(onPerson(mira, noor)).rejects.toMatchObject(refused("not-found"));
    await within((tx) => block(tx, mira, { personId: tomas.id }));
    await onPerson(mira, tomas);
    const pavel = await within((tx) => person(tx, "pavel"));
    await run(db, sql`update people set state = 'erased' where id = ${pavel.id}`);
    await expect(onPerson(mira, pavel)).rejects.toMatchObject(refused("not-found"));
  });

  test("by several stands once, and ends for all of them; by the same again it is said already", async () => {
    const { mira, tomas, noor, ines } = await cast(database);
    await onPerson(mira, noor);
    await expect(onPerson(mira, noor)).rejects.toMatchObject(refused("conflict"));
    database.clock.pass(1_000);
    const { id } = await onPerson(tomas, noor);
    expect((await reportsFor(db, ines, { tab: "open" })).rows).toMatchObject([{ id, others: 1 }]);
    expect(await waiting(ines)).toBe(1);
    expect((await look(ines, id)).also).toMatchObject([{ reporter: { username: "mira" } }]);
    await end(ines, id, "rejected");
    expect([await listed(ines), await waiting(ines)]).toEqual([[], 0]);
    for (const who of [mira, tomas]) expect((await ownReports(db, who)).rows).toMatchObject([{ outcome: "rejected" }]);
  });

  test("is not taken up where nobody but who is part of it could look", async () => {
    const { mira, ada, ines } = await cast(database);
    await run(db, sql`update people set site_role = 'member' where id = ${ines.id}`);
    await expect(onPerson(mira, ada)).rejects.toMatchObject(refused("not-allowed"));
    await expect(onPerson(ada, mira)).rejects.toMatchObject(refused("not-allowed"));
    expect(await many(db, sql`select from reports where ${true}`)).toHaveLength(0);
  });

  test("counts among what one may report in a day, together with posts", async () => {
    const people = await cast(database);
    const newcomer = await within((tx) => person(tx, "pavel", "member", "new"));
    const group = await aGroup(database, people, { visibility: "public" });
    const discussion = await aDiscussion(database, people.mira, group.id);
    const posts = [];
    for (let n = 1; n < LIMITS.reports.newDay; n++) posts.push(await aReply(database, people.mira, discussion.id));
    for (const post of posts) await within((tx) => reportPost(tx, newcomer, { postId: post.id, reason }));
    await onPerson(newcomer, people.noor);
    await expect(onPerson(newcomer, people.tomas)).rejects.toMatchObject(refused("too-many"));
  });

  test("leaves their words in it for a year, as posts do", async () => {
    const { mira, noor, ines } = await cast(database);
    const { id } = await onPerson(mira, noor);
    await end(ines, id, "upheld");
    database.clock.pass((LIMITS.reports.evidenceDays + 1) * 86_400_000);
    expect(await within(forgetReports)).toBe(1);
    expect((await look(ines, id)).messages).toMatchObject([{ html: "", author: { username: "noor" } }]);
  });
});

describe("a resource that was reported", () => {
  test("is looked at by staff and by those who look after its group, and goes with a reason", async () => {
    const people = await cast(database);
    const { mira, tomas, noor, ines, ada } = people;
    const group = await aGroup(database, people, { visibility: "private" });
    await within((tx) => bring(tx, group.id, noor, "member"));
    const link = await aLink(noor, group.id);
    const { id } = await onResource(mira, link.id);
    // The group is private: staff see the report, and nothing else of it.
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
      expect(shown).toMatchObject({ mayTakeDown: true, authors: [{ username: "noor" }], group: { id: group.id } });
      expect(shown.messages[0]!.html).toContain("Beans &amp; more");
      expect(shown.messages[0]!.html).toContain("https://example.org/shop");
      expect([await listed(who), await waiting(who)]).toEqual([[id], 1]);
    }
    expect(await reportsWaitingIn(db, tomas, await groupFor(db, tomas, group.id))).toBe(1);
    for (const who of [mira, noor]) await expect(look(who, id)).rejects.toMatchObject(refused("not-found"));
    await expect(end(ines, id, "removed")).rejects.toMatchObject(refused("invalid"));
    await end(ines, id, "removed", "No shops.");
    await expect(resourceFor(db, mira, link.id)).rejects.toMatchObject(refused("gone"));
    expect(await tombstoneFor(db, mira, link.id)).toMatchObject({ reason: "No shops.", byKeeper: false });
    expect((await look(tomas, id)).place).toMatchObject({ gone: true });
    expect((await ownReports(db, mira)).rows).toMatchObject([{ about: "resource", outcome: "upheld" }]);
    expect(await announced(database)).toContain("resource.removed");
  });

  test("in an archived group is taken away by staff, and not by those who look after it", async () => {
    const people = await cast(database);
    const { mira, tomas, ines } = people;
    const group = await aGroup(database, people, {});
    const noor = people.noor;
    await within((tx) => bring(tx, group.id, noor, "member"));
    const link = await aLink(noor, group.id);
    const { id } = await onResource(mira, link.id);
    await run(db, sql`update groups set state = 'archived' where id = ${group.id}`);
    expect([(await look(tomas, id)).mayTakeDown, (await look(ines, id)).mayTakeDown]).toEqual([false, true]);
    await expect(end(tomas, id, "removed", "No shops.")).rejects.toMatchObject(refused("not-allowed"));
  });

  test("of everybody is looked at by staff alone, but who keeps it", async () => {
    const people = await cast(database);
    const { mira, tomas, ines, ada } = people;
    await aGroup(database, people, {});
    const link = await aLink(ines);
    const { id } = await onResource(mira, link.id);
    expect([await listed(ada), await waiting(ada)]).toEqual([[id], 1]);
    expect([await listed(ines), await waiting(ines)]).toEqual([[], 0]);
    expect([await listed(tomas), await waiting(tomas)]).toEqual([[], 0]);
  });

  test("is not one's own, nor one that the viewer does not see", async () => {
    const people = await cast(database);
    const { mira, noor, tomas, guest } = people;
    const secret = await aGroup(database, people, { visibility: "secret" });
    const link = await aLink(mira, secret.id);
    await expect(onResource(noor, link.id)).rejects.toMatchObject(refused("not-found"));
    await expect(onResource(guest, link.id)).rejects.toMatchObject(refused("not-signed-in"));
    await expect(onResource(mira, link.id)).rejects.toMatchObject(refused("not-allowed"));
    await onResource(tomas, link.id);
  });
});
