import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Caller, dropColumn, dropTable, saveObject, setTableAccess } from "#baas/data";
import { assignRole, createRole, unassignRole } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import { createTestUsers, type TestUsers } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  type TestConnection,
  startRealtimeServer,
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

const as = ({ id }: SignedIn): Caller => ({
  userId: id,
  roles: ["JSUser", "RestUser", "AuthenticatedUser"],
  server: false,
});
const make = (viewer: SignedIn, record: object = {}) =>
  saveObject(line.tables, as(viewer), "Person", record) as Promise<{ objectId: string }>;

describe("table subscription that requires a role", () => {
  const readersFind = (find: boolean) =>
    setTableAccess(line.tables, "Person", {
      AuthenticatedUser: { find: false },
      Owner: { find: false },
      Reader: { find },
    });
  const give = () =>
    within((tx) => assignRole(tx, people.ada, { identity: people.tomas.id, role: "Reader" }));
  beforeEach(async () => {
    await within((tx) => createRole(tx, people.ada, "Reader"));
    await readersFind(true);
  });

  test("starts once the person has the role, and ends when the role is revoked", async () => {
    const them = await connectTableFollower(line, people.tomas);
    expect((await them.follow("created")).first.error).toMatchObject({ code: 1011 });
    await give();
    const { first, received } = await them.follow("created");
    expect(first.event).toBe("SUB_READY");
    await make(people.mira, { age: 1 });
    expect((await received.next()).data).toMatchObject({ age: 1 });
    await within((tx) => unassignRole(tx, people.ada, { identity: people.tomas.id, role: "Reader" }));
    expect((await received.next()).error).toMatchObject({ code: 1011 });
    await make(people.mira, { age: 2 });
    await them.still();
    expect(received.all).toHaveLength(3);
  });

  test("ends at once when the role's permission is removed", async () => {
    await give();
    const them = await connectTableFollower(line, people.tomas);
    const { received } = await them.follow("created");
    await readersFind(false);
    expect((await received.next()).error).toMatchObject({ code: 1011 });
  });
});

describe("table subscription after a schema change", () => {
  test("ends when its column or its table is dropped", async () => {
    const them = await connectTableFollower(line, people.tomas);
    const [byName, byAge] = [
      await them.follow("created", "name = 'Joe'"),
      await them.follow("created", "age > 1"),
    ];
    await dropColumn(line.tables, "Person", "name");
    expect((await byName.received.next()).error).toMatchObject({ code: 1006 });
    await make(people.mira, { age: 2 });
    expect(await byAge.next()).toMatchObject({ age: 2 });
    await dropTable(line.tables, "Person");
    expect((await byAge.received.next()).error).toMatchObject({ code: 1009 });
  });
});

describe("user change on an open connection", () => {
  test("ends the subscriptions that the new user may not have, and continues all others", async () => {
    const socket = await connectTableFollower(line, people.mira);
    const { received } = await socket.follow("created");
    const tomas = (await line.tokenOf(people.tomas))!;
    await socket.call("SET_USER_TOKEN", { userToken: tomas.token }).next();
    const { objectId } = await make(people.noor);
    expect((await received.next()).data).toMatchObject({ objectId });
    await socket.call("SET_USER_TOKEN", { userToken: null }).next();
    expect((await received.next()).error).toMatchObject({ code: 1011 });
    expect((await socket.call("SET_USER_TOKEN", { userToken: "x".repeat(43) }).next()).error).toMatchObject({
      code: "401",
    });
  });

  test("takes effect in order when several follow rapidly", async () => {
    const socket = await connectTableFollower(line, people.guest);
    const mira = (await line.tokenOf(people.mira))!;
    const named = [mira.token, null, mira.token, null].map((userToken) =>
      socket.call("SET_USER_TOKEN", { userToken }).next(),
    );
    expect(await Promise.all(named)).toEqual(
      named.map(() => expect.objectContaining({ result: null }) as object),
    );
    expect((await socket.follow("created")).first.error).toMatchObject({ code: 1011 });
  });

  test.each([
    ["an unknown token", () => "x".repeat(43)],
    ["no token in a private community", () => null],
  ])("to %s ends every subscription with an error", async (_what, token) => {
    const socket = await connectTableFollower(line, people.mira);
    const { received } = await socket.follow("created");
    await within((tx) => line.settings.set(tx, people.ada, { audience: "private" }));
    expect((await socket.call("SET_USER_TOKEN", { userToken: token() }).next()).error).toMatchObject({
      code: "401",
    });
    await make(people.noor);
    expect((await socket.follow("created")).first.error).toMatchObject({
      message: expect.stringMatching(/session|members/) as string,
    });
    expect(received.all).toMatchObject([
      { event: "SUB_READY" },
      { event: "SUB_RES", error: { code: token() === null ? 401 : 3064 } },
    ]);
  });
});
