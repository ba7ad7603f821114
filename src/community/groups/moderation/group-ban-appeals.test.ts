import { describe, expect, test } from "vitest";
import { issueMessage, toEnglish } from "#platform/messages";
import { DAY } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { Reason } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import {
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  appealGroupBan,
  GroupBan,
  banFromGroup,
  declineGroupBanAppeal,
  deleteGroup,
  endExpiredBans,
  getGroup,
  joinGroup,
  listBans,
  liftGroupBan,
  NewAppeal,
  getOwnBan,
  updateGroup,
} from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
type Deed = Parameters<typeof within>[0];
const refused = (deed: Deed, reason: Reason) => expect(within(deed)).rejects.toMatchObject({ reason });

/** Tomas owns the group, Lea moderates it and bans Mira. */
async function scene(visibility: "public" | "private" | "secret" = "public", days = "") {
  const people = await createTestUsers(database);
  const lea = await within((tx) => createPerson(tx, "lea"));
  const group = await createTestGroup(database, people, { visibility });
  await within((tx) => setMembership(tx, group.id, lea, "moderator"));
  const on = (viewer: SignedIn) => ({ groupId: group.id, personId: viewer.id });
  const keepOut = (by: SignedIn, whom: SignedIn, length = days) =>
    within((tx) => banFromGroup(tx, by, GroupBan.parse({ ...on(whom), reason: "Shouting.", days: length })));
  const ask = (viewer: SignedIn, text = "I was not even there.") =>
    within((tx) => appealGroupBan(tx, viewer, { groupId: group.id, text }));
  const sayNo = (by: SignedIn, whom: SignedIn) =>
    within((tx) => declineGroupBanAppeal(tx, by, { ...on(whom), reason: "Three saw it." }));
  const listed = async (viewer: SignedIn) =>
    (await listBans(db, viewer, await getGroup(db, viewer, group.id))).rows;
  await keepOut(lea, people.mira);
  return { ...people, lea, group, on, keepOut, ask, sayNo, listed };
}

describe("group ban appeal", () => {
  test("can be sent once by the banned person, and appears first in the moderators' list", async () => {
    const { tomas, lea, mira, noor, group, keepOut, ask, listed } = await scene("public", "30");
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    clock.pass(DAY);
    await keepOut(tomas, noor);
    expect(await getOwnBan(db, mira, group.id)).toMatchObject({
      slug: group.slug,
      name: "The Long Beds",
      reason: "Shouting.",
      appealedAt: null,
    });
    await ask(mira);
    expect(await getOwnBan(db, mira, group.id)).toMatchObject({
      appeal: "I was not even there.",
      appealedAt: clock.at,
      declinedAt: null,
    });
    expect(await listEmittedEvents(database)).toContain("group.appealed");
    for (const viewer of [tomas, lea]) {
      expect(
        (await listed(viewer)).map(({ person: { id }, by, appeal }) => [id, by?.id, appeal?.text]),
      ).toEqual([
        [mira.id, lea.id, "I was not even there."],
        [noor.id, tomas.id, undefined],
      ]);
      expect(await getGroup(db, viewer, group.id)).toMatchObject({ appealsCount: 1 });
    }
    expect(await getGroup(db, mira, group.id)).toMatchObject({ appealsCount: 0 });
    await expect(ask(mira, "And once more.")).rejects.toMatchObject({ reason: "conflict" });
    expect(await getOwnBan(db, mira, group.id)).toMatchObject({ appeal: "I was not even there." });
  });

  test("must be sent within twenty days, with a text that is neither empty nor too long", async () => {
    const { mira, group, ask } = await scene();
    const errorOf = (text: string) =>
      toEnglish(issueMessage(NewAppeal.safeParse({ groupId: group.id, text }).error!.issues[0]!));
    expect(errorOf(" ")).toBe("Say why the ban should be lifted.");
    expect(errorOf("x".repeat(2_001))).toMatch(/2,000/);
    clock.pass(20 * DAY + 1);
    await expect(ask(mira)).rejects.toMatchObject({ reason: "not-allowed" });
    clock.pass(-1);
    await ask(mira);
  });

  test("refuses anyone but the banned person", async () => {
    const { tomas, noor, ada, mira, group, ask } = await scene();
    for (const viewer of [tomas, noor, ada]) {
      await expect(ask(viewer)).rejects.toMatchObject({ reason: "not-found" });
      await expect(getOwnBan(db, viewer, group.id)).rejects.toMatchObject({ reason: "not-found" });
    }
    for (const groupId of ["", "no-id", "0190a3c4-0000-7000-8000-000000000000"]) {
      await refused((tx) => appealGroupBan(tx, mira, { groupId, text: "Please." }), "not-found");
      await expect(getOwnBan(db, mira, groupId)).rejects.toMatchObject({ reason: "not-found" });
    }
    await within((tx) => deleteGroup(tx, tomas, { groupId: group.id, reason: "" }));
    await expect(ask(mira)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("in a secret group requires the ban notification, and shows only the group name stored in it", async () => {
    const { tomas, mira, noor, group, keepOut, ask } = await scene("public");
    await within((tx) => setMembership(tx, group.id, noor, "left"));
    await within((tx) =>
      updateGroup(tx, tomas, { groupId: group.id, visibility: "secret", name: "Beds in the dark" }),
    );
    await keepOut(tomas, noor);
    for (const viewer of [mira, noor])
      await expect(ask(viewer)).rejects.toMatchObject({ reason: "not-found" });
    await run(
      db,
      sql`insert into notifications (id, person_id, kind, object_kind, object_id, reason, detail, stored_name,
        created_at, updated_at)
          values (gen_random_uuid(), ${mira.id}, 'group_decision', 'group', ${group.id}, 'about_you',
            'banned', 'The Long Beds', now(), now())`,
    );
    await ask(mira);
    expect(await getOwnBan(db, mira, group.id)).toMatchObject({
      slug: null,
      name: "The Long Beds",
      appealedAt: clock.at,
    });
    await expect(getOwnBan(db, noor, group.id)).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("group ban appeal decision", () => {
  test("to decline requires a moderator other than the one who banned", async () => {
    const { tomas, lea, mira, ask, sayNo, listed, group } = await scene();
    await expect(sayNo(tomas, mira)).rejects.toMatchObject({ reason: "conflict" });
    await ask(mira);
    expect([(await listed(lea))[0]!.canDecline, (await listed(tomas))[0]!.canDecline]).toEqual([false, true]);
    await expect(sayNo(lea, mira)).rejects.toMatchObject({ reason: "not-allowed" });
    await sayNo(tomas, mira);
    expect(await getOwnBan(db, mira, group.id)).toMatchObject({
      answer: "Three saw it.",
      declinedAt: clock.at,
    });
    expect((await listed(tomas))[0]).toMatchObject({
      canDecline: false,
      appeal: { answer: "Three saw it.", declinedAt: clock.at },
    });
    expect(await getGroup(db, tomas, group.id)).toMatchObject({ appealsCount: 0 });
    expect(
      await many(
        db,
        sql`select actor_id as by, reason from audit_events where act = 'group.appeal_declined'`,
      ),
    ).toEqual([{ by: tomas.id, reason: "Three saw it." }]);
    await expect(sayNo(tomas, mira)).rejects.toMatchObject({ reason: "conflict" });
    await expect(ask(mira)).rejects.toMatchObject({ reason: "conflict" });
  });

  test("can be made by the banning moderator if no other moderator is active", async () => {
    const { tomas, lea, mira, on, keepOut, ask, sayNo, listed } = await scene();
    await run(db, sql`update memberships set role = 'member' where person_id = ${lea.id}`);
    await within((tx) => liftGroupBan(tx, tomas, on(mira)));
    await keepOut(tomas, mira);
    await ask(mira);
    expect((await listed(tomas))[0]!.canDecline).toBe(true);
    await run(db, sql`update memberships set role = 'moderator' where person_id = ${lea.id}`);
    await run(db, sql`update people set state = 'suspended' where id = ${lea.id}`);
    await sayNo(tomas, mira);
  });

  test("refuses non-moderators and the banned person", async () => {
    const { ada, ines, noor, mira, group, keepOut, lea, ask, sayNo } = await scene();
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    await ask(mira);
    for (const viewer of [ines, noor, mira])
      await expect(sayNo(viewer, mira)).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => setMembership(tx, group.id, ada, "member"));
    await keepOut(lea, ada);
    await ask(ada);
    await expect(sayNo(ada, ada)).rejects.toMatchObject({ reason: "not-allowed" });
    await sayNo(ada, mira);
  });

  test("to lift the ban deletes the appeal", async () => {
    const { lea, mira, group, on, ask, keepOut } = await scene();
    await ask(mira);
    await within((tx) => liftGroupBan(tx, lea, on(mira)));
    await expect(ask(mira)).rejects.toMatchObject({ reason: "not-found" });
    expect(
      await many(
        db,
        sql`select appeal, appealed_at as at, banned_by as by from memberships where person_id = ${mira.id}`,
      ),
    ).toEqual([{ appeal: "", at: null, by: null }]);
    await within((tx) => joinGroup(tx, mira, { groupId: group.id }));
    await keepOut(lea, mira);
    await ask(mira, "Again, I was not there.");
  });

  test("becomes unnecessary when the ban expires, and a new ban allows a new appeal", async () => {
    const { tomas, lea, mira, noor, group, on, ask, keepOut, listed } = await scene("public", "7");
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    await keepOut(lea, noor, "365");
    await ask(mira);
    await ask(noor);
    // A second ban cannot replace an active one: the appeal would be lost.
    await refused(
      (tx) => banFromGroup(tx, lea, GroupBan.parse({ ...on(noor), reason: "Again.", days: "" })),
      "conflict",
    );
    expect(await getOwnBan(db, noor, group.id)).toMatchObject({
      appeal: "I was not even there.",
      reason: "Shouting.",
    });
    await within((tx) => liftGroupBan(tx, tomas, on(noor)));
    await keepOut(tomas, noor, "");
    expect(await getOwnBan(db, noor, group.id)).toMatchObject({ appealedAt: null });
    await ask(noor, "Why for good?");
    clock.pass(8 * DAY);
    expect(await within(endExpiredBans)).toBe(1);
    await expect(getOwnBan(db, mira, group.id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listed(tomas)).map(({ appeal }) => appeal?.text)).toEqual(["Why for good?"]);
  });

  test("to decline never overrides a concurrent decision to lift the ban", async () => {
    const { tomas, lea, mira, group, on, ask, sayNo } = await scene();
    await ask(mira);
    const both = await Promise.allSettled([
      sayNo(tomas, mira),
      within((tx) => liftGroupBan(tx, lea, on(mira))),
    ]);
    const [no, yes] = both.map((it) => it.status);
    // Lifting the ban after a refusal works; a refusal after lifting finds no pending appeal.
    expect([no, yes]).toEqual([expect.stringMatching(/fulfilled|rejected/), "fulfilled"]);
    expect(await getGroup(db, mira, group.id)).toMatchObject({ viewerState: "removed", reason: "" });
    if (no === "rejected") expect(both[0]).toMatchObject({ reason: { reason: "conflict" } });
  });
});
