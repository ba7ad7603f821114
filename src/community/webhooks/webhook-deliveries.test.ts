import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { answerEvent, cancelEvent, EventAnswer, getEvent } from "#community/calendar";
import { deletePost, editPost, PostEdit } from "#community/discussions";
import { joinGroup, leaveGroup } from "#community/groups";
import { reportPost } from "#community/moderation";
import { DAY, MINUTE } from "#platform/clock";
import { maybeOne, run, sql } from "#platform/database";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
} from "../../../test/support/test-users.ts";
import { createTestEvent } from "../../../test/support/calendar-setup.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import type { ReceivedCall } from "../../../test/support/webhooks/receiver.ts";
import { createWebhookSetup, typesOf } from "../../../test/support/webhooks/webhook-setup.ts";
import {
  changeWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  purgeDeliveries,
  resendDelivery,
  resumeWebhook,
  rotateWebhookSecret,
  sendTestDelivery,
  WebhookForm,
} from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { app, dispatch, sendDue, hook, setUp } = createWebhookSetup(database);

/** The signed payload, or the error of the verification. Receivers compare with the real time. */
function verify({ headers, body }: ReceivedCall, secret: string): unknown {
  const at = Number(headers["webhook-timestamp"]) * 1000;
  const realNow = Date.now;
  Date.now = () => at;
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    Date.now = realNow;
  }
}

describe("webhook delivery", () => {
  test("sends a signed Standard Webhooks message with the record as the API returns it", async () => {
    const { tomas, mira, groupId, discussionId } = await setUp();
    const { secret, receiver } = await hook(tomas, groupId, ["post.created"]);
    const { id } = await createTestReply(database, mira, discussionId, { body: "The *bed* is ready." });
    await dispatch();
    expect(await sendDue()).toBe(1);
    const [call] = receiver.calls;
    expect(verify(call!, secret)).toEqual(call!.payload);
    expect(() => verify({ ...call!, body: call!.body.replace("ready", "empty") }, secret)).toThrow();
    expect(call!.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Kith webhooks",
      "webhook-id": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    expect(call!.payload).toMatchObject({
      version: 1,
      type: "post.created",
      timestamp: clock.at.toISOString(),
      data: {
        ___class: "Posts",
        objectId: id,
        created: clock.at.getTime(),
        ownerId: mira.id,
        authorName: "Mira",
        discussionId,
        groupId,
        number: 2,
        text: "The *bed* is ready.",
        stub: null,
      },
    });
  });

  test("happens for each chosen event", async () => {
    const { tomas, mira, noor, groupId, discussionId } = await setUp();
    const { receiver } = await hook(tomas, groupId, [
      "post.created",
      "post.updated",
      "post.deleted",
      "discussion.created",
      "member.joined",
      "member.left",
      "event.created",
      "event.cancelled",
      "event.answered",
      "report.created",
    ]);
    const { receiver: unconcerned } = await hook(tomas, groupId, ["resource.created"]);
    const { id: postId } = await createTestReply(database, mira, discussionId);
    await within((tx) => editPost(tx, mira, PostEdit.parse({ postId, body: "Later.", version: 1 })));
    await within((tx) => reportPost(tx, tomas, { postId, reason: "Off-topic" }));
    await within((tx) => deletePost(tx, mira, { postId }));
    await within((tx) => joinGroup(tx, noor, { groupId }));
    await within((tx) => leaveGroup(tx, noor, { groupId }));
    const event = await createTestEvent(database, mira, groupId);
    const { occurrenceId } = await getEvent(db, mira, event.id);
    await within((tx) => answerEvent(tx, mira, EventAnswer.parse({ occurrenceId, answer: "going" })));
    await within((tx) =>
      cancelEvent(tx, mira, { eventId: event.id, reason: "Rain", scope: "this" } as never),
    );
    await dispatch();
    await sendDue();
    const data = (type: string) => receiver.calls.find(({ payload }) => payload.type === type)?.payload.data;
    // Posts are read when they are sent: what was deleted meanwhile is only reported as deleted.
    expect(typesOf(receiver.calls).toSorted()).toEqual([
      "discussion.created",
      "event.answered",
      "event.cancelled",
      "event.created",
      "member.left",
      "post.created",
      "post.deleted",
    ]);
    expect(data("post.deleted")).toEqual({ ___class: "Posts", objectId: postId, discussionId, groupId });
    expect(data("member.left")).toMatchObject({ ___class: "Memberships", personId: noor.id, groupId });
    expect(data("event.cancelled")).toMatchObject({
      ___class: "Events",
      objectId: event.id,
      title: "Repair evening",
      cancelledReason: "Rain",
    });
    expect(unconcerned.calls).toEqual([]);
  });

  test("about a report names neither reporter nor author", async () => {
    const { tomas, mira, noor, groupId, postId } = await setUp();
    const { receiver } = await hook(tomas, groupId, ["report.created"]);
    await within((tx) => reportPost(tx, noor, { postId, reason: "Spam, I think" }));
    await dispatch();
    await sendDue();
    expect(receiver.calls[0]!.payload.data).toMatchObject({
      ___class: "Reports",
      groupId,
      kind: "post",
      subjectId: postId,
      reason: "Spam, I think",
    });
    expect(receiver.calls[0]!.body).not.toContain(noor.id);
    expect(receiver.calls[0]!.body).not.toContain(mira.id);
  });

  test("excludes other groups, other tags and content that the webhook's owner may not see", async () => {
    const { ada, tomas, mira, groupId, slug } = await setUp();
    const hidden = await createTestGroup(
      database,
      { tomas, mira },
      { name: "Night Owls", visibility: "secret" },
    );
    const everything = await hook(ada, null, ["discussion.created"]);
    const beans = await hook(ada, null, ["discussion.created", "post.created"], { tags: "beans" });
    const oneGroup = await hook(ada, null, ["discussion.created"], { groups: slug });
    const inHidden = await hook(tomas, hidden.id, ["discussion.created"]);
    const [tagged, plain, secret] = [
      await createTestDiscussion(database, mira, groupId, { tags: "beans" }),
      await createTestDiscussion(database, mira, groupId),
      await createTestDiscussion(database, mira, hidden.id, { title: "Owls at night", tags: "beans" }),
    ];
    await dispatch();
    await sendDue();
    const discussionsOf = ({ receiver }: typeof everything) =>
      receiver.calls.map(({ payload }) => String(payload.data["discussionId"] ?? payload.data["objectId"]));
    expect(discussionsOf(everything)).toEqual([tagged.id, plain.id]);
    expect(discussionsOf(beans)).toEqual([tagged.id, tagged.id]);
    expect(discussionsOf(oneGroup)).toEqual([tagged.id, plain.id]);
    expect(discussionsOf(inHidden)).toEqual([secret.id]);
    // The log does not say that something was left out.
    const { rows } = await listDeliveries(db, ada, { groupId: null }, { webhookId: everything.id });
    expect(rows).toHaveLength(2);
  });

  test("happens once when the domain event is handled repeatedly", async () => {
    const { tomas, mira, groupId, discussionId } = await setUp();
    const { receiver } = await hook(tomas, groupId, ["post.created"]);
    await createTestReply(database, mira, discussionId);
    await dispatch(false);
    expect(await sendDue()).toBe(1);
    await dispatch();
    expect(await sendDue()).toBe(0);
    expect(receiver.calls).toHaveLength(1);
  });
});

describe("webhook rights", () => {
  test("pause the webhook of a former owner before anything is sent", async () => {
    const { tomas, mira, groupId, discussionId } = await setUp("private");
    const { receiver, id: webhookId } = await hook(tomas, groupId, ["post.created"]);
    await within((tx) => setMembership(tx, groupId, mira, "owner"));
    await within((tx) => setMembership(tx, groupId, tomas, "member"));
    await createTestReply(database, mira, discussionId);
    await dispatch();
    await sendDue();
    expect(receiver.calls).toEqual([]);
    expect(await getWebhook(db, mira, { groupId }, webhookId)).toMatchObject({ pausedReason: "rights" });
    await within((tx) => resumeWebhook(tx, mira, { groupId, webhookId }));
    await sendDue();
    expect(typesOf(receiver.calls)).toEqual(["post.created"]);
  });

  test("show contents in the log only to the person with whose rights they were read", async () => {
    const { ada, mira, ines, groupId } = await setUp();
    await run(db, sql`update people set site_role = 'admin' where id = ${ines.id}`);
    const other = { ...ines, role: "admin" as const };
    const { id: webhookId } = await hook(ada, null, ["discussion.created"]);
    await createTestDiscussion(database, mira, groupId);
    await dispatch();
    await sendDue();
    const site = { groupId: null };
    const [delivery] = (await listDeliveries(db, other, site, { webhookId })).rows;
    const read = (viewer: typeof ada) =>
      getDelivery(db, viewer, site, { webhookId, deliveryId: delivery!.id });
    expect(await read(ada)).toMatchObject({
      requestBody: expect.stringContaining("beans") as string,
      responseBody: "ok",
    });
    expect(await read(other)).toMatchObject({ requestBody: null, responseBody: null, status: 200 });
    // A new owner of the webhook does not see the content of earlier deliveries.
    const form = WebhookForm.parse({
      name: "Mine",
      url: "https://x.example",
      events: ["discussion.created"],
    });
    await within((tx) => changeWebhook(tx, other, { ...form, ...site, webhookId }));
    expect(await read(other)).toMatchObject({ requestBody: null });
  });
});

test("new and previous secret both verify for a day after a rotation", async () => {
  const { tomas, groupId } = await setUp();
  const { receiver, secret, id: webhookId } = await hook(tomas, groupId, ["post.created"]);
  const rotated = await within((tx) => rotateWebhookSecret(tx, app.sealer, tomas, { groupId, webhookId }));
  const testOnce = async () => {
    await within((tx) => sendTestDelivery(tx, tomas, { groupId, webhookId }));
    await sendDue();
    return receiver.calls.at(-1)!;
  };
  const during = await testOnce();
  expect(during.payload).toMatchObject({ type: "test", data: { message: "This is a test." } });
  for (const key of [secret, rotated]) expect(verify(during, key)).toEqual(during.payload);
  clock.pass(DAY);
  const after = await testOnce();
  expect(verify(after, rotated)).toEqual(after.payload);
  expect(() => verify(after, secret)).toThrow();
});

test("deliveries beyond thirty a minute are held back as a loop, and can be resent", async () => {
  const { tomas, mira, groupId, discussionId } = await setUp();
  const { receiver, id: webhookId } = await hook(tomas, groupId, ["post.created"]);
  for (let n = 0; n < 33; n++) await createTestReply(database, n === 10 ? tomas : mira, discussionId);
  await dispatch();
  await sendDue();
  expect(receiver.calls).toHaveLength(31);
  const { rows } = await listDeliveries(db, tomas, { groupId }, { webhookId, state: "cut" });
  expect(rows).toMatchObject([
    { state: "cut", attempts: 0, error: expect.stringContaining("probably a loop") as string },
    { state: "cut" },
  ]);
  await within((tx) => resendDelivery(tx, tomas, { groupId, webhookId, deliveryId: rows[0]!.id }));
  await sendDue();
  expect(receiver.calls).toHaveLength(32);
  clock.pass(2 * MINUTE);
  await createTestReply(database, mira, discussionId);
  await dispatch();
  await sendDue();
  expect(receiver.calls).toHaveLength(33);
});

test("webhook log can be filtered by state and event, and is deleted after thirty days", async () => {
  const { tomas, mira, groupId, discussionId } = await setUp();
  const { id: webhookId } = await hook(tomas, groupId, ["post.created"]);
  await createTestReply(database, mira, discussionId);
  await within((tx) => sendTestDelivery(tx, tomas, { groupId, webhookId }));
  await dispatch();
  await sendDue();
  const list = async (query: object) =>
    (await listDeliveries(db, tomas, { groupId }, { webhookId, ...query })).rows.map(({ event }) => event);
  expect((await list({})).toSorted()).toEqual(["post.created", "test"]);
  expect(await list({ event: "test" })).toEqual(["test"]);
  expect(await list({ state: "failed" })).toEqual([]);
  expect(await list({ state: "nonsense", event: "test" })).toEqual(["test"]);
  clock.pass(30 * DAY);
  expect(await within(purgeDeliveries)).toBe(0);
  clock.pass(1);
  expect(await within(purgeDeliveries)).toBe(2);
  expect(await maybeOne(db, sql`select from webhook_deliveries limit 1`)).toBeUndefined();
});
