import { beforeEach, describe, expect, test } from "vitest";
import type { Row } from "../../../test/support/rest/data-rows.ts";
import {
  database,
  testApi,
  NOW,
  orderStore,
  personStore,
  readStoredRows,
  readRecordEvents,
  wholePerson,
} from "../../../test/support/rest/data-api.ts";
import { APP, CLIENT } from "../../../test/support/rest/rest-server.ts";

/** Sends a call as curl does: the URL, and JSON if there is a body. */
const curl = async (method: string, path: string, body?: unknown) => {
  const { status, body: answer } = await testApi.call(method, `/${APP}/${CLIENT}${path}`, body);
  return { status, answer: answer as unknown };
};
const get = async (path: string) => (await curl("GET", path)).answer;
const names = (rows: unknown) => (rows as Row[]).map(({ name }) => name);
const q = encodeURIComponent;

/** Ann (20), Bob (30) and Cay (30), created a second apart; Ann is Bob's friend and has two orders. */
beforeEach(async () => {
  await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0 });
  for (const [n, name] of ["Ann", "Bob", "Cay"].entries()) {
    await personStore().save({ objectId: name, name, age: n === 0 ? 20 : 30, profile: { n } }, true);
    database.clock.pass(1_000);
  }
  await orderStore().bulkCreate(["x", "y"].map((objectId) => ({ objectId, title: objectId })) as never);
  await personStore().setRelation("Bob", "friend", ["Ann"]);
  await personStore().setRelation("Ann", "orders", ["x", "y"]);
});

describe("GET of a table", () => {
  test.each<[string, unknown]>([
    ["", ["Cay", "Bob", "Ann"]],
    [`?where=${q("age = 30 and name like 'B%'")}`, ["Bob"]],
    ["?sortBy=age%20desc%2Cname&pageSize=2&offset=1", ["Cay", "Ann"]],
    [`?where=${q("friend.name = 'Ann'")}`, ["Bob"]],
    ["?offset=50", []],
    [`?where=${q("age > 20")}&where_=x`, ["Cay", "Bob"]],
  ])("%s finds records in order", async (query, expected) => {
    expect(names(await get(`/data/Person${query}`))).toEqual(expected);
  });

  test.each<[string, unknown]>([
    [
      `?props=${q("name as called")}&where=${q("name='Ann'")}`,
      [{ ___class: "Person", called: "Ann", objectId: "Ann" }],
    ],
    [
      `?property=name&property=age&where=${q("name='Ann'")}`,
      [{ ___class: "Person", name: "Ann", age: 20, objectId: "Ann" }],
    ],
    [
      `?props=${q("Count(objectId),age")}&groupBy=age&having=${q("Count(objectId) > 1")}`,
      [{ ___class: "Person", count: 2, age: 30 }],
    ],
    [
      "?props=age&distinct=true&sortBy=age",
      [
        { ___class: "Person", age: 20 },
        { ___class: "Person", age: 30 },
      ],
    ],
    [
      `?excludeProps=created,updated,ownerId,born,profile,home,active,code&where=${q("name='Cay'")}`,
      [{ ___class: "Person", objectId: "Cay", name: "Cay", age: 30 }],
    ],
    [
      `?loadRelations=friend&where=${q("name='Bob'")}`,
      [expect.objectContaining({ friend: expect.objectContaining({ name: "Ann" }) as unknown })],
    ],
    [
      `?relationsDepth=1&relationsPageSize=1&where=${q("name='Ann'")}`,
      [expect.objectContaining({ friend: null, orders: [expect.objectContaining({ ___class: "Order" })] })],
    ],
  ])("%s selects the form of the result", async (query, expected) => {
    expect(await get(`/data/Person${query}`)).toEqual(expected);
  });

  test.each<[string, number, string]>([
    [`?where=${q("age >")}`, 1017, ""],
    ["?where=age%3D1&where=age%3D2", 1017, "where"],
    ["?pageSize=101", 1017, "pageSize"],
    ["?pageSize=many", 1017, "pageSize"],
    ["?offset=-1", 1017, "offset"],
    ["?relationsDepth=9", 1017, "relationsDepth"],
    ["?distinct=perhaps", 1017, "distinct"],
    ["?props=wings", 1006, "wings"],
  ])("%s is refused with the parameter's name", async (query, code, named) => {
    expect(await curl("GET", `/data/Person${query}`)).toMatchObject({
      status: 400,
      answer: { code, message: expect.stringContaining(named) as unknown },
    });
  });

  test("finds nothing in a missing table", async () => {
    expect(await get("/data/None")).toMatchObject({ code: 1009 });
  });
});

describe("GET of the first record, the last record or the count", () => {
  test("sorts by creation unless the query says otherwise", async () => {
    expect(await get("/data/Person/first")).toMatchObject({ ___class: "Person", name: "Ann" });
    expect(await get("/data/Person/last")).toMatchObject({ name: "Cay" });
    expect(await get("/data/Person/first?loadRelations=orders&props=name")).toMatchObject({
      name: "Ann",
      orders: [{}, {}],
    });
    expect(await get(`/data/Person/last?where=${q("age = 20")}`)).toMatchObject({ name: "Ann" });
    expect(await get("/data/Person/first?sortBy=name%20desc&pageSize=7&offset=2")).toMatchObject({
      name: "Cay",
    });
    expect(await get(`/data/Person/first?where=${q("age > 99")}`)).toMatchObject({ code: 1000 });
  });

  test("counts by a query in the URL or body", async () => {
    expect(await get("/data/Person/count")).toBe(3);
    expect(await get(`/data/Person/count?where=${q("age = 30")}`)).toBe(2);
    expect(await get("/data/Person/count?props=age&distinct=true")).toBe(2);
    expect(
      (await curl("POST", `/data/Person/count?where=${q("age = 30")}`, { distinct: false })).answer,
    ).toBe(2);
    expect((await curl("POST", `/data/Person/count?where=${q("age = 30")}`)).answer).toBe(2);
    expect(
      (await curl("POST", `/data/Person/count?where=${q("age = 30")}`, { where: "age = 20" })).answer,
    ).toBe(1);
    expect(
      names((await curl("POST", `/data/Person/find?where=${q("age = 20")}`, { pageSize: 5 })).answer),
    ).toEqual(["Ann"]);
  });
});

describe("POST of a record", () => {
  test("creates the record and returns all properties", async () => {
    const { status, answer } = await curl("POST", "/data/Person", { name: "Dan", age: 40 });
    const objectId = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;
    expect([status, answer]).toEqual([
      200,
      wholePerson({ objectId, name: "Dan", age: 40, created: NOW + 3_000 }),
    ]);
    expect((await readRecordEvents()).at(-1)).toMatchObject({ type: "record.created", table: "Person" });
  });

  test("creates under a given id, but never changes an existing record", async () => {
    expect((await curl("POST", "/data/Person", { objectId: "Eve", name: "Eve" })).answer).toMatchObject({
      objectId: "Eve",
      name: "Eve",
    });
    expect((await curl("POST", "/data/Person", { objectId: "Ann", name: "Other" })).answer).toMatchObject({
      code: 1155,
    });
    expect(names(await readStoredRows("Person"))).toEqual(["Ann", "Bob", "Cay", "Eve"]);
  });

  test.each<[unknown, number]>([
    [undefined, 1023],
    [[{ name: "Dan" }], 1023],
    [{ age: "old" }, 1007],
  ])("refuses %j", async (body, code) => {
    expect((await curl("POST", "/data/Person", body)).answer).toMatchObject({ code });
    expect(await readStoredRows("Person")).toHaveLength(3);
  });
});

describe("PUT of a record under its id", () => {
  test("changes the properties in the body", async () => {
    expect(await curl("PUT", "/data/Person/Ann", { age: 21 })).toMatchObject({
      status: 200,
      answer: { objectId: "Ann", name: "Ann", age: 21 },
    });
    expect((await curl("PUT", "/data/Person/Ann", { objectId: "Ann", age: 22 })).answer).toMatchObject({
      age: 22,
    });
    expect((await curl("PUT", "/data/Person", { objectId: "Ann", age: 23 })).answer).toMatchObject({
      age: 23,
    });
  });

  test("does not create a missing record, and refuses a second id in the body", async () => {
    expect((await curl("PUT", "/data/Person/Nobody", { age: 1 })).answer).toMatchObject({ code: 1000 });
    expect((await curl("PUT", "/data/Person/Ann", { objectId: "Bob", age: 1 })).answer).toMatchObject({
      code: 1023,
    });
    expect((await curl("PUT", "/data/Person/Ann", [1])).answer).toMatchObject({ code: 1023 });
    expect((await readStoredRows("Person")).map(({ age }) => age)).toEqual([20, 30, 30]);
    expect((await curl("PUT", "/data/Person/upsert", { objectId: "Fay", name: "Fay" })).answer).toMatchObject(
      { objectId: "Fay" },
    );
  });
});

describe("bulk PUT and DELETE by a condition", () => {
  test("change and delete matching records", async () => {
    expect((await curl("PUT", `/data/bulk/Person?where=${q("age = 30")}`, { age: 31 })).answer).toBe(2);
    expect((await curl("DELETE", `/data/bulk/Person?where=${q("age = 31")}`)).answer).toBe(2);
    expect(names(await readStoredRows("Person"))).toEqual(["Ann"]);
  });

  test.each(["", "?where=", "?where=%20", "?where=age%3D20&where=age%3D30", "?filter=age%3D20"])(
    "with %s delete nothing",
    async (query) => {
      for (const method of ["DELETE", "PUT"])
        expect((await curl(method, `/data/bulk/Person${query}`, { age: 1 })).status).toBe(422);
      expect((await readStoredRows("Person")).map(({ age }) => age)).toEqual([20, 30, 30]);
    },
  );
});

describe("relations of a record", () => {
  test("load by a query in the URL or body", async () => {
    expect(await get("/data/Person/Ann/orders?sortBy=title%20desc&props=title&pageSize=1")).toMatchObject([
      { title: "y" },
    ]);
    const load = async (query: unknown) => (await curl("POST", "/data/Person/Ann/orders/load", query)).answer;
    expect(await load({ sortBy: "title desc", pageSize: 1 })).toMatchObject([
      { ___class: "Order", title: "y" },
    ]);
    expect(await load({ where: "title = 'x'" })).toMatchObject([{ title: "x" }]);
    expect(await load(undefined)).toHaveLength(2);
    expect((await curl("POST", "/data/Person/Nobody/orders/load", {})).answer).toMatchObject({ code: 1000 });
    expect((await curl("POST", "/data/Person/Ann/wings/load", {})).answer).toMatchObject({ code: 1006 });
  });
});
