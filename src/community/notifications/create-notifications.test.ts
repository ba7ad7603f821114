import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { sendFriendRequest } from "#community/friends";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { deleteOldNotifications } from "./index.ts";
import { dispatchEvents, listDeliveryRows } from "../../../test/support/notifications/deliveries.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const MINUTE = 60_000;

/** Tomas replies to Mira, who gets a notification. */
async function answered(before: (mira: { id: string }) => Promise<unknown> = async () => {}) {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  await before(people.mira);
  const answer = () => createTestReply(database, people.tomas, discussion.id);
  await answer();
  await dispatchEvents(database);
  const row = async () => (await listDeliveryRows(database, people.mira))[0];
  return { ...people, group, discussion, answer, row };
}
const inMinutes = (at: Date | null | undefined) =>
  at && Math.round((at.getTime() - database.clock.at.getTime()) / MINUTE);
const settings = (who: { id: string }, set: ReturnType<typeof sql>) =>
  run(db, sql`insert into notification_settings (person_id) values (${who.id}) on conflict do nothing`).then(
    () => run(db, sql`update notification_settings set ${set} where person_id = ${who.id}`),
  );
const clockShows = (hour: string) => void (database.clock.at = new Date(`2026-05-04T${hour}:00Z`));

describe("delivery of a notification", () => {
  test("waits ten minutes for mail, and less for push", async () => {
    const { row, tomas, mira } = await answered();
    expect(inMinutes((await row())!.mailAt)).toBe(10);
    expect((await row())!.pushAt!.getTime() - database.clock.at.getTime()).toBe(20_000);
    await within((tx) => sendFriendRequest(tx, tomas, { personId: mira.id, note: "" }));
    await dispatchEvents(database);
    expect((await listDeliveryRows(database, mira)).map((it) => inMinutes(it.mailAt))).toEqual([10, 10]);
  });

  test("keeps its time despite new activity, and is scheduled again after it was sent", async () => {
    const { row, mira, answer } = await answered();
    const first = (await row())!.mailAt!;
    database.clock.pass(5 * MINUTE);
    await answer();
    await dispatchEvents(database);
    expect((await row())!.mailAt).toEqual(first);
    await run(db, sql`update notifications set mailed_at = mail_at where person_id = ${mira.id}`);
    database.clock.pass(MINUTE);
    await answer();
    await dispatchEvents(database);
    expect(
      await one(
        db,
        sql`select mailed_at, mailed_before, count from notifications where person_id = ${mira.id}`,
      ),
    ).toEqual({
      mailed_at: null,
      mailed_before: first,
      count: 3,
    });
    expect(inMinutes((await row())!.mailAt)).toBe(10);
  });

  test("follows the personal settings for mail, push and the list", async () => {
    const choice = (who: { id: string }, shown: boolean, mailed: boolean, pushed: boolean) =>
      run(
        db,
        sql`insert into notification_choices (person_id, kind, shown, mailed, pushed)
          values (${who.id}, 'reply', ${shown}, ${mailed}, ${pushed})`,
      );
    const quietly = await answered((mira) => choice(mira, true, false, false));
    expect(await quietly.row()).toMatchObject({ kind: "reply", mailAt: null, pushAt: null });
    await run(db, sql`delete from notifications`);
    await run(db, sql`delete from notification_choices`);
    await choice(quietly.mira, false, false, false);
    await quietly.answer();
    await dispatchEvents(database);
    expect(await quietly.row()).toBeUndefined();
    await run(db, sql`update notification_choices set mailed = true`);
    await quietly.answer();
    await dispatchEvents(database);
    expect(inMinutes((await quietly.row())!.mailAt)).toBe(10);
  });

  test("by mail follows the chosen mail level", async () => {
    const { row } = await answered((mira) =>
      run(db, sql`update people set mail_level = 'nothing' where id = ${mira.id}`),
    );
    expect(await row()).toMatchObject({ kind: "reply", mailAt: null });
  });

  test.each([
    ["09:00", "22:00", "07:00", "{1,2,3,4,5,6,7}", "UTC", 10, 0],
    ["22:00", "22:00", "07:00", "{1,2,3,4,5,6,7}", "UTC", 9 * 60, 9 * 60],
    ["21:55", "22:00", "07:00", "{1,2,3,4,5,6,7}", "UTC", 9 * 60 + 5, 0],
    ["05:00", "22:00", "07:00", "{1,2,3,4,5,6,7}", "UTC", 2 * 60, 2 * 60],
    ["06:55", "22:00", "07:00", "{1,2,3,4,5,6,7}", "UTC", 10, 5],
    ["05:00", "22:00", "07:00", "{1}", "UTC", 10, 0],
    ["05:00", "22:00", "07:00", "{7}", "UTC", 2 * 60, 2 * 60],
    ["12:00", "09:00", "17:00", "{1}", "UTC", 5 * 60, 5 * 60],
    ["20:30", "22:00", "07:00", "{1,2,3,4,5,6,7}", "Europe/Berlin", 8 * 60 + 30, 8 * 60 + 30],
    ["22:00", "22:00", "07:00", "{1,2,3,4,5,6,7}", "Nowhere/Atlantis", 9 * 60, 9 * 60],
  ])(
    "at %s with quiet hours %s to %s on weekdays %s in %s: mail after %i minutes, push after %i",
    async (now, from, to, days, zone, mail, push) => {
      clockShows(now);
      const { row } = await answered(async (mira) => {
        await settings(
          mira,
          sql`quiet_from = ${from}::time, quiet_to = ${to}::time, quiet_days = ${days}::smallint[]`,
        );
        await run(db, sql`update people set time_zone = ${zone} where id = ${mira.id}`);
      });
      expect(inMinutes((await row())!.mailAt)).toBe(mail);
      expect(inMinutes((await row())!.pushAt)).toBe(push);
    },
  );

  test("waits for the end of a pause, and of quiet hours in which the pause ends", async () => {
    clockShows("18:00");
    const until = new Date(database.clock.at.getTime() + 5 * 60 * MINUTE);
    const { row } = await answered((mira) =>
      settings(mira, sql`paused_until = ${until}, quiet_from = '22:00', quiet_to = '07:00'`),
    );
    expect(inMinutes((await row())!.mailAt)).toBe(13 * 60);
  });
});

describe("sender folder", () => {
  test("contains notifications from strangers or newcomers, not from friends, staff or allowed senders", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, ines } = people;
    const group = await createTestGroup(database, people);
    const newcomer = await within((tx) => createPerson(tx, "newt", "member", "new"));
    const discussion = await createTestDiscussion(database, mira, group.id);
    await settings(mira, sql`strangers_apart = true`);
    for (const viewer of [noor, newcomer, ines])
      await within((tx) => sendFriendRequest(tx, viewer, { personId: mira.id, note: "" }));
    await dispatchEvents(database);
    const apart = async () =>
      Object.fromEntries(
        (await listDeliveryRows(database, mira)).map((deliveryRow) => [
          deliveryRow.objectId,
          deliveryRow.filtered ? deliveryRow.mailAt : "shown",
        ]),
      );
    expect(await apart()).toEqual({ [noor.id]: null, [newcomer.id]: null, [ines.id]: "shown" });
    // Tomas shares a group with Mira, so that his notification is not in the sender folder.
    await createTestReply(database, tomas, discussion.id);
    await dispatchEvents(database);
    expect((await apart())[discussion.id]).toBe("shown");
    await run(db, sql`delete from notifications`);
    await settings(mira, sql`strangers_apart = false, newcomers_apart = true`);
    await run(
      db,
      sql`insert into notification_senders (person_id, sender_id, accepted_at)
        values (${mira.id}, ${newcomer.id}, now())`,
    );
    const other = await within((tx) => createPerson(tx, "otto", "member", "new"));
    await run(db, sql`with gone as (delete from friendships) delete from friend_request_attempts`);
    for (const viewer of [noor, newcomer, other])
      await within((tx) => sendFriendRequest(tx, viewer, { personId: mira.id, note: "" }));
    await dispatchEvents(database);
    expect(await apart()).toEqual({ [noor.id]: "shown", [newcomer.id]: "shown", [other.id]: null });
  });
});

describe("notification retention", () => {
  test("keeps one year and the latest ten thousand per person", async () => {
    const { mira, tomas } = await createTestUsers(database);
    const insert = (who: { id: string }, count: number, age: string) =>
      run(
        db,
        sql`insert into notifications (id, person_id, kind, object_kind, object_id, reason, read_at,
          created_at, updated_at)
            select gen_random_uuid(), ${who.id}, 'reply', 'discussion', gen_random_uuid(), 'watching', now(),
              at, at
            from (select ${database.clock.at}::timestamptz - ${age}::interval - make_interval(secs => i) as at
              from generate_series(1, ${count}::int) i) it`,
      );
    await insert(mira, 10_005, "1 day");
    await insert(tomas, 3, "366 days");
    await insert(tomas, 2, "364 days");
    expect(await within(deleteOldNotifications)).toBe(8);
    const left = await many(
      db,
      sql<{ n: number; oldest: number }>`
      select count(*)::int as n,
        (extract(epoch from ${database.clock.at}::timestamptz - min(updated_at)))::int - 86400 as oldest
      from notifications group by person_id order by n desc`,
    );
    expect(left.map(({ n }) => n)).toEqual([10_000, 2]);
    expect(left[0]!.oldest).toBe(10_000);
  });
});
