import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { startConversation } from "#community/conversations";
import { addBookmark, getDiscussion, markRead, sendBookmarkReminders } from "#community/discussions";
import { acceptFriendRequest, sendFriendRequest } from "#community/friends";
import { getGroup, setNotifyLevel } from "#community/groups";
import { createTestDiscussion, createTestReply, createTestUsers } from "../../../test/support/test-users.ts";
import type { NotificationTab } from "#community/rules";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  getBadges,
  allowSenders,
  muteNotificationSource,
  listNotifications,
  openNotification,
  markAllNotificationsRead,
  markNotificationRead,
  markDiscussionSeen,
  markNotificationUnread,
} from "./index.ts";
import { dispatchEvents } from "../../../test/support/notifications/deliveries.ts";
import { setupNotifiedPerson } from "../../../test/support/notifications/notified-person.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("notification commands", () => {
  test("mark all notifications of a subject as read when one of them is opened", async () => {
    const { list, bell, mira } = await setupNotifiedPerson(database);
    const reply = (await list()).find((it) => it.kind === "reply")!;
    await within((tx) => openNotification(tx, mira, reply));
    expect((await list("unread")).map((it) => it.kind)).toEqual(["friend_request"]);
    expect(await bell()).toBe(1);
  });

  test("clear notifications about a discussion as a whole when it is viewed", async () => {
    const { list, mira, discussion } = await setupNotifiedPerson(database);
    await within((tx) => markRead(tx, mira, { discussionId: discussion.id, upTo: 1 }));
    await within((tx) => markDiscussionSeen(tx, mira, { discussionId: discussion.id }));
    expect((await list("unread")).map((it) => it.kind)).toEqual(["friend_request", "reply"]);
  });

  test("mark notifications as read or unread, without sending unread notifications again", async () => {
    const { list, mira } = await setupNotifiedPerson(database);
    const [request] = await list();
    await within((tx) => markNotificationRead(tx, mira, request!));
    expect((await list("unread")).length).toBe(2);
    await within((tx) => markNotificationUnread(tx, mira, request!));
    expect((await list("unread")).length).toBe(3);
    expect(await one(db, sql`select mail_at, push_at from notifications where id = ${request!.id}`)).toEqual({
      mail_at: null,
      push_at: null,
    });
    await within((tx) => markAllNotificationsRead(tx, mira));
    expect(await list("unread")).toEqual([]);
  });

  test("keep one unread row when an older notification is marked as unread", async () => {
    const { list, mira, tomas, discussion } = await setupNotifiedPerson(database);
    const reply = (await list()).find((it) => it.kind === "reply")!;
    await within((tx) => markNotificationRead(tx, mira, reply));
    await createTestReply(database, tomas, discussion.id);
    await dispatchEvents(database);
    await within((tx) => markNotificationUnread(tx, mira, reply));
    expect((await list("unread")).filter((it) => it.kind === "reply").length).toBe(1);
  });

  test.each([
    ["a notification marked as unread", markNotificationUnread, { read: true, filtered: false }],
    ["a notification moved out of the folder", allowSenders, { read: false, filtered: true }],
  ])("keep one unread row for %s while a new notification arrives", async (_, verb, before) => {
    const { list, mira } = await setupNotifiedPerson(database);
    const reply = (await list()).find((it) => it.kind === "reply")!;
    await run(
      db,
      sql`update notifications set read_at = case when ${before.read} then now()
        end, filtered = ${before.filtered}, mail_at = null, push_at = null where id = ${reply.id}`,
    );
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { promise: isTold, resolve: hasTold } = Promise.withResolvers<void>();
    const inserting = within(async (tx) => {
      await run(
        tx,
        sql`insert into notifications (id, person_id, kind, object_kind, object_id, reason, actors,
          created_at, updated_at)
            select gen_random_uuid(), person_id, kind, object_kind, object_id, reason, actors, created_at,
              updated_at from notifications where id = ${reply.id}`,
      );
      hasTold();
      await mayEnd;
    });
    await isTold;
    const doing = within((tx) => verb(tx, mira, reply));
    const waitingQueries = sql<{
      n: number;
    }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await one(db, waitingQueries)).n).toBe(1);
    end();
    await Promise.all([inserting, doing]);
    expect((await list("unread")).filter((it) => it.kind === "reply").map((it) => it.id)).not.toContain(
      reply.id,
    );
    expect((await list("unread")).filter((it) => it.kind === "reply")).toHaveLength(1);
  });

  test("mute a discussion, conversation or group, but not a person", async () => {
    const { list, mira, tomas, noor, group, discussion } = await setupNotifiedPerson(database);
    const [request] = await list();
    await expect(within((tx) => muteNotificationSource(tx, mira, request!))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => acceptFriendRequest(tx, mira, { personId: noor.id }));
    const { id } = await within((tx) =>
      startConversation(tx, noor, { to: ["mira"], name: "", body: "A word?" }),
    );
    await within((tx) => setNotifyLevel(tx, mira, { groupId: group.id, level: "all" }));
    await run(db, sql`update memberships set state = 'requested' where person_id = ${noor.id}`);
    await run(db, sql`update memberships set role = 'moderator' where person_id = ${mira.id}`);
    await run(
      db,
      sql`insert into outbox (type, payload, at)
        values ('group.requested',
          json_build_object('type', 'group.requested', 'groupId', ${group.id}::text, 'by', ${noor.id}::text),
          now())`,
    );
    await dispatchEvents(database);
    for (const kind of ["reply", "message", "group_request"]) {
      const line = (await list("unread")).find((it) => it.kind === kind)!;
      await within((tx) => muteNotificationSource(tx, mira, line));
    }
    expect(await list("unread")).toEqual([]);
    expect((await getDiscussion(db, mira, discussion.id)).level).toBe("muted");
    expect((await getGroup(db, mira, group.id)).notifyLevel).toBe("mute");
    await createTestReply(database, tomas, discussion.id);
    await createTestDiscussion(database, tomas, group.id, { title: "Something new" });
    await dispatchEvents(database);
    expect(await list("unread")).toEqual([]);
    const muted = await one(
      db,
      sql<{
        far: boolean;
      }>`select muted_until > now() + interval '100 years' as far from participants
        where conversation_id = ${id} and person_id = ${mira.id}`,
    );
    expect(muted.far).toBe(true);
  });

  test("move past and future notifications of allowed senders out of the folder", async () => {
    const { mira, noor, tomas } = await createTestUsers(database);
    await run(
      db,
      sql`insert into notification_settings (person_id, strangers_apart) values (${mira.id}, true)`,
    );
    for (const who of [noor, tomas])
      await within((tx) => sendFriendRequest(tx, who, { personId: mira.id, note: "" }));
    await dispatchEvents(database);
    const names = async (tab: NotificationTab) =>
      (await listNotifications(db, mira, { tab })).rows.map((it) => it.actors[0]!.username).toSorted();
    expect([await names("all"), await names("apart"), (await getBadges(db, mira)).notifications]).toEqual([
      [],
      ["noor", "tomas"],
      0,
    ]);
    const ofNoor = (await listNotifications(db, mira, { tab: "apart" })).rows.find(
      (it) => it.object.id === noor.id,
    )!;
    await within((tx) => allowSenders(tx, mira, ofNoor));
    expect([await names("all"), await names("apart"), (await getBadges(db, mira)).notifications]).toEqual([
      ["noor"],
      ["tomas"],
      1,
    ]);
  });

  test("mark a reminder as read permanently when it is opened", async () => {
    const { mira, tomas, discussion, list } = await setupNotifiedPerson(database);
    const post = await createTestReply(database, tomas, discussion.id);
    await within((tx) =>
      addBookmark(tx, mira, {
        postId: post.id,
        note: "",
        remindAt: new Date(database.clock.at.getTime() + 1_000),
      }),
    );
    database.clock.pass(2_000);
    await within(sendBookmarkReminders);
    await dispatchEvents(database);
    const due = (await list()).find((it) => it.kind === "bookmark")!;
    expect(due).toMatchObject({ number: 4, actors: [], reason: "you_set" });
    await within((tx) => openNotification(tx, mira, due));
    expect((await list("unread")).map((it) => it.kind)).toEqual(["friend_request"]);
  });
});
