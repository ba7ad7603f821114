import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { GUEST } from "#community/rules";
import type { Db } from "#platform/database";
import { createLog } from "#platform/log";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  collectAnswers,
  waitForConnect,
  waitForDisconnect,
  startRealtimeServer,
} from "../../../test/support/realtime/sdk-connection.ts";
import type { RealtimeContext } from "./subscription-registry.ts";
import { REQUEST_LIMITS, OPEN_SUBSCRIPTION_LIMITS } from "./subscription-limits.ts";

const database = await testDatabase();

async function opened(given: Partial<RealtimeContext> = {}) {
  const line = await startRealtimeServer(database, given);
  onTestFinished(() => line.close());
  const people = await createTestUsers(database);
  const connect = async (viewer: typeof people.mira | typeof GUEST) => {
    const socket = await line.socket(viewer);
    await waitForConnect(socket);
    return collectAnswers(socket);
  };
  const guests = (count: number) => Promise.all(Array.from({ length: count }, () => connect(GUEST)));
  return { line, people, connect, guests };
}

type Guest = ReturnType<typeof collectAnswers>;
const each = (guests: Guest[], count: number, ask: (guest: Guest) => ReturnType<Guest["follow"]>) =>
  Promise.all(guests.flatMap((guest) => Array.from({ length: count }, () => ask(guest).next())));
const messagesOf = (events: { error?: { message: string } }[]) =>
  new Set(events.map(({ error }) => error?.message.replace(/\d+ seconds?/, "…")));

/** An unreachable database. */
const away = (): Db => {
  const refuse = () => {
    throw Object.assign(new Error("timeout exceeded when trying to connect"), { code: "ECONNREFUSED" });
  };
  return new Proxy({}, { get: refuse }) as Db;
};

test("request limit for guests at one address does not affect a member at that address", async () => {
  const { connect, guests, people } = await opened();
  const group = await createTestGroup(database, people);
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const attackers = await guests(10);
  const wave = (count: number) =>
    each(attackers, count, (guest) => guest.follow("Posts", "created", `discussionId = '${randomUUID()}'`));
  // The requests are sent in waves, since lookups in progress count as open subscriptions.
  const half = REQUEST_LIMITS.guests / attackers.length / 2;
  const flood = wave(half).then(async (first) => [...first, ...(await wave(half)), ...(await wave(20))]);
  const tomas = await connect(people.tomas);
  const received = tomas.follow("Posts", "created", `discussionId = '${discussion.id}'`);
  expect((await received.next()).event).toBe("SUB_READY");
  await createTestReply(database, people.mira, discussion.id);
  expect(await received.next()).toMatchObject({ event: "SUB_RES", data: { discussionId: discussion.id } });
  const answered = await flood;
  const refused = answered.filter(({ error }) => error?.code === 429);
  expect(refused).toHaveLength(20 * attackers.length);
  expect(messagesOf(refused)).toEqual(
    new Set([
      `Guests at one address can request at most ${REQUEST_LIMITS.guests} subscriptions per minute. ` +
        `Please try again in ….`,
    ]),
  );
  expect(answered.filter(({ error }) => error?.code === 404)).toHaveLength(REQUEST_LIMITS.guests);
}, 60_000);

test("subscription limit for guests at one address does not affect a member at that address", async () => {
  const { connect, guests, people } = await opened();
  const answered = await each(await guests(6), 950, (guest) => guest.follow("Posts", "created"));
  expect(answered.filter(({ event }) => event === "SUB_READY")).toHaveLength(OPEN_SUBSCRIPTION_LIMITS.guests);
  const refused = answered.filter(({ error }) => error);
  expect(messagesOf(refused)).toEqual(
    new Set([`Guests at one address can have at most ${OPEN_SUBSCRIPTION_LIMITS.guests} subscriptions.`]),
  );
  expect((await (await connect(people.tomas)).follow("Posts", "created").next()).event).toBe("SUB_READY");
}, 60_000);

test("guest who continues after hundreds of refusals is disconnected", async () => {
  const { line, guests } = await opened();
  const attackers = await guests(8);
  const ask = (guest: Guest) => guest.follow("Posts", "created");
  await each(attackers, REQUEST_LIMITS.guests / attackers.length, ask);
  const socket = await line.socket(GUEST);
  await waitForConnect(socket);
  const disconnected = waitForDisconnect(socket);
  const last = collectAnswers(socket);
  for (let n = 0; n < 1_000; n++) ask(last);
  expect(await disconnected).toBeTruthy();
}, 60_000);

test("failed access lookups are logged once and then counted, and do not block other queries", async () => {
  const log = createLog("silent");
  const error = vi.spyOn(log, "error");
  const { line, people, guests } = await opened({ lookups: away(), log });
  const answered = await each(await guests(2), 500, (guest) =>
    guest.follow("Posts", "created", `discussionId = '${randomUUID()}'`),
  );
  expect(new Set(answered.map((it) => it.error?.code))).toEqual(new Set([503]));
  expect(error).toHaveBeenCalledTimes(1);
  const group = await createTestGroup(database, people);
  expect(await createTestDiscussion(database, people.mira, group.id)).toMatchObject({
    id: expect.any(String) as string,
  });
  await line.realtime.close();
  expect(error.mock.calls.slice(1)).toEqual([
    [
      { count: 999, last: "timeout exceeded when trying to connect" },
      "packets of sockets could not be answered",
    ],
  ]);
}, 60_000);
