import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { blockPerson, mutePerson } from "#community/friends";
import { setNotifyLevel } from "#community/groups";
import type { SignedIn } from "#community/rules";
import {
  createTestGroup,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  getAnnouncement,
  createAnnouncement,
  assertCanAnnounce,
  NewAnnouncement,
  listNotifications,
  markAnnouncementSeen,
  withdrawAnnouncement,
} from "./index.ts";
import { dispatchEvents, describeDeliveries } from "../../../test/support/notifications/deliveries.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const words = { title: "The well is open", body: "Bring cans." };
const announce = (viewer: SignedIn, groupId?: string) =>
  within((tx) => createAnnouncement(tx, viewer, { ...words, groupId }));
const deliveriesTo = (who: { id: string }) => describeDeliveries(database, who);

describe("announcement to everyone", () => {
  test("can be made by admins, notifies everyone else and is cleared by reading", async () => {
    const { ada, mira, tomas, ines, guest } = await createTestUsers(database);
    for (const viewer of [mira, ines])
      await expect(announce(viewer)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(assertCanAnnounce(db, guest, undefined)).rejects.toMatchObject({ reason: "not-signed-in" });
    const { id } = await announce(ada);
    await dispatchEvents(database);
    expect(await Promise.all([mira, tomas, ines, ada].map(deliveriesTo))).toEqual([
      ["announcement everybody"],
      ["announcement everybody"],
      ["announcement everybody"],
      [],
    ]);
    expect(await getAnnouncement(db, mira, id)).toMatchObject({
      title: words.title,
      by: { username: "ada" },
      group: null,
      mine: false,
    });
    await within((tx) => markAnnouncementSeen(tx, mira, { id }));
    expect([await deliveriesTo(mira), await deliveriesTo(tomas)]).toEqual([
      ["announcement everybody read"],
      ["announcement everybody"],
    ]);
  });

  test("reaches people who block or mute its author", async () => {
    const { ada, mira, tomas, noor } = await createTestUsers(database);
    await within((tx) => blockPerson(tx, mira, { personId: ada.id }));
    await within((tx) => blockPerson(tx, ada, { personId: tomas.id }));
    await within((tx) => mutePerson(tx, noor, { personId: ada.id, until: null }));
    await announce(ada);
    await dispatchEvents(database);
    for (const viewer of [mira, tomas, noor]) {
      expect(await deliveriesTo(viewer)).toEqual(["announcement everybody"]);
      expect((await listNotifications(db, viewer, { tab: "all" })).rows).toMatchObject([
        { kind: "announcement", actors: [] },
      ]);
    }
    await within((tx) => blockPerson(tx, noor, { personId: ada.id }));
    await dispatchEvents(database);
    expect(await deliveriesTo(noor)).toEqual(["announcement everybody"]);
  });

  test("has a limit of one a day, even if two admins write at the same moment", async () => {
    const { ada } = await createTestUsers(database);
    const other = await within((tx) => createPerson(tx, "alma", "admin"));
    const both = await Promise.allSettled([announce(ada), announce(other)]);
    expect(both.map((it) => it.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(announce(ada)).rejects.toMatchObject({ reason: "too-many" });
    database.clock.pass(24 * 3_600_000 + 1);
    await announce(ada);
  });

  test("can be withdrawn by its author, and then notifies no one", async () => {
    const { ada, mira } = await createTestUsers(database);
    const { id } = await announce(ada);
    await dispatchEvents(database);
    await expect(within((tx) => withdrawAnnouncement(tx, mira, { id }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await within((tx) => withdrawAnnouncement(tx, ada, { id }));
    await dispatchEvents(database);
    expect(await deliveriesTo(mira)).toEqual(["announcement everybody withdrawn"]);
    await expect(getAnnouncement(db, mira, id)).rejects.toMatchObject({ reason: "not-found" });
    // An announcement that was withdrawn before delivery does not count toward the daily limit.
    await announce(ada);
  });

  test.each(["mailed_at", "pushed_at"])(
    "counts toward the daily limit once delivered, even if withdrawn (%s)",
    async (out) => {
      const { ada, mira } = await createTestUsers(database);
      const { id } = await announce(ada);
      await dispatchEvents(database);
      await run(
        db,
        sql`update notifications set ${sql.ref(out)} = ${database.clock.at}
          where person_id = ${mira.id} and object_id = ${id}`,
      );
      await within((tx) => withdrawAnnouncement(tx, ada, { id }));
      await dispatchEvents(database);
      await expect(announce(ada)).rejects.toMatchObject({ reason: "too-many" });
      database.clock.pass(24 * 3_600_000 + 1);
      await announce(ada);
    },
  );

  test("needs a title and text within limits", () => {
    for (const input of [
      { title: "Hi" },
      { title: "x".repeat(121) },
      { body: " " },
      { body: "x".repeat(10_001) },
      { groupId: "x" },
    ])
      expect(NewAnnouncement.safeParse({ ...words, ...input }).success).toBe(false);
    expect(NewAnnouncement.safeParse(words).success).toBe(true);
  });
});

describe("announcement in a group", () => {
  test.each(["mute", "mentions"] as const)(
    "can be made by moderators, and skips members with the notification level %s",
    async (level) => {
      const people = await createTestUsers(database);
      const { tomas, mira, noor, ada, ines } = people;
      const group = await createTestGroup(database, people, { visibility: "secret", name: "Secret" });
      await within((tx) => setMembership(tx, group.id, noor, "member"));
      await within((tx) => setNotifyLevel(tx, noor, { groupId: group.id, level }));
      await expect(announce(mira, group.id)).rejects.toMatchObject({ reason: "not-allowed" });
      for (const viewer of [ada, ines])
        await expect(announce(viewer, group.id)).rejects.toMatchObject({ reason: "not-found" });
      const { id } = await announce(tomas, group.id);
      await announce(ada);
      await dispatchEvents(database);
      expect(await Promise.all([mira, noor].map(deliveriesTo))).toEqual([
        expect.arrayContaining(["announcement member", "announcement everybody"]),
        ["announcement everybody"],
      ]);
      await expect(getAnnouncement(db, ada, id)).rejects.toMatchObject({ reason: "not-found" });
      await within((tx) => setMembership(tx, group.id, mira, "left"));
      await expect(getAnnouncement(db, mira, id)).rejects.toMatchObject({ reason: "not-found" });
    },
  );
});
