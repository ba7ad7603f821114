import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
import { defaultSettings } from "#community/settings";
import { aGroup, announced, bring, cast, person } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import {
  appointHeir,
  askForHeir,
  createGroup,
  declineHeir,
  deleteGroup,
  groupFor,
  groupsDesk,
  groupsFor,
  heirStanding,
  joinGroup,
  letGroupIn,
  NewGroup,
  turnGroupDown,
  updateGroup,
} from "./index.ts";
import { assertHeirs } from "./joining.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("new member's group", () => {
  const site = { ...defaultSettings, whoCreatesGroups: "members" as const };
  const wish = NewGroup.parse({ name: "Kites", visibility: "public", joinPolicy: "open", purpose: "Up." });

  async function scene() {
    const people = await cast(database);
    const newcomer = await within((tx) => person(tx, "newcomer", "member", "new"));
    const group = await within((tx) => createGroup(tx, newcomer, wish, site));
    return { ...people, newcomer, group, it: { groupId: group.id } };
  }

  test("waits unseen until staff approve it", async () => {
    const { newcomer, mira, guest, ines, ada, group, it } = await scene();
    expect(await groupFor(db, newcomer, group.slug)).toMatchObject({ state: "pending", viewerRole: "owner" });
    for (const who of [mira, guest, ines, ada]) {
      await expect(groupFor(db, who, group.slug)).rejects.toMatchObject({ reason: "not-found" });
      expect((await groupsFor(db, who, { tab: "discover" })).rows).toEqual([]);
    }
    for (const who of [ines, ada])
      expect((await groupsDesk(db, who)).pending).toMatchObject([{ name: "Kites", owner: { username: "newcomer" } }]);
    for (const who of [mira, newcomer, guest]) await expect(groupsDesk(db, who)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(within((tx) => letGroupIn(tx, mira, it))).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => letGroupIn(tx, ines, it));
    await expect(within((tx) => letGroupIn(tx, ines, it))).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => joinGroup(tx, mira, it));
    expect(await announced(database)).toEqual(expect.arrayContaining(["group.waits", "group.let_in"]));
    expect(await announced(database)).not.toContain("group.created");
  });

  test("returns to the queue after a decline with a reason and a change", async () => {
    const { newcomer, mira, ines, group, it } = await scene();
    await expect(within((tx) => turnGroupDown(tx, mira, { ...it, reason: "No." }))).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => turnGroupDown(tx, ines, { ...it, reason: "There is one already." }));
    expect(await groupFor(db, newcomer, group.slug)).toMatchObject({ state: "pending", reason: "There is one already." });
    expect((await groupsDesk(db, ines)).pending).toEqual([]);
    await within((tx) => updateGroup(tx, newcomer, { ...it, purpose: "Stunt kites." }));
    expect((await groupsDesk(db, ines)).pending).toMatchObject([{ purpose: "Stunt kites." }]);
    await within((tx) => updateGroup(tx, newcomer, { ...it, purpose: "Stunt kites, too." }));
    expect((await announced(database)).filter((type) => type === "group.waits")).toHaveLength(2);
    await within((tx) => deleteGroup(tx, newcomer, { ...it, reason: "" }));
    expect((await groupsDesk(db, ines)).pending).toEqual([]);
    await expect(groupFor(db, newcomer, group.slug)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("needs no approval where the site does not require it, nor from established members or staff", async () => {
    const { newcomer, mira, ines } = await scene();
    const at = { ...site, newcomersGroups: "open" as const };
    for (const [who, where] of [
      [newcomer, at],
      [mira, site],
      [{ ...ines, trust: "new" as const }, site],
    ] as const) {
      const { id } = await within((tx) => createGroup(tx, who, wish, where));
      expect(await groupFor(db, who, id)).toMatchObject({ state: "active" });
    }
  });
});

describe("group with an absent owner", () => {
  async function scene() {
    const people = await cast(database);
    const group = await aGroup(database, people, { visibility: "secret", name: "Candles" });
    const lea = await within((tx) => person(tx, "lea"));
    await within((tx) => bring(tx, group.id, lea, "moderator"));
    const seen = (who = people.tomas) => run(db, sql`update people set seen_at = ${database.clock.at} where id = ${who.id}`);
    const standing = async (who: typeof lea) => heirStanding(db, who, await groupFor(db, who, group.id), database.clock.at);
    const ask = (who: typeof lea) => within((tx) => askForHeir(tx, who, { groupId: group.id }));
    await seen();
    const appoint = (who: typeof lea, whom: typeof lea) => within((tx) => appointHeir(tx, who, { groupId: group.id, personId: whom.id }));
    return { ...people, lea, group, seen, standing, ask, appoint };
  }

  test("lets moderators request a new owner after sixty days, and an admin appoints one of them", async () => {
    const { tomas, mira, noor, lea, ines, ada, group, seen, standing, ask, appoint } = await scene();
    database.clock.pass(60 * DAY - 1);
    await seen(lea);
    expect([await standing(lea), await standing(mira), await standing(tomas)]).toEqual(["owned", "owned", "owned"]);
    await expect(ask(lea)).rejects.toMatchObject({ reason: "conflict" });
    database.clock.pass(1);
    expect([await standing(lea), await standing(mira)]).toEqual(["may-ask", "owned"]);
    await expect(ask(mira)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(ask(noor)).rejects.toMatchObject({ reason: "not-found" });
    await ask(lea);
    await expect(ask(lea)).rejects.toMatchObject({ reason: "conflict" });
    expect(await standing(lea)).toBe("asked");
    expect((await groupsDesk(db, ines)).orphaned).toEqual([]);
    expect((await groupsDesk(db, ada)).orphaned).toMatchObject([
      { name: "Candles", askedBy: { username: "lea" }, proposed: [{ username: "lea", role: "moderator" }] },
    ]);
    // Requesting an owner does not reveal a secret group.
    await expect(groupFor(db, ada, group.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(appoint(ines, lea)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(appoint(ada, mira)).rejects.toMatchObject({ reason: "invalid" });
    await expect(appoint(ada, ada)).rejects.toMatchObject({ reason: "invalid" });
    await appoint(ada, lea);
    expect(await groupFor(db, lea, group.id)).toMatchObject({ viewerRole: "owner" });
    await expect(appoint(ada, lea)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("lets any member request when no moderator is active either", async () => {
    const { mira, noor, lea, ada, group, seen, standing, ask, appoint } = await scene();
    await within((tx) => bring(tx, group.id, noor, "member"));
    database.clock.pass(60 * DAY);
    await seen(lea);
    expect(await standing(mira)).toBe("owned");
    database.clock.pass(60 * DAY);
    expect([await standing(mira), await standing(lea)]).toEqual(["may-ask", "may-ask"]);
    await expect(ask(ada)).rejects.toMatchObject({ reason: "not-found" });
    await ask(noor);
    await expect(ask(mira)).rejects.toMatchObject({ reason: "conflict" });
    expect(await standing(mira)).toBe("asked");
    // Moderators come first, then the longest members.
    await run(db, sql`update memberships set joined_at = joined_at - interval '1 day' where person_id = ${noor.id}`);
    expect((await groupsDesk(db, ada)).orphaned[0]!.proposed.map(({ username }) => username)).toEqual(["lea", "noor", "mira"]);
    await expect(appoint(ada, ada)).rejects.toMatchObject({ reason: "invalid" });
    await appoint(ada, mira);
    expect(await groupFor(db, mira, group.id)).toMatchObject({ viewerRole: "owner" });
  });

  test("offers ten candidates and the requester where no moderator is active", async () => {
    const { lea, ada, group, ask, appoint } = await scene();
    const members = await within(async (tx) => {
      await bring(tx, group.id, lea, "member");
      return Promise.all(Array.from({ length: 11 }, (_, i) => person(tx, `reader${i}`)));
    });
    for (const one of members) {
      database.clock.pass(1000);
      await within((tx) => bring(tx, group.id, one, "member"));
    }
    database.clock.pass(60 * DAY);
    await ask(members[10]!);
    const names = (await groupsDesk(db, ada)).orphaned[0]!.proposed.map(({ username }) => username);
    expect(names).toHaveLength(10);
    expect([names.at(0), names.at(-1), names.includes("reader9")]).toEqual(["mira", "reader10", false]);
    await expect(appoint(ada, members[9]!)).rejects.toMatchObject({ reason: "invalid" });
    await appoint(ada, members[10]!);
  });

  test("keeps its owner who came back", async () => {
    const { lea, ines, ada, group, seen, standing, ask } = await scene();
    database.clock.pass(61 * DAY);
    await ask(lea);
    await seen();
    await expect(within((tx) => declineHeir(tx, ines, { groupId: group.id }))).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => declineHeir(tx, ada, { groupId: group.id }));
    expect([await standing(lea), (await groupsDesk(db, ada)).orphaned]).toEqual(["owned", []]);
  });

  test("does not accept an erased owner as successor", async () => {
    const { tomas, mira, group } = await scene();
    await within((tx) => bring(tx, group.id, mira, "owner"));
    await within((tx) => assertHeirs(tx, tomas.id));
    await run(db, sql`update people set state = 'deactivated', deactivated_at = now() where id = ${mira.id}`);
    await expect(within((tx) => assertHeirs(tx, tomas.id))).rejects.toMatchObject({ reason: "conflict" });
  });
});
