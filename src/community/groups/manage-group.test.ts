import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import type { Reason } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import {
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  archiveGroup,
  GroupBan,
  banFromGroup,
  restoreGroup,
  listDeletedGroups,
  deleteGroup,
  endExpiredBans,
  GroupChange,
  getGroup,
  listGroups,
  transferOwnership,
  joinGroup,
  liftGroupBan,
  purgeDeletedGroups,
  MemberRemoval,
  removeMember,
  listPreviousRules,
  setGroupRole,
  listSuccessors,
  unarchiveGroup,
  updateGroup,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
type Deed = Parameters<typeof within>[0];
const refused = (deed: Deed, reason: Reason) => expect(within(deed)).rejects.toMatchObject({ reason });

/** Tomas owns the group, Lea moderates it, Mira is in it, Noor is not. */
async function scene(visibility: "public" | "private" | "secret" = "public") {
  const people = await createTestUsers(database);
  const lea = await within((tx) => createPerson(tx, "lea"));
  const group = await createTestGroup(database, people, { visibility });
  await within((tx) => setMembership(tx, group.id, lea, "moderator"));
  const on = (who: SignedIn) => ({ groupId: group.id, personId: who.id });
  const roleOf = async (who: SignedIn) => (await getGroup(db, who, group.id)).viewerRole;
  return { ...people, lea, group, on, roleOf };
}
const why = { reason: "Shouting." };

describe("group roles", () => {
  test("only owners assign them, never to themselves", async () => {
    const { tomas, lea, mira, noor, ada, on, roleOf } = await scene();
    await within((tx) => setGroupRole(tx, tomas, { ...on(mira), role: "moderator" }));
    expect(await roleOf(mira)).toBe("moderator");
    await within((tx) => setGroupRole(tx, tomas, { ...on(mira), role: "owner" }));
    await within((tx) => setGroupRole(tx, mira, { ...on(tomas), role: "member" }));
    expect([await roleOf(mira), await roleOf(tomas)]).toEqual(["owner", "member"]);
    await refused((tx) => setGroupRole(tx, mira, { ...on(mira), role: "member" }), "not-allowed");
    await refused((tx) => setGroupRole(tx, lea, { ...on(tomas), role: "moderator" }), "not-allowed");
    await refused((tx) => setGroupRole(tx, ada, { ...on(tomas), role: "moderator" }), "not-allowed");
    await refused((tx) => setGroupRole(tx, mira, { ...on(noor), role: "moderator" }), "not-found");
    expect(await listEmittedEvents(database)).toContain("group.role_changed");
  });

  test("change when a group is transferred", async () => {
    const { tomas, lea, noor, on, roleOf } = await scene();
    await refused((tx) => transferOwnership(tx, lea, on(lea)), "not-allowed");
    await refused((tx) => transferOwnership(tx, tomas, on(noor)), "not-found");
    await within((tx) => transferOwnership(tx, tomas, on(lea)));
    expect([await roleOf(lea), await roleOf(tomas)]).toEqual(["owner", "moderator"]);
  });

  test.each(["ghost", "deactivated", "suspended"])(
    "refuse a transfer to an account that is %s",
    async (state) => {
      const { tomas, lea, on, roleOf } = await scene();
      await run(
        db,
        sql`update people set state = ${state}, deactivated_at = case when ${state} = 'deactivated' then now() end where id = ${lea.id}`,
      );
      await refused((tx) => transferOwnership(tx, tomas, on(lea)), "conflict");
      expect([await roleOf(lea), await roleOf(tomas)]).toEqual(["moderator", "owner"]);
    },
  );

  test("pass only to the people that listSuccessors returns", async () => {
    const { tomas, lea, mira, noor, ada, ines, group, on } = await scene();
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
    await refused((tx) => transferOwnership(tx, tomas, on(lea)), "not-allowed");
    expect(await named(tomas)).toEqual([]);
  });
});

describe("removed member", () => {
  test("reads the reason and may rejoin; moderators cannot remove owners", async () => {
    const { tomas, lea, mira, noor, ada, group, on } = await scene();
    await refused((tx) => removeMember(tx, mira, { ...on(lea), ...why }), "not-allowed");
    await refused((tx) => removeMember(tx, lea, { ...on(tomas), ...why }), "not-allowed");
    await refused((tx) => removeMember(tx, ada, { ...on(tomas), ...why }), "not-allowed");
    await refused((tx) => removeMember(tx, lea, { ...on(lea), ...why }), "not-allowed");
    await refused((tx) => removeMember(tx, lea, { ...on(noor), ...why }), "not-found");
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

  test("and banned cannot rejoin before the ban ends or is lifted", async () => {
    const { tomas, lea, mira, noor, group, on } = await scene();
    await refused((tx) => banFromGroup(tx, noor, { ...on(mira), ...why }), "not-allowed");
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
    await refused((tx) => joinGroup(tx, mira, { groupId: group.id }), "not-allowed");
    await refused((tx) => liftGroupBan(tx, mira, on(mira)), "not-allowed");
    await within((tx) => liftGroupBan(tx, lea, on(mira)));
    await refused((tx) => liftGroupBan(tx, lea, on(mira)), "conflict");
    await refused((tx) => setGroupRole(tx, tomas, { ...on(mira), role: "moderator" }), "conflict");
    await refused((tx) => removeMember(tx, lea, { ...on(mira), ...why }), "conflict");
    await within((tx) => joinGroup(tx, mira, { groupId: group.id }));
    await within((tx) => banFromGroup(tx, lea, GroupBan.parse({ ...on(mira), ...why, days: "" })));
    database.clock.pass(4_000 * DAY);
    expect(await within(endExpiredBans)).toBe(0);
  });
});

/** A picture of the group, a library file, and a picture in a comment on it and in a post. */
async function withUploads(by: SignedIn, groupId: string) {
  await run(
    db,
    sql`with d as (insert into discussions (id, group_id, author_id, title, created_at, last_post_at) values (gen_random_uuid(), ${groupId}, ${by.id}, 'The beds', now(), now()) returning id),
          r as (insert into resources (id, kind, group_id, owner_id, title, created_at) values (gen_random_uuid(), 'document', ${groupId}, ${by.id}, 'R', now()) returning id),
          p as (insert into posts (id, discussion_id, resource_id, number, author_id, body_md, body_html, created_at)
            select gen_random_uuid(), d.id, null, 1, ${by.id}::uuid, '', '', now() from d union all select gen_random_uuid(), null, r.id, 1, ${by.id}::uuid, '', '', now() from r returning id),
          holders as (select 'post' as kind, id from p union all select 'resource', id from r union all select 'group', ${groupId}::uuid)
        insert into uploads (id, owner_id, hash, size, mime, attached_kind, attached_id, created_at)
        select gen_random_uuid(), ${by.id}::uuid, 'x', 5, 'image/webp', kind, id, now() from holders`,
  );
}

describe("archived or deleted group", () => {
  const it = (group: { id: string }) => ({ groupId: group.id, reason: "Done." });

  test("stays readable, and an owner or admin can unarchive it", async () => {
    const { tomas, lea, mira, ada, ines, group } = await scene();
    for (const who of [lea, mira, ines])
      await refused((tx) => archiveGroup(tx, who, it(group)), "not-allowed");
    await within((tx) => archiveGroup(tx, tomas, it(group)));
    expect(await getGroup(db, mira, group.id)).toMatchObject({ state: "archived" });
    await refused((tx) => archiveGroup(tx, tomas, it(group)), "conflict");
    await within((tx) => unarchiveGroup(tx, ada, it(group)));
    expect(await getGroup(db, mira, group.id)).toMatchObject({ state: "active" });
  });

  test("disappears for everyone, and its owner can restore it within thirty days", async () => {
    const { tomas, lea, mira, ada, noor, group } = await scene("private");
    await refused((tx) => deleteGroup(tx, lea, it(group)), "not-allowed");
    await within((tx) => archiveGroup(tx, tomas, it(group)));
    await within((tx) => deleteGroup(tx, tomas, it(group)));
    for (const who of [tomas, mira, ada])
      await expect(getGroup(db, who, group.id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listGroups(db, tomas, { tab: "mine" })).rows).toEqual([]);
    const seen = await Promise.all([tomas, ada, lea, mira, noor].map((who) => listDeletedGroups(db, who)));
    expect(seen.map((list) => list.length)).toEqual([1, 1, 0, 0, 0]);
    for (const who of [lea, mira, noor])
      await refused((tx) => restoreGroup(tx, who, { groupId: group.id }), "not-found");
    await within((tx) => restoreGroup(tx, tomas, { groupId: group.id }));
    expect(await getGroup(db, mira, group.id)).toMatchObject({ state: "archived" });
    await refused((tx) => restoreGroup(tx, tomas, { groupId: group.id }), "not-found");

    await withUploads(tomas, group.id);
    const attached = () =>
      many(db, sql`select attached_kind as kind from uploads where attached_id is not null order by 1`);
    await within((tx) => deleteGroup(tx, ada, it(group)));
    database.clock.pass(30 * DAY);
    expect(await within(purgeDeletedGroups)).toBe(0);
    expect(await attached()).toEqual([
      { kind: "group" },
      { kind: "post" },
      { kind: "post" },
      { kind: "resource" },
    ]);
    database.clock.pass(1);
    expect(await within(purgeDeletedGroups)).toBe(1);
    expect(await attached()).toEqual([]);
    await refused((tx) => restoreGroup(tx, tomas, { groupId: group.id }), "not-found");
  });

  test("stays hidden from admins if secret", async () => {
    const { tomas, ada, group } = await scene("secret");
    await within((tx) => deleteGroup(tx, tomas, it(group)));
    expect(await listDeletedGroups(db, ada)).toEqual([]);
    await refused((tx) => restoreGroup(tx, ada, { groupId: group.id }), "not-found");
  });
});

describe("group details", () => {
  test("change by moderators; access policy by owners only", async () => {
    const { tomas, lea, mira, noor, group } = await scene("private");
    await within((tx) =>
      updateGroup(tx, lea, {
        groupId: group.id,
        purpose: "Beans.",
        startsBy: "moderators",
        invitesBy: "moderators",
      }),
    );
    await refused((tx) => updateGroup(tx, lea, { groupId: group.id, visibility: "secret" }), "not-allowed");
    await refused(
      (tx) => updateGroup(tx, lea, { groupId: group.id, historyPolicy: "from_joining" }),
      "not-allowed",
    );
    await refused((tx) => updateGroup(tx, mira, { groupId: group.id, purpose: "Weeds." }), "not-allowed");
    await refused((tx) => updateGroup(tx, noor, { groupId: group.id, purpose: "Weeds." }), "not-allowed");
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, visibility: "secret" }));
    expect(await getGroup(db, mira, group.id)).toMatchObject({
      visibility: "secret",
      joinPolicy: "invite",
      purpose: "Beans.",
      startsBy: "moderators",
    });
  });

  test("keep fields that the form leaves out", async () => {
    const { tomas, mira, group } = await scene("private");
    const change = (words: object) =>
      within((tx) => updateGroup(tx, tomas, GroupChange.parse({ groupId: group.id, ...words })));
    await change({
      purpose: "Beans.",
      about: "Thirty beds.",
      topic: "garden",
      rules: "Close the gate.",
      questions: "Why?",
    });
    const acts = () =>
      many(db, sql<{ act: string }>`select act from audit_events order by id`).then((rows) =>
        rows.map((row) => row.act),
      );
    expect(await acts()).toEqual(["group.changed"]);
    await change({ visibility: "secret" });
    const said = {
      purpose: "Beans.",
      aboutMd: "Thirty beds.",
      topic: "garden",
      rules: ["Close the gate."],
      questions: ["Why?"],
    };
    expect(await getGroup(db, mira, group.id)).toMatchObject({ ...said, visibility: "secret" });
    expect(await acts()).toEqual(["group.changed", "group.door_changed"]);
    await change({ purpose: "" });
    expect(await getGroup(db, mira, group.id)).toMatchObject({ ...said, purpose: "" });
  });

  test("log the previous name and access policy", async () => {
    const { tomas, group } = await scene("private");
    const change = (words: object) =>
      within((tx) => updateGroup(tx, tomas, GroupChange.parse({ groupId: group.id, ...words })));
    const [before] = await many(db, sql<{ name: string }>`select name from groups where id = ${group.id}`);
    await change({ name: "The Longer Beds", purpose: "Beans." });
    await change({ name: "The Longer Beds" });
    await change({ visibility: "secret" });
    expect(await many(db, sql`select details from audit_events order by id`)).toEqual([
      { details: { changed: "name,purpose", nameBefore: before!.name } },
      { details: { changed: "name" } },
      {
        details: {
          visibility: "secret",
          joinPolicy: "invite",
          historyPolicy: "shared",
          visibilityBefore: "private",
          joinPolicyBefore: expect.any(String),
          historyPolicyBefore: "shared",
        },
      },
    ]);
  });

  test("count rules versions only when the rules differ", async () => {
    const { tomas, mira, group } = await scene();
    const rules = (...lines: string[]) =>
      within((tx) => updateGroup(tx, tomas, { groupId: group.id, rules: lines }));
    expect(await getGroup(db, mira, group.id)).toMatchObject({ rulesVersion: 1, rulesChangedAt: null });
    await rules("Close the gate.");
    const changedAt = database.clock.at;
    database.clock.pass(DAY);
    await rules("Close the gate.");
    expect(await getGroup(db, mira, group.id)).toMatchObject({
      rules: ["Close the gate."],
      rulesVersion: 2,
      rulesChangedAt: changedAt,
    });
    await rules("Close the gate.", "Bring a mug.");
    expect(await one(db, sql`select rules, version from group_rule_versions where version = 2`)).toEqual({
      rules: ["Close the gate."],
      version: 2,
    });
    const before = await listPreviousRules(db, mira, await getGroup(db, mira, group.id));
    expect(before.map((it) => [it.version, it.rules])).toEqual([
      [2, ["Close the gate."]],
      [1, []],
    ]);
    await expect(
      listPreviousRules(db, mira, { ...(await getGroup(db, mira, group.id)), state: "deleted" }),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    await run(db, sql`update groups set state = 'archived'`);
    await expect(rules("Too late.")).rejects.toMatchObject({ reason: "not-allowed" });
  });
});
