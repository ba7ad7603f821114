import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import { groupFactsJson } from "#community/groups";
import { type ResourceFacts, resourceRules, type SignedIn, type Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  addDocument,
  addFile,
  addLink,
  listCollections,
  addComment,
  listComments,
  getFile,
  NewDocument,
  NewLink,
  recordUpload,
  getResourceFacets,
  getResource,
  listResources,
  listResourceUses,
} from "./index.ts";
import { joinResourceGroup, isResourceVisible } from "./resource-columns.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

const link = (by: SignedIn, groupId?: string, more: { title?: string; tags?: string } = {}) =>
  within((tx) =>
    addLink(
      tx,
      by,
      NewLink.parse({ url: "https://www.example.org/frost", title: "Frost dates", groupId, ...more }),
    ),
  );
const titles = async (viewer: Viewer, query: Parameters<typeof listResources>[2] = {}) =>
  (await listResources(db, viewer, query)).rows.map((it) => it.title);

describe("SQL and rules for resources", () => {
  test("agree for every viewer, visibility, state and owner", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor } = people;
    const standings = await within(async (tx) => {
      for (const username of ["banned", "invited"])
        await run(
          tx,
          sql`insert into people (id, username, display_name, state, created_at)
            values (${tx.newId()}, ${username}, ${username}, 'active', ${tx.now})`,
        );
      return (
        await many(
          tx,
          sql<{
            id: string;
            username: "banned" | "invited";
          }>`select id, username from people where username in ('banned', 'invited')`,
        )
      ).map((it) => ({ ...noor, ...it }));
    });
    for (const visibility of ["public", "private", "secret", null] as const) {
      const group = visibility && (await createTestGroup(database, people, { visibility, name: visibility }));
      if (group)
        for (const who of standings) await within((tx) => setMembership(tx, group.id, who, who.username));
      for (const state of ["draft", "published", "hidden", "removed"])
        for (const owner of [mira, tomas]) {
          const { id } = await link(owner, group?.id);
          await run(db, sql`update resources set state = ${state} where id = ${id}`);
        }
    }
    for (const viewer of [people.guest, mira, tomas, noor, people.ines, people.ada, ...standings]) {
      const rows = await many(
        db,
        sql<ResourceFacts & { seen: boolean }>`
          select r.state, r.owner_id as "ownerId", r.audience, r.created_at as "createdAt",
            ${isResourceVisible(viewer, "r", "g", "m")} as seen,
            case when g.id is not null then ${groupFactsJson("g", "m")} end as "group"
          from resources r ${joinResourceGroup(viewer, "r", "g", "m")}`,
      );
      expect(rows).toHaveLength(32);
      for (const row of rows) expect({ ...row }).toEqual({ ...row, seen: resourceRules.see(viewer, row) });
    }
  });
});

describe("library", () => {
  test("lists site-wide resources and those of own groups, with matching counts", async () => {
    const people = await createTestUsers(database);
    const { mira, noor, guest } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    await link(mira, undefined, { title: "For all", tags: "frost, Dates" });
    await link(mira, group.id, { title: "For the beds", tags: "frost" });
    expect([await titles(mira), await titles(noor), await titles(guest)]).toEqual([
      ["For the beds", "For all"],
      ["For all"],
      ["For all"],
    ]);
    expect((await getResourceFacets(db, mira, {})).tags).toEqual([
      { value: "frost", label: "frost", count: 2 },
      { value: "dates", label: "dates", count: 1 },
    ]);
    expect(await getResourceFacets(db, noor, {})).toMatchObject({
      groups: [],
      tags: [{ count: 1 }, { count: 1 }],
    });
    expect(await titles(mira, { tag: "dates" })).toEqual(["For all"]);
    expect(await titles(mira, { group: group.id, kind: "link", search: "bed" })).toEqual(["For the beds"]);
    expect(await titles(mira, { sort: "title" })).toEqual(["For all", "For the beds"]);
    for (const odd of ["x", "\0", "'"]) expect(await titles(mira, { group: odd })).toEqual([]);
  });

  test("filters by language, year, owner and broken links", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, guest } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    const { id } = await link(mira, undefined, { title: "Old" });
    await run(
      db,
      sql`update resources set created_at = '2024-12-31 23:59:59Z', language = 'de', health = 'dead'
        where id = ${id}`,
    );
    await link(tomas, undefined, { title: "New" });
    await link(tomas, group.id, { title: "For the beds" });
    const of = async (viewer: Viewer) => {
      const { languages, years, owners, dead } = await getResourceFacets(db, viewer, {});
      return [
        ...[languages, years, owners].map((facet) => facet.map(({ label, count }) => `${label} ${count}`)),
        dead,
      ];
    };
    expect(await of(mira)).toEqual([["en 2", "de 1"], ["2026 2", "2024 1"], ["Tomas 2", "Mira 1"], 1]);
    expect(await of(guest)).toEqual([["de 1", "en 1"], ["2026 1", "2024 1"], ["Mira 1", "Tomas 1"], 1]);
    for (const query of [{ language: "de" }, { year: 2024 }, { owner: mira.id }, { dead: "yes" }] as const)
      expect(await titles(noor, query), JSON.stringify(query)).toEqual(["Old"]);
    for (const year of [2025, 0, -1, 1.5, Number.NaN, 99_999])
      expect(await titles(mira, { year })).toEqual([]);
    await within((tx) => blockPerson(tx, noor, { personId: mira.id }));
    await within((tx) => blockPerson(tx, tomas, { personId: noor.id }));
    expect(await of(noor)).toEqual([["de 1", "en 1"], ["2026 1", "2024 1"], [], 1]);
  });

  test("accepts links from newcomers, documents from established members, nothing from guests", async () => {
    const people = await createTestUsers(database);
    const { mira, noor, guest } = people;
    const newcomer: SignedIn = { ...noor, trust: "new" };
    const document = NewDocument.parse({ title: "Watering", body: "Twice a week. ".repeat(300) });
    await link(newcomer);
    await expect(within((tx) => addDocument(tx, newcomer, document))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(link(guest as SignedIn)).rejects.toMatchObject({ reason: "not-signed-in" });
    const { id } = await within((tx) => addDocument(tx, mira, document));
    expect(await getResource(db, guest, id)).toMatchObject({
      kind: "document",
      readingMinutes: 5,
      owner: { username: "mira" },
    });
    const group = await createTestGroup(database, people, { visibility: "secret" });
    await expect(link(noor, group.id)).rejects.toMatchObject({ reason: "not-found" });
    for (const groupId of [undefined, group.id])
      await expect(link({ ...mira, limited: true }, groupId)).rejects.toMatchObject({
        reason: "not-allowed",
        message: "Your account cannot post at the moment.",
      });
    for (const url of ["javascript:alert(1)", "ftp://x", "x"])
      expect(NewLink.safeParse({ url, title: "x" }).success).toBe(false);
  });

  test("shows only uses in discussions the viewer can read", async () => {
    const people = await createTestUsers(database);
    const { mira, noor } = people;
    const hidden = await createTestGroup(database, people, { visibility: "private", name: "Hidden" });
    const open = await createTestGroup(database, people, { name: "Open" });
    const { id } = await link(mira);
    for (const group of [hidden, open]) {
      const { postId } = await createTestDiscussion(database, mira, group.id, { title: `In ${group.slug}` });
      await run(db, sql`insert into resource_uses (resource_id, post_id) values (${id}, ${postId})`);
    }
    const where = async (viewer: Viewer) =>
      (await listResourceUses(db, viewer, await getResource(db, viewer, id))).map((it) => it.title).sort();
    expect([await where(mira), await where(noor)]).toEqual([["In hidden", "In open"], ["In open"]]);
  });

  test("lists collections with the items the viewer can see", async () => {
    const people = await createTestUsers(database);
    const { mira, noor } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    const ids = [await link(mira), await link(mira, group.id, { title: "For the beds" })];
    await within(async (tx) => {
      const collection = tx.newId();
      await run(
        tx,
        sql`insert into collections (id, curator_id, title, created_at)
          values (${collection}, ${mira.id}, 'Start here', ${tx.now})`,
      );
      for (const [position, { id }] of ids.entries())
        await run(
          tx,
          sql`insert into collection_items (collection_id, resource_id, position)
            values (${collection}, ${id}, ${position})`,
        );
    });
    expect(await listCollections(db, mira)).toMatchObject([{ title: "Start here", count: 2 }]);
    expect(await listCollections(db, noor)).toMatchObject([{ count: 1, first: [{ title: "Frost dates" }] }]);
  });
});

describe("comment", () => {
  test("has a number, is stored once if sent twice, and appears as a stub across a block", async () => {
    const { mira, tomas, noor, guest } = await createTestUsers(database);
    const { id } = await link(mira);
    const clientId = crypto.randomUUID();
    const comment = (viewer: SignedIn, body: string, once?: string) =>
      within((tx) => addComment(tx, viewer, { resourceId: id, body, clientId: once }));
    const [one, two] = await Promise.all([
      comment(tomas, "Useful.", clientId),
      comment(tomas, "Useful.", clientId),
    ]);
    expect(one).toEqual(two);
    const more = await Promise.all(Array.from({ length: 5 }, () => comment(noor, "Indeed.")));
    expect(more.map((it) => it.number).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6]);
    await expect(comment(guest as SignedIn, "x")).rejects.toMatchObject({ reason: "not-signed-in" });
    await within((tx) => blockPerson(tx, noor, { personId: tomas.id }));
    const resource = await getResource(db, tomas, id);
    expect(resource.comments).toBe(6);
    expect((await listComments(db, tomas, resource)).comments.slice(0, 2)).toMatchObject([
      { mine: true, stub: null },
      { html: null, stub: "blocked", author: null },
    ]);
    expect((await listComments(db, noor, resource)).comments[0]).toMatchObject({
      html: null,
      stub: "blocked-by-viewer",
    });
  });
});

describe("file", () => {
  const stored = { hash: "a".repeat(64), size: 12, mime: "text/plain", fileName: "../../etc/passwd" };

  test("stays private to its uploader until it becomes a resource, then has its visibility", async () => {
    const people = await createTestUsers(database);
    const { mira, noor, tomas } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    const upload = await within((tx) => recordUpload(tx, mira, stored));
    expect(await getFile(db, mira, upload.id)).toMatchObject({ fileName: "passwd", size: 12, open: false });
    await expect(getFile(db, tomas, upload.id)).rejects.toMatchObject({ reason: "not-found" });
    const wish = {
      uploadId: upload.id,
      title: "Seeds",
      why: "",
      tags: [],
      groupId: group.id,
      language: "en",
      licence: "",
    };
    await expect(within((tx) => addFile(tx, tomas, wish))).rejects.toMatchObject({ reason: "invalid" });
    await within((tx) => addFile(tx, mira, wish));
    expect(await getFile(db, tomas, upload.id)).toMatchObject({ open: false });
    await expect(getFile(db, noor, upload.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(within((tx) => addFile(tx, mira, wish))).rejects.toMatchObject({ reason: "invalid" });
    await expect(getFile(db, mira, "x")).rejects.toMatchObject({ reason: "not-found" });
  });
});

test("replies to a discussion do not count as comments", async () => {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const { id } = await createTestDiscussion(database, people.mira, group.id);
  await createTestReply(database, people.mira, id);
  const resource = await getResource(db, people.mira, (await link(people.mira)).id);
  expect((await listComments(db, people.mira, resource)).comments).toEqual([]);
});
