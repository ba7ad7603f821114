import { expect, test } from "vitest";
import {
  InviteAddress,
  inviteAddress,
  InviteLink,
  getInvitation,
  createInviteLink,
  registerByInvitation,
  revokeInvitation,
} from "#community/groups";
import { NewAccount, register, confirmEmail, changePendingAddress } from "#community/accounts";
import { DAY, HOUR } from "#platform/clock";
import { many, one, sql } from "#platform/database";
import { clientInfo, PASSWORD, createAccountsContext } from "../support/accounts/accounts-context.ts";
import { createTestGroup, createTestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Invitation-only registration: which invitations admit whom, and how many. */

const database = await testDatabase();
const { db, inTransaction: within } = database;
const app = createAccountsContext(database, { registerInvited: registerByInvitation });
const HOUSE = { community: "Lindenhof", linkTo: (token: string) => `https://kith.test/invite/${token}` };

async function closedPlace() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private", name: "Zauberberg" });
  await app.set({ registration: "closed", accountsPerAddress: 0, registrationTries: 0 });
  const link = async (more: object = {}) =>
    (
      await within((tx) =>
        createInviteLink(tx, people.mira, InviteLink.parse({ groupId: group.id, ...more })),
      )
    ).token;
  const mail = async (email: string) => {
    await within((tx) =>
      inviteAddress(tx, people.mira, InviteAddress.parse({ groupId: group.id, email }), HOUSE),
    );
    return (await app.mailTo(email))!.text.match(/invite\/([\w-]{43})/)![1]!;
  };
  const registers = async (token: string) => {
    const found = await getInvitation(db, people.guest, token, database.clock.at);
    return found.state === "open" ? found.registers : found.state;
  };
  return { ...people, group, link, mail, registers };
}

const registerPerson = (email: string, invitation?: string) =>
  register(app, NewAccount.parse({ email, password: PASSWORD, name: "Zoe" }), clientInfo(), {
    invitation,
  });
const newcomers = async () =>
  (
    await many(db, sql<{ email: string }>`select email from people where display_name = 'Zoe' order by email`)
  ).map(({ email }) => email);
const CLOSED = { reason: "not-allowed", kind: "registration-closed" };

test("an invitation by mail allows registration with its email address only, in any letter case", async () => {
  const { mail, registers } = await closedPlace();
  const token = await mail("Zoe@example.org");
  expect(await registers(token)).toBe(true);
  await expect(registerPerson("zoe@example.org")).rejects.toMatchObject(CLOSED);
  await expect(registerPerson("zoe@example.org", "made-up")).rejects.toMatchObject(CLOSED);
  await expect(registerPerson("eve@example.org", token)).rejects.toMatchObject({
    reason: "not-allowed",
    message: /another email address/,
  });
  expect(await newcomers()).toEqual([]);
  await registerPerson("zoe@example.org", token);
  await registerPerson("ZOE@example.org", token);
  expect(await confirmEmail(app, await app.tokenTo("ZOE@example.org"), { password: PASSWORD })).toMatchObject(
    {
      state: "active",
    },
  );
});

test("an invited account cannot change its email address before confirming it", async () => {
  const { mail } = await closedPlace();
  const { pending } = await registerPerson("zoe@example.org", await mail("zoe@example.org"));
  await expect(changePendingAddress(app, pending, "eve@example.org", clientInfo())).rejects.toMatchObject({
    reason: "not-allowed",
  });
  expect(await newcomers()).toEqual(["zoe@example.org"]);
});

test("an invite link admits no more people than its limit, even concurrently", async () => {
  const { link, registers } = await closedPlace();
  const token = await link({ mostUses: "2" });
  await registerPerson("one@example.org", token);
  // Registering again, or correcting the address, takes no second seat.
  const { pending } = await registerPerson("one@example.org", token);
  await changePendingAddress(app, pending, "uno@example.org", clientInfo());
  const both = await Promise.allSettled([
    registerPerson("two@example.org", token),
    registerPerson("three@example.org", token),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { reason: "gone" } });
  expect(await newcomers()).toHaveLength(2);
  expect(await registers(token)).toBe(false);
});

test("an unconfirmed registration releases its use of an invite link after two days", async () => {
  const { link } = await closedPlace();
  const [answered, lost] = [await link({ mostUses: "1" }), await link({ mostUses: "1" })];
  await registerPerson("one@example.org", answered);
  await confirmEmail(app, await app.tokenTo("one@example.org"), { password: PASSWORD });
  await registerPerson("two@example.org", lost);
  database.clock.pass(48 * HOUR + 1);
  await expect(registerPerson("three@example.org", answered)).rejects.toMatchObject({ reason: "gone" });
  await registerPerson("three@example.org", lost);
});

test("a used-up invite link does not reveal which email addresses have accounts", async () => {
  const { link, registers } = await closedPlace();
  await app.member({ username: "zoe", email: "zoe@example.org" });
  const [known, unknown] = [await link({ mostUses: "1" }), await link({ mostUses: "1" })];
  const registered = [
    await registerPerson("zoe@example.org", known),
    await registerPerson("new@example.org", unknown),
  ];
  expect(registered.map(({ state }) => state)).toEqual(["unverified", "unverified"]);
  expect([await registers(known), await registers(unknown)]).toEqual([false, false]);
  for (const { pending } of registered) {
    database.clock.pass(1);
    await changePendingAddress(app, pending, `later${database.clock.at.getTime()}@example.org`, clientInfo());
  }
  expect((await app.mailTo("zoe@example.org"))!.subject).toBe("You already have an account");
});

test("an expired invite link, or a link that requires approval, does not allow registration", async () => {
  const { mira, link, registers } = await closedPlace();
  const [asks, taken, late] = [await link({ entry: "ask" }), await link(), await link()];
  expect(await registers(asks)).toBe(false);
  await expect(registerPerson("zoe@example.org", asks)).rejects.toMatchObject(CLOSED);
  const { id } = await one(
    db,
    sql<{ id: string }>`select id from group_invitations order by created_at desc, id desc offset 1 limit 1`,
  );
  await within((tx) => revokeInvitation(tx, mira, { invitationId: id }));
  await expect(registerPerson("zoe@example.org", taken)).rejects.toMatchObject({ reason: "gone" });
  database.clock.pass(30 * DAY);
  await expect(registerPerson("zoe@example.org", late)).rejects.toMatchObject({ reason: "gone" });
  expect(await newcomers()).toEqual([]);
});

test("open registration does not use up an invite link", async () => {
  const { link } = await closedPlace();
  const token = await link({ mostUses: "1" });
  await app.set({ registration: "open" });
  for (const email of ["one@example.org", "two@example.org"]) await registerPerson(email, token);
  await app.set({ registration: "approval" });
  await registerPerson("three@example.org", token);
  expect(
    await confirmEmail(app, await app.tokenTo("three@example.org"), { password: PASSWORD }),
  ).toMatchObject({
    state: "pending_approval",
  });
});
