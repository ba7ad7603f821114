import { describe, expect, test } from "vitest";
import { DAY, later } from "#platform/clock";
import { block, mutePerson } from "#community/friends";
import { cancelOpening, leaveGroup, openWhatIsDue, removeMember, setGroupNotices, updateGroup } from "#community/groups";
import type { JoinPolicy, SignedIn, Visibility } from "#community/rules";
import { aGroup, bring, cast } from "../../../test/cast.ts";
import { notificationsOf } from "./index.ts";
import { carry, carryAgain, rowsFor } from "./told.fixture.ts";
import { database, told, within } from "./tell.fixture.ts";

const { db, clock } = database;

/** A group of Tomas's with Mira, Noor and Ines; Ada has requested to join. */
async function scene(visibility: Visibility = "private") {
  const people = await cast(database);
  const { tomas, noor, ines, ada } = people;
  const group = await aGroup(database, people, { visibility });
  await within(async (tx) => {
    for (const who of [noor, ines]) await bring(tx, group.id, who, "member");
    await bring(tx, group.id, ada, "requested");
  });
  const door = (to: Visibility, joinPolicy: JoinPolicy) =>
    within((tx) => updateGroup(tx, tomas, { groupId: group.id, visibility: to, joinPolicy }));
  const linesOf = async (who: SignedIn) => (await notificationsOf(db, who, { tab: "all" })).rows;
  return { ...people, group, door, linesOf, opens: () => door("public", "open"), at: later(clock.at, 7 * DAY) };
}

describe("scheduled visibility change", () => {
  test("notifies every member but the actor once with the date, despite mutes", async () => {
    const { tomas, mira, noor, ines, ada, group, opens, linesOf, at } = await scene();
    await within((tx) => setGroupNotices(tx, mira, { groupId: group.id, level: "mute" }));
    await within((tx) => mutePerson(tx, noor, { personId: tomas.id, until: null }));
    await within((tx) => block(tx, ines, { personId: tomas.id }));
    await opens();
    await carry(database);
    await carryAgain(database);
    for (const who of [mira, noor, ines]) expect(await told(who)).toEqual(["group_opening member"]);
    for (const who of [tomas, ada]) expect(await told(who)).toEqual([]);
    expect(await linesOf(mira)).toMatchObject([
      { detail: "public", moment: at, actors: [], object: { id: group.id }, group: { slug: group.slug } },
    ]);
  });

  test("states the extent: a secret group becomes visible to everyone", async () => {
    const { mira, door, linesOf } = await scene("secret");
    await door("private", "request");
    await carry(database);
    expect(await linesOf(mira)).toMatchObject([{ kind: "group_opening", detail: "private" }]);
  });

  test("does not notify of narrower visibility or a changed join policy", async () => {
    const { mira, door } = await scene();
    await door("private", "invite");
    await door("secret", "invite");
    await carry(database);
    expect(await told(mira)).toEqual([]);
  });

  test("the notification is withdrawn when cancelled, and for people who leave", async () => {
    const { tomas, mira, noor, ines, group, opens } = await scene();
    await opens();
    await carry(database);
    await within((tx) => leaveGroup(tx, noor, { groupId: group.id }));
    await within((tx) => removeMember(tx, tomas, { groupId: group.id, personId: ines.id, reason: "Shouting." }));
    await carry(database);
    expect(await told(noor)).toEqual(["group_opening member withdrawn"]);
    expect(await told(ines)).toEqual(["group_decision about_you", "group_opening member withdrawn"]);
    expect(await told(mira)).toEqual(["group_opening member"]);
    await within((tx) => cancelOpening(tx, tomas, { groupId: group.id }));
    await carry(database);
    expect(await told(mira)).toEqual(["group_opening member withdrawn"]);
    await opens();
    await carry(database);
    expect((await rowsFor(database, mira)).filter((it) => !it.withdrawn)).toHaveLength(1);
  });

  test("notifies again of a new date, stays once effective, and goes when the group closes", async () => {
    const { mira, noor, tomas, group, door, opens, linesOf, at } = await scene();
    await opens();
    clock.pass(DAY);
    await door("public", "request");
    await carry(database);
    expect(await linesOf(mira)).toMatchObject([{ kind: "group_opening", moment: later(at, DAY) }]);
    clock.pass(7 * DAY);
    await within(openWhatIsDue);
    await carry(database);
    expect(await linesOf(mira)).toMatchObject([{ kind: "group_opening", unread: true }]);
    await within((tx) => leaveGroup(tx, noor, { groupId: group.id }));
    await carry(database);
    expect(await linesOf(noor)).toEqual([]);
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, visibility: "private" }));
    await carry(database);
    expect(await linesOf(mira)).toEqual([]);
  });
});
