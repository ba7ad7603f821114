import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestUsers, type TestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  MessageQueue,
  type TestConnection,
  startRealtimeServer,
} from "../../../../test/support/realtime/sdk-connection.ts";
import {
  connectTableFollower,
  createTestTables,
  listenWithSdk,
  type SdkListeners,
  type Sdk,
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

describe("table subscription condition", () => {
  test("applies to the new record, the updated record and the record before deletion", async () => {
    const { received } = await listenWithSdk(line, people.tomas, (rt, recordAs) => {
      for (const kind of ["Create", "Update", "Delete"])
        rt[`add${kind}Listener`]!("age >= 18 and name like 'J%'", recordAs(kind));
    });
    const young = await save({ name: "Joe", age: 17 });
    await save({ objectId: young.objectId, age: 18 });
    expect(await received.next()).toMatchObject(["Update", { age: 18 }]);
    await save({ objectId: young.objectId, age: 17 });
    await store().remove(young);
    const old = await save({ name: "Jim", age: 80 });
    expect(await received.next()).toMatchObject(["Create", { objectId: old.objectId }]);
    await store().remove(old);
    expect(await received.next()).toMatchObject(["Delete", { objectId: old.objectId }]);
  });

  test.each([
    ["age = 30", { age: 30 }, { age: 31 }],
    ["age in (30, 31)", { age: 31 }, { age: 32 }],
    ["name = 'Joe' or name = 'Ann'", { name: "Ann" }, { name: "Tom" }],
    ["name = 'Joe' or age = 3", { age: 3 }, { name: "Tom", age: 4 }],
    ["age > 30", { age: 31 }, { age: 30 }],
    ["30 >= age", { age: 30 }, { age: 31 }],
    ["age between 3 and 5 and name like 'J%'", { name: "Joe", age: 5 }, { name: "Joe", age: 6 }],
    ["active = true and age < 10", { active: true, age: 9 }, { active: true, age: 10 }],
    ["born after '2026-05-04'", { born: Date.parse("2026-05-05") }, { born: Date.parse("2026-05-03") }],
    [
      "profile->'$.likes[*]' = 'figs'",
      { profile: { likes: ["pears", "figs"] } },
      { profile: { likes: ["pears"] } },
    ],
    ["name is null", { age: 1 }, { name: "Joe" }],
    ["age % 2 = 0", { age: 4 }, { age: 3 }],
    ["1=1", { age: 1 }, null],
    ["", { age: 1 }, null],
  ])("delivers only matching records: %s", async (where, kept, left) => {
    const them = await connectTableFollower(line, people.tomas);
    const { first, next } = await them.follow("created", where);
    expect(first.event).toBe("SUB_READY");
    if (left) await save(left);
    const savedRecord = await save(kept);
    expect(await next()).toMatchObject({ objectId: savedRecord.objectId });
  });

  test("does not filter bulk changes, but must still be valid", async () => {
    const them = await connectTableFollower(line, people.tomas);
    const { next } = await them.follow("bulk-created", "age > 100");
    const ids = await store().bulkCreate([{ age: 1 }] as never);
    expect(await next()).toEqual(ids);
    expect((await them.follow("bulk-created", "mood = 1")).first.error).toMatchObject({ code: 1006 });
  });
});

describe("refused table subscription", () => {
  test.each([
    ["missing table", "Nothing", "1=1", 1009, "Table not found by name 'Nothing'"],
    ["missing column", "Person", "mood = 'good'", 1006, "Column 'mood' does not exist in table 'Person'"],
    ["invalid condition", "Person", "name like", 1017, "a text in quotes"],
    ["condition on a related record", "Person", "friend.name = 'Joe'", 1017, "friend is a relation"],
    [
      "condition with an aggregate",
      "Person",
      "Count(objectId) > 1",
      1017,
      "is an aggregate and cannot be used here",
    ],
    ["very long condition", "Person", `name = '${"x".repeat(9_000)}'`, 422, "8000 characters"],
  ])("gets a code and a reason: %s", async (_what, table, where, code, words) => {
    const refused = new MessageQueue<{ code: number; message: string }>();
    const them = await line.sdk(people.tomas);
    (them.Data.of(table).rt() as unknown as SdkListeners)["addCreateListener"]!(
      where,
      () => {},
      refused.take,
    );
    const refusal = await refused.next();
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(words);
  });

  test("gets an error for a missing relation", async () => {
    const them = await connectTableFollower(line, people.tomas);
    const options = { tableName: "Person", event: "set", relationColumnName: "enemies" };
    expect((await them.subscribe("RELATIONS_CHANGES", options).next()).error).toMatchObject({ code: 1006 });
    expect(
      (await them.subscribe("RELATIONS_CHANGES", { ...options, parentObjects: "joe" }).next()).error,
    ).toMatchObject({ code: 422 });
  });
});
