import { describe, expect, test } from "vitest";
import { HOUR, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { deletePost, getDiscussion } from "#community/discussions";
import { deleteGroup, getGroup } from "#community/groups";
import { GUEST, type SignedIn, type Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  endInspection,
  listGroupLog,
  inspectDiscussion,
  listInspectedDiscussions,
  inspectGroup,
  getInspection,
  NewInspection,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;

/** A secret group of Tomas's with Mira and some posts; Ada is the admin. */
async function scene() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "secret", name: "Behind the shed" });
  const { id } = await createTestDiscussion(database, people.mira, group.id, {
    title: "The keys",
    body: "Under the pot. ![a key](/files/1) [see](https://example.org)",
  });
  const look = (viewer: Viewer, reason = "Somebody says they are threatened there.") =>
    within((tx) => inspectGroup(tx, viewer, NewInspection.parse({ groupId: group.id, reason })));
  const list = (viewer: Viewer) => listInspectedDiscussions(db, viewer, group.id, { now: clock.at });
  const read = (viewer: Viewer, page = 1) => within((tx) => inspectDiscussion(tx, viewer, id, page));
  return { ...people, group, id, look, list, read };
}
const notFound = { reason: "not-found" };

describe("admin inspecting a group they do not belong to", () => {
  test("can read for an hour after stating a reason, which is logged for the owners", async () => {
    const { ada, tomas, group, id, look, list, read } = await scene();
    expect(await list(ada)).toMatchObject({
      group: { name: null, visibility: "secret" },
      open: null,
      discussions: null,
    });
    await expect(read(ada)).rejects.toMatchObject(notFound);
    await look(ada);
    expect(await list(ada)).toMatchObject({
      group: { name: "Behind the shed" },
      open: { reason: "Somebody says they are threatened there." },
      discussions: { rows: [{ id, title: "The keys", author: { username: "mira" }, posts: 1 }], next: null },
    });
    const shown = await read(ada);
    expect(shown).toMatchObject({
      title: "The keys",
      pages: 1,
      posts: [{ number: 1, author: { username: "mira" } }],
    });
    expect(shown.posts[0]!.html).toContain("Under the pot.");
    expect(shown.posts[0]!.html).not.toMatch(/<img|href/);
    await read(ada);
    const log = await listGroupLog(db, tomas, await getGroup(db, tomas, group.id));
    expect(log.rows.map(({ act, by, reason }) => [act, by?.username, reason])).toEqual([
      ["discussion.inspected", "ada", null],
      ["group.inspected", "ada", "Somebody says they are threatened there."],
    ]);
    clock.pass(HOUR + MINUTE);
    expect(await list(ada)).toMatchObject({ open: null, discussions: null });
    await expect(read(ada)).rejects.toMatchObject(notFound);
  });

  test("can read further discussions on the next page", async () => {
    const { ada, mira, group, look } = await scene();
    await run(
      db,
      sql`insert into discussions (id, group_id, author_id, title, last_post_at, last_post_by, created_at)
        select gen_random_uuid(), ${group.id}, ${mira.id}, 'Key number ' || n, now() - n * interval '1 hour',
          ${mira.id}, now() from generate_series(1, 25) n`,
    );
    await look(ada);
    const page = async (after?: string) =>
      (await listInspectedDiscussions(db, ada, group.id, { now: clock.at, after })).discussions!;
    const first = await page();
    const second = await page(first.next!);
    expect([first.rows.length + second.rows.length, second.next]).toEqual([26, null]);
  });

  test("continues the current inspection when starting another one", async () => {
    const { ada, look, list } = await scene();
    await Promise.all([look(ada), look(ada, "Another reason.")]);
    const { open } = await list(ada);
    clock.pass(10 * MINUTE);
    await look(ada);
    expect((await list(ada)).open).toEqual(open);
    expect((await listEmittedEvents(database)).filter((type) => type === "group.inspected")).toHaveLength(1);
    expect(await many(db, sql`select from inspections`)).toHaveLength(1);
  });

  test("can end the inspection early and loses access", async () => {
    const { ada, group, look, list, read } = await scene();
    await look(ada);
    await within((tx) => endInspection(tx, ada, { groupId: group.id }));
    expect((await list(ada)).open).toBeNull();
    await expect(read(ada)).rejects.toMatchObject(notFound);
  });

  test("can read the group only through the inspection, not on its own pages", async () => {
    const { ada, id, look, ines, noor } = await scene();
    const other = await createTestGroup(
      database,
      { tomas: ines, mira: noor },
      { visibility: "private", name: "Elsewhere" },
    );
    const apart = await createTestDiscussion(database, ines, other.id);
    await look(ada);
    await expect(getDiscussion(db, ada, id)).rejects.toMatchObject(notFound);
    await expect(within((tx) => inspectDiscussion(tx, ada, apart.id, 1))).rejects.toMatchObject(notFound);
  });

  test("sees open and archived discussions, latest first, with gaps for deleted posts", async () => {
    const { ada, mira, group, id, look, list, read } = await scene();
    for (let n = 2; n <= 22; n++) {
      clock.pass(MINUTE);
      await createTestReply(database, mira, id, { body: `Word ${n}.` });
    }
    const [second] = await many(
      db,
      sql<{ id: string }>`select id from posts where discussion_id = ${id} and number = 2`,
    );
    await within((tx) => deletePost(tx, mira, { postId: second!.id }));
    clock.pass(MINUTE);
    const late = await createTestDiscussion(database, mira, group.id, { title: "Put away" });
    await run(db, sql`update discussions set state = 'archived' where id = ${late.id}`);
    await look(ada);
    expect((await list(ada)).discussions!.rows.map(({ title }) => title)).toEqual(["Put away", "The keys"]);
    const first = await read(ada);
    expect([first.pages, first.posts.length, first.posts[1]!.html]).toEqual([2, 20, null]);
    expect((await read(ada, 9)).posts.map(({ number }) => number)).toEqual([21, 22]);
  });

  test("must state a reason", async () => {
    const { ada, look } = await scene();
    await expect(look(ada, " ")).rejects.toThrow("Enter a reason. The group's owners will read it.");
  });
});

describe("group inspection", () => {
  test("fails for everyone but unrestricted admins who cannot read the group", async () => {
    const { ada, ines, mira, noor, group, look, read } = await scene();
    for (const viewer of [ines, mira, noor]) await expect(look(viewer)).rejects.toMatchObject(notFound);
    await expect(look(GUEST)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(look({ ...ada, limited: true } satisfies SignedIn)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await look(ada);
    for (const viewer of [ines, mira, GUEST]) await expect(read(viewer)).rejects.toMatchObject(notFound);
    await within((tx) => setMembership(tx, group.id, ada, "member"));
    await expect(getInspection(db, ada, group.id, clock.at)).rejects.toMatchObject(notFound);
  });

  test("fails for a public, deleted or unknown group", async () => {
    const { ada, tomas, mira, group } = await scene();
    const open = await createTestGroup(database, { tomas, mira }, { visibility: "public", name: "Open" });
    await within((tx) => deleteGroup(tx, tomas, { groupId: group.id, reason: "" }));
    for (const id of [open.id, group.id, "no-such-group", "\0", clock.at.toISOString()])
      await expect(getInspection(db, ada, id, clock.at)).rejects.toMatchObject(notFound);
  });
});
