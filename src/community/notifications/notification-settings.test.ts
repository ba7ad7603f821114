import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { setFollowLevel } from "#community/discussions";
import { setMailLevel } from "#community/accounts";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  changeMailLevel,
  getNotificationSettings,
  pauseNotifications,
  QuietHoursInput,
  saveKindChoices,
  saveDigestSettings,
  saveQuietHours,
  saveSenderFolder,
} from "./index.ts";
import { dispatchEvents, listDeliveryRows } from "../../../test/support/notifications/deliveries.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
const notices = (who: { id: string }) => getNotificationSettings(db, who as never, clock.at);
const ofKind = async (who: { id: string }, kind: string) =>
  (await notices(who)).kinds.find((it) => it.kind === kind);
const listChoices = () => many(db, sql`select kind from notification_choices`);

describe("notification settings", () => {
  test("follow the mail level until changed, and values equal to it are not stored", async () => {
    const { mira, guest } = await createTestUsers(database);
    expect(await ofKind(mira, "new_reply")).toMatchObject({ shown: true, mailed: false, pushed: false });
    await within((tx) => setMailLevel(tx, mira, "everything"));
    expect(await ofKind(mira, "new_reply")).toMatchObject({ mailed: true });
    await within((tx) =>
      saveKindChoices(tx, mira, { new_reply: { shown: false, mailed: false, pushed: true } }),
    );
    expect(await ofKind(mira, "new_reply")).toMatchObject({ shown: false, mailed: false, pushed: true });
    expect(await listChoices()).toHaveLength(1);
    await within((tx) =>
      saveKindChoices(tx, mira, { new_reply: { shown: true, mailed: true, pushed: false } }),
    );
    expect(await listChoices()).toEqual([]);
    await expect(getNotificationSettings(db, guest, clock.at)).rejects.toMatchObject({
      reason: "not-signed-in",
    });
  });

  test("can be saved twice at the same time, as by a double click", async () => {
    const { mira } = await createTestUsers(database);
    const choice = { shown: false, mailed: true, pushed: true };
    const save = () =>
      within((tx) => saveKindChoices(tx, mira, { new_reply: choice, mention: choice, message: choice }));
    await Promise.all([save(), save(), save(), save()]);
    expect(await listChoices()).toHaveLength(3);
  });

  test("cannot disable account security or enable mail for reactions", async () => {
    const { mira } = await createTestUsers(database);
    const choice = { shown: false, mailed: true, pushed: false };
    await within((tx) => saveKindChoices(tx, mira, { security: choice, reaction: choice }));
    expect(await ofKind(mira, "security")).toEqual({
      kind: "security",
      shown: true,
      mailed: false,
      pushed: false,
    });
    expect(await ofKind(mira, "reaction")).toEqual({
      kind: "reaction",
      shown: false,
      mailed: false,
      pushed: false,
    });
  });

  test("lose their mail choices when the mail level changes, but keep list and push choices", async () => {
    const { mira } = await createTestUsers(database);
    await within((tx) => saveKindChoices(tx, mira, { reply: { shown: false, mailed: true, pushed: false } }));
    await within((tx) => changeMailLevel(tx, mira, "nothing"));
    const { kinds, mailLevel } = await notices(mira);
    expect([mailLevel, kinds.some((it) => it.mailed)]).toEqual(["nothing", false]);
    expect(await ofKind(mira, "reply")).toMatchObject({ shown: false, pushed: false });
    await within((tx) => changeMailLevel(tx, mira, "everything"));
    expect(await ofKind(mira, "new_discussion")).toMatchObject({ mailed: true });
  });

  test("list the viewer's groups, and followed or muted discussions the viewer can read", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas } = people;
    const group = await createTestGroup(database, people, { visibility: "private", name: "Beds" });
    const discussion = await createTestDiscussion(database, tomas, group.id);
    await within((tx) => setFollowLevel(tx, mira, { discussionId: discussion.id, level: "watching" }));
    expect(await notices(mira)).toMatchObject({
      groups: [{ name: "Beds", level: "highlights" }],
      discussions: [{ id: discussion.id, level: "watching" }],
    });
    await run(db, sql`update memberships set state = 'removed' where person_id = ${mira.id}`);
    expect(await notices(mira)).toMatchObject({ groups: [], discussions: [] });
  });
});

describe("delivery times of notifications", () => {
  test("refuse quiet hours without a weekday or with equal start and end", async () => {
    const { mira } = await createTestUsers(database);
    const save = (it: Parameters<typeof saveQuietHours>[2]) => within((tx) => saveQuietHours(tx, mira, it));
    for (const [input, field] of [
      [{ from: "22:00", to: "", days: [1] }, "to"],
      [{ from: "", to: "07:00", days: [1] }, "from"],
      [{ from: "07:00", to: "07:00", days: [1] }, "to"],
      [{ from: "22:00", to: "07:00", days: [] }, "days"],
    ] as const)
      await expect(save({ ...input, days: [...input.days] })).rejects.toMatchObject({
        reason: "invalid",
        fields: { [field]: expect.any(String) },
      });
    expect(QuietHoursInput.safeParse({ from: "25:00", to: "7", days: ["8"] }).success).toBe(false);
    await save({ from: "22:00", to: "07:00", days: [5, 6, 5] });
    expect(await notices(mira)).toMatchObject({ quietFrom: "22:00", quietTo: "07:00", quietDays: [5, 6] });
    await save({ from: "", to: "", days: [] });
    expect(await notices(mira)).toMatchObject({ quietFrom: null, quietTo: null });
  });

  test("apply a new pause or new quiet hours to pending notifications", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas } = people;
    const group = await createTestGroup(database, people);
    const discussion = await createTestDiscussion(database, mira, group.id);
    await createTestReply(database, tomas, discussion.id);
    await dispatchEvents(database);
    const due = async () =>
      (await listDeliveryRows(database, mira)).map(
        (it) => it.mailAt && Math.round((it.mailAt.getTime() - clock.at.getTime()) / 60_000),
      );
    expect(await due()).toEqual([10]);
    await within((tx) => saveQuietHours(tx, mira, { from: "09:00", to: "10:00", days: [1] }));
    expect(await due()).toEqual([60]);
    await within((tx) => pauseNotifications(tx, mira, { span: "day" }));
    expect(await due()).toEqual([24 * 60]);
    expect((await notices(mira)).pausedUntil).toEqual(new Date(clock.at.getTime() + 86_400_000));
    await within((tx) => pauseNotifications(tx, mira, { span: "none" }));
    expect((await notices(mira)).pausedUntil).toBeNull();
    await within((tx) => saveKindChoices(tx, mira, { reply: { shown: true, mailed: false, pushed: true } }));
    expect(await due()).toEqual([null]);
  });

  test("can be saved for the digest and the sender folder", async () => {
    const { mira } = await createTestUsers(database);
    expect(await notices(mira)).toMatchObject({
      digestEvery: "week",
      digestDay: 1,
      strangersApart: false,
      newcomersApart: false,
    });
    await within((tx) => saveDigestSettings(tx, mira, { every: "month", day: 6 }));
    await within((tx) => saveSenderFolder(tx, mira, { strangers: true, newcomers: false }));
    expect(await notices(mira)).toMatchObject({
      digestEvery: "month",
      digestDay: 6,
      strangersApart: true,
      newcomersApart: false,
    });
  });
});
