import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import {
  createConditionSql,
  countInGroup,
  countRecords,
  createExpressionSql,
  findByKeys,
  findRelated,
  groupRecords,
} from "./index.ts";
import { SERVER } from "../../../../test/support/data/sample-tables.ts";
import { database, engine, mira, getTable, DAY_START } from "../../../../test/support/data/find-context.ts";

describe("query variant", () => {
  test("finds a record by key columns in the URL", async () => {
    expect(await findByKeys(engine, mira, getTable("Person"), { age: "20", name: "Joe" })).toMatchObject({
      objectId: "a",
    });
    await expect(findByKeys(engine, mira, getTable("Person"), { age: "21" })).rejects.toMatchObject({
      code: 1000,
    });
    await expect(findByKeys(engine, mira, getTable("Person"), { age: "old" })).rejects.toThrow(
      "is not a number",
    );
    await expect(findByKeys(engine, mira, getTable("Person"), { secret: "x" })).rejects.toThrow(
      "Column 'secret' does not exist",
    );
    await expect(findByKeys(engine, mira, getTable("Person"), {})).rejects.toThrow("1 to 10 columns");
  });

  test("finds the children of a record with a query", async () => {
    const children = async (id: string, name: string, query: unknown, caller = mira) =>
      (await findRelated(engine, caller, getTable("Person"), id, name, query)).map(
        ({ objectId }) => objectId,
      );
    expect(await children("a", "address", {})).toEqual(["be", "ny"]);
    expect(
      await children("a", "address", {
        where: "country.name = 'America'",
        pageSize: "5",
        property: ["city", "json"],
      }),
    ).toEqual(["ny"]);
    expect(await children("a", "address", { pageSize: 1, offset: 1 })).toEqual(["ny"]);
    expect(await children("a", "diary", {})).toEqual(["d1"]);
    expect(await children("a", "diary", {}, SERVER)).toEqual(["d2", "d1"]);
    expect(await children("d", "address", {})).toEqual([]);
    await expect(children("zz", "address", {})).rejects.toMatchObject({ code: 1000 });
    await expect(children("a", "friends", {})).rejects.toThrow("Column 'friends' does not exist");
    await expect(findRelated(engine, mira, getTable("Vault"), "v", "keepers", {})).rejects.toMatchObject({
      code: 1011,
    });
  });

  test.each([
    [{}, 4],
    [{ where: "address.city = 'Berlin'" }, 2],
    [{ groupBy: ["age"] }, 3],
    [{ groupBy: "home.city" }, 3],
    [{ props: "open", distinct: true }, 3],
    [{ distinct: "true" }, 4],
  ])("for %j counts %i records", async (query, count) => {
    expect(await countRecords(engine, mira, getTable("Person"), query)).toBe(count);
  });

  test("counts only records that the caller may read", async () => {
    expect(await countRecords(engine, mira, getTable("Diary"), {})).toBe(1);
    expect(await countRecords(engine, SERVER, getTable("Diary"), {})).toBe(2);
    await expect(countRecords(engine, mira, getTable("Vault"), {})).rejects.toMatchObject({ code: 1011 });
    await expect(countRecords(engine, mira, getTable("Person"), { where: "secret = 'x'" })).rejects.toThrow(
      "does not exist",
    );
  });
});

describe("tree of groups", () => {
  const tree = (query: object) =>
    groupRecords(engine, mira, getTable("Person"), { props: "name", sortBy: "name", ...query });
  const person = (objectId: string, name: string | null) => ({ ___class: "Person", objectId, name });
  const group = (column: string, value: unknown, items: unknown[], hasNextPage = false) => ({
    groupBy: { column, value },
    hasNextPage,
    items,
  });
  const bare = (it: unknown) =>
    JSON.parse(JSON.stringify(it, (key, value: unknown) => (key === "home" ? undefined : value))) as unknown;

  test("has records in the innermost groups", async () => {
    expect(bare(await tree({ groupBy: "age,open" }))).toEqual({
      hasNextPage: false,
      items: [
        group("age", 20, [group("open", true, [person("a", "Joe")])]),
        group("age", 30, [
          group("open", false, [person("b", "Jane")]),
          group("open", true, [person("c", "Charlie's Angels")]),
        ]),
        group("age", null, [group("open", null, [person("d", null)])]),
      ],
    });
  });

  test("can be limited to a page per level, a path and a depth", async () => {
    const paged = { groupBy: ["age", "open"], pageSize: 1, offset: 1, groupPageSize: 1 };
    expect(bare(await tree(paged))).toEqual({
      hasNextPage: true,
      items: [group("age", 30, [group("open", false, [person("b", "Jane")])], true)],
    });
    const path = [{ column: "age", value: 30 }];
    expect(bare(await tree({ groupBy: "age,open", groupPath: path, sortBy: "open desc" }))).toEqual({
      hasNextPage: false,
      items: [
        group("open", true, [person("c", "Charlie's Angels")]),
        group("open", false, [person("b", "Jane")]),
      ],
    });
    expect(bare(await tree({ groupBy: "age", groupPath: path, pageSize: 1 }))).toEqual({
      hasNextPage: true,
      items: [person("c", "Charlie's Angels")],
    });
    expect(bare(await tree({ groupBy: "age,open", groupDepth: 1, where: "age = 20" }))).toEqual({
      hasNextPage: false,
      items: [group("age", 20, [], true)],
    });
    expect(await tree({ groupBy: "birthDate", where: "objectId = 'a'" })).toMatchObject({
      items: [{ groupBy: { column: "birthDate", value: DAY_START } }],
    });
    expect(
      await tree({ groupBy: "birthDate,home.city", groupPath: [{ column: "birthDate", value: DAY_START }] }),
    ).toMatchObject({
      items: [{ groupBy: { value: "New York" } }],
    });
    expect(await tree({ groupBy: "age", groupPath: [{ column: "age", value: 99 }] })).toEqual({
      hasNextPage: false,
      items: [],
    });
  });

  test("counts the groups or records below a path", async () => {
    const count = (query: object) => countInGroup(engine, mira, getTable("Person"), query);
    expect(await count({ groupBy: "age,open", groupPath: [] })).toBe(3);
    expect(await count({ groupBy: "age,open", groupPath: [{ column: "age", value: 30 }] })).toBe(2);
    expect(await count({ groupBy: "age", groupPath: [{ column: "age", value: 30 }] })).toBe(2);
    expect(await count({ groupBy: "age", groupPath: [{ column: "age", value: null }] })).toBe(1);
  });

  test.each([
    [{}, "1 to 5 groupings"],
    [{ groupBy: "profile" }, "cannot be grouped by profile"],
    [{ groupBy: "secret" }, "Column 'secret' does not exist"],
    [
      { groupBy: "age", groupPath: [{ column: "open", value: 1 }] },
      "contains open, which is not the next grouping",
    ],
    [{ groupBy: "age", groupPath: [{ column: "age", value: "old" }] }, "is not a number"],
    [{ groupBy: "age", having: "Count(*) > 1" }, "HAVING cannot be used"],
    [{ groupBy: "age", groupPageSize: 1_000 }, "groupPageSize"],
  ])("rejects %j", async (query, words) => {
    await expect(tree(query)).rejects.toThrow(words);
  });
});

test("condition or expression can be embedded in another SQL statement", async () => {
  const where = await createConditionSql(
    engine,
    getTable("Person"),
    mira,
    "r",
    "age > 20 and address.city = 'Berlin'",
  );
  const value = await createExpressionSql(
    engine,
    getTable("Person"),
    mira,
    "r",
    "age + 1",
    getTable("Person").columns.get("age")!,
  );
  const rows = await many(
    database.db,
    sql<{
      id: string;
      next: string;
    }>`select r.object_id as id, ${value} as next from data.t_person as r where ${where}`,
  );
  expect(rows).toEqual([{ id: "b", next: "31" }]);
  await expect(
    createExpressionSql(
      engine,
      getTable("Person"),
      mira,
      "r",
      "address.city",
      getTable("Person").columns.get("name")!,
    ),
  ).rejects.toThrow("0 relations");
});
