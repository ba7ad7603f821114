import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openChannels, publishDue, purgeChannels, type Published, withdrawAllOf } from "#backend/channels";
import { HOUR, later, MINUTE, SECOND } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { cases, PATIENCE } from "../../../../test/fuzz.ts";
import { testDatabase } from "../../../../test/setup/database.ts";
import { APP, CLIENT, openDoor, PASSWORD, type RestDoor, SERVER } from "../rest.fixture.ts";

const database = await testDatabase();
const { db, clock } = database;
let door: RestDoor;
let messaging: ReturnType<RestDoor["sdk"]>["Messaging"];
let heard: Published[];
beforeAll(async () => {
  door = await openDoor(database);
  messaging = door.sdk().Messaging;
  door.house.channels.listeners.add((it) => heard.push(it));
});
beforeEach(async () => {
  heard = [];
  door.forget();
  await door.set({ apiCalls: 0, apiCallsOfPerson: 0 });
});
afterAll(() => door.close());

type Info = { messageId: string; status: string; errorMessage: string | null };
const at = (path: string, key = CLIENT) => `/${APP}/${key}/messaging/${path}`;
const publish = async (body: object, channel = "news", key = CLIENT) =>
  (await door.call("POST", at(channel, key), body)) as unknown as { status: number; body: Info & { code: number; message: string } };
const status = async (id: string) => (await messaging.getMessageStatus(id)) as unknown as Info;
const cancel = async (id: string) => (await messaging.cancel(id)) as unknown as Info;
const due = () => database.inTransaction((tx) => publishDue(door.house.channels, tx));
/** What went out because it was due. */
const announced = async () =>
  (
    await many(
      db,
      sql<{ payload: { messageId: string; at: number } }>`select payload from outbox where type = 'channel.published' order by id`,
    )
  ).map(({ payload }) => payload);
/** The SDK of somebody who is signed in. */
async function signedIn(username: string) {
  const app = door.sdk();
  await door.member(username);
  await app.UserService.login(username, "seven brown hens");
  return app;
}

describe("a message", () => {
  test("is published as the contract has it", async () => {
    const answer = await messaging.publish("news", "Frost tonight");
    expect(answer).toEqual({ messageId: expect.any(String), status: "scheduled", errorMessage: null });
    expect(heard).toEqual([
      {
        channel: "news",
        message: {
          messageId: (answer as Info).messageId,
          timestamp: clock.at.getTime(),
          message: "Frost tonight",
          publisherId: null,
          subtopic: null,
          pushSinglecast: null,
          pushBroadcast: null,
          publishPolicy: null,
          templateValues: null,
          query: null,
          publishAt: 0,
          repeatEvery: 0,
          repeatExpiresAt: 0,
          headers: {},
        },
      },
    ]);
    expect(await status((answer as Info).messageId)).toEqual({ ...(answer as Info), status: "published" });
    expect(await cancel((answer as Info).messageId)).toEqual({ ...(answer as Info), status: "published" });
  });

  test.each([["text"], [7], [true], [null], [[1, "a"]], [{ a: { b: null } }], [undefined]])("is any JSON: %j", async (message) => {
    await messaging.publish("news", message as never);
    expect(heard[0]!.message.message).toEqual(message ?? null);
  });

  test("carries its options; headers are texts", async () => {
    const options = {
      publisherId: "frost-watch",
      subtopic: "garden.frost",
      headers: { degrees: -3, place: "north", both: [1], none: null, sure: true },
    };
    await messaging.publish("news", "Frost", options, { publishPolicy: "PUBSUB", publishAt: clock.at.getTime() - 1 } as never);
    expect(heard[0]!.message).toMatchObject({
      publisherId: "frost-watch",
      subtopic: "garden.frost",
      publishPolicy: "PUBSUB",
      headers: { degrees: "-3", place: "north", both: "[1]", sure: "true" },
    });
  });

  test("is for devices as far as somebody pushes, and its status says so", async () => {
    const nobody = await openDoor(database, { channels: openChannels(database, null) });
    nobody.house.channels.listeners.add((it) => heard.push(it));
    const publish = async (body: object) => (await nobody.call("POST", at("news"), body)) as unknown as { body: Info };
    const only = await publish({ message: "x", publishPolicy: "PUSH", pushSinglecast: ["phone"] });
    expect(only.body).toMatchObject({ status: "failed", errorMessage: expect.stringContaining("No device was told") });
    expect([heard.length, await status(only.body.messageId)]).toEqual([0, only.body]);
    const both = await publish({ message: "x", publishPolicy: "BOTH", pushBroadcast: "IOS" });
    expect(both.body).toMatchObject({ status: "scheduled", errorMessage: expect.stringContaining("No device was told") });
    expect([heard.length, (await status(both.body.messageId)).status]).toEqual([1, "published"]);
    await nobody.close();
  });

  test("is handed to whoever pushes, with those it is for, which listeners are not told", async () => {
    const handed: unknown[] = [];
    const channels = openChannels(database, async (_tx, message) => (handed.push(message), null));
    const pushing = await openDoor(database, { channels });
    channels.listeners.add((it) => heard.push(it));
    const answer = await pushing
      .sdk()
      .Messaging.publish("news", "x", undefined, { pushSinglecast: ["phone"], publishPolicy: "BOTH" } as never);
    expect(answer).toMatchObject({ status: "scheduled", errorMessage: null });
    expect(handed).toMatchObject([{ channel: "news", message: { message: "x" }, said: { pushSinglecast: ["phone"] } }]);
    expect(heard[0]!.message.pushSinglecast).toBeNull();
    await pushing.close();
  });

  test.each<[string, object, string]>([
    ["headers that are none", { headers: [] }, "headers"],
    ["too many headers", { headers: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, n])) }, "50 at the most"],
    ["a policy that is none", { publishPolicy: "SOMETIMES" }, "PUSH, PUBSUB or BOTH"],
    ["a publisher that is too long", { publisherId: "x".repeat(251) }, "250 characters"],
    ["a subtopic that is none", { subtopic: {} }, "is a text"],
    ["a moment that is none", { publishAt: "soon" }, "moment in milliseconds"],
    ["a moment beyond all time", { publishAt: 1e300 }, "moment in milliseconds"],
    ["a moment in ten years", { publishAt: Date.parse("2036-05-04") }, "within a year"],
    ["half a second", { repeatEvery: 0.5 }, "whole number"],
    ["less than nothing", { repeatEvery: -1 }, "not less than 0"],
    [
      "an end before the beginning",
      { repeatEvery: 5, publishAt: Date.parse("2026-05-05"), repeatExpiresAt: Date.parse("2026-05-04T10:00Z") },
      "is not before",
    ],
    ["more than 64 000 bytes", { message: "ü".repeat(32_000) }, "64000 bytes"],
  ])("is refused with %s", async (_what, body, words) => {
    const answer = await publish({ message: "x", ...body });
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining(words)]);
    expect(heard).toEqual([]);
  });

  test("is said by whoever has a key, by members, or by servers alone, as the setting says", async () => {
    const ana = await signedIn("ana");
    const who = async () => [
      (await publish({ message: "x" })).status,
      await ana.Messaging.publish("news", "x").then(
        () => 200,
        ({ status: it }: { status: number }) => it,
      ),
      (await publish({ message: "x" }, "news", SERVER)).status,
    ];
    expect(await who()).toEqual([200, 200, 200]);
    await door.set({ whoPublishes: "members" });
    expect(await who()).toEqual([403, 200, 200]);
    await run(db, sql`update people set state = 'limited'`);
    door.forget();
    expect(await who()).toEqual([403, 403, 200]);
    await run(db, sql`update people set state = 'active'`);
    await door.set({ whoPublishes: "servers" });
    door.forget();
    expect(await who()).toEqual([403, 403, 200]);
    await expect(door.sdk().Messaging.deleteChannel("news")).rejects.toMatchObject({ status: 403 });
  });
});

describe("a channel", () => {
  test.each(["a", "ünï cödé 🌱", "a.b:c-d_e", "__proto__", "discussions", "x".repeat(100), "*", "a;b", "user"])(
    "can be called %s",
    async (name) => {
      expect((await publish({ message: 1 }, encodeURIComponent(name))).status).toBe(200);
      expect(heard[0]!.channel).toBe(name);
      expect(await one(db, sql`select name from channels`)).toEqual({ name });
    },
  );

  test.each([
    ["a%2Fb", 422, "Channel Name can not contain slash chars"],
    ["x".repeat(101), 422, "1 to 100 characters"],
    ["%07", 422, "control characters"],
    ["push", 422, "word of this API"],
    ["email", 403, "Mail is sent with the server key"],
    ["pushtemplates", 422, "word of this API"],
    ["discussion:1", 403, "community's own"],
    ["conversation:1", 403, "community's own"],
    ["user:1", 403, "community's own"],
  ])("cannot be called %s", async (name, code, words) => {
    const answer = await publish({ message: 1 }, name);
    expect([answer.status, answer.body.message]).toEqual([code, expect.stringContaining(words)]);
    expect(heard).toEqual([]);
  });

  test("is made on its first use, and forgotten with what was to be published there", async () => {
    const { body } = await publish({ message: 1, publishAt: clock.at.getTime() + HOUR });
    await messaging.deleteChannel("news");
    expect([await status(body.messageId), await many(db, sql`select 1 from channels`)]).toEqual([{ ...body, status: "cancelled" }, []]);
    await expect(messaging.deleteChannel("news")).rejects.toMatchObject({ code: 404 });
    await messaging.publish("news", "again");
    expect(heard).toHaveLength(1);
  });

  test("is not forgotten by somebody while others have something scheduled there, but by who may do everything", async () => {
    const [ana, ben] = [await signedIn("ana"), await signedIn("ben")];
    await ana.Messaging.publish("news", "x", undefined, { publishAt: clock.at.getTime() + HOUR } as never);
    await expect(ben.Messaging.deleteChannel("news")).rejects.toMatchObject({ code: 409 });
    expect(await one(db, sql`select state from scheduled_messages`)).toEqual({ state: "scheduled" });
    await ana.Messaging.deleteChannel("news");
    await messaging.publish("news", "x");
    await door.sdk(SERVER).Messaging.deleteChannel("news");
  });

  test("there is room for ten thousand, and those there are go on", async () => {
    await run(db, sql`insert into channels select 'c' || n, ${clock.at}, ${clock.at} from generate_series(1, 10000) n`);
    const full = await openDoor(database);
    await expect(full.sdk().Messaging.publish("one more", "x")).rejects.toMatchObject({ code: 413 });
    expect(await full.sdk().Messaging.publish("c7", "x")).toMatchObject({ status: "scheduled" });
    await full.close();
  });

  test("that nobody used for long is forgotten, and what became of its messages sooner", async () => {
    const { messageId } = (await messaging.publish("news", "x")) as Info;
    clock.pass(25 * HOUR);
    await database.inTransaction(purgeChannels);
    await expect(status(messageId)).rejects.toMatchObject({ code: 404 });
    await messaging.publish("news", "y");
    clock.pass(89.5 * 24 * HOUR);
    await database.inTransaction(purgeChannels);
    expect(await many(db, sql`select name from channels`)).toHaveLength(1);
    clock.pass(24 * HOUR);
    await database.inTransaction(purgeChannels);
    expect(await many(db, sql`select name from channels`)).toEqual([]);
  });
});

describe("a message for later", () => {
  test("goes out once, when it is due", async () => {
    const { body } = await publish({ message: { n: 1 }, publishAt: later(clock.at, MINUTE).toISOString(), headers: { a: 1 } });
    expect([await due(), heard.length, (await status(body.messageId)).status]).toEqual([0, 0, "scheduled"]);
    clock.pass(MINUTE);
    const both = await Promise.all([due(), due()]);
    expect(both.toSorted()).toEqual([0, 1]);
    expect([await due(), await announced()]).toEqual([
      0,
      [expect.objectContaining({ messageId: body.messageId, at: clock.at.getTime(), channel: "news" })],
    ]);
    expect(await status(body.messageId)).toEqual({ ...body, status: "published" });
    expect((await cancel(body.messageId)).status).toBe("published");
  });

  test("does not go out once it is taken back", async () => {
    const { body } = await publish({ message: 1, publishAt: clock.at.getTime() + MINUTE });
    expect(await cancel(body.messageId)).toEqual({ ...body, status: "cancelled" });
    clock.pass(HOUR);
    expect([await due(), await announced(), await cancel(body.messageId)]).toEqual([0, [], { ...body, status: "cancelled" }]);
  });

  test("is taken back with all others of whoever may not write any more, and nobody else's is", async () => {
    const app = door.sdk();
    const mira = await door.member("mira");
    await app.UserService.login("mira", PASSWORD);
    const hers = (await app.Messaging.publish("news", "hers", {} as never, { publishAt: clock.at.getTime() + MINUTE } as never)) as Info;
    const { body: others } = await publish({ message: "others", publishAt: clock.at.getTime() + MINUTE });
    expect(await withdrawAllOf(door.house.channels, mira)).toBe(1);
    expect([(await status(hers.messageId)).status, (await status(others.messageId)).status]).toEqual(["cancelled", "scheduled"]);
    clock.pass(HOUR);
    expect([await due(), (await announced()).map(({ messageId }) => messageId)]).toEqual([1, [others.messageId]]);
  });

  test("either goes out or is taken back where both happen at once", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push((await publish({ message: n, publishAt: clock.at.getTime() + 1 })).body.messageId);
    clock.pass(SECOND);
    const [, , ...answers] = await Promise.all([due(), due(), ...ids.map(cancel)]);
    await due();
    const out = new Set((await announced()).map(({ messageId }) => messageId));
    for (const { messageId, status: it } of answers)
      expect([messageId, it]).toEqual([messageId, out.has(messageId) ? "published" : "cancelled"]);
  });

  test("is repeated until its end, and what was missed is not made up for", async () => {
    const end = clock.at.getTime() + 10 * MINUTE;
    const { body } = await publish({ message: 1, repeatEvery: 60, repeatExpiresAt: end });
    expect(await due()).toBe(1);
    clock.pass(MINUTE - 1);
    expect(await due()).toBe(0);
    clock.pass(1);
    expect([await due(), (await status(body.messageId)).status]).toEqual([1, "scheduled"]);
    clock.pass(5.5 * MINUTE);
    expect([await due(), await due()]).toEqual([1, 0]);
    for (let n = 0; n < 20; n++) {
      clock.pass(MINUTE / 2);
      await due();
    }
    const offsets = (await announced()).map((it) => (it.at - (end - 10 * MINUTE)) / MINUTE);
    expect(offsets).toEqual([0, 1, 6.5, 7, 8, 9, 10]);
    expect((await status(body.messageId)).status).toBe("published");
  });

  test("that has no end is repeated ten thousand times", async () => {
    const { body } = await publish({ message: 1, repeatEvery: 1 });
    await run(db, sql`update scheduled_messages set times = 9999`);
    clock.pass(SECOND);
    expect([await due(), (await status(body.messageId)).status]).toEqual([1, "published"]);
  });

  test("whose end came while nobody was here has failed", async () => {
    const { body } = await publish({
      message: 1,
      publishAt: clock.at.getTime() + MINUTE,
      repeatEvery: 60,
      repeatExpiresAt: clock.at.getTime() + HOUR,
    });
    clock.pass(2 * HOUR);
    expect([await due(), await announced()]).toEqual([1, []]);
    expect(await status(body.messageId)).toMatchObject({ status: "failed", errorMessage: expect.stringContaining("over") });
  });

  test("is taken back by who has scheduled it, or who may do everything; nobody's by whoever knows its id", async () => {
    const [ana, ben] = [await signedIn("ana"), await signedIn("ben")];
    const schedule = async (app: typeof ana) =>
      ((await app.Messaging.publish("news", "x", undefined, { publishAt: clock.at.getTime() + HOUR } as never)) as Info).messageId;
    const [hers, again, nobodys] = [await schedule(ana), await schedule(ana), await schedule(door.sdk())];
    for (const app of [ben, door.sdk()]) await expect(app.Messaging.cancel(hers)).rejects.toMatchObject({ code: 403 });
    expect(await ana.Messaging.cancel(hers)).toMatchObject({ status: "cancelled" });
    expect(await door.sdk(SERVER).Messaging.cancel(again)).toMatchObject({ status: "cancelled" });
    expect(await ben.Messaging.cancel(nobodys)).toMatchObject({ status: "cancelled" });
  });

  test("there is room for a thousand, and for a hundred of one", async () => {
    const ana = await signedIn("ana");
    const { id } = await one(db, sql<{ id: string }>`select id from people where username = 'ana'`);
    const wait = (n: number, person: string | null) =>
      run(
        db,
        sql`insert into scheduled_messages (id, channel, person_id, content, state, due_at, created_at)
            select gen_random_uuid(), 'news', ${person}, '{}', 'scheduled', ${later(clock.at, HOUR)}, ${clock.at} from generate_series(1, ${n}::int)`,
      );
    await wait(100, id);
    const one_ = { publishAt: clock.at.getTime() + HOUR } as never;
    await expect(ana.Messaging.publish("news", "x", undefined, one_)).rejects.toMatchObject({ code: 413 });
    await messaging.publish("news", "x", undefined, one_);
    await wait(899, null);
    for (const app of [door.sdk(), door.sdk(SERVER)])
      await expect(app.Messaging.publish("news", "x", undefined, one_)).rejects.toMatchObject({ code: 413 });
  });
});

test.each(["nonsense", "01900000-0000-7000-8000-000000000000"])("of a message that is not there nothing is known: %s", async (id) => {
  await expect(messaging.getMessageStatus(id)).rejects.toMatchObject({ code: 404 });
  await expect(messaging.cancel(id)).rejects.toMatchObject({ code: 404 });
});

test(
  "whatever is published is answered or refused",
  async () => {
    const body = fc.record(
      {
        message: fc.jsonValue(),
        headers: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
        publisherId: fc.jsonValue(),
        subtopic: fc.jsonValue(),
        publishPolicy: fc.oneof(fc.constantFrom("PUSH", "PUBSUB", "BOTH"), fc.jsonValue()),
        pushBroadcast: fc.jsonValue(),
        pushSinglecast: fc.jsonValue(),
        publishAt: fc.oneof(fc.double(), fc.jsonValue(), fc.date().map(String)),
        repeatEvery: fc.oneof(fc.double(), fc.jsonValue()),
        repeatExpiresAt: fc.oneof(fc.double(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const channel = fc.oneof(
      fc.string({ maxLength: 90 }).map(encodeURIComponent),
      fc.constantFrom("..", "%", "%ff", "%00", "push", "channels", "news"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(channel, body), { minLength: 8, maxLength: 8 }), async (calls) => {
        const answers = await Promise.all(calls.map(([name, it]) => door.call("POST", at(name), it)));
        for (const { status: it } of answers) expect(it).toBeLessThan(500);
        clock.pass(SECOND);
        await due();
      }),
      { numRuns: cases(25, 40) },
    );
  },
  PATIENCE,
);
