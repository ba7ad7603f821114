import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cancelScheduledMessages } from "#baas/messaging";
import { HOUR, addMilliseconds, MINUTE, SECOND } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { countCases, FUZZ_TIMEOUT } from "../../../../test/support/fuzz-cases.ts";
import { PASSWORD, SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  db,
  clock,
  testApi,
  messaging,
  publishedMessages,
  type MessageInfoAnswer,
  messagingPath,
  publishMessage,
  readMessageStatus,
  cancelPublished,
  publishDueMessages,
  listAnnouncedMessages,
  signInSdk,
} from "../../../../test/support/rest/messaging-api.ts";

describe("scheduled message", () => {
  test("gets published once when due", async () => {
    const { body } = await publishMessage({
      message: { n: 1 },
      publishAt: addMilliseconds(clock.at, MINUTE).toISOString(),
      headers: { a: 1 },
    });
    expect([
      await publishDueMessages(),
      publishedMessages.length,
      (await readMessageStatus(body.messageId)).status,
    ]).toEqual([0, 0, "scheduled"]);
    clock.pass(MINUTE);
    const both = await Promise.all([publishDueMessages(), publishDueMessages()]);
    expect(both.toSorted()).toEqual([0, 1]);
    expect([await publishDueMessages(), await listAnnouncedMessages()]).toEqual([
      0,
      [expect.objectContaining({ messageId: body.messageId, at: clock.at.getTime(), channel: "news" })],
    ]);
    expect(await readMessageStatus(body.messageId)).toEqual({ ...body, status: "published" });
    expect((await cancelPublished(body.messageId)).status).toBe("published");
  });

  test("does not get published after cancellation", async () => {
    const { body } = await publishMessage({ message: 1, publishAt: clock.at.getTime() + MINUTE });
    expect(await cancelPublished(body.messageId)).toEqual({ ...body, status: "cancelled" });
    clock.pass(HOUR);
    expect([
      await publishDueMessages(),
      await listAnnouncedMessages(),
      await cancelPublished(body.messageId),
    ]).toEqual([0, [], { ...body, status: "cancelled" }]);
  });

  test("gets cancelled when its author loses the right to publish", async () => {
    const client = testApi.sdk();
    const mira = await testApi.member("mira");
    await client.UserService.login("mira", PASSWORD);
    const hers = (await client.Messaging.publish(
      "news",
      "hers",
      {} as never,
      { publishAt: clock.at.getTime() + MINUTE } as never,
    )) as MessageInfoAnswer;
    const { body: others } = await publishMessage({
      message: "others",
      publishAt: clock.at.getTime() + MINUTE,
    });
    expect(await cancelScheduledMessages(testApi.app.channels, mira)).toBe(1);
    expect([
      (await readMessageStatus(hers.messageId)).status,
      (await readMessageStatus(others.messageId)).status,
    ]).toEqual(["cancelled", "scheduled"]);
    clock.pass(HOUR);
    expect([
      await publishDueMessages(),
      (await listAnnouncedMessages()).map(({ messageId }) => messageId),
    ]).toEqual([1, [others.messageId]]);
  });

  test("gets either published or cancelled when both happen at once", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n++)
      ids.push((await publishMessage({ message: n, publishAt: clock.at.getTime() + 1 })).body.messageId);
    clock.pass(SECOND);
    const [, , ...answers] = await Promise.all([
      publishDueMessages(),
      publishDueMessages(),
      ...ids.map(cancelPublished),
    ]);
    await publishDueMessages();
    const out = new Set((await listAnnouncedMessages()).map(({ messageId }) => messageId));
    for (const { messageId, status: it } of answers)
      expect([messageId, it]).toEqual([messageId, out.has(messageId) ? "published" : "cancelled"]);
  });

  test("repeats until its end, without catching up missed times", async () => {
    const end = clock.at.getTime() + 10 * MINUTE;
    const { body } = await publishMessage({ message: 1, repeatEvery: 60, repeatExpiresAt: end });
    expect(await publishDueMessages()).toBe(1);
    clock.pass(MINUTE - 1);
    expect(await publishDueMessages()).toBe(0);
    clock.pass(1);
    expect([await publishDueMessages(), (await readMessageStatus(body.messageId)).status]).toEqual([
      1,
      "scheduled",
    ]);
    clock.pass(5.5 * MINUTE);
    expect([await publishDueMessages(), await publishDueMessages()]).toEqual([1, 0]);
    for (let n = 0; n < 20; n++) {
      clock.pass(MINUTE / 2);
      await publishDueMessages();
    }
    const offsets = (await listAnnouncedMessages()).map((it) => (it.at - (end - 10 * MINUTE)) / MINUTE);
    expect(offsets).toEqual([0, 1, 6.5, 7, 8, 9, 10]);
    expect((await readMessageStatus(body.messageId)).status).toBe("published");
  });

  test("repeats ten thousand times if it has no end", async () => {
    const { body } = await publishMessage({ message: 1, repeatEvery: 1 });
    await run(db, sql`update scheduled_messages set times = 9999`);
    clock.pass(SECOND);
    expect([await publishDueMessages(), (await readMessageStatus(body.messageId)).status]).toEqual([
      1,
      "published",
    ]);
  });

  test("fails when its end has passed while the server was down", async () => {
    const { body } = await publishMessage({
      message: 1,
      publishAt: clock.at.getTime() + MINUTE,
      repeatEvery: 60,
      repeatExpiresAt: clock.at.getTime() + HOUR,
    });
    clock.pass(2 * HOUR);
    expect([await publishDueMessages(), await listAnnouncedMessages()]).toEqual([1, []]);
    expect(await readMessageStatus(body.messageId)).toMatchObject({
      status: "failed",
      errorMessage: expect.stringContaining("expired"),
    });
  });

  test("can be cancelled by its author or a trusted caller only", async () => {
    const [ana, ben] = [await signInSdk("ana"), await signInSdk("ben")];
    const schedule = async (client: typeof ana) =>
      (
        (await client.Messaging.publish("news", "x", undefined, {
          publishAt: clock.at.getTime() + HOUR,
        } as never)) as MessageInfoAnswer
      ).messageId;
    const [hers, again, nobodys] = [await schedule(ana), await schedule(ana), await schedule(testApi.sdk())];
    for (const client of [ben, testApi.sdk()])
      await expect(client.Messaging.cancel(hers)).rejects.toMatchObject({ code: 403 });
    expect(await ana.Messaging.cancel(hers)).toMatchObject({ status: "cancelled" });
    expect(await testApi.sdk(SERVER).Messaging.cancel(again)).toMatchObject({ status: "cancelled" });
    expect(await ben.Messaging.cancel(nobodys)).toMatchObject({ status: "cancelled" });
  });

  test("gets refused beyond a thousand in total, or a hundred by one author", async () => {
    const ana = await signInSdk("ana");
    const { id } = await one(db, sql<{ id: string }>`select id from people where username = 'ana'`);
    const wait = (n: number, person: string | null) =>
      run(
        db,
        sql`insert into scheduled_messages (id, channel, person_id, content, state, due_at, created_at)
            select gen_random_uuid(), 'news', ${person}, '{}', 'scheduled',
              ${addMilliseconds(clock.at, HOUR)}, ${clock.at} from generate_series(1, ${n}::int)`,
      );
    await wait(100, id);
    const one_ = { publishAt: clock.at.getTime() + HOUR } as never;
    await expect(ana.Messaging.publish("news", "x", undefined, one_)).rejects.toMatchObject({ code: 413 });
    await messaging.publish("news", "x", undefined, one_);
    await wait(899, null);
    for (const client of [testApi.sdk(), testApi.sdk(SERVER)])
      await expect(client.Messaging.publish("news", "x", undefined, one_)).rejects.toMatchObject({
        code: 413,
      });
  });
});

test.each(["nonsense", "01900000-0000-7000-8000-000000000000"])(
  "status of an unknown message is not found: %s",
  async (id) => {
    await expect(messaging.getMessageStatus(id)).rejects.toMatchObject({ code: 404 });
    await expect(messaging.cancel(id)).rejects.toMatchObject({ code: 404 });
  },
);

test(
  "message API answers or refuses any message",
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
        const answers = await Promise.all(
          calls.map(([name, it]) => testApi.call("POST", messagingPath(name), it)),
        );
        for (const { status: it } of answers) expect(it).toBeLessThan(500);
        clock.pass(SECOND);
        await publishDueMessages();
      }),
      { numRuns: countCases(25, 40) },
    );
  },
  FUZZ_TIMEOUT,
);
