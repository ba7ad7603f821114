import { describe, expect, test } from "vitest";

import { findRecords } from "./index.ts";
import { createCaller, SERVER } from "../../../../test/support/data/sample-tables.ts";
import { engine, mira, getTable, DAY_START } from "../../../../test/support/data/find-context.ts";

const found = async (query: Record<string, unknown>, name = "Person", caller = mira) =>
  findRecords(engine, caller, getTable(name), query);

describe("query", () => {
  test("returns whole records, newest first, with auto-loaded relations", async () => {
    const [last, , , first] = await found({});
    expect(last).toMatchObject({ ___class: "Person", objectId: "d", home: null, mail: null, updated: null });
    expect(first).toMatchObject({
      objectId: "a",
      created: Date.UTC(2026, 0, 1),
      birthDate: DAY_START,
      total: 120,
      mail: "joe@example.org",
      point: {
        ___class: "com.backendless.persistence.Point",
        type: "Point",
        coordinates: [180, 90],
        srsId: 4326,
      },
      home: { ___class: "Address", objectId: "ny", city: "New York" },
    });
    expect(first).not.toHaveProperty("secret");
    expect(first).not.toHaveProperty("address");
    expect((await found({ where: "objectId = 'b'" }))[0]).toMatchObject({ mail: null });
  });

  test.each<[string, Record<string, unknown>, unknown[]]>([
    [
      "pages",
      { sortBy: "objectId", pageSize: 2, offset: 1, props: "name" },
      [
        { name: "Jane", objectId: "b" },
        { name: "Charlie's Angels", objectId: "c" },
      ],
    ],
    ["nothing beyond the last record", { offset: 100 }, []],
    [
      "records sorted by several columns",
      { where: "age > 0", sortBy: "age desc, name ASC", props: "objectId" },
      [{ objectId: "c" }, { objectId: "b" }, { objectId: "a" }],
    ],
    [
      "records sorted by an alias",
      { where: "age > 0", sortBy: "Years, Name", props: ["age as Years", "name as Name"] },
      [
        { Years: 20, Name: "Joe", objectId: "a" },
        { Years: 30, Name: "Charlie's Angels", objectId: "c" },
        { Years: 30, Name: "Jane", objectId: "b" },
      ],
    ],
    [
      "records sorted by a related column",
      { where: "home is not null", sortBy: "home.city", props: "home.city" },
      [
        { city: "Berlin", objectId: "b" },
        { city: "New York", objectId: "a" },
      ],
    ],
    [
      "records sorted by an expression",
      { where: "price > 0", sortBy: "price * -1", props: "price" },
      [
        { price: 60, objectId: "a" },
        { price: 10, objectId: "b" },
        { price: 1, objectId: "c" },
      ],
    ],
    [
      "calculations",
      {
        where: "objectId = 'a'",
        props:
          "age + 1 as next, concat(name, '!') as loud, TIME(birthDate), age > 18 as grown, " +
          "profile->'$.address.city', 'x' as fixed",
      },
      [
        {
          next: 21,
          loud: "Joe!",
          Time: "00:00:00",
          grown: true,
          city: "New York",
          fixed: "x",
          objectId: "a",
        },
      ],
    ],
    [
      "the requested columns of a table without relations",
      { props: "name as n", sortBy: "name" },
      [{ n: "America" }, { n: "Germany" }],
    ],
    ["an average", { props: "Avg(age) as avgAge" }, [{ avgAge: 80 / 3 }]],
    [
      "all aggregates under their names",
      {
        props: "Count(objectId),Sum(age),Avg(price),Min(name),Max(birthDate)",
        where: "objectId in ('a','b')",
      },
      [{ count: 2, sum: 50, avg: 35, min: "Jane", max: DAY_START + 86_400_000 }],
    ],
    [
      "groups",
      { props: "Count(objectId), age", groupBy: "age", where: "age > 0" },
      [
        { count: 1, age: 20 },
        { count: 2, age: 30 },
      ],
    ],
    [
      "sorted groups",
      { props: "Count(*) as n, age", groupBy: ["age"], sortBy: "n desc", where: "age > 0" },
      [
        { n: 2, age: 30 },
        { n: 1, age: 20 },
      ],
    ],
    [
      "groups that meet a condition",
      { props: "age", groupBy: "age", having: "Count(objectId) > 1" },
      [{ age: 30 }],
    ],
    [
      "groups by a related column",
      { props: "Sum(price)", groupBy: "home.city", where: "home is not null" },
      [{ sum: 10 }, { sum: 60 }],
    ],
    [
      "groups by an expression",
      { props: "Count(*), year(birthDate) as y", groupBy: "year(birthDate)", where: "birthDate is not null" },
      [{ count: 2, y: 2015 }],
    ],
    [
      "groups with a value of any row",
      { props: "age, Max(name), open", groupBy: "age", where: "age = 20" },
      [{ age: 20, max: "Joe", open: true }],
    ],
    ["aggregates in expressions", { props: "Max(price) - Min(price) as span" }, [{ span: 59 }]],
    [
      "sums over all related records",
      { props: "Count(address) as addresses, name", groupBy: "name", where: "name like 'J%'" },
      [
        { addresses: 2, name: "Jane" },
        { addresses: 2, name: "Joe" },
      ],
    ],
    [
      "distinct rows",
      { props: "age", distinct: true, sortBy: "age desc", where: "age > 0" },
      [{ age: 30 }, { age: 20 }],
    ],
    [
      "distinct rows of groups",
      { props: "age", groupBy: "objectId", distinct: true, where: "age > 0" },
      [{ age: 20 }, { age: 30 }],
    ],
  ])("returns %s", async (what, query, records) => {
    const name = what.includes("without relations") ? "Country" : "Person";
    const results = await found(query, name);
    const bare = results.map(({ ___class, home: _home, ...rest }) => (expect(___class).toBe(name), rest));
    expect(bare).toEqual(records);
  });

  test("adds the requested prefix to file references", async () => {
    const query = { fileReferencePrefix: "https://files.example.org", where: "photo like '/a/%'" };
    expect((await found(query, "Address"))[0]).toMatchObject({ photo: "https://files.example.org/a/ny.png" });
    const [joe] = await found({ where: "objectId = 'a'", fileReferencePrefix: "x:" });
    expect(joe).toMatchObject({ home: { photo: "x:/a/ny.png" } });
  });

  test("omits excluded properties", async () => {
    const records = await found({
      where: "objectId = 'a'",
      props: "*,age as Age",
      excludeProps: "age,home,name",
    });
    expect(records[0]).toMatchObject({ Age: 20, objectId: "a" });
    for (const property of ["age", "name", "home"]) expect(records[0]).not.toHaveProperty(property);
    expect(
      await found({ excludeProps: "objectId,name,created,updated,ownerId", pageSize: 1 }, "Country"),
    ).toEqual([{ ___class: "Country", objectId: "us" }]);
  });

  test("loads relations by name, depth and page, limited to what the caller may read", async () => {
    const one = { where: "objectId = 'a'", props: "name" };
    const [named] = await found({ ...one, loadRelations: "address.country, diary" });
    expect(named).toMatchObject({
      address: [
        { objectId: "be", country: { name: "Germany" } },
        { objectId: "ny", country: { name: "America" } },
      ],
      diary: [{ text: "mine" }],
      home: { objectId: "ny" },
    });
    expect(
      (await found({ ...one, loadRelations: ["address"], relationsPageSize: 1 }))[0]!["address"],
    ).toHaveLength(1);
    expect((await found({ where: "objectId = 'd'", loadRelations: "*" }))[0]).toMatchObject({
      address: [],
      home: null,
      diary: [],
    });
    expect((await found({ ...one, relationsDepth: 2 }))[0]).toMatchObject({
      home: { country: { name: "America" } },
    });
    expect((await found({ relationsDepth: 1 }, "Vault", SERVER))[0]).toMatchObject({
      keepers: [{ objectId: "a", secret: "x" }],
    });
  });

  test("selects columns of related records that it loads by name", async () => {
    const one = { where: "objectId = 'a'", loadRelations: "home.country" };
    expect(await found({ ...one, props: "name,home.city,home.country.name" })).toEqual([
      {
        ___class: "Person",
        objectId: "a",
        name: "Joe",
        home: {
          ___class: "Address",
          objectId: "ny",
          city: "New York",
          country: { ___class: "Country", objectId: "us", name: "America" },
        },
      },
    ]);
    const [joe] = await found({ ...one, props: "home.city", loadRelations: "*", relationsPageSize: 1 });
    expect(joe).toEqual({
      ___class: "Person",
      objectId: "a",
      home: { ___class: "Address", objectId: "ny", city: "New York" },
      address: [expect.objectContaining({ city: "Berlin", photo: null })],
      diary: [expect.objectContaining({ text: "mine" })],
    });
    const aliased = { ...one, props: "home.city as town", loadRelations: "home" };
    expect((await found(aliased))[0]).toMatchObject({ town: "New York", home: { photo: "/a/ny.png" } });
  });

  test("omits excluded columns of related records, but never their ids", async () => {
    const one = { where: "objectId = 'a'", loadRelations: "address", sortBy: "objectId" };
    const [joe] = await found({ ...one, excludeProps: "name, address.city,address.objectId,home.json" });
    expect(joe).not.toHaveProperty("name");
    expect(joe).toMatchObject({
      age: 20,
      address: [
        { objectId: "be", photo: null },
        { objectId: "ny", photo: "/a/ny.png" },
      ],
      home: { city: "New York" },
    });
    for (const related of joe!["address"] as object[]) expect(related).not.toHaveProperty("city");
    expect(joe!["home"]).not.toHaveProperty("json");
  });

  test.each<[Record<string, unknown>, string]>([
    [{ pageSize: 101 }, "pageSize"],
    [{ pageSize: 0 }, "pageSize"],
    [{ offset: -1 }, "offset"],
    [{ relationsDepth: 9 }, "relationsDepth"],
    [{ props: { a: 1 } }, "props"],
    [{ where: 5 }, "where"],
    [{ props: "name as ___class" }, "cannot be called ___class"],
    [{ props: "name as __proto__" }, "cannot be called __proto__"],
    [{ props: "nobody" }, "Column 'nobody' does not exist in table 'Person'"],
    [{ props: "secret" }, "Column 'secret' does not exist"],
    [{ sortBy: "secret" }, "Column 'secret' does not exist"],
    [{ sortBy: "name; drop table x" }, "Character 5"],
    [{ groupBy: "secret" }, "Column 'secret' does not exist"],
    [{ props: "Count(secret)" }, "Column 'secret' does not exist"],
    [{ loadRelations: "friends" }, "Column 'friends' does not exist in table 'Person'"],
    [{ props: "home.town", loadRelations: "home" }, "Column 'town' does not exist in table 'Address'"],
    [{ having: "Count(", props: "Count(*)" }, "expected a value"],
    [{ props: "Sum(price * 1e300 * 1e300) as s" }, "is out of range"],
    [{ where: "x".repeat(40_000) }, "32000 characters"],
  ])("rejects %.60j", async (query, words) => {
    await expect(found(query)).rejects.toMatchObject({
      name: "Refusal",
      message: expect.stringContaining(words) as string,
    });
  });

  test("refuses forbidden tables, and returns only own records in tables with such access", async () => {
    await expect(found({}, "Vault")).rejects.toMatchObject({ reason: "not-allowed", code: 1011 });
    expect((await found({}, "Diary")).map(({ text }) => text)).toEqual(["mine"]);
    await expect(found({}, "Diary", createCaller(null))).rejects.toMatchObject({ reason: "not-allowed" });
    expect((await found({ props: "Count(*)" }, "Diary"))[0]).toMatchObject({ count: 1 });
  });
});
