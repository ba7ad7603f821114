import { expect, test } from "vitest";
import { InviteAddress, inviteAddress, InviteLink, createInviteLink } from "#community/groups";
import { openSettings } from "#community/settings";
import { SECOND } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { createTestGroup, createTestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Pages of an invitation for someone without an account, where registration is by invitation only. */

const database = await testDatabase();
const { inTransaction: within } = database;
const { server } = await serveBuiltPages(database);
const HOUSE = { community: "Lindenhof", linkTo: (token: string) => `http://kith.test/invite/${token}` };

async function closedPlace() {
  // Pages use the real clock; the clock of the tests differs.
  database.clock.pass(Date.now() - database.clock.at.getTime());
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private", name: "Zauberberg" });
  await within((tx) => openSettings(database).set(tx, people.ada, { registration: "closed" }));
  const link = async (entry: "join" | "ask") =>
    (await within((tx) => createInviteLink(tx, people.mira, InviteLink.parse({ groupId: group.id, entry }))))
      .token;
  const mail = async (email: string) => {
    await within((tx) =>
      inviteAddress(tx, people.mira, InviteAddress.parse({ groupId: group.id, email }), HOUSE),
    );
    const { text } = await one(
      database.db,
      sql<{ text: string }>`select body_text as text from mails where recipient = ${email}`,
    );
    return text.match(/invite\/([\w-]{43})/)![1]!;
  };
  return { link, mail };
}

const page = async (url: string) => (await server.inject({ url })).body;
const wayTo = (token: string) => `/register?next=%2Finvite%2F${token}`;
const people = () =>
  many(
    database.db,
    sql<{
      email: string;
      state: string;
    }>`select email, state from people where email like '%@example.net' order by email`,
  );

async function send(token: string, email: string) {
  const started = /name="started" value="([^"]+)"/.exec(await page(wayTo(token)))![1]!;
  database.clock.pass(3 * SECOND);
  const fields = {
    name: "Zoe",
    username: "",
    email,
    password: "seven brown hens",
    website: "",
    started,
    next: `/invite/${token}`,
  };
  return server.inject({
    url: wayTo(token),
    method: "POST",
    headers: {
      host: "kith.test",
      origin: "http://kith.test",
      "content-type": "application/x-www-form-urlencoded",
    },
    payload: new URLSearchParams(fields).toString(),
  });
}

test("a mailed invitation opens a registration form with its email address", async () => {
  const { mail } = await closedPlace();
  const token = await mail("zoe@example.net");
  expect(await page(`/invite/${token}`)).toContain(`href="${wayTo(token)}"`);
  const form = await page(wayTo(token));
  expect(form).toContain("invited you to Zauberberg.");
  expect(form).toMatch(/<input(?=[^>]*readonly)(?=[^>]*value="zoe@example\.net")/i);
  const other = await send(token, "eve@example.net");
  expect(other.body).toContain("This invitation was sent to another email address.");
  // The typed text is still there to be corrected, with the form.
  expect(other.body).toContain('name="started"');
  expect(await people()).toEqual([]);
  expect(await send(token, "zoe@example.net")).toMatchObject({
    statusCode: 302,
    headers: { location: "/login/sent" },
  });
  expect(await people()).toEqual([{ email: "zoe@example.net", state: "unverified" }]);
});

test("an invite link opens the registration form until it is used up or revoked", async () => {
  const { link } = await closedPlace();
  const token = await link("join");
  expect(await page(`/invite/${token}`)).toContain(`href="${wayTo(token)}"`);
  expect(await page(wayTo(token))).toContain('name="started"');
  await run(database.db, sql`update group_invitations set most_uses = 1`);
  expect((await send(token, "zoe@example.net")).statusCode).toBe(302);
  const full = await page(wayTo(token));
  expect(full).toContain("This invitation has been used.");
  expect(full).not.toContain('name="started"');
  expect(await page(`/invite/${token}`)).not.toContain(`href="${wayTo(token)}"`);
  await run(database.db, sql`update group_invitations set revoked_at = now()`);
  const over = await page(wayTo(token));
  expect(over).toContain("This invitation was revoked.");
  expect(over).not.toContain("Zauberberg");
});

test("an invite link that requires approval or is invalid opens no registration form", async () => {
  const { link } = await closedPlace();
  const asks = await link("ask");
  expect(await page(`/invite/${asks}`)).not.toContain(`href="${wayTo(asks)}"`);
  expect(await page(wayTo(asks))).toContain("so it only works for people who already have an account");
  for (const way of ["/register", wayTo(asks), wayTo("x".repeat(43))]) {
    const closed = await page(way);
    expect(closed).toContain("Registration is by invitation only.");
    expect(closed).not.toContain('name="started"');
  }
});
