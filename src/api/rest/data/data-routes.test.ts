import { describe, expect, test } from "vitest";
import { changeDataConfig } from "#baas/data";
import type { Row } from "../../../../test/support/rest/data-rows.ts";
import {
  database,
  testApi,
  joe,
  links,
  NOW,
  orderStore,
  personStore,
  sdk,
  readStoredRows,
  readRecordEvents,
  wholePerson,
} from "../../../../test/support/rest/data-api.ts";

describe("save with the published client", () => {
  test("creates an object with a given or generated id", async () => {
    const saved = (await personStore().save({ ...joe, unknown: 1 })) as Row;
    expect(saved).toEqual(wholePerson({ ...joe, objectId: expect.stringMatching(/^[0-9a-f-]{36}$/) }));
    const born = new Date(NOW);
    const other = {
      objectId: "1",
      born,
      home: new sdk.Data.Point().setLatitude(2).setLongitude(1),
      profile: { a: [1] },
      active: false,
    };
    const upserted = (await personStore().save(other, true)) as Row & { home: { asWKT: () => string } };
    expect(upserted).toMatchObject({ objectId: "1", born: NOW, profile: { a: [1] }, active: false });
    expect(upserted.home.asWKT()).toBe("POINT(1 2)");
    expect(await readStoredRows("Person")).toMatchObject(
      [
        { objectId: saved["objectId"], name: "Joe", age: 30 },
        { objectId: "1", born },
      ].sort((a, b) => (String(a.objectId) < String(b.objectId) ? -1 : 1)),
    );
    expect(await readRecordEvents()).toEqual([
      { type: "record.created", table: "Person", by: null, objectId: saved["objectId"] },
      { type: "record.upserted", table: "Person", by: null, objectId: "1", made: true },
    ]);
  });

  test("changes only the given properties", async () => {
    await personStore().save({ objectId: "1", ...joe, profile: { a: 1, list: [1] } }, true);
    database.clock.pass(1_000);
    const changed = await personStore().save({ objectId: "1", age: 31 });
    expect(changed).toEqual(
      wholePerson({ ...joe, objectId: "1", age: 31, profile: { a: 1, list: [1] }, updated: NOW + 1_000 }),
    );
    const update = sdk.JSONUpdateBuilder.SET().addArgument("$.a", 2).addArgument("$.b", { c: null });
    expect(await personStore().save({ objectId: "1", profile: update })).toMatchObject({
      profile: { a: 2, list: [1], b: { c: null } },
    });
    const append = sdk.JSONUpdateBuilder.ARRAY_APPEND().addArgument("$.list", 2);
    expect(await personStore().save({ objectId: "1", profile: append })).toMatchObject({
      profile: { a: 2, list: [1, 2] },
    });
    expect(await personStore().save({ objectId: "1", age: new sdk.Expression("age * 2 + 1") })).toMatchObject(
      { age: 63 },
    );
    expect(await personStore().save({ objectId: "1", age: null })).toMatchObject({ age: null, name: "Joe" });
  });

  test.each<[string, Row, number, string]>([
    [
      "a value of another type",
      { age: "old" },
      1007,
      "Unable to save object - invalid data type for properties - age. You can change the property " +
        "type in developer console.",
    ],
    ["an invalid date", { born: "soon" }, 1007, "Invalid date format for property born"],
    ["an unknown id", { objectId: "nobody", age: 1 }, 1000, "Entity with ID nobody not found"],
    [
      "a value that must be unique",
      { code: "A" },
      1155,
      "Another object of the table 'Person' has this value of the property code.",
    ],
    [
      "a text that is too long",
      { name: "x".repeat(501) },
      1021,
      "The value of property name has more than 500 characters.",
    ],
  ])("refuses %s", async (_what, record, code, message) => {
    await personStore().save({ code: "A" });
    const before = await readStoredRows("Person");
    await expect(personStore().save(record as never)).rejects.toMatchObject({ code, message });
    expect(await readStoredRows("Person")).toEqual(before);
  });

  test("requires values for required columns, and an existing table", async () => {
    await expect(orderStore().save({})).rejects.toMatchObject({
      code: 1020,
      body: { errorData: { propeties: ["title"] } },
    });
    await expect(sdk.Data.of("Nothing").save({ a: 1 })).rejects.toMatchObject({
      code: 1009,
      message: expect.stringMatching(/^Table not found by name 'Nothing'\. Make sure /),
    });
  });

  test("creates tables and columns with a dynamic schema", async () => {
    await changeDataConfig(testApi.app.tables, { dynamicSchema: true });
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

describe("bulk operations", () => {
  test("create, update and delete every record", async () => {
    expect(
      await personStore().bulkCreate([
        { objectId: "1", name: "a" },
        { name: "b", active: false },
      ] as never),
    ).toEqual(["1", expect.any(String)]);
    expect(await personStore().bulkUpdate("active = true", { age: 7 })).toBe(1);
    expect(
      await personStore().bulkUpsert([
        { objectId: "1", name: "c" },
        { objectId: "2", age: 5 },
      ] as never),
    ).toEqual(["1", "2"]);
    expect(
      (await readStoredRows("Person")).filter(
        ({ objectId }) => String(objectId) <= "2" && String(objectId).length === 1,
      ),
    ).toMatchObject([
      { objectId: "1", name: "c", age: 7 },
      { objectId: "2", name: null, age: 5, active: true },
    ]);
    expect(await personStore().bulkDelete(["1", "2", "3"] as never)).toBe(2);
    expect(await personStore().bulkDelete("1=1")).toBe(1);
    expect(await readStoredRows("Person")).toEqual([]);
    expect(
      (await readRecordEvents()).map(({ type, count, whereClause }) => [type, count, whereClause]),
    ).toEqual([
      ["records.created", 2, undefined],
      ["records.updated", 1, "active = true"],
      ["records.created", 1, undefined],
      ["records.updated", 1, "objectId IN ('1')"],
      ["records.upserted", 2, undefined],
      ["records.deleted", 2, "objectId in ('1','2','3')"],
      ["records.deleted", 1, "1=1"],
    ]);
  });

  test("fail as a whole when one record is refused", async () => {
    await expect(personStore().bulkCreate([{ objectId: "1" }, { age: "x" }] as never)).rejects.toMatchObject({
      code: 1007,
    });
    await expect(
      personStore().bulkCreate([{ objectId: "1" }, { objectId: "1" }] as never),
    ).rejects.toMatchObject({ code: 1155 });
    await expect(
      personStore().bulkUpsert([{ objectId: "1" }, { objectId: "1" }] as never),
    ).rejects.toMatchObject({ code: 1023 });
    await expect(personStore().bulkUpdate("age is", {})).rejects.toMatchObject({ code: 1017 });
    await expect(personStore().bulkUpdate("secret = 1", { age: 1 })).rejects.toMatchObject({
      code: 1006,
      message: "Column 'secret' does not exist in table 'Person'",
    });
    expect(await readStoredRows("Person")).toEqual([]);
  });

  test("update each record with an expression over its own values", async () => {
    await personStore().bulkCreate([
      { objectId: "1", age: 1, profile: { n: 1 } },
      { objectId: "2", age: 2, profile: { n: 2 } },
    ] as never);
    const profile = sdk.JSONUpdateBuilder.REMOVE().addArgument("$.n");
    expect(await personStore().bulkUpdate("1=1", { age: new sdk.Expression("age + 10"), profile })).toBe(2);
    expect(await readStoredRows("Person")).toMatchObject([
      { age: 11, profile: {} },
      { age: 12, profile: {} },
    ]);
  });

  test("accept at most ten thousand records", async () => {
    const list = Array.from({ length: 10_000 }, (_, n) => ({
      name: `n${n}`,
      age: n,
      profile: { n },
      born: NOW,
    }));
    const ids = await personStore().bulkCreate(list);
    expect(new Set(ids).size).toBe(10_000);
    await expect(personStore().bulkCreate([...list, {}] as never)).rejects.toMatchObject({ code: 1021 });
  }, 30_000);
});

describe("delete", () => {
  test("removes an object together with its links", async () => {
    await personStore().bulkCreate([{ objectId: "1" }, { objectId: "2" }] as never);
    await personStore().setRelation("1", "friend", ["2"] as never);
    expect(await personStore().remove("2")).toEqual({ deletionTime: NOW });
    expect([(await readStoredRows("Person")).length, await links("friend")]).toEqual([1, []]);
    await expect(personStore().remove("2")).rejects.toMatchObject({
      code: 1000,
      message: "Entity with ID 2 not found",
    });
  });
});
