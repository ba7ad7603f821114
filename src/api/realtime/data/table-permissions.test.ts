import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  bulkCreateObjects,
  bulkDeleteObjects,
  bulkUpdateObjects,
  type Caller,
  setObjectPermission,
  relateObjects,
  removeObject,
  saveObject,
  setTableAccess,
} from "#baas/data";
import type { SignedIn, Viewer } from "#community/rules";
import { createTestUsers, type TestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  type TestConnection,
  startRealtimeServer,
  SERVER_KEY,
} from "../../../../test/support/realtime/sdk-connection.ts";
import { connectTableFollower, createTestTables } from "../../../../test/support/realtime/table-followers.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
let line: TestConnection;
let people: TestUsers;
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
  await createTestTables(line.tables);
});
afterEach(() => line.close());

const SERVER: Caller = { userId: null, roles: ["ServerCodeUser"], server: true };
const as = ({ id }: SignedIn): Caller => ({
  userId: id,
  roles: ["JSUser", "RestUser", "AuthenticatedUser"],
  server: false,
});
const nobodyFinds = () => setTableAccess(line.tables, "Person", { AuthenticatedUser: { find: false } });
const make = (viewer: SignedIn, record: object = {}) =>
  saveObject(line.tables, as(viewer), "Person", record) as Promise<{ objectId: string }>;
const deny = (objectId: string, user: string) =>
  setObjectPermission(line.tables, SERVER, {
    table: "Person",
    objectId,
    allowed: false,
    body: { permission: "FIND", user },
  });

type Them = Awaited<ReturnType<typeof connectTableFollower>>;
/** A client that subscribes to everything; `heard` returns the received events by name. */
async function everything(viewer: Viewer) {
  const them: Them = await connectTableFollower(line, viewer);
  const events = ["created", "updated", "upserted", "deleted"].flatMap((event) => [event, `bulk-${event}`]);
  const following = new Map<string, Awaited<ReturnType<Them["follow"]>>["received"]>();
  for (const event of events) following.set(event, (await them.follow(event)).received);
  const related = them.subscribe("RELATIONS_CHANGES", {
    tableName: "Person",
    event: "set",
    relationColumnName: "orders",
  });
  await related.next();
  following.set("set", related);
  const listEvents = async () => {
    await them.still();
    const received = [...following].map(([event, { all }]) => [
      event,
      all.filter((it) => it.event === "SUB_RES").map((it) => it.data ?? it.error),
    ]);
    return Object.fromEntries(received.filter(([, list]) => list!.length > 0)) as Record<string, unknown[]>;
  };
  return { them, listEvents };
}

/**
 * A client with the server key receives everything: an event that it has received was delivered to all
 * clients.
 */
async function control() {
  const them = await connectTableFollower(line, people.guest, { apiKey: SERVER_KEY });
  const last = await them.follow("created", "name = 'the last word'");
  return async () => {
    await saveObject(line.tables, SERVER, "Person", { name: "the last word", ownerId: null });
    await last.next();
  };
}

describe("table subscriptions of guests", () => {
  test("get refused where guests may not find records", async () => {
    const them = await connectTableFollower(line, people.guest);
    expect((await them.follow("created")).first.error).toEqual({
      code: 1011,
      message: "You are not allowed to find objects of the table 'Person'.",
    });
  });

  test("work where everyone may find records", async () => {
    await setTableAccess(line.tables, "Person", { NotAuthenticatedUser: { find: true } });
    const them = await connectTableFollower(line, people.guest);
    const { first, next } = await them.follow("created");
    expect(first.event).toBe("SUB_READY");
    const { objectId } = await make(people.mira);
    expect(await next()).toMatchObject({ objectId });
  });
});

describe("table subscription limited to own records", () => {
  test("receives own records only: single, bulk and relation changes", async () => {
    await nobodyFinds();
    const [mira, tomas, controlSocket] = [
      await everything(people.mira),
      await everything(people.tomas),
      await control(),
    ];
    const { objectId } = await make(people.mira, { age: 1 });
    await make(people.mira, { objectId, age: 2 });
    const [own] = await bulkCreateObjects(line.tables, as(people.mira), "Person", [{ age: 3 }]);
    // A bulk create does not report records that are deleted before the delivery.
    await line.idle();
    await bulkUpdateObjects(line.tables, SERVER, "Person", "age > 0", { age: 4 });
    await relateObjects(line.tables, as(people.mira), "set", {
      table: "Person",
      parentId: objectId,
      relation: "orders",
      children: { where: "1=1" },
    });
    await removeObject(line.tables, as(people.mira), "Person", objectId);
    await bulkDeleteObjects(line.tables, SERVER, "Person", "1=1");
    await controlSocket();
    expect(await tomas.listEvents()).toEqual({});
    expect(await mira.listEvents()).toMatchObject({
      created: [{ objectId, age: 1 }],
      updated: [{ objectId, age: 2 }],
      "bulk-created": [[own]],
      deleted: [{ objectId }],
      set: [{ parentObjectId: objectId, conditional: true }],
    });
    // The event's count and clause concern all records, so a subscriber who sees only some records does not
    // get the event.
    expect(Object.keys(await mira.listEvents())).not.toContain("bulk-updated");
  });
});

describe("table subscription with a denied record", () => {
  test("delivers nothing to the denied person, not even the deletion", async () => {
    const { objectId } = await make(people.mira, { age: 1 });
    await deny(objectId, people.tomas.id);
    const [noor, tomas, controlSocket] = [
      await everything(people.noor),
      await everything(people.tomas),
      await control(),
    ];
    await make(people.mira, { objectId, age: 2 });
    await bulkUpdateObjects(line.tables, as(people.mira), "Person", "age > 0", { age: 3 });
    await removeObject(line.tables, as(people.mira), "Person", objectId);
    await controlSocket();
    const others = { created: [{ name: "the last word" }] };
    expect(await tomas.listEvents()).toMatchObject(others);
    expect(Object.keys(await tomas.listEvents())).toEqual(["created"]);
    expect(await noor.listEvents()).toMatchObject({
      ...others,
      updated: [{ objectId, age: 2 }],
      "bulk-updated": [{ whereClause: "age > 0", count: 1 }],
      deleted: [{ objectId }],
    });
  });

  test("delivers the record only to a person with an exclusive grant", async () => {
    await nobodyFinds();
    const { objectId } = await make(people.mira, { age: 1 });
    await setObjectPermission(line.tables, as(people.mira), {
      table: "Person",
      objectId,
      allowed: true,
      body: { permission: "FIND", user: people.tomas.id },
    });
    const [tomas, noor, controlSocket] = [
      await everything(people.tomas),
      await everything(people.noor),
      await control(),
    ];
    await make(people.mira, { objectId, age: 2 });
    await make(people.mira, { age: 9 });
    await removeObject(line.tables, as(people.mira), "Person", objectId);
    await controlSocket();
    expect(await tomas.listEvents()).toEqual({
      updated: [expect.objectContaining({ age: 2 })],
      deleted: [{ ___class: "Person", objectId }],
    });
    expect(await noor.listEvents()).toEqual({});
  });
});

test("ids of related children are not delivered to people who may not find them", async () => {
  await setTableAccess(line.tables, "Order", { AuthenticatedUser: { find: false } });
  const [mira, tomas, controlSocket] = [
    await everything(people.mira),
    await everything(people.tomas),
    await control(),
  ];
  const { objectId } = await make(people.mira);
  const order = (await saveObject(line.tables, as(people.mira), "Order", {})) as { objectId: string };
  const other = (await saveObject(line.tables, as(people.noor), "Order", {})) as { objectId: string };
  const children = { ids: [order.objectId, other.objectId] };
  await relateObjects(line.tables, SERVER, "set", {
    table: "Person",
    parentId: objectId,
    relation: "orders",
    children,
  });
  await controlSocket();
  expect((await mira.listEvents())["set"]).toEqual([
    { parentObjectId: objectId, conditional: false, whereClause: null, children: [order.objectId] },
  ]);
  expect((await tomas.listEvents())["set"]).toBeUndefined();
});

test("client with the server key receives all changes of a private community", async () => {
  await within((tx) => line.settings.set(tx, people.ada, { audience: "private" }));
  await nobodyFinds();
  const server = await connectTableFollower(line, people.guest, { apiKey: SERVER_KEY });
  const { next } = await server.follow("created");
  const { objectId } = await make(people.mira);
  expect(await next()).toMatchObject({ objectId });
});
