import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findRecords, type ApiRecord } from "#baas/data";
import { blockPerson } from "#community/friends";
import { API_ENTITIES, type ApiEntity } from "#community/api-entities";
import { OPERATOR, type SignedIn, type Viewer } from "#community/rules";
import { run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestReply,
  setMembership,
  createTestUsers,
  type TestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { createLeakCommunity, type LeakCommunity } from "../../../../test/support/leak-matrix/community.ts";
import {
  DELETED_WORD,
  INSIDE_WORD,
  GROUP_NAME,
  PRIVATE_WORD,
} from "../../../../test/support/leak-matrix/marker-words.ts";
import { createAllViewers, EXPECTED_VISIBILITY } from "../../../../test/support/leak-matrix/viewers.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { startTestApi, type TestRestApi } from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
const { inTransaction: within, db } = database;
let testApi: TestRestApi;
beforeAll(async () => {
  testApi = await startTestApi(database);
});
afterAll(() => testApi.close());
beforeEach(() => void testApi.forget());

const callerOf = (viewer: Viewer) => ({ userId: viewer.id, roles: [], server: false, viewer });

/** Runs a query as a viewer, like the API. */
async function find(viewer: Viewer, name: string, query: object = {}): Promise<ApiRecord[]> {
  const { tables } = testApi.app;
  return findRecords(tables, callerOf(viewer), await tables.catalogue.table(name), {
    pageSize: 100,
    ...query,
  });
}
const count = async (viewer: Viewer, name: string, where: string) =>
  Number((await find(viewer, name, { props: "Count(objectId) as found", where }))[0]!["found"]);

const TEXTS = new Set(["STRING", "TEXT", "STRING_ID"]);
const textsOf = (entity: ApiEntity) =>
  entity.columns.filter(({ type }) => TEXTS.has(type)).map(({ name }) => name);

/**
 * Clauses that probe an entity for a word: in its own texts, in related ones, and in those that relate to it.
 */
function feelersFor(entity: ApiEntity, word: string): string[] {
  const anyOf = (place: string, texts: string[]) =>
    texts.map((column) => `${place}${column} like '%${word}%'`).join(" or ");
  const named = (name: string) => API_ENTITIES.find((it) => it.name === name)!;
  const forward = entity.relations.map(({ name, toTable }) => anyOf(`${name}.`, textsOf(named(toTable))));
  const backward = API_ENTITIES.flatMap((other) =>
    other.relations
      .filter(({ toTable }) => toTable === entity.name)
      .map(({ name }) => anyOf(`${other.name}[${name}].`, textsOf(other))),
  );
  return [anyOf("", textsOf(entity)), ...forward, ...backward];
}

describe.each(["public", "secret"] as const)("entity tables of a %s group", (visibility) => {
  test("show each class of viewers exactly what the visibility rules define", async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, visibility);
    for (const [it, viewer] of [
      ...(await createAllViewers(database, people, at.groupId)),
      ["operator", OPERATOR] as const,
    ]) {
      const may =
        it === "member"
          ? { name: true, inside: true }
          : it === "operator"
            ? EXPECTED_VISIBILITY[visibility]("stranger")
            : EXPECTED_VISIBILITY[visibility](it);
      const responses: Record<string, string> = {};
      for (const { name } of API_ENTITIES)
        responses[name] = JSON.stringify(
          await find(viewer, name, { relationsDepth: 1, relationsPageSize: 20 }),
        );
      const entitiesWith = (word: string) =>
        Object.keys(responses).filter((name) => responses[name]!.includes(word));
      // The description of a secret group is visible with its name.
      const atTheDoor = visibility === "secret" && may.name;
      expect([it, entitiesWith(GROUP_NAME).length > 0]).toEqual([it, may.name]);
      if (!atTheDoor || may.inside)
        expect([it, entitiesWith(INSIDE_WORD).length > 3]).toEqual([it, may.inside]);
      if (!may.inside && !atTheDoor) expect([it, entitiesWith(INSIDE_WORD)]).toEqual([it, []]);
      expect([it, entitiesWith(PRIVATE_WORD).length > 0]).toEqual([it, it === "member"]);
      const restores = visibility === "public" && ["moderator of the site", "admin", "operator"].includes(it);
      expect([it, entitiesWith(DELETED_WORD).length > 0]).toEqual([it, restores]);
    }
  });
});

describe("probing for hidden data", () => {
  const feel = async (viewer: Viewer, words: string[]) => {
    const felt: string[] = [];
    for (const entity of API_ENTITIES)
      for (const word of words)
        for (const where of feelersFor(entity, word))
          if ((await count(viewer, entity.name, where)) > 0) felt.push(`${entity.name} where ${where}`);
    return felt;
  };

  test("reveals nothing of a secret group to outsiders", async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, "secret");
    for (const [it, viewer] of await createAllViewers(database, people, at.groupId))
      if (["guest", "stranger", "banned", "admin"].includes(it))
        expect([it, await feel(viewer, [INSIDE_WORD])]).toEqual([it, []]);
    expect((await feel(people.mira, [INSIDE_WORD])).length).toBeGreaterThan(15);
  });

  /** Bram blocks Cleo. */
  async function createBlock() {
    const people: TestUsers = await createTestUsers(database);
    const at: LeakCommunity = await createLeakCommunity(database, people, "public");
    const [bram, cleo] = await within(async (tx) => {
      const both = [await createPerson(tx, "bram"), await createPerson(tx, "cleo")] as [SignedIn, SignedIn];
      for (const viewer of both) await setMembership(tx, at.groupId, viewer, "member");
      return both;
    });
    await createTestReply(database, bram, at.discussionId, { body: "Wacholder" });
    await createTestDiscussion(database, bram, at.groupId, { title: "Everybody's title" });
    await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
    return { ...people, at, bram, cleo };
  }

  test("reveals nothing of a person who blocks the viewer, by name, id, text, sorting or count", async () => {
    const { bram, cleo, mira } = await createBlock();
    expect(await feel(cleo, ["Wacholder", bram.id])).toEqual([]);
    expect((await feel(mira, ["Wacholder"])).length).toBeGreaterThan(0);
    for (const column of ["ownerId", "text", "authorName"]) {
      const order = async (viewer: Viewer) =>
        (await find(viewer, "Posts", { sortBy: `${column} asc`, where: "stub = 'blocked'" })).map(
          (it) => it[column],
        );
      expect([column, await order(cleo)]).toEqual([column, [null, null]]);
    }
    expect(
      await find(cleo, "Posts", {
        props: "Count(objectId) as found,ownerId",
        groupBy: "ownerId",
        where: "stub = 'blocked'",
      }),
    ).toMatchObject([{ found: 2, ownerId: null }]);
    expect(await find(cleo, "Posts", { where: "stub = 'blocked'", loadRelations: "author" })).toMatchObject([
      { author: null, text: null },
      { author: null, text: null },
    ]);
  });

  test("reveals no email addresses and no hidden profile fields", async () => {
    const { mira, noor, ines } = await createTestUsers(database);
    await run(
      db,
      sql`update people set bio_md = 'Wacholder', privacy = '{"bio":"nobody"}' where id = ${mira.id}`,
    );
    for (const where of ["email like '%@%'", "bio like '%Wacholder%'", "userStatus = 'ENABLED'"]) {
      expect([where, (await find(noor, "Users", { where })).map((it) => it["username"])]).toEqual([
        where,
        where.startsWith("bio") ? [] : ["noor"],
      ]);
      expect([where, await count(noor, "Memberships", `person.${where}`)]).toEqual([where, 0]);
    }
    expect(await count(ines, "Users", "email = 'mira@example.org'")).toBe(1);
    expect(await count(mira, "Users", "bio = 'Wacholder'")).toBe(1);
  });
});
