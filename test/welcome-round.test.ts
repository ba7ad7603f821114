import { expect, test } from "vitest";
import { InviteLink, makeInviteLink } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { openSettings, type SiteSettings } from "#community/settings";
import { aDiscussion, aGroup, bring, cast, person } from "./cast.ts";
import { servedPages } from "./served.ts";
import { testDatabase } from "./setup/database.ts";

/** The round for newcomers, as its pages and forms are without scripts. */

const database = await testDatabase();
const { inTransaction: within } = database;
const { server, as } = await servedPages(database);

async function place() {
  database.clock.pass(Date.now() - database.clock.at.getTime());
  const people = await cast(database);
  const beds = await aGroup(database, people, { name: "The Long Beds" });
  const { id: hello } = await aDiscussion(database, people.mira, beds.id, { title: "Hello from everybody" });
  const { id: latest } = await aDiscussion(database, people.mira, beds.id, { title: "Slugs again" });
  const nora = await within((tx) => person(tx, "nora", "member", "new"));
  return { ...people, nora, beds, hello, latest };
}
const set = (ada: SignedIn, settings: Partial<SiteSettings>) => within((tx) => openSettings(database).set(tx, ada, settings));
const post = (who: SignedIn, url: string, form: Record<string, string>) =>
  server.inject({
    method: "POST",
    url,
    headers: { host: "kith.test", origin: "http://kith.test", "content-type": "application/x-www-form-urlencoded", ...as(who) },
    payload: new URLSearchParams(form).toString(),
  });
const endOf = async (who: SignedIn, next = "") =>
  (await post(who, next ? `/welcome?next=${encodeURIComponent(next)}` : "/welcome", { intent: "skip-all" })).headers.location;

test("ends in the discussion of introductions that an admin has chosen", async () => {
  const { ada, mira, nora } = await place();
  const kettles = await aGroup(database, { tomas: ada, mira }, { name: "Kettles", visibility: "public" });
  const { id } = await aDiscussion(database, ada, kettles.id, { title: "Who is who" });
  await set(ada, { introductions: `https://kith.test/discussions/${id}` });
  expect(await endOf(nora)).toBe(`/discussions/${id}#reply`);
});

test("ends in one that sounds like it where none was chosen, or the one that was is not for them", async () => {
  const { ada, mira, nora, beds, hello } = await place();
  await within((tx) => bring(tx, beds.id, nora, "member"));
  const secret = await aGroup(database, { tomas: ada, mira }, { name: "Staff", visibility: "secret" });
  const { id } = await aDiscussion(database, ada, secret.id, { title: "Who is who" });
  await set(ada, { introductions: `/discussions/${id}` });
  expect(await endOf(nora)).toBe(`/discussions/${hello}#reply`);
});

test("ends where somebody was going, and at home where there is nothing to read", async () => {
  const { nora, noor } = await place();
  expect(await endOf(nora, "/rules")).toBe("/rules");
  expect(await endOf(noor)).toBe("/");
});

test("ends in the group that somebody was invited to, once they are in it, and at the invitation before", async () => {
  const { mira, nora, noor, beds, latest } = await place();
  const { token } = await within((tx) => makeInviteLink(tx, mira, InviteLink.parse({ groupId: beds.id })));
  const next = `/invite/${token}`;
  expect(await endOf(noor, next)).toBe(next);
  await within((tx) => bring(tx, beds.id, nora, "member"));
  expect(await endOf(nora, next)).toBe(`/discussions/${latest}#reply`);
});

test("an admin chooses a discussion that they read and that is open, and nothing else", async () => {
  const { ada, mira, latest } = await place();
  const choose = async (introductions: string, who = ada) =>
    (await post(who, "/admin/settings", { key: "introductions", introductions, intent: "save introductions" })).statusCode;
  const hidden = await aGroup(database, { tomas: mira, mira }, { name: "Ours", visibility: "secret" });
  const { id } = await aDiscussion(database, mira, hidden.id, { title: "Between us" });
  expect(await choose(`/discussions/${latest}`)).toBe(302);
  for (const address of [`/discussions/${id}`, "/groups", "Hello"]) expect(await choose(address), address).toBe(422);
  expect((await openSettings(database).get()).introductions).toBe(`/discussions/${latest}`);
  expect(await choose("")).toBe(302);
});
