import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { many, sql } from "#platform/database";
import {
  addRelation,
  bulkDeleteObjects,
  bulkUpdateObjects,
  type Caller,
  createTable,
  describeTable,
  canFindRow,
  createDataTableStore,
  setObjectPermission,
  relateObjects,
  removeObject,
  allowedRowsSql,
  saveObject,
  saveObjectDeep,
  setTableAccess,
  changeDataConfig,
  type DataTables,
  upsertObject,
} from "../index.ts";
import { listFindGrants } from "./object-grants.ts";

const database = await testDatabase();
let tables: DataTables;

const person = (userId: string, ...roles: string[]): Caller => ({
  userId,
  roles: ["JSUser", "AuthenticatedUser", ...roles],
  server: false,
});
const CALLERS = {
  guest: { userId: null, roles: ["JSUser", "NotAuthenticatedUser"], server: false },
  owner: person("o"),
  other: person("x"),
  editor: person("e", "Editor"),
  server: { userId: null, roles: ["ServerCodeUser"], server: true },
} satisfies Record<string, Caller>;
type Who = keyof typeof CALLERS;
const WHO = Object.keys(CALLERS) as Who[];

const add = async (objectId: string) => {
  const { sqlName } = await tables.catalogue.table("T");
  const text = `insert into data.${sqlName} (object_id, owner_id, created) values ($1, 'o', now())
    on conflict do nothing`;
  await database.pool.query(text, [objectId]);
};

beforeEach(async () => {
  tables = createDataTableStore({ database, dynamicSchema: false });
  await createTable(tables, { name: "T", columns: [{ name: "a", dataType: "INT" }] });
  await Promise.all(["mine", "gone"].map(add));
});

/** The outcome: done, not allowed, or not found. */
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "yes",
    (error: { code: number }) => (error.code === 1011 ? "no" : error.code === 1000 ? "none" : String(error)),
  );

async function found(who: Who): Promise<string> {
  const table = await tables.catalogue.table("T");
  const rows = await many(
    database.db,
    sql`select 1 from ${sql.id("data", table.sqlName)} as r
      where r.object_id = 'mine' and ${allowedRowsSql(table, CALLERS[who], "FIND", "r")}`,
  );
  // The in-memory check gives the same result, for loaded records and for deleted ones.
  const grants = (await listFindGrants(tables, table, ["mine"])).get("mine") ?? [];
  expect(canFindRow(table, CALLERS[who], "o", grants)).toBe(rows.length === 1);
  return rows.length === 1 ? "yes" : "no";
}

/** The actions open to this caller: find, create, update, remove. */
const powers = async (who: Who) =>
  [
    await found(who),
    await outcome(saveObject(tables, CALLERS[who], "T", { a: 1 })),
    await outcome(saveObject(tables, CALLERS[who], "T", { objectId: "mine", a: 2 })),
    await outcome(removeObject(tables, CALLERS[who], "T", "gone")),
  ].join(" ");

const allPowers = async () => {
  const all: Partial<Record<Who, string>> = {};
  for (const who of ["guest", "other", "editor", "owner", "server"] as const) {
    all[who] = await powers(who);
    await add("gone");
  }
  return all;
};

const EVERYTHING = "yes yes yes yes";
const NOTHING = "no no no no";

describe("table permissions", () => {
  test("let members read and create records and change their own by default", async () => {
    expect(await allPowers()).toEqual({
      guest: NOTHING,
      other: "yes yes no no",
      editor: "yes yes no no",
      owner: EVERYTHING,
      server: EVERYTHING,
    });
  });

  test("allow everything to everyone with open access", async () => {
    await changeDataConfig(tables, { defaultAccess: "open" });
    expect(await allPowers()).toEqual(Object.fromEntries(WHO.map((who) => [who, EVERYTHING])));
  });

  test.each<[string, object, Partial<Record<Who, string>>]>([
    [
      "more to one role",
      { Editor: { update: true, remove: true } },
      { editor: EVERYTHING, other: "yes yes no no" },
    ],
    ["reading to guests", { NotAuthenticatedUser: { find: true } }, { guest: "yes no no no" }],
    [
      "members only to create",
      { AuthenticatedUser: { find: false } },
      { other: "no yes none none", owner: EVERYTHING },
    ],
    [
      "owners no changes",
      { Owner: { update: false, remove: false } },
      { owner: "yes yes no no", server: EVERYTHING },
    ],
    [
      "members nothing",
      {
        AuthenticatedUser: { find: false, create: false },
        Owner: { find: false, update: false, remove: false },
      },
      { owner: NOTHING, editor: NOTHING, server: EVERYTHING },
    ],
  ])("allow %s", async (_what, grid, expected) => {
    await setTableAccess(tables, "T", grid);
    expect(await allPowers()).toMatchObject(expected);
  });

  test("apply to bulk changes and table descriptions", async () => {
    await saveObject(tables, CALLERS.other, "T", { a: 5 });
    expect(await bulkUpdateObjects(tables, CALLERS.other, "T", "1=1", { a: 6 })).toBe(1);
    expect(await bulkDeleteObjects(tables, CALLERS.owner, "T", "1=1")).toBe(2);
    expect(await outcome(bulkDeleteObjects(tables, CALLERS.guest, "T", "1=1"))).toBe("no");
    expect(await outcome(describeTable(tables, CALLERS.guest, "T"))).toBe("no");
    await expect(bulkUpdateObjects(tables, CALLERS.owner, "T", "1=1", { ownerId: "x" })).resolves.toBe(0);
  });
});

describe("row permission", () => {
  const grant = (by: Who, allowed: boolean, body: object) =>
    setObjectPermission(tables, CALLERS[by], { table: "T", objectId: "mine", allowed, body });

  test.each<[string, [boolean, object][], Partial<Record<Who, string>>]>([
    [
      "a user",
      [[true, { permission: "UPDATE", user: "x" }]],
      { other: "yes yes yes no", editor: "yes yes no no", guest: "no no none none" },
    ],
    ["everybody", [[true, { permission: "FIND", user: "*" }]], { guest: "yes no no none" }],
    [
      "a role except one person",
      [
        [true, { permission: "UPDATE", role: "Editor" }],
        [false, { permission: "UPDATE", user: "e" }],
      ],
      { editor: "yes yes no no" },
    ],
    [
      "one person only",
      [
        [false, { permission: "FIND", role: "*" }],
        [true, { permission: "FIND", user: "x" }],
      ],
      { other: "yes yes no no", editor: "no yes none no", server: EVERYTHING },
    ],
    ["the owner", [[false, { permission: "UPDATE", user: "o" }]], { owner: "yes yes no yes" }],
    [
      "a user with the last of two entries",
      [
        [true, { permission: "UPDATE", user: "x" }],
        [false, { permission: "UPDATE", user: "x" }],
      ],
      { other: "yes yes no no" },
    ],
  ])("applies to %s", async (_who, grants, expected) => {
    for (const [allowed, body] of grants) await grant("owner", allowed, body);
    expect(await allPowers()).toMatchObject(expected);
  });

  test("can still be added after FIND is denied to everyone", async () => {
    await changeDataConfig(tables, { defaultAccess: "open" });
    const all = { user: "*" };
    await grant("guest", false, { permission: "FIND", ...all });
    expect(await found("guest")).toBe("no");
    for (const permission of ["FIND", "UPDATE", "REMOVE"] as const)
      for (const to of [{ user: "x" }, { role: "Editor" }, { role: "*" }])
        expect(await outcome(grant("other", false, { permission, ...to }))).toBe("yes");
    expect(await outcome(grant("guest", true, { permission: "FIND", ...all }))).toBe("yes");
    await setTableAccess(tables, "T", { NotAuthenticatedUser: { find: false }, JSUser: { find: false } });
    await grant("server", false, { permission: "FIND", ...all });
    expect(await outcome(grant("guest", false, { permission: "UPDATE", ...all }))).toBe("none");
  });

  test("can be set by the owner of the object and by the server key", async () => {
    const body = { permission: "FIND", user: "*" };
    expect(await outcome(grant("server", true, body))).toBe("yes");
    for (const who of ["guest", "other", "editor"] as const)
      expect(await outcome(grant(who, true, body))).toBe("no");
    expect(
      await outcome(
        setObjectPermission(tables, CALLERS.owner, { table: "T", objectId: "nobody", allowed: true, body }),
      ),
    ).toBe("none");
    for (const wrong of [
      {},
      { permission: "FIND" },
      { permission: "FIND", user: "a", role: "b" },
      { permission: "EAT", user: "a" },
    ])
      await expect(grant("owner", true, wrong)).rejects.toMatchObject({ code: 1023 });
  });

  test("to change an object has no effect without permission to find it", async () => {
    await addRelation(tables, "T", { name: "others", toTable: "T", relationshipType: "ONE_TO_MANY" });
    await saveObject(tables, CALLERS.owner, "T", { objectId: "mine", a: 7 });
    await grant("owner", false, { permission: "FIND", user: "x" });
    for (const permission of ["UPDATE", "REMOVE"]) await grant("owner", true, { permission, user: "x" });
    const it = { objectId: "mine", a: { ___class: "BackendlessExpression", value: "a + 1" } };
    const children = { table: "T", parentId: "mine", relation: "others", children: { ids: ["gone"] } };
    expect(await outcome(saveObject(tables, CALLERS.other, "T", it))).toBe("none");
    expect(await outcome(upsertObject(tables, CALLERS.other, "T", it))).toBe("none");
    expect(await outcome(saveObjectDeep(tables, CALLERS.other, "T", it))).toBe("none");
    expect(await outcome(relateObjects(tables, CALLERS.other, "add", children))).toBe("none");
    expect(await outcome(removeObject(tables, CALLERS.other, "T", "mine"))).toBe("none");
    expect(await bulkUpdateObjects(tables, CALLERS.other, "T", "a = 7", { a: 8 })).toBe(0);
    expect(await saveObject(tables, CALLERS.owner, "T", { objectId: "mine" })).toMatchObject({ a: 7 });
  });

  test("granted by an owner cannot exceed the owner's own permissions", async () => {
    await setTableAccess(tables, "T", { Owner: { update: false } });
    expect(await outcome(grant("owner", true, { permission: "UPDATE", user: "o" }))).toBe("no");
    expect(await outcome(grant("owner", true, { permission: "UPDATE", user: "*" }))).toBe("no");
    expect(await outcome(grant("owner", false, { permission: "UPDATE", role: "Editor" }))).toBe("yes");
    expect(await outcome(grant("owner", true, { permission: "REMOVE", user: "x" }))).toBe("yes");
    expect(await outcome(grant("server", true, { permission: "UPDATE", user: "x" }))).toBe("yes");
    expect([await powers("owner"), await powers("other")]).toEqual(["yes yes no yes", "yes yes yes none"]);
  });

  test("takes effect even if the cached catalogue is older than the first row permission", async () => {
    const elsewhere = createDataTableStore({ database, dynamicSchema: false });
    await grant("owner", false, { permission: "FIND", user: "x" });
    await tables.catalogue.table("T");
    await removeObject(tables, CALLERS.owner, "T", "mine");
    expect((await elsewhere.catalogue.table("T")).hasGrants).toBe(false);
    await add("mine");
    const countTableEvents = async () =>
      (await many(database.db, sql`select 1 from outbox where type = 'tables.changed'`)).length;
    const before = await countTableEvents();
    await grant("owner", false, { permission: "FIND", user: "x" });
    expect(await countTableEvents()).toBe(before + 1);
  });

  test("gets deleted together with its object", async () => {
    await grant("owner", false, { permission: "FIND", user: "x" });
    await removeObject(tables, CALLERS.owner, "T", "mine");
    expect(await many(database.db, sql`select * from data_grants`)).toEqual([]);
  });
});
