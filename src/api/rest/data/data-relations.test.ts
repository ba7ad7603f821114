import { beforeEach, describe, expect, test } from "vitest";
import { addColumn, addRelation, changeDataConfig } from "#baas/data";
import { readLinks, type Row } from "../../../../test/support/rest/data-rows.ts";
import { CLIENT, SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  testApi,
  joe,
  links,
  NOW,
  orderStore,
  personStore,
  sdk,
  readStoredRows,
  readRecordEvents,
} from "../../../../test/support/rest/data-api.ts";

describe("relations", () => {
  beforeEach(async () => {
    await personStore().bulkCreate([{ objectId: "p" }, { objectId: "q" }] as never);
    await orderStore().bulkCreate(
      ["a", "b", "c"].map((objectId) => ({ objectId, title: objectId })) as never,
    );
  });
  test("can be set, added and deleted, by ids and by clause", async () => {
    const to = personStore();
    expect(await to.setRelation("p", "orders", ["b", "a"] as never)).toBe(2);
    expect(await to.addRelation("p", "orders", ["a", "c", "nobody"] as never)).toBe(1);
    expect(await links()).toEqual(["b", "a", "c"]);
    expect(await to.deleteRelation("p", "orders", "title = 'a'")).toBe(1);
    expect(await to.setRelation("p", "orders", "title in ('a','c')")).toBe(2);
    expect(await links()).toEqual(["c", "a"]);
    expect(await to.setRelation("p", "orders", [] as never)).toBe(0);
    expect(await links()).toEqual([]);
    expect(
      (await readRecordEvents())
        .slice(2)
        .map(({ type, conditional, whereClause, children }) => [type, conditional, whereClause, children]),
    ).toEqual([
      ["relation.set", false, null, '["b","a"]'],
      ["relation.added", false, null, '["a","c","nobody"]'],
      ["relation.deleted", true, "title = 'a'", null],
      ["relation.set", true, "title in ('a','c')", null],
      ["relation.set", false, null, "[]"],
    ]);
  });

  test("contain at most one child if they are one-to-one", async () => {
    await personStore().setRelation("p", "friend", ["q"] as never);
    expect(await personStore().addRelation("p", "friend", ["p"] as never)).toBe(1);
    expect(await links("friend")).toEqual(["p"]);
  });

  test.each([
    ["nobody", "orders", 1000],
    ["p", "nothing", 1006],
  ])("get refused when the parent or the relation is missing: %s, %s", async (parent, relation, code) => {
    await expect(personStore().setRelation(parent as never, relation, ["a"] as never)).rejects.toMatchObject({
      code,
    });
  });

  test("can be created by naming the table, as a list or a single record", async () => {
    await changeDataConfig(testApi.app.tables, { dynamicSchema: true });
    const to = personStore();
    expect(await to.setRelation("p", "basket:Order:n", ["a", "b"] as never)).toBe(2);
    expect(await to.addRelation("p", "basket:Order:n", ["c"] as never)).toBe(1);
    expect(await to.addRelation("p", "favourite:Order:1", ["a"] as never)).toBe(1);
    expect(await to.setRelation("q", "basket", ["c"] as never)).toBe(1);
    expect(await to.deleteRelation("p", "basket:Order:n", ["a"] as never)).toBe(1);
    expect(await links("basket")).toEqual(["b", "c", "c"]);
    expect(await to.setRelation("p", "children:Kid", ["nobody"] as never)).toBe(0);
    const described = (await sdk.Data.describe("Person")) as unknown as Row[];
    const columns = described.filter(({ name }) =>
      ["basket", "favourite", "children"].includes(String(name)),
    );
    expect(columns.map(({ name, type, relatedTable }) => [name, type, relatedTable])).toEqual([
      ["basket", "RELATION_LIST", "Order"],
      ["favourite", "RELATION", "Order"],
      ["children", "RELATION_LIST", "Kid"],
    ]);
  });

  test.each([
    ["with a static schema", false, "basket:Order:n", 1006],
    ["with an invalid name", true, "1st:Order:n", 1022],
    ["with an invalid table name", true, "basket:1st:n", 1009],
    ["with an unknown cardinality", true, "basket:Order:2", 1006],
  ])("%s are not created", async (_what, dynamicSchema, relation, code) => {
    await changeDataConfig(testApi.app.tables, { dynamicSchema });
    await expect(personStore().setRelation("p", relation, ["a"] as never)).rejects.toMatchObject({ code });
  });

  test("refuse an invalid clause in the same way as a query", async () => {
    await addColumn(testApi.app.tables, "Order", { name: "text", dataType: "TEXT" });
    await orderStore().save({ objectId: "a", text: "x".repeat(600_000) });
    const worked = personStore().setRelation("p", "orders", "concat(text, text) = 'x'");
    await expect(worked).rejects.toMatchObject({ code: 1021 });
    expect(await links()).toEqual([]);
  });

  test("may link to people of the community whom the caller can find", async () => {
    await addRelation(testApi.app.tables, "Order", {
      name: "buyer",
      toTable: "Users",
      relationshipType: "ONE_TO_ONE",
    });
    const mira = await testApi.member("mira");
    // In this community guests cannot find people.
    expect(await orderStore().setRelation("a", "buyer", [mira])).toBe(0);
    const store = testApi.sdk(SERVER).Data.of("Order");
    expect(await store.setRelation("a", "buyer", [mira, "nobody"])).toBe(1);
    expect(await store.setRelation("b", "buyer", "username = 'mira'")).toBe(1);
    expect(await readLinks(testApi.app.tables, "Order", "buyer")).toEqual([mira, mira]);
    const query = sdk.DataQueryBuilder.create()
      .setWhereClause("buyer.username = 'mira'")
      .setRelated("buyer")
      .setSortBy("title");
    expect(await store.find(query)).toMatchObject([
      { objectId: "a", buyer: { username: "mira" } },
      { objectId: "b" },
    ]);
    expect(await orderStore().find(query)).toEqual([]);
    await expect(sdk.Data.of("Users").setRelation(mira as never, "orders", ["a"])).rejects.toMatchObject({
      code: 1006,
    });
  });

  test("set by a deep save leave the related people unchanged", async () => {
    await addRelation(testApi.app.tables, "Order", {
      name: "buyer",
      toTable: "Users",
      relationshipType: "ONE_TO_ONE",
    });
    const mira = await testApi.member("mira");
    const store = testApi.sdk(SERVER).Data.of("Order");
    const found = await testApi.sdk(SERVER).Data.of("Users").findById<Row>(mira);
    expect(Object.keys(found).length).toBeGreaterThan(8);
    expect(await store.deepSave({ title: "new", buyer: found })).toMatchObject({
      title: "new",
      buyer: { username: "mira" },
    });
    const created = new Date(found["created"] as number);
    expect(
      await store.deepSave({ objectId: "a", title: "A", buyer: { objectId: mira, created, nothing: 1 } }),
    ).toMatchObject({
      title: "A",
    });
    await expect(
      store.deepSave({ objectId: "a", title: "B", buyer: { ...found, name: "Another" } }),
    ).rejects.toMatchObject({ code: 1023 });
    await expect(store.deepSave({ objectId: "a", title: "B", buyer: { name: "New" } })).rejects.toMatchObject(
      {
        code: 1023,
      },
    );
    await expect(
      store.deepSave({ objectId: "a", buyer: { ...found, objectId: "nobody" } }),
    ).rejects.toMatchObject({ code: 1000 });
    expect((await readStoredRows("Order")).map(({ title }) => title).sort()).toEqual(["A", "b", "c", "new"]);
  });

  test("contain exactly the children named in a deep save", async () => {
    const friend: Row = { name: "Ann" };
    const answer = (await personStore().deepSave({
      objectId: "p",
      name: "Joe",
      friend,
      orders: [{ objectId: "a" }, { objectId: "b", title: "B" }, { title: "new" }],
    })) as Row;
    expect(answer).toMatchObject({ objectId: "p", name: "Joe", friend: { name: "Ann" } });
    expect((answer["orders"] as Row[]).map(({ title }) => title)).toEqual(["new", "B", "a"]);
    expect((await links()).length).toBe(3);
    const cleared = (await personStore().deepSave({ objectId: "p", orders: [], friend: null })) as Row;
    expect([cleared["name"], "orders" in cleared, "friend" in cleared]).toEqual(["Joe", false, false]);
    expect([await links(), await links("friend")]).toEqual([[], []]);
  });

  test("may be cyclic or contain a record twice", async () => {
    const two: Row = { name: "Two" };
    two["friend"] = { name: "Three", friend: two };
    const shared = { title: "shared" };
    const saved = (await personStore().deepSave({
      name: "One",
      friend: two,
      orders: [shared, shared],
    })) as unknown as {
      friend: { name: string; friend: { friend: unknown } };
      orders: Row[];
    };
    // The client merges objects that the answer marks as the same.
    expect(saved.friend.friend.friend).toBe(saved.friend);
    expect(saved.orders[1]).toBe(saved.orders[0]);
    expect([
      (await readStoredRows("Person")).length,
      (await links("friend")).length,
      (await links()).length,
    ]).toEqual([5, 3, 1]);
    await expect(
      personStore().deepSave({ orders: [{ title: "kept" }, { objectId: "nobody" }] }),
    ).rejects.toMatchObject({ code: 1000 });
    expect((await readStoredRows("Order")).map(({ title }) => title)).not.toContain("kept");
  });
});

describe("relation permissions", () => {
  beforeEach(() => changeDataConfig(testApi.app.tables, { defaultAccess: "members" }));

  test("exclude guests and admit the server key", async () => {
    await expect(personStore().save(joe as never)).rejects.toMatchObject({ code: 1011, status: 403 });
    await expect(sdk.Data.describe("Person")).rejects.toMatchObject({ code: 1011 });
    const server = testApi.sdk(SERVER);
    const saved = (await server.Data.of("Person").save({ ...joe, ownerId: "someone" })) as Row;
    expect(saved["ownerId"]).toBe("someone");
    await expect(personStore().remove(String(saved["objectId"]))).rejects.toMatchObject({ code: 1011 });
    expect(await server.Data.of("Person").remove(String(saved["objectId"]))).toEqual({ deletionTime: NOW });
  });
});

describe("invalid request body", () => {
  test.each([
    ["PUT", "/data/Person", [1]],
    ["PUT", "/data/Person", "text"],
    ["PUT", "/data/Person", null],
    ["PUT", "/data/Person/deep-save", 7],
    ["PUT", "/data/Person", Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`p${n}`, n]))],
    ["POST", "/data/bulk/Person", { a: 1 }],
    ["POST", "/data/bulk/Person", [1]],
    ["PUT", "/data/bulk/Person", { age: 1 }],
    ["POST", "/data/bulk/Person/delete", {}],
    ["POST", "/data/Person/x/orders", { ids: [] }],
    ["PUT", "/data/Person/permissions/GRANT/x", { permission: "FLY", user: "*" }],
    ["POST", "/transaction/unit-of-work", { operations: [{ operationType: "FLY" }] }],
  ])("of %s %s gets refused: %.40j", async (method, path, body) => {
    const answer = await testApi.call(method, `/${testApi.app.appId}/${CLIENT}${path}`, body);
    expect([answer.status < 500, typeof answer.body?.["code"]]).toEqual([true, "number"]);
    expect(await readStoredRows("Person")).toEqual([]);
  });
});
