import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { listGroupLog } from "#community/moderation";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import {
  getGroup,
  inviteAddress,
  InviteAddress,
  inviteByName,
  InviteLink,
  listInvitations,
  createInviteLink,
  moveStartItem,
  addStartItem,
  revokeInvitation,
  listStartItems,
  removeStartItem,
} from "#community/groups";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
const HOUSE = { community: "Lindenhof", linkTo: (token: string) => `https://kith.test/invite/${token}` };

async function scene() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const groupId = group.id;
  const found = (who: SignedIn) => getGroup(db, who, groupId);
  const log = async () => {
    const { rows } = await listGroupLog(db, people.tomas, await found(people.tomas));
    return rows.map(({ act, by, whom, details: { personId: _, ...details } }) => [
      act,
      by?.username,
      whom?.username,
      details,
    ]);
  };
  return { ...people, groupId, found, log };
}

describe("group log", () => {
  test("shows who sent and revoked an invitation, without email addresses and link tokens", async () => {
    const { tomas, mira, groupId, found, log } = await scene();
    await within((tx) => inviteByName(tx, mira, { groupId, username: "noor" }));
    clock.pass(1);
    await within((tx) =>
      inviteAddress(tx, mira, InviteAddress.parse({ groupId, email: "lea@example.org" }), HOUSE),
    );
    clock.pass(1);
    const { token } = await within((tx) => createInviteLink(tx, mira, InviteLink.parse({ groupId })));
    for (const { id } of (await listInvitations(db, tomas, await found(tomas), { now: clock.at })).rows) {
      clock.pass(1);
      await within((tx) => revokeInvitation(tx, tomas, { invitationId: id }));
    }
    expect((await log()).toReversed()).toEqual([
      ["group.invitation_created", "mira", "noor", { kind: "person" }],
      ["group.invitation_created", "mira", undefined, { kind: "address" }],
      ["group.invitation_created", "mira", undefined, { kind: "link" }],
      ["group.invitation_revoked", "tomas", undefined, { kind: "link" }],
      ["group.invitation_revoked", "tomas", undefined, { kind: "address" }],
      ["group.invitation_revoked", "tomas", "noor", { kind: "person" }],
    ]);
    const rows = JSON.stringify(await many(db, sql`select * from audit_events`));
    for (const secret of ["lea@example.org", token]) expect(rows).not.toContain(secret);
  });

  test('shows additions to "Start here" and removals', async () => {
    const { tomas, mira, groupId, found, log } = await scene();
    const { id } = await createTestDiscussion(database, mira, groupId);
    const add = () => within((tx) => addStartItem(tx, tomas, { groupId, address: `/discussions/${id}` }));
    await add();
    // The second call changes nothing, because the item is in the list already.
    await add();
    const itemId = (await listStartItems(db, tomas, await found(tomas)))[0]!.id;
    await within((tx) => moveStartItem(tx, tomas, { groupId, itemId, way: "up" }));
    clock.pass(1);
    await within((tx) => removeStartItem(tx, tomas, { groupId, itemId }));
    expect((await log()).toReversed()).toEqual([
      ["group.start_item_added", "tomas", undefined, { discussionId: id, resourceId: null }],
      ["group.start_item_removed", "tomas", undefined, { discussionId: id, resourceId: null }],
    ]);
  });
});
