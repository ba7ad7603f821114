import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  addDocument,
  addLink,
  addResourceBookmark,
  removeResourceBookmark,
  listFeaturedResources,
  featureResource,
  followResource,
  findExistingResources,
  NewDocument,
  NewLink,
  listRelatedResources,
  getResource,
  listResources,
  unfeatureResource,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const aText = async (by: SignedIn, title: string, tags = "", groupId?: string) =>
  (await within((tx) => addDocument(tx, by, NewDocument.parse({ title, body: "Words.", tags, groupId })))).id;
const aLink = async (by: SignedIn, url: string, groupId?: string) =>
  (await within((tx) => addLink(tx, by, NewLink.parse({ url, title: url, groupId })))).id;
const related = async (viewer: Viewer, id: string) =>
  (await listRelatedResources(db, viewer, await getResource(db, viewer, id))).map(({ title }) => title);

describe("related resources", () => {
  test("share a tag, collection or discussion that the viewer can see", async () => {
    const people = await createTestUsers(database);
    const { mira, noor } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    const it = await aText(mira, "It", "frost, dates");
    await aText(mira, "One tag", "frost");
    await aText(mira, "Two tags", "dates, frost");
    await aText(mira, "In the group", "frost, dates", group.id);
    await aText(mira, "Unrelated", "bread");
    const [inCollection, inTalk] = [await aText(mira, "On a collection"), await aText(mira, "In the talk")];
    const { postId } = await createTestDiscussion(database, mira, group.id);
    await within(async (tx) => {
      const collection = tx.newId();
      await run(
        tx,
        sql`insert into collections (id, group_id, curator_id, title, created_at)
          values (${collection}, ${group.id}, ${mira.id}, 'Ours', ${tx.now})`,
      );
      for (const id of [it, inCollection])
        await run(
          tx,
          sql`insert into collection_items (collection_id, resource_id, position)
            values (${collection}, ${id}, 1)`,
        );
      for (const id of [it, inTalk])
        await run(tx, sql`insert into resource_uses (resource_id, post_id) values (${id}, ${postId})`);
    });
    expect(new Set(await related(mira, it))).toEqual(
      new Set(["Two tags", "In the group", "In the talk", "On a collection", "One tag"]),
    );
    expect(await related(noor, it)).toEqual(["Two tags", "One tag"]);
    expect(await related(mira, inCollection)).toEqual(["It"]);
    expect(await related(noor, inCollection)).toEqual([]);
  });
});

describe("existing resource", () => {
  test("matches any notation of its address, for people who can see it", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor } = people;
    const group = await createTestGroup(database, people, { visibility: "secret" });
    await aLink(mira, "https://www.example.org/frost/?utm_source=x#top");
    await aLink(mira, "https://example.org/secret", group.id);
    expect(await findExistingResources(db, noor, "http://example.org/frost")).toMatchObject([
      { owner: "Mira", group: null },
    ]);
    expect(
      await findExistingResources(db, tomas, "example.org/secret?".replace(/^/, "https://")),
    ).toMatchObject([{ group: { name: "The Long Beds" } }]);
    for (const url of ["https://example.org/secret", "https://example.org/other", "nonsense", ""])
      expect(await findExistingResources(db, noor, url)).toEqual([]);
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    expect(await findExistingResources(db, noor, "https://example.org/frost")).toMatchObject([
      { owner: null },
    ]);
  });
});

describe("featured resources", () => {
  test("can be chosen by admins, or by owners for their group", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, ines, ada, noor, guest } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    const [forAll, ofGroup] = [await aText(mira, "For all"), await aText(mira, "Ours", "", group.id)];
    const feature = (viewer: SignedIn, resourceId: string) =>
      within((tx) => featureResource(tx, viewer, { resourceId }));
    for (const viewer of [mira, tomas, ines, noor])
      await expect(feature(viewer, forAll)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(feature(mira, ofGroup)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(feature(ada, ofGroup)).rejects.toMatchObject({ reason: "not-found" });
    await feature(ada, forAll);
    database.clock.pass(1000);
    await feature(tomas, ofGroup);
    const shown = async (viewer: Viewer) =>
      (await listFeaturedResources(db, viewer)).map(({ title }) => title);
    expect([await shown(mira), await shown(noor), await shown(guest)]).toEqual([
      ["Ours", "For all"],
      ["For all"],
      ["For all"],
    ]);
    await expect(within((tx) => unfeatureResource(tx, mira, { resourceId: forAll }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => unfeatureResource(tx, ada, { resourceId: forAll }));
    expect(await shown(guest)).toEqual([]);
  });
});

describe("resource bookmark", () => {
  test("stays private, but is counted and can sort and filter the library", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, guest } = people;
    const group = await createTestGroup(database, people, { visibility: "secret" });
    const [one, two, hidden] = [
      await aText(mira, "One"),
      await aText(mira, "Two"),
      await aText(mira, "Hidden", "", group.id),
    ];
    const mark = (viewer: SignedIn, resourceId: string) =>
      within((tx) => addResourceBookmark(tx, viewer, { resourceId }));
    for (const viewer of [mira, tomas, tomas]) await mark(viewer, one);
    await expect(mark(noor, hidden)).rejects.toMatchObject({ reason: "not-found" });
    await expect(mark(guest as SignedIn, one)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(
      within((tx) => followResource(tx, noor, { resourceId: hidden, level: "watching" })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    const rows = async (viewer: Viewer, query: Parameters<typeof listResources>[2]) =>
      (await listResources(db, viewer, query)).rows.map(({ title, bookmarks }) => `${title} ${bookmarks}`);
    expect(await rows(noor, { sort: "kept" })).toEqual(["One 2", "Two 0"]);
    expect([
      await rows(tomas, { mine: "yes" }),
      await rows(noor, { mine: "yes" }),
      await rows(guest, { mine: "yes" }),
    ]).toEqual([["One 2"], [], []]);
    await within((tx) => removeResourceBookmark(tx, tomas, { resourceId: one }));
    expect(await getResource(db, tomas, one)).toMatchObject({ bookmarks: 1, bookmarked: false });
    const nonsense = within((tx) => removeResourceBookmark(tx, tomas, { resourceId: "nonsense" }));
    await expect(nonsense).rejects.toMatchObject({ reason: "not-found" });
    await run(db, sql`update resources set last_comment_at = ${database.clock.at} where id = ${two}`);
    expect(await rows(noor, { sort: "talked" })).toEqual(["Two 0", "One 1"]);
  });

  test("count sorts the library page by page without gaps, like every other order", async () => {
    const { mira } = await createTestUsers(database);
    await run(
      db,
      sql`insert into resources (id, kind, owner_id, title, bookmarks_count, comments_count, last_comment_at,
        created_at)
          select gen_random_uuid(), 'document', ${mira.id}, 'No ' || n, n % 3, n % 4, case
            when n % 2 = 0 then ${database.clock.at}::timestamptz - n * interval '1 hour'
            end, ${database.clock.at}
          from generate_series(1, 60) n`,
    );
    for (const sort of ["newest", "kept", "talked", "discussed", "title"] as const) {
      const seen: string[] = [];
      for (let after: string | undefined; seen.length < 80;) {
        const page = await listResources(db, mira, { sort, after });
        seen.push(...page.rows.map(({ title }) => title));
        if (!page.next) break;
        after = page.next;
      }
      expect([sort, seen.length, new Set(seen).size]).toEqual([sort, 60, 60]);
    }
  });
});
