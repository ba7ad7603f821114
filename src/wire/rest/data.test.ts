import type Backendless from "backendless";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addRelation, setConfig } from "#backend/tables";
import { testDatabase } from "../../../test/setup/database.ts";
import { furnish, linksOf, type Row, standing as standingIn, toldIn } from "./data.fixture.ts";
import { CLIENT, openDoor, type RestDoor, SERVER } from "./rest.fixture.ts";

const database = await testDatabase();
let door: RestDoor;
let sdk: typeof Backendless;
beforeAll(async () => {
  door = await openDoor(database);
  sdk = door.sdk();
});
afterAll(() => door.close());

const NOW = Date.parse("2026-05-04T09:00:00Z");

const standing = (name: string) => standingIn(door.house.tables, name);
const links = (relation = "orders") => linksOf(door.house.tables, "Person", relation);
const told = () => toldIn(database.db);

beforeEach(async () => {
  door.forget();
  await furnish(door.house.tables);
});

const people = () => sdk.Data.of("Person");
const orders = () => sdk.Data.of("Order");
const joe = { name: "Joe", age: 30 };
const whole = (row: Row) => ({
  ___class: "Person",
  ownerId: null,
  created: NOW,
  updated: null,
  name: null,
  age: null,
  born: null,
  profile: null,
  home: null,
  active: true,
  code: null,
  ...row,
});

describe("saving by the client", () => {
  test("makes an object, with an id of its own or of ours", async () => {
    const saved = (await people().save({ ...joe, unknown: 1 })) as Row;
    expect(saved).toEqual(whole({ ...joe, objectId: expect.stringMatching(/^[0-9a-f-]{36}$/) }));
    const born = new Date(NOW);
    const other = { objectId: "1", born, home: new sdk.Data.Point().setLatitude(2).setLongitude(1), profile: { a: [1] }, active: false };
    const upserted = (await people().save(other, true)) as Row & { home: { asWKT: () => string } };
    expect(upserted).toMatchObject({ objectId: "1", born: NOW, profile: { a: [1] }, active: false });
    expect(upserted.home.asWKT()).toBe("POINT(1 2)");
    expect(await standing("Person")).toMatchObject(
      [
        { objectId: saved["objectId"], name: "Joe", age: 30 },
        { objectId: "1", born },
      ].sort((a, b) => (String(a.objectId) < String(b.objectId) ? -1 : 1)),
    );
    expect(await told()).toEqual([
      { type: "record.created", table: "Person", by: null, objectId: saved["objectId"] },
      { type: "record.upserted", table: "Person", by: null, objectId: "1", made: true },
    ]);
  });

  test("changes what is there, and leaves the rest", async () => {
    await people().save({ objectId: "1", ...joe, profile: { a: 1, list: [1] } }, true);
    database.clock.pass(1_000);
    const changed = await people().save({ objectId: "1", age: 31 });
    expect(changed).toEqual(whole({ ...joe, objectId: "1", age: 31, profile: { a: 1, list: [1] }, updated: NOW + 1_000 }));
    const update = sdk.JSONUpdateBuilder.SET().addArgument("$.a", 2).addArgument("$.b", { c: null });
    expect(await people().save({ objectId: "1", profile: update })).toMatchObject({
      profile: { a: 2, list: [1], b: { c: null } },
    });
    const append = sdk.JSONUpdateBuilder.ARRAY_APPEND().addArgument("$.list", 2);
    expect(await people().save({ objectId: "1", profile: append })).toMatchObject({ profile: { a: 2, list: [1, 2] } });
    expect(await people().save({ objectId: "1", age: new sdk.Expression("age * 2 + 1") })).toMatchObject({ age: 63 });
    expect(await people().save({ objectId: "1", age: null })).toMatchObject({ age: null, name: "Joe" });
  });

  test.each<[string, Row, number, string]>([
    [
      "a value of another type",
      { age: "old" },
      1007,
      "Unable to save object - invalid data type for properties - age. You can change the property type in developer console.",
    ],
    ["no date", { born: "soon" }, 1007, "Invalid date format for property born"],
    ["an id that nobody has", { objectId: "nobody", age: 1 }, 1000, "Entity with ID nobody not found"],
    ["a value that somebody else has", { code: "A" }, 1155, "Another object of the table 'Person' has this value of the property code."],
    ["a text that is too long", { name: "x".repeat(501) }, 1021, "The value of property name has more than 500 characters."],
  ])("is refused for %s", async (_what, record, code, message) => {
    await people().save({ code: "A" });
    const before = await standing("Person");
    await expect(people().save(record as never)).rejects.toMatchObject({ code, message });
    expect(await standing("Person")).toEqual(before);
  });

  test("needs what is required, and a table", async () => {
    await expect(orders().save({})).rejects.toMatchObject({ code: 1020, body: { errorData: { propeties: ["title"] } } });
    await expect(sdk.Data.of("Nothing").save({ a: 1 })).rejects.toMatchObject({
      code: 1009,
      message: expect.stringContaining("Table not found by name 'Table not found by name 'Nothing'."),
    });
  });

  test("makes tables and columns where the schema is dynamic", async () => {
    await setConfig(door.house.tables, { dynamicSchema: true });
    const saved = await sdk.Data.of("Made").save({ a: 1, b: "x", c: { d: 1 }, when: new Date(NOW) });
    expect(saved).toMatchObject({ ___class: "Made", a: 1, b: "x", c: { d: 1 }, when: NOW });
    await Promise.all([1, 2, 3].map((n) => sdk.Data.of("Made").save({ [`n${n}`]: n, same: true })));
    const described = (await sdk.Data.describe("Made")) as unknown as Row[];
    expect(described.map(({ name, type }) => `${String(name)} ${String(type)}`).sort()).toEqual([
      "a INT",
      "b STRING",
      "c JSON",
      "created DATETIME",
      "n1 INT",
      "n2 INT",
      "n3 INT",
      "objectId STRING_ID",
      "ownerId STRING",
      "same BOOLEAN",
      "updated DATETIME",
      "when DOUBLE",
    ]);
    expect(Object.keys(described[0]!).sort()).toEqual([
      "autoLoad",
      "customRegex",
      "defaultValue",
      "expression",
      "isPrimaryKey",
      "name",
      "relatedTable",
      "required",
      "type",
    ]);
    await expect(sdk.Data.of("Made").save({ "a b": 1 })).rejects.toMatchObject({ code: 1022 });
    await expect(sdk.Data.describe("Unmade")).rejects.toMatchObject({ code: 1009 });
  });
});

describe("many at once", () => {
  test("are created, changed and removed, each time all of them", async () => {
    expect(
      await people().bulkCreate([
        { objectId: "1", name: "a" },
        { name: "b", active: false },
      ] as never),
    ).toEqual(["1", expect.any(String)]);
    expect(await people().bulkUpdate("active = true", { age: 7 })).toBe(1);
    expect(
      await people().bulkUpsert([
        { objectId: "1", name: "c" },
        { objectId: "2", age: 5 },
      ] as never),
    ).toEqual(["1", "2"]);
    expect((await standing("Person")).filter(({ objectId }) => String(objectId) <= "2" && String(objectId).length === 1)).toMatchObject([
      { objectId: "1", name: "c", age: 7 },
      { objectId: "2", name: null, age: 5, active: true },
    ]);
    expect(await people().bulkDelete(["1", "2", "3"] as never)).toBe(2);
    expect(await people().bulkDelete("1=1")).toBe(1);
    expect(await standing("Person")).toEqual([]);
    expect((await told()).map(({ type, count, whereClause }) => [type, count, whereClause])).toEqual([
      ["records.created", 2, undefined],
      ["records.updated", 1, "active = true"],
      ["records.created", 1, undefined],
      ["records.updated", 1, "objectId IN ('1')"],
      ["records.upserted", 2, undefined],
      ["records.deleted", 2, "objectId in ('1','2','3')"],
      ["records.deleted", 1, "1=1"],
    ]);
  });

  test("are refused whole when one of them is", async () => {
    await expect(people().bulkCreate([{ objectId: "1" }, { age: "x" }] as never)).rejects.toMatchObject({ code: 1007 });
    await expect(people().bulkCreate([{ objectId: "1" }, { objectId: "1" }] as never)).rejects.toMatchObject({ code: 1155 });
    await expect(people().bulkUpsert([{ objectId: "1" }, { objectId: "1" }] as never)).rejects.toMatchObject({ code: 1023 });
    await expect(people().bulkUpdate("age is", {})).rejects.toMatchObject({ code: 1017 });
    await expect(people().bulkUpdate("secret = 1", { age: 1 })).rejects.toMatchObject({
      code: 1006,
      message: "Column 'secret' does not exist in table 'Person'",
    });
    expect(await standing("Person")).toEqual([]);
  });

  test("are changed by what stands in each of them", async () => {
    await people().bulkCreate([
      { objectId: "1", age: 1, profile: { n: 1 } },
      { objectId: "2", age: 2, profile: { n: 2 } },
    ] as never);
    const profile = sdk.JSONUpdateBuilder.REMOVE().addArgument("$.n");
    expect(await people().bulkUpdate("1=1", { age: new sdk.Expression("age + 10"), profile })).toBe(2);
    expect(await standing("Person")).toMatchObject([
      { age: 11, profile: {} },
      { age: 12, profile: {} },
    ]);
  });

  test("can be ten thousand, and no more", async () => {
    const list = Array.from({ length: 10_000 }, (_, n) => ({ name: `n${n}`, age: n, profile: { n }, born: NOW }));
    const ids = await people().bulkCreate(list);
    expect(new Set(ids).size).toBe(10_000);
    await expect(people().bulkCreate([...list, {}] as never)).rejects.toMatchObject({ code: 1021 });
  }, 30_000);
});

describe("removing", () => {
  test("takes an object away, and its links with it", async () => {
    await people().bulkCreate([{ objectId: "1" }, { objectId: "2" }] as never);
    await people().setRelation("1", "friend", ["2"] as never);
    expect(await people().remove("2")).toEqual({ deletionTime: NOW });
    expect([(await standing("Person")).length, await links("friend")]).toEqual([1, []]);
    await expect(people().remove("2")).rejects.toMatchObject({ code: 1000, message: "Entity with ID 2 not found" });
  });
});

describe("relations", () => {
  beforeEach(async () => {
    await people().bulkCreate([{ objectId: "p" }, { objectId: "q" }] as never);
    await orders().bulkCreate(["a", "b", "c"].map((objectId) => ({ objectId, title: objectId })) as never);
  });
  test("are set, added and taken out, by ids and by clause", async () => {
    const to = people();
    expect(await to.setRelation("p", "orders", ["b", "a"] as never)).toBe(2);
    expect(await to.addRelation("p", "orders", ["a", "c", "nobody"] as never)).toBe(1);
    expect(await links()).toEqual(["b", "a", "c"]);
    expect(await to.deleteRelation("p", "orders", "title = 'a'")).toBe(1);
    expect(await to.setRelation("p", "orders", "title in ('a','c')")).toBe(2);
    expect(await links()).toEqual(["c", "a"]);
    expect(await to.setRelation("p", "orders", [] as never)).toBe(0);
    expect(await links()).toEqual([]);
    expect(
      (await told()).slice(2).map(({ type, conditional, whereClause, children }) => [type, conditional, whereClause, children]),
    ).toEqual([
      ["relation.set", false, null, '["b","a"]'],
      ["relation.added", false, null, '["a","c","nobody"]'],
      ["relation.deleted", true, "title = 'a'", null],
      ["relation.set", true, "title in ('a','c')", null],
      ["relation.set", false, null, "[]"],
    ]);
  });

  test("to one have one", async () => {
    await people().setRelation("p", "friend", ["q"] as never);
    expect(await people().addRelation("p", "friend", ["p"] as never)).toBe(1);
    expect(await links("friend")).toEqual(["p"]);
  });

  test.each([
    ["nobody", "orders", 1000],
    ["p", "nothing", 1006],
  ])("of %s in %s are refused", async (parent, relation, code) => {
    await expect(people().setRelation(parent as never, relation, ["a"] as never)).rejects.toMatchObject({ code });
  });

  test("can lead to people of the community, as far as one finds them", async () => {
    await addRelation(door.house.tables, "Order", { name: "buyer", toTable: "Users", relationshipType: "ONE_TO_ONE" });
    const mira = await door.member("mira");
    // A guest finds nobody here.
    expect(await orders().setRelation("a", "buyer", [mira])).toBe(0);
    const kept = door.sdk(SERVER).Data.of("Order");
    expect(await kept.setRelation("a", "buyer", [mira, "nobody"])).toBe(1);
    expect(await kept.setRelation("b", "buyer", "username = 'mira'")).toBe(1);
    expect(await linksOf(door.house.tables, "Order", "buyer")).toEqual([mira, mira]);
    const asked = sdk.DataQueryBuilder.create().setWhereClause("buyer.username = 'mira'").setRelated("buyer").setSortBy("title");
    expect(await kept.find(asked)).toMatchObject([{ objectId: "a", buyer: { username: "mira" } }, { objectId: "b" }]);
    expect(await orders().find(asked)).toEqual([]);
    await expect(sdk.Data.of("Users").setRelation(mira as never, "orders", ["a"])).rejects.toMatchObject({ code: 1006 });
  });

  test("are replaced by what a deep save names, which is made, changed or only linked", async () => {
    const friend: Row = { name: "Ann" };
    const answer = (await people().deepSave({
      objectId: "p",
      name: "Joe",
      friend,
      orders: [{ objectId: "a" }, { objectId: "b", title: "B" }, { title: "new" }],
    })) as Row;
    expect(answer).toMatchObject({ objectId: "p", name: "Joe", friend: { name: "Ann" } });
    expect((answer["orders"] as Row[]).map(({ title }) => title)).toEqual(["new", "B", "a"]);
    expect((await links()).length).toBe(3);
    const cleared = (await people().deepSave({ objectId: "p", orders: [], friend: null })) as Row;
    expect([cleared["name"], "orders" in cleared, "friend" in cleared]).toEqual(["Joe", false, false]);
    expect([await links(), await links("friend")]).toEqual([[], []]);
  });

  test("can lead back to where they began, and twice to one", async () => {
    const two: Row = { name: "Two" };
    two["friend"] = { name: "Three", friend: two };
    const shared = { title: "shared" };
    const saved = (await people().deepSave({ name: "One", friend: two, orders: [shared, shared] })) as unknown as {
      friend: { name: string; friend: { friend: unknown } };
      orders: Row[];
    };
    // The client puts together what the answer says is one.
    expect(saved.friend.friend.friend).toBe(saved.friend);
    expect(saved.orders[1]).toBe(saved.orders[0]);
    expect([(await standing("Person")).length, (await links("friend")).length, (await links()).length]).toEqual([5, 3, 1]);
    await expect(people().deepSave({ orders: [{ title: "kept" }, { objectId: "nobody" }] })).rejects.toMatchObject({ code: 1000 });
    expect((await standing("Order")).map(({ title }) => title)).not.toContain("kept");
  });
});

describe("who may do what", () => {
  beforeEach(() => setConfig(door.house.tables, { defaultAccess: "members" }));

  test("is closed to guests, and open to the server's key", async () => {
    await expect(people().save(joe as never)).rejects.toMatchObject({ code: 1011, status: 403 });
    await expect(sdk.Data.describe("Person")).rejects.toMatchObject({ code: 1011 });
    const server = door.sdk(SERVER);
    const saved = (await server.Data.of("Person").save({ ...joe, ownerId: "someone" })) as Row;
    expect(saved["ownerId"]).toBe("someone");
    await expect(people().remove(String(saved["objectId"]))).rejects.toMatchObject({ code: 1011 });
    expect(await server.Data.of("Person").remove(String(saved["objectId"]))).toEqual({ deletionTime: NOW });
  });
});

describe("a body that is none", () => {
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
  ])("%s %s is refused for %.40j", async (method, path, body) => {
    const answer = await door.call(method, `/${door.house.appId}/${CLIENT}${path}`, body);
    expect([answer.status < 500, typeof answer.body?.["code"]]).toEqual([true, "number"]);
    expect(await standing("Person")).toEqual([]);
  });
});
