import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { block } from "#community/friends";
import { archiveGroup, groupFor, unarchiveGroup } from "#community/groups";
import {
  forgetReports,
  groupLog,
  lookAtReport,
  ownReports,
  reportGroup,
  reportPerson,
  reportPost,
  reportResource,
  reportsFor,
  reportsWaitingIn,
  Resolution,
  resolveReport,
} from "#community/moderation";
import { besideHome } from "#community/notifications";
import { addLink, NewLink, resourceFor, tombstoneFor } from "#community/resources";
import { LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { aDiscussion, aGroup, announced, aReply, bring, cast, person } from "./cast.ts";
import { testDatabase } from "./setup/database.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const reason = "It sells beans.";
const onPerson = (who: Viewer, { id }: { id: string }) => within((tx) => reportPerson(tx, who, { personId: id, reason }));
const onResource = (who: Viewer, resourceId: string) => within((tx) => reportResource(tx, who, { resourceId, reason }));
const onGroup = (who: Viewer, groupId: string) => within((tx) => reportGroup(tx, who, { groupId, reason }));
const look = (who: Viewer, reportId: string) => within((tx) => lookAtReport(tx, who, reportId));
const end = (who: Viewer, reportId: string, outcome: string, why = "") =>
  within((tx) => resolveReport(tx, who, Resolution.parse({ reportId, outcome, reason: why, note: "" })));
const listed = async (who: Viewer, tab: "open" | "resolved" = "open") => (await reportsFor(db, who, { tab })).rows.map(({ id }) => id);
const waiting = async (who: SignedIn) => (await besideHome(db, who, database.clock.at)).waiting.reports;
const refused = (reason: string) => ({ reason }) as const;

const says = (who: SignedIn, it: { bio?: string; pronouns?: string; privacy?: object }) =>
  run(
    db,
    sql`update people set bio_html = ${it.bio ?? ""}, pronouns = ${it.pronouns ?? ""}, privacy = ${JSON.stringify(it.privacy ?? {})}::jsonb
        where id = ${who.id}`,
  );
const aLink = (who: SignedIn, groupId?: string) =>
  within((tx) =>
    addLink(tx, who, NewLink.parse({ title: "Beans & more", url: "https://example.org/shop", why: "Cheap", ...(groupId && { groupId }) })),
  );

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

describe("a group that was reported", () => {
  test("is looked at by staff, never by those who look after it; nobody takes it away with that", async () => {
    const people = await cast(database);
    const { mira, tomas, noor, ines, ada } = people;
    const group = await aGroup(database, people, { visibility: "secret", name: "Beans <b>", rules: ["Buy here"] });
    await within((tx) => bring(tx, group.id, ines, "moderator"));
    const { id } = await onGroup(mira, group.id);
    const shown = await look(ada, id);
    // Nothing else of a secret group.
    expect(shown.place).toMatchObject({ kind: "group", id: group.id, title: "Beans <b>", gone: false, open: false });
    expect(shown).toMatchObject({ group: null, mayTakeDown: false, authors: [] });
    expect(shown.messages).toMatchObject([{ author: null, html: expect.stringContaining("Beans &lt;b&gt;") as string }]);
    expect(shown.messages[0]!.html).toContain("Buy here");
    for (const who of [tomas, noor, mira, ines]) await expect(look(who, id)).rejects.toMatchObject(refused("not-found"));
    expect([await listed(tomas), await waiting(tomas), await listed(ines), await waiting(ines)]).toEqual([[], 0, [], 0]);
    expect(await reportsWaitingIn(db, tomas, await groupFor(db, tomas, group.id))).toBe(0);
    expect([await listed(ada), await waiting(ada)]).toEqual([[id], 1]);
    await end(ada, id, "upheld");
    expect((await ownReports(db, mira)).rows).toMatchObject([{ about: "group", authors: [], outcome: "upheld" }]);
  });

  test("is archived by staff who find it right, with a reason for its log, and staff open it again", async () => {
    const people = await cast(database);
    const { mira, tomas, noor, ines, ada } = people;
    const group = await aGroup(database, people, {});
    const { id } = await onGroup(mira, group.id);
    expect(await look(ines, id)).toMatchObject({ mayTakeDown: false, mayArchive: true });
    await expect(end(ines, id, "archived")).rejects.toMatchObject({ reason: "invalid", fields: { reason: expect.any(String) } });
    for (const who of [tomas, noor]) await expect(end(who, id, "archived", "No shops.")).rejects.toMatchObject(refused("not-found"));
    await end(ines, id, "archived", "No shops.");
    expect((await ownReports(db, mira)).rows).toMatchObject([{ outcome: "upheld" }]);
    expect(await groupFor(db, tomas, group.id)).toMatchObject({ state: "archived" });
    expect((await groupLog(db, tomas, await groupFor(db, tomas, group.id))).rows[0]).toMatchObject({
      act: "group.archived",
      by: { username: "ines" },
      reason: "No shops.",
    });
    const open = (who: SignedIn) => within((tx) => unarchiveGroup(tx, who, { groupId: group.id, reason: "" }));
    await expect(open(tomas)).rejects.toMatchObject({ reason: "not-allowed", message: /look after this community/ });
    expect(await groupFor(db, tomas, group.id)).toMatchObject({ state: "archived" });
    await open(ada);
    // What its owner archives is theirs to open, staff or not.
    await run(db, sql`update people set site_role = 'moderator' where id = ${tomas.id}`);
    await within((tx) => archiveGroup(tx, tomas, { groupId: group.id, reason: "" }));
    await open(tomas);
  });

  test("is archived by nobody where it rests already, and nothing else is", async () => {
    const people = await cast(database);
    const { mira, noor, ines } = people;
    const group = await aGroup(database, people, {});
    await run(db, sql`update groups set state = 'archived', archived_at = now()`);
    const { id } = await onGroup(mira, group.id);
    expect(await look(ines, id)).toMatchObject({ mayArchive: false });
    await expect(end(ines, id, "archived", "No shops.")).rejects.toMatchObject(refused("invalid"));
    const { id: other } = await onPerson(mira, noor);
    expect(await look(ines, other)).toMatchObject({ mayArchive: false });
    await expect(end(ines, other, "archived", "No shops.")).rejects.toMatchObject(refused("invalid"));
  });

  test("is looked at by staff who look after it where there is no other staff", async () => {
    const people = await cast(database);
    const { mira, ines, ada } = people;
    const group = await aGroup(database, people, {});
    for (const who of [ines, ada]) await within((tx) => bring(tx, group.id, who, "moderator"));
    const { id } = await onGroup(mira, group.id);
    for (const who of [ines, ada]) expect([await listed(who), await waiting(who)]).toEqual([[id], 1]);
  });

  test("is not one that the viewer looks after, or may not know of", async () => {
    const people = await cast(database);
    const { tomas, noor, guest } = people;
    const secret = await aGroup(database, people, { visibility: "secret" });
    await expect(onGroup(tomas, secret.id)).rejects.toMatchObject(refused("not-allowed"));
    await expect(onGroup(noor, secret.id)).rejects.toMatchObject(refused("not-found"));
    await expect(onGroup(guest, secret.id)).rejects.toMatchObject(refused("not-signed-in"));
  });
});
