import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openChannels, publishDue, type Published } from "#backend/channels";
import { openDevices, purgeDevices, type Ways, pushAgain, pushToDevices, workPush } from "#backend/devices";
import { DAY, HOUR, later, MINUTE, SECOND } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { openLog } from "#platform/log";
import { PushFault } from "#platform/push";
import { NO_WAYS } from "../../../../test/no-ways.ts";
import { fcmError, fcmFault } from "../../../../test/phone-makers.ts";
import { testDatabase } from "../../../../test/setup/database.ts";
import { APP, CLIENT, openDoor, type RestDoor } from "../rest.fixture.ts";
import { ENDPOINT, openPhones, registered, SUBSCRIPTION } from "./devices.fixture.ts";

const database = await testDatabase();
const { db, clock } = database;
let phones: Awaited<ReturnType<typeof openPhones>>;
let door: RestDoor;
let sdk: ReturnType<RestDoor["sdk"]>;
let heard: Published[];
let ways: Ways;
beforeAll(async () => {
  phones = await openPhones(database);
  ways = phones.devices.ways;
  door = await openDoor(database, { devices: phones.devices, channels: openChannels(database, pushToDevices) });
  door.house.channels.listeners.add((it) => heard.push(it));
  sdk = door.sdk();
});
beforeEach(async () => {
  heard = [];
  door.forget();
  phones.forget();
  await door.set({ apiCalls: 0, apiCallsOfPerson: 0 });
  door.house.limits.take = async () => {};
});
afterAll(async () => {
  await door.close();
  await phones.close();
});

type Info = { messageId: string; status: string; errorMessage: string | null; devices?: Record<string, number> };
const publish = async (delivery: object, headers: Record<string, unknown> = {}, message: unknown = "Frost tonight", channel = "news") =>
  (await sdk.Messaging.publish(channel, message as never, { headers } as never, delivery as never)) as Info;
const status = async ({ messageId }: Info) => (await sdk.Messaging.getMessageStatus(messageId)) as unknown as Info;
const apple = (...ids: string[]) => Promise.all(ids.map((id) => registered(sdk, id)));
const told = () => [...phones.apple.got, ...phones.firebase.got].map(({ token }) => token).toSorted();
const tally = (it: object) => ({ devices: 0, reached: 0, gone: 0, refused: 0, unknown: 0, ...it });
const aps = () => phones.apple.got[0]!.body["aps"];
const ids = async () => (await many(db, sql<{ id: string }>`select device_id as id from devices order by 1`)).map(({ id }) => id);

/** A phone of each maker, and a browser; one of them elsewhere. */
async function several() {
  await registered(sdk, "ipad", { platform: "ipados" });
  await registered(sdk, "pixel", { platform: "android" });
  await registered(sdk, "fox", { platform: "web", token: SUBSCRIPTION });
  await registered(sdk, "far", { channels: ["elsewhere"] });
}
/** Many of Apple's. */
const crowd = (count: number) =>
  run(
    db,
    sql`with made as (
      insert into devices (id, device_id, os, way, os_version, token, token_hash, created_at, renewed_at)
      select gen_random_uuid(), 'd' || n, 'IOS', 'apns', '', 't' || n, sha256(('t' || n)::bytea), ${clock.at}, ${clock.at} from generate_series(1, ${count}::int) n
      returning id)
    insert into device_channels select 'news', id from made`,
  );
const everybody = () => [...told(), ...phones.browsers.pushed.map(([{ endpoint }]) => endpoint)];

describe("a message for devices", () => {
  test.each<[string, object, Record<string, unknown>, string[], number]>([
    ["of its channel alone", { publishPolicy: "PUSH" }, {}, ["token-ipad", "token-pixel", ENDPOINT], 0],
    ["and listeners", { publishPolicy: "BOTH" }, {}, ["token-ipad", "token-pixel", ENDPOINT], 1],
    ["alone, by an older word", { pushPolicy: "ONLY" }, {}, ["token-ipad", "token-pixel", ENDPOINT], 0],
    ["and listeners, by an older word", { pushPolicy: "ALSO" }, {}, ["token-ipad", "token-pixel", ENDPOINT], 1],
    ["that has headers for them", {}, { "ios-alert": "Frost" }, ["token-ipad", "token-pixel", ENDPOINT], 1],
    ["of one system", { pushBroadcast: "IOS" }, {}, ["token-ipad"], 1],
    ["of two systems", { pushBroadcast: "ANDROID|WEB" }, {}, ["token-pixel", ENDPOINT], 1],
    ["of systems in a list", { pushBroadcast: ["android", "ios"] }, {}, ["token-ipad", "token-pixel"], 1],
    ["of systems that are added up", { pushBroadcast: 3 }, {}, ["token-ipad", "token-pixel"], 1],
    ["of all systems", { pushBroadcast: "ALL" }, {}, ["token-ipad", "token-pixel", ENDPOINT], 1],
    ["that are named, wherever they listen", { pushSinglecast: ["far", "pixel", "nobody"] }, {}, ["token-far", "token-pixel"], 1],
    ["one that is named", { pushSinglecast: "far" }, {}, ["token-far"], 1],
    ["of a system and those that are named", { pushBroadcast: "IOS", pushSinglecast: ["far"] }, {}, ["token-far", "token-ipad"], 1],
    ["of none, where that is said", { publishPolicy: "PUBSUB", pushBroadcast: "ALL" }, { "ios-alert": "x" }, [], 1],
    ["of none, by an older word", { pushPolicy: "NONE", pushBroadcast: "ALL" }, {}, [], 1],
    ["of none, where nothing is said", {}, { degrees: -3 }, [], 1],
  ])("%s", async (_what, delivery, headers, tokens, listeners) => {
    await several();
    const answer = await publish(delivery, headers);
    expect([answer.status, answer.errorMessage]).toEqual(["scheduled", null]);
    await phones.work();
    expect([everybody(), heard.length]).toEqual([tokens, listeners]);
    await phones.work();
    expect(everybody()).toHaveLength(tokens.length);
  });

  test.each([
    [{ pushBroadcast: "SYMBIAN" }, "pushBroadcast: is ALL, or of IOS"],
    [{ pushBroadcast: {} }, "pushBroadcast: is ALL"],
    [{ pushBroadcast: 0.5 }, "pushBroadcast"],
    [{ pushSinglecast: { id: 1 } }, "pushSinglecast: is a list"],
    [{ pushSinglecast: Array(501).fill("x") }, "pushSinglecast: is a list of at most 500"],
    [{ pushPolicy: "PERHAPS" }, "pushPolicy: is ALSO, ONLY or NONE"],
  ])("is refused with %j", async (delivery, words) => {
    await expect(publish(delivery)).rejects.toMatchObject({ status: 422, message: expect.stringContaining(words) });
    expect(await many(db, sql`select 1 from pushes`)).toEqual([]);
  });

  test("that is longer than a push is not pushed, and says so", async () => {
    await apple("a");
    const answer = await publish({ publishPolicy: "PUSH" }, {}, "ü".repeat(2_000));
    expect(answer).toMatchObject({ status: "failed", errorMessage: expect.stringContaining("3000 bytes") });
    expect([await phones.work(), await status(answer)]).toEqual([0, answer]);
  });

  test("does not reach who registers after it, nor whose registration has ended", async () => {
    await registered(sdk, "ending", { expiration: later(clock.at, MINUTE) });
    await apple("a");
    await publish({ publishPolicy: "PUSH" });
    clock.pass(MINUTE);
    await apple("b");
    await phones.work();
    expect(told()).toEqual(["token-a"]);
  });

  test("of which listeners hear, does not tell them of whose devices it was for", async () => {
    await apple("a");
    await publish({ pushSinglecast: ["a"], publishPolicy: "BOTH" });
    expect(JSON.stringify(heard)).not.toContain("token-a");
    expect(heard[0]!.message.pushSinglecast).toBeNull();
  });
});

describe("what is shown", () => {
  test("on Apple's devices goes by the headers, and the program is told the rest", async () => {
    await apple("a");
    const headers = {
      "ios-alert": "Frost!",
      "ios-badge": "3",
      "ios-sound": "bell.aiff",
      "android-content-title": "no",
      bed: 7,
      aps: "mine",
    };
    const { messageId } = await publish({ publishPolicy: "PUSH" }, headers);
    await phones.work();
    expect(phones.apple.got[0]).toMatchObject({
      headers: {
        "apns-push-type": "alert",
        "apns-collapse-id": messageId,
        "apns-expiration": String(later(clock.at, DAY).getTime() / 1_000),
      },
      body: {
        aps: { alert: { body: "Frost!" }, badge: 3, sound: "bell.aiff", "mutable-content": 1 },
        bed: "7",
        message: "Frost tonight",
        messageId,
        channel: "news",
      },
    });
    expect(JSON.stringify(phones.apple.got[0]!.body)).not.toMatch(/android|mine/);
  });

  test.each<[string, unknown, Record<string, unknown>, object, string]>([
    ["the message, where that is a text", "Frost", {}, { alert: { body: "Frost" }, "mutable-content": 1 }, "alert"],
    ["no more than a few lines of it", "x".repeat(500), {}, { alert: { body: "x".repeat(240) }, "mutable-content": 1 }, "alert"],
    ["the header that stands for the message", { n: 1 }, { message: "Frost" }, { alert: { body: "Frost" }, "mutable-content": 1 }, "alert"],
    ["nothing, where there are no words", { n: 1 }, {}, { "content-available": 1 }, "background"],
    ["a number alone", { n: 1 }, { "ios-badge": 0 }, { badge: 0 }, "alert"],
    ["no number that is none", "Frost", { "ios-badge": "many" }, { alert: { body: "Frost" }, "mutable-content": 1 }, "alert"],
  ])("on Apple's devices is %s", async (_what, message, headers, shown, type) => {
    await apple("a");
    await publish({ publishPolicy: "PUSH" }, headers, message);
    await phones.work();
    expect([aps(), phones.apple.got[0]!.headers["apns-push-type"]]).toEqual([shown, type]);
  });

  test("on Android goes by its headers, and the program is told all that is not for others", async () => {
    await registered(sdk, "pixel", { platform: "android" });
    const headers = {
      "android-content-title": "Garden",
      "android-content-text": "Frost!",
      "android-ticker-text": "Frost",
      "android-action": "OPEN_BEDS",
      "ios-alert": "no",
      from: "no",
      "google.x": "no",
      bed: 7,
    };
    const { messageId } = await publish({ publishPolicy: "PUSH" }, headers, { n: 1 });
    await phones.work();
    expect(phones.firebase.got[0]!.body).toEqual({
      message: {
        token: "token-pixel",
        data: {
          "android-content-title": "Garden",
          "android-content-text": "Frost!",
          "android-ticker-text": "Frost",
          "android-action": "OPEN_BEDS",
          bed: "7",
          message: '{"n":1}',
          messageId,
          channel: "news",
        },
        notification: { title: "Garden", body: "Frost!" },
        android: { priority: "HIGH", ttl: "86400s", notification: { ticker: "Frost", click_action: "OPEN_BEDS" } },
      },
    });
  });

  test("on Android is nothing without words: the program takes it up by itself", async () => {
    await registered(sdk, "pixel", { platform: "android" });
    const { messageId } = await publish({ publishPolicy: "PUSH" }, {}, { n: 1 });
    await phones.work();
    expect(phones.firebase.got[0]!.body["message"]).toEqual({
      token: "token-pixel",
      data: { message: '{"n":1}', messageId, channel: "news" },
      android: { priority: "NORMAL", ttl: "86400s" },
    });
  });

  test("in a browser is for the page of the program", async () => {
    await registered(sdk, "fox", { platform: "web", token: SUBSCRIPTION });
    const { messageId } = await publish({ publishPolicy: "PUSH" }, { "android-content-title": "Garden", bed: 7 });
    await phones.work();
    const [to, payload, topic] = phones.browsers.pushed[0]!;
    expect(to.endpoint).toBe(ENDPOINT);
    expect(payload).toEqual({
      title: "Garden",
      body: "Frost tonight",
      data: { bed: "7", message: "Frost tonight", messageId, channel: "news" },
    });
    expect(topic).toMatch(/^[\w-]{24}$/);
  });
});

describe("what became of a message", () => {
  test("is on its way, then has reached devices", async () => {
    await apple("a", "b");
    const answer = await publish({ publishPolicy: "PUSH" });
    expect(await status(answer)).toEqual({ ...answer, status: "scheduled", devices: tally({}) });
    await phones.work();
    expect(await status(answer)).toEqual({ ...answer, status: "published", devices: tally({ devices: 2, reached: 2 }) });
  });

  test("says where no device is registered for it", async () => {
    const answer = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(await status(answer)).toMatchObject({
      status: "published",
      errorMessage: "No device is registered for it.",
      devices: tally({}),
    });
  });

  test("says what was refused, and by what name; the message itself was published", async () => {
    await apple("a", "b");
    phones.apple.says("token-a", { status: 413, body: { reason: "PayloadTooLarge" } });
    const answer = await publish({ publishPolicy: "BOTH" });
    await phones.work();
    expect(await status(answer)).toMatchObject({
      status: "published",
      errorMessage: "For 1 of 2 devices it was refused (PayloadTooLarge).",
      devices: tally({ devices: 2, reached: 1, refused: 1 }),
    });
    expect(await ids()).toEqual(["a", "b"]);
  });

  test("has failed where it was for devices alone and none was reached", async () => {
    await apple("a");
    phones.apple.says("token-a", { status: 400, body: { reason: "BadTopic" } });
    const answer = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(await status(answer)).toMatchObject({ status: "failed", errorMessage: "For 1 of 1 devices it was refused (BadTopic)." });
  });

  test("says which way an operator has not set up", async () => {
    await several();
    const bare = openDevices(database, NO_WAYS, openLog("silent"));
    const other = await openDoor(database, { devices: bare, channels: door.house.channels });
    const answer = await publish({ pushBroadcast: "ANDROID", publishPolicy: "PUSH" });
    phones.devices.ways = NO_WAYS;
    await phones.work().finally(() => (phones.devices.ways = ways));
    expect((await other.sdk().Messaging.getMessageStatus(answer.messageId)) as unknown as Info).toMatchObject({
      status: "failed",
      errorMessage: "For 1 of 1 devices it was refused (FcmIsNotSetUp).",
    });
    await other.close();
  });

  test("is forgotten a week after its end", async () => {
    await apple("a");
    await publish({ publishPolicy: "PUSH" });
    await phones.work();
    clock.pass(7 * DAY + 1);
    await database.inTransaction(purgeDevices);
    expect(await many(db, sql`select 1 from pushes union all select 1 from push_deliveries`)).toEqual([]);
  });
});

describe("a device", () => {
  test.each([
    ["of Apple's that is gone", "ios", { status: 410, body: { reason: "Unregistered" } }],
    ["of Apple's with a token that is none", "ios", { status: 400, body: { reason: "BadDeviceToken" } }],
    ["of Android that is gone", "android", fcmFault(404, "NOT_FOUND", [fcmError("UNREGISTERED")])],
  ])("%s is forgotten", async (_what, platform, answer) => {
    await registered(sdk, "phone", { platform });
    phones.apple.says("token-phone", answer);
    phones.firebase.says("token-phone", answer);
    const info = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect([await ids(), (await status(info)).errorMessage]).toEqual([[], "1 of 1 devices are not there any more."]);
    await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(told()).toHaveLength(1);
  });

  test("that has unsubscribed in its browser is forgotten", async () => {
    await registered(sdk, "fox", { platform: "web", token: SUBSCRIPTION });
    phones.browsers.answer = async () => "gone";
    await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(await ids()).toEqual([]);
  });

  test("that was registered anew since it was gone, stays", async () => {
    await apple("a", "b");
    const before = later(clock.at, -HOUR).getTime();
    phones.apple.says("token-a", { status: 410, body: { reason: "Unregistered", timestamp: before } });
    phones.apple.says("token-b", async () => {
      clock.pass(SECOND);
      await apple("b");
      return { status: 410, body: { reason: "Unregistered" } };
    });
    await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(await ids()).toEqual(["a", "b"]);
  });
});

describe("where a house is busy", () => {
  test("it is asked again after a pause, longer each time, and the others wait for nothing", async () => {
    await apple("a", "b");
    phones.apple.says("token-a", (nth) => (nth < 3 ? { status: 503, body: { reason: "ServiceUnavailable" } } : { status: 200 }));
    const info = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    expect(told()).toEqual(["token-a", "token-b"]);
    expect(await status(info)).toMatchObject({ status: "scheduled", devices: tally({ devices: 2, reached: 1 }) });
    clock.pass(9 * SECOND);
    expect(await phones.work()).toBe(0);
    clock.pass(SECOND);
    await phones.work();
    clock.pass(19 * SECOND);
    expect(await phones.work()).toBe(0);
    clock.pass(SECOND);
    await phones.work();
    expect(told()).toEqual(["token-a", "token-a", "token-a", "token-b"]);
    expect(await status(info)).toMatchObject({ status: "published", errorMessage: null, devices: tally({ devices: 2, reached: 2 }) });
  });

  test("it is asked again when it says", async () => {
    await registered(sdk, "pixel", { platform: "android" });
    const busy = { ...fcmFault(429, "RESOURCE_EXHAUSTED", [fcmError("QUOTA_EXCEEDED")]), headers: { "retry-after": "120" } };
    phones.firebase.says("token-pixel", (nth) => (nth === 1 ? busy : { status: 200 }));
    await publish({ publishPolicy: "PUSH" });
    await phones.work();
    clock.pass(119 * SECOND);
    expect(await phones.work()).toBe(0);
    clock.pass(SECOND);
    await phones.work();
    expect(told()).toHaveLength(2);
  });

  test("it is given up after eight times", async () => {
    await registered(sdk, "fox", { platform: "web", token: SUBSCRIPTION });
    phones.browsers.answer = () => Promise.reject(new PushFault("busy", null, true));
    const info = await publish({ publishPolicy: "PUSH" });
    for (let n = 0; n < 12; n++) {
      await phones.work();
      clock.pass(HOUR);
    }
    expect(phones.browsers.pushed).toHaveLength(8);
    expect(await status(info)).toMatchObject({ status: "failed", errorMessage: "For 1 of 1 devices it was refused (Busy)." });
  });

  test("a device that has left meanwhile is not told", async () => {
    await apple("a");
    phones.apple.says("token-a", { status: 503 });
    const info = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    await sdk.Messaging.unregisterDevice();
    clock.pass(10 * SECOND);
    await phones.work();
    expect([told(), (await status(info)).devices]).toEqual([["token-a"], tally({ devices: 1, gone: 1 })]);
  });
});

describe("each device is told once", () => {
  test("by two processes that work at the same push, share by share", async () => {
    await crowd(230);
    const info = await publish({ publishPolicy: "PUSH" });
    await phones.work({ ...phones.devices }, { ...phones.devices });
    await phones.work();
    expect([told().length, new Set(told()).size]).toEqual([230, 230]);
    expect(await status(info)).toMatchObject({ status: "published", devices: tally({ devices: 230, reached: 230 }) });
  });

  test("also where nobody answered: nobody knows whether it arrived", async () => {
    await apple("a", "b");
    phones.apple.says("token-a", "break");
    const info = await publish({ publishPolicy: "PUSH" });
    await phones.work();
    clock.pass(HOUR);
    await pushAgain(db, clock.at);
    await phones.work();
    expect(told().filter((token) => token === "token-a")).toHaveLength(1);
    expect(await status(info)).toMatchObject({ devices: { devices: 2, refused: 0, gone: 0 } });
  });

  test("also by who comes after a process that ended in the middle; whom it had not come to are told", async () => {
    await crowd(60);
    const info = await publish({ publishPolicy: "PUSH" });
    const { id } = await one(db, sql<{ id: string }>`select id from pushes`);
    // It has written down whom it tells, and is not heard of any more.
    const begun = Promise.withResolvers<void>();
    const never = new Promise<never>(() => {});
    const dying = { ...phones.devices, ways: { ...ways, apns: { send: () => (begun.resolve(), never), close: () => {} } } };
    void workPush(dying, id);
    await begun.promise;
    await phones.work();
    expect(told()).toEqual([]);
    clock.pass(MINUTE + 2 * SECOND);
    await pushAgain(db, clock.at);
    await phones.work();
    expect([told().length, new Set(told()).size]).toEqual([10, 10]);
    expect(await status(info)).toMatchObject({
      status: "published",
      errorMessage: "For 50 of 60 devices it is not known whether it arrived.",
      devices: tally({ devices: 60, reached: 10, unknown: 50 }),
    });
  });

  test("each time of what is repeated, and not twice where two let it out", async () => {
    await registered(sdk, "pixel", { platform: "android" });
    const info = await publish({ publishPolicy: "PUSH", repeatEvery: 60, repeatExpiresAt: clock.at.getTime() + 2 * MINUTE });
    const due = () => database.inTransaction((tx) => publishDue(door.house.channels, tx));
    for (let n = 0; n < 4; n++) {
      await Promise.all([due(), due()]);
      await phones.work();
      clock.pass(MINUTE);
    }
    expect(told()).toHaveLength(3);
    expect(phones.firebase.got[0]!.body["message"]).toMatchObject({ android: { collapse_key: info.messageId } });
    expect(await status(info)).toMatchObject({ status: "published", devices: tally({ devices: 1, reached: 1 }) });
  });

  test("later, and not at all once it is taken back", async () => {
    await apple("a");
    const info = await publish({ publishPolicy: "PUSH", publishAt: clock.at.getTime() + HOUR });
    const other = await publish({ publishPolicy: "PUSH", publishAt: clock.at.getTime() + HOUR });
    await sdk.Messaging.cancel(other.messageId);
    expect((await status(info)).status).toBe("scheduled");
    clock.pass(HOUR);
    await database.inTransaction((tx) => publishDue(door.house.channels, tx));
    await phones.work();
    expect([told(), (await status(info)).status, (await status(other)).status]).toEqual([["token-a"], "published", "cancelled"]);
  });
});

test("whoever may not publish pushes nothing, and a program learns no token of a device from what it may ask", async () => {
  await apple("a");
  const info = await publish({ publishPolicy: "PUSH" });
  await phones.work();
  const answers = await Promise.all(
    [`messaging/${info.messageId}`, "messaging/pushtemplates/ALL", "messaging/registrations/other", "messaging/registrations/%25"].map(
      (path) => door.call("GET", `/${APP}/${CLIENT}/${path}`),
    ),
  );
  for (const { text } of answers) expect(text).not.toContain("token-a");
  await door.set({ whoPublishes: "servers" });
  door.forget();
  await expect(publish({ publishPolicy: "PUSH" })).rejects.toMatchObject({ status: 403 });
  expect(await one(db, sql`select count(*)::int as n from pushes`)).toEqual({ n: 1 });
});
