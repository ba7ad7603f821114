import { describe, expect, test } from "vitest";
import { one, run, sql, type Tx } from "#platform/database";
import {
  archiveConversation,
  listConversations,
  sendMessage,
  startConversation,
  countUnreadConversations,
} from "#community/conversations";
import {
  listTopUnread,
  getDiscussion,
  getPost,
  listReadNext,
  countRepliesSince,
  setFollowLevel,
} from "#community/discussions";
import type { SignedIn } from "#community/rules";
import { runConcurrently } from "../support/concurrently.ts";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import {
  sendFriendRequest,
  listFriends,
  getFriendState,
  listMuted,
  mutePerson,
  isMuting,
  unmutePerson,
} from "#community/friends";
import { getPostsPage } from "../support/discussions/shared-posts.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const DAY = 86_400_000;

/** Reads use the database's own clock, so the test uses the present. */
async function today() {
  database.clock.at = new Date();
  const people = await createTestUsers(database);
  const mute = (who: SignedIn, whom: SignedIn, until: Date | null = null) =>
    within((tx) => mutePerson(tx, who, { personId: whom.id, until }));
  return { ...people, mute, inDays: (days: number) => new Date(database.clock.at.getTime() + days * DAY) };
}
const muted = async (who: SignedIn, whom: SignedIn) =>
  (await one(db, sql<{ is: boolean }>`select ${isMuting(sql`${who.id}::uuid`, sql`${whom.id}::uuid`)} as is`))
    .is;

describe("mute", () => {
  test("collapses the muted person's posts for one reader, and no one else notices", async () => {
    const people = await today();
    const { mira, tomas, ines, mute } = people;
    const group = await createTestGroup(database, people);
    const talk = await createTestDiscussion(database, tomas, group.id);
    const answer = await createTestReply(database, mira, talk.id, { replyTo: talk.postId });
    await mute(mira, tomas);
    const [first, second] = (
      await getPostsPage(db, mira, await getDiscussion(db, mira, talk.id), { page: 1 })
    ).posts;
    expect(first).toMatchObject({ muted: true, stub: null });
    expect(first?.html).toContain("still cold");
    expect(second).toMatchObject({ replyTo: { excerpt: "" } });
    expect(second).not.toHaveProperty("muted");
    for (const who of [tomas, ines]) {
      expect(await getPost(db, who, talk.postId)).not.toHaveProperty("muted");
      expect(await getPost(db, who, answer.id)).not.toHaveProperty("muted");
    }
    expect([
      await getFriendState(db, mira, tomas.id),
      await getFriendState(db, tomas, mira.id),
    ]).toMatchObject([{ viewerMutes: true }, { viewerMutes: false, canAsk: true, canWrite: true }]);
    expect((await listMuted(db, mira)).map(({ username, until }) => [username, until])).toEqual([
      ["tomas", null],
    ]);
    expect(await listMuted(db, tomas)).toEqual([]);
    expect((await listConversations(db, mira, { tab: "all" })).rows).toEqual([]);
  });

  test('omits the name of a muted person from the "replied while you wrote" notice', async () => {
    const people = await today();
    const { mira, tomas, ines, mute } = people;
    const talk = await createTestDiscussion(database, mira, (await createTestGroup(database, people)).id);
    await createTestReply(database, tomas, talk.id);
    await mute(mira, tomas);
    expect(await countRepliesSince(db, mira, talk.id, 1)).toEqual({ count: 1, first: 2, by: null });
    expect(await countRepliesSince(db, ines, talk.id, 1)).toMatchObject({ by: { username: "tomas" } });
  });

  test("ends automatically, and can be renewed and undone", async () => {
    const { mira, tomas, mute, inDays } = await today();
    await mute(mira, tomas, inDays(7));
    expect([await muted(mira, tomas), await muted(tomas, mira)]).toEqual([true, false]);
    await mute(mira, tomas, inDays(1));
    expect((await listMuted(db, mira))[0]?.until).toEqual(inDays(1));
    database.clock.at = inDays(-3);
    await mute(mira, tomas, new Date(database.clock.at.getTime() + DAY));
    expect([await muted(mira, tomas), await listMuted(db, mira)]).toEqual([false, []]);
    await mute(mira, tomas);
    await within((tx) => unmutePerson(tx, mira, { personId: tomas.id }));
    expect(await muted(mira, tomas)).toBe(false);
    expect(await listEmittedEvents(database)).toEqual([
      ...Array.from({ length: 4 }, () => "person.muted"),
      "person.unmuted",
    ]);
  });

  test("requires a future end and another existing person", async () => {
    const { mira, tomas, noor, guest, mute } = await today();
    await expect(mute(mira, tomas, database.clock.at)).rejects.toMatchObject({
      reason: "invalid",
      fields: { until: "That time is in the past." },
    });
    await expect(mute(mira, mira)).rejects.toMatchObject({ reason: "invalid" });
    await expect(mute(guest as SignedIn, tomas)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(
      within((tx) => mutePerson(tx, mira, { personId: "nobody", until: null })),
    ).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => sendFriendRequest(tx, noor, { personId: mira.id, note: "" }));
    await mute(mira, noor);
    expect((await listFriends(db, mira, { tab: "received" })).rows).toMatchObject([
      { username: "noor", isMuted: true },
    ]);
  });

  test("has a limit of a thousand people, even with concurrent requests", async () => {
    const { mira, tomas, noor } = await today();
    await run(
      db,
      sql`with strangers as (
            insert into people (id, username, display_name, email, site_role, trust, state, created_at)
            select gen_random_uuid(), 'person' || n, 'S', 'person' || n || '@example.org', 'member', 'new',
              'active', now() from generate_series(1, 999) n returning id)
          insert into mutes (muter_id, muted_id, created_at) select ${mira.id}, id, now() from strangers`,
    );
    const put = (whom: SignedIn) => (tx: Tx) => mutePerson(tx, mira, { personId: whom.id, until: null });
    expect(await runConcurrently(database, put(tomas), put(noor))).toMatchObject([
      { status: "fulfilled" },
      { reason: { reason: "too-many" } },
    ]);
  });

  test("marks the person's messages as read, and leaves archived conversations archived", async () => {
    const { mira, tomas, noor, mute } = await today();
    await within((tx) => run(tx, sql`update people set privacy = '{"messages":"everyone"}'`));
    const send = (who: SignedIn, conversationId: string) =>
      within((tx) => sendMessage(tx, who, { conversationId, body: "Hello." }));
    const start = (to: string[]) =>
      within((tx) => startConversation(tx, mira, { to, name: "", body: "Hello." }));
    const [two, several] = [(await start(["tomas"])).id, (await start(["tomas", "noor"])).id];
    await within((tx) => archiveConversation(tx, mira, { conversationId: two, archived: true }));
    await mute(mira, tomas);
    await send(tomas, two);
    await send(tomas, several);
    const unread = async () =>
      (await listConversations(db, mira, { tab: "unread" })).rows.map(({ id, unread: count }) => [id, count]);
    expect([await unread(), await countUnreadConversations(db, mira)]).toEqual([[], 0]);
    expect((await listConversations(db, mira, { tab: "archived" })).rows.map(({ id }) => id)).toEqual([two]);
    await send(noor, several);
    await send(tomas, several);
    expect(await unread()).toEqual([[several, 2]]);
    await send(mira, several);
    expect((await listConversations(db, tomas, { tab: "unread" })).rows.map(({ id }) => id)).toContain(
      several,
    );
  });

  test("excludes the person's discussions from the digest", async () => {
    const people = await today();
    const { mira, tomas, mute } = people;
    const group = await createTestGroup(database, people);
    await createTestDiscussion(database, tomas, group.id);
    const best = async () => (await listTopUnread(db, mira, { since: new Date(0) })).length;
    expect(await best()).toBe(1);
    await mute(mira, tomas);
    expect(await best()).toBe(0);
  });

  test("excludes the person's discussions from suggestions unless they are followed", async () => {
    const people = await today();
    const { mira, tomas, noor, mute } = people;
    const group = await createTestGroup(database, people);
    const [here, theirs, followed] = [
      await createTestDiscussion(database, mira, group.id),
      await createTestDiscussion(database, tomas, group.id),
      await createTestDiscussion(database, tomas, group.id),
    ];
    await within((tx) => setFollowLevel(tx, mira, { discussionId: followed.id, level: "tracking" }));
    await mute(mira, tomas);
    const next = async (who: SignedIn) =>
      (await listReadNext(db, who, await getDiscussion(db, who, here.id), database.clock.at)).map(
        ({ id }) => id,
      );
    expect(await next(mira)).toEqual([followed.id]);
    expect((await next(noor)).toSorted()).toEqual([theirs.id, followed.id]);
  });

  test("excludes the person from friend suggestions", async () => {
    const people = await today();
    const { mira, noor, mute } = people;
    const group = await createTestGroup(database, people);
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    const suggested = async () =>
      (await listFriends(db, mira, { tab: "suggestions" })).rows.map(({ username }) => username);
    expect(await suggested()).toEqual(["noor", "tomas"]);
    await mute(mira, noor);
    expect(await suggested()).toEqual(["tomas"]);
  });
});
