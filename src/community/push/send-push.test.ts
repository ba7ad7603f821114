import { beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, addMilliseconds, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { type WebPushOutcome, WebPushError } from "#platform/web-push";
import { leaveGroup } from "#community/groups";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createMailContext, insertNotification } from "../../../test/support/mail/mail-context.ts";
import { listPushDevices, enqueuePushes, type PushSendContext, sendPush, setPushTextShown } from "./index.ts";
import { createSubscriptionSetup } from "../../../test/support/push/subscription-setup.ts";

const database = await testDatabase();
const { subscribeBrowser } = createSubscriptionSetup(database);
const { db, clock, inTransaction: within } = database;

let people: TestUsers;
let group: Awaited<ReturnType<typeof createTestGroup>>;
let discussion: { id: string };
let sent: { endpoint: string; payload: Record<string, string>; topic: string }[];
let answer: () => WebPushOutcome;
let app: PushSendContext;
beforeEach(async () => {
  sent = [];
  answer = () => "sent";
  app = {
    ...createMailContext(database),
    now: () => clock.at,
    push: {
      send: async ({ endpoint }, payload, topic) => {
        sent.push({ endpoint, payload: payload as Record<string, string>, topic });
        return answer();
      },
    },
  };
  people = await createTestUsers(database);
  group = await createTestGroup(database, people, { visibility: "private" });
  discussion = await createTestDiscussion(database, people.mira, group.id);
});

/** Tomas replies to Mira, who has push enabled. */
async function answered() {
  const { id } = await createTestReply(database, people.tomas, discussion.id, {
    body: "After the *ice* saints.",
  });
  await insertNotification(database, {
    personId: people.mira.id,
    kind: "reply",
    objectKind: "discussion",
    objectId: discussion.id,
    actors: [people.tomas.id],
    items: [id],
    mailAt: addMilliseconds(clock.at, DAY),
  });
  await run(db, sql`update notifications set push_at = ${clock.at} where pushed_at is null`);
}

/** Runs the pending jobs. */
async function work() {
  const jobs = await many(
    db,
    sql<{ id: string; payload: { subscriptionId: string; notificationId: string } }>`
      select j.id, j.payload from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'push' and (j.run_at = j.created_at or j.run_at <= ${clock.at}) order by j.id`,
  );
  await run(
    db,
    sql`delete from graphile_worker._private_jobs where id = any(${jobs.map(({ id }) => id)}::bigint[])`,
  );
  return Promise.allSettled(jobs.map(({ payload }) => sendPush(app, payload)));
}

describe("push notification", () => {
  test("reaches every browser of the person once, with names and text only if enabled", async () => {
    await subscribeBrowser(people.mira);
    await subscribeBrowser(people.mira, "phone");
    await subscribeBrowser(people.tomas, "other");
    const [phone] = await listPushDevices(db, people.mira);
    await within((tx) => setPushTextShown(tx, people.mira, { id: phone!.id, shows: true }));
    await answered();
    expect(await enqueuePushes(app)).toBe(2);
    expect(await enqueuePushes(app)).toBe(0);
    await work();
    const url = `/discussions/${discussion.id}?post=2#post-2`;
    const [quiet, open] = sent.toSorted((a, b) => a.endpoint.localeCompare(b.endpoint));
    expect(quiet).toMatchObject({
      endpoint: "https://push.example/abc",
      payload: { title: "Kith", body: "You have a new notification.", url },
    });
    expect(JSON.stringify(quiet)).not.toMatch(/Tomas|saints|beans/);
    expect(open).toMatchObject({
      payload: {
        title: "When to sow beans · The Long Beds",
        body: "Tomas: After the ice saints.",
        url,
        lang: "en",
      },
    });
    expect(open!.topic).toMatch(/^[\w-]{24}$/);
  });

  test("skips a notification that was read or is no longer visible", async () => {
    await subscribeBrowser(people.mira);
    await answered();
    await enqueuePushes(app);
    await run(db, sql`update notifications set read_at = ${clock.at}`);
    await work();
    expect(sent).toEqual([]);
    await run(db, sql`update notifications set read_at = null, pushed_at = null`);
    await enqueuePushes(app);
    await within((tx) => leaveGroup(tx, people.mira, { groupId: group.id }));
    await work();
    expect(sent).toEqual([]);
  });

  test("ends with the session that enabled it", async () => {
    const sessionId = await subscribeBrowser(people.mira);
    await answered();
    await enqueuePushes(app);
    await run(db, sql`delete from sessions where id = ${sessionId}`);
    await work();
    expect(sent).toEqual([]);
    expect(await listPushDevices(db, people.mira)).toEqual([]);
  });

  test("skips content that the person can no longer see, even if not yet withdrawn", async () => {
    await subscribeBrowser(people.mira);
    await insertNotification(database, {
      personId: people.mira.id,
      kind: "group_request",
      objectKind: "group",
      objectId: group.id,
      actors: [people.noor.id],
      mailAt: addMilliseconds(clock.at, DAY),
    });
    await run(db, sql`update notifications set push_at = ${clock.at}`);
    expect(await enqueuePushes(app)).toBe(1);
    await work();
    expect(sent).toEqual([]);
  });

  test("skips a browser that another person has taken over", async () => {
    await subscribeBrowser(people.mira);
    await insertNotification(database, {
      personId: people.mira.id,
      kind: "friend_request",
      objectKind: "person",
      objectId: people.ines.id,
      actors: [people.ines.id],
      mailAt: addMilliseconds(clock.at, DAY),
    });
    await run(db, sql`update notifications set push_at = ${clock.at}`);
    expect(await enqueuePushes(app)).toBe(1);
    await subscribeBrowser(people.tomas);
    const [taken] = await listPushDevices(db, people.tomas);
    await within((tx) => setPushTextShown(tx, people.tomas, { id: taken!.id, shows: true }));
    await work();
    expect(sent).toEqual([]);
  });

  test("deletes a subscription whose browser no longer exists", async () => {
    await subscribeBrowser(people.mira);
    await answered();
    await enqueuePushes(app);
    answer = () => "gone";
    await work();
    expect(await listPushDevices(db, people.mira)).toEqual([]);
  });

  test("retries a rejected push at the requested time", async () => {
    await subscribeBrowser(people.mira);
    await answered();
    await enqueuePushes(app);
    answer = () => {
      throw new WebPushError("busy", 120);
    };
    expect(await work()).toMatchObject([{ status: "fulfilled" }]);
    answer = () => "sent";
    await work();
    expect(sent).toHaveLength(1);
    clock.pass(2 * MINUTE);
    await work();
    expect(sent).toHaveLength(2);
    await run(db, sql`update notifications set pushed_at = null`);
    await enqueuePushes(app);
    answer = () => {
      throw new WebPushError("down");
    };
    expect(await work()).toMatchObject([{ status: "rejected" }]);
  });

  test("skips notifications older than a day", async () => {
    await subscribeBrowser(people.mira);
    await answered();
    await enqueuePushes(app);
    clock.pass(25 * HOUR);
    await work();
    expect(sent).toEqual([]);
  });

  test.each([
    ["security", "person", "/security#sessions"],
    ["reaction", "discussion", "/discussions/"],
  ] as const)("has a generic text if there is no message: %s", async (kind, objectKind, link) => {
    await subscribeBrowser(people.mira);
    const objectId = objectKind === "person" ? people.mira.id : discussion.id;
    await insertNotification(database, {
      personId: people.mira.id,
      kind: kind as never,
      objectKind,
      objectId,
      mailAt: clock.at,
    });
    await run(db, sql`update notifications set push_at = ${clock.at}`);
    await enqueuePushes(app);
    await work();
    expect(sent[0]!.payload).toMatchObject({ title: "Kith", url: expect.stringContaining(link) as string });
  });
});
