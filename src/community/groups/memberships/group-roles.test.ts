import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { listEmittedEvents, setMembership } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  GroupBan,
  banFromGroup,
  endExpiredBans,
  getGroup,
  transferOwnership,
  joinGroup,
  liftGroupBan,
  MemberRemoval,
  removeMember,
  setGroupRole,
  listSuccessors,
} from "../index.ts";
import { createModeratedGroupSetup } from "../../../../test/support/groups/moderated-group.ts";

const database = await testDatabase();
const { expectRefusal, setupModeratedGroup } = createModeratedGroupSetup(database);
const { db, inTransaction: within } = database;
const why = { reason: "Shouting." };

describe("group roles", () => {
  test("can be assigned by owners only, and not to themselves", async () => {
    const { tomas, lea, mira, noor, ada, on, roleOf } = await setupModeratedGroup();
    await within((tx) => setGroupRole(tx, tomas, { ...on(mira), role: "moderator" }));
    expect(await roleOf(mira)).toBe("moderator");
    await within((tx) => setGroupRole(tx, tomas, { ...on(mira), role: "owner" }));
    await within((tx) => setGroupRole(tx, mira, { ...on(tomas), role: "member" }));
    expect([await roleOf(mira), await roleOf(tomas)]).toEqual(["owner", "member"]);
    await expectRefusal((tx) => setGroupRole(tx, mira, { ...on(mira), role: "member" }), "not-allowed");
    await expectRefusal((tx) => setGroupRole(tx, lea, { ...on(tomas), role: "moderator" }), "not-allowed");
    await expectRefusal((tx) => setGroupRole(tx, ada, { ...on(tomas), role: "moderator" }), "not-allowed");
    await expectRefusal((tx) => setGroupRole(tx, mira, { ...on(noor), role: "moderator" }), "not-found");
    expect(await listEmittedEvents(database)).toContain("group.role_changed");
  });

  test("change when the ownership is transferred", async () => {
    const { tomas, lea, noor, on, roleOf } = await setupModeratedGroup();
    await expectRefusal((tx) => transferOwnership(tx, lea, on(lea)), "not-allowed");
    await expectRefusal((tx) => transferOwnership(tx, tomas, on(noor)), "not-found");
    await within((tx) => transferOwnership(tx, tomas, on(lea)));
    expect([await roleOf(lea), await roleOf(tomas)]).toEqual(["owner", "moderator"]);
  });

  test.each(["ghost", "deactivated", "suspended"])(
    "cannot be transferred to an account that is %s",
    async (state) => {
      const { tomas, lea, on, roleOf } = await setupModeratedGroup();
      await run(
        db,
        sql`update people set state = ${state}, deactivated_at = case when ${state} = 'deactivated' then now()
          end where id = ${lea.id}`,
      );
      await expectRefusal((tx) => transferOwnership(tx, tomas, on(lea)), "conflict");
      expect([await roleOf(lea), await roleOf(tomas)]).toEqual(["moderator", "owner"]);
    },
  );

  test("can be transferred only to the people that listSuccessors returns", async () => {
    const { tomas, lea, mira, noor, ada, ines, group, on } = await setupModeratedGroup();
    for (const who of [noor, ada, ines])
      await within((tx) => setMembership(tx, group.id, who, who === ines ? "owner" : "member"));
    await run(db, sql`update people set state = 'suspended' where id = ${noor.id}`);
    await run(db, sql`update people set state = 'ghost' where id = ${ada.id}`);
    const named = async (who: SignedIn) =>
      (await listSuccessors(db, who, await getGroup(db, who, group.id))).map(({ id }) => id);
    expect(await named(tomas)).toEqual([lea.id, mira.id]);
    for (const who of [lea, mira]) expect(await named(who)).toEqual([]);
    for (const personId of await named(tomas))
      await expect(
        within(async (tx) => {
          await transferOwnership(tx, tomas, { groupId: group.id, personId });
          throw new Error("done");
        }),
      ).rejects.toThrow("done");
    await run(db, sql`update groups set state = 'pending' where id = ${group.id}`);
    await expectRefusal((tx) => transferOwnership(tx, tomas, on(lea)), "not-allowed");
    expect(await named(tomas)).toEqual([]);
  });
});

describe("removed member", () => {
  test("can read the reason and may rejoin", async () => {
    const { tomas, lea, mira, noor, ada, group, on } = await setupModeratedGroup();
    await expectRefusal((tx) => removeMember(tx, mira, { ...on(lea), ...why }), "not-allowed");
    await expectRefusal((tx) => removeMember(tx, lea, { ...on(tomas), ...why }), "not-allowed");
    await expectRefusal((tx) => removeMember(tx, ada, { ...on(tomas), ...why }), "not-allowed");
    await expectRefusal((tx) => removeMember(tx, lea, { ...on(lea), ...why }), "not-allowed");
    await expectRefusal((tx) => removeMember(tx, lea, { ...on(noor), ...why }), "not-found");
    await within((tx) => removeMember(tx, lea, { ...on(mira), ...why }));
    expect(await getGroup(db, mira, group.id)).toMatchObject({
      viewerState: "removed",
      viewerRole: null,
      reason: "Shouting.",
      membersCount: 2,
    });
    await within((tx) => joinGroup(tx, mira, { groupId: group.id }));
    await within((tx) => removeMember(tx, ada, { ...on(mira), ...why }));
    expect(MemberRemoval.safeParse({ ...on(mira), reason: " " }).error?.issues[0]?.message).toMatch(
      /Enter a reason/,
    );
  });

  test("cannot rejoin while banned", async () => {
    const { tomas, lea, mira, noor, group, on } = await setupModeratedGroup();
    await expectRefusal((tx) => banFromGroup(tx, noor, { ...on(mira), ...why }), "not-allowed");
    await within((tx) => banFromGroup(tx, lea, GroupBan.parse({ ...on(mira), ...why, days: "7" })));
    const until = addMilliseconds(database.clock.at, 7 * DAY);
    expect(await getGroup(db, mira, group.id)).toMatchObject({
      viewerState: "banned",
      reason: "Shouting.",
      bannedUntil: until,
    });
    expect(
      await many(db, sql`select run_at as at from graphile_worker.jobs where task_identifier = 'due'`),
    ).toEqual([{ at: until }]);
    await expectRefusal((tx) => joinGroup(tx, mira, { groupId: group.id }), "not-allowed");
    await expectRefusal((tx) => liftGroupBan(tx, mira, on(mira)), "not-allowed");
    await within((tx) => liftGroupBan(tx, lea, on(mira)));
    await expectRefusal((tx) => liftGroupBan(tx, lea, on(mira)), "conflict");
    await expectRefusal((tx) => setGroupRole(tx, tomas, { ...on(mira), role: "moderator" }), "conflict");
    await expectRefusal((tx) => removeMember(tx, lea, { ...on(mira), ...why }), "conflict");
    await within((tx) => joinGroup(tx, mira, { groupId: group.id }));
    await within((tx) => banFromGroup(tx, lea, GroupBan.parse({ ...on(mira), ...why, days: "" })));
    database.clock.pass(4_000 * DAY);
    expect(await within(endExpiredBans)).toBe(0);
  });
});
