import { describe, expect, test } from "vitest";
import { DAY, MINUTE, SECOND } from "#platform/clock";
import { many, maybeOne, one, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestReply,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { getDiscussion, markRead, markUnread, listReadNext, setFollowLevel } from "../index.ts";
import { getPostsPage } from "../../../../test/support/discussions/shared-posts.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/** A discussion of Tomas's with this many posts, in a group with Mira. */
async function setting(posts = 1) {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, people.tomas, group.id);
  for (let n = 2; n <= posts; n++) await createTestReply(database, people.tomas, id);
  return { ...people, group, id };
}
const read = (viewer: SignedIn, discussionId: string, upTo: number, ms?: number) =>
  within((tx) => markRead(tx, viewer, { discussionId, upTo, ms }));

describe("read position", () => {
  test("at post 37 of 120 makes post 38 on page two the first unread on other devices", async () => {
    const { mira, id } = await setting(120);
    for (const upTo of [12, 20, 37, 31]) await read(mira, id, upTo, 5_000);
    const elsewhere = await getDiscussion(db, mira, id);
    expect(elsewhere).toMatchObject({ readUpTo: 37, firstUnread: 38 });
    expect(await getPostsPage(db, mira, elsewhere, { post: elsewhere.firstUnread! })).toMatchObject({
      page: 2,
      pages: 6,
    });
    await within((tx) => markUnread(tx, mira, { discussionId: id, from: 25 }));
    expect((await getDiscussion(db, mira, id)).firstUnread).toBe(25);
  });

  test("never exceeds the last post, so that later posts are unread", async () => {
    const { mira, tomas, id } = await setting(3);
    await within((tx) => markUnread(tx, mira, { discussionId: id, from: 500 }));
    expect((await getDiscussion(db, mira, id)).readUpTo).toBe(3);
    await createTestReply(database, tomas, id);
    expect((await getDiscussion(db, mira, id)).firstUnread).toBe(4);
  });
});

test("a request for several pages of posts returns at most five pages", async () => {
  const { mira, id } = await setting(121);
  const discussion = await getDiscussion(db, mira, id);
  const from = async (page: number, upTo: number) => {
    const { posts, ...where } = await getPostsPage(db, mira, discussion, { page, upTo });
    return { ...where, first: posts[0]!.number, last: posts.at(-1)!.number, count: posts.length };
  };
  expect(await from(2, 3)).toMatchObject({ page: 2, upTo: 3, pages: 7, first: 21, last: 60, count: 40 });
  expect(await from(1, 99)).toMatchObject({ page: 1, upTo: 5, first: 1, last: 100, count: 100 });
  expect(await from(6, 99)).toMatchObject({ page: 6, upTo: 7, first: 101, last: 121, count: 21 });
  for (const upTo of [0, -4, 1, Number.NaN])
    expect(await from(2, upTo)).toMatchObject({ page: 2, upTo: 2, count: 20 });
});

const level = async (viewer: SignedIn, id: string) => (await getDiscussion(db, viewer, id)).level;

test("replying makes the author follow the discussion, unless they chose a level", async () => {
  const { mira, noor, id } = await setting();
  await read(mira, id, 1, 0);
  await createTestReply(database, mira, id);
  expect(await level(mira, id)).toBe("tracking");
  await within((tx) => setFollowLevel(tx, mira, { discussionId: id, level: "normal" }));
  await createTestReply(database, mira, id);
  expect(await level(mira, id)).toBe("normal");
  expect(await level(noor, id)).toBe("normal");
});

describe("reading time", () => {
  test("makes a person follow the discussion after five minutes of actual reading", async () => {
    const { mira, id } = await setting();
    await read(mira, id, 1, 10_000);
    for (let i = 0; i < 40; i++) await read(mira, id, 1, MINUTE);
    expect(await level(mira, id)).toBe("normal");
    for (let i = 0; i < 5; i++) {
      database.clock.pass(MINUTE);
      await read(mira, id, 1, 10 * MINUTE);
    }
    expect(await level(mira, id)).toBe("tracking");
  });

  test("does not override a chosen follow level", async () => {
    const { mira, id } = await setting();
    await within((tx) => setFollowLevel(tx, mira, { discussionId: id, level: "normal" }));
    for (let i = 0; i < 10; i++) {
      database.clock.pass(MINUTE);
      await read(mira, id, 1, MINUTE);
    }
    expect(await level(mira, id)).toBe("normal");
  });

  /** A newcomer who reads five discussions of `posts` posts, `ms` each. */
  async function newcomer({ posts, ms, discussions }: { posts: number; ms: number; discussions: number }) {
    const { tomas, group } = await setting();
    const viewer = await within((tx) => createPerson(tx, "new-here", "member", "new"));
    for (let i = 0; i < discussions; i++) {
      const { id } = await createTestDiscussion(database, tomas, group.id);
      for (let n = 2; n <= posts; n++) await createTestReply(database, tomas, id);
      await read(viewer, id, posts, 0);
      for (let passed = 0; passed < ms; passed += 30 * SECOND) {
        database.clock.pass(30 * SECOND);
        await read(viewer, id, posts, 30 * SECOND);
      }
    }
    return (await maybeOne(db, sql<{ trust: string }>`select trust from people where id = ${viewer.id}`))!
      .trust;
  }

  test("makes an account established after enough discussions, posts and minutes", async () => {
    expect(await newcomer({ discussions: 5, posts: 6, ms: 2 * MINUTE })).toBe("established");
    expect(await listEmittedEvents(database)).toContain("person.established");
  });

  test.each([
    { discussions: 4, posts: 8, ms: 3 * MINUTE },
    { discussions: 5, posts: 5, ms: 3 * MINUTE },
    { discussions: 5, posts: 6, ms: 1.5 * MINUTE },
  ])("does not promote an account to established below the limits: %o", async (less) => {
    expect(await newcomer(less)).toBe("new");
  });

  test("counts only as many posts of a long discussion as can be read in that time", async () => {
    const { tomas, group } = await setting();
    const viewer = await within((tx) => createPerson(tx, "skimmer", "member", "new"));
    const trust = async () =>
      (await one(db, sql<{ trust: string }>`select trust from people where id = ${viewer.id}`)).trust;
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await createTestDiscussion(database, tomas, group.id)).id);
    await run(db, sql`update discussions set last_number = 400 where id = ${ids[0]}`);
    await read(viewer, ids[0]!, 400, MINUTE);
    for (const id of ids.slice(1))
      for (let minute = 0; minute < 4; minute++) {
        database.clock.pass(MINUTE);
        await read(viewer, id, 1, MINUTE);
      }
    // Sixteen minutes in five discussions, and three posts of the long one.
    expect(await trust()).toBe("new");
    for (let minute = 0; minute < 2; minute++) {
      database.clock.pass(MINUTE);
      await read(viewer, ids[0]!, 400, MINUTE);
    }
    expect(await trust()).toBe("established");
  });

  test("does not make a limited account established", async () => {
    const { tomas, group } = await setting();
    const viewer = await within((tx) => createPerson(tx, "limited", "member", "new"));
    await run(db, sql`update people set state = 'limited' where id = ${viewer.id}`);
    for (let i = 0; i < 5; i++) {
      const { id } = await createTestDiscussion(database, tomas, group.id);
      await run(
        db,
        sql`insert into read_positions (person_id, discussion_id, last_read_number, read_at, read_ms)
          values (${viewer.id}, ${id}, 20, now(), 900000)`,
      );
    }
    const [{ id } = { id: "" }] = await many(db, sql<{ id: string }>`select id from discussions`);
    await read({ ...viewer, limited: true }, id, 1, MINUTE);
    expect(await many(db, sql`select trust from people where id = ${viewer.id}`)).toEqual([{ trust: "new" }]);
  });
});

describe("read next", () => {
  test("lists up to five unread discussions: followed first, then of the same group, then others", async () => {
    const people = await setting();
    const { tomas, noor, id } = people;
    const other = await createTestGroup(database, people, { name: "The Orchard" });
    const hidden = await createTestGroup(database, people, {
      name: "Behind the hedge",
      visibility: "private",
    });
    await within((tx) => setMembership(tx, people.group.id, noor, "member"));
    const make = async (groupId: string, title: string) => {
      database.clock.pass(MINUTE);
      return (await createTestDiscussion(database, tomas, groupId, { title })).id;
    };
    const old = await make(other.id, "Long ago and followed");
    await make(hidden.id, "Not for everybody");
    database.clock.pass(100 * DAY);
    const elsewhere = [await make(other.id, "Elsewhere one"), await make(other.id, "Elsewhere two")];
    const followed = await make(other.id, "Followed and new");
    const here = [await make(people.group.id, "Here one"), await make(people.group.id, "Here two")];
    for (const it of [old, followed])
      await within((tx) => setFollowLevel(tx, noor, { discussionId: it, level: "tracking" }));
    const next = async (who: Parameters<typeof listReadNext>[1]) =>
      (await listReadNext(db, who, await getDiscussion(db, who, id), database.clock.at)).map((row) => row.id);
    expect(await next(noor)).toEqual([followed, here[1], here[0], elsewhere[1], elsewhere[0]]);
    expect(await next(people.guest)).toEqual([here[1], here[0], followed, elsewhere[1], elsewhere[0]]);
    await read(noor, followed, 1);
    expect(await next(noor)).toEqual([here[1], here[0], followed, elsewhere[1], elsewhere[0]]);
  });

  test("finds a readable discussion even if a thousand newer discussions are members-only", async () => {
    const people = await setting();
    const { tomas, guest, noor, id } = people;
    const other = await createTestGroup(database, people, { name: "The Orchard" });
    const hidden = await createTestGroup(database, people, {
      name: "Behind the hedge",
      visibility: "private",
    });
    const open = await createTestDiscussion(database, tomas, other.id, { title: "For everybody" });
    database.clock.pass(DAY);
    await run(
      db,
      sql`insert into discussions (id, group_id, author_id, title, posts_count, last_number, last_post_at,
        last_post_by, created_at)
          select gen_random_uuid(), ${hidden.id}, ${tomas.id}, 'Theirs ' || n, 1, 1, ${database.clock.at},
            ${tomas.id}, ${database.clock.at}
          from generate_series(1, 1001) n`,
    );
    for (const viewer of [guest, noor])
      expect(
        (await listReadNext(db, viewer, await getDiscussion(db, viewer, id), database.clock.at)).map(
          (row) => row.id,
        ),
      ).toEqual([open.id]);
  });
});
