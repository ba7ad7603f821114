import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestUsers, type TestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  type TestConnection,
  startRealtimeServer,
} from "../../../../test/support/realtime/sdk-connection.ts";
import {
  connectTableFollower,
  createTestTables,
  listenWithSdk,
  type Sdk,
  waitForRoundTrip,
} from "../../../../test/support/realtime/table-followers.ts";

const database = await testDatabase();
let line: TestConnection;
let people: TestUsers;
let app: Sdk;
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
  await createTestTables(line.tables);
  app = await line.sdk(people.mira);
});
afterEach(() => line.close());

type Row = Record<string, unknown> & { objectId: string };
const store = (name = "Person") => app.Data.of(name);
const save = (record: object) => store().save(record) as Promise<Row>;
/** Plain data, since the SDK wraps records in its own classes. */
const plain = (it: unknown) => JSON.parse(JSON.stringify(it)) as unknown;

describe("table subscription with the published SDK", () => {
  test("receives created, updated and deleted records in the same form as the writer", async () => {
    const { received } = await listenWithSdk(line, people.tomas, (rt, recordAs) => {
      rt["addCreateListener"]!(recordAs("created"));
      rt["addUpdateListener"]!(recordAs("updated"));
      rt["addDeleteListener"]!(recordAs("deleted"));
    });
    const home = { type: "Point", coordinates: [7, 47] };
    const savedRecord = await save({
      name: "Joe",
      age: 30,
      born: 1_777_000_000_000,
      active: true,
      profile: { likes: ["figs"] },
      home,
    });
    expect(plain(await received.next())).toEqual(["created", plain(savedRecord)]);
    const changed = await save({ objectId: savedRecord.objectId, age: 31 });
    const [event, record] = await received.next();
    expect([event, plain(record)]).toEqual(["updated", plain(changed)]);
    expect(record).toMatchObject({
      name: "Joe",
      age: 31,
      updated: expect.any(Number) as number,
      ownerId: people.mira.id,
    });
    await store().remove(savedRecord);
    expect(plain(await received.next())).toEqual([
      "deleted",
      { ___class: "Person", objectId: savedRecord.objectId },
    ]);
  });

  test("receives an upsert as upsert and as create or update", async () => {
    const { received } = await listenWithSdk(line, people.tomas, (rt, recordAs) => {
      for (const kind of ["Upsert", "Create", "Update"]) rt[`add${kind}Listener`]!(recordAs(kind));
    });
    const upsert = (record: object) =>
      (store() as unknown as { save: (it: object, isUpsert: boolean) => Promise<Row> }).save(record, true);
    const savedRecord = await upsert({ objectId: "joe", name: "Joe" });
    expect(plain([await received.next(), await received.next()])).toEqual([
      ["Upsert", plain(savedRecord)],
      ["Create", plain(savedRecord)],
    ]);
    const changed = await upsert({ objectId: "joe", name: "Joanna" });
    expect(plain([await received.next(), await received.next()])).toEqual([
      ["Upsert", plain(changed)],
      ["Update", plain(changed)],
    ]);
  });

  test("receives bulk changes as ids, or as a clause with a count", async () => {
    const { received } = await listenWithSdk(line, people.tomas, (rt, recordAs) => {
      for (const kind of ["BulkCreate", "BulkUpdate", "BulkDelete", "BulkUpsert"])
        rt[`add${kind}Listener`]!(recordAs(kind));
      rt["addCreateListener"]!(recordAs("one by one"));
    });
    const ids = await store().bulkCreate([
      { objectId: "a", age: 1 },
      { objectId: "b", age: 2 },
      { age: 3 },
    ] as never);
    expect(await received.next()).toEqual(["BulkCreate", ids]);
    await store().bulkUpdate("age > 1", { name: "Old" });
    expect(await received.next()).toEqual(["BulkUpdate", { whereClause: "age > 1", count: 2 }]);
    const again = await store().bulkUpsert([{ objectId: "a", age: 5 }, { objectId: "new" }] as never);
    const changes = [await received.next(), await received.next(), await received.next()];
    expect(changes).toEqual([
      ["BulkCreate", ["new"]],
      ["BulkUpdate", { whereClause: "objectId IN ('a')", count: 1 }],
      ["BulkUpsert", again],
    ]);
    await store().bulkDelete("1=1");
    expect(await received.next()).toEqual(["BulkDelete", { whereClause: "1=1", count: 4 }]);
  });

  test("receives ten thousand ids and a long clause in full", async () => {
    const { received } = await listenWithSdk(line, people.tomas, (rt, recordAs) => {
      rt["addBulkCreateListener"]!(recordAs("created"));
      rt["addBulkDeleteListener"]!(recordAs("deleted"));
    });
    const ids = await store().bulkCreate(Array.from({ length: 10_000 }, (_, age) => ({ age })) as never);
    expect(await received.next()).toEqual(["created", ids]);
    const whereClause = `age in (${Array.from({ length: 700 }, (_, age) => age).join(", ")})`;
    await store().bulkDelete(whereClause);
    expect(whereClause.length).toBeGreaterThan(3_000);
    expect(await received.next()).toEqual(["deleted", { whereClause, count: 700 }]);
  });

  test("receives relation changes by ids and by clause", async () => {
    const { received } = await listenWithSdk(line, people.tomas, (rt, recordAs) => {
      rt["addSetRelationListener"]!("orders", recordAs("set"));
      rt["addAddRelationListener"]!("orders", ["joe"], recordAs("add"));
      rt["addDeleteRelationListener"]!("orders", [{ objectId: "joe" }], recordAs("delete"));
      rt["addAddRelationListener"]!("orders", ["somebody else"], recordAs("of another"));
      rt["addSetRelationListener"]!("friend", recordAs("of another relation"));
    });
    await store().bulkCreate([{ objectId: "joe" }, { objectId: "ann" }] as never);
    await store("Order").bulkCreate([{ objectId: "one" }, { objectId: "two", title: "Figs" }] as never);
    const [parent, one] = [{ objectId: "joe" }, { objectId: "one" }] as never[];
    const of = { parentObjectId: "joe" };
    await store().setRelation(parent!, "orders", [one!]);
    expect(await received.next()).toEqual([
      "set",
      { ...of, conditional: false, whereClause: null, children: ["one"] },
    ]);
    await store().addRelation(parent!, "orders", "title = 'Figs'");
    expect(await received.next()).toEqual([
      "add",
      { ...of, conditional: true, whereClause: "title = 'Figs'", children: null },
    ]);
    await store().addRelation({ objectId: "ann" }, "orders", [one!]);
    await store().deleteRelation(parent!, "orders", [one!]);
    expect(await received.next()).toEqual([
      "delete",
      { ...of, conditional: false, whereClause: null, children: ["one"] },
    ]);
  });

  test("receives changes of committed transactions once, and none of rolled-back ones", async () => {
    const { received } = await listenWithSdk(line, people.tomas, (rt, recordAs) => {
      for (const kind of ["Create", "Update", "Delete", "BulkCreate", "BulkUpdate", "BulkDelete"])
        rt[`add${kind}Listener`]!(recordAs(kind));
      rt["addSetRelationListener"]!("friend", recordAs("Apply"));
    });
    const unit = new app.UnitOfWork();
    const joe = unit.create("Person", { objectId: "joe", age: 1 });
    unit.update("Person", { objectId: "joe", age: 2 });
    unit.bulkCreate("Person", [{ objectId: "ann" }, { objectId: "tom" }]);
    unit.bulkUpdate("Person", ["ann", "tom"] as never, { age: 9 } as never);
    unit.setRelation(joe, "friend", [{ objectId: "ann" }] as never);
    unit.bulkDelete("Person", ["tom"] as never);
    unit.delete("Person", "ann");
    const result = await unit.execute();
    expect(result.isSuccess()).toBe(true);
    const broken = new app.UnitOfWork();
    broken.create("Person", { objectId: "nobody" });
    broken.update("Person", { objectId: "not there", age: 2 });
    expect((await broken.execute()).isSuccess()).toBe(false);
    await save({ objectId: "joe", age: 4 });
    const changes = [];
    for (let n = 0; n < 8; n++) changes.push(plain(await received.next()));
    expect(changes).toMatchObject([
      ["Create", { objectId: "joe", age: 1 }],
      ["Update", { objectId: "joe", age: 2 }],
      ["BulkCreate", ["ann", "tom"]],
      ["BulkUpdate", { whereClause: "objectId IN ('ann','tom')", count: 2 }],
      ["Apply", { parentObjectId: "joe", conditional: false, children: ["ann"] }],
      ["BulkDelete", { whereClause: "objectId IN ('tom')", count: 1 }],
      ["Delete", { objectId: "ann" }],
      ["Update", { objectId: "joe", age: 4 }],
    ]);
  });

  test("receives each record of a deep save with its final relations", async () => {
    const { received } = await listenWithSdk(line, people.tomas, (rt, recordAs) => {
      rt["addCreateListener"]!(recordAs("created"));
      rt["addSetRelationListener"]!("orders", recordAs("set"));
    });
    const saved = (await store().deepSave({ name: "Joe", orders: [{ title: "Figs" }] })) as unknown as Row & {
      orders: Row[];
    };
    const [, record] = await received.next();
    expect(record).toMatchObject({ name: "Joe", objectId: saved.objectId });
    expect(record).not.toHaveProperty("orders");
    expect(await received.next()).toMatchObject([
      "set",
      { parentObjectId: saved.objectId, children: [saved.orders[0]!.objectId] },
    ]);
  });
});

describe("several table subscriptions on one connection", () => {
  test("deliver once if repeated, and nothing if cancelled", async () => {
    const them = await connectTableFollower(line, people.tomas);
    const options = { tableName: "Person", event: "created" };
    for (let n = 0; n < 3; n++) them.socket.emit("SUB_ON", { id: "same", name: "OBJECTS_CHANGES", options });
    them.socket.emit("SUB_ON", { id: "gone", name: "OBJECTS_CHANGES", options });
    them.socket.emit("SUB_OFF", { id: "gone" });
    await them.still();
    await save({ name: "Joe" });
    await them.still();
    const eventsOf = (id: string) => them.of(id).all.map(({ event }) => event);
    expect(eventsOf("same").filter((event) => event === "SUB_RES")).toHaveLength(1);
    expect(eventsOf("gone")).toEqual([]);
  });

  test("each deliver once after a reconnect", async () => {
    const { app: theirs, received } = await listenWithSdk(line, people.tomas, (rt, recordAs) => {
      rt["addCreateListener"]!("age > 1", recordAs("created"));
      rt["addSetRelationListener"]!("friend", recordAs("set"));
    });
    const back = new Promise<void>((again) => theirs.RT.addConnectEventListener(() => again()));
    line.realtime.missed();
    await back;
    await waitForRoundTrip(theirs);
    const joe = await save({ age: 2 });
    await store().setRelation(joe, "friend", [joe] as never);
    expect(await received.next()).toMatchObject(["created", { age: 2 }]);
    expect(await received.next()).toMatchObject(["set", { parentObjectId: joe.objectId }]);
    expect(received.all).toHaveLength(2);
  });

  test("deliver nothing to a removed listener", async () => {
    const { app: theirs, received } = await listenWithSdk(line, people.tomas, (rt, recordAs) => {
      rt["addCreateListener"]!("age = 1", recordAs("one"));
      rt["addCreateListener"]!(recordAs("any"));
      rt["removeCreateListeners"]!("age = 1");
    });
    await save({ age: 1 });
    expect((await received.next())[0]).toBe("any");
    await waitForRoundTrip(theirs);
    expect(received.all).toHaveLength(1);
  });
});
