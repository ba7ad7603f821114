import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { listDiscussionsByAuthor, listRepliesByAuthor } from "#community/discussions";
import { blockPerson } from "#community/friends";
import { addDocument, listResources } from "#community/resources";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { listActivity } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const later = () => database.clock.pass(1_000);

/** Mira starts a discussion, replies to another one and adds a resource, a second apart; `times` times. */
async function busy(visibility: "public" | "private" = "public", times = 1) {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  const other = await createTestDiscussion(database, people.tomas, group.id, { title: "Of Tomas" });
  for (let n = 0; n < times; n++) {
    later();
    await createTestDiscussion(database, people.mira, group.id, { title: `Started ${n}` });
    later();
    await createTestReply(database, people.mira, other.id, { body: `Answered ${n}` });
    later();
    const about = { why: "", tags: [], language: "en", licence: "" };
    await within((tx) =>
      addDocument(tx, people.mira, { title: `Added ${n}`, body: "x", groupId: group.id, ...about }),
    );
  }
  return { ...people, group, other };
}

describe("activity of a person", () => {
  test("lists newest first, each with its group", async () => {
    const { mira, noor, guest } = await busy();
    const activityFor = async (viewer: typeof guest) =>
      (await listActivity(db, viewer, mira.id, {})).rows.map(({ kind, title }) => `${kind}: ${title}`);
    const all = ["added: Added 0", "answered: Of Tomas", "started: Started 0", "joined: The Long Beds"];
    expect(await activityFor(noor)).toEqual(all);
    expect(await activityFor(mira)).toEqual(all);
    // Memberships are visible to members only.
    expect(await activityFor(guest)).toEqual(all.slice(0, 3));
    expect((await listActivity(db, noor, mira.id, {})).rows[1]).toMatchObject({
      group: { slug: "the-long-beds" },
    });
  });

  test("has pages without repeats or gaps in every tab", async () => {
    const { mira, noor } = await busy("public", 15);
    const walk = async (
      page: (after: string | undefined) => Promise<{ rows: { id: string }[]; next: string | null }>,
    ) => {
      const seen: string[] = [];
      for (let after: string | undefined, more = true; more;) {
        const { rows, next } = await page(after);
        seen.push(...rows.map((row) => row.id));
        more = next !== null;
        after = next ?? undefined;
      }
      return seen;
    };
    const deeds = await walk((after) => listActivity(db, noor, mira.id, { after }));
    expect(deeds).toHaveLength(46);
    expect(new Set(deeds).size).toBe(46);
    expect(await walk((after) => listRepliesByAuthor(db, noor, mira.id, { after }))).toHaveLength(15);
    expect(await walk((after) => listDiscussionsByAuthor(db, noor, mira.id, { after }))).toHaveLength(15);
    expect(await walk((after) => listResources(db, noor, { owner: mira.id, after }))).toHaveLength(15);
    expect((await listActivity(db, noor, mira.id, { after: "made-up" })).rows).toHaveLength(20);
    expect(await listActivity(db, noor, "nonsense", {})).toEqual({ rows: [], next: null });
    expect(await listResources(db, noor, { owner: "nonsense" })).toMatchObject({ rows: [] });
  });

  test("hides unreadable groups, removed content and people across a block", async () => {
    const { mira, tomas, noor, other, group } = await busy("private");
    expect((await listActivity(db, noor, mira.id, {})).rows).toEqual([]);
    expect((await listRepliesByAuthor(db, noor, mira.id, {})).rows).toEqual([]);
    expect((await listRepliesByAuthor(db, tomas, mira.id, {})).rows).toMatchObject([
      { title: "Of Tomas", excerpt: "Answered 0" },
    ]);
    await run(db, sql`update posts set state = 'removed' where discussion_id = ${other.id} and number = 2`);
    expect((await listRepliesByAuthor(db, tomas, mira.id, {})).rows).toEqual([]);
    expect((await listActivity(db, tomas, mira.id, {})).rows.map((it) => it.kind)).toEqual([
      "added",
      "started",
      "joined",
    ]);
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    expect((await listActivity(db, noor, mira.id, {})).rows).toHaveLength(3);
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    expect((await listActivity(db, noor, mira.id, {})).rows).toEqual([]);
    expect((await listResources(db, noor, { owner: mira.id })).rows).toEqual([]);
    expect((await many(db, sql`select from people`)).length).toBe(5);
  });
});
