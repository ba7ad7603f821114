import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { getDiscussion } from "#community/discussions";
import { addWordFilter, blockPerson } from "#community/friends";
import { setNotifyLevel } from "#community/groups";
import { createTestDiscussion, createTestReply } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  allowSenders,
  muteNotificationSource,
  getNotification,
  listNotifications,
  openNotification,
  markNotificationRead,
  markNotificationsSeen,
  markNotificationUnread,
} from "./index.ts";
import { dispatchEvents } from "../../../test/support/notifications/deliveries.ts";
import { setupNotifiedPerson } from "../../../test/support/notifications/notified-person.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("notification list", () => {
  test("groups entries by subject with actor and action, latest first", async () => {
    const { list, group, discussion, noor } = await setupNotifiedPerson(database);
    const rows = await list();
    expect(
      rows.map((notificationItem) => [
        notificationItem.kind,
        notificationItem.count,
        notificationItem.actors.map((who) => who.username),
        notificationItem.object.title,
        notificationItem.group?.slug ?? null,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ["friend_request", 1, ["noor"], "", null],
        ["reply", 2, ["noor", "tomas"], "When to sow beans", group.slug],
        ["reaction", 1, ["tomas"], "When to sow beans", group.slug],
      ]),
    );
    expect(rows[0]).toMatchObject({
      kind: "friend_request",
      object: { kind: "person", id: noor.id },
      unread: true,
    });
    expect(rows.find((it) => it.kind === "reply")).toMatchObject({
      number: 3,
      object: { id: discussion.id },
    });
  });

  test("continues in each tab and page without gaps or repetition", async () => {
    const { list, mira, tomas, group } = await setupNotifiedPerson(database);
    expect((await list("requests")).map((it) => it.kind)).toEqual(["friend_request"]);
    expect(await list("mentions")).toEqual([]);
    await within((tx) => setNotifyLevel(tx, mira, { groupId: group.id, level: "all" }));
    for (let n = 0; n < 25; n++) {
      database.clock.pass(60_000);
      await createTestDiscussion(database, tomas, group.id, {
        title: `Something new, ${n}`,
        body: n === 3 ? "What do you think, @mira?" : "Look.",
      });
      await dispatchEvents(database);
    }
    expect((await list("mentions")).map((it) => it.object.title)).toEqual(["Something new, 3"]);
    const first = await listNotifications(db, mira, { tab: "all" });
    const second = await listNotifications(db, mira, { tab: "all", after: first.next! });
    expect([first.rows.length, second.rows.length, second.next]).toEqual([20, 8, null]);
    expect(new Set([...first.rows, ...second.rows].map((it) => it.id)).size).toBe(28);
  });

  test("collapses filtered entries instead of hiding them, because they are counted in the bell", async () => {
    const { list, mira, discussion, bell } = await setupNotifiedPerson(database);
    const { title } = await getDiscussion(db, mira, discussion.id);
    const before = { lines: (await list()).length, bell: await bell() };
    await within((tx) =>
      addWordFilter(tx, mira, { phrase: title, contexts: ["notifications"], action: "hide", until: null }),
    );
    const rows = await list();
    expect({ lines: rows.length, bell: await bell() }).toEqual(before);
    expect(rows.filter((row) => row.foldedFor === title).map((row) => row.object.id)).toContain(
      discussion.id,
    );
    expect(rows.find((row) => row.kind === "friend_request")?.foldedFor).toBeUndefined();
  });

  test("shows only own notifications", async () => {
    const { list, tomas, guest } = await setupNotifiedPerson(database);
    const [row] = await list();
    await expect(getNotification(db, tomas, row!.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(listNotifications(db, guest, { tab: "all" })).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    for (const verb of [
      openNotification,
      markNotificationRead,
      markNotificationUnread,
      muteNotificationSource,
      allowSenders,
    ])
      for (const id of [row!.id, "nonsense"])
        await expect(within(async (tx) => void (await verb(tx, tomas, { id })))).rejects.toMatchObject({
          reason: "not-found",
        });
  });

  test("hides invisible content and names of blocked people, even if not yet withdrawn", async () => {
    const { list, bell, mira, noor, discussion } = await setupNotifiedPerson(database);
    await within((tx) => blockPerson(tx, noor, { personId: mira.id }));
    expect((await list()).map((it) => [it.kind, it.actors.map((who) => who.username)])).toEqual(
      expect.arrayContaining([
        ["reply", ["tomas"]],
        ["reaction", ["tomas"]],
      ]),
    );
    expect(await bell()).toBe(2);
    await run(db, sql`update discussions set state = 'deleted' where id = ${discussion.id}`);
    expect([await list(), await bell()]).toEqual([[], 0]);
  });
});

describe("notification bell", () => {
  test("counts unseen entries until the list is opened", async () => {
    const { bell, list, mira, tomas, discussion } = await setupNotifiedPerson(database);
    expect(await bell()).toBe(3);
    await within((tx) => markNotificationsSeen(tx, mira));
    expect(await bell()).toBe(0);
    expect((await list("unread")).length).toBe(3);
    await createTestReply(database, tomas, discussion.id);
    await dispatchEvents(database);
    expect(await bell()).toBe(1);
  });
});
