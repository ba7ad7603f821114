import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { createFolderStorage } from "#platform/storage";
import { getBadges } from "#community/notifications";
import { getEvent, listEvents, listOpenDatePolls } from "#community/calendar";
import { getGroup, getGroupApprovalQueue } from "#community/groups";
import { type SignedIn } from "#community/rules";
import { getPicture, listAccounts } from "#community/accounts";
import { listCases } from "#community/moderation";
import { listResources } from "#community/resources";
import { getDiscussion, listLatestDiscussions, getPostsPage, listPendingPosts } from "#community/discussions";
import { listEmittedEvents, createTestUsers } from "../../../../test/support/test-users.ts";
import { assertNoStaleParticipants } from "../../../../test/support/conversations/stale-participants.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { hasNoPeople, seedDemo } from "../index.ts";

const database = await testDatabase();
const { db } = database;

async function seed() {
  const folder = await mkdtemp(join(tmpdir(), "kith-seed-"));
  const storage = createFolderStorage(folder);
  await seedDemo(database, storage, "db/demo", {
    now: database.clock.at,
    print: () => {},
    passwordHash: async (name) => `hash of ${name}`,
  }).catch(async (error) => {
    await rm(folder, { recursive: true });
    throw error;
  });
  return { storage, gone: () => rm(folder, { recursive: true }) };
}

test("the demo community fills an empty database with the expected rows", async () => {
  expect(await hasNoPeople(db)).toBe(true);
  const { storage, gone } = await seed();
  expect(await hasNoPeople(db)).toBe(false);
  const wrong = await many(
    db,
    sql`select g.slug from groups g
      where members_count <> (select count(*) from memberships m
        where m.group_id = g.id and m.state = 'member')
        union all select d.title from discussions d
        where last_number <> (select max(number) from posts p where p.discussion_id = d.id)
        union all select d.title from discussions d
        where last_number <> (select count(*) from posts p where p.discussion_id = d.id)
        union all select c.name from conversations c
        where last_seq <> (select count(*) from messages x where x.conversation_id = c.id)`,
  );
  expect(wrong).toEqual([]);
  await assertNoStaleParticipants(db);
  const mira: SignedIn = {
    ...(await one(db, sql<{ id: string }>`select id from people where username = 'mira'`)),
    role: "member",
    trust: "established",
    limited: false,
  };
  expect((await getBadges(db, mira)).unreadDiscussions).toBeGreaterThanOrEqual(5);
  expect((await getGroup(db, mira, "long-beds")).viewerRole).toBe("moderator");
  const [latest] = (await listLatestDiscussions(db, mira, {})).rows;
  const { posts } = await getPostsPage(db, mira, await getDiscussion(db, mira, latest!.id), { page: 1 });
  const photo = await getPicture(db, mira, posts[0]!.author!.photoId!);
  expect([photo.mime, await storage.sizeOf(photo.hash)]).toEqual(["image/webp", photo.size]);
  expect((await listResources(db, mira, { kind: "file" })).rows.length).toBeGreaterThan(0);
  expect(await listEmittedEvents(database)).toContain("transfer.finished");
  const signIns = await many(
    db,
    sql<{ username: string }>`select username from people where password_hash is not null order by username`,
  );
  expect(signIns.map((it) => it.username)).toEqual(["ada", "ines", "mira", "tomas"]);
  // Recent events are notified with their own date, and nothing is mailed.
  const tellings = await many(
    db,
    sql<{ kind: string; late: boolean; sent: boolean }>`
      select n.kind, n.updated_at = p.created_at as late, n.mail_at is not null
        or n.push_at is not null as sent
      from notifications n join people on people.id = n.person_id join posts p on p.id = n.latest_id
      where people.username = 'mira' and n.read_at is null`,
  );
  expect(tellings.length).toBeGreaterThan(1);
  expect(new Set(tellings.map(({ late, sent }) => `${late} ${sent}`))).toEqual(new Set(["true false"]));
  await gone();
});

test("staff of the demo community have a person, a group, a post and a report to decide", async () => {
  const { gone } = await seed();
  const ines: SignedIn = {
    ...(await one(db, sql<{ id: string }>`select id from people where username = 'ines'`)),
    role: "moderator",
    trust: "established",
    limited: false,
  };
  const { accounts } = await listAccounts(db, ines, { state: "pending_approval" });
  expect(accounts.map(({ username, joinReason }) => [username, joinReason !== null])).toEqual([
    ["lotte.b", true],
  ]);
  expect((await getGroupApprovalQueue(db, ines)).pending.map(({ name }) => name)).toEqual(["The Loose Keys"]);
  expect((await listPendingPosts(db, ines)).rows.map(({ author }) => author.username)).toEqual(["luka"]);
  const open = await listCases(db, ines, { tab: "open" });
  expect(open.rows.map(({ reporter, place }) => [reporter?.username, place?.number])).toEqual([["zofia", 4]]);
  expect((await listCases(db, ines, { tab: "resolved" })).rows).toHaveLength(1);
  await gone();
});

test("seeding demo content into a database that already has people is refused", async () => {
  await createTestUsers(database);
  await expect(seed()).rejects.toMatchObject({ reason: "conflict" });
});

test("the demo calendar has a weekly series, a full workshop with a waiting list, and a past party", async () => {
  const { gone } = await seed();
  const [tomas] = await many(db, sql<{ id: string }>`select id from people where username = 'tomas'`);
  const viewer = { id: tomas!.id, role: "member", trust: "established", limited: false } as const;
  const { rows } = await listEvents(db, viewer, { from: database.clock.at });
  const evenings = rows.filter(({ title }) => title === "Repair evening");
  expect(evenings.map(({ cancelledAt }) => cancelledAt !== null)).toEqual(
    Array.from({ length: 12 }, (_, week) => week === 2),
  );
  expect(new Set(evenings.map(({ seriesId }) => seriesId)).size).toBe(1);
  expect(evenings[4]).toMatchObject({ place: "Library, reading room" });
  const workshop = rows.find(({ title }) => title.startsWith("Workshop"))!;
  expect(workshop).toMatchObject({ capacity: 6, going: 6, answer: "going" });
  expect(await getEvent(db, viewer, workshop.eventId)).toMatchObject({ waiting: 3 });
  const [poll] = await listOpenDatePolls(db, viewer, { now: database.clock.at });
  expect(poll).toMatchObject({ title: "Turning the compost together", answersCount: 5, timesCount: 4 });
  const past = await many(
    db,
    sql<{ title: string }>`select distinct title from calendar_events where ends_at < ${database.clock.at}`,
  );
  expect(past.map(({ title }) => title)).toContain("Summer party in the courtyard");
  await gone();
});
