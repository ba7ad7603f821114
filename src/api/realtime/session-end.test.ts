import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { changeDataConfig } from "#baas/data";
import { setStatus, signOut, createSocketTicket } from "#community/accounts";
import type { Viewer } from "#community/rules";
import { run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  collectAnswers,
  waitForConnect,
  waitForDisconnect,
  MessageQueue,
  type TestConnection,
  startRealtimeServer,
} from "../../../test/support/realtime/sdk-connection.ts";
import {
  createTestTables,
  type SdkListeners,
  type Sdk,
  waitForRoundTrip,
} from "../../../test/support/realtime/table-followers.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
const OVER = { code: 3064, message: "Your session has ended. Sign in again." };
let line: TestConnection;
let people: TestUsers;
let closed: { id: string };
let open: { id: string };
beforeEach(async () => {
  line = await startRealtimeServer(database);
  people = await createTestUsers(database);
  const inside = await createTestGroup(database, people, { visibility: "private" });
  closed = await createTestDiscussion(database, people.mira, inside.id);
  const square = await createTestGroup(database, people, { name: "The Square" });
  open = await createTestDiscussion(database, people.mira, square.id);
});
afterEach(() => line.close());

/** A viewer's client, and every change of its connection. */
async function client(viewer: Viewer) {
  const app = await line.sdk(viewer);
  const changes: string[] = [];
  app.RT.addDisconnectEventListener(() => changes.push("disconnect"));
  app.RT.addConnectErrorEventListener(() => changes.push("error"));
  return { app, changes, listen: (table: string, where?: string) => listen(app, table, where) };
}

function listen(app: Sdk, table: string, where?: string) {
  const [received, refused] = [new MessageQueue(), new MessageQueue()];
  const args = where === undefined ? [received.take, refused.take] : [where, received.take, refused.take];
  (app.Data.of(table).rt() as unknown as SdkListeners)["addCreateListener"]!(...args);
  return { received, refused };
}
const inside = () => `discussionId = '${closed.id}'`;
const outside = () => `discussionId = '${open.id}'`;

const endAll = async (personId: string) => {
  await run(database.db, sql`delete from sessions where person_id = ${personId}`);
  line.realtime.deliver({ type: "person.sessions-ended", personId }, "1", null);
};
const WAYS: Record<string, (app: Sdk) => Promise<unknown>> = {
  "signing out": (app) => signOut(line.app, app.session!.token, "api"),
  "ending all sessions": () => endAll(people.tomas.id),
  "a suspension": () =>
    within((tx) =>
      setStatus(tx, people.ada, { personId: people.tomas.id, state: "suspended", reason: "Spam." }),
    ),
};

describe("ended session", () => {
  test.each(Object.keys(WAYS))(
    "by %s sends each subscription one error, and the client continues as a guest",
    async (way) => {
      const { app, changes, listen: on } = await client(people.tomas);
      const [hidden, everywhere, shown] = [on("Posts", inside()), on("Posts"), on("Posts", outside())];
      await waitForRoundTrip(app);
      await WAYS[way]!(app);
      expect(await hidden.refused.next()).toEqual(OVER);
      expect(await everywhere.refused.next()).toEqual(OVER);
      await createTestReply(database, people.mira, closed.id);
      const reply = await createTestReply(database, people.mira, open.id);
      expect(await shown.received.next()).toMatchObject({ objectId: reply.id });
      expect([hidden.received.all, everywhere.received.all, shown.refused.all]).toEqual([[], [], []]);
      expect([hidden.refused.all.length, everywhere.refused.all.length, changes]).toEqual([1, 1, []]);
    },
  );

  test("ends subscriptions of personal entities, the user's own channel and members' tables", async () => {
    await createTestTables(line.tables);
    await changeDataConfig(line.tables, { dynamicSchema: false, defaultAccess: "members" });
    const { app, listen: on } = await client(people.tomas);
    const records = ["Messages", "Notifications", "Friendships", "Users", "Person"].map((table) => on(table));
    const own = new MessageQueue();
    const { subscriptions } = app.RT as unknown as {
      subscriptions: { onPubSubMessage: (it: object, callbacks: object) => void };
    };
    subscriptions.onPubSubMessage({ channel: `user:${people.tomas.id}` }, { onError: own.take });
    await waitForRoundTrip(app);
    await signOut(line.app, app.session!.token, "api");
    for (const { refused } of records) expect(await refused.next()).toEqual(OVER);
    expect(await own.next()).toEqual(OVER);
  });

  test("ends subscriptions of a disconnected client when it reconnects as a guest", async () => {
    const { app, changes, listen: on } = await client(people.tomas);
    const [hidden, shown] = [on("Posts", inside()), on("Posts", outside())];
    await waitForRoundTrip(app);
    await run(database.db, sql`delete from sessions where person_id = ${people.tomas.id}`);
    line.realtime.missed();
    expect(await hidden.refused.next()).toEqual(OVER);
    await waitForRoundTrip(app).catch(() => {});
    const reply = await createTestReply(database, people.mira, open.id);
    expect(await shown.received.next()).toMatchObject({ objectId: reply.id });
    expect(changes).toEqual(["disconnect"]);
  });

  test("ends every subscription in a private community until the next sign-in", async () => {
    await line.set({ audience: "private" });
    const { app, changes, listen: on } = await client(people.tomas);
    const shown = on("Posts", outside());
    await waitForRoundTrip(app);
    await signOut(line.app, app.session!.token, "api");
    expect(await shown.refused.next()).toEqual(OVER);
    expect(await on("Posts", outside()).refused.next()).toEqual(OVER);
    const { methods } = app.RT as unknown as { methods: { setUserToken: (it: object) => Promise<unknown> } };
    await methods.setUserToken({ userToken: (await line.tokenOf(people.noor))!.token });
    const again = on("Posts", outside());
    await methods.setUserToken({ userToken: (await line.tokenOf(people.noor))!.token });
    const reply = await createTestReply(database, people.mira, open.id);
    expect(await again.received.next()).toMatchObject({ objectId: reply.id });
    expect(changes).toEqual([]);
  });

  test("disconnects the socket of an open page", async () => {
    const session = (await line.tokenOf(people.tomas, "web"))!;
    const socket = await line.socket(people.guest, {
      userToken: createSocketTicket(line.app, session.sessionId),
    });
    await waitForConnect(socket);
    const disconnected = waitForDisconnect(socket);
    await signOut(line.app, session.token, "web");
    expect(await disconnected).toBe("io server disconnect");
  });
});

test("guests receive an error for each subscription when the community becomes private", async () => {
  const { app, listen: on } = await client(people.guest);
  const shown = on("Posts", outside());
  await waitForRoundTrip(app);
  await within((tx) => line.settings.set(tx, people.ada, { audience: "private" }));
  expect(await shown.refused.next()).toEqual({ code: 401, message: "This community is for members only." });
});

test("client with an unknown token becomes a guest", async () => {
  const socket = await line.socket(people.tomas);
  await waitForConnect(socket);
  const { follow, call } = collectAnswers(socket);
  const [hidden, shown] = [follow("Posts", "created", inside()), follow("Posts", "created", outside())];
  for (const it of [hidden, shown]) expect((await it.next()).event).toBe("SUB_READY");
  expect((await call("SET_USER_TOKEN", { userToken: "x".repeat(43) }).next()).error).toMatchObject({
    code: "401",
  });
  expect((await hidden.next()).error).toEqual(OVER);
  await createTestReply(database, people.mira, open.id);
  expect((await shown.next()).data).toMatchObject({ discussionId: open.id });
});
